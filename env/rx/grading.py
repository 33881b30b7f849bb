"""How an answer is graded. Pure functions of the case and the answer.

``judge`` holds an answer against the findings; ``components`` are the documented grades by part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from casegen.schemas.rx_case import Component, RxCase
from casegen.schemas.rx_play import RxAction

from .case import FIELDS, LOOKED_FOR, UNSAFE_DOSE, dangerous
from .pairs import Pair, fold, keys_of, keys_of_all

if TYPE_CHECKING:
    from .ledger import Ledger

ADJACENT = 0.6  # of the credit: modify for reject, and the other way round
FALSE_POSITIVE = 0.1
WEIGHTS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "dosage_check": {"dosage": 0.50, "recommendation": 0.50},
        "interaction_check": {
            "dosage": 0.20, "interactions": 0.30, "allergies": 0.25, "recommendation": 0.25,
        },
        "full_validation": {
            "dosage": 0.15, "interactions": 0.20, "allergies": 0.15, "contraindications": 0.15,
            "recommendation": 0.20, "investigation": 0.15,
        },
    }
)  # fmt: skip
_PARTS: Mapping[str, Component] = MappingProxyType(
    {
        "interactions": "interaction",
        "allergies": "allergy",
        "contraindications": "contraindication",
    }
)


@dataclass(frozen=True, slots=True)
class Named:
    """What an answer names of one component. ``found`` holds the places of the findings that it
    names, of the ``wanted`` ones, ``false`` what is none, each pair once. ``missing``: the answer
    says nothing of it, not even that there is nothing."""

    wanted: tuple[int, ...]
    found: tuple[int, ...]
    false: tuple[str, ...]
    missing: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer held against the case: ``dose`` as it was said, what is named by component, and
    the credit of the recommendation from 0 to 1."""

    dose: bool | None
    named: Mapping[Component, Named]
    recommendation: float


def judge(case: RxCase, answer: RxAction) -> Judged:
    """Hold an answer against the case."""
    named = {part: _named(case, part, getattr(answer, field)) for part, field in FIELDS.items()}
    return Judged(answer.dosage_safe, named, credit(case, answer.recommendation))


def credit(case: RxCase, recommendation: str | None) -> float:
    """The credit of a recommendation: 1 for the right one and for those that are as right, 0.6
    where modify and reject are taken for each other, else 0."""
    if recommendation is None:
        return 0.0
    if recommendation in (case.recommendation, *case.also_accepted):
        return 1.0
    both = {case.recommendation, recommendation}
    return ADJACENT if both == {"modify", "reject"} else 0.0


def _named(case: RxCase, component: Component, names: Sequence[str] | None) -> Named:
    """Which findings the names mean: each name one, as many as can be. A name that means a
    tolerated decoy, or a finding once more, is no false one."""
    wanted = [at for at, one in enumerate(case.findings) if one.component == component]
    keys = {at: keys_of_all(case.findings[at].names) for at in wanted}
    tolerated = keys_of_all(
        name
        for one in case.decoys
        if one.tolerated and one.component == component
        for name in one.names
    )
    right: list[frozenset[Pair]] = []
    false: dict[object, str] = {}
    for name in dict.fromkeys(names or ()):
        mine = keys_of(name)
        if any(mine & pairs for pairs in keys.values()):
            right.append(mine)
        elif not mine & tolerated:
            false.setdefault(mine or fold(name), name)
    found = _matched(right, keys)
    return Named(tuple(wanted), tuple(found), tuple(false.values()), names is None)


def _matched(names: Sequence[frozenset[Pair]], keys: Mapping[int, frozenset[Pair]]) -> list[int]:
    """The findings that names mean, one for each name, as many as can be (augmenting paths)."""
    holder: dict[int, int] = {}

    def place(name: int, tried: set[int]) -> bool:
        for at, pairs in keys.items():
            if at in tried or not names[name] & pairs:
                continue
            tried.add(at)
            if at not in holder or place(holder[at], tried):
                holder[at] = name
                return True
        return False

    for name in range(len(names)):
        place(name, set())
    return sorted(holder)


def components(ledger: Ledger) -> dict[str, float]:
    """The documented grade of each part that the task looks for, from 0 to 1; without an answer
    nothing but the investigation has one."""
    return {part: _part(ledger, ledger.judged, part) for part in WEIGHTS[ledger.case.task]}


def _part(ledger: Ledger, judged: Judged | None, part: str) -> float:
    if part == "investigation":
        return ledger.share_read
    if judged is None:
        return 0.0
    if part == "dosage":
        return 1.0 if judged.dose is ledger.case.dosage_safe else 0.0
    if part == "recommendation":
        return judged.recommendation
    named = judged.named[_PARTS[part]]
    if named.missing:
        return 0.0
    recall = len(named.found) / len(named.wanted) if named.wanted else 1.0
    return max(0.0, round(recall - FALSE_POSITIVE * len(named.false), 9))


@dataclass(frozen=True, slots=True)
class Items:
    """An answer as flags: of ``wanted`` items ``found`` are named, among ``flags`` in all. An
    unsafe dose is one item, each other finding one; a missing field that has nothing to find is a
    wrong flag."""

    wanted: int
    found: int
    flags: int


def items(case: RxCase, judged: Judged | None) -> Items:
    """Count an answer as flags; None where nothing was submitted."""
    wanted = len([one for one in case.findings if one.component != "dose"])
    wanted += not case.dosage_safe
    if judged is None:
        return Items(wanted, 0, 0)
    found = flags = 0
    if judged.dose is False:
        flags, found = 1, int(not case.dosage_safe)
    elif judged.dose is None and case.dosage_safe:
        flags = 1
    for component, named in judged.named.items():
        found += len(named.found)
        flags += len(named.found) + len(named.false)
        asked = component in LOOKED_FOR[case.task]
        flags += asked and named.missing and not named.wanted
    return Items(wanted, found, flags)


def outcome(case: RxCase, judged: Judged | None) -> tuple[list[str], list[str]]:
    """The findings that an answer names, and those that it misses, each by its usual name."""
    found: list[str] = []
    missed: list[str] = []
    if not case.dosage_safe:
        right = judged is not None and judged.dose is False
        (found if right else missed).append(UNSAFE_DOSE)
    named = set() if judged is None else {at for one in judged.named.values() for at in one.found}
    for at, one in enumerate(case.findings):
        if one.component != "dose":
            (found if at in named else missed).append(one.names[0])
    return found, missed


def approved_dangerous(case: RxCase, answer: RxAction | None) -> bool:
    """Whether a prescription that is not right was approved, against all authorities."""
    approved = answer is not None and answer.recommendation == "approve"
    return approved and dangerous(case) and "approve" not in case.also_accepted
