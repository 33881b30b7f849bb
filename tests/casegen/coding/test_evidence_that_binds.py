"""What ties the facts of a code together stands in its evidence, and in the words said of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import casegen
from casegen.env.coding.agents.evidence import against, quotes_of
from casegen.schemas import CodingCase, Fact, GoldCode

from .charts import charts


def bound(case: CodingCase, one: GoldCode, term: str) -> Fact | None:
    """The relation of that term whose words are evidence of a code."""
    for fact in case.record:
        if fact.term == term and all(span in one.evidence for span in fact.spans):
            return fact
    return None


def answers(kind: str, start: str) -> Iterator[tuple[CodingCase, GoldCode]]:
    for _, case in charts(kind, count=80):
        for one in case.gold():
            if one.code.startswith(start):
                yield case, one


@pytest.mark.parametrize(
    ("kind", "start", "term", "why"),
    [
        ("sepsis", "R65.20", "due_to", "the sepsis brought on the failure of an organ"),
        ("fragility", "M80.0", "minor_trauma", "broke one with known osteoporosis"),
    ],
)
def test_a_code_that_a_tie_calls_for_quotes_the_tie(
    kind: str, start: str, term: str, why: str
) -> None:
    seen = 0
    for case, one in answers(kind, start):
        seen += 1
        tie = bound(case, one, term)
        assert tie is not None, (case.id, one)
        assert why in one.reason
        said = " ".join(quotes_of(case, one.evidence))
        assert any(span.text.rstrip(".;,")[:60] in said for span in tie.spans), (case.id, said)
    assert seen >= 5


def test_severe_sepsis_is_no_combination_and_rests_on_the_failure_being_associated() -> None:
    for _, one in answers("sepsis", "R65.20"):
        assert one.authority.reference == "section I.C.1.d.1.a"
        assert "several facts" not in one.reason


def test_parts_of_a_fracture_in_osteoporosis_show_what_broke_the_bone() -> None:
    seen = 0
    for _, case in charts("fragility", count=80):
        for one in case.wrong:
            if one.kind == "part_of_combination":
                seen += 1
                tie = next(fact for fact in case.record if fact.term == "minor_trauma")
                assert all(span in one.evidence for span in tie.spans)
    assert seen >= 5


def test_whether_a_tumor_is_over_or_treated_is_quoted_where_a_sentence_says_it() -> None:
    seen = 0
    for case in casegen.make("coding-v0", seed=21).cases(0, 400):
        for one in case.gold():
            if one.authority.reference != "section I.C.2.m":
                continue
            ids = [f.id for f in case.record if f.kind == "problem" and f.spans[0] in one.evidence]
            told = [f for f in case.record if f.term == "told" and f.about == ids]
            seen += bool(told)
            for fact in told:
                assert all(span in one.evidence for span in fact.spans), case.id
                end = fact.spans[0].text.rstrip(".")[-30:]
                assert end in " ".join(quotes_of(case, one.evidence)), case.id
                wrong = [w for w in case.wrong if w.kind == "history" and w.gold == one.code]
                assert all(end in " ".join(against(case, w)) for w in wrong), case.id
    assert seen >= 5
