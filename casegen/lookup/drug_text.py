"""What is known of a drug, or of a pair, as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Facts = Mapping[str, Any]
_PER = {
    "day": " a day", "kg/day": "/kg a day", "week": " a week", "kg/week": "/kg a week",
    "month": " a month", "dose": " a dose", "kg/dose": "/kg a dose", "course": " a course",
}  # fmt: skip


def single_lines(facts: Facts, width: int | None) -> list[str]:
    """One drug. ``width`` None leaves lines whole."""
    return list(_wrapped(_single(facts), width))


def pair_lines(facts: Facts, width: int | None) -> list[str]:
    """What ties two drugs."""
    return list(_wrapped(_pair(facts), width))


def _single(facts: Facts) -> Iterator[str]:
    brands = f"  ({', '.join(facts['brands'])})" if facts["brands"] else ""
    yield f"{facts['drug']}{brands}"
    for name, title in (("also", "also called"), ("ingredients", "ingredients"),
                        ("classes", "classes"), ("routes", "routes"),
                        ("duplicate_therapy", "one is enough of")):  # fmt: skip
        if facts[name]:
            yield f"  {title}: {', '.join(facts[name])}"
    for form, strengths in facts["strengths"].items():
        yield f"  {form}: {', '.join(strengths)}"
    if facts["high_alert"]:
        yield f"  high-alert: {_by(facts['high_alert'])}"
    for trap in facts["unit_traps"]:
        meant = f"{trap['written']} where {trap['meant']} is meant"
        yield f"  unit trap: {meant}; {_by(trap['authority'])}"
    if facts["doses"]:
        yield from ("", "Doses")
    for dose in facts["doses"]:
        yield f"  {_dose(dose)}; {_by(dose['authority'])}"
    yield from _forbidden(facts)
    yield from ("", "Interactions with the other drugs")
    counts = facts["interactions"]
    yield "  " + ", ".join(f"{count} {severity}" for severity, count in counts.items())


def _forbidden(facts: Facts) -> Iterator[str]:
    if facts["contraindications"]:
        yield from ("", "Contraindications and cautions")
    for one in facts["contraindications"]:
        bounds = [", ".join(one["codes"]), one["measure"] or "", one["age"] and f"age {one['age']}",
                  "at the start" if one["start"] else ""]  # fmt: skip
        told = "; ".join(filter(None, bounds))
        yield f"  {one['name']}{f' ({told})' if told else ''}: {_graded(one)}"
    if facts["pediatric"]:
        yield from ("", "Children")
    for one in facts["pediatric"]:
        after = f", {one['after']}" if one["after"] else ""
        yield f"  age {one['age']}{after}: {_graded(one)}"
    if facts["pregnancy"]:
        yield from ("", "Pregnancy")
    for one in facts["pregnancy"]:
        weeks = f"weeks {one['weeks']}: " if one["weeks"] else ""
        yield f"  {weeks}{_graded(one)}"


def _graded(one: Facts) -> str:
    disputed = f" [authorities differ: {one['disputed']}]" if one["disputed"] else ""
    return f"{one['grade']}, {one['effect']}{disputed}; {_by(one['authority'])}"


def _dose(dose: Facts) -> str:
    who = [dose["indication"], dose["ingredient"] and f"as {dose['ingredient']}", dose["route"],
           dose["form"], dose["age"] and f"age {dose['age']}",
           dose["weight"] and f"weight {dose['weight']} kg", dose["renal"],
           dose["hepatic"] and f"Child-Pugh {' or '.join(dose['hepatic'])}",
           _criteria(dose["criteria"])]  # fmt: skip
    unit = f"{dose['unit']}{_PER[dose['basis']]}"
    much = []
    if dose["usual"]:
        low, high = dose["usual"]
        much.append(f"usually {low if low == high else f'{low} to {high}'} {unit}")
    if dose["maximum"]:
        much.append(f"no more than {dose['maximum']} {unit}")
    if dose["single"]:
        much.append(f"no more than {dose['single']} {dose['unit']} at a time")
    if dose["cap"]:
        much.append(f"no more than {dose['cap']} {dose['unit']} a day")
    if dose["times"]:
        fewest, most = dose["times"]
        span = dose["basis"].removeprefix("kg/")
        span = span if span in ("day", "week", "month") else "day"
        count = f"{fewest} to {most} times" if fewest != most else f"{most} times"
        much.append(f"{'once' if most == 1 else count} a {span}")
    told = ", ".join(filter(None, who))
    note = f" ({dose['note']})" if dose["note"] else ""
    differ = f" [authorities differ: {dose['disputed']}]" if dose["disputed"] else ""
    return f"{f'{told}: ' if told else ''}{', '.join(much)}{note}{differ}"


def _criteria(criteria: Facts | None) -> str:
    return "" if criteria is None else f"{criteria['need']} of: {', '.join(criteria['of'])}"


def _pair(facts: Facts) -> Iterator[str]:
    yield " + ".join(facts["drugs"])
    found = False
    for rule in facts["interactions"]:
        found = True
        yield from (
            "",
            f"{rule['severity'].upper()}  {rule['action']}  ({rule['a']} + {rule['b']})",
        )
        yield f"  {rule['effect']}"
        yield f"  {rule['management']}"
        if rule["when"]:
            yield f"  where this is there: {rule['when']}"
        yield f"  {_by(rule['authority'])}"
    if facts["same_ingredients"] or facts["duplicate_therapy"]:
        found = True
        both = ", ".join([*facts["same_ingredients"], *facts["duplicate_therapy"]])
        yield from ("", f"DUPLICATE THERAPY  {both}")
    for cross in facts["cross_reactions"]:
        found = True
        history = f" ({cross['reaction']})" if cross["reaction"] else ""
        given = f"{cross['drug']} given: {cross['grade']}"
        yield from ("", f"ALLERGY  to {cross['allergen']}{history}, {given}")
        yield f"  {cross['why']}; {_by(cross['authority'])}"
    if not found:
        yield from ("", "No rule here ties them. That does not say that they are safe together.")


def _by(authority: Iterable[Mapping[str, str]]) -> str:
    """Who says so; what the label of another drug says names that drug."""
    told = []
    for one in authority:
        place = f"section {one['section']}" if one["section"][:1].isdigit() else one["section"]
        label = f"label of {one['reference']}" if one["source"] == "label" else one["reference"]
        told.append(f"{label}, {place}")
    return "; ".join(told)


def _wrapped(lines: Iterable[str], width: int | None) -> Iterator[str]:
    for line in lines:
        if width is None or len(line) <= width:
            yield line
            continue
        margin = " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(line, width, initial_indent="", subsequent_indent=f"{margin}  ")
