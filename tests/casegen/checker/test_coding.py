"""The answer of a coding case, derived from records written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from casegen.checker import ClaimView
from casegen.checker.coding import Answer, derive
from casegen.knowledge import reference
from casegen.schemas import Fact, Span

PRESSURE = "Essential (primary) hypertension"
DIABETES = "Type 2 diabetes mellitus without complications"
KIDNEY = "Chronic kidney disease, stage 3a"
FAILURE = "Chronic systolic (congestive) heart failure"
COUGH, FEVER = "Acute cough", "Fever, unspecified"
PNEUMONIA = "Pneumonia, unspecified organism"
KNEE = "Unilateral primary osteoarthritis of knee"


@dataclass
class Chart:
    """A record in the making."""

    setting: str = "office"
    facts: list[Fact] = field(default_factory=list)

    def _add(self, kind: str, term: str, status: str, about: list[str], **attributes: str) -> str:
        name = f"f{len(self.facts)}"
        spans = [Span(len(self.facts), len(self.facts) + 1, "x")]
        fact = Fact(name, kind, term, status, attributes, about, spans)  # type: ignore[arg-type]
        self.facts.append(fact)
        return name

    def has(self, term: str, status: str = "active", **attributes: str) -> str:
        return self._add("problem", term, status, [], **attributes)

    def says(self, relation: str, *about: str) -> Chart:
        self._add("relation", relation, "active", list(about))
        return self

    def answer(self) -> Answer:
        stay = self.setting == "inpatient"
        view = ClaimView(
            "female", "1960-01-01", self.setting, "facility" if stay else "professional",
            "2026-05-10", "2026-05-05" if stay else None, [], self.facts,
        )  # fmt: skip
        return derive(view, *reference())


def test_what_the_encounter_is_for_goes_first() -> None:
    chart = Chart()
    chart.has(PRESSURE)
    knee = chart.has(KNEE, side="left")
    answer = chart.says("reason", knee).answer()
    assert set(answer.codes) == {"I10", "M17.12"}
    assert answer.primary == "M17.12"


def test_without_a_reason_nothing_goes_first() -> None:
    chart = Chart()
    chart.has(PRESSURE)
    assert chart.answer().primary is None
    knee = chart.has(KNEE, side="left")
    assert chart.says("reason", knee).says("reason", "f0").answer().primary is None


def test_a_combination_stands_for_the_part_that_one_comes_for() -> None:
    chart = Chart()
    pressure = chart.has(PRESSURE)
    chart.has(KIDNEY)
    assert chart.says("reason", pressure).answer().primary == "I12.9"


def test_heart_failure_that_one_comes_for_stands_behind_its_combination() -> None:
    chart = Chart()
    chart.has(PRESSURE)
    failure = chart.has(FAILURE)
    answer = chart.says("reason", failure).answer()
    assert set(answer.codes) == {"I11.0", "I50.22"}
    assert answer.primary == "I11.0"


def test_of_two_combinations_before_a_stage_neither_is_the_first() -> None:
    chart = Chart()
    chart.has(PRESSURE)
    chart.has(DIABETES)
    stage = chart.has(KIDNEY)
    answer = chart.says("reason", stage).answer()
    assert set(answer.codes) == {"I12.9", "E11.22", "N18.31"}
    assert answer.primary is None


@pytest.mark.parametrize(("setting", "first"), [("office", "R05.1"), ("inpatient", "J18.9")])
def test_a_probable_pneumonia_goes_first_at_discharge_alone(setting: str, first: str) -> None:
    chart = Chart(setting)
    cough, fever = chart.has(COUGH), chart.has(FEVER)
    probable = chart.has(PNEUMONIA, "uncertain")
    chart.says("integral", probable, cough, fever)
    answer = chart.says("reason", cough).answer()
    assert answer.primary == first
    assert not answer.reviews


def test_an_etiology_goes_before_the_dementia_that_one_comes_for() -> None:
    chart = Chart()
    chart.has("Alzheimer's disease, unspecified")
    dementia = chart.has(
        "Dementia in other diseases classified elsewhere, moderate, without behavioral "
        "disturbance, psychotic disturbance, mood disturbance, and anxiety"
    )
    assert chart.says("reason", dementia).answer().primary == "G30.9"


def test_pregnancy_goes_before_whatever_one_comes_for() -> None:
    chart = Chart()
    chart.has("Pre-existing essential hypertension complicating pregnancy")
    chart.has("20 weeks gestation of pregnancy")
    knee = chart.has(KNEE, side="right")
    answer = chart.says("reason", knee).answer()
    assert answer.primary == "O10.012"


@pytest.mark.parametrize(
    ("term", "first"),
    [
        ("Poisoning by beta-adrenoreceptor antagonists, accidental (unintentional)", "T44.7X1A"),
        ("Adverse effect of beta-adrenoreceptor antagonists", "R00.1"),
        ("Underdosing of beta-adrenoreceptor antagonists", "R00.1"),
    ],
)
def test_a_poisoning_goes_first_and_other_harm_of_drugs_behind(term: str, first: str) -> None:
    chart = Chart()
    pulse, drug = chart.has("Bradycardia, unspecified"), chart.has(term, phase="active")
    chart.says("due_to", pulse, drug)
    assert chart.says("reason", pulse).answer().primary == first


def test_what_an_injury_left_goes_before_it() -> None:
    chart = Chart()
    bent = chart.has("Unspecified acquired deformity of right forearm")
    old = chart.has("Unspecified fracture of the lower end of right radius", phase="sequela")
    answer = chart.says("due_to", bent, old).says("reason", old).answer()
    assert set(answer.codes) == {"M21.931", "S52.501S"}
    assert answer.primary == "M21.931"


def test_a_side_is_open_only_where_no_side_is_named() -> None:
    for sides, fits in (({}, True), ({"side": "left"}, False)):
        chart = Chart()
        knee = chart.has(KNEE, **sides)
        answer = chart.says("reason", knee).says("open_side", knee).answer()
        assert bool(answer.reviews) and bool(answer.unsettled) != fits


def test_a_work_up_is_open_only_while_the_diagnosis_is_uncertain() -> None:
    for status, fits in (("uncertain", True), ("active", False)):
        chart = Chart("emergency")
        cough, lungs = chart.has(COUGH), chart.has(PNEUMONIA, status)
        answer = chart.says("reason", cough).says("open_workup", lungs, cough).answer()
        assert bool(answer.unsettled) != fits


def test_a_tumor_of_which_nobody_says_if_it_is_treated_is_not_coded() -> None:
    chart = Chart()
    knee = chart.has(KNEE, side="left")
    tumor = chart.has("Malignant neoplasm of prostate")
    answer = chart.says("reason", knee).says("treatment_unclear", tumor).answer()
    assert set(answer.codes) == {"M17.12"}
    assert [fact.term for fact in answer.reviews] == ["treatment_unclear"]
    assert not answer.unsettled


def test_a_wording_with_several_codes_settles_nothing() -> None:
    chart = Chart()
    knee = chart.has(KNEE, side="left")
    chart.has("Pre-existing essential hypertension complicating pregnancy")
    assert chart.says("reason", knee).answer().unsettled


def test_a_record_is_needed() -> None:
    view = ClaimView("male", "1960-01-01", "office", "professional", "2026-05-10", None, [], None)
    with pytest.raises(ValueError, match="record"):
        derive(view, *reference())
