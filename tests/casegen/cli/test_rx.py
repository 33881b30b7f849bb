"""Rx cases in the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

import casegen
from casegen.schemas import RxCase
from casegen.schemas.serial import case_line

from .conftest import Cli, Data, again

COUNT = 24


@pytest.fixture(scope="session")
def prescribed() -> list[RxCase]:
    """Some rx cases."""
    return list(casegen.make("rx-v0", seed=7).cases(0, COUNT))


@pytest.fixture
def rx_file(prescribed: list[RxCase], tmp_path: Path) -> Path:
    path = tmp_path / "rx.jsonl"
    path.write_bytes(b"".join(map(case_line, prescribed)))
    return path


def test_cases_are_generated_as_the_library_makes_them(
    cli: Cli, prescribed: list[RxCase], tmp_path: Path
) -> None:
    path = tmp_path / "out.jsonl"
    told = cli("generate", "rx", "-n", COUNT, "--seed", 7, "-o", path)
    assert told.status == 0
    assert path.read_bytes() == b"".join(map(case_line, prescribed))


def test_a_file_of_rx_cases_is_valid_and_is_made_again(cli: Cli, rx_file: Path) -> None:
    told = cli("validate", "--remake", "--json", rx_file)
    found = orjson.loads(told.out)
    assert (told.status, found["valid"], found["cases"]) == (0, True, COUNT)
    assert found["findings"] > 8


def test_a_grave_pair_that_is_left_to_watching_is_valid(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "grave.jsonl"
    assert cli("generate", "rx", "-n", 60, "--seed", 7, "-o", path).status == 0
    watched = [one for one in casegen.read(path) if one.also_accepted and not one.decoys]
    assert watched
    assert cli("validate", path).status == 0


def test_a_case_is_shown_with_its_answer(cli: Cli, prescribed: list[RxCase], rx_file: Path) -> None:
    for index, case in enumerate(prescribed):
        told = cli("show", f"{rx_file}#{index}")
        assert told.status == 0
        text = " ".join(told.out.split())
        assert f"Answer: {case.recommendation}" in text
        assert case.prescription.drug in text
        for finding in case.findings:
            assert finding.problem in text
            assert finding.authority[0].reference in text
        for decoy in case.decoys:
            assert decoy.kind in text


def test_stats_count_what_there_is(cli: Cli, prescribed: list[RxCase], rx_file: Path) -> None:
    found = orjson.loads(cli("stats", "--json", rx_file).out)
    assert found["cases"] == COUNT
    assert found["findings"] == sum(len(case.findings) for case in prescribed)
    assert found["safe"] == sum(not case.findings for case in prescribed)
    assert sum(found["recommendation"].values()) == COUNT
    assert found["duplicates"] == 0
    assert cli("stats", rx_file).status == 0


def first(data: Data, kind: str) -> Data:
    return next(fact for fact in data["record"] if fact["kind"] == kind)


def _task(data: Data) -> None:
    data["task"] = "dosage_check" if data["task"] != "dosage_check" else "full_validation"


def _age(data: Data) -> None:
    first(data, "age")["term"] = "12"


def _code(data: Data) -> None:
    first(data, "condition")["term"] = "E11"


def _drug(data: Data) -> None:
    first(data, "medication")["term"] = "placebo"


def _place(data: Data) -> None:
    first(data, "medication")["spans"] = first(data, "condition")["spans"]


def _twice(data: Data) -> None:
    data["record"].append(first(data, "condition"))


def _safe(data: Data) -> None:
    data["dosage_safe"] = not data["dosage_safe"]


def _advice(data: Data) -> None:
    data["recommendation"] = "approve" if data["recommendation"] != "approve" else "reject"


def _other(data: Data) -> None:
    data["also_accepted"] = ["approve"]


def _line(data: Data) -> None:
    data["medications"][0]["text"] += "x"


def _birth(data: Data) -> None:
    data["patient"]["birth_date"] = "2026-13-01"


@pytest.mark.parametrize(
    ("damage", "field"),
    [
        (_task, "task"),
        (_age, "record"),
        (_code, "record["),
        (_drug, "record["),
        (_place, "record["),
        (_twice, "record["),
        (_safe, "dosage_safe"),
        (_advice, "recommendation"),
        (_other, "also_accepted[0]"),
        (_line, "medications[0]"),
        (_birth, "patient.birth_date"),
    ],
)
def test_a_damaged_case_is_told_by_its_field(
    cli: Cli,
    prescribed: list[RxCase],
    tmp_path: Path,
    damage: Callable[[Data], None],
    field: str,
) -> None:
    case = next(
        one
        for one in prescribed
        if any(fact.kind == "medication" for fact in one.record) and not one.also_accepted
    )
    data = orjson.loads(case_line(case))
    damage(data)
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(orjson.dumps(again(data)))
    assert f"line 1: {field}" in cli("validate", path).complaint()


def test_a_finding_that_nobody_can_bear_out_is_not_certified(
    cli: Cli, prescribed: list[RxCase], tmp_path: Path
) -> None:
    case = next(one for one in prescribed if one.recommendation == "reject")
    data = orjson.loads(case_line(case))
    finding = next(one for one in data["findings"] if one["asks"] == "reject")
    finding["pair"] = ["lisinopril", "levothyroxine"]
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(orjson.dumps(again(data)))
    assert "not certified" in cli("validate", path).complaint()
