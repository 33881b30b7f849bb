"""Units that can't be meant, and ways to write a dose that are misread (ISMP)."""

from __future__ import annotations

from casegen.schemas.rx_case import Prescription
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.model import Authority, Drug, UnitTrap

from .amounts import given, over
from .bounds import readings
from .lookup import patterns
from .model import Work

_PIECES = {"mL"}


def _fields(written: Prescription) -> tuple[str, ...]:
    # The name and the dose are read in one go ("MS 10 mg"), the others each by itself.
    return (f"{written.drug} {written.dose}", written.frequency, written.route, written.form)


def notation_of(rx: Rx, written: Prescription) -> list[tuple[str, str, str, tuple[Authority, ...]]]:
    """What is written so that it is misread: the text, how it is read, what to write instead, and
    who says so."""
    found = []
    for rule, pattern in patterns(rx):
        for text in _fields(written):
            if match := pattern.search(text):
                found.append((match[0].strip(), rule.misread, rule.instead, rule.authority))
                break
    return found


def find_notation(work: Work) -> None:
    """One finding on all that is written so that it is misread."""
    found = notation_of(work.rx, work.written)
    if not found:
        return
    texts = "; ".join(f"{text}: {misread}" for text, misread, _, _ in found)
    work.dose_finding(
        "notation",
        "moderate",
        "the dose may be misread",
        "write " + "; ".join(dict.fromkeys(instead for _, _, instead, _ in found)),
        texts,
        (by for one in found for by in one[3]),
    )


def find_unit(work: Work) -> bool:
    """Whether the unit can't be meant: the trap of the drug, where the number converted is more
    than any limit, or a unit in which no strength is made."""
    dose = work.dose
    if dose is None:
        return False
    trap = next((one for one in work.drug.traps if one.written == dose.unit), None)
    if trap is not None and _trapped(work, trap):
        number = work.written.dose
        work.dose_finding(
            "unit", "major", "many times the dose that is meant, or none",
            f"write the dose in {trap.meant}", f"{number}: {work.drug.id} is dosed in {trap.meant}",
            trap.authority,
        )  # fmt: skip
        return True
    return trap is None and _foreign(work, work.drug)


def _trapped(work: Work, trap: UnitTrap) -> bool:
    dose = work.dose
    if dose is None or (dose.unit, trap.meant) not in work.rx.conversions:
        return True
    if work.frequency is None:
        return False
    made, _ = readings(work)
    if not made:
        return False
    for reading in made:
        for bound in reading.bounds:
            got = given(dose, work.frequency, bound.index, work.patient.weight)
            same = None if got is None else got.in_unit(work.rx, bound.unit)
            limit = bound.maximum or (bound.usual[1] if bound.usual is not None else None)
            if same is None or limit is None:
                return False
            total = same.total(bound.days) if bound.days else same.single()
            if not over(total, limit):
                return False
    return True


def _foreign(work: Work, drug: Drug) -> bool:
    """A unit in which the drug is neither made nor dosed."""
    dose = work.dose
    if dose is None or dose.unit in _PIECES:
        return False
    known = {one.unit for one in drug.strengths} | {one.unit for one in drug.doses}
    if any(dose.unit == unit or (dose.unit, unit) in work.rx.conversions for unit in known):
        return False
    by = next((one.authority for one in drug.doses), ())
    authority = by or (Authority("label", drug.id, "how supplied"),)
    units = ", ".join(sorted(known))
    work.dose_finding(
        "unit", "major", "the dose can't be meant so", f"write the dose in {units}",
        f"{work.written.dose}: {drug.id} is made and dosed in {units}", authority,
    )  # fmt: skip
    return True
