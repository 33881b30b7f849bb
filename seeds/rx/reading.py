"""Reads the short forms of the drug files: numbers, bounds, strengths, authorities."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from casegen.schemas import TableError

from .model import Authority, Criteria, Measure, Range, Strength

SOURCES = ("label", "guideline", "fda")
MEASURES = {
    "eGFR": "mL/min/1.73 m2",
    "CrCl": "mL/min",
    "creatinine": "mg/dL",
    "potassium": "mEq/L",
    "calcium": "mg/dL",
    "QTc": "ms",
    "heart rate": "/min",
    "LVEF": "%",
    "platelets": "/mm3",
    "neutrophils": "/mm3",
    "triglycerides": "mg/dL",
    "albumin": "g/dL",
    "age": "months",
    "weight": "kg",
}
UNITS = ("mg", "mcg", "g", "units", "mEq", "mL", "mcg/h", "puffs", "%")
# Headings of labels of the older form, and those that both forms have.
HEADINGS = ("boxed warning", "contraindications", "warnings", "precautions", "drug interactions",
            "dosage and administration", "adverse reactions", "overdosage", "how supplied",
            "indications and usage", "drug facts")  # fmt: skip
_NUMBERED = re.compile(r"(?:[1-9]|1[0-7])(?:\.\d{1,2})?")
_BOUND = re.compile(r"(<=|>=|<|>)\s*(\d+(?:\.\d+)?)\s*([mw]?)")
_MEASURE = re.compile(r"([A-Za-z]+(?: rate)?) (.+)")
_STRENGTHS = re.compile(r"(.+?) (mg|mcg|g|units|mEq|mcg/h|%)(?:/(\d+(?:\.\d+)?)? ?mL)?")
_CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?")


def decimal(value: object) -> Decimal | None:
    """The exact number, None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() and number >= 0 else None


