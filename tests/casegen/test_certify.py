"""What keeps a case from being certified though checker and injectors agree on its findings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import casegen
from casegen.certify import AccidentError, certify, mended_lines, view_of
from casegen.checker import check
from casegen.schemas import Case, ClaimLine, Fact, Finding, Span

# An Excludes1 note at S51 (wounds of the forearm) names open fractures of the forearm, S52 with
# the 7th character B or C; only the right code of the wound brings the pair on the claim.
WOUND = "Laceration without foreign body of forearm"
FRACTURE = "Unspecified fracture of the lower end of radius"
MISSPELLED = "S57.812A"


@pytest.fixture(scope="module")
def generator() -> Any:
    return casegen.make("audit-v0", seed=6)


def case_of(generator: Any, side: str, fracture: str, code: str, unrelated: bool = False) -> Case:
    """A case whose claim has a slip in the code of the wound of a left forearm."""
    told = "Wound. Fracture. They have nothing to do with each other."
    facts = [
        Fact("p1", "problem", WOUND, "active", {"side": "left", "phase": "active"}, [], []),
        Fact(
            "p2", "problem", FRACTURE, "active",
            {"side": side, "phase": "active", "fracture": fracture}, [], [],
        ),
    ]  # fmt: skip
    if unrelated:
        facts.append(Fact("r1", "relation", "unrelated", "active", {}, ["p1", "p2"], []))
    for fact, text in zip(facts, ("Wound.", "Fracture.", "They have nothing"), strict=False):
        at = told.index(text)
        fact.spans = [Span(at, at + len(text), text)]
    claim = [
        ClaimLine(1, MISSPELLED, "ICD-10-CM", "a slip", [], 1),
        ClaimLine(2, code, "ICD-10-CM", "the fracture", [], 1),
    ]
    case: Case = replace(
        generator[0], note=told, record=facts, claim=claim, findings=[], decoys=[], questions=[]
    )
    world = generator.world
    case.findings = [
        Finding(
            v.error_type, v.kind, v.line, v.code, v.related_code, v.accepted_codes,
            v.accepted_error_types, v.correction, v.evidence, v.questions, [], v.message,
            v.authority,
        )
        for v in check(view_of(case), world.tables, world.judged_by).verdicts
    ]  # fmt: skip
    assert [f.correction.replacement for f in case.findings] == ["S51.812A"]
    return case


@pytest.mark.parametrize(
    ("side", "fracture", "code"),
    [
        ("left", "open_1_2", "S52.502B"),
        ("right", "open_1_2", "S52.501B"),
        ("right", "open_3", "S52.501C"),
    ],
)
def test_a_mended_claim_must_not_leave_an_excludes1_pair_open(
    side: str, fracture: str, code: str, generator: Any
) -> None:
    world = generator.world
    with pytest.raises(AccidentError, match="excludes1 once mended"):
        certify(case_of(generator, side, fracture, code), world.tables, world.judged_by)


def test_it_may_hold_the_pair_where_the_record_says_that_the_two_are_unrelated(
    generator: Any,
) -> None:
    case = case_of(generator, "right", "open_1_2", "S52.501B", unrelated=True)
    certify(case, generator.world.tables, generator.world.judged_by)


def test_it_may_hold_codes_that_the_note_does_not_name(generator: Any) -> None:
    case = case_of(generator, "right", "closed", "S52.501A")
    certify(case, generator.world.tables, generator.world.judged_by)


def test_mended_lines_are_the_right_claim(generator: Any) -> None:
    case = case_of(generator, "right", "closed", "S52.501A")
    assert [(line.line, line.code) for line in mended_lines(case)] == [
        (1, "S51.812A"),
        (2, "S52.501A"),
    ]
