"""What has been settled is told in the words of what is open, and nobody has to look at it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import casegen
from casegen.coding.quiet import PENDING
from casegen.coding.twins import named, twins
from casegen.knowledge import reference
from casegen.schemas import CodingCase
from casegen.seeds import coding
from casegen.seeds.scenarios import guidelines

from .charts import chart_of, codes, why_wrong

KINDS = ("worked_up", "agreed", "treated")


def drawn(kind: str, count: int = 400) -> list[CodingCase]:
    cases = casegen.make("coding-v0", seed=21).cases(0, count)
    return [case for case in cases if kind in case.kinds]


def open_charts() -> list[guidelines.GuidedChart]:
    folder = Path(coding.__file__)
    found = [
        chart
        for name in ("workups.yaml", "conflicts.yaml")
        for chart in guidelines.read(folder.with_name(name))
    ]
    return [chart for chart in found if chart.kind in guidelines.OPEN_KINDS]


def test_every_chart_that_leaves_something_open_has_a_twin() -> None:
    for chart in open_charts():
        found = twins(chart)
        assert found, chart.id
        assert {twin.kind for twin in found} <= set(KINDS)


def test_no_sentence_keeps_a_place_unfilled() -> None:
    for chart in open_charts():
        for one in (named(chart), *twins(chart)):
            for relation in one.relations:
                assert not [text for text in relation.say if "[" in text], one.id


def test_nobody_has_to_look_at_what_has_been_settled() -> None:
    for kind in KINDS:
        cases = drawn(kind)
        assert len(cases) >= 10, kind
        assert not any(case.needs_review for case in cases)


def test_a_disease_that_the_work_up_excluded_is_not_coded_and_its_symptom_is() -> None:
    for case in drawn("worked_up"):
        if chart_of(case) == "blackout_settled":
            assert "R55" in codes(case)
            assert "I49.9" not in codes(case)
            assert why_wrong(case, "I49.9") in (("ruled_out", "IV.J"), None)


def test_of_two_diagnoses_the_one_that_stands_is_coded() -> None:
    seen = 0
    for case in drawn("agreed"):
        if chart_of(case).startswith("which_anemia"):
            seen += 1
            holds, other = (
                ("D50.9", "D51.9") if chart_of(case).endswith("_b") else ("D51.9", "D50.9")
            )
            assert holds in codes(case)
            assert other not in codes(case)
    assert seen


def test_a_tumor_that_is_over_is_history_and_one_under_treatment_is_current() -> None:
    seen = set()
    for case in drawn("treated"):
        chart = chart_of(case)
        if chart.startswith("breast_left_unclear"):
            over = chart.endswith("_history")
            seen.add(over)
            assert ("Z85.3" if over else "C50.912") in codes(case)
            assert "Z79.810" in codes(case)
    assert seen == {True, False}


@pytest.mark.parametrize(
    "text",
    [
        "Neck ultrasound ordered, because touch alone cannot tell what the lump is.",
        "Outside records do not name the lobe and have been asked for.",
        "No supplements until results are in.",
        "CT of the chest to find the cause.",
        "Urine calcium and vitamin D settle primary against secondary.",
        "The neurologist's letter, which names the course, has been sent for.",
        "A1c and fasting glucose before any label.",
    ],
)
def test_no_text_says_by_the_way_that_something_is_open(text: str) -> None:
    assert PENDING.search(text)


def test_where_nothing_is_flagged_no_text_of_the_world_leaves_a_diagnosis_open() -> None:
    for case in casegen.make("coding-v0", seed=8124, review=0.0).cases(0, 200):
        told = {span.text for fact in case.record for span in fact.spans}
        for line in re.split(r"(?<=[.])\s+|\n", case.note):
            if re.search(r"asked for\.|until results|to find the cause|cannot tell", line):
                assert any(line in text or text in line for text in told), (case.id, line)


MISSING = re.compile(
    r"(?:(?:Which side it is with|On which side|For|The side of the problem,) (?P<one>[^.;]*?),?"
    r"(?: has its place)?(?: the side)?"
    r"|Whether the right or the left is meant by (?P<other>[^.;]*?))"
    r" (?:st[oa]nds? in none|was not written down|(?:was|is) not to be found in the record"
    r"|(?:was|is) told nowhere|was left out of all)"
)


def test_a_side_that_was_missing_is_not_named_where_it_is_called_missing() -> None:
    seen = 0
    for case in casegen.make("coding-v0", seed=21).cases(0, 400):
        for told in MISSING.finditer(case.note):
            seen += 1
            named_as = told["one"] or told["other"]
            assert not re.search(r"\b(?:right|left)\b", named_as), (case.id, told[0])
    assert seen >= 10


CONFIRMED = re.compile(r"it is there\.|bears it out|says yes\.|it is\.|that it holds\.")


def test_no_symptom_is_said_to_have_been_ruled_out_or_confirmed() -> None:
    tables = reference()[0]
    seen = 0
    for case in casegen.make("coding-v0", seed=21).cases(0, 400):
        facts = {fact.id: fact for fact in case.record}
        for fact in case.record:
            if fact.kind != "relation" or fact.term != "told" or len(fact.about) != 1:
                continue
            about, span = facts[fact.about[0]], fact.spans[0]
            sentence = case.note[span.start : span.end]
            if about.status == "ruled_out" or CONFIRMED.search(sentence):
                seen += 1
                found = tables.resolve(about.term, about.attributes)
                assert not [code for code in found if code.startswith("R")], (case.id, sentence)
    assert seen >= 20
