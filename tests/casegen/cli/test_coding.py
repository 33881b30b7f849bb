"""Coding cases in the commands, alone and in one file with audits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

import casegen
from casegen.schemas.serial import case_line

from .conftest import Cli, Data, again


@pytest.fixture(scope="session")
def coded() -> list[bytes]:
    """Some coding cases as lines of JSON."""
    return [case_line(case) for case in casegen.make("coding-v0", seed=7).cases(0, 24)]


@pytest.fixture
def coded_file(coded: list[bytes], tmp_path: Path) -> Path:
    path = tmp_path / "coded.jsonl"
    path.write_bytes(b"".join(coded))
    return path


@pytest.fixture
def mixed(lines: list[bytes], coded: list[bytes], tmp_path: Path) -> Path:
    """A file in which cases of both families take turns."""
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(b"".join(one for both in zip(lines, coded, strict=True) for one in both))
    return path


def test_cases_are_generated_as_the_library_makes_them(
    cli: Cli, coded: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "out.jsonl"
    told = cli("generate", "coding", "-n", 24, "--seed", 7, "-o", path)
    assert told.status == 0
    assert "24 certified cases" in told.err
    assert path.read_bytes() == b"".join(coded)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("coding", "--clean", "0.1"), "--clean: 0.1: leave it out"),
        (("coding", "--siblings"), "--siblings: leave it out"),
        (("audit", "--review", "0.5"), "--review: 0.5: leave it out"),
    ],
)
def test_an_option_of_another_family_is_refused_by_name(
    cli: Cli, arguments: tuple[str, ...], field: str
) -> None:
    told = cli("generate", *arguments, "-n", 1).complaint()
    assert field in told
    assert "has no such option" in told


def test_a_file_of_coding_cases_is_valid_and_is_made_again(cli: Cli, coded_file: Path) -> None:
    told = cli("validate", "--remake", "--json", coded_file)
    found = orjson.loads(told.out)
    assert (told.status, found["valid"], found["cases"]) == (0, True, 24)
    assert found["codes"] > 24
    assert "findings" not in found


def test_a_file_of_both_families_is_valid(cli: Cli, mixed: Path) -> None:
    told = cli("validate", mixed)
    assert told.status == 0
    assert "48 cases valid" in told.out
    assert "findings" in told.out
    assert "codes certified" in told.out


def test_the_library_reads_a_file_of_both_families(mixed: Path) -> None:
    assert [case.family for case in casegen.read(mixed)] == ["audit", "coding"] * 24


def drop(case: Data) -> None:
    del case["allowed"][0]


def unsort(case: Data) -> None:
    case["allowed"].reverse()


def retitle(case: Data) -> None:
    case["allowed"][0]["title"] = "Something else"


def no_reason(case: Data) -> None:
    del case["wrong"][0]


def swap(case: Data) -> None:
    case["primary"], case["secondary"][0] = case["secondary"][0], case["primary"]


def leave_out(case: Data) -> None:
    """Call a right code wrong, and what is accepted for it too."""
    gold = case["secondary"].pop()
    for wrong in case["wrong"]:
        if wrong["gold"] == gold["code"]:
            wrong["gold"] = None
    for code in (gold["code"], *gold["equivalents"], *gold["alternates"]):
        case["wrong"].append({**case["wrong"][0], "code": code, "gold": None})


def not_in_the_note(case: Data) -> None:
    case["primary"]["evidence"][0]["text"] += "x"


def bare(case: Data) -> None:
    case["secondary"][0]["evidence"] = []


def elsewhere(case: Data) -> None:
    case["primary"]["evidence"][0] = {"start": 0, "end": 4, "text": case["note"][:4]}


def flagged(case: Data) -> None:
    case["needs_review"] = not case["needs_review"]


def telling(case: Data) -> None:
    case["hints"][0] = f"It is {case['primary']['code']} this time"


def long(case: Data) -> None:
    case["max_steps"] += 1


def options(case: Data) -> None:
    case["options"] = {"clean": "0.0"}
    case["id"] += "?clean=0.0"


@pytest.mark.parametrize(
    ("break_it", "field"),
    [
        (drop, ""),
        (unsort, "allowed[1].code"),
        (retitle, "allowed[0].title"),
        (no_reason, "wrong"),
        (swap, "primary"),
        (leave_out, "primary"),
        (not_in_the_note, "primary.evidence[0]"),
        (bare, "secondary[0].evidence"),
        (elsewhere, "primary.evidence[0]"),
        (flagged, "review"),
        (telling, "hints[0]"),
        (long, "max_steps"),
        (options, "options.clean"),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_a_fault_is_told_with_line_and_field(
    cli: Cli, coded: list[bytes], tmp_path: Path, break_it: Callable[[Data], None], field: str
) -> None:
    at, case = next(
        (at, case)
        for at, case in enumerate(map(orjson.loads, coded), 1)
        if case["secondary"] and not case["needs_review"]
    )
    break_it(case)
    broken = [*coded]
    broken[at - 1] = orjson.dumps(again(case)) + b"\n"
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"".join(broken))
    assert f"{path}, line {at}: {field}" in cli("validate", path).complaint()


def test_a_case_of_another_recipe_is_told_by_remake(
    cli: Cli, coded: list[bytes], tmp_path: Path
) -> None:
    case = orjson.loads(coded[0])
    case["hints"][0] = "Think of the heart."
    path = tmp_path / "forged.jsonl"
    path.write_bytes(orjson.dumps(again(case)) + b"\n")
    assert cli("validate", path).status == 0
    assert "hints[0]" in cli("validate", "--remake", path).complaint()


def test_a_case_is_shown_with_its_answer_and_what_is_wrong(cli: Cli, coded_file: Path) -> None:
    told = cli("show", f"{coded_file}#2")
    case = list(casegen.read(coded_file))[2]
    assert told.status == 0
    for code in (*case.gold(), *case.wrong):
        assert code.code in told.out
    assert "Codes to choose from" in told.out


def test_stats_tell_each_family_of_a_mixed_file_by_itself(
    cli: Cli, mixed: Path, file: Path, coded_file: Path
) -> None:
    both = orjson.loads(cli("stats", "--json", mixed).out)
    assert both["cases"] == 48
    assert both["families"] == {
        "audit": orjson.loads(cli("stats", "--json", file).out),
        "coding": orjson.loads(cli("stats", "--json", coded_file).out),
    }
    printed = cli("stats", mixed).out
    assert "Error type of findings" in printed
    assert "Wrong codes by kind" in printed
