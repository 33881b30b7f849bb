"""Cases as JSON and back, and the hash of what they hold."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256

import orjson
import pytest

import casegen
from casegen.schemas import Case, InputError
from casegen.schemas.serial import case_from, case_line, content_hash, deep_field


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(casegen.make("audit-v0", seed=12).cases(0, 20))


def test_a_case_survives_the_round_trip(cases: list[Case]) -> None:
    for case in cases:
        line = case_line(case)
        again = case_from(orjson.loads(line))
        assert again == case
        assert case_line(again) == line


def test_a_line_is_one_line_of_json(cases: list[Case]) -> None:
    for case in cases:
        line = case_line(case)
        assert line.endswith(b"}\n")
        assert line.count(b"\n") == 1
        assert next(iter(json.loads(line))) == "content_hash"


def test_anyone_can_hash_a_stored_case_again(cases: list[Case]) -> None:
    for case in cases:
        stored = json.loads(case_line(case))
        told = stored.pop("content_hash")
        text = json.dumps(stored, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        assert told == content_hash(case) == sha256(text.encode()).hexdigest()


def test_the_order_of_the_fields_does_not_matter(cases: list[Case]) -> None:
    stored = json.loads(case_line(cases[0]))
    backwards = dict(reversed(stored.items()))
    assert content_hash(case_from(backwards)) == stored["content_hash"]


def test_every_field_enters_the_hash(cases: list[Case]) -> None:
    case = next(case for case in cases if case.findings)
    stored = json.loads(case_line(case))
    seen = {stored.pop("content_hash")}
    seen.add(content_hash(replace(case, family="another")))
    for name, value in stored.items():
        if name == "family":  # which says by which model a case is read
            continue
        other = deepcopy(stored)
        if name in ("split", "difficulty"):  # which take a few words only
            other[name] = {"train": "test", "easy": "hard"}.get(value, "easy")
        elif isinstance(value, str):
            other[name] = value + "x"
        elif isinstance(value, int):
            other[name] = value + 1
        elif name in ("conditions", "redraws"):
            other[name] = [*value, "x"]
        elif name == "options":
            other[name] = {**value, "difficulty": "hard"}
        elif isinstance(value, list):
            other[name] = value[1:] if value else None
        else:
            first = next(key for key, part in value.items() if key in ("name", "kind"))
            other[name] = {**value, first: value[first] + "x"}
        if other[name] is None:
            continue
        seen.add(content_hash(case_from(other)))
    empty = sum(value == [] and name != "redraws" for name, value in stored.items())
    assert len(seen) == 1 + len(stored) - empty


def test_the_hash_may_be_absent_when_a_case_is_read(cases: list[Case]) -> None:
    stored = json.loads(case_line(cases[0]))
    del stored["content_hash"]
    assert case_from(stored) == cases[0]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("note", 3, "note"),
        ("seed", -1, "seed"),
        ("claim", [], None),
        ("record", [{}], "record[0].id"),
        ("more", 1, "more"),
    ],
)
def test_a_wrong_field_is_named_with_its_place(
    path: str, value: object, field: str | None, cases: list[Case]
) -> None:
    stored = {**json.loads(case_line(cases[0])), path: value}
    if field is None:
        assert case_from(stored).claim == []
        return
    with pytest.raises(InputError) as error:
        case_from(stored, path="cases.jsonl", line=7)
    assert error.value.field == field
    assert str(error.value).startswith(f"cases.jsonl, line 7: {field}: ")


def test_a_long_value_is_cut_in_the_message() -> None:
    told = str(InputError("note", "x" * 10_000, "too long"))
    assert len(told) < 150


@pytest.mark.parametrize("depth", [20, 300, 900])
def test_what_nests_too_deep_is_named(cases: list[Case], depth: int) -> None:
    stored = json.loads(case_line(cases[0]))
    value: object = []
    for _ in range(depth):
        value = [value]
    stored["patient"]["name"] = value
    with pytest.raises(InputError) as error:
        case_from(stored, path="cases.jsonl", line=2)
    assert error.value.field.startswith("patient.name")
    assert deep_field(stored) == "patient.name[0]"
    assert deep_field(json.loads(case_line(cases[0]))) is None
