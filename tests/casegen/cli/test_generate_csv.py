"""generate coding --format csv: tables that casegen learn reads."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest

import casegen
from casegen.seeds.icd10cm.tables import load

from .conftest import Cli

NUMBER = 60


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def generated(cli: Cli, *options: object) -> list[dict[str, str]]:
    done = cli("generate", "coding", "-n", NUMBER, "--seed", 7, "--format", "csv", *options)
    assert (done.status, done.err) == (0, "")
    return rows_of(done.out)


def test_a_row_of_statements_is_a_code_and_the_words_on_which_it_rests(cli: Cli) -> None:
    found = generated(cli)
    cases = {case.id: case for case in casegen.make("coding-v0", seed=7).cases(0, NUMBER)}
    assert list(found[0]) == ["id", "text", "code", "description"]
    expected = [(case.id, gold.code) for case in cases.values() for gold in case.gold()]
    assert [(row["id"], row["code"]) for row in found] == expected
    tables = load()
    for row in found:
        assert row["description"] == tables.title(row["code"])
        note = " ".join(cases[row["id"]].note.split())
        assert all(part in note for part in row["text"].split("; ")), row
        assert row["code"] not in row["text"]


def test_a_row_of_notes_is_a_case_with_all_its_codes_the_primary_first(cli: Cli) -> None:
    found = generated(cli, "--rows", "notes")
    cases = list(casegen.make("coding-v0", seed=7).cases(0, NUMBER))
    assert len(found) == NUMBER
    for row, case in zip(found, cases, strict=True):
        assert row["text"] == case.note
        assert row["code"] == case.primary.code
        assert row["codes"].split() == [gold.code for gold in case.gold()]
        assert row["needs_review"] == ("true" if case.needs_review else "false")


def test_a_statement_holds_each_wording_once(cli: Cli) -> None:
    for row in generated(cli):
        parts = [part.casefold() for part in row["text"].split("; ")]
        assert not any(a in b for a in parts for b in parts if a is not b), row


def test_a_table_is_written_to_a_file_packed_or_not(cli: Cli, tmp_path: Path) -> None:
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    for path in (plain, packed):
        done = cli("generate", "coding", "-n", 5, "--seed", 7, "--format", "csv", "-o", path)
        assert "5 certified cases" in done.err
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


@pytest.mark.parametrize("rows", ["statements", "notes"])
def test_the_learner_reads_every_row_and_foresees_more_than_the_commonest_code(
    cli: Cli, tmp_path: Path, rows: str
) -> None:
    path = tmp_path / "t.csv"
    number = 400
    options = ["--seed", 7, "--format", "csv", "--rows", rows, "-o", path]
    assert cli("generate", "coding", "-n", number, *options).status == 0
    done = cli("learn", "--csv", path, "--warmup", 200, "--batch", 50)
    told = dict(line.split(": ") for line in done.out.splitlines())
    assert told["rows_skipped"] == "0"
    assert int(told["rows_total"]) == len(rows_of(path.read_text(encoding="utf-8")))
    assert float(told["accuracy"]) > 2 * float(told["majority_accuracy"])


@pytest.mark.parametrize(
    ("family", "options", "part"),
    [
        ("audit", ["--format", "csv"], "--format: 'csv': leave it out; audit-v0 has no such form"),
        ("coding", ["--format", "xml"], "must be one of jsonl, csv"),
        ("coding", ["--format", "csv", "--rows", "words"], "must be one of statements, notes"),
        ("coding", ["--rows", "notes"], "goes with --format csv"),
        ("coding", ["--format", "csv", "-o", "x.jsonl"], "name it .csv or .csv.gz"),
        ("coding", ["-o", "x.csv"], "(a table with --format csv): name it .jsonl or .jsonl.gz"),
    ],
)
def test_what_does_not_go_together_is_one_line(
    cli: Cli, family: str, options: list[str], part: str
) -> None:
    assert part in cli("generate", family, "-n", 1, *options).complaint()
