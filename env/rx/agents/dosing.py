"""Whether a dose is right, as a simple reader of the drug knowledge sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from casegen.schemas.rx_play import RxObservation
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import Authority, DoseLimit, Drug, Measure

from .amounts import Amount, amount_in, times_in, weekly
from .entries import Having, Taken, measures, weight

_WORD = re.compile(r"[a-z]{4,}")
_MONTHS = 12
_WEEK = 7


@dataclass(frozen=True, slots=True)
class Patient:
    """What is known of the patient, in the units of the knowledge."""

    months: int
    weight: Decimal | None
    measured: dict[str, Decimal]
    conditions: Sequence[Having]
    taken: Sequence[Taken] = field(default=())

    def holds(self, measure: Measure) -> bool | None:
        """Whether a measured value lies within; None where it is not known."""
        known = {"age": Decimal(self.months), "weight": self.weight}
        value = known.get(measure.name, self.measured.get(measure.name))
        return None if value is None else measure.range.holds(value)


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a dose, in words, on whose authority, and whether the drug is unknown."""

    why: str
    authority: tuple[Authority, ...]
    unknown: bool = False


def patient_of(seen: RxObservation, having: Sequence[Having], taken: Sequence[Taken]) -> Patient:
    """The patient by what was read."""
    lines = [*(seen.medical_conditions or ()), *(seen.known_allergies or ())]
    months = seen.patient_age_months
    return Patient(
        seen.patient_age * _MONTHS if months is None else months,
        weight(lines),
        {name: value for name, (value, _) in measures(lines).items()},
        having,
        taken,
    )


def dose_wrong(seen: RxObservation, who: Patient) -> Wrong | None:
    """The first thing that is wrong with the dose as written, None where nothing is."""
    rx = load()
    drug = rx.named(seen.drug_name)
    if drug is None:
        return Wrong(f"{seen.drug_name} is no drug that is known", (), unknown=True)
    written = f"{seen.drug_name} {seen.drug_dose} {seen.drug_frequency}"
    for notation in rx.notations:
        found = re.search(notation.pattern, written)
        if found is not None:
            why = f'"{found[0].strip()}" is {notation.misread}; write {notation.instead}'
            return Wrong(why, notation.authority)
    amount = amount_in(seen.drug_dose)
    times = times_in(seen.drug_frequency) or times_in(seen.drug_dose)
    if amount is None:
        return None
    if amount.by_day:
        times = Decimal(1)
    parts = drug.ingredients or (drug.id,)
    for at, part in enumerate(parts):
        wrong = _too_much(seen, who, drug, part, at, amount, times)
        if wrong is not None:
            return wrong
    return None


def _too_much(
    seen: RxObservation,
    who: Patient,
    drug: Drug,
    part: str,
    at: int,
    amount: Amount,
    times: Decimal | None,
) -> Wrong | None:
    groups = _fitting(seen, who, drug, part)
    if not groups:
        return None
    limits = [one for group in groups for one in group]
    if not weekly(seen.drug_frequency) and all(one.basis == "week" for one in limits):
        return Wrong("it is taken once a week, and is written more often", limits[0].authority)
    if all(amount.in_unit(one.unit) is None for one in limits):
        return Wrong(f"it is dosed in {limits[0].unit}, not in {amount.unit}", limits[0].authority)
    # What is too much for one purpose may be right for another for which the drug is given.
    found = [_first(group, who, drug, part, at, amount, times) for group in groups]
    wrong = [one for one in found if one is not None]
    if len(wrong) == len(groups):
        return wrong[0]
    lows = [one for one in limits if one.usual is not None]
    if lows and times is not None and all(_below(one, who, at, amount, times) for one in lows):
        return Wrong(f"{_told(amount, at)} is less than is usual", lows[0].authority)
    return None


def _first(
    limits: Sequence[DoseLimit],
    who: Patient,
    drug: Drug,
    part: str,
    at: int,
    amount: Amount,
    times: Decimal | None,
) -> Wrong | None:
    """What the first of these limits has against a dose, None where none has."""
    against = (_against(one, who, drug, part, at, amount, times) for one in limits)
    return next((one for one in against if one is not None), None)


