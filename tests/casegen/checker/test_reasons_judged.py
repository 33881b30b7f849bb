"""The checker objects to reasons, rules and evidence that are not those of the record."""

from __future__ import annotations

from copy import deepcopy

import pytest

import casegen
from casegen.checker.coding import derive
from casegen.coding.certify import objections, view_of
from casegen.knowledge import reference
from casegen.schemas import CodingCase
from casegen.schemas import authority as sources


@pytest.fixture(scope="module")
def cases() -> list[CodingCase]:
    return list(casegen.make("coding-v0", seed=31).cases(0, 250))


def objected(case: CodingCase) -> list[str]:
    tables, services = reference()
    return list(objections(case, derive(view_of(case), tables, services), tables, services))


def test_a_rule_on_the_side_puts_no_code_first(cases: list[CodingCase]) -> None:
    case = deepcopy(next(c for c in cases if "(guideline I.B.13)" in c.primary.reason))
    assert not objected(case)
    case.primary.authority = sources.guideline("I.B.13")
    assert any("is not its rule" in told for told in objected(case))


def test_what_makes_the_first_code_this_one_must_fit_it(cases: list[CodingCase]) -> None:
    case = deepcopy(next(c for c in cases if "(guideline I.B.13)" in c.primary.reason))
    case.primary.reason = case.primary.reason.replace("I.B.13", "I.C.9.a")
    assert any("is not its rule" in told for told in objected(case))


def test_the_sentence_on_a_tumor_belongs_to_the_evidence(cases: list[CodingCase]) -> None:
    seen = 0
    for case in cases:
        for at, one in enumerate(case.secondary):
            told = [f for f in case.record if f.term == "told" and f.spans[0] in one.evidence]
            if one.authority.reference == "section I.C.2.m" and told:
                seen += 1
                copy = deepcopy(case)
                spans = told[0].spans
                copy.secondary[at].evidence = [s for s in one.evidence if s not in spans]
                assert f"the evidence of {one.code} lies elsewhere" in objected(copy)
    assert seen >= 3


def test_no_note_parts_a_code_that_the_record_does_not_name(cases: list[CodingCase]) -> None:
    tables, _ = reference()
    seen = 0
    for case in cases:
        for at, one in enumerate(case.wrong):
            if one.kind != "not_documented" or one.gold is None:
                continue
            hits = [h for h in tables.excludes1(one.gold, one.code) if h.reach == "certain"]
            if hits:
                seen += 1
                copy = deepcopy(case)
                changed = copy.wrong[at]
                changed.kind = "excludes1"
                changed.authority = sources.tabular_excludes1(hits[0].stands_on, hits[0].note)
                changed.evidence = next(g.evidence for g in case.gold() if g.code == one.gold)
                assert any(told.startswith(f"{one.code} (excludes1)") for told in objected(copy))
    assert seen >= 20


def test_what_the_record_denies_is_not_said_more_vaguely(cases: list[CodingCase]) -> None:
    seen = 0
    for case in cases:
        for at, one in enumerate(case.wrong):
            pair = (one.code[:5], (one.gold or "")[:5])
            if pair in (("I25.1", "I25.1"), ("F02.8", "F02.8"), ("K57.9", "K57.9")):
                if one.kind != "not_documented":
                    continue
                seen += 1
                copy = deepcopy(case)
                copy.wrong[at].kind = "less_specific"
                copy.wrong[at].authority = sources.guideline("I.B.18")
                right = next(g for g in case.gold() if g.code == one.gold)
                copy.wrong[at].evidence = right.evidence
                assert any(told.startswith(f"{one.code} (less_spec") for told in objected(copy))
    assert seen >= 1
