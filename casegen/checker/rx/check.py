"""Judge a prescription in the record of a patient."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from casegen.schemas.rx_case import Prescription, Recommendation, RxFact
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import Drug
from casegen.seeds.rx.recommending import asks_for, recommend

from . import (
    ages,
    allergies,
    combined,
    conditions,
    doses,
    duplicates,
    interactions,
    notation,
    pregnancy,
)
from .forbidding import settle
from .lookup import drug_of
from .model import Open, Report, Verdict, Work, cite
from .patient import read_patient
from .unknown import unknown_drug
from .written import Unread, read_dose, read_frequency

_ROUTES = {
    "po": "oral", "by mouth": "oral", "p.o.": "oral", "orally": "oral", "iv": "intravenous",
    "im": "intramuscular", "subcut": "subcutaneous", "sc": "subcutaneous", "sq": "subcutaneous",
    "sub q": "subcutaneous", "subq": "subcutaneous", "sl": "sublingual", "pr": "rectal",
    "inhalation": "inhaled", "by inhalation": "inhaled", "intranasal": "nasal",
    "patch": "transdermal", "eye": "ophthalmic", "pv": "vaginal",
}  # fmt: skip
_FORMS = {"tab": "tablet", "tabs": "tablet", "tablets": "tablet", "cap": "capsule",
          "caps": "capsule", "capsules": "capsule", "er tablet": "extended-release tablet",
          "er capsule": "extended-release capsule", "patches": "patch"}  # fmt: skip
# Forms that are given by one route.
_BY_FORM = {"tablet": "oral", "capsule": "oral", "patch": "transdermal", "inhaler": "inhaled",
            "nasal spray": "nasal", "suppository": "rectal"}  # fmt: skip
_ORDER = ("dose", "interaction", "allergy", "contraindication")


def check(
    prescription: Prescription,
    record: Sequence[RxFact],
    on: date,
    rx: Rx | None = None,
    *,
    begun_told: bool = True,
) -> Report:
    """All that is wrong with a prescription in this record, by the drug knowledge alone.

    ``on`` is the date of the prescription: facts that the record dates later are not read. The
    whole record is judged, whatever the task of a case looks for.
    ``begun_told``: whether it is told that the prescription is new; else no first dose is judged.
    """
    rx = rx or load()
    facts = [fact for fact in record if fact.attributes.get("date", "") <= on.isoformat()]
    patient = read_patient(facts, rx)
    drug, strength = drug_of(rx, prescription.drug)
    if drug is None:
        return _report([*_notations(rx, prescription), unknown_drug(prescription)], [], [])
    work = Work(
        rx, prescription, drug, _route(prescription, drug), _form(prescription, drug), None, None,
        patient, begun_told=begun_told,
    )  # fmt: skip
    _read(work, strength)
    notation.find_notation(work)
    if not notation.find_unit(work):
        doses.find(work)
        combined.find(work)
    interactions.find(work)
    duplicates.find(work)
    allergies.find(work)
    conditions.find(work)
    ages.find(work)
    pregnancy.find(work)
    settle(work)
    if any(one.problem == "age" for one in work.findings):
        # Who is too young or too old for a drug needs no dose of it.
        work.open = [one for one in work.open if one.component != "dose" or not one.decides]
    for text in patient.unread:
        work.leave("interaction", text, "this entry of the record can't be read")
    also: list[Recommendation] = [one.also for one in work.watches if one.also]
    return _report(work.findings, work.watches, work.open, work.also + also)


def _read(work: Work, strength: str) -> None:
    """Dose and frequency as written; what can't be read is left open."""
    written = work.written
    dose = read_dose(written.dose, work.drug, work.form, strength)
    if isinstance(dose, Unread):
        work.leave("dose", written.dose, dose.why)
    else:
        work.dose = dose
    if written.frequency:
        work.frequency = read_frequency(written.frequency)
        if work.frequency is None:
            work.leave("dose", written.frequency, "how often can't be read")
    elif work.dose is not None:
        work.frequency = work.dose.often
        if work.frequency is None:
            work.leave("dose", work.drug.id, "how often is not told")


def _route(prescription: Prescription, drug: Drug) -> str:
    told = prescription.route.strip().casefold()
    if told:
        return _ROUTES.get(told, told)
    if len(drug.routes) == 1:
        return drug.routes[0]
    form = prescription.form.strip().casefold()
    form = _FORMS.get(form, form)
    return next((r for end, r in _BY_FORM.items() if form.endswith(end) and r in drug.routes), "")


def _form(prescription: Prescription, drug: Drug) -> str:
    """The form as the knowledge calls it, "" where it is not told or another."""
    told = prescription.form.strip().casefold()
    told = _FORMS.get(told, told)
    forms = {one.form for one in drug.strengths} | {one.form for one in drug.doses}
    if told in forms:
        return told
    marketed = {one.form for one in drug.strengths}
    return next(iter(marketed)) if not told and len(marketed) == 1 else ""


def _notations(rx: Rx, prescription: Prescription) -> list[Verdict]:
    """Error-prone notation beside a name that nobody knows."""
    found = notation.notation_of(rx, prescription)
    if not found:
        return []
    return [
        Verdict(
            "dose", "notation", [prescription.drug], [], "moderate",
            asks_for("dose", "notation"), "the dose may be misread",
            "write " + "; ".join(dict.fromkeys(one[2] for one in found)),
            "; ".join(f"{one[0]}: {one[1]}" for one in found),
            cite(by for one in found for by in one[3]), "", [],
        )
    ]  # fmt: skip


def _report(
    findings: list[Verdict],
    watches: list,  # type: ignore[type-arg]
    left: list[Open],
    also: Sequence[Recommendation] = (),
) -> Report:
    findings = sorted(findings, key=lambda one: _ORDER.index(one.component))
    advice = recommend(one.asks for one in findings)
    strictness = ("approve", "modify", "reject")
    accepted = [
        one for one in dict.fromkeys(also) if strictness.index(one) > strictness.index(advice)
    ]
    return Report(
        findings, watches, left, all(one.component != "dose" for one in findings), advice,
        accepted, _rationale(findings, advice),
    )  # fmt: skip


def _rationale(findings: list[Verdict], advice: Recommendation) -> str:
    if not findings:
        return "nothing is found, so approve"
    asking = [one for one in findings if one.asks == advice]
    told = "; ".join(one.reason for one in asking)
    return f"{advice}, since {told}"