def _against(
    limit: DoseLimit,
    who: Patient,
    drug: Drug,
    part: str,
    at: int,
    amount: Amount,
    times: Decimal | None,
) -> Wrong | None:
    once = _once(limit, who, at, amount)
    if once is None:
        return None
    told = _told(amount, at)
    if limit.single is not None and once > limit.single:
        return Wrong(f"{told} is above {limit.single} {limit.unit} at a time", limit.authority)
    if limit.basis.endswith("dose"):
        most = _scaled(limit, limit.maximum, who)
        high = most is not None and once > most
        return Wrong(f"{told} is above {most} {limit.unit}", limit.authority) if high else None
    if times is None:
        return None
    span = _WEEK if limit.basis.endswith("week") else 1
    whole = once * times * span + _beside(limit, who, drug, part) * span
    most = _scaled(limit, limit.maximum, who)
    if limit.cap is not None and most is not None:
        most = min(most, limit.cap)
    if most is not None and whole > most:
        return Wrong(f"{whole:f} {limit.unit} is above {most:f} {limit.unit}", limit.authority)
    if limit.times is not None and times * span > limit.times[1]:
        return Wrong(f"it is to be taken {limit.times[1]} times at most", limit.authority)
    if limit.times is not None and times * span < limit.times[0]:
        return Wrong(f"it is to be taken {limit.times[0]} times at least", limit.authority)
    return None


def _once(limit: DoseLimit, who: Patient, at: int, amount: Amount) -> Decimal | None:
    """One administration in the unit of a limit."""
    values = amount.in_unit(limit.unit)
    if values is None or at >= len(values):
        return None
    if not amount.by_kg:
        return values[at]
    return None if who.weight is None else values[at] * who.weight


def _scaled(limit: DoseLimit, most: Decimal | None, who: Patient) -> Decimal | None:
    """A bound for this patient: those by weight are multiplied by it."""
    if most is None or not limit.basis.startswith("kg"):
        return most
    return None if who.weight is None else most * who.weight


def _below(limit: DoseLimit, who: Patient, at: int, amount: Amount, times: Decimal) -> bool:
    once = _once(limit, who, at, amount)
    least = None if limit.usual is None else _scaled(limit, limit.usual[0], who)
    if once is None or least is None:
        return False
    span = _WEEK if limit.basis.endswith("week") else 1
    return once * (1 if limit.basis.endswith("dose") else times * span) < least


def _beside(limit: DoseLimit, who: Patient, drug: Drug, part: str) -> Decimal:
    """How much of the same ingredient the other medications bring a day."""
    rx, whole = load(), Decimal(0)
    for one in who.taken:
        parts = rx.ingredients(one.drug)
        if one.over or one.local or one.amount is None or one.times is None or part not in parts:
            continue
        values = one.amount.in_unit(limit.unit)
        if values is not None and one.drug != drug.id and parts.index(part) < len(values):
            whole += values[parts.index(part)] * one.times
    return whole


def _fitting(seen: RxObservation, who: Patient, drug: Drug, part: str) -> list[list[DoseLimit]]:
    """The limits that hold for this patient, a group for each purpose that may be meant."""
    ingredient = part if drug.ingredients else ""
    own = [one for one in drug.doses if one.ingredient in ("", ingredient)]
    if not own and part != drug.id and part in load().drugs:
        own = [one for one in load().drugs[part].doses if not one.form and not one.route]
    found = [one for one in own if _fits(one, seen, who)]
    told = _nearest(found, seen)
    general = [one for one in found if not one.indication]
    if not told and general:
        return [general]
    bounded = [one for one in general if one.renal or one.criteria]
    purposes: dict[str, list[DoseLimit]] = {}
    for one in told or found:
        purposes.setdefault(one.indication, []).append(one)
    return [[*group, *bounded] for group in purposes.values()]


def _fits(limit: DoseLimit, seen: RxObservation, who: Patient) -> bool:
    for wanted, said in ((limit.route, seen.drug_route), (limit.form, seen.drug_form)):
        if wanted and said and wanted != said.lower():
            return False
    if limit.age is not None and not limit.age.holds(who.months):
        return False
    if limit.weight is not None and (who.weight is None or not limit.weight.holds(who.weight)):
        return False
    if limit.hepatic:
        return False
    if limit.renal is not None and not who.holds(limit.renal):
        return False
    criteria = limit.criteria
    return criteria is None or sum(map(bool, map(who.holds, criteria.of))) >= criteria.need


def _nearest(limits: Sequence[DoseLimit], seen: RxObservation) -> list[DoseLimit]:
    """The limits for what the drug is prescribed for: those whose purpose shares most with it."""
    rated = [(_shared(one, seen), one) for one in limits if one.indication]
    most = max((shared for shared, _ in rated), default=0)
    return [one for shared, one in rated if shared == most] if most else []


def _shared(limit: DoseLimit, seen: RxObservation) -> int:
    """How much the purpose of a limit has in common with what the drug is prescribed for."""
    words = set(_WORD.findall(limit.indication.lower()))
    shared = len(words & set(_WORD.findall(seen.indication.lower())))
    known = load().condition(seen.indication)
    codes = () if known is None else known.codes
    same = any(own.startswith(c) or c.startswith(own) for own in limit.codes for c in codes)
    return shared + 2 * same


def _told(amount: Amount, at: int) -> str:
    kg = "/kg" if amount.by_kg else ""
    return f"{amount.values[at]:f} {amount.unit}{kg}"
