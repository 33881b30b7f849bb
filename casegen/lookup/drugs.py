"""What the drug knowledge says of a drug, or of a pair, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from casegen.schemas import InputError
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.labels import cited
from casegen.seeds.rx.model import (
    Authority,
    CrossReaction,
    DoseLimit,
    Drug,
    Interaction,
    Measure,
    Range,
)

_MONTHS = 12
_SEVERITIES = ("contraindicated", "major", "moderate")


def find(name: str, field: str, rx: Rx) -> Drug:
    """The drug of a generic name, brand or synonym. Raises InputError: nothing is guessed."""
    drug = rx.named(name)
    if drug is None:
        told = f"no generic name, brand or synonym of the {len(rx.drugs)} drugs that are known"
        raise InputError(field, name, told)
    return drug


def describe(drug: Drug, rx: Rx) -> dict[str, Any]:
    """All that is known of one drug; its interactions are counted by severity."""
    pairs = {other: rx.between(drug.id, other) for other in rx.drugs if other != drug.id}
    strictest = [min(map(_strictness, found)) for found in pairs.values() if found]
    return {
        "drug": drug.id,
        "brands": list(drug.brands),
        "also": sorted(name for name, one in rx.synonyms.items() if one == drug.id),
        "ingredients": list(drug.ingredients),
        "classes": [rx.classes[one].title for one in drug.classes],
        "routes": list(drug.routes),
        "strengths": _strengths(drug),
        "duplicate_therapy": [rx.classes[one].title for one in drug.duplicate],
        "doses": [_dose(one) for one in drug.doses],
        "contraindications": [
            {
                "name": one.name, "grade": one.grade, "codes": list(one.codes),
                "measure": _measure(one.measure), "age": _age(one.age), "without": one.without,
                "start": one.start, "effect": one.effect, "disputed": one.disputed,
                "authority": authorities(one.authority),
            }
            for one in drug.contraindications
        ],
        "pregnancy": [
            {
                "weeks": _range(one.weeks), "grade": one.grade, "effect": one.effect,
                "disputed": one.disputed, "authority": authorities(one.authority),
            }
            for one in drug.pregnancy
        ],
        "pediatric": [
            {
                "age": _age(one.age), "after": one.after, "grade": one.grade,
                "effect": one.effect, "disputed": one.disputed,
                "authority": authorities(one.authority),
            }
            for one in drug.pediatric
        ],
        "unit_traps": [
            {
                "written": one.written, "meant": one.meant,
                "authority": authorities(one.authority),
            }
            for one in drug.traps
        ],
        "high_alert": authorities(drug.high_alert),
        "interactions": {
            severity: strictest.count(place) for place, severity in enumerate(_SEVERITIES)
        },
    }  # fmt: skip


def describe_pair(one: Drug, other: Drug, rx: Rx) -> dict[str, Any]:
    """What is known of two drugs together: interactions, duplicates, cross-reactions."""
    parts = set(rx.ingredients(one.id)) & set(rx.ingredients(other.id))
    classes = set(one.duplicate) & set(other.duplicate)
    same = one.id == other.id
    return {
        "drugs": [one.id, other.id],
        "interactions": [] if same else [
            _pair(cited(rx, rule, one.id, other.id)) for rule in rx.between(one.id, other.id)
        ],
        "duplicate_therapy": [rx.classes[name].title for name in sorted(classes)],
        "same_ingredients": sorted(parts),
        "cross_reactions": [] if same else [
            *map(_cross, rx.crossing(one.id, other.id)),
            *map(_cross, rx.crossing(other.id, one.id)),
        ],
    }  # fmt: skip


def authorities(found: Iterable[Authority]) -> list[dict[str, str]]:
    """Authorities as JSON values."""
    return [
        {"source": one.source, "reference": one.reference, "section": one.section} for one in found
    ]


def number(value: Decimal | None) -> str | None:
    """An exact number as text, None where there is none."""
    return None if value is None else f"{value:f}"


def _strictness(rule: Interaction) -> int:
    return _SEVERITIES.index(rule.severity)


def _strengths(drug: Drug) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in drug.strengths:
        per = ""
        if one.per is not None:
            per = "/mL" if one.per == 1 else f"/{number(one.per)} mL"
        amounts = "/".join(f"{amount:f}" for amount in one.amounts)
        found.setdefault(one.form, []).append(f"{amounts} {one.unit}{per}")
    return found


def _dose(one: DoseLimit) -> dict[str, Any]:
    criteria = None
    if one.criteria is not None:
        criteria = {"need": one.criteria.need, "of": [_measure(m) for m in one.criteria.of]}
    return {
        "ingredient": one.ingredient, "indication": one.indication, "codes": list(one.codes),
        "route": one.route, "form": one.form, "age": _age(one.age), "weight": _range(one.weight),
        "renal": _measure(one.renal), "hepatic": list(one.hepatic), "criteria": criteria,
        "usual": None if one.usual is None else [number(end) for end in one.usual],
        "maximum": number(one.maximum), "single": number(one.single), "cap": number(one.cap),
        "unit": one.unit, "basis": one.basis,
        "times": None if one.times is None else list(one.times), "note": one.note,
        "disputed": one.disputed, "authority": authorities(one.authority),
    }  # fmt: skip


def _pair(rule: Interaction) -> dict[str, Any]:
    return {
        "a": rule.a, "b": rule.b, "severity": rule.severity, "action": rule.action,
        "limits": [
            {"drug": limit.drug, "maximum": number(limit.maximum), "unit": limit.unit,
             "basis": f"{limit.hours} hours" if limit.hours else limit.basis}
            for limit in rule.limits
        ],
        "effect": rule.effect, "management": rule.management, "when": rule.when,
        "disputed": rule.disputed, "authority": authorities(rule.authority),
    }  # fmt: skip


def _cross(rule: CrossReaction) -> dict[str, Any]:
    return {
        "allergen": rule.allergen, "drug": rule.drug, "relation": rule.relation,
        "reaction": rule.reaction, "grade": rule.grade, "why": rule.why,
        "disputed": rule.disputed, "authority": authorities(rule.authority),
    }  # fmt: skip


def _range(bounds: Range | None) -> str | None:
    """``>=15 <30``; None where there are no bounds."""
    if bounds is None:
        return None
    low = "" if bounds.low is None else f"{'>=' if bounds.low_in else '>'}{bounds.low:f}"
    high = "" if bounds.high is None else f"{'<=' if bounds.high_in else '<'}{bounds.high:f}"
    return " ".join(filter(None, (low, high)))


def _age(bounds: Range | None) -> str | None:
    """Bounds of an age in months, told in years where they are whole."""
    if bounds is None:
        return None
    told = []
    for sign, months in ((">=", bounds.low), ("<", bounds.high)):
        if months is not None:
            whole = months % _MONTHS == 0 and months > 0
            count, unit = (months / _MONTHS, "years") if whole else (months, "months")
            told.append(f"{sign}{count:f} {unit}")
    return " ".join(told)


def _measure(one: Measure | None) -> str | None:
    if one is None:
        return None
    if one.name == "age":
        return f"age {_age(one.range)}"
    return f"{one.name} {_range(one.range)} {one.unit}"
