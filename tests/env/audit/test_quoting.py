"""Words that an agent quotes read as a whole, and stand in the text as they are quoted."""

from __future__ import annotations

import pytest

from casegen.env.audit.agents.quoting import balanced, lonely_brackets, quoted
from casegen.env.audit.agents.reasons import cited
from casegen.schemas import Case, Span


def around(line: str, words: str) -> str:
    start = line.index(words)
    return quoted(line, Span(start, start + len(words), words))


@pytest.mark.parametrize(
    ("line", "words", "told"),
    [
        ("Catherine (10-year-old girl) is seen today.", "girl", "Catherine (10-year-old girl)"),
        ("Seen (a boy of 10 years, with his aunt).", "boy", "(a boy of 10 years, with his aunt)."),
        ("Temperature 36.8 and pulse 72 today.", "36", "Temperature 36.8 and pulse"),
        ("An 11-year-old", "year", "An 11-year-old"),
        ("Noted: his/her form [sic] of 5", "sic", "Noted: his/her form [sic]"),
    ],
)  # fmt: skip
def test_no_word_number_or_bracket_is_cut(line: str, words: str, told: str) -> None:
    assert around(line, words) == told


def test_within_a_long_bracket_only_what_stands_in_it_is_quoted() -> None:
    line = f"Seen ({'on and on ' * 9} a man {'and on ' * 9}) today."
    told = around(line, "man")
    assert "man" in told
    assert not lonely_brackets(told)


def test_words_that_are_long_enough_stand_alone() -> None:
    line = "He says that closed fracture of the left radius (distal) was seen."
    assert around(line, "closed fracture of the left radius (distal)") == (
        "closed fracture of the left radius (distal)"
    )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("as it is", "as it is"),
        ("both (halves) [here]", "both (halves) [here]"),
        ("a long beginning (and no end", "a long beginning"),
        ("end) of what began before it", "of what began before it"),
        ("crossed (one [two) of] them all", "them all"),
    ],
)
def test_of_a_lonely_bracket_the_longer_side_is_kept(text: str, part: str) -> None:
    assert not lonely_brackets(balanced(text))
    assert balanced(text) == part


def test_a_line_that_is_cut_short_ends_before_a_bracket_that_it_would_leave_open() -> None:
    line = f"{'words of a long line ' * 7}(and a bracket that ends far behind the cut of it)"
    told = cited(line)
    assert told is not None
    assert told == ("words of a long line " * 7).strip()


def test_what_findings_and_decoys_rest_on_is_quoted_whole(cases: tuple[Case, ...]) -> None:
    count = 0
    for case in cases:
        for about in (*case.findings, *case.decoys):
            for span in about.evidence:
                told = quoted(case.note, span)
                assert told in case.note
                assert span.text.strip(" ,;:") in told
                assert not lonely_brackets(told), told
                count += 1
    assert count > 500
