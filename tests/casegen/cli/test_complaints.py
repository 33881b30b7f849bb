"""Every option and argument of every command, given what it can't take: one line that names it as
it was typed, then the value, then the mend."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from casegen.cli.group import cli as group
from casegen.config import LARGEST_SEED

from .conftest import Cli

SEED = f"a whole number from 0 to {LARGEST_SEED}"
LEVELS = "one of easy, medium, hard, expert"
SPLITS = "one of train, validation, test"
NO_FILE = "No such file or directory"
NO_SET = "no imported set of that name here"
PACKS = (
    "one of audit-seed-v1, audit-bench-v1, coding-seed-v1, coding-bench-v1, rx-seed-v1, "
    "rx-bench-v1, or a file .json"
)
BAD = ["generate audit -n 1", "export out --seed 7", "rollout audit --agent expert",
       "evaluate audit --agent expert", "play audit", "serve audit", "pack build"]  # fmt: skip
GENERATE, EXPORT, ROLLOUT, EVALUATE, PLAY, SERVE, BUILD = (one.split() for one in BAD)

# Needs an export: see tests/exports/test_report.py; or is told behind the name of a file: see
# tests/casegen/learn.
ELSEWHERE = {
    ("report", "--output"),
    ("learn", "--text-column"),
    ("learn", "--code-column"),
    ("learn", "--plot"),
}
# The command with what is wrong in it, and how the complaint begins.
TABLE: list[tuple[list[str], str]] = [
    (["generate", "nope", "-n", "1"], "FAMILY: 'nope': one of audit"),
    (["generate", "audit"], "-n or --number: is missing"),
    (["generate", "audit", "-n", "0"], "-n: 0: a whole number from 1 to "),
    (["generate", "audit", "-n0"], "-n: 0: a whole number from 1 to "),
    (["generate", "audit", "--number", "two"], "--number: 'two': a whole number from 1 to "),
    (["generate", "audit", "--number=-1"], "--number: -1: a whole number from 1 to "),
    ([*GENERATE, "--seed", "-1"], f"--seed: -1: {SEED}"),
    ([*GENERATE, "--seed", "7.0"], f"--seed: '7.0': {SEED}"),
    ([*GENERATE, "--split", "dev"], f"--split: 'dev': {SPLITS}"),
    ([*GENERATE, "--start", "-1"], "--start: -1: a whole number from 0 to "),
    ([*GENERATE, "--difficulty", "brutal"], f"--difficulty: 'brutal': {LEVELS}"),
    ([*GENERATE, "--clean", "2"], "--clean: 2.0: a share from 0 to 1"),
    ([*GENERATE, "--clean", "nan"], "--clean: nan: a share from 0 to 1"),
    ([*GENERATE, "--clean", "few"], "--clean: 'few': a share from 0 to 1"),
    ([*GENERATE, "--review", "2"], "--review: 2.0: a share from 0 to 1"),
    (["generate", "rx", "-n", "1", "--safe", "2"], "--safe: 2.0: a share from 0 to 1"),
    ([*GENERATE, "--safe", "0.5"], "--safe: 0.5: leave it out; audit-v0 has no such option"),
    (
        ["generate", "rx", "-n", "1", "--setting", "office"],
        "--setting: 'office': leave it out; rx-v0 has no such option",
    ),
    ([*GENERATE, "--setting", "home"], "--setting: 'home': one of office, "),
    ([*GENERATE, "--first-date", "today"], "--first-date: 'today': a date from 2026-04-01 to "),
    ([*GENERATE, "--last-date", "2030-01-01"], "--last-date: '2030-01-01': a date from "),
    ([*GENERATE, "--tables", "nope"], f"--tables: 'nope': {NO_SET}"),
    ([*GENERATE, "--tables", "a/b"], "--tables: 'a/b': 'bundled' or the name of an imported set"),
    ([*GENERATE, "--format", "xml"], "--format: 'xml': must be one of jsonl, csv"),
    (
        ["generate", "coding", "-n", "1", "--format", "csv", "--rows", "some"],
        "--rows: 'some': must be one of statements, notes",
    ),
    (["learn"], "--csv: is missing"),
    (["learn", "--csv", "CASES", "--warmup", "-1"], "--warmup: -1: a whole number from 0 to "),
    (["learn", "--csv", "CASES", "--batch", "0"], "--batch: 0: a whole number from 1 to 100000"),
    (["learn", "--csv", "CASES", "--delimiter", "abc"], "--delimiter: 'abc': must be one char"),
    (["learn", "--csv", "CASES", "--encoding", "klingon"], "--encoding: 'klingon': no such enc"),
    ([*GENERATE, "-o", "x.csv"], "-o: 'x.csv': cases are JSON lines: name it .jsonl"),
    ([*GENERATE, "--output", ""], "--output: '': names no file"),
    ([*GENERATE, "--output"], "--output: requires an argument"),
    (["validate"], "FILE: is missing"),
    (["validate", "nope"], f"FILE: 'nope': {NO_FILE}"),
    (["validate", "CASES", "--tables", "nope"], f"--tables: 'nope': {NO_SET}"),
    (["validate", "CASES", "--tables", ""], "--tables: '': letters, digits"),
    (["show", "nope"], f"FILE: 'nope': {NO_FILE}"),
    (["show", "CASES#99"], "FILE: 'CASES#99': there is no case 99"),
    (["stats", "nope"], f"FILE: 'nope': {NO_FILE}"),
    (["check", "nope"], f"CLAIM: 'nope': {NO_FILE}"),
    (["check", "CLAIM", "--tables", "nope"], f"--tables: 'nope': {NO_SET}"),
    (["code", "E11.9x"], "CODE: 'E11.9x': it is neither"),
    (["code", "E11.9", "nope"], "OTHER: 'nope': it is neither"),
    (["code", "E11.9", "--date", "2026-02-30"], "--date: '2026-02-30': must be a date"),
    (["code", "E11.9", "--tables", "nope"], f"--tables: 'nope': {NO_SET}"),
    (["drug", "nope"], "DRUG: 'nope': no generic name"),
    (["drug", "aspirin", "nope"], "OTHER: 'nope': no generic name"),
    *[
        row
        for kind in ("icd10cm", "mce", "ncci", "mue", "cpt")
        for row in (
            (["import", kind, "nope.txt"], f"FILES: 'nope.txt': {NO_FILE}"),
            (["import", kind, "nope.txt", "--name", "a b"], "--name: 'a b': letters, digits"),
            (["import", kind, "nope.txt", "--effective", "x"], "--effective: 'x': a date of the"),
        )
    ],
    (["import", "remove", "nope"], f"NAME: 'nope': {NO_SET}"),
    ([*BUILD], "RECIPE: name either a recipe or --cases"),
    ([*BUILD, "nope.json"], f"RECIPE: 'nope.json': {NO_FILE}"),
    ([*BUILD, "--cases", "CASES"], "--name: name the pack of these cases"),
    ([*BUILD, "--cases", "nope.jsonl", "--name", "x"], f"--cases: 'nope.jsonl': {NO_FILE}"),
    ([*BUILD, "--cases", "CASES", "--name", "a b"], "--name: 'a b': letters, digits"),
    ([*BUILD, "--cases", "CASES", "--name", "train"], "--name: 'train': is the name of a split"),
    ([*BUILD, "--profile", "lax"], "--profile: 'lax': one of seed, strict"),
    ([*BUILD, "--cases", "CASES", "--name", "x", "-o", "x.csv"], "-o: 'x.csv': a pack is one"),
    (["pack", "verify", "nope"], f"NAME: 'nope': {PACKS}"),
    (["pack", "show", "nope"], f"PLACE: 'nope': {PACKS}"),
    (["pack", "show", "audit-seed-v1#5"], "PLACE: 'audit-seed-v1#5': after # stands a number"),
    *[
        row
        for head in (ROLLOUT, EVALUATE)
        for row in (
            ([*head, "-n", "0"], "-n: 0: a whole number from 1 to "),
            ([*head, "--seed", "x"], f"--seed: 'x': {SEED}"),
            ([*head, "--split", ""], f"--split: '': {SPLITS}; a pack is named by --pack"),
            ([*head, "--split", "audit-seed-v1"], f"--split: 'audit-seed-v1': {SPLITS}"),
            ([*head, "--pack", "nope"], f"--pack: 'nope': {PACKS}"),
            ([*head, "--pack", "nope.json"], f"--pack: 'nope.json': {NO_FILE}"),
            ([*head, "--pack", "audit-seed-v1", "--seed", "1"], "--seed: 1: leave it out"),
            ([*head, "--pack", "audit-seed-v1", "-n", "6"], "-n: 6: audit-seed-v1 holds 5"),
            ([*head, "--difficulty", "odd"], f"--difficulty: 'odd': {LEVELS}"),
            ([head[0], "nope", *head[2:]], "FAMILY: 'nope': one of audit"),
            ([*head[:2], "--agent", "nope"], "--agent: 'nope': one of oracle, expert, "),
        )
    ],
    ([*ROLLOUT, "-o", "x.csv"], "-o: 'x.csv': episodes are JSON lines: name it .jsonl"),
    ([*EVALUATE, "--agent-seed", "-1"], f"--agent-seed: -1: {SEED}"),
    ([*EVALUATE, "--jobs", "65"], "--jobs: 65: a whole number from 1 to 64"),
    (["play", "nope"], "FAMILY: 'nope': one of audit"),
    ([*PLAY, "--task", "nope"], "--task: 'nope': a documented task, or one of "),
    ([*PLAY, "--pack", "nope"], f"--pack: 'nope': {PACKS}"),
    ([*PLAY, "--index", "-1"], "--index: -1: a whole number from 0 to 999999999"),
    ([*PLAY, "--pack", "audit-seed-v1", "--index", "5"], "--index: 5: a whole number from 0 to 4"),
    ([*PLAY, "--seed", "-1"], f"--seed: -1: {SEED}"),
    ([*PLAY, "--split", "dev"], f"--split: 'dev': {SPLITS}, audit-seed-v1"),
    ([*PLAY, "--difficulty", "odd"], f"--difficulty: 'odd': {LEVELS}"),
    (["serve", "nope"], "FAMILY: 'nope': one of audit"),
    ([*SERVE, "--host", ""], "--host: '': no such address"),
    ([*SERVE, "--port", "65536"], "--port: 65536: a whole number from 0 to 65535"),
    ([*SERVE, "--max-sessions", "0"], "--max-sessions: 0: a whole number from 1 to 100000"),
    ([*SERVE, "--session-timeout", "0"], "--session-timeout: 0.0: seconds, more than 0"),
    ([*SERVE, "--session-timeout", "nan"], "--session-timeout: nan: seconds, more than 0"),
    ([*SERVE, "--max-message-bytes", "9"], "--max-message-bytes: 9: a whole number from 1024"),
    ([*SERVE, "--port", "0", "--pack", "nope"], f"--pack: 'nope': {PACKS}"),
    ([*SERVE, "--port", "0", "--tables", "nope"], f"--tables: 'nope': {NO_SET}"),
    ([*SERVE, "--port", "0", "--allowed-host", "a b"], "--allowed-host: 'a b': a name without"),
    (["space", "nope", "-o", "x"], "FAMILY: 'nope': one of audit"),
    (["space", "audit", "-o", ""], "-o: '': names no folder"),
    (["space", "audit", "-o", "x", "--wheel", "x.whl"], "--wheel: 'x.whl': no such file"),
    ([*EXPORT[:2]], "--seed: is missing"),
    (["export", "", "--seed", "7"], "DIR: '': names no folder"),
    (["export", "CASES", "--seed", "7"], "DIR: 'CASES': is no folder"),
    ([*EXPORT, "--cases", "-1"], "--cases: -1: a whole number from 1 to 1000000000"),
    ([*EXPORT, "--cases", "0"], "--cases: 0: a whole number from 1 to 1000000000"),
    ([*EXPORT, "--cases", f"{10**12}"], "--cases: 1000000000000: a whole number from 1 to "),
    ([*EXPORT, "--seed", "x"], f"--seed: 'x': {SEED}"),
    ([*EXPORT, "--config", "nope"], "--config: 'nope': one of cases, trajectories, "),
    ([*EXPORT, "--family", "nope"], "--family: 'nope': one of audit"),
    ([*EXPORT, "--difficulty", "odd"], f"--difficulty: 'odd': {LEVELS}"),
    ([*EXPORT, "--tables", "nope"], f"--tables: 'nope': {NO_SET}"),
    ([*EXPORT, "--shard-cases", "0"], "--shard-cases: 0: a whole number from 1 to 100000"),
    ([*EXPORT, "--jobs", "0"], "--jobs: 0: a whole number from 1 to 256"),
    ([*EXPORT, "--jobs", "5000"], "--jobs: 5000: a whole number from 1 to 256"),
    ([*EXPORT, "--resume", "--overwrite"], "--overwrite: goes without --resume"),
    (["report", "nope"], "DIR: 'nope': is not there"),
    (["report", "CASES"], "DIR: 'CASES': is no folder"),
    (["report", "."], "DIR: '.': holds no manifest.json"),
    (["report", ".", "--samples", "201"], "--samples: 201: a whole number from 0 to 200"),
    (["report", ".", "-o", "-", "--json"], "--json: goes with -o FILE"),
    (["push", "", "a/b"], "DIR: '': names no folder"),
    (["push", ".", "a b"], "REPO: 'a b': a name such as user/dataset"),
    (["export", "out", "more", "--seed", "7"], "Got unexpected extra argument (more); see casegen"),
    ([*EXPORT, "--case", "3"], "--case: no such option; did you mean --cases"),
    ([*EXPORT, "--json=1"], "--json: does not take a value"),
    (["exprot"], "No such command 'exprot'"),
    (["pack", "make"], "No such command 'make'; see casegen pack --help"),
]


@pytest.mark.parametrize(("words", "begins"), TABLE, ids=[" ".join(row[0]) for row in TABLE])
def test_a_complaint_names_what_was_typed_its_value_and_the_mend(
    words: list[str],
    begins: str,
    cli: Cli,
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CASEGEN_TABLES", str(tmp_path / "tables"))
    monkeypatch.chdir(tmp_path)
    file.rename("CASES")
    Path("CLAIM").write_text(
        '{"patient": {"sex": "male", "birth_date": "1961-02-03"}, "service_date": "2026-05-04",'
        ' "setting": "office", "claim_type": "professional", "lines": [{"code": "I10"}]}'
    )
    told = cli(*words).complaint()
    assert told.startswith(f"casegen: {begins}")
    assert {path.name for path in tmp_path.iterdir()} <= {"CASES", "CLAIM"}


def commands() -> Iterator[tuple[list[str], click.Command]]:
    """All commands with the words that call them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from (([name, one], found.commands[one]) for one in found.commands)
        else:
            yield [name], found


def test_every_option_that_takes_a_value_stands_in_the_table() -> None:
    begun = [(words, begins) for words, begins in TABLE]
    for call, command in commands():
        own = [begins for words, begins in begun if words[: len(call)] == call]
        for param in command.params:
            if isinstance(param, click.Option) and (param.is_flag or param.name == "help"):
                continue
            names = (
                [(param.metavar or (param.name or "").upper()).removesuffix("...")]
                if isinstance(param, click.Argument)
                else param.opts
            )
            if (*call, names[-1]) in ELSEWHERE:
                continue
            assert any(one.startswith(f"{name}:") for one in own for name in names), (call, names)


def test_a_group_without_a_command_shows_its_help(cli: Cli) -> None:
    for name in ("pack", "import"):
        told = cli(name)
        assert (told.status, told.err) == (0, "")
        assert told.out.startswith(f"Usage: casegen {name}")
