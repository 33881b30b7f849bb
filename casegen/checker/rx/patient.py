"""What a record says of the patient, in the order that rules ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from casegen.schemas.rx_case import RxFact
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.model import Criteria, Drug, Measure, Range
from casegen.seeds.rx.reading import MEASURES

from .written import Dose, Frequency, read_dose, read_frequency

# Routes by which a drug acts where it is put. Where a drug also has another route, the rules of
# its label on the whole body are not bound to these.
LOCAL = frozenset({"topical", "ophthalmic", "nasal", "vaginal", "inhaled"})
_PREGNANT = ("Z33.1", "Z34", "O09")
# Other ways to write a unit of the same size: of potassium, a monovalent ion, mmol and mEq are one.
_SAME_UNIT = {("potassium", "mmol/l"), ("heart rate", "bpm"), ("heart rate", "beats/min")}


@dataclass(frozen=True, slots=True)
class Allergy:
    """An allergen (allergy class or drug) with its reaction, and whether the list itself calls
    it an intolerance."""

    id: str
    allergen: str
    reaction: str
    tolerable: bool


@dataclass(frozen=True, slots=True)
class Medication:
    """A medication that is taken; dose and frequency are None where they are not told."""

    id: str
    drug: Drug
    dose: Dose | None
    frequency: Frequency | None
    route: str
    form: str
    called: str = ""

    @property
    def local(self) -> bool:
        """Whether it is put where it acts, though the drug could be given otherwise."""
        return self.route in LOCAL and not set(self.drug.routes) <= LOCAL


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that the patient has now. A name may stand for several codes, of which one is
    meant; ``code`` is the first."""

    id: str
    codes: tuple[str, ...]
    name: str

    @property
    def code(self) -> str:
        """The code by which a finding names it."""
        return self.codes[0]

    def within(self, prefixes: tuple[str, ...]) -> bool | None:
        """Whether its code begins with one of ``prefixes``; None where that may be, since not
        the whole code is told."""
        if all(code.startswith(prefixes) for code in self.codes):
            return True
        might = any(
            code.startswith(prefixes) or any(prefix.startswith(code) for prefix in prefixes)
            for code in self.codes
        )
        return None if might else False


