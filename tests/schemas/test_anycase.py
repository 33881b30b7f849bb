"""Each family's cases are read by its own model, which the field ``family`` names."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

import casegen
from casegen.schemas import (
    AllowedCode,
    Authority,
    Case,
    CodingCase,
    GoldCode,
    InputError,
    WrongCode,
)
from casegen.schemas.anycase import CASES, schema_name
from casegen.schemas.json_schema import SCHEMAS
from casegen.schemas.serial import case_from, case_line

RULE = Authority("guideline", "section IV.A", "ICD-10-CM Guidelines FY 2026")


def coding_case() -> CodingCase:
    """The patient of an audit, to be coded by hand."""
    one: Case = casegen.make("audit-v0", seed=3)[0]
    span = one.record[0].spans[0]
    return CodingCase(
        id="coding-v0/train/3/0",
        family="coding",
        version="v0",
        split="train",
        seed=3,
        index=0,
        options={},
        tables=one.tables,
        difficulty="easy",
        max_steps=5,
        patient=one.patient,
        encounter=one.encounter,
        note_style=one.note_style,
        note=one.note,
        objective="Code the encounter.",
        allowed=[AllowedCode("I10", "x"), AllowedCode("I15.9", "y")],
        hints=["Look at the pressure."],
        record=one.record,
        primary=GoldCode("I10", "why", RULE, [span], [], []),
        secondary=[],
        needs_review=False,
        review=None,
        wrong=[WrongCode("I15.9", "wrong_type", "I10", "why not", RULE, [])],
        kinds=[],
        conditions=["hypertension"],
        structural_key="0" * 32,
        redraws=[],
    )


def test_a_coding_case_survives_the_round_trip() -> None:
    case = coding_case()
    line = case_line(case)
    again = case_from(orjson.loads(line))
    assert type(again) is CodingCase
    assert again == case
    assert case_line(again) == line


def test_the_family_says_by_which_model_a_case_is_read() -> None:
    stored = orjson.loads(case_line(coding_case()))
    with pytest.raises(InputError, match="claim"):
        case_from({**stored, "family": "audit"})


@pytest.mark.parametrize("family", ["billing", "", None, 3, ["audit"]])
def test_an_unknown_family_is_told_with_line_and_field(family: Any) -> None:
    stored = orjson.loads(case_line(coding_case()))
    with pytest.raises(InputError) as told:
        case_from({**stored, "family": family}, path="cases.jsonl", line=4)
    assert (told.value.field, told.value.path, told.value.line) == ("family", "cases.jsonl", 4)
    assert "audit, coding" in told.value.mend


def test_each_family_has_a_schema_file_of_its_own() -> None:
    assert [schema_name(family) for family in CASES] == ["case", "coding_case", "rx_case"]
    assert {schema_name(family) for family in CASES} < set(SCHEMAS)
