"""Doses above the highest or below the usual one for this patient, or too often or too seldom."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from casegen.schemas.rx_case import Problem
from casegen.seeds.rx.model import DoseLimit
from casegen.seeds.rx.recommending import too_often_effect

from .amounts import Given, given, over, shown
from .bounds import Bound, Reading, readings
from .frequency import too_often, too_seldom
from .model import Watch, Work, cite, known

_SPAN = {0: "a dose", 1: "a day", 7: "a week", 30: "a month"}
_ORDER: tuple[Problem, ...] = ("frequency", "underdose", "overdose")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong by one bound, in words."""

    problem: Problem
    bound: Bound
    reason: str
    mend: str
    # Whether it is a dose by weight and little more than allowed.
    slight: bool = False
    fast: bool = False


def find(work: Work) -> None:
    """Judge the dose by every reading; it is wrong where all of them have it so.

    Where several do, that reading speaks which finds least (a weekly tablet that is taken
    daily is a wrong frequency, not an overdose).
    """
    if work.dose is None or work.frequency is None:
        return
    if not work.drug.doses:
        work.leave("dose", work.drug.id, "no dose limits of this drug are known", False)
        return
    made, why = readings(work)
    if not made:
        work.leave("dose", work.drug.id, why)
        return
    if work.dose.by_weight and work.patient.weight is None:
        work.leave("dose", work.drug.id, "no weight is told")
        return
    judged = [_judge(work, one) for one in made]
    found = [one for one in judged if one is not None]
    if len(found) < len(judged):
        return
    clean = [one for one, faults in zip(made, found, strict=True) if not faults]
    if not clean:
        # A form that is not told is most likely the one that is listed first.
        likely = [
            faults for one, faults in zip(made, found, strict=True) if one.form == made[0].form
        ]
        for fault in min(likely, key=_weight):
            _add(work, fault)
        return
    _doubts(work, clean)
    _differing(work, list(zip(made, found, strict=True)))
    if not work.written.indication and len(clean) < len(made):
        told = "no indication is told, and for some the dose is wrong"
        work.leave("dose", work.drug.id, told, False)


def _differing(work: Work, judged: list[tuple[Reading, list[Fault]]]) -> None:
    """Show a dose that one authority allows and another does not; either answer is right."""
    allowed = [one for one, faults in judged if one.voice and not faults]
    for one, faults in judged:
        if not faults or not any(other.form == one.form for other in allowed) or not one.voice:
            continue
        bounds = [bound for other in allowed for bound in other.bounds]
        authority = [by for bound in (faults[0].bound, *bounds) for by in bound.authority]
        work.watches.append(
            Watch(
                "disputed", "dose", [work.drug.id], [], True,
                f"{_who(work, one)}: {faults[0].reason}; {_who(work, allowed[0])} allows it",
                cite(authority),
                known(faults[0].bound.evidence), "modify",
            )
        )  # fmt: skip
        return


def _who(work: Work, one: Reading) -> str:
    """Who speaks in a reading: a guideline by its name, or the label."""
    return f"the label of {one.voice}" if work.rx.named(one.voice) else one.voice


def _weight(faults: list[Fault]) -> tuple[int, int, Decimal]:
    highest = max((one.bound.maximum or Decimal(0) for one in faults), default=Decimal(0))
    return len(faults), max(_ORDER.index(one.problem) for one in faults), -highest


def _judge(work: Work, reading: Reading) -> list[Fault] | None:
    """What is wrong by one reading; None where a unit can't be set beside the limits (which
    the rule on units tells)."""
    faults: dict[Problem, Fault] = {}
    for bound in reading.bounds:
        got = _given(work, bound)
        if got is None:
            return None
        for fault in _compare(work, bound, got):
            faults.setdefault(fault.problem, fault)
    return list(faults.values())


def _given(work: Work, bound: Bound) -> Given | None:
    if work.dose is None or work.frequency is None:
        return None
    got = given(work.dose, work.frequency, bound.index, work.patient.weight)
    if got is None:
        work.leave("dose", bound.ingredient or work.drug.id, "its amount is not told")
        return None
    same = got.in_unit(work.rx, bound.unit)
    if same is None and got.unit == "mL":
        work.leave("dose", work.drug.id, "the concentration is not told")
    return same


def _compare(work: Work, bound: Bound, got: Given) -> list[Fault]:
    faults: list[Fault] = []
    often = got.often
    fast, slow = too_often(bound, often, got.most), too_seldom(bound, often)
    total = got.total(bound.days) if bound.days else got.single()
    unit, span = bound.unit, _SPAN[bound.days]
    what = bound.ingredient or work.drug.id
    # With a wrong frequency the amount is judged as if it were given as often as it should be.
    fair = total
    if fast is not None and bound.times is not None:
        fair = got.single() * bound.times[1]
    if slow is not None and bound.times is not None:
        fair = got.single() * bound.times[0]
    if often.once and bound.single is not None:
        return _at_once(bound, got, what)
    told = f"{what} {shown(total)} {unit} {span}"
    if bound.maximum is not None and over(fair, bound.maximum):
        most = f"no more than {shown(bound.maximum)} {unit} {span}"
        slight = bound.weighed and not over(fair, bound.maximum * _LITTLE)
        faults.append(Fault("overdose", bound, f"{told}; {_for(bound)}{most}", most, slight))
    else:
        faults += _at_once(bound, got, what)
    if not faults and (begun := _begun(work, bound, fair)):
        faults.append(Fault("overdose", bound, f"{told}; {_for(bound)}{begun}", begun))
    if fast is not None or slow is not None:
        right = fast or slow or ""
        reason = f"{work.written.frequency}; {_for(bound)}{right}"
        faults.append(Fault("frequency", bound, reason, right, fast=fast is not None))
    if _too_low(bound, got, fair):
        least = bound.usual[0] if bound.usual is not None else Decimal(0)
        low = f"usually {shown(least)} {unit} {span} or more"
        faults.append(Fault("underdose", bound, f"{told}; {_for(bound)}{low}", low))
    return faults


