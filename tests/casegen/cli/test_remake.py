"""``validate --remake`` tells the generator's cases from those of a careful forger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

import casegen
from casegen.schemas.serial import case_line

from .conftest import Cli, Data, again


def test_what_the_generator_made_it_makes_again(
    cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    path = tmp_path / "cases.jsonl"
    recipes: list[dict[str, Any]] = [
        {"difficulty": "hard", "clean": 0.25, "settings": ("inpatient", "office")},
        {"errors": {"ncci_edit": 2, "untraceable_code": 1}, "split": "test"},
        {"first_date": "2026-05-01", "last_date": "2026-05-02", "clean": 1},
        {"errors": {}, "clean": 1},
    ]
    more = [case_line(casegen.make("audit-v0", seed=9, **recipe)[4]) for recipe in recipes]
    path.write_bytes(b"".join([*lines[:6], *more]))
    told = cli("validate", path, "--remake")
    assert (told.status, told.err) == (0, "")
    assert "10 cases valid and remade" in told.out


def shuffled_plan(case: Data) -> None:
    case["patient"]["insurance"] = "Another"


def lighter(case: Data) -> None:
    easy = case["difficulty"] == "easy"
    case["difficulty"], case["max_steps"] = ("hard", 20) if easy else ("easy", 10)


def longer_note(case: Data) -> None:
    case["note"] += " Seen by another physician."


def fewer_decoys(case: Data) -> None:
    case["decoys"].pop()


def more_redraws(case: Data) -> None:
    case["redraws"].append("no case")


@pytest.mark.parametrize(
    ("forge", "field"),
    [
        (shuffled_plan, "patient.insurance"),
        (lighter, "difficulty"),
        (longer_note, "note"),
        (fewer_decoys, "decoys[{decoys}]"),
        (more_redraws, "redraws[{redraws}]"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_only_a_remake_finds_what_a_careful_forger_changed(
    forge: Callable[[Data], None], field: str, cli: Cli, tmp_path: Path, broken_case: Data
) -> None:
    decoys, redraws = len(broken_case["decoys"]) - 1, len(broken_case["redraws"])
    forge(broken_case)
    path = tmp_path / "cases.jsonl"
    path.write_bytes(orjson.dumps(again(broken_case)) + b"\n")
    assert cli("validate", path).status == 0
    told = cli("validate", path, "--remake").complaint()
    assert f"line 1: {field.format(decoys=decoys, redraws=redraws)}: " in told
    assert "its recipe" in told


def test_options_that_no_generator_writes_are_refused(
    cli: Cli, tmp_path: Path, broken_case: Data
) -> None:
    for name, value in (("clean", "0.250"), ("difficulty", "brutal"), ("colour", "red")):
        case = {**broken_case, "options": {name: value}}
        case["id"] += f"?{name}={value}"
        path = tmp_path / "cases.jsonl"
        path.write_bytes(orjson.dumps(again(case)) + b"\n")
        assert f"options.{name}" in cli("validate", path, "--remake").complaint()


def test_help_says_what_certified_means(cli: Cli) -> None:
    out = " ".join(cli("validate", "--help").out.split())
    assert "--remake" in out
    assert '"Certified" means' in out
