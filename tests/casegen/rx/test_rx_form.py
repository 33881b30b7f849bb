"""What an rx case looks like: head, lists, record, answer and where they come from."""

from __future__ import annotations

import pickle
import re
from datetime import date
from decimal import Decimal

import pytest

import casegen
from casegen.config import DIFFICULTIES, RxConfig, config_from_options, options_of
from casegen.rx.generator import born
from casegen.rx.levels import levels
from casegen.rx.write import aged
from casegen.schemas import InputError, RxCase
from casegen.seeds.rx.recommending import recommend

COUNT = 160


@pytest.fixture(scope="module")
def cases() -> list[RxCase]:
    found = list(casegen.make("rx-v0", seed=3).cases(0, COUNT))
    return found + list(casegen.make("rx-v0", seed=3, difficulty="expert").cases(0, COUNT // 2))


def test_a_difficulty_is_one_task_with_its_steps() -> None:
    steps = {"dosage_check": 2, "interaction_check": 4, "full_validation": 6}
    for name in DIFFICULTIES:
        for case in casegen.make("rx-v0", seed=3, difficulty=name).cases(0, 12):
            assert case.task == levels()[name].task
            assert case.max_steps == steps[case.task]


def test_the_head_tells_the_prescription_and_who_it_is_for(cases: list[RxCase]) -> None:
    for case in cases:
        head = case.note.split("\n\n")[0]
        one = case.prescription
        assert case.patient.name in head
        assert one.drug in head
        assert one.dose in head
        assert one.frequency in head
        assert one.indication in head
        assert case.encounter.service_date in head
        assert case.patient.insurance not in case.note
        assert case.patient.mrn not in case.note


def test_every_fact_but_age_and_sex_is_a_line_of_its_list(cases: list[RxCase]) -> None:
    for case in cases:
        lists = {
            "allergies": case.allergies,
            "medications": case.medications,
            "conditions": case.conditions_listed,
        }
        for fact in case.record:
            (span,) = fact.spans
            assert case.note[span.start : span.end] == span.text
            assert (fact.source == "shown") == (fact.kind in ("sex", "age"))
            if fact.source != "shown":
                assert span in lists[fact.source]
        told = [span for fact in case.record for span in fact.spans]
        for name, spans in lists.items():
            assert spans
            unsaid = [span.text for span in spans if span not in told]
            assert len(unsaid) <= 1, name


def test_no_line_shows_a_slot_or_a_blank_too_many(cases: list[RxCase]) -> None:
    for case in cases:
        assert not re.search(r"[{}]|  [a-z]| ,|\(\)|\bNone [a-z]*:", case.note), case.note


def test_age_and_sex_are_those_of_the_patient_on_the_day(cases: list[RxCase]) -> None:
    for case in cases:
        on = date.fromisoformat(case.encounter.service_date)
        birth = date.fromisoformat(case.patient.birth_date)
        months = (on.year - birth.year) * 12 + on.month - birth.month - (on.day < birth.day)
        facts = {fact.kind: fact.term for fact in case.record if fact.source == "shown"}
        assert facts == {"sex": case.patient.sex, "age": str(months)}
        age, who = aged(months, case.patient.sex)
        assert f"{age} {who}" in case.note


@pytest.mark.parametrize("on", ["2026-03-31", "2026-05-31", "2026-08-30", "2026-09-01"])
@pytest.mark.parametrize("days", [0, 1, 14, 27])
@pytest.mark.parametrize("months", [1, 3, 11, 12, 25, 215, 216, 900])
def test_a_birthday_gives_the_completed_months(on: str, days: int, months: int) -> None:
    day = date.fromisoformat(on)
    birth = born(day, months, days)
    past = (day.year - birth.year) * 12 + day.month - birth.month - (day.day < birth.day)
    assert past == months


def test_there_is_at_most_half_as_much_to_find_as_entries(cases: list[RxCase]) -> None:
    for case in cases:
        pairs = sum(one.component != "dose" for one in case.findings)
        entries = len(case.allergies) + len(case.medications) + len(case.conditions_listed)
        assert 2 * (pairs + (not case.dosage_safe)) <= 1 + entries


def test_the_answer_follows_from_the_findings(cases: list[RxCase]) -> None:
    for case in cases:
        assert case.recommendation == recommend(one.asks for one in case.findings)
        assert case.dosage_safe == all(one.component != "dose" for one in case.findings)
        assert case.rationale.startswith(case.recommendation) or not case.findings
        for finding in case.findings:
            assert finding.evidence
            assert finding.authority
            assert bool(finding.names) == (finding.component != "dose")
        for decoy in case.decoys:
            assert decoy.authority
            assert decoy.reason
        if case.also_accepted:
            assert any(decoy.kind == "disputed" for decoy in case.decoys)


def test_a_task_looks_for_its_components_only(cases: list[RxCase]) -> None:
    sought = {
        "dosage_check": {"dose"},
        "interaction_check": {"dose", "interaction", "allergy"},
        "full_validation": {"dose", "interaction", "allergy", "contraindication"},
    }
    for case in cases:
        assert {one.component for one in case.findings} <= sought[case.task]
        assert {one.component for one in case.decoys} <= sought[case.task]


def test_pounds_are_told_in_the_note_and_exact_kilograms_in_the_record() -> None:
    seen = 0
    for case in casegen.make("rx-v0", seed=5).cases(0, 250):
        for fact in case.record:
            if fact.kind == "weight" and re.search(r"\d+ (?:lb|pounds)\b", fact.spans[0].text):
                pounds = re.search(r"(\d+) (?:lb|pounds)\b", fact.spans[0].text)
                assert pounds is not None
                assert Decimal(fact.term) == Decimal(pounds[1]) * Decimal("0.45359237")
                seen += 1
    assert seen


def test_public_tells_nothing_of_the_answer(cases: list[RxCase]) -> None:
    for case in cases:
        assert set(case.public()) == {"max_steps", "task", "prescription", "patient"}


def test_a_generator_survives_the_way_to_another_process() -> None:
    generator = casegen.make("rx-v0", seed=9, difficulty="hard", safe=0.5)
    again = pickle.loads(pickle.dumps(generator))
    assert again[5] == generator[5]
    assert again.options == {"difficulty": "hard", "safe": "0.5"}


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_share_of_safe_prescriptions_can_be_set(share: float) -> None:
    cases = casegen.make("rx-v0", seed=3, safe=share).cases(0, 30)
    assert {not case.findings for case in cases} == {bool(share)}


def test_dates_can_be_asked_for() -> None:
    window = {"first_date": "2026-05-01", "last_date": "2026-05-03"}
    for case in casegen.make("rx-v0", seed=3, **window).cases(0, 20):
        assert "2026-05-01" <= case.encounter.service_date <= "2026-05-03"
        assert case.options == window
        for fact in case.record:
            assert fact.attributes.get("date", "") <= case.encounter.service_date


@pytest.mark.parametrize("safe", [-0.1, 1.1, "half", True, float("nan")])
def test_a_wrong_share_is_named(safe: object) -> None:
    with pytest.raises(InputError) as told:
        RxConfig(safe=safe)  # type: ignore[arg-type]
    assert told.value.field == "safe"


def test_settings_of_the_encounter_are_none_of_this_family() -> None:
    with pytest.raises(InputError) as told:
        casegen.make("rx-v0", seed=3, settings=("office",))
    assert told.value.field == "settings"


@pytest.mark.parametrize(
    "config", [{}, {"safe": 0.5}, {"difficulty": "easy"}, {"last_date": "2026-05-01", "safe": 0.0}]
)
def test_options_tell_the_whole_recipe(config: dict[str, object]) -> None:
    made = RxConfig(**config)  # type: ignore[arg-type]
    assert config_from_options(options_of(made), RxConfig) == made