def _at_once(bound: Bound, got: Given, what: str) -> list[Fault]:
    """More at one time than is allowed. A dose that is given once, such as one to load, is
    judged by this alone."""
    if bound.single is None or not over(got.single(), bound.single):
        return []
    most = f"no more than {shown(bound.single)} {bound.unit} at a time"
    reason = f"{what} {shown(got.single())} {bound.unit} at a time; {_for(bound)}{most}"
    return [Fault("overdose", bound, reason, most)]


def _begun(work: Work, bound: Bound, total: Decimal) -> str:
    """How much a new prescription may begin with, where it begins with more; else ""."""
    if not work.written.starting or bound.start is None or not over(total, bound.start):
        return ""
    if not work.begun_told:
        most = f"{shown(bound.start)} {bound.unit} {_SPAN[bound.days]}"
        lacking = f"whether it is begun is not told; a first dose is no more than {most}"
        work.leave("dose", work.drug.id, lacking, False)
        return ""
    return f"{_BEGIN} {shown(bound.start)} {bound.unit} {_SPAN[bound.days]}"


def _for(bound: Bound) -> str:
    return f"for {bound.indication} " if bound.indication else ""


def _too_low(bound: Bound, got: Given, total: Decimal) -> bool:
    """Whether the dose lies below the usual range. As-needed doses may; and in renal impairment
    labels lengthen the interval."""
    if bound.usual is None or got.often.needed or not bound.seldom:
        return False
    return over(bound.usual[0], total)


def _doubts(work: Work, clean: list[Reading]) -> None:
    """Limits that would forbid the dose if what nobody measured were known; the lowest of each
    measure speaks for all."""
    lowest: dict[str, DoseLimit] = {}
    for one, lacking in (doubt for reading in clean for doubt in reading.unsure):
        got = _limited(work, one)
        if got is None or not _exceeds(work, one, got):
            continue
        other = lowest.get(lacking)
        if other is None or (one.maximum or 0) < (other.maximum or 0):
            lowest[lacking] = one
    for lacking, one in lowest.items():
        work.leave("dose", work.drug.id, f"{lacking}; {_limit(one)} might be exceeded", False)


def _limited(work: Work, one: DoseLimit) -> Given | None:
    if work.dose is None or work.frequency is None:
        return None
    parts = work.drug.ingredients
    index = parts.index(one.ingredient) if one.ingredient in parts else 0
    got = given(work.dose, work.frequency, index, work.patient.weight)
    return None if got is None else got.in_unit(work.rx, one.unit)


def _exceeds(work: Work, one: DoseLimit, got: Given) -> bool:
    if one.basis.startswith("kg"):
        return work.patient.weight is None
    days = {"week": 7, "month": 30, "dose": 0}.get(one.basis, 1)
    total = got.total(days) if days else got.single()
    if one.maximum is not None and over(total, one.maximum):
        return True
    return one.single is not None and over(got.single(), one.single)


def _limit(one: DoseLimit) -> str:
    most = one.maximum if one.maximum is not None else one.single
    return "a limit" if most is None else f"a limit of {shown(most)} {one.unit}"


# A dose by weight that exceeds the limit by less is mostly one that was rounded.
_LITTLE = Decimal("1.1")
_BEGIN = "begin with no more than"
_EFFECTS: dict[str, str] = {
    "overdose": "more than the highest dose",
    "underdose": "less than the usual dose, so it may not work",
    "frequency": "too seldom, so the effect wears off between the doses",
}


def _add(work: Work, fault: Fault) -> None:
    bound = fault.bound
    authority = bound.authority
    if fault.problem == "underdose":
        authority = bound.usual_by or authority
    elif "at a time" in fault.mend:
        authority = bound.single_by or authority
    begun = fault.mend.startswith(_BEGIN)
    if begun:
        authority = bound.usual_by or authority
    severity = "moderate" if fault.problem == "underdose" or fault.slight else "major"
    if fault.problem == "frequency" and bound.days == 1:
        severity = "moderate"
    work.dose_finding(
        fault.problem,
        severity,  # type: ignore[arg-type]
        "more than the highest first dose"
        if begun
        else too_often_effect(work.drug.id)
        if fault.fast
        else _EFFECTS[fault.problem],
        fault.mend,
        fault.reason,
        authority,
        bound.evidence,
        bound.disputed,
    )
