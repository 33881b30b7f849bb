"""Why a line that looks wrong stands: what the steps have shown of a decoy."""

from __future__ import annotations

from casegen.env.writing.words import cited, named
from casegen.schemas import Decoy

from .grounds import excludes1_tie, tied
from .reasons import Reasons, Words


def standing_reason(
    reasons: Reasons, decoy: Decoy, quote: str | None, said: str | None
) -> str | None:
    """A sentence on a line that stands, None where no step has shown why."""
    words: Words = {
        **reasons.of_code(decoy.code),
        "related": decoy.related_code,
        "authority": named(decoy.authority),
        "quote": cited(quote),
        "said": cited(said),
    }
    if decoy.kind.startswith("physician_"):
        return reasons.say("stands_asked", words) if said else None
    if decoy.kind in _OF_ITSELF:
        words["quote"] = cited(reasons.quote(decoy.code))
    say = _OF_KIND.get(decoy.kind)
    if say is None or words["quote"] is None:
        return None
    return say(reasons, decoy, words) or None


def _tie(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    """A note that asks for both codes, or keeps neither off."""
    for tie in reasons.shown.ties(decoy.code, decoy.related_code or ""):
        if tie.kind != "Excludes1":
            words |= {"shown": cited(tie.words), "head": f"{tie.kind} {tie.place}"}
            return reasons.say("stands_tie", words)
    return None


def _unrelated(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    tie = excludes1_tie(reasons, decoy.code, decoy.related_code or "")
    return reasons.say("stands_unrelated", words) if tie else None


def _reach(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    tie = excludes1_tie(reasons, decoy.code, decoy.related_code or "")
    if tie is None or tie.reach == "its words reach the code":
        return None
    return reasons.say("stands_reach", {**words, **tied(tie), "reach": tie.reach})


def _pair(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    one, other = decoy.code, decoy.related_code or ""
    line = reasons.shown.pair_line(one, other, "hold no pair of", "deleted,", "withdrawn,")
    if line is None:
        edit = reasons.shown.edit(one, other)
        line = edit.indicator if edit else None
    words["shown"] = cited(line.partition("): ")[2] or line) if line else None
    return reasons.say("stands_pair", words) if line else None


def _care(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    words["shown"] = cited(reasons.shown.sevenths(decoy.code).get(decoy.code))
    return reasons.say("stands_care", words) if words["shown"] else None


def _valid(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    words["shown"] = reasons.shown.valid(decoy.code)
    return reasons.say("stands_valid", words) if words["shown"] else None


def _patient(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    words["shown"] = cited(reasons.shown.title(decoy.code))
    return reasons.say("stands_patient", words) if words["shown"] else None


def _guideline(reasons: Reasons, decoy: Decoy, words: Words) -> str | None:
    return reasons.say("stands_guideline", words)


# What stands by itself is quoted by its own words, and not by those for age or sex.
_OF_ITSELF = frozenset({"odd_but_valid", "unexpected_patient"})
_OF_KIND = {
    "code_also": _tie,
    "excludes2": _tie,
    "unrelated": _unrelated,
    "does_not_reach": _reach,
    "no_pair": _pair,
    "deleted_pair": _pair,
    "justified_modifier": _pair,
    "active_treatment": _care,
    "odd_but_valid": _valid,
    "unexpected_patient": _patient,
    "by_guideline": _guideline,
}
