"""Evidence is words of the note, and only those that bear on what a finding rests on."""

from __future__ import annotations

import pytest

from casegen.env.audit.tools.evidence import find_span, find_spans, supports
from casegen.schemas import Case, Span

NOTE = (
    "HPI\nThe 45-year-old woman fell\n  on her left\twrist today.\n\nPlan: splint. Left wrist film."
)


def span(text: str, note: str = NOTE) -> Span:
    start = note.index(text)
    return Span(start, start + len(text), text)


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("45-year-old woman", "45-year-old woman"),
        ("woman fell on her left wrist", "woman fell\n  on her left\twrist"),
        ("  her   left\nwrist ", "her left\twrist"),
        ("old wo", "old wo"),  # any substring will do
        ("HPI The", "HPI\nThe"),
        ("film.", "film."),
        (NOTE, NOTE),
    ],
)
def test_white_space_is_folded_and_the_offsets_are_those_of_the_note(text: str, true: str) -> None:
    found = find_span(NOTE, text)
    assert found is not None
    assert found.text == NOTE[found.start : found.end] == true
    assert found.start == NOTE.index(true)


def test_whole_words_are_found_before_parts_of_words() -> None:
    found = find_span("A woman manages; the man waits.", "man")
    assert found == Span(21, 24, "man")
    assert find_span("A woman manages.", "man") == Span(4, 7, "man")


@pytest.mark.parametrize(
    "text",
    [
        "LEFT wrist",
        "Her left wrist",
        "right wrist",
        "leftwrist",
        "woman  felt",
        "45 year old",
        "",
        "   ",
        "on",
        ". - , :",
        "a b",
        "wrist today\u00ad",
    ],
)
def test_what_the_note_does_not_hold_as_it_stands_is_no_evidence(text: str) -> None:
    assert find_span(NOTE, text) is None


def test_more_than_600_characters_are_no_evidence() -> None:
    note = "word " * 200
    assert find_span(note, "word " * 120) is not None
    assert find_span(note, "word " * 121) is None


def test_words_that_stand_twice_are_found_twice() -> None:
    assert [one.start for one in find_spans("He limps. He limps.", "limps")] == [3, 13]
    assert len(find_spans("ha " * 400, "ha ha")) == 50


def test_the_words_that_a_finding_rests_on_are_evidence_for_it(cases: tuple[Case, ...]) -> None:
    checked = 0
    for case in cases:
        for finding in case.findings:
            for expected in finding.evidence:
                words = " ".join(expected.text.split())
                if sum(map(str.isalnum, words)) >= 3 and len(words) <= 600:
                    assert expected in find_spans(case.note, words)
                    found = find_span(case.note, words)
                    assert found is not None
                    assert supports(found, finding.evidence), (words, found)
                    checked += 1
    assert checked > 100


def test_the_expected_words_support_and_so_does_half_of_them() -> None:
    expected = [span("fell\n  on her left\twrist today")]
    assert supports(span("fell\n  on her left\twrist today"), expected)
    assert supports(span("on her left\twrist"), expected)
    assert supports(span("45-year-old woman fell\n  on her left\twrist"), expected)


def test_a_phrase_around_a_single_word_supports() -> None:
    assert supports(span("The 45-year-old woman fell"), [span("woman")])


def test_other_words_do_not_support() -> None:
    expected = [span("fell\n  on her left\twrist today")]
    assert not supports(span("Plan: splint. Left wrist film."), expected)
    assert not supports(span("The 45-year-old woman"), expected)
    assert not supports(span("woman fell"), [])


def test_a_scrap_of_the_expected_words_does_not_support() -> None:
    assert not supports(span("her"), [span("fell\n  on her left\twrist today")])


def test_the_same_words_count_wherever_they_stand() -> None:
    note = "Ankle sprain was feared. Later: ankle sprain, left. Ankle sprain confirmed."
    expected = [Span(52, 64, "Ankle sprain")]
    found = find_span(note, "Ankle sprain")
    assert found is not None
    assert found.start == 0
    assert supports(found, expected)
    assert not supports(Span(6, 23, note[6:23]), expected)


def test_a_word_that_holds_the_expected_one_is_another_word() -> None:
    note = "He manages. A man."
    assert not supports(span("He manages", note), [Span(14, 17, "man")])


def test_the_whole_note_is_no_evidence(cases: tuple[Case, ...]) -> None:
    for case in cases:
        whole = Span(0, len(case.note), case.note)
        assert not any(supports(whole, finding.evidence) for finding in case.findings)
