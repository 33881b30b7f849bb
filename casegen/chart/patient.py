"""Settles the encounter and draws the patient that the chart's problems leave open."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from casegen.schemas import Encounter, Patient

from ..randomness import Lane
from .frame import SENIOR, Frame
from .options import BIT

if TYPE_CHECKING:
    from ..config import Config
    from ..world import World

_MINOR = 18


def settle_encounter(
    world: World, config: Config, frame: Frame, kind: str, lane: Lane
) -> Encounter:
    """Draw setting, claim type and dates within what the frame leaves open."""
    rules = world.encounters
    if frame.claim == "facility":
        frame.mask &= BIT["inpatient"]
    if frame.high < SENIOR and frame.mask != BIT["telehealth"]:
        # Of the payers here only Medicare takes office visit codes for visits by video; others
        # follow the codes that CPT has had for them since 2025.
        frame.mask &= ~BIT["telehealth"]
    setting = lane.weighted(*world.setting_odds(frame.mask))
    if setting == "inpatient":
        claim = frame.claim or (
            "facility" if lane.below(100) < rules.inpatient_facility_percent else "professional"
        )
    else:
        claim = "professional"
    frame.claim = claim
    if setting == "telehealth":
        frame.low = max(frame.low, min(SENIOR, frame.high))
    first = world.ordinal(config.first_date)
    service = first + lane.below(world.ordinal(config.last_date) - first + 1)
    admission = None
    if setting == "inpatient":
        low, high = rules.stay_days
        if kind in ("pregnancy", "newborn"):
            high = min(high, 3)
        admission = world.iso(service - lane.between(low, high))
    return Encounter(setting, claim, world.iso(service), admission, kind)  # type: ignore[arg-type]


def draw_patient(
    world: World, frame: Frame, encounter: Encounter, lane: Lane
) -> tuple[Patient, int, int]:
    """The patient, with age on the date of service in whole years and in days.

    No birthday falls within a stay, so that the age is the same on admission and discharge
    (the Medicare Code Editor counts years at admission).
    """
    sex = frame.sex if frame.sex != 2 else lane.below(2)
    service = world.ordinal(encounter.service_date)
    stay = 0
    if encounter.admission_date is not None:
        stay = service - world.ordinal(encounter.admission_date)
    if frame.newborn is not None:
        years = 0
        days = lane.between(*frame.newborn)
        if encounter.admission_date is not None:
            encounter.admission_date = world.iso(service - days)
        birth = service - days
    else:
        years = _age(frame, lane)
        offset = max(stay, 29 if years == 0 else 0) + lane.below(300)
        on = date.fromordinal(service)
        day = 28 if on.month == 2 and on.day == 29 else on.day
        birth = date(on.year - years, on.month, day).toordinal() - offset
        days = service - birth
    first = lane.pick(world.names[sex])
    last = lane.pick(world.last_names)
    if years < _MINOR:
        payer = "child"
    else:
        payer = "senior" if years >= SENIOR else "adult"
    patient = Patient(
        name=f"{first} {last}",
        mrn=f"MRN{lane.below(10_000_000):07d}",
        birth_date=world.iso(birth),
        sex="female" if sex == 0 else "male",
        insurance=lane.pick(world.encounters.insurance[payer]),
    )
    return patient, years, days


def _age(frame: Frame, lane: Lane) -> int:
    """An age within the frame; the very old are rarer than the rest."""
    age = lane.between(frame.low, frame.high)
    if age > 88:
        again = lane.between(frame.low, frame.high)
        age = min(age, again)
    return age
