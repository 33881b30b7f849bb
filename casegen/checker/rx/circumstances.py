"""Circumstances to which rules on pairs of drugs and on children are bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from casegen.seeds.rx.model import Drug, Range
from casegen.seeds.rx.naming import words

from .amounts import Given, given
from .model import Work
from .often import Frequency
from .patient import Medication
from .written import Dose

# The most that the professional labeling gives for prevention (21 CFR 343.80).
_LOW_DOSE_ASPIRIN = Decimal(325)
_KIDNEYS = Range(Decimal(30), Decimal(50), True, True)
_STAGE_3 = Decimal(60)  # an eGFR below it is stage 3 (KDIGO)
_IMPAIRED = ("N17", "N18.3", "N18.4", "N18.5", "N18.6", "N19", "Z99.2", "K70.3", "K70.4", "K72",
             "K74.3", "K74.4", "K74.5", "K74.6")  # fmt: skip
_DIABETES = ("E08", "E09", "E10", "E11", "E13")


@dataclass(frozen=True, slots=True)
class Taken:
    """One drug of a pair, prescribed or taken, with what is told of its dose."""

    drug: Drug
    dose: Dose | None
    often: Frequency | None
    indication: str
    fact: str


def prescribed(work: Work) -> Taken:
    """The prescribed drug as one of a pair."""
    return Taken(work.drug, work.dose, work.frequency, work.written.indication, "")


def taken(one: Medication) -> Taken:
    """A medication as the other of a pair."""
    return Taken(one.drug, one.dose, one.frequency, "", one.id)


def amount(work: Work, one: Taken, part: str, unit: str) -> Given | None:
    """What is given of a drug or ingredient, None where that is not told."""
    parts = work.rx.ingredients(one.drug.id)
    index = parts.index(part) if part in parts else 0
    if one.dose is None or one.often is None:
        return None
    got = given(one.dose, one.often, index, work.patient.weight)
    return None if got is None else got.in_unit(work.rx, unit)


def _one_of(pair: tuple[Taken, Taken], work: Work, part: str) -> Taken | None:
    return next((one for one in pair if part in work.rx.ingredients(one.drug.id)), None)


def _daily(work: Work, pair: tuple[Taken, Taken], part: str) -> Decimal | None:
    one = _one_of(pair, work, part)
    got = None if one is None else amount(work, one, part, "mg")
    return None if got is None else got.total(1)


def _low_aspirin(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    daily = _daily(work, pair, "aspirin")
    return None if daily is None else daily <= _LOW_DOSE_ASPIRIN


def _more_aspirin(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    low = _low_aspirin(work, pair)
    return None if low is None else not low


def _ranolazine(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    daily = _daily(work, pair, "ranolazine")
    return None if daily is None else daily >= 2000


def _kidneys(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    value = work.patient.value("CrCl")
    return None if value is None else _KIDNEYS.holds(value)


def _ill(*codes: str) -> Callable[[Work, tuple[Taken, Taken]], bool | None]:
    def holds(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
        return any(one.code.startswith(codes) for one in work.patient.conditions)

    return holds


def _eplerenone_for(name: str, *codes: str) -> Callable[[Work, tuple[Taken, Taken]], bool | None]:
    """What eplerenone is for: as it is written, else by the conditions."""

    def holds(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
        one = _one_of(pair, work, "eplerenone")
        if one is not None and one.indication:
            condition = work.rx.condition(one.indication)
            called = condition.codes if condition is not None else (one.indication.upper(),)
            return name in words(one.indication) or any(c.startswith(codes) for c in called)
        has = {
            kind: any(c.code.startswith(own) for c in work.patient.conditions)
            for kind, own in (("hypertension", ("I10",)), ("heart failure", ("I50", "I11.0")))
        }
        if not any(has.values()):
            return None
        return has[name] if not all(has.values()) else None

    return holds


def _atrial_fibrillation(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    kidneys = _kidneys(work, pair)
    indications = [one.indication for one in pair if one.indication]
    told = any("I48.0" in _codes(work, text) for text in indications)
    ill = any(one.code.startswith("I48") for one in work.patient.conditions)
    if not told and not ill:
        return False
    return kidneys


def _codes(work: Work, text: str) -> tuple[str, ...]:
    condition = work.rx.condition(text)
    return condition.codes if condition is not None else (text.upper(),)


def _not_adjunct(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    """Whether aripiprazole is given for something else than depression beside an antidepressant."""
    one = _one_of(pair, work, "aripiprazole")
    if one is not None and one.indication:
        codes = _codes(work, one.indication)
        return not any(code.startswith(("F32", "F33")) for code in codes)
    ill = [c.code for c in work.patient.conditions]
    depressed = any(code.startswith(("F32", "F33")) for code in ill)
    other = any(code.startswith(("F20", "F25", "F31")) for code in ill)
    if depressed == other:
        return None
    return other


def _impaired(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    """Kidneys of stage 3 or worse, or a chronic disease of the liver. What nobody measured
    counts as normal."""
    if any(one.code.startswith(_IMPAIRED) for one in work.patient.conditions):
        return True
    values = [work.patient.value(name) for name in ("eGFR", "CrCl")]
    low = any(value is not None and value < _STAGE_3 for value in values)
    return low or work.patient.liver in ("A", "B", "C")


def _thyroid_begun(work: Work, pair: tuple[Taken, Taken]) -> bool | None:
    """Whether the prescription begins levothyroxine. A refill is for who is used to it."""
    return pair[0].drug.id == "levothyroxine" and work.written.starting


WHEN: dict[str, Callable[[Work, tuple[Taken, Taken]], bool | None]] = {
    "creatinine clearance 30 to 50": _kidneys,
    "atrial fibrillation and creatinine clearance 30 to 50": _atrial_fibrillation,
    "not beside an antidepressant for major depression": _not_adjunct,
    "renal or hepatic impairment": _impaired,
    "heart failure after myocardial infarction": _eplerenone_for("heart failure", "I50", "I11.0"),
    "analgesic doses of aspirin": _more_aspirin,
    "low-dose aspirin": _low_aspirin,
    "ranolazine 1000 mg twice daily": _ranolazine,
    "heart failure": _eplerenone_for("heart failure", "I50", "I11.0"),
    "hypertension": _eplerenone_for("hypertension", "I10"),
    "levothyroxine is begun or changed": _thyroid_begun,
    "diabetes": _ill(*_DIABETES),
}


def holds(work: Work, when: str, pair: tuple[Taken, Taken]) -> bool | None:
    """Whether the circumstance of a rule is there; None where that is not known, or where
    nothing here knows how to tell it."""
    if not when:
        return True
    judge = WHEN.get(when)
    return None if judge is None else judge(work, pair)


# What children had or have, by ICD-10-CM code and by words of the indication.
AFTER: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tonsillectomy or adenoidectomy": ((), ("tonsillectomy", "adenoidectomy")),
    "obesity, sleep apnea or severe lung disease": (
        ("E66", "G47.3", "E84", "J45.5", "J84"), (),
    ),
}  # fmt: skip


def after(work: Work, circumstance: str) -> tuple[bool | None, str]:
    """Whether the circumstance of a pediatric limit is there, with the id of the fact that
    tells it; None where nothing here knows how to tell."""
    if not circumstance:
        return True, ""
    known = AFTER.get(circumstance)
    if known is None:
        return None, ""
    codes, told = known
    for one in work.patient.conditions:
        if (codes and one.code.startswith(codes)) or any(w in words(one.name) for w in told):
            return True, one.id
    return any(word in words(work.written.indication) for word in told), ""
