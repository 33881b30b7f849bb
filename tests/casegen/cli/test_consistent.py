"""``validate`` looks at the spelling of codes, the values of attributes and doubled fields."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

import casegen
from casegen.cli.doubled import doubled_field
from casegen.cli.examine import Examiner
from casegen.schemas import InputError
from casegen.schemas.serial import case_line

from .conftest import Cli, Data, again


@pytest.fixture(scope="module")
def examiner() -> Examiner:
    return Examiner()


@pytest.fixture(scope="module")
def stored() -> list[bytes]:
    return [case_line(case) for case in casegen.make("audit-v0", seed=21).cases(0, 60)]


def first(stored: list[bytes], has: Callable[[Data], bool]) -> Data:
    """The first case of which ``has`` is true."""
    return next(case for case in map(orjson.loads, stored) if has(case))


def fault(examiner: Examiner, case: Data) -> InputError:
    with pytest.raises(InputError) as error:
        examiner.examine(again(case), "cases.jsonl", 1)
    return error.value


def test_a_code_of_a_claim_stands_as_its_list_prints_it(
    examiner: Examiner, stored: list[bytes]
) -> None:
    for change in (str.lower, lambda code: code.replace(".", ""), lambda code: f"{code} "):
        case = first(
            stored,
            lambda case: not case["findings"] and "." in case["claim"][0]["code"]
            and all(decoy["line"] != 1 for decoy in case["decoys"]),
        )  # fmt: skip
        line = case["claim"][0]
        right = line["code"]
        line["code"] = change(right)
        told = fault(examiner, case)
        assert told.field == "claim[0].code" and right in told.mend


@pytest.mark.parametrize("name", ["side", "fracture", "phase"])
def test_a_value_of_an_attribute_is_one_of_a_closed_set(
    examiner: Examiner, stored: list[bytes], name: str
) -> None:
    case = first(stored, lambda case: any(name in fact["attributes"] for fact in case["record"]))
    fact = next(fact for fact in case["record"] if name in fact["attributes"])
    fact["attributes"][name] += "x"
    assert fault(examiner, case).field.endswith(f"attributes.{name}")


def test_a_fact_that_the_note_does_not_state_is_refused(
    examiner: Examiner, stored: list[bytes]
) -> None:
    fields = set()
    for line in stored[:10]:
        for place in range(len(orjson.loads(line)["record"])):
            case = orjson.loads(line)
            case["record"][place]["spans"] = []
            fields.add(fault(examiner, case).field.replace(f"[{place}]", "[]"))
    assert "record[].spans" in fields


def test_a_relation_ties_other_facts_each_once(examiner: Examiner, stored: list[bytes]) -> None:
    for about in (lambda fact: fact["about"] * 2, lambda fact: [fact["id"]]):
        case = first(stored, lambda case: any(fact["about"] for fact in case["record"]))
        place, fact = next((i, one) for i, one in enumerate(case["record"]) if one["about"])
        fact["about"] = about(fact)
        assert fault(examiner, case).field == f"record[{place}].about"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (b'{"a":1,"b":[{"c":2},{"c":3}]}', None),
        (b'{ "a" : 1.0 }\n', None),
        (b'{"a":1,"b":{"c":2,"d":4,"c":3}}', "c"),
        (b'{"a":1,"\\u0061":1}', "a"),
    ],
)
def test_a_field_that_stands_twice_in_one_object_is_found(text: bytes, field: str | None) -> None:
    assert doubled_field(text, orjson.loads(text)) == field


@pytest.mark.parametrize("option", [(), ("--remake",)])
def test_a_case_with_a_doubled_field_is_refused(
    cli: Cli, tmp_path: Path, stored: list[bytes], option: tuple[str, ...]
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(stored[0] + stored[1].replace(b'{"line":1,', b'{"line":7,"line":1,', 1))
    told = cli("validate", path, *option).complaint()
    assert "line 2: line: stands twice in one object" in told


def test_a_relation_of_a_claim_is_about_others(cli: Cli, tmp_path: Path) -> None:
    claim = {
        "patient": {"sex": "female", "birth_date": "1959-02-11"}, "service_date": "2026-05-14",
        "setting": "office", "claim_type": "professional", "lines": [{"code": "I10"}],
        "record": [{"id": "r1", "kind": "relation", "term": "due_to", "about": ["r1", "r1"]}],
    }  # fmt: skip
    path = tmp_path / "claim.json"
    path.write_bytes(orjson.dumps(claim))
    assert "record[0].about[0]: 'r1': a fact is about other" in cli("check", path).complaint()
