"""Which dose limits bind a patient, as amounts of the day, week, month or single dose.

How the limits of a drug are chosen stands in ``DoseLimit``. Limits that name one indication are
one reading of the prescription, and authorities that differ make a reading each; a dose is wrong
only where every reading has it so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.model import Authority, DoseLimit
from casegen.seeds.rx.naming import words

from .model import Work

_DAYS = {"day": 1, "kg/day": 1, "week": 7, "kg/week": 7, "month": 30, "dose": 0, "kg/dose": 0}


@dataclass(frozen=True, slots=True)
class Bound:
    """Limits that bind together. ``days`` is 1, 7, 30 or 0 (each dose); amounts are in ``unit``;
    None where no authority gives one."""

    index: int
    ingredient: str
    days: int
    usual: tuple[Decimal, Decimal] | None
    maximum: Decimal | None
    single: Decimal | None
    start: Decimal | None
    unit: str
    times: tuple[int, int] | None
    seldom: bool  # whether too few administrations are a fault
    indication: str
    disputed: str
    authority: tuple[Authority, ...]
    usual_by: tuple[Authority, ...]
    single_by: tuple[Authority, ...]
    evidence: tuple[str, ...]
    weighed: bool = False  # whether the maximum is by body weight


@dataclass(frozen=True, slots=True)
class Reading:
    """The bounds in one reading, and limits that would bind if something were known."""

    bounds: tuple[Bound, ...]
    unsure: tuple[tuple[DoseLimit, str], ...]
    form: str
    # Who speaks, where authorities differ.
    voice: str = ""


def readings(work: Work) -> tuple[list[Reading], str]:
    """The readings of a prescription; where there is none, why."""
    if not work.drug.doses:
        return [], "no dose limits of this drug are known"
    made: list[Reading] = []
    why = ""
    for route in _routes(work):
        found, lacking = _by_route(work, route)
        made += found
        why = why or lacking
    return made, "" if made else why


def _routes(work: Work) -> list[str]:
    """The route as it is told, else each that a limit is bound to; "" for those of none."""
    if work.route:
        return [work.route]
    bound = {one.route: None for one in work.drug.doses if one.route}
    whole = set(bound) >= set(work.drug.routes)
    return [*bound] if bound and whole else [*bound, ""]


def _by_route(work: Work, route: str) -> tuple[list[Reading], str]:
    placed = [one for one in work.drug.doses if _placed(one, work, route)]
    fit: list[DoseLimit] = []
    unsure: list[tuple[DoseLimit, str]] = []
    for one in placed:
        holds, lacking = _holds(one, work)
        if holds:
            fit.append(one)
        elif holds is None:
            unsure.append((one, lacking))
    groups, why = _indicated(work, fit)
    if not groups:
        return [], why or _nobody(unsure)
    made = [one for group in groups for one in _made(work, group, fit, unsure)]
    return made, "" if made else _nobody(unsure)


def _nobody(unsure: Sequence[tuple[DoseLimit, str]]) -> str:
    lacking = next((lacking for _, lacking in unsure), "")
    return lacking or "no dose is known for this route, form, age and weight"


def _placed(one: DoseLimit, work: Work, route: str) -> bool:
    return (not one.route or one.route == route) and (
        not one.form or not work.form or one.form == work.form
    )


def _holds(one: DoseLimit, work: Work) -> tuple[bool | None, str]:
    """Whether the bounds of a limit hold for the patient; None and what lacks where that is not
    known. Kidneys that nobody measured count as normal."""
    patient = work.patient
    aged = patient.aged(one.age)
    if aged is False:
        return False, ""
    lacking = "no age is told" if aged is None else ""
    if one.weight is not None:
        if patient.weight is None:
            lacking = "no weight is told"
        elif not one.weight.holds(patient.weight):
            return False, ""
    if one.basis.startswith("kg") and patient.weight is None:
        lacking = "no weight is told"
    if one.hepatic:
        if not patient.liver:
            if not any(c.code.startswith(("K70.3", "K72.1", "K74")) for c in patient.conditions):
                return False, ""
            lacking = "no Child-Pugh class is told"
        elif patient.liver not in one.hepatic:
            return False, ""
    if one.criteria is not None:
        met = patient.meets(one.criteria)
        if met is False:
            return False, ""
        if met is None:
            lacking = "not all of " + ", ".join(m.name for m in one.criteria.of) + " are told"
    if one.renal is not None:
        within = patient.holds(one.renal)
        if within is False:
            return False, ""
        if within is None and one.renal.range.high is not None:
            lacking = f"no {one.renal.name} is told"
    return (None, lacking) if lacking else (True, "")


def matches(told: str, one: DoseLimit, rx: Rx) -> int:
    """How well the words of an indication, or an ICD-10-CM code, name that of a limit: 2 by name
    or code, 1 where one holds the words of the other ("osteoporosis"), 0 not at all."""
    if words(told) == words(one.indication):
        return 2
    condition = rx.condition(told)
    codes = condition.codes if condition is not None else (told.upper(),)
    if any(c.startswith(own) for c in codes for own in one.codes):
        return 2
    mine, theirs = f" {words(told)} ", f" {words(one.indication)} "
    return 1 if one.indication and (mine in theirs or theirs in mine) else 0


def _named(told: str, limits: Iterable[DoseLimit], rx: Rx) -> list[DoseLimit]:
    """The limits that an indication names best."""
    found = [(matches(told, one, rx), one) for one in limits]
    best = max((how for how, _ in found), default=0)
    return [one for how, one in found if how and how == best]


def _indicated(work: Work, fit: list[DoseLimit]) -> tuple[list[list[DoseLimit]], str]:
    """The limits by indication: each list is one reading of what the drug is for."""
    general = [one for one in fit if not one.indication and not _impaired(one)]
    general = general or [one for one in fit if not one.indication]
    bound = [one for one in fit if one.indication]
    told = work.written.indication
    if not told:
        codes = [one.code for one in work.patient.conditions]
        own = [one for one in bound if any(code.startswith(one.codes) for code in codes)]
        return _by_indication(own or bound) + ([general] if general else []), ""
    named = [one for one in _named(told, work.drug.doses, work.rx) if one.indication]
    own = [one for one in bound if one in named]
    if own:
        return _by_indication(own), ""
    if general:
        return [general], ""
    if named:
        return [], "no dose is known for this indication at this age and weight"
    if not any(not one.codes for one in bound):
        return [], f"no dose is known for {told}"
    return _by_indication(bound), ""


def _impaired(one: DoseLimit) -> bool:
    """Whether a limit is for impaired kidneys or liver: it binds beside that of an indication."""
    return bool(one.hepatic) or (one.renal is not None and one.renal.range.high is not None)


def _by_indication(limits: Iterable[DoseLimit]) -> list[list[DoseLimit]]:
    groups: dict[str, list[DoseLimit]] = {}
    for one in limits:
        groups.setdefault(one.indication, []).append(one)
    # What gives no usual range only bounds the others, where there are others.
    whole = [group for group in groups.values() if any(one.usual is not None for one in group)]
    return whole or list(groups.values())


def _made(
    work: Work,
    group: list[DoseLimit],
    fit: list[DoseLimit],
    unsure: list[tuple[DoseLimit, str]],
) -> list[Reading]:
    """The readings of one indication: by form, by authority where they differ, and by the span
    of time that a limit speaks of (a drug may be taken daily or weekly)."""
    indication = group[0].indication
    told = work.written.indication
    beside = [
        one
        for one in fit
        if one not in group
        and (
            _impaired(one) or (bool(one.disputed) and one.usual is None)
            if not one.indication
            else one.usual is None and bool(told) and bool(matches(told, one, work.rx))
        )
    ]
    doubtful = tuple(
        (one, lacking)
        for one, lacking in unsure
        if not one.indication or one.indication == indication
    )
    keys: dict[tuple[str, str, int], None] = {}
    for one in (*group, *(one for one in beside if one.disputed)):
        voice = one.authority[0].reference if one.disputed else ""
        keys.setdefault((one.form, voice, _DAYS.get(one.basis, 0)))
    if work.form and any(form for form, _, _ in keys):
        keys = {key: None for key in keys if key[0]}  # a limit for the form goes before
    voices = {(form, days) for form, voice, days in keys if voice}
    made: list[Reading] = []
    for form, voice, days in keys:
        if (form, days) in voices and not voice:
            continue  # what both authorities share joins the reading of each
        joined = [
            one
            for one in (*group, *beside)
            if _DAYS.get(one.basis, 0) == days
            and (one.form == form or (not one.form and (one in beside or not form)))
            and (not one.disputed or not voice or one.authority[0].reference == voice)
        ]
        bounds = tuple(
            bound
            for index, ingredient in _parts(work, joined)
            if (bound := _bound(work, index, ingredient, days, joined)) is not None
        )
        if bounds:
            made.append(Reading(bounds, doubtful, form, voice))
    return made


def _parts(work: Work, limits: Iterable[DoseLimit]) -> list[tuple[int, str]]:
    """The ingredients that limits speak of, with their places."""
    found: dict[tuple[int, str], None] = {}
    for one in limits:
        own = one.ingredient if one.ingredient in work.drug.ingredients else ""
        index = work.drug.ingredients.index(own) if own else 0
        found.setdefault((index, own))
    return list(found)


def _bound(
    work: Work, index: int, ingredient: str, days: int, limits: list[DoseLimit]
) -> Bound | None:
    """The limits on one ingredient as one bound: the lowest maximum binds, and brings its usual
    range and number of administrations."""
    own = [_scaled(work, one) for one in limits if one.ingredient in (ingredient, work.drug.id)
           or (not ingredient and not one.ingredient)]  # fmt: skip
    if not own:
        return None
    unit = own[0].unit
    own = [same for one in own if (same := _in_unit(work, one, unit)) is not None]
    with_max = [one for one in own if one.maximum is not None]
    lowest = min((one.maximum for one in with_max if one.maximum is not None), default=None)
    binding = [one for one in with_max if one.maximum == lowest] or own
    ranges = [one for one in binding if one.usual is not None]
    if not ranges:
        ranges = [one for one in own if one.usual is not None]
    # Of limits alike the one for the weight tells best how much is usual.
    ranges = [one for one in ranges if one.weight is not None] or ranges
    lows = [one.usual[0] for one in ranges if one.usual is not None]
    highs = [one.usual[1] for one in ranges if one.usual is not None]
    timed = [one for one in binding if one.times is not None]
    times = [one.times for one in timed or own if one.times is not None]
    singles = [one for one in own if one.single is not None]
    single = min((one.single for one in singles if one.single is not None), default=None)
    starts = [one.start for one in own if one.start is not None]
    usual = (min(lows), max(highs)) if lows else None
    if usual is not None and lowest is not None and usual[0] > lowest:
        usual = None  # the range of another limit, which this one has overruled
    # A limit for kidneys that are well enough is no limit for weak ones.
    measured = [
        m.renal.name for m in binding if m.renal is not None and m.renal.range.high is not None
    ]
    return Bound(
        index,
        ingredient,
        days,
        usual,
        lowest,
        single,
        max(starts, default=None),
        unit,
        (min(t[0] for t in times), max(t[1] for t in times)) if times else None,
        not measured,
        binding[0].indication,
        next((one.disputed for one in binding if one.disputed), ""),
        _authority(binding),
        _authority(ranges),
        _authority([one for one in singles if one.single == single]),
        tuple(work.patient.fact_of(name) for name in _rests_on(binding)),
        all(m.basis.startswith("kg") for m in binding),
    )


def _rests_on(limits: Iterable[DoseLimit]) -> list[str]:
    """The measures on which limits rest."""
    names: list[str] = []
    for one in limits:
        names += ["age"] if one.age is not None else []
        names += ["weight"] if one.weight is not None or one.basis.startswith("kg") else []
        names += [one.renal.name] if one.renal is not None else []
        names += [m.name for m in one.criteria.of] if one.criteria is not None else []
    return list(dict.fromkeys(names))


def _authority(limits: Iterable[DoseLimit]) -> tuple[Authority, ...]:
    return tuple(dict.fromkeys(by for one in limits for by in one.authority))


def _scaled(work: Work, one: DoseLimit) -> DoseLimit:
    """A limit by weight as amounts for the patient, no higher than its cap."""
    weight = work.patient.weight
    if not one.basis.startswith("kg") or weight is None:
        return one

    def scale(value: Decimal | None) -> Decimal | None:
        if value is None:
            return None
        whole = value * weight
        return whole if one.cap is None else min(whole, one.cap)

    usual = None
    if one.usual is not None:
        low, high = scale(one.usual[0]), scale(one.usual[1])
        usual = (low, high) if low is not None and high is not None else None
    return replace(one, usual=usual, maximum=scale(one.maximum) or one.cap,
                   start=scale(one.start), single=scale(one.single)
                   if one.basis == "kg/dose" else one.single)  # fmt: skip


def _in_unit(work: Work, one: DoseLimit, unit: str) -> DoseLimit | None:
    """A limit in another unit, None where there is no way."""
    if one.unit == unit:
        return one
    factor = work.rx.conversions.get((one.unit, unit))
    if factor is None:
        return None

    def scale(value: Decimal | None) -> Decimal | None:
        return None if value is None else value * factor

    usual = None if one.usual is None else (one.usual[0] * factor, one.usual[1] * factor)
    return replace(
        one, usual=usual, maximum=scale(one.maximum), single=scale(one.single),
        start=scale(one.start), unit=unit,
    )  # fmt: skip