class Row:
    """One mapping of a file; every complaint names file, row and field."""

    def __init__(self, where: str, data: object, allowed: Iterable[str]) -> None:
        if not isinstance(data, dict):
            raise TableError(f"{where}: must be a mapping, not {type(data).__name__}")
        self.where = where
        self.data: dict[str, Any] = data
        for key in data:
            if key not in allowed:
                raise self.fail(str(key), "no such field")

    def fail(self, field: str, what: str) -> TableError:
        return TableError(f"{self.where}: {field}: {what}")

    def rows(self, field: str, allowed: Iterable[str], least: int = 0) -> list[Row]:
        value = self.data.get(field, [])
        if not isinstance(value, list) or len(value) < least:
            raise self.fail(field, f"must be a list of at least {least}")
        allowed = frozenset(allowed)
        return [Row(f"{self.where}: {field} {i}", one, allowed) for i, one in enumerate(value, 1)]

    def text(self, field: str, default: str | None = None) -> str:
        value = self.data.get(field, default)
        if not isinstance(value, str) or (not value.strip() and value != default):
            raise self.fail(field, f"must be a text, not {value!r}")
        return value

    def word(self, field: str, words: Collection[str], default: str | None = None) -> Any:
        value = self.data.get(field, default)
        if not isinstance(value, str) or value not in words:
            raise self.fail(field, f"{value!r} is none of {', '.join(words)}")
        return value

    def flag(self, field: str) -> bool:
        value = self.data.get(field, False)
        if not isinstance(value, bool):
            raise self.fail(field, f"must be true or false, not {value!r}")
        return value

    def texts(self, field: str, least: int = 0) -> tuple[str, ...]:
        value = self.data.get(field, [])
        if not isinstance(value, list) or len(value) < least:
            raise self.fail(field, f"must be a list of at least {least}")
        for item in value:
            if not isinstance(item, str) or not item.strip():
                raise self.fail(field, f"holds {item!r}, which is no text (quote it)")
        if len(set(value)) != len(value):
            raise self.fail(field, "holds an entry twice")
        return tuple(value)

    def codes(self, field: str) -> tuple[str, ...]:
        codes = self.texts(field)
        for code in codes:
            if not _CODE.fullmatch(code):
                raise self.fail(field, f"{code!r} is no ICD-10-CM code or category")
        return codes

    def number(self, field: str) -> Decimal | None:
        if self.data.get(field) is None:
            return None
        value = decimal(self.data[field])
        if value is None or value == 0:
            raise self.fail(field, f"must be a number above 0, not {self.data[field]!r}")
        return value

    def span(self, field: str) -> tuple[Decimal, Decimal] | None:
        """``20`` or ``20-40``."""
        value = self.data.get(field)
        if value is None:
            return None
        ends = [decimal(part.strip()) for part in str(value).split("-")]
        low, high = ends[0], ends[-1]
        if len(ends) > 2 or low is None or high is None or not 0 < low <= high:
            raise self.fail(field, f"must be a number or low-high, not {value!r}")
        return low, high

    def whole_span(self, field: str) -> tuple[int, int] | None:
        span = self.span(field)
        if span is None:
            return None
        if any(end != int(end) for end in span):
            raise self.fail(field, "must be whole numbers")
        return int(span[0]), int(span[1])

    def range(self, field: str, text: object = None) -> Range | None:
        """``>=15 <30``; None where the field is absent."""
        value = self.data.get(field) if text is None else text
        if value is None:
            return None
        parts = _BOUND.findall(value) if isinstance(value, str) else []
        if not parts or _BOUND.sub("", str(value)).strip():
            raise self.fail(field, f"must be bounds such as '>=15 <30', not {value!r}")
        low = high = None
        low_in = high_in = False
        for sign, number, suffix in parts:
            bound = Decimal(number)
            if suffix:
                raise self.fail(field, f"{value!r}: no unit belongs there")
            if sign[0] == ">" and low is None:
                low, low_in = bound, sign == ">="
            elif sign[0] == "<" and high is None:
                high, high_in = bound, sign == "<="
            else:
                raise self.fail(field, f"{value!r} has two bounds on one side")
        if low is not None and high is not None and low >= high:
            raise self.fail(field, f"{value!r} is empty")
        return Range(low, high, low_in, high_in)

    def age(self, field: str, text: object = None) -> Range | None:
        """``>=65``, ``>=3m <12`` (years, or months with m) as months: a child of 11 years and
        11 months is under 12, one of 60 years and 5 months is not above 60."""
        value = self.data.get(field) if text is None else text
        if value is None:
            return None
        parts = _BOUND.findall(value) if isinstance(value, str) else []
        if (
            not parts
            or _BOUND.sub("", str(value)).strip()
            or len({p[0][0] for p in parts}) < len(parts)
        ):
            raise self.fail(field, f"must be ages such as '>=3m <12', not {value!r}")
        low = high = None
        for sign, number, suffix in parts:
            step = 1 if suffix == "m" else 12
            months = Decimal(number) * step
            if suffix == "w" or months != int(months):
                raise self.fail(field, f"{value!r}: whole months only")
            if sign in (">", "<="):
                months += step
            if sign[0] == ">":
                low = months
            else:
                high = months
        if low is not None and high is not None and low >= high:
            raise self.fail(field, f"{value!r} is empty")
        return Range(low, high, True, False)

    def measure(self, field: str, text: object = None) -> Measure | None:
        """``CrCl <30``."""
        value = self.data.get(field) if text is None else text
        if value is None:
            return None
        match = _MEASURE.fullmatch(value) if isinstance(value, str) else None
        if match is None or match[1] not in MEASURES:
            raise self.fail(field, f"{value!r} names none of {', '.join(MEASURES)}")
        name = match[1]
        bounds = self.age(field, match[2]) if name == "age" else self.range(field, match[2])
        if bounds is None:
            raise self.fail(field, f"{value!r} has no bounds")
        return Measure(name, MEASURES[name], bounds)

    def criteria(self, field: str) -> Criteria | None:
        if self.data.get(field) is None:
            return None
        row = Row(f"{self.where}: {field}", self.data[field], ("need", "of"))
        need, of = row.whole_span("need"), row.texts("of", 2)
        measures = [found for one in of if (found := row.measure("of", one)) is not None]
        if need is None or not 1 <= need[0] <= len(measures):
            raise row.fail("need", "must count some of the measures")
        return Criteria(need[0], tuple(measures))

    def authority(self, own: str = "", field: str = "by") -> tuple[Authority, ...]:
        """``label: simvastatin; 7`` or, for a drug's own label, ``label; 7``; one or a list."""
        value = self.data.get(field)
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not found:
            raise self.fail(field, "must name its authority")
        return tuple(self._authority(field, one, own) for one in found)

    def _authority(self, field: str, text: object, own: str) -> Authority:
        if not isinstance(text, str) or ";" not in text:
            raise self.fail(field, f"{text!r} must read 'source: reference; section'")
        head, _, section = text.rpartition(";")
        source, colon, reference = (part.strip() for part in head.partition(":"))
        section = section.strip()
        if not colon and source == "label":
            reference = own
        if source not in SOURCES or not reference or not section:
            raise self.fail(field, f"{text!r} must read 'source: reference; section'")
        if source == "label" and not _NUMBERED.fullmatch(section) and section not in HEADINGS:
            raise self.fail(field, f"{section!r} is no section of a label")
        return Authority(source, reference, section)  # type: ignore[arg-type]

    def strengths(self, field: str, parts: int) -> tuple[Strength, ...]:
        """``{tablet: "5, 10 mg", suspension: "125, 250 mg/5 mL"}``; of a combination the amounts
        of the ingredients are joined by slashes: ``5/325, 10/325 mg``."""
        value = self.data.get(field)
        if not isinstance(value, dict) or not value:
            raise self.fail(field, "must map forms to strengths")
        found: list[Strength] = []
        for form, text in value.items():
            match = _STRENGTHS.fullmatch(text) if isinstance(text, str) else None
            if match is None:
                raise self.fail(field, f"{form}: {text!r} must read '5, 10 mg' or '5 mg/5 mL'")
            per = None if "mL" not in text else Decimal(match[3] or "1")
            for one in match[1].split(","):
                amounts = [decimal(amount.strip()) for amount in one.split("/")]
                whole = tuple(amount for amount in amounts if amount)
                if len(whole) != parts or len(amounts) != parts:
                    raise self.fail(field, f"{form}: {one.strip()!r} must have {parts} amounts")
                found.append(Strength(str(form), whole, match[2], per))
        return tuple(found)
