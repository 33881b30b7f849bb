"""What the rules on conditions, labs, age and pregnancy share: how a rule stands for a patient,
and what becomes of rules that stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from casegen.schemas.rx_case import Problem
from casegen.seeds.rx.model import Authority, Grade
from casegen.seeds.rx.naming import apart, keys_of
from casegen.seeds.rx.recommending import asks_for

from .model import Verdict, Watch, Work, cite, known

FORBIDS = ("contraindicated", "boxed", "avoid")
# ``denied``: a rule speaks of this patient, and its measure says that the drug may be given.
State = Literal["holds", "no", "denied", "unknown"]


@dataclass(slots=True)
class Rule:
    """A rule on a drug as it stands for the patient. ``other`` is the first of the pair,
    ``lacking`` what would have to be known."""

    state: State
    problem: Problem
    grade: Grade
    other: str
    names: list[str]
    title: str
    effect: str
    disputed: str
    authority: tuple[Authority, ...]
    evidence: list[str] = field(default_factory=list)
    lacking: str = ""


def judge(work: Work, rules: list[Rule]) -> None:
    """Judge rules, those that one dispute ties together at once."""
    groups: dict[str, list[Rule]] = {}
    for i, one in enumerate(rules):
        groups.setdefault(one.disputed or f"#{i}", []).append(one)
    for group in groups.values():
        _judge(work, group)


def _judge(work: Work, group: list[Rule]) -> None:
    there = [one for one in group if one.state == "holds"]
    against = [one for one in there if one.grade in FORBIDS]
    milder = [one for one in there if one.grade not in FORBIDS]
    for one in group:
        if one.state == "unknown" and one.grade in FORBIDS and not against:
            work.leave("contraindication", f"{work.drug.id}: {one.title}", one.lacking, False)
    if not against:
        for one in milder:
            if one.grade == "caution":
                _watch(work, "watch", [one])
        return
    denied = [one for one in group if one.state == "denied"]
    if against[0].disputed and (milder or denied):
        _watch(work, "disputed", [*against, *milder, *denied])
        return
    for one in against if not against[0].disputed else [_joined(against)]:
        _find(work, one)


def _joined(rules: list[Rule]) -> Rule:
    """Rules of several authorities that agree on this patient, as one: the strictest."""
    first = min(rules, key=lambda one: FORBIDS.index(one.grade))
    first.authority = tuple(by for one in rules for by in one.authority)
    first.names = list(dict.fromkeys(name for one in rules for name in one.names))
    return first


def _find(work: Work, one: Rule) -> None:
    made = Verdict(
        "contraindication", one.problem, [one.other, work.drug.id], one.names,
        "contraindicated" if one.grade == "contraindicated" else "major",
        asks_for("contraindication", one.problem), one.effect, "choose another drug",
        f"{one.title}: {one.effect}", cite(one.authority), one.disputed, known(one.evidence),
    )  # fmt: skip
    for other in work.findings:
        if other.component == "contraindication" and _meet(other.names, made.names):
            _merge(other, made)
            return
    work.findings.append(made)


def _merge(one: Verdict, other: Verdict) -> None:
    """Two rules on the same thing (a stage of kidney disease and its eGFR) are one finding."""
    if one.severity != "contraindicated":
        one.severity = other.severity
    one.names = list(dict.fromkeys([*one.names, *other.names]))
    one.authority += [by for by in other.authority if by not in one.authority]
    one.evidence = known([*one.evidence, *other.evidence])


def _meet(names: list[str], others: list[str]) -> bool:
    keys = {key for name in names for key in keys_of(name)}
    return any(keys & keys_of(name) for name in others)


def settle(work: Work) -> None:
    """Drop what is only to be watched where a finding says more of the same, and names that
    would stand for two interactions."""
    pairs = [found for found in work.findings if found.component == "interaction"]
    if len(pairs) > 1:
        for found, names in zip(pairs, apart([one.names for one in pairs]), strict=True):
            found.names = names
    kept = []
    for watch in work.watches:
        stronger = any(
            found.component == watch.component and _meet(found.names, watch.names)
            for found in work.findings
        )
        if not stronger:
            kept.append(watch)
    work.watches = kept


def _watch(work: Work, kind: Literal["watch", "disputed"], rules: list[Rule]) -> None:
    first = rules[0]
    work.watches.append(
        Watch(
            kind, "contraindication", [first.other, work.drug.id],
            list(dict.fromkeys(name for one in rules for name in one.names)), True,
            f"{first.title}: {first.effect}", cite(by for one in rules for by in one.authority),
            known(fact for one in rules for fact in one.evidence),
            "reject" if kind == "disputed" else "",
        )
    )  # fmt: skip
