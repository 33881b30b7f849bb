"""The reasons of right and wrong codes are true of the record that they speak of."""

from __future__ import annotations

import re

import pytest

import casegen
from casegen.knowledge import reference
from casegen.schemas import CodingCase
from casegen.seeds import coding

from .charts import charts

CARED_FOR = "present and cared for"
# By the beginnings of codes, the section that speaks of such codes.
SECTIONS = {
    ("Z20", "Z77"): "I.C.21.c.1",
    ("Z80", "Z82", "Z83", "Z86.010", "Z87"): "I.C.21.c.4",
    ("Z89", "Z93", "Z94", "Z95", "Z96", "Z97", "Z98"): "I.C.21.c.3",
    ("Z55", "Z56", "Z59", "Z60", "Z62", "Z63", "Z65"): "I.C.21.c.17",
    ("I25.2",): "I.C.9.e.1",
}
NEVER_CARED_FOR = ("Z20", "Z5", "Z6", "Z77", "Z8", "Z9", "I25.2")


@pytest.fixture(scope="module")
def cases() -> list[CodingCase]:
    return list(casegen.make("coding-v0", seed=7).cases(0, 900))


def test_status_history_and_circumstances_have_sections_of_their_own(
    cases: list[CodingCase],
) -> None:
    seen = set()
    for case in cases:
        for one in case.secondary:
            assert not (one.code.startswith(NEVER_CARED_FOR) and CARED_FOR in one.reason), one
            for starts, section in SECTIONS.items():
                if one.code.startswith(starts) and one.authority.source == "guideline":
                    seen.add(section)
                    told = one.authority.reference.removeprefix("section ").partition(",")[0]
                    assert told == section or one.code.startswith("Z86.73"), one
    assert seen == set(SECTIONS.values())


def test_screenings_and_what_they_find_rest_on_their_section() -> None:
    found = 0
    for _, case in charts("screening", count=80):
        if case.primary.code.startswith("Z12"):
            assert case.primary.authority.reference == "section I.C.21.c.5"
        # What stands beside the screening was not found there, whatever its code.
        there = {fact.about[0] for fact in case.record if fact.term == "found_by"}
        spans = [fact.spans for fact in case.record if fact.id in there]
        for one in case.secondary:
            if one.code.startswith(("K57.30", "N63", "K63.5")) and one.evidence in spans:
                found += 1
                assert one.authority.reference == "section I.C.21.c.5"
    assert found >= 10


def test_a_code_first_note_puts_a_code_behind(cases: list[CodingCase]) -> None:
    found = 0
    for case in cases:
        for one in case.gold():
            if one.authority.reference.startswith("code first note"):
                found += 1
                assert "a code first note puts it after" in one.reason
            else:
                # The anemia of a kidney disease, conditions of bones and joints in others.
                assert not one.code.startswith(("D63.1", "M90.8", "M14.8")), one
    assert found >= 5


def test_the_objective_states_the_rule_on_work_ups(cases: list[CodingCase]) -> None:
    rule = (
        "A suspected diagnosis that still awaits its test when the record ends is to be flagged "
        "for review."
    )
    assert all(rule in case.objective for case in cases)
    why = coding.read("sentences.yaml")["reviews"]["open_workup"]["why"]
    assert "the rule of the task" in why


def test_an_excerpt_without_a_plan_points_to_none(cases: list[CodingCase]) -> None:
    points = re.compile(
        r"(?:own entry in|set out in|see|its own) (?:the )?plan|the plan for it is given"
    )
    for case in cases:
        assert not points.search(case.note), case.id


def test_another_form_is_told_only_where_the_record_names_one(cases: list[CodingCase]) -> None:
    tables, _ = reference()
    seen = 0
    for case in cases:
        for one in case.wrong:
            if one.reason.startswith("It names another form"):
                seen += 1
                assert one.gold is not None
                assert not one.code.startswith(("R", "Z"))
                assert "unspecified" not in tables.title(one.gold).lower()
                assert " NOS" not in tables.title(one.gold)
    assert seen >= 50


def test_what_a_symptom_belongs_to_and_what_a_note_parts_is_told_of_in_the_record(
    cases: list[CodingCase],
) -> None:
    seen = {"integral_symptom": 0, "excludes1": 0}
    for case in cases:
        problems = [fact for fact in case.record if fact.kind == "problem"]
        for one in case.wrong:
            if one.kind in seen:
                seen[one.kind] += 1
                own = [f for f in problems if all(s in one.evidence for s in f.spans)]
                assert own, (case.id, one)
    assert min(seen.values()) >= 20


def test_a_symptom_that_the_record_does_not_tell_of_is_not_documented(
    cases: list[CodingCase],
) -> None:
    told = coding.read("symptoms.yaml")["told"]
    seen = 0
    for case in cases:
        words = [s.text for fact in case.record if fact.kind == "problem" for s in fact.spans]
        for one in case.wrong:
            if "often goes with" not in one.reason:
                continue
            seen += 1
            assert one.kind == "not_documented"
            assert not one.evidence
            for start, how in told.items():
                if one.code.startswith(start):
                    assert not re.search(rf"\b(?:{how})", "\n".join(words), re.I), (case.id, one)
    assert seen >= 50


def test_every_symptom_of_a_disease_has_words_that_tell_of_it() -> None:
    table = coding.read("symptoms.yaml")
    for row in table["symptoms"]:
        for code in row["symptoms"]:
            assert any(code.startswith(start) for start in table["told"]), code


def test_a_stay_shows_what_was_done_for_each_problem() -> None:
    plan = re.compile(r"^[^\n.]*(?:plan|treatment|course)", re.IGNORECASE | re.MULTILINE)
    generator = casegen.make("coding-v0", seed=7, settings=("inpatient",))
    for case in generator.cases(0, 60):
        assert plan.search(case.note), case.id


def test_texts_that_are_left_out_stand_in_no_case(cases: list[CodingCase]) -> None:
    for row in coding.read("left_out.yaml")["texts"]:
        assert row["why"]
        assert not [case.id for case in cases if row["text"].replace("{he}", "she") in case.note]


def test_what_a_screening_finds_was_not_told_of_before() -> None:
    seen = 0
    for _, case in charts("screening", count=80):
        found = {f.about[0] for f in case.record if f.term == "found_by"}
        reason = next(f for f in case.record if f.term == "reason")
        names = [f for f in case.record if f.id in found]
        for fact in names:
            seen += 1
            for span in fact.spans:
                inside = any(o.start <= span.start < o.end for o in reason.spans)
                assert not inside or fact.id in reason.about, case.id
    assert seen >= 10
