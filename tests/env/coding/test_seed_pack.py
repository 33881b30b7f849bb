"""The three documented tasks: their values, and what the official tables say to them."""

from __future__ import annotations

import re
from datetime import date

import pytest

from casegen.conform import conform
from casegen.env.caseform import fault_of
from casegen.env.coding.case import case_of
from casegen.env.packs import pack
from casegen.knowledge import reference
from casegen.schemas.coding_case import CodingCase
from casegen.schemas.pack import Task

from .conftest import DOCUMENTED, EASY, HARD, MEDIUM

# As the document has them: difficulty, primary code, secondary codes, review, attempts.
ANSWERS = {
    EASY: ("easy", "E11.9", ["Z79.84"], False, 5),
    MEDIUM: ("medium", "I12.9", ["N18.30"], False, 6),
    HARD: ("hard", "R07.9", ["R94.31"], True, 8),
}
EVERY = pytest.mark.parametrize("task_id", DOCUMENTED)


def task(task_id: str) -> Task:
    return pack("coding-seed-v1").task_by_id(task_id)


def case(task_id: str) -> CodingCase:
    return case_of(task(task_id))


def test_the_pack_holds_the_three_tasks_in_their_order_with_the_dense_rewards() -> None:
    found = pack("coding-seed-v1")
    assert [one.id for one in found] == list(DOCUMENTED)
    assert {(one.profile, one.family, one.pack) for one in found} == {
        ("seed", "coding", "coding-seed-v1")
    }


@EVERY
def test_a_task_has_the_documented_values(task_id: str) -> None:
    difficulty, primary, secondary, review, steps = ANSWERS[task_id]
    one = case(task_id)
    assert (one.difficulty, one.max_steps) == (difficulty, steps)
    assert one.primary.code == primary
    assert [gold.code for gold in one.secondary] == secondary
    assert one.needs_review is review


@EVERY
def test_a_task_is_of_the_form_of_a_case(task_id: str) -> None:
    conform(case(task_id))
    assert fault_of(case(task_id)) is None


@EVERY
def test_the_allowed_codes_are_valid_sorted_and_named_as_the_tables_do(task_id: str) -> None:
    tables, _ = reference()
    one = case(task_id)
    codes = [allowed.code for allowed in one.allowed]
    assert codes == sorted(codes)
    assert len(codes) >= max(6, 2 * len(one.gold()))
    for allowed in one.allowed:
        assert tables.status(allowed.code, one.encounter.service_date) == "valid"
        assert tables.title(allowed.code) == allowed.title


@EVERY
def test_each_allowed_code_is_right_accepted_or_wrong_for_a_reason(task_id: str) -> None:
    one = case(task_id)
    right = {code for gold in one.gold() for code in (gold.code, *gold.equivalents)}
    accepted = {code for gold in one.gold() for code in gold.alternates}
    wrong = {code.code for code in one.wrong}
    assert right | accepted | wrong == {allowed.code for allowed in one.allowed}
    assert not (right & accepted or right & wrong or accepted & wrong)
    for told in (*one.gold(), *one.wrong):
        assert told.reason.endswith(".")
        assert told.authority.reference
    assert all(gold.evidence for gold in one.gold())
    for code in one.wrong:
        assert code.evidence or code.kind == "not_documented"


@EVERY
def test_no_codes_of_the_answer_exclude_each_other(task_id: str) -> None:
    tables, _ = reference()
    codes = [gold.code for gold in case(task_id).gold()]
    for first in codes:
        for second in codes:
            assert first == second or not tables.excludes1(first, second)


@EVERY
def test_a_text_has_sixty_words_or_more_and_tells_date_age_and_sex_first(task_id: str) -> None:
    one = case(task_id)
    head, _, rest = one.note.partition("\n\n")
    assert 60 <= len(rest.split()) <= 400
    born = date.fromisoformat(one.patient.birth_date)
    seen = date.fromisoformat(one.encounter.service_date)
    age = seen.year - born.year - ((seen.month, seen.day) < (born.month, born.day))
    assert f"{age} years old" in head
    assert one.encounter.service_date in head
    assert ("Woman" if one.patient.sex == "female" else "Man") in head


@EVERY
def test_neither_text_nor_hints_name_a_code_of_the_answer(task_id: str) -> None:
    one = case(task_id)
    told = " ".join([one.note, one.objective, *one.hints])
    assert not re.search(r"\b[A-TV-Z]\d\d(\.[0-9A-Z]+)?\b", told)
    assert not re.search(r"(?i)excludes|icd|guideline", told)
    assert 2 <= len(one.hints) <= 3
    for gold in one.gold():
        title = next(allowed.title for allowed in one.allowed if allowed.code == gold.code)
        assert not any(title.casefold() in hint.casefold() for hint in one.hints)


@EVERY
def test_each_span_stands_verbatim_in_the_text(task_id: str) -> None:
    one = case(task_id)
    spans = [s for told in (*one.gold(), *one.wrong) for s in told.evidence]
    spans += [span for fact in one.record for span in fact.spans]
    spans += one.review.evidence if one.review is not None else []
    assert spans
    for span in spans:
        assert one.note[span.start : span.end] == span.text


def test_the_notes_on_the_tables_are_those_of_the_tables() -> None:
    """What the authorities cite stands in the tabular list."""
    tables, _ = reference()
    for code, kind, words in (
        ("E11.9", "use_additional", "oral hypoglycemic drugs (Z79.84)"),
        ("I12.9", "use_additional", "stage of chronic kidney disease (N18.1-N18.4, N18.9)"),
    ):
        notes = [note.text for note in tables.notes_of(code) if note.kind == kind]
        assert any(words in text for text in notes)
    assert tables.excludes1("R73.03", "E11.9")


def test_stage_3_of_the_kidneys_is_told_as_the_documented_answer_has_it() -> None:
    """N18.30 is stage 3 without a or b; a text of stage 3a would call for N18.31."""
    tables, _ = reference()
    assert tables.title("N18.30") == "Chronic kidney disease, stage 3 unspecified"
    assert tables.title("N18.31") == "Chronic kidney disease, stage 3a"
    assert not re.search(r"3 ?[ab]|eGFR|GFR|mL/min", case(MEDIUM).note)
    note = task(MEDIUM).reference_note
    assert note is not None and "N18.31" in note


def test_the_work_up_that_is_open_is_why_the_last_task_is_for_review() -> None:
    review = case(HARD).review
    assert review is not None
    assert review.kind == "open_workup"
    assert any("outstanding" in span.text for span in review.evidence)
    assert {wrong.kind for wrong in case(HARD).wrong if wrong.code in ("I20.0", "I24.9")} == {
        "uncertain"
    }
