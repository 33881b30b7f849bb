"""The order of the diagnoses, where a guideline sets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ..chart.model import Statement
from .draft import Draft

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# A code of the first kind stands behind those of the second: etiology before manifestation
# (I.A.13), the combination before the stage or type (I.C.4.a, I.C.9.a; tabular list, code first
# at N18 and I50), infection before severe sepsis (I.C.1.d.3), underdosing before its reason
# (tabular list at Z91.12 and Z91.14).
_BEHIND = (
    ("N18", ("E08.22", "E09.22", "E10.22", "E11.22", "E13.22", "I12", "I13")),
    ("I50", ("I09.81", "I11.0", "I13", "I97.13")),
    ("F02", ("G20", "G30", "G31")),
    ("D63.1", ("N18",)),
    ("R65.2", ("A40", "A41")),
    ("Z91.1", ("T38", "T46", "T50")),
)
# The categories whose codes may have to move.
PLACED = frozenset(later[:3] for later, _ in _BEHIND)


def chapter15_first(drafts: list[Draft]) -> list[Draft]:
    """Codes of chapter 15 go before all others (I.C.15.a.1)."""
    return sorted(drafts, key=lambda draft: draft.code[0] != "O")


def in_order(drafts: list[Draft], statements: Sequence[Statement]) -> list[Draft]:
    """The diagnoses in the order that guidelines ask for, otherwise as they stand: what must go
    before a line is drawn forward to it."""
    before: dict[int, list[int]] = {}
    for at, draft in enumerate(drafts):
        for later, earlier in _BEHIND:
            if draft.code.startswith(later):
                places = [i for i, d in enumerate(drafts) if d.code.startswith(earlier)]
                before.setdefault(at, []).extend(places)
    of_fact = {fact: at for at, draft in enumerate(drafts) for fact in draft.facts[:1]}
    for statement in statements:
        pair = _ordered(statement, drafts, of_fact)
        if pair is not None:
            before.setdefault(pair[1], []).append(pair[0])
    return _drawn_forward(drafts, before)


def _drawn_forward(drafts: list[Draft], before: Mapping[int, Sequence[int]]) -> list[Draft]:
    """The lines as they stand, but for those that must go before another: they are drawn
    forward to it."""
    ordered: list[int] = []
    begun: set[int] = set()

    def place(at: int) -> None:
        if at not in begun:
            begun.add(at)
            for earlier in before.get(at, ()):
                place(earlier)
            ordered.append(at)

    for at in range(len(drafts)):
        place(at)
    return [drafts[at] for at in ordered]


def as_noted(drafts: list[Draft], tables: Tables) -> list[Draft]:
    """The diagnoses in the order of the tabular notes "code first" and "use additional code"
    between them, otherwise as they stand (I.A.13, I.A.17).

    Of a drug these notes mean an adverse effect; of a poisoning and of underdosing the
    guideline sets the order (I.C.19.e.5).
    """
    ties = [tables.ordering(draft.code) for draft in drafts]
    present = 0
    for bit, _ in ties:
        present |= bit
    places = [at for at, (_, others) in enumerate(ties) if others & present]
    if not places:
        return drafts
    before: dict[int, list[int]] = {}
    for one, other in combinations(places, 2):
        if not ties[one][1] & ties[other][0]:
            continue
        first, second = drafts[one].code, drafts[other].code
        if _by_guideline(first) or _by_guideline(second):
            continue
        if tables.goes_before(second, first):
            before.setdefault(one, []).append(other)
        elif tables.goes_before(first, second):
            before.setdefault(other, []).append(one)
    return _drawn_forward(drafts, before) if before else drafts


def _by_guideline(code: str) -> bool:
    """Whether a code is a drug's, other than one for an adverse effect (fifth or sixth
    character 5)."""
    if not "T36" <= code[:3] <= "T50":
        return False
    return (code[5:6] if code[6:7] == "X" else code[6:7]) != "5"


def _ordered(
    statement: Statement, drafts: Sequence[Draft], of_fact: dict[str, int]
) -> tuple[int, int] | None:
    """The places of the earlier and the later line that a statement puts in order.

    What a screening finds stands behind it (I.C.21.c.5). What an injury has left goes before the
    injury (I.B.10). An organ failure stands behind the
    severe sepsis that brought it (I.C.1.d.3). Of a drug and its effect the effect goes first,
    unless it is a poisoning (I.C.19.e.5).
    """
    if statement.term not in ("found_by", "due_to"):
        return None
    one, other = (of_fact.get(fact) for fact in statement.about[:2])
    if one is None or other is None:
        return None
    if statement.term == "found_by":
        return other, one
    cause = drafts[other].code
    if cause[0] == "S" and cause[-1] == "S":
        return one, other
    if cause[0] == "T":
        return (other, one) if cause[6] in "1234" else (one, other)
    severe = next((i for i, d in enumerate(drafts) if d.code.startswith("R65.2")), other)
    return severe, one
