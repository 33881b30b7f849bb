"""A prescription from outside: read with care, every complaint in one line.

The file is one JSON object: ``prescription`` and, as far as they are known, ``patient``,
``allergies``, ``medications``, ``conditions`` and ``labs``. What is not told is not judged, and the
report says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from casegen.schemas import InputError
from casegen.schemas.rx_case import Prescription, RxFact, RxFactKind, RxSource
from casegen.seeds.icd10cm import load as icd10cm
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.naming import words
from casegen.seeds.rx.reading import MEASURES
from casegen.seeds.rx.wordings import code_of

from .model import Open

_CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?", re.I)
_POUND = ("lb", "kg")
_OLDEST = 124
_MOST = 500  # entries of a list


def _exact(value: Any) -> Any:
    """A number as JSON writes it, without the noise of binary fractions."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    return Decimal(str(value))


def _told(value: Any) -> Any:
    if isinstance(value, str) and not value.strip():
        raise ValueError("must be text that is not empty")
    return value


Number = Annotated[Decimal, BeforeValidator(_exact), Field(ge=0, lt=10**7, allow_inf_nan=False)]
Above = Annotated[Decimal, BeforeValidator(_exact), Field(gt=0, lt=10**4, allow_inf_nan=False)]
Told = Annotated[str, BeforeValidator(_told), Field(max_length=200)]
_Rows = Annotated[list[Any], Field(max_length=_MOST)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Written(_Part):
    drug: Told
    dose: Told
    frequency: str = Field(default="", max_length=200)
    route: str = Field(default="", max_length=60)
    form: str = Field(default="", max_length=60)
    indication: str = Field(default="", max_length=200)
    starting: bool | None = None


class _Person(_Part):
    sex: Literal["female", "male"] | None = None
    age: Annotated[int, Field(ge=0, le=_OLDEST)] | None = None
    age_months: Annotated[int, Field(ge=0, le=_OLDEST * 12)] | None = None
    birth_date: Told | None = None
    weight_kg: Above | None = None
    weight_lb: Above | None = None
    pregnant: bool = False
    weeks: Annotated[int, Field(ge=0, le=44)] | None = None


class _Allergy(_Part):
    allergen: Told
    reaction: str = Field(default="", max_length=200)
    intolerance: bool = False


class _Medication(_Part):
    drug: Told
    dose: str = Field(default="", max_length=200)
    frequency: str = Field(default="", max_length=200)
    route: str = Field(default="", max_length=60)
    form: str = Field(default="", max_length=60)
    stopped: bool = False


class _Condition(_Part):
    code: Told | None = None
    name: Told | None = None
    history: bool = False


class _Lab(_Part):
    name: Told
    value: Number | str
    unit: str = Field(default="", max_length=40)
    date: Told | None = None


class _File(_Part):
    prescription: _Written
    patient: _Person = _Person()
    date: Told | None = None
    allergies: _Rows = []
    medications: _Rows = []
    conditions: _Rows = []
    labs: _Rows | dict[str, Any] = []


@dataclass(slots=True)
class Outside:
    """What a file says, as the checker reads it. ``unread`` are entries that nobody knows;
    ``begun_told``: whether it tells if the prescription is new."""

    prescription: Prescription
    record: list[RxFact]
    on: date
    unread: list[Open] = field(default_factory=list)
    begun_told: bool = True


def read_prescription(data: object, path: str, rx: Rx) -> Outside:
    """The prescription of a parsed JSON file, and the record of its patient.

    ``path`` is named in errors. Raises InputError on the first wrong field, which it names as a
    path such as ``medications[2].dose`` (places count from 0).
    """
    return _Reader(path, rx).file(data)


class _Reader:
    def __init__(self, path: str, rx: Rx) -> None:
        self.path = path
        self.rx = rx
        self.facts: list[RxFact] = []
        self.unread: list[Open] = []

    def fail(self, where: str, value: object, mend: str) -> NoReturn:
        raise InputError(where, value, mend, path=self.path)

    def model(self, kind: type[Any], data: object, where: str) -> Any:
        if not isinstance(data, dict):
            self.fail(where or "prescription", data, "must be an object")
        try:
            return kind.model_validate(data)
        except ValidationError as errors:
            self.complain(errors, kind, where)

    def complain(self, errors: ValidationError, kind: type[BaseModel], where: str) -> NoReturn:
        error = errors.errors(include_url=False)[0]
        place = where
        for part in error["loc"]:
            if isinstance(part, int):
                place += f"[{part}]"
            elif not part.startswith(
                ("decimal", "literal", "list", "dict", "function", "constrained")
            ):
                place += f".{part}" if place else part
        value = error["input"]
        if error["type"] == "missing":
            self.fail(place, None, "is missing")
        if error["type"] == "extra_forbidden":
            owner = kind
            for part in error["loc"][:-1]:
                inner = owner.model_fields[str(part)].annotation
                owner = inner if isinstance(inner, type) and issubclass(inner, BaseModel) else owner
            self.fail(place, value, f"unknown; known are {', '.join(owner.model_fields)}")
        if error["type"] in ("model_type", "dict_type", "model_attributes_type"):
            self.fail(place, value, "must be an object")
        if isinstance(value, Decimal):
            value = float(value)
        told = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
        self.fail(place, value, told[:1].lower() + told[1:])

    def file(self, data: object) -> Outside:
        found: _File = self.model(_File, data, "")
        on = self.day(found.date, "date") if found.date is not None else None
        self.person(found.patient, on)
        for i, row in enumerate(found.allergies):
            where = f"allergies[{i}]"
            self.allergy(self.model(_Allergy, self.row(row, "allergen"), where), where)
        for i, row in enumerate(found.medications):
            where = f"medications[{i}]"
            self.medication(self.model(_Medication, self.row(row, "drug"), where))
        for i, row in enumerate(found.conditions):
            where = f"conditions[{i}]"
            named = "code" if isinstance(row, str) and self.is_code(row) else "name"
            self.condition(self.model(_Condition, self.row(row, named), where), where)
        rows = found.labs
        if isinstance(rows, dict):
            rows = [{"name": name, "value": value} for name, value in rows.items()]
        for i, row in enumerate(rows):
            where = f"labs[{i}]" if isinstance(found.labs, list) else f"labs.{row['name']}"
            self.lab(self.model(_Lab, row, where), where, on)
        told = found.prescription
        written = Prescription(
            "prescription", told.drug, told.dose, told.frequency, told.route, told.form,
            told.indication, told.starting is not False,
        )  # fmt: skip
        begun_told = told.starting is not None
        return Outside(written, self.facts, on or date.max, self.unread, begun_told)

    def row(self, row: object, name: str) -> object:
        """An entry that is one text stands for an object with one field."""
        return {name: row} if isinstance(row, str) else row

    def is_code(self, text: str) -> bool:
        """Whether an entry is a code and no name that looks like one (T2DM)."""
        if self.rx.condition(text) is not None or code_of(text) is not None:
            return False
        return _CODE.fullmatch(text.strip()) is not None

    def day(self, text: str, where: str) -> date:
        try:
            found = date.fromisoformat(text)
            if found.isoformat() == text:
                return found
        except ValueError:
            pass
        return self.fail(where, text, "must be a date of the calendar such as 2026-04-30")

    def add(
        self,
        kind: RxFactKind,
        term: str,
        source: RxSource,
        status: Literal["active", "history", "stopped"] = "active",
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        told = {name: text for name, text in (attributes or {}).items() if text}
        self.facts.append(RxFact(f"f{len(self.facts)}", kind, term, status, told, source, []))

    def person(self, one: _Person, on: date | None) -> None:
        if one.sex is not None:
            self.add("sex", one.sex, "shown")
        told = [
            name for name in ("age", "age_months", "birth_date") if getattr(one, name) is not None
        ]
        if len(told) > 1:
            self.fail(f"patient.{told[1]}", getattr(one, told[1]), f"leave it out beside {told[0]}")
        months = one.age_months if one.age is None else one.age * 12
        if one.birth_date is not None:
            born = self.day(one.birth_date, "patient.birth_date")
            if on is None:
                self.fail("date", None, "is missing; the age is counted from the birth date to it")
            if born > on:
                self.fail("patient.birth_date", one.birth_date, f"must not be after {on}")
            months = (on.year - born.year) * 12 + on.month - born.month - (on.day < born.day)
            if months > _OLDEST * 12 + 11:
                told_age = f"the patient would be older than {_OLDEST}"
                self.fail("patient.birth_date", one.birth_date, told_age)
        if months is not None:
            self.add("age", str(months), "shown")
        if one.weight_kg is not None and one.weight_lb is not None:
            self.fail("patient.weight_lb", float(one.weight_lb), "leave it out beside weight_kg")
        weight = one.weight_kg
        if one.weight_lb is not None:
            weight = one.weight_lb * self.rx.conversions[_POUND]
        if weight is not None:
            self.add("weight", f"{weight:f}", "conditions")
        if one.weeks is not None and not one.pregnant:
            self.fail("patient.weeks", one.weeks, "leave it out unless pregnant is true")
        if one.pregnant and one.sex == "male":
            self.fail("patient.pregnant", None, "a man is not pregnant; leave it out")
        if one.pregnant:
            self.add("pregnancy", "" if one.weeks is None else str(one.weeks), "conditions")

    def allergy(self, one: _Allergy, where: str) -> None:
        allergen = self.allergen(one.allergen)
        if allergen is None:
            self.unread.append(Open("allergy", one.allergen, "this allergen is not known"))
            return
        kind: RxFactKind = "intolerance" if one.intolerance else "allergy"
        self.add(kind, allergen, "allergies", attributes={"reaction": one.reaction})

    def allergen(self, text: str) -> str | None:
        """The id of an allergy class, a drug or a class of drugs."""
        told = words(text)
        for group in self.rx.allergies:
            if told in [words(name) for name in (group.id, group.title, *group.names)]:
                return group.id
        drug = self.rx.named(text)
        if drug is not None:
            return drug.id
        for kind in self.rx.classes.values():
            if told in [words(name) for name in (kind.id, kind.title, *kind.names)]:
                return kind.id
        return None

    def medication(self, one: _Medication) -> None:
        if self.rx.named(one.drug) is None:
            self.unread.append(Open("interaction", one.drug, "this drug is not known"))
            return
        told = {"called": one.drug, "dose": one.dose, "frequency": one.frequency,
                "route": one.route.casefold(), "form": one.form.casefold()}  # fmt: skip
        drug = self.rx.named(one.drug)
        term = one.drug if drug is None else drug.id
        self.add("medication", term, "medications", "stopped" if one.stopped else "active", told)

    def condition(self, one: _Condition, where: str) -> None:
        status: Literal["active", "history"] = "history" if one.history else "active"
        if one.code is not None:
            bare = one.code.strip().upper().replace(".", "")
            code = bare if len(bare) <= 3 else f"{bare[:3]}.{bare[3:]}"
            if not _CODE.fullmatch(one.code.strip()) or not icd10cm().exists(code):
                self.fail(f"{where}.code", one.code, "is no ICD-10-CM code or category")
            self.add("condition", code, "conditions", status, {"name": one.name or ""})
        elif one.name is not None:
            known = self.rx.condition(one.name)
            worded = code_of(one.name) if known is None else None
            if worded is not None:
                self.add("condition", worded, "conditions", status, {"name": one.name})
                return
            if known is None:
                told = "this name is not known; give its ICD-10-CM code"
                self.unread.append(Open("contraindication", one.name, told))
                return
            called = {"name": known.name}
            self.add("condition", " or ".join(known.codes), "conditions", status, called)
        else:
            self.fail(where, None, "needs a code or a name")

    def lab(self, one: _Lab, where: str, on: date | None) -> None:
        if words(one.name) in ("child pugh", "child pugh class"):
            if one.value not in ("A", "B", "C"):
                self.fail(f"{where}.value", str(one.value), "must be A, B or C")
            self.add("lab", "Child-Pugh", "conditions", attributes={"value": str(one.value)})
            return
        names = {name.casefold(): name for name in MEASURES if name not in ("age", "weight")}
        name = names.get(" ".join(one.name.split()).casefold())
        if name is None:
            known = ", ".join(names.values())
            self.fail(f"{where}.name", one.name, f"must be one of {known} or Child-Pugh")
        if isinstance(one.value, str):
            self.fail(f"{where}.value", one.value, f"must be a number in {MEASURES[name]}")
        told = {"value": f"{one.value:f}", "unit": one.unit}
        unit = one.unit.replace(" ", "").replace("\u00b2", "2").casefold()
        if unit and unit != MEASURES[name].replace(" ", "").casefold():
            self.fail(f"{where}.unit", one.unit, f"give {name} in {MEASURES[name]}")
        if one.date is not None:
            day = self.day(one.date, f"{where}.date")
            if on is not None and day > on:
                self.fail(f"{where}.date", one.date, f"must not be after {on}")
            told["date"] = one.date
        self.add("lab", name, "conditions", attributes=told)
