"""Rules that decide why a code stands: unrelated conditions, phase of care, care on a ward."""

from __future__ import annotations

import re

import pytest

import casegen
from casegen.coding.stay import UNCARED
from casegen.knowledge import reference
from casegen.schemas import CodingCase

CARED = re.compile(
    r"watched|followed|assessed|monitor|evaluated|managed|cared|looked after|treated|treatment"
)
HEALING = re.compile(r"aftercare|heal|mend|past active")
ACTIVE = re.compile(r"active treatment|treated actively|actively")


@pytest.fixture(scope="module")
def cases() -> list[CodingCase]:
    return list(casegen.make("coding-v0", seed=31).cases(0, 900))


def section(reference_text: str) -> str:
    return reference_text.removeprefix("section ").partition(",")[0]


def test_a_code_beside_one_that_excludes_it_cites_the_rule_on_unrelated_conditions(
    cases: list[CodingCase],
) -> None:
    tables, _ = reference()
    seen = 0
    for case in cases:
        gold = case.gold()
        ties = [fact.about for fact in case.record if fact.term == "unrelated"]
        for one in case.secondary:
            barred = [o.code for o in gold if o is not one and tables.excludes1(one.code, o.code)]
            if not barred or not ties:
                continue
            if section(one.authority.reference) == "I.A.12.a":
                seen += 1
                assert "unrelated to" in one.reason
                told = {span.text for span in one.evidence}
                assert any(
                    span.text in told
                    for fact in case.record
                    if fact.term == "unrelated"
                    for span in fact.spans
                )
    assert seen >= 10


def test_spasm_of_the_neck_and_cramps_of_the_feet_stand_together_as_unrelated() -> None:
    seen = 0
    for case in casegen.make("coding-v0", seed=7, settings=("office",)).cases(0, 6000):
        gold = {one.code: one for one in case.gold()}
        if {"M62.838", "R25.2"} <= set(gold):
            seen += 1
            rules = {section(gold[code].authority.reference) for code in ("M62.838", "R25.2")}
            assert "I.A.12.a" in rules
        if seen:
            break
    assert seen


def test_the_sentence_on_an_event_says_the_phase_of_care(cases: list[CodingCase]) -> None:
    seen = set()
    for case in cases:
        for fact in case.record:
            phase = fact.attributes.get("phase")
            code = next((o.code for o in case.gold() if o.evidence == fact.spans), "")
            if code[:1] in "VWXY" and code and phase in ("active", "healing"):
                seen.add(phase)
                pattern = HEALING if phase == "healing" else ACTIVE
                assert any(pattern.search(span.text) for span in fact.spans), fact
    assert seen == {"active", "healing"}


def test_a_stay_tells_of_every_further_diagnosis_that_somebody_cared_for_it(
    cases: list[CodingCase],
) -> None:
    seen = 0
    for case in cases:
        if case.encounter.setting != "inpatient":
            continue
        for one in case.secondary:
            if one.code.startswith(UNCARED) or one.authority.source == "tabular":
                continue
            lines = [
                case.note[case.note.rfind("\n", 0, s.start) + 1 : _end(case.note, s.end)]
                for s in one.evidence
            ]
            seen += 1
            assert any(re.match(r"\d+\. ", line) or CARED.search(line) for line in lines), one
    assert seen >= 100


def _end(note: str, at: int) -> int:
    found = note.find("\n", at)
    return len(note) if found < 0 else found
