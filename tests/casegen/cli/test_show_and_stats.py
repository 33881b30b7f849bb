"""``show`` and ``stats`` say what a file holds, to a person and to a script."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import orjson
import pytest

import casegen
from casegen.schemas import Case
from casegen.schemas.serial import case_from, case_line

from .conftest import Cli


@pytest.fixture
def cases(lines: list[bytes]) -> list[Case]:
    return [case_from(orjson.loads(line)) for line in lines]


def squeezed(text: str) -> str:
    """Text without the places where it was broken."""
    return " ".join(text.split())


@pytest.mark.parametrize("columns", [80, 120])
def test_show_tells_all_of_a_case(
    columns: int, cli: Cli, file: Path, cases: list[Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for number, case in enumerate(cases[:8]):
        out = cli("show", f"{file}#{number}").out
        flat = squeezed(out)
        assert case.id in out
        assert case.patient.name in out
        assert case.encounter.service_date in out
        for line in case.claim:
            assert line.code in out
        for finding in case.findings:
            assert finding.error_type in out
            assert squeezed(finding.explanation) in flat
            assert squeezed(finding.authority.reference) in flat
        for decoy in case.decoys:
            assert squeezed(decoy.reason) in flat
        for question in case.questions:
            topic = question.topic
            assert squeezed(f"{topic} asked which {topic} → {question.answer}") in flat
        for line_of_text in out.splitlines():
            assert len(line_of_text) <= columns
            assert line_of_text == line_of_text.rstrip()
        assert "\x1b" not in out


def test_show_marks_the_evidence_in_the_note(cli: Cli, file: Path, cases: list[Case]) -> None:
    marked = 0
    for number, case in enumerate(cases):
        note = squeezed(cli("show", f"{file}#{number}").out)
        for count, finding in enumerate(case.findings, 1):
            for span in finding.evidence:
                start = re.escape(squeezed(span.text)[:12])
                assert re.search(rf"\[[\d,]*{count}[\d,]*: (\[[\d,]+: )?{start}", note)
                marked += 1
    assert marked > 20


def test_show_without_the_marks_is_the_note(cli: Cli, file: Path, cases: list[Case]) -> None:
    for number, case in enumerate(cases):
        out = cli("show", f"{file}#{number}").out
        note = out[out.index("\nNote\n") + 6 : out.index("\nProposed claim\n")]
        plain = re.sub(r"\[[\d,]+:\s|\]", "", note)
        assert squeezed(plain) == squeezed(re.sub(r"\]", "", case.note))


def test_show_and_stats_print_no_control_character(
    cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    def spoil(value: object) -> object:
        if isinstance(value, dict):
            return {key: spoil(part) for key, part in value.items()}
        if isinstance(value, list):
            return [spoil(part) for part in value]
        fixed = isinstance(value, str) and (value.isalnum() or "_" in value or "-" in value)
        return f"{value}\x1b[2J\0\x9b" if isinstance(value, str) and not fixed else value

    path = tmp_path / "cases.jsonl"
    for line in lines[:8]:
        case = spoil(orjson.loads(line))
        assert isinstance(case, dict)
        case["note"] = case["note"].replace(" ", " \x1b[31m\0")
        case["findings"] = [{**f, "kind": "\x1b[31m"} for f in case["findings"]]
        case["redraws"] = ["\x1b[31m"]
        path.write_bytes(orjson.dumps(case) + b"\n")
        for command in ("show", "stats"):
            result = cli(command, path)
            assert result.status == 0, result.err
            assert "\\x1b[" in result.out
            assert result.out.replace("\n", "").isprintable()


def test_show_gives_the_first_case_and_counts_from_0(cli: Cli, file: Path) -> None:
    assert cli("show", file).out == cli("show", f"{file}#0").out
    assert cli("show", f"{file}#1").out != cli("show", f"{file}#0").out


def test_show_gives_a_script_the_line_itself(cli: Cli, file: Path, lines: list[bytes]) -> None:
    assert cli("show", f"{file}#5", "--json").out.encode() == lines[5]


def test_a_file_may_have_a_number_sign_in_its_name(
    cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    path = tmp_path / "cases#1"
    path.write_bytes(lines[0])
    assert "audit-v0/train/7/0" in cli("show", path).out


def test_stats_counts_what_is_there(cli: Cli, file: Path, cases: list[Case]) -> None:
    told = json.loads(cli("stats", file, "--json").out)
    assert told["cases"] == len(cases)
    assert told["clean"] == sum(not case.findings for case in cases)
    assert told["findings"] == sum(len(case.findings) for case in cases)
    assert told["claim_lines"] == sum(len(case.claim) for case in cases)
    assert told["distinct_codes"] == len({line.code for case in cases for line in case.claim})
    assert told["duplicates"] == 0
    assert told["difficulty"] == Counter(case.difficulty for case in cases)
    assert told["error_type"] == Counter(f.error_type for c in cases for f in c.findings)
    assert told["authority"] == Counter(f.authority.source for c in cases for f in c.findings)
    assert told["redraws"] == Counter(reason for case in cases for reason in case.redraws)
    words = sorted(len(case.note.split()) for case in cases)
    assert words[0] <= told["note_words_quartiles"][1] <= words[-1]


def test_stats_finds_a_case_that_comes_twice(cli: Cli, tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "cases.jsonl"
    renamed = orjson.loads(lines[0])
    renamed["note"] = renamed["note"].replace("2026", "2025")
    path.write_bytes(lines[0] + lines[1] + orjson.dumps(renamed) + b"\n")
    assert json.loads(cli("stats", path, "--json").out)["duplicates"] == 1


def test_stats_counts_the_redraws_of_two_siblings_once(cli: Cli, tmp_path: Path) -> None:
    pairs = casegen.make("audit-v0", seed=7, sibling="first").pairs(0, 40)
    cases = [case for pair in pairs for case in pair]
    again = Counter(reason for case in cases[::2] for reason in case.redraws)
    assert again.total() > 5
    path = tmp_path / "pairs.jsonl"
    for order in (cases, cases[::-1], cases[1::2]):
        path.write_bytes(b"".join(map(case_line, order)))
        assert json.loads(cli("stats", path, "--json").out)["redraws"] == again
    path.write_bytes(b"".join(map(case_line, cases)))
    share = f"{again.total() / (40 + again.total()):.1%}"
    assert f"{again.total()} ({share} of all draws)" in cli("stats", path).out


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_stats_fits_the_terminal(
    columns: int, cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = cli("stats", file).out
    assert max(map(len, out.splitlines())) <= columns
    for word in ("cases", "clean", "Error type", "Authority", "chapter", "words", "distinct codes"):
        assert word in out


def test_stats_of_one_case_divides_by_nothing(cli: Cli, tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "cases.jsonl"
    for line in lines:
        path.write_bytes(line)
        assert cli("stats", path).status == 0
