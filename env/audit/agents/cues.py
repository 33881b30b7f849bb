"""Turns of phrase by which a note settles a question of coding. Plain patterns, no tables."""

from __future__ import annotations

import re
from typing import NamedTuple


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Two diagnoses stand on their own.
UNRELATED = _any(
    r"\bunrelated\b", r"\bno connection\b", r"\bnothing to do with\b", r"\bindependent\b",
    r"\bdoes not stem from\b", r"\btwo (?:\w+ )?(?:organs|problems|conditions|places)\b",
    r"\bof its own\b", r"\bnot caused by\b", r"\bapart from\b", r"\bseparate\b",
)  # fmt: skip
# Two services concern one place, one session or one matter, so that no modifier helps.
LINKED = _any(
    r"\b(?:that|the) same\b",
    r"\bone (?:\w+ )?(?:session|set|joint|visit|polyp|lesion|complaint)\b",
    r"\bonly one\b", r"\bpart of\b", r"\bno (?:second|other|new)\b", r"\bnothing but\b",
    r"\bwas not\b", r"\bconcern(?:ed)? (?:one|the same)\b", r"\ball \w+ was done at\b",
    r"\bis the \w+ (?:that|whose|of the)\b", r"\bended with\b", r"\bfor which care was begun\b",
)  # fmt: skip
# A modifier is borne out: another place, another session, another problem.
APART = _any(
    r"\b(?:two|different|another|separate|second) (?:\w+ )?(?:lesions?|joints?|wounds?|organs?"
    r"|sessions?|sites?|visits?|problems?|places?|polyps?|nails?|regions?|matter)\b",
    r"\beach (?:\w+ )*on its own\b", r"\bof its own\b", r"\bbesides the procedure\b",
    r"\bbefore the procedure\b", r"\bapart\b", r"\baway\b", r"\btime was also given to\b",
    r"\bdifferent\b", r"\bsecond (?:session|visit|joint)\b", r"\bits own history\b",
    r"\band the \w+ (?:\w+ )?(?:to|on|in) the\b", r"\bmore than the\b", r"\bin addition to the\b",
)  # fmt: skip

_ACTIVE = _any(
    r"\bfirst (?:and active )?(?:treatment|care)\b",
    r"\b(?:in(?:itial)?|acute|under|still) active\b",
    r"\bactive (?:treatment|care)\b", r"\bacute treatment\b", r"\buntreated\b",
    r"\bnot treated elsewhere\b", r"\btreatment starts\b", r"\brecent origin\b",
    r"\bnot aftercare\b",
)  # fmt: skip
_HEALING = _any(
    r"\baftercare\b", r"\bfollow-?up\b", r"\brecover(?:y|ing)\b", r"\bheal(?:ing|s|ed)\b",
    r"\bmending\b", r"\buniting\b", r"\bpast active\b", r"\bactive treatment being complete\b",
    r"\bactive treatment (?:is|was) (?:over|complete|done)\b", r"\bfracture care\b",
    r"\breview of\b",
    r"\bcast (?:is )?(?:off|removed)\b", r"\bnon-?union\b", r"\bmalunion\b", r"\bunited\b",
)  # fmt: skip
_HEALS = {
    "nonunion": _any(r"\bnon-?union\b", r"\b(?:never|not|failed to) unite", r"\bno union\b"),
    "malunion": _any(r"\bmalunion\b", r"\bout of line\b", r"\bat an angle\b"),
    "delayed": _any(r"\bdelayed\b", r"\bbehind schedule\b", r"\bslow(?:er|ly)?\b"),
    "routine": _any(r"\broutine\b", r"\bon schedule\b", r"\bnormally\b", r"\bas expected\b"),
}
_OPENED = {
    "closed": _any(
        r"\bclosed\b", r"\bskin (?:is )?intact\b", r"\bintact skin\b", r"\bunbroken\b",
        r"\bno skin breach\b", r"\bno overlying wound\b",
    ),
    "iiia": _any(r"\biii ?[abc]\b", r"\bextensive open\b", r"\bextensive wound\b"),
    "type i or ii": _any(r"\btype ii?\b", r"\bgustilo ii?\b", r"\bsmall open\b"),
    "open": _any(r"\bopen\b"),
}  # fmt: skip


_WORD = re.compile(r"\w+")
_WOMAN = frozenset(("she", "her", "hers", "woman", "girl", "mrs", "ms"))
_MAN = frozenset(("he", "him", "his", "man", "boy", "mr"))
_AGED = _any(r"\b\d+[ -](?:year|month|week|day)s?[ -]old\b", r"\baged? \d+\b", r"\bnewborn\b")


def sex_told(note: str) -> str | None:
    """The sex of which the words of a note are, None where they leave it open."""
    words = _WORD.findall(note.lower())
    women, men = (sum(map(some.__contains__, words)) for some in (_WOMAN, _MAN))
    if women == men:
        return None
    return "female" if women > men else "male"


def age_told(note: str) -> bool:
    """Whether a note tells an age."""
    return _AGED.search(note) is not None


class Care(NamedTuple):
    """What sentences say of an injury's care: None where they are silent."""

    phase: str | None
    healing: str | None
    opened: str | None


def care_of(text: str) -> Care:
    """What words say of an injury's care. A word of aftercare settles it, so that "not aftercare"
    leads this reader astray, as it does those who take each follow-up for healing."""
    phase = None
    if _HEALING.search(text):
        phase = "healing"
    elif _ACTIVE.search(text):
        phase = "active"
    return Care(phase, _first(_HEALS, text), _first(_OPENED, text))


def speaks_of(phase: str, text: str) -> bool:
    """Whether words anywhere tell of a phase of care, ``active`` or ``healing``."""
    return (_ACTIVE if phase == "active" else _HEALING).search(text) is not None


def _first(cues: dict[str, re.Pattern[str]], text: str) -> str | None:
    return next((name for name, cue in cues.items() if cue.search(text)), None)