@dataclass(slots=True)
class Patient:
    """``months``: completed months of age. ``weeks``: of pregnancy, None where they are not told.
    ``values``: the newest value of each measure with the id of its fact."""

    sex: str = ""
    months: int | None = None
    age_fact: str = ""
    weight: Decimal | None = None
    weight_fact: str = ""
    pregnant: bool = False
    weeks: int | None = None
    pregnancy_fact: str = ""
    liver: str = ""
    liver_fact: str = ""
    allergies: list[Allergy] = field(default_factory=list)
    medications: list[Medication] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    values: dict[str, tuple[Decimal, str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def value(self, name: str) -> Decimal | None:
        """The newest value of a measure, None where nobody measured it."""
        if name == "age":
            return None if self.months is None else Decimal(self.months)
        if name == "weight":
            return self.weight
        found = self.values.get(name)
        return None if found is None else found[0]

    def holds(self, measure: Measure) -> bool | None:
        """Whether a measured value lies within bounds, None where nobody measured it."""
        value = self.value(measure.name)
        return None if value is None else measure.range.holds(value)

    def fact_of(self, name: str) -> str:
        """The id of the fact that gives a measure."""
        if name == "age":
            return self.age_fact
        if name == "weight":
            return self.weight_fact
        return self.values.get(name, (None, ""))[1]

    def aged(self, bounds: Range | None) -> bool | None:
        """Whether the age lies within bounds, None where no age is told."""
        if bounds is None:
            return True
        return None if self.months is None else bounds.holds(self.months)

    def meets(self, criteria: Criteria) -> bool | None:
        """Whether enough of the measures hold, None where those nobody took would decide."""
        known = [self.holds(one) for one in criteria.of]
        if known.count(True) >= criteria.need:
            return True
        return None if known.count(True) + known.count(None) >= criteria.need else False


def number(text: str) -> Decimal | None:
    """The exact number, None for what is none."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() and value >= 0 else None


def read_patient(record: Sequence[RxFact], rx: Rx) -> Patient:
    """What the facts of a record say. What can't be read stands in ``unread``."""
    found = Patient()
    dates: dict[str, str] = {}
    for fact in record:
        _read(fact, rx, found, dates)
    return found


def _read(fact: RxFact, rx: Rx, found: Patient, dates: dict[str, str]) -> None:
    attributes = fact.attributes
    match fact.kind:
        case "sex":
            found.sex = fact.term
        case "age":
            if fact.term.isdecimal():
                found.months, found.age_fact = int(fact.term), fact.id
            else:
                found.unread.append(f"age {fact.term}")
        case "weight":
            found.weight, found.weight_fact = number(fact.term), fact.id
        case "pregnancy":
            if fact.status == "active":
                found.pregnant, found.pregnancy_fact = True, fact.id
                found.weeks = int(fact.term) if fact.term.isdecimal() else found.weeks
        case "allergy" | "intolerance":
            if fact.status == "active":
                reaction = attributes.get("reaction", "")
                tolerable = fact.kind == "intolerance"
                found.allergies.append(Allergy(fact.id, fact.term, reaction, tolerable))
        case "medication":
            if fact.status == "active":
                _medication(fact, rx, found)
        case "condition":
            if fact.status == "active":
                codes = tuple(fact.term.split(" or "))
                found.conditions.append(Condition(fact.id, codes, attributes.get("name", "")))
                if "child_pugh" in attributes:
                    found.liver, found.liver_fact = attributes["child_pugh"], fact.id
                if fact.term.startswith(_PREGNANT):
                    found.pregnant = True
                    found.pregnancy_fact = found.pregnancy_fact or fact.id
        case "lab":
            _lab(fact, found, dates)


def _plain(unit: str) -> str:
    return unit.replace(" ", "").replace("\u00b2", "2").casefold()


def _lab(fact: RxFact, found: Patient, dates: dict[str, str]) -> None:
    text, name = fact.attributes.get("value", ""), fact.term
    if name == "Child-Pugh":
        found.liver, found.liver_fact = text, fact.id
        return
    value, on = number(text), fact.attributes.get("date", "")
    unit = _plain(fact.attributes.get("unit", ""))
    usual = _plain(MEASURES.get(name, ""))
    if value is None or (unit and unit != usual and (name, unit) not in _SAME_UNIT):
        found.unread.append(" ".join((name, text, fact.attributes.get("unit", ""))).strip())
    elif name not in found.values or on >= dates[name]:
        found.values[name], dates[name] = (value, fact.id), on


def _medication(fact: RxFact, rx: Rx, found: Patient) -> None:
    drug = rx.drugs.get(fact.term) or rx.named(fact.term)
    if drug is None:
        found.unread.append(fact.term)
        return
    told = fact.attributes
    route = told.get("route", "") or (drug.routes[0] if len(drug.routes) == 1 else "")
    form = told.get("form", "")
    dose = frequency = None
    if told.get("dose"):
        text = f"{told['dose']} {told.get('unit', '')}".strip()
        if told.get("strength"):
            text += f" of {told['strength']}"
        dose = read_dose(text, drug, form)
    times = number(told.get("times", ""))
    if told.get("frequency"):
        frequency = read_frequency(told["frequency"])
    elif times is not None and times > 0 and times == int(times):
        days = {"week": 7, "month": 30}.get(told.get("basis", "day"), 1)
        needed = told.get("needed") == "yes"
        frequency = Frequency(0 if needed else int(times), int(times), days, needed)
    readable = dose if isinstance(dose, Dose) else None
    found.medications.append(
        Medication(
            fact.id, drug, readable, frequency, route, form, told.get("called", "") or drug.id
        )
    )  # fmt: skip
