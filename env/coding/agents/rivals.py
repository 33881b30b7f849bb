"""Which codes stand for one another, and which goes first: rules of the official guidelines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .lexicon import words
from .mentions import Excerpt, Sentence
from .titles import Title

if TYPE_CHECKING:
    from .judge import Choice

# Of each of these groups one code is assigned: the types of diabetes, of hypertension.
_GROUPS = ({"E08", "E09", "E10", "E11", "E13"}, {"I10", "I11", "I12", "I13", "I15", "I16"})
# What symptoms belong to, by chapter: of the chest to lungs and heart, and so on (I.B.5).
_INTEGRAL = (
    (("R05", "R06", "R09", "R50", "R07"), "J"),
    (("R10", "R11", "R19", "R14"), "K"),
    (("R30", "R31", "R35", "R39", "R10"), "N"),
    (("R07", "R00", "R06", "R60"), "I"),
    (("R73", "R63"), "E"),
)  # fmt: skip
# A sentence on what an encounter was for names the encounter; what came up beside says so.
_REASON = re.compile(
    r"\breasons? (?:for|of)\b|\bcame (?:about|with|for|in|because)\b|\bchief(?:ly)?\b"
    r"|\bcomplaint\b|\b(?:visit|appointment|admission|stay|department|encounter)\b"
    r"|\bat (?:the desk|triage)\b|\bpresents? (?:with|for)\b|\breferred for\b"
    r"|\bbrought (?:her|him) (?:in|here)\b|\bis what (?:she|he)\b|\bcoming\b|\bmatter\b",
    re.I,
)
_BESIDE = re.compile(
    r"\bas well\b|\bbesides?\b|\btoo\b|\bin passing\b|\balso\b|\bnot forgotten\b|\bhad its turn\b"
    r"|\bwhile here\b|\battended to\b|\bduring the stay\b|\btaken up\b|\bgone over\b"
    r"|\breviewed\b|\blooked after\b|\balong with\b|\bdealt with\b|\bmanaged\b|\btreated\b"
    r"|\bneeded attention\b",
    re.I,
)
_CLAUSE = re.compile(r";|, (?:while|yet|but|though|with|and)\b|\bwhile\b|\bthough\b|: ")
_NEVER_FIRST = re.compile(
    r"^(?:[V-Y]|Z3A|Z79|Z8[0-7]|Z9[0-9]|B9[5-7]|R65|T(?:3[6-9]|4\d|50).*5[ADS]$)"
)

# Categories whose notes name codes that go first.
_CODE_FIRST = {
    "N18": re.compile(r"^I1[23]|^E(?:08|09|10|11|13)\.22"),
    "I50": re.compile(r"^I1[13]"),
    "D63": re.compile(r"^[CN]"),
}


def one_of_each(found: list[Choice]) -> list[Choice]:
    """The best of each category, and of each group of categories; a second one of a category
    where another sentence states it."""
    kept: list[Choice] = []
    for one in sorted(found, key=lambda one: -one.worth):
        rivals = [other for other in kept if _rivals(one, other)]
        if any(_group(one.title) is not None for _ in rivals):
            continue
        if not rivals or all(_apart(one, other) for other in rivals):
            kept.append(one)
    return kept


def _rivals(one: Choice, other: Choice) -> bool:
    group = _group(one.title)
    if group is not None and group == _group(other.title):
        return True
    return one.title.family == other.title.family or bool(
        one.sentence is other.sentence and one.title.words <= other.title.words
    )


def _apart(one: Choice, other: Choice) -> bool:
    """Whether two codes of a category are stated by sentences of their own, each in full."""
    return (
        one.sentence is not other.sentence
        and one.title.words != other.title.words
        and one.title.code[0] == "Z"
    )


def _group(title: Title) -> int | None:
    return next((at for at, some in enumerate(_GROUPS) if title.family in some), None)


def combined(found: list[Choice], titles: Sequence[Title]) -> list[Choice]:
    """The codes that hold several conditions in the place of those (I.C.4.a, I.C.9.a, I.A.15,
    I.C.13.d.2)."""
    have = {one.title.family for one in found}
    kidney = next((one for one in found if one.title.family == "N18"), None)
    failing = "I50" in have
    if have & {"I10", "I11", "I12", "I13"} and (kidney or failing):
        wanted = "I13" if kidney and failing else "I12" if kidney else "I11"
        found = _swap(found, titles, _GROUPS[1], lambda t: t.family == wanted and _stage(t, kidney))
    if kidney is not None and have & _GROUPS[0]:
        found = _swap(found, titles, _GROUPS[0], lambda t: t.code.endswith(".22"))
    broken = [one for one in found if one.code[0] == "S" and "fracture" in one.title.title.lower()]
    if "M81" in have and broken:
        sides = {one.title.side for one in broken}
        found = _swap(found, titles, {"M81"}, lambda t: t.family == "M80" and t.side in sides)
    if any(one.title.family == "M80" for one in found):
        found = [one for one in found if one.title.family != "M81" and one not in broken]
    return found


def _stage(title: Title, kidney: Choice | None) -> bool:
    """Whether a code of hypertension fits the stage of the kidneys."""
    if kidney is None:
        return True
    last = kidney.code in ("N18.5", "N18.6")
    return ("stage1" not in title.words and "stage5" in title.words) == last


def _swap(
    found: list[Choice], titles: Sequence[Title], group: set[str], fits: Callable[[Title], bool]
) -> list[Choice]:
    """What is of a group gives its place to the allowed code that fits, if there is one."""
    old = next((one for one in found if one.title.family in group), None)
    new = next((t for t in titles if t.family in group and fits(t)), None)
    if old is None or new is None:
        return found
    swapped = type(old)(new, old.sentence, old.worth, old.words)
    return [
        swapped if one is old else one
        for one in found
        if one is old or one.title.family not in group
    ]


def without_integral(found: list[Choice]) -> tuple[list[Choice], list[Choice]]:
    """What stays and what goes where symptoms go whose system has a diagnosis (I.B.5)."""
    chapters = {one.code[0] for one in found}
    gone = [
        one
        for one in found
        if any(one.title.family in some and of in chapters for some, of in _INTEGRAL)
    ]
    return [one for one in found if one not in gone], gone


def first_of(found: list[Choice], excerpt: Excerpt) -> list[Choice]:
    """The codes with that in front which goes first: by the rules of order, else the reason for
    the encounter (II, IV.G)."""
    if not found:
        return found
    order = sorted(found, key=lambda one: -one.worth)
    reason, named = _by_reason(order, excerpt)
    first = _by_rule(order) or _by_sepsis(order, reason) or reason
    if first is None:
        may = [one for one in order if not _last(one, order)]
        first = (may or order)[0]
    rest = [one for one in order if one is not first]
    # The words for the first code are those by which it goes first.
    if first is reason and named is not None:
        first = replace(first, sentence=named)
    return [first, *rest]


def _by_rule(found: Iterable[Choice]) -> Choice | None:
    for wanted in (r"^O", r"^Z51\.[01]", r"^Z12", r"^T(3[6-9]|4\d|50).*[1-4][ADS]$"):
        for one in found:
            if re.match(wanted, one.code):
                return one
    return None


def _by_sepsis(found: Iterable[Choice], reason: Choice | None) -> Choice | None:
    """Sepsis goes before the infection from which it comes (I.C.1.d)."""
    if reason is not None and reason.code[0] not in "ABJLN":
        return None
    return next((one for one in found if re.match(r"A4[01]", one.code)), None)


def names_reason(text: str) -> bool:
    """Whether a sentence says what the encounter was for."""
    return _REASON.search(text) is not None


def _by_reason(
    found: Sequence[Choice], excerpt: Excerpt
) -> tuple[Choice, Sentence] | tuple[None, None]:
    """The code that the sentence on the reason for the encounter is about, and the sentence."""
    for sentence in excerpt.sentences:
        if not names_reason(sentence.text):
            continue
        clauses = [one for one in _CLAUSE.split(sentence.text) if one.strip()]
        clauses.sort(key=lambda one: (bool(_BESIDE.search(one)), not _REASON.search(one)))
        for clause in clauses:
            best = _best_in(found, clause)
            if best is not None:
                return best, sentence
    return None, None


def _best_in(found: Sequence[Choice], text: str) -> Choice | None:
    held = frozenset(words(text))
    rated = [
        (len(one.words & held) / max(1, len(one.words)), one)
        for one in found
        if not _last(one, found)
    ]
    best = max(rated, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= 0.34 else None


def _last(one: Choice, found: Sequence[Choice]) -> bool:
    """Whether a code never stands first, or not beside one that a note has coded first."""
    if one.title.follows or _NEVER_FIRST.match(one.code):
        return True
    before = _CODE_FIRST.get(one.title.family)
    return before is not None and any(before.match(other.code) for other in found)
