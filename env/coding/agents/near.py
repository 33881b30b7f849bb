"""What is said of the codes that lie near and are left out: which, and why not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from casegen.env.writing.words import cited, listed, named
from casegen.schemas.coding_case import CodingCase, WrongCode

from .evidence import against
from .judge import LEAST
from .mentions import Excerpt, Sentence, excerpt_of
from .reasons import Reasons, Words, clause, quoted
from .titles import title_of

# So many are told of with their words and authority, so many more by name and kind alone.
_MOST_TOLD, _MOST_NAMED = 2, 4
# What tells most of how the case was coded, first.
_RANK = {
    "ruled_out": 0,
    "uncertain": 1,
    "part_of_combination": 2,
    "integral_symptom": 3,
    "history": 4,
    "excludes1": 5,
    "wrong_stage": 6,
    "wrong_phase": 7,
    "wrong_side": 8,
}
# Why codes of a kind are left, in a few words that are true of one and of several.
_IN_SHORT = {
    "less_specific": "less than the record says",
    "wrong_side": "not the side of the record",
    "wrong_stage": "another stage or degree",
    "wrong_phase": "another phase of care or course of healing",
    "integral_symptom": "no problem apart from the disease",
    "ruled_out": "ruled out",
    "uncertain": "not established",
    "part_of_combination": "part of a combination",
    "excludes1": "kept apart by an Excludes1 note",
    "not_documented": "not documented",
}
_DENIES = "the provider denies"
# The same by the beginning of a reason, where those of a kind are not alike.
_BY_REASON = {
    "It names another form": "another form or kind",
    "It tells of another": "another event",
}


def left_out(
    case: CodingCase, reasons: Reasons, drafted: Collection[str], step: int
) -> Iterator[str]:
    """Sentences on the codes near to the answer that are not in the draft."""
    free = [one for one in case.wrong if one.code not in drafted]
    told = list(_nearest(free))
    for number, wrong in enumerate(told):
        yield _told(case, reasons, wrong, step + number)
    rest = [one for one in free if one not in told and one.gold is not None and _short(one)]
    rest.sort(key=_rank)
    kinds: dict[str, list[str]] = {}
    for wrong in rest[:_MOST_NAMED]:
        kinds.setdefault(_short(wrong), []).append(wrong.code)
    parts = [f"{listed(codes)} ({why})" for why, codes in kinds.items()]
    if parts:
        yield reasons.say("left", step, {"left": listed(parts)})


def _rank(wrong: WrongCode) -> tuple[bool, bool, int]:
    """Those that the excerpt speaks of first, then those near to a code of the answer; what the
    provider denies before all."""
    rank = 0 if _DENIES in wrong.reason else _RANK.get(wrong.kind, 9)
    return not wrong.evidence, wrong.gold is None and rank > 1, rank


def _nearest(wrong: Sequence[WrongCode]) -> Iterator[WrongCode]:
    """Those to tell of at length, of different kinds as far as there are."""
    kinds: set[str] = set()
    for one in sorted(wrong, key=_rank):
        if len(kinds) < _MOST_TOLD and one.kind not in kinds:
            kinds.add(one.kind)
            yield one


def _short(wrong: WrongCode) -> str:
    """Why a code is left, in a few words; none where only its own reason says it."""
    found = (told for start, told in _BY_REASON.items() if wrong.reason.startswith(start))
    return next(found, _IN_SHORT.get(wrong.kind, ""))


def _told(case: CodingCase, reasons: Reasons, wrong: WrongCode, step: int) -> str:
    """Why a code stays out, with the words of the excerpt that bear on it."""
    words: Words = {
        **reasons.of_code(wrong.code),
        "because": clause(wrong.reason),
        "authority": named(wrong.authority),
    }
    if wrong.evidence:
        return reasons.say("passed", step, words | quoted(against(case, wrong)))
    excerpt, wanted = excerpt_of(case.note), _words(wrong.code, reasons)
    spoken = _spoken(excerpt, wanted)
    denials = [one for one in spoken if wanted & one.words <= one.denied]
    if spoken and len(denials) == len(spoken):
        return reasons.say("denied", step, words | quoted([cited(denials[0].text)]))
    nothing = not spoken and wrong.kind == "not_documented"
    return reasons.say("absent" if nothing else "unasked", step, words)


def _words(code: str, reasons: Reasons) -> frozenset[str]:
    """The words by which the excerpt would speak of a code."""
    parts = title_of(code, reasons.titles[code]).parts
    return parts[0] if parts else frozenset()


def _spoken(excerpt: Excerpt, wanted: frozenset[str]) -> list[Sentence]:
    """The sentences with most of these words, denied or not."""
    if not wanted:
        return []
    least = LEAST * len(wanted)
    return [one for one in excerpt.sentences if len(wanted & one.words) >= least]
