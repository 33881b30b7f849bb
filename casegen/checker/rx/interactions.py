"""Pairs of drugs: forbidden, to be avoided, to be limited, or only to be watched."""

from __future__ import annotations

from casegen.schemas.rx_case import Problem
from casegen.seeds.rx.model import Interaction, PairLimit
from casegen.seeds.rx.naming import interaction_names
from casegen.seeds.rx.recommending import asks_for

from .amounts import over, shown
from .circumstances import Taken, amount, holds, prescribed, taken
from .lookup import between
from .model import Verdict, Watch, Work, cite, known

_STRICT = ("contraindicated", "avoid", "limit", "adjust", "separate", "monitor")
_DAYS = {"day": 1, "week": 7, "month": 30}


def find(work: Work) -> None:
    """Judge the prescribed drug beside each medication that is taken."""
    mine = prescribed(work)
    for one in work.patient.medications:
        if one.drug.id == work.drug.id:
            continue  # the rule on duplicates judges it
        if any(f.pair == [one.drug.id, work.drug.id] for f in work.findings):
            continue  # it is listed twice, and the pair is found
        other = taken(one)
        rules = _binding(work, mine, other)
        if not rules:
            continue
        if one.local or _local(work):
            why = "it is put where it acts, and the rule is on the whole body"
            _watch(work, other, rules, "other_route", why)
            continue
        _judge(work, mine, other, rules)


def _local(work: Work) -> bool:
    from .patient import LOCAL

    return work.route in LOCAL and not set(work.drug.routes) <= LOCAL


def _rank(work: Work, rule: Interaction) -> int:
    return sum(name in work.rx.classes for name in (rule.a, rule.b))


def _binding(work: Work, mine: Taken, other: Taken) -> list[Interaction]:
    """The rules on a pair whose circumstance is there, of those that name the drugs most
    closely; what is open is noted."""
    found: list[Interaction] = []
    for rule in between(work.rx, mine.drug.id, other.drug.id):
        if found and _rank(work, rule) > _rank(work, found[0]):
            break
        there = holds(work, rule.when, (mine, other))
        if there is None:
            work.leave(
                "interaction", f"{other.drug.id} and {mine.drug.id}",
                f"whether this is there is not known: {rule.when}",
            )  # fmt: skip
        elif there:
            found.append(rule)
    return sorted(found, key=lambda rule: _STRICT.index(rule.action))


def _judge(work: Work, mine: Taken, other: Taken, rules: list[Interaction]) -> None:
    disputed = {rule.disputed for rule in rules if rule.disputed}
    strict = rules[0]
    if disputed and any(rule.action == "monitor" for rule in rules):
        _watch(work, other, rules, "disputed", strict.effect)
        return
    if strict.action == "monitor" and strict.severity != "major":
        _watch(work, other, rules, "watch", f"{strict.effect}; {strict.management}")
        return
    if strict.action == "limit" and not _limits(work, mine, other, strict):
        return
    if strict.action == "monitor":
        work.also.append("reject")
    same = [rule for rule in rules if rule.action == strict.action]
    work.findings.append(
        Verdict(
            "interaction",
            _problem(work, strict),
            [other.drug.id, mine.drug.id],
            _names(work, other, same),
            strict.severity,
            asks_for("interaction", "interaction", strict.action),
            strict.effect,
            strict.management,
            f"{other.drug.id} and {mine.drug.id}: {strict.effect}; {strict.management}",
            cite(by for rule in same for by in rule.authority),
            strict.disputed,
            known([other.fact]),
        )
    )


def _problem(work: Work, rule: Interaction) -> Problem:
    if rule.action == "limit":
        return "interaction_dose"
    return "class_interaction" if _rank(work, rule) else "interaction"


def _names(work: Work, other: Taken, rules: list[Interaction]) -> list[str]:
    names: dict[str, None] = {}
    for rule in rules:
        names |= dict.fromkeys(interaction_names(work.rx, other.drug.id, work.drug.id, rule))
    return list(names)


def _watch(work: Work, other: Taken, rules: list[Interaction], kind: str, reason: str) -> None:
    work.watches.append(
        Watch(
            kind,  # type: ignore[arg-type]
            "interaction",
            [other.drug.id, work.drug.id],
            _names(work, other, rules),
            True,
            f"{other.drug.id} and {work.drug.id}: {reason}",
            cite(by for rule in rules for by in rule.authority),
            known([other.fact]),
            "reject"
            if kind == "disputed" and rules[0].action in ("contraindicated", "avoid")
            else "modify"
            if kind == "disputed"
            else "",
        )
    )


def _limits(work: Work, mine: Taken, other: Taken, rule: Interaction) -> bool:
    """Whether a limit of the rule is exceeded. On the prescribed drug the dose is wrong too."""
    exceeded = False
    for limit in rule.limits:
        one = (
            mine if _is(work, mine, limit.drug) else other if _is(work, other, limit.drug) else None
        )
        if one is None:
            continue
        got = amount(work, one, limit.drug, limit.unit)
        if got is None:
            work.leave(
                "interaction", f"{other.drug.id} and {mine.drug.id}",
                f"the dose of {limit.drug} is not told, {_words(limit)}",
            )  # fmt: skip
            continue
        days = limit.hours // 24 or _DAYS.get(limit.basis, 0)
        total = got.total(days) if days else got.single()
        if not over(total, limit.maximum):
            if limit.hours and one is mine:
                _seldom_is_right(work)
            continue
        exceeded = True
        if one is mine:
            told = f" in {limit.hours} hours" if limit.hours else ""
            reason = f"{shown(total)} {limit.unit}{told}; beside {other.drug.id} {_words(limit)}"
            work.dose_finding(
                "interaction_dose", rule.severity, rule.effect, _words(limit), reason,
                rule.authority, [other.fact],
            )  # fmt: skip
    if not exceeded and not any(
        o.about == f"{other.drug.id} and {mine.drug.id}" for o in work.open
    ):
        _watch(work, other, [rule], "within_limit", f"{rule.management}, and that is kept")
    return exceeded


def _seldom_is_right(work: Work) -> None:
    """Beside the partner the drug is to be given as seldom as the interval of its limit."""
    work.findings = [
        one
        for one in work.findings
        if one.component != "dose" or one.problem not in ("underdose", "frequency")
    ]


def _is(work: Work, one: Taken, name: str) -> bool:
    return name == one.drug.id or name in work.rx.ingredients(one.drug.id)


def _words(limit: PairLimit) -> str:
    span = {"day": "a day", "week": "a week", "month": "a month"}.get(limit.basis, "at a time")
    span = f"in {limit.hours} hours" if limit.hours else span
    return f"{limit.drug} no more than {shown(limit.maximum)} {limit.unit} {span}"
