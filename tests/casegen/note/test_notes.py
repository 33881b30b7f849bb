"""What a reader of the notes may rely on."""

from __future__ import annotations

import re

import pytest

import casegen
from casegen.schemas import Case

COUNT = 500


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(casegen.make("audit-v0", seed=20261130).cases(0, COUNT))


def test_a_note_keeps_to_the_pronouns_of_its_patient(cases: list[Case]) -> None:
    wrong = {
        "female": re.compile(r"\b(?:he|his|him)\b", re.I),
        "male": re.compile(r"\bshe\b", re.I),
    }
    for case in cases:
        found = wrong[case.patient.sex].search(case.note)
        assert found is None, (
            f"{case.id}: {case.note[max(0, found.start() - 60) : found.end() + 30]}"
        )


def test_the_phase_of_care_is_said_in_words_of_its_own(cases: list[Case]) -> None:
    """A seventh character rests on more than the name of the injury."""
    seen = 0
    for case in cases:
        hidden = {question.fact for question in case.questions}
        for fact in case.record:
            if fact.kind != "problem" or "phase" not in fact.attributes or fact.id in hidden:
                continue
            if fact.term.startswith(("Y92", "Y93")) or fact.id.startswith("a"):
                continue  # An external cause has the phase of its injury.
            seen += 1
            longest = max(fact.spans, key=lambda span: len(span.text)).text
            shortest = min(fact.spans, key=lambda span: len(span.text)).text
            assert len(longest.split()) > len(shortest.split()) or len(fact.spans) == 1, case.id
    assert seen > 50


def test_a_note_never_says_what_to_code(cases: list[Case]) -> None:
    code = re.compile(r"\b[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}\b|\bICD|\bCPT\b|Excludes1|\bNCCI\b")
    for case in cases:
        assert code.search(case.note) is None, case.id
        for line in case.claim:
            if "." in line.code:
                assert line.code not in case.note, case.id


def test_every_fact_of_a_record_is_stated_where_it_says(cases: list[Case]) -> None:
    for case in cases:
        for fact in case.record:
            assert fact.spans, case.id
            for span in fact.spans:
                assert case.note[span.start : span.end] == span.text, case.id


def test_a_note_leaves_no_slot_open(cases: list[Case]) -> None:
    for case in cases:
        assert "{" not in case.note and "}" not in case.note and "\x00" not in case.note, case.id


def test_no_word_hangs_on_a_missing_side(cases: list[Case]) -> None:
    for case in cases:
        assert not re.search(r"(?:^|\s)-sided", case.note), case.id


@pytest.mark.parametrize("version", ["audit-v0", "coding-v0"])
def test_what_caused_an_injury_is_told_right_behind_that_injury(version: str) -> None:
    seen = 0
    for case in casegen.make(version, seed=31).cases(0, 400):
        starts = [
            (span.start, "phase" in fact.attributes)
            for fact in case.record
            if fact.kind == "problem" and fact.id.startswith("p")
            for span in fact.spans
        ]
        for fact in case.record:
            if not fact.id.startswith("a") or "phase" not in fact.attributes or not fact.spans:
                continue
            hidden = [q for q in getattr(case, "questions", ()) if q.fact.startswith("p")]
            before = [one for one in starts if one[0] < fact.spans[0].start]
            if before and not hidden:
                seen += 1
                assert max(before)[1], (case.id, fact.spans[0].text)
    assert seen >= 10
