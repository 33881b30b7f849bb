"""A claim from outside: read with care, and the report on it as text or JSON."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import NoReturn, get_args

from casegen.schemas import Fact, InputError, Span
from casegen.schemas.case import ClaimType, CodeSystem, FactKind, FactStatus, Setting, Sex

from .model import ClaimView, Line, Report, Verdict

# ICD-10-CM replaced ICD-9-CM for services from that day on; our dated rows end on LAST_DAY.
FIRST_DAY = "2015-10-01"
LAST_DAY = "2027-03-31"
MAX_LINES = 999
MAX_MODIFIERS = 4  # as on the professional claim form
RELATIONS = (
    "unrelated", "separate", "same", "separate_problem", "decision_only", "both", "told",
    "integral", "due_to", "minor_trauma", "found_by", "reason",
    "open_side", "conflict_side", "side_settled", "open_workup", "conflict_diagnosis",
    "treatment_unclear",
)  # fmt: skip
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "side": ("right", "left", "bilateral"),
    "phase": ("active", "healing", "sequela"),
    "fracture": ("closed", "open", "open_1_2", "open_3"),
    "healing": ("routine", "delayed", "nonunion", "malunion"),
    "seventh": (),
    "handedness": ("right", "left", "ambidextrous"),
    "weeks_ago": (),
}


def read_claim(data: object, path: str) -> ClaimView:
    """The claim of a parsed JSON file.

    ``path`` is named in errors. Raises InputError on the first wrong field, which it names
    as a path such as ``lines[2].code`` (places count from 0, as in JSON).
    """
    return _Reader(path).claim(data)


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path

    def fail(self, field: str, value: object, mend: str) -> NoReturn:
        raise InputError(field, value, mend, path=self.path)

    def claim(self, data: object) -> ClaimView:
        root = self.mapping(
            data,
            "claim",
            ("patient", "service_date", "setting", "claim_type", "lines"),
            ("record", "admission_date"),
            prefix="",
        )
        person = self.mapping(root["patient"], "patient", ("sex", "birth_date"), ())
        sex = self.one_of(person["sex"], "patient.sex", get_args(Sex))
        birth = self.date(person["birth_date"], "patient.birth_date")
        on = self.date(root["service_date"], "service_date")
        if not FIRST_DAY <= on <= LAST_DAY:
            self.fail("service_date", on, f"the code tables cover {FIRST_DAY} to {LAST_DAY}")
        if birth > on:
            self.fail("patient.birth_date", birth, f"must not be after the service date {on}")
        if int(on[:4]) - int(birth[:4]) > 124:
            self.fail("patient.birth_date", birth, "the patient would be older than 124 years")
        setting = self.one_of(root["setting"], "setting", get_args(Setting))
        claim_type = self.one_of(root["claim_type"], "claim_type", get_args(ClaimType))
        admitted = self.admission(root.get("admission_date"), setting, birth, on)
        lines = self.lines(root["lines"])
        record = root.get("record")
        facts = None if record is None else self.record(record)
        return ClaimView(sex, birth, setting, claim_type, on, admitted, lines, facts, noted=False)

    def admission(self, value: object, setting: str, birth: str, on: str) -> str | None:
        if value is None:
            return None
        admitted = self.date(value, "admission_date")
        if setting != "inpatient":
            self.fail("admission_date", value, 'leave it out unless the setting is "inpatient"')
        if not birth <= admitted <= on:
            self.fail("admission_date", value, f"must lie between {birth} (birth) and {on}")
        return admitted

    def lines(self, value: object) -> list[Line]:
        items = self.array(value, "lines")
        if not items:
            self.fail("lines", value, "a claim needs at least one line")
        if len(items) > MAX_LINES:
            self.fail("lines", len(items), f"a claim holds at most {MAX_LINES} lines")
        return [self.line(item, i) for i, item in enumerate(items)]

    def line(self, value: object, i: int) -> Line:
        where = f"lines[{i}]"
        item = self.mapping(value, where, ("code",), ("modifiers", "units", "system"))
        raw = self.text(item["code"], f"{where}.code")
        # The raw text is tested: upper() makes an S of a long s and an I of a dotless i.
        # Codes compare without case, dots and plain blanks.
        code = raw.replace(" ", "").upper()
        bare = code.replace(".", "", 1)
        if not (raw.isascii() and bare.isalnum()) or len(bare) > 12:
            self.fail(
                f"{where}.code", raw, "a code is up to 12 plain letters and digits and one dot"
            )
        system = item.get("system")
        if system is not None:
            system = self.one_of(system, f"{where}.system", get_args(CodeSystem))
        modifiers = self.modifiers(item.get("modifiers", []), f"{where}.modifiers")
        if modifiers and system == "ICD-10-CM":
            self.fail(f"{where}.modifiers", modifiers, "a diagnosis code takes no modifiers")
        units = self.whole(item.get("units", 1), f"{where}.units", 1)
        return Line(i + 1, code, system or "", modifiers, units)

    def modifiers(self, value: object, where: str) -> list[str]:
        items = self.array(value, where)
        if len(items) > MAX_MODIFIERS:
            self.fail(where, value, f"a line holds at most {MAX_MODIFIERS} modifiers")
        found: list[str] = []
        for i, item in enumerate(items):
            raw = self.text(item, f"{where}[{i}]")
            modifier = raw.strip(" ").upper()
            if len(modifier) != 2 or not (raw.isascii() and modifier.isalnum()):
                self.fail(f"{where}[{i}]", item, "a modifier is two letters or digits")
            if modifier in found:
                self.fail(f"{where}[{i}]", item, "name each modifier of a line once")
            found.append(modifier)
        return found

    def record(self, value: object) -> list[Fact]:
        facts: list[Fact] = []
        ids: set[str] = set()
        items = self.array(value, "record")
        for i, item in enumerate(items):
            fact = self.fact(item, f"record[{i}]")
            if fact.id in ids:
                self.fail(f"record[{i}].id", fact.id, "another fact has that id")
            if fact.id:
                ids.add(fact.id)
            facts.append(fact)
        for i, fact in enumerate(facts):
            for j, other in enumerate(fact.about):
                if other not in ids:
                    self.fail(f"record[{i}].about[{j}]", other, "no fact has that id")
                if other == fact.id or other in fact.about[:j]:
                    told = "a fact is about other facts, each named once"
                    self.fail(f"record[{i}].about[{j}]", other, told)
        # Nothing names a fact without an id, but two of them must not be taken for one.
        for i, fact in enumerate(facts):
            if not fact.id:
                fact.id = f"record[{i}]"
                while fact.id in ids:
                    fact.id += "'"
                ids.add(fact.id)
        return facts

    def fact(self, value: object, where: str) -> Fact:
        optional = ("id", "status", "attributes", "about", "spans")
        item = self.mapping(value, where, ("kind", "term"), optional)
        kind = self.one_of(item["kind"], f"{where}.kind", get_args(FactKind))
        term = self.text(item["term"], f"{where}.term")
        status = self.one_of(item.get("status", "active"), f"{where}.status", get_args(FactStatus))
        about = [
            self.text(other, f"{where}.about[{j}]")
            for j, other in enumerate(self.array(item.get("about", []), f"{where}.about"))
        ]
        if kind == "relation":
            self.one_of(term, f"{where}.term", RELATIONS)
            if not about:
                self.fail(f"{where}.about", about, "a relation names the ids of its facts")
        elif kind == "sex":
            self.one_of(term, f"{where}.term", get_args(Sex))
        elif kind == "age" and not _is_age(term):
            self.fail(f"{where}.term", term, 'give whole years ("45") or days ("17 d")')
        attributes = self.attributes(item.get("attributes", {}), kind, f"{where}.attributes")
        spans = [
            self.span(span, f"{where}.spans[{j}]")
            for j, span in enumerate(self.array(item.get("spans", []), f"{where}.spans"))
        ]
        identity = item.get("id")
        identity = "" if identity is None else self.text(identity, f"{where}.id")
        return Fact(identity, kind, term, status, attributes, about, spans)  # type: ignore[arg-type]

    def attributes(self, value: object, kind: str, where: str) -> dict[str, str]:
        if not isinstance(value, dict):
            self.fail(where, value, "must be an object")
        found: dict[str, str] = {}
        for name, content in value.items():
            place = f"{where}.{name}"
            text = self.text(content, place)
            allowed: tuple[str, ...] | None = None
            if kind == "problem":
                allowed = ATTRIBUTES.get(name)
            elif kind == "relation" and name == "service":
                allowed = ()
            if allowed is None:
                self.fail(place, text, f"a {kind} fact has no such attribute")
            if allowed:
                self.one_of(text, place, allowed)
            if name == "weeks_ago" and not (text.isascii() and text.isdigit() and len(text) < 5):
                self.fail(place, text, 'give whole weeks ("3")')
            found[name] = text
        return found

    def span(self, value: object, where: str) -> Span:
        item = self.mapping(value, where, ("start", "end", "text"), ())
        start = self.whole(item["start"], f"{where}.start", 0)
        end = self.whole(item["end"], f"{where}.end", 1)
        text = self.text(item["text"], f"{where}.text")
        if end - start != len(text):
            self.fail(f"{where}.end", end, f"must be {start + len(text)} by start and text")
        return Span(start, end, text)

    def mapping(
        self,
        value: object,
        where: str,
        needed: tuple[str, ...],
        optional: tuple[str, ...],
        prefix: str | None = None,
    ) -> dict[str, object]:
        if not isinstance(value, dict):
            self.fail(where, value, "must be an object")
        front = f"{where}." if prefix is None else prefix
        names = needed + optional
        for name in value:
            if name not in names:
                self.fail(f"{front}{name}", value[name], f"unknown; known are {', '.join(names)}")
        for name in needed:
            if name not in value:
                self.fail(f"{front}{name}", None, "is missing")
        return value

    def array(self, value: object, where: str) -> list[object]:
        if not isinstance(value, list):
            self.fail(where, value, "must be a list")
        return value

    def text(self, value: object, where: str) -> str:
        if not isinstance(value, str) or not value.strip():
            self.fail(where, value, "must be text that is not empty")
        return value

    def one_of(self, value: object, where: str, allowed: tuple[str, ...]) -> str:
        if not isinstance(value, str) or value not in allowed:
            self.fail(where, value, f"must be one of {', '.join(allowed)}")
        return value

    def whole(self, value: object, where: str, least: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 10**9:
            self.fail(where, value, f"must be a whole number of at least {least}")
        return value

    def date(self, value: object, where: str) -> str:
        try:
            # fromisoformat also takes other spellings; only this one sorts by time.
            if isinstance(value, str) and date.fromisoformat(value).isoformat() == value:
                return value
        except ValueError:
            value = str(value)
        return self.fail(where, value, "must be a date of the calendar such as 2026-04-30")


def _is_age(term: str) -> bool:
    number = term[:-2] if term.endswith(" d") else term
    return number.isascii() and number.isdigit() and len(number) <= 3


def report_dict(report: Report) -> dict[str, object]:
    """The report as plain JSON values."""
    return asdict(report)


def render_report(report: Report, view: ClaimView) -> str:
    """The report as plain text, one block for errors, open points and what was not judged."""
    out = [_count(len(report.verdicts), "error") + ", " + _count(len(report.reviews), "review")]
    out[0] += f" on {_count(len(view.lines), 'line')}, date of service {view.service_date}"
    for verdict in report.verdicts:
        out.append("")
        out.append(f"ERROR  {verdict.error_type} ({verdict.kind})")
        out.append(f"  {verdict.message}")
        out.append(f"  mend: {_mend(verdict)}")
        if verdict.evidence:
            texts = "; ".join(f'"{span.text}"' for span in verdict.evidence)
            out.append(f"  evidence: {texts}")
        if verdict.questions:
            out.append(f"  physician's answers: {', '.join(verdict.questions)}")
        out.append(f"  authority: {verdict.authority.reference} ({verdict.authority.edition})")
    for review in report.reviews:
        out.append("")
        out.append(f"REVIEW  {review.kind}")
        out.append(f"  {review.message}")
        if review.authority is not None:
            out.append(f"  authority: {review.authority.reference} ({review.authority.edition})")
    if report.unjudged:
        out.append("")
        out.append("NOT JUDGED")
        out.extend(f"  {text}" for text in report.unjudged)
    return "\n".join(out) + "\n"


# Codes that stand for a diagnosis or service all the same; the chart tells which is meant.
_MEANT = frozenset(("incomplete", "retired", "not_yet_valid", "never_existed"))


def _mend(verdict: Verdict) -> str:
    fix = verdict.correction
    if fix.action == "replace":
        return f"replace {fix.code} by {fix.replacement}"
    if fix.action == "add_modifier":
        return f"add modifier {fix.replacement} to {fix.code}"
    if verdict.kind in _MEANT:
        return f"replace {fix.code} by the valid code that the chart supports, else remove it"
    if verdict.kind == "bundled" and "indicator 1" in verdict.authority.reference:
        return f"remove {fix.code}, or give the modifier if the chart tells of a separate service"
    return f"remove {fix.code}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
