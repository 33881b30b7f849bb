"""Whatever is wrong with the input: one clear line, status 2, nothing half-written."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import orjson
import pytest

from .conftest import Cli

GENERATE = ("generate", "audit", "-n", "2", "--seed", "7")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("generate", "nope", "-n", "1"), "FAMILY"),
        (("generate", "audit"), "-n"),
        (("generate",), "FAMILY"),
        (("generate", "audit", "-n", "0"), "-n: 0"),
        (("generate", "audit", "-n", "-3"), "-n: -3"),
        (("generate", "audit", "-n", "two"), "two"),
        (("generate", "audit", "-n", "1", "--seed", "-1"), "seed"),
        (("generate", "audit", "-n", "1", "--seed", str(1 << 64)), "seed"),
        (("generate", "audit", "-n", "1", "--seed", "1" * 5000), "seed"),
        (("generate", "audit", "-n", "1", "--seed", "7.0"), "seed"),
        (("generate", "audit", "-n", "1", "--start", "-1"), "start"),
        (("generate", "audit", "-n", "1", "--start", str(1 << 64)), "start"),
        (("generate", "audit", "-n", "1", "--start", "1000000000"), "0 to 999999999"),
        (("generate", "audit", "-n", "3", "--start", "999999998"), "; 999999997 at most"),
        (("generate", "audit", "-n", "1", "--split", "dev"), "split"),
        (("generate", "audit", "-n", "1", "--difficulty", "brutal"), "difficulty"),
        (("generate", "audit", "-n", "1", "--setting", "home"), "setting"),
        (("generate", "audit", "-n", "1", "--clean", "1.5"), "clean"),
        (("generate", "audit", "-n", "1", "--clean", "nan"), "clean"),
        (("generate", "audit", "-n", "1", "--colour"), "--colour"),
        (("generate", "audit", "more", "-n", "1"), "more"),
        (("code", "Z99.999"), "Z99.999"),
        (("code", "E0601"), "E0601"),
        (("code", "J44.1", "nothing"), "nothing"),
        (("code", "J44.1", "--date", "2026-02-30"), "date"),
        (("code", "J44.1", "--date", "20260401"), "date"),
        (("code", ""), "code"),
        (("refine",), "refine"),
        (("--nothing",), "--nothing"),
        (("show", "cases.jsonl#x"), "#"),
    ],
)
def test_a_wrong_argument_is_named(arguments: tuple[str, ...], named: str, cli: Cli) -> None:
    assert named in cli(*arguments).complaint()


@pytest.mark.parametrize("command", ["validate", "show", "stats", "check"])
class TestAFile:
    def test_that_is_missing(self, command: str, cli: Cli, tmp_path: Path) -> None:
        assert "missing.jsonl" in cli(command, tmp_path / "missing.jsonl").complaint()

    def test_that_is_a_folder(self, command: str, cli: Cli, tmp_path: Path) -> None:
        assert str(tmp_path) in cli(command, tmp_path).complaint()

    def test_that_is_empty(self, command: str, cli: Cli, tmp_path: Path) -> None:
        (tmp_path / "empty").touch()
        assert "empty" in cli(command, tmp_path / "empty").complaint()

    def test_without_a_name(self, command: str, cli: Cli) -> None:
        cli(command, "").complaint()

    def test_that_holds_no_json(self, command: str, cli: Cli, tmp_path: Path) -> None:
        path = tmp_path / "text"
        path.write_text("sex,code\nfemale,E11.9\n")
        told = cli(command, path).complaint()
        assert "line 1" in told
        assert "sex,code" in told

    def test_that_holds_a_list(self, command: str, cli: Cli, tmp_path: Path) -> None:
        path = tmp_path / "list"
        path.write_text("[]\n")
        assert "object" in cli(command, path).complaint()

    @pytest.mark.parametrize("indent", [None, 1])
    def test_that_holds_a_claim(
        self, indent: int | None, command: str, cli: Cli, tmp_path: Path
    ) -> None:
        path = tmp_path / "claim.json"
        path.write_text(json.dumps({"patient": {}, "lines": [{"code": "I10"}]}, indent=indent))
        mend = "is a claim and no file of cases; use casegen check"
        assert ("is missing" if command == "check" else mend) in cli(command, path).complaint()

    def test_that_holds_a_case_over_several_lines(
        self, command: str, cli: Cli, tmp_path: Path, lines: list[bytes]
    ) -> None:
        path = tmp_path / "case.json"
        path.write_text(json.dumps(json.loads(lines[0]), indent=1))
        mend = "use casegen validate" if command == "check" else "cases stand as JSON lines"
        assert mend in cli(command, path).complaint()

    def test_that_nests_too_deep(self, command: str, cli: Cli, tmp_path: Path) -> None:
        path = tmp_path / "deep"
        path.write_text("[" * 100_000)
        cli(command, path).complaint()

    def test_that_is_no_text(self, command: str, cli: Cli, tmp_path: Path) -> None:
        path = tmp_path / "bytes"
        path.write_bytes(b'{"id": "\xff\xfe"}\n')
        cli(command, path).complaint()

    def test_whose_gzip_is_cut_off(
        self, command: str, cli: Cli, tmp_path: Path, lines: list[bytes]
    ) -> None:
        path = tmp_path / "cut.jsonl.gz"
        path.write_bytes(gzip.compress(lines[0] * 50)[:200])
        assert "gzip" in cli(command, path).complaint()


def broken(lines: list[bytes], number: int, text: bytes) -> bytes:
    """The file with another text for one line (from 1)."""
    return b"".join([*lines[: number - 1], text + b"\n", *lines[number:6]])


@pytest.mark.parametrize("command", ["validate", "stats", "show"])
@pytest.mark.parametrize("text", [b'{"id": ', b"", b"null", b'{"id": "x"}'])
def test_a_broken_line_in_the_middle_is_named(
    command: str, text: bytes, cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(broken(lines, 3, text))
    place = f"{path}#2" if command == "show" else path
    told = cli(command, place).complaint()
    assert f"{path}, line 3: " in told


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda case: case.pop("note"), "note"),
        (lambda case: case["patient"].update(sex="f"), "patient.sex"),
        (lambda case: case["claim"][1].update(units="1"), "claim[1].units"),
        (lambda case: case["claim"][1].update(price=3), "claim[1].price"),
        (lambda case: case["encounter"].pop("setting"), "encounter.setting"),
        (lambda case: case.update(seed=-1), "seed"),
        (lambda case: case.update(seed=7.0), "seed"),
        (lambda case: case["patient"].update(birth_date="1961/02/03"), "patient.birth_date"),
    ],
)
@pytest.mark.parametrize("command", ["validate", "stats"])
def test_a_field_that_does_not_fit_is_named(
    command: str, change: object, field: str, cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    case = orjson.loads(lines[2])
    change(case)  # type: ignore[operator]
    path = tmp_path / "cases.jsonl"
    path.write_bytes(broken(lines, 3, orjson.dumps(case)))
    assert f"{path}, line 3: {field}: " in cli(command, path).complaint()


@pytest.mark.parametrize("command", ["validate", "stats", "show", "validate --remake"])
@pytest.mark.parametrize("depth", [20, 260, 1000])
@pytest.mark.parametrize("field", ["note", "options", "claim", "more"])
def test_a_field_that_nests_too_deep_is_named(
    command: str, depth: int, field: str, cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    deep = b'{"a":' * depth + b"1" + b"}" * depth
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b'{"%s":%s,' % (field.encode(), deep) + lines[0][1:])
    if field != "more":  # the last of two keys of one name counts
        path.write_bytes(lines[0][:-2] + b',"%s":%s}\n' % (field.encode(), deep))
    told = cli(*command.split(), path).complaint()
    assert f"{path}, line 1: {field}" in told


@pytest.mark.parametrize("field", ["patient", "lines", "service_date", "record", "more"])
@pytest.mark.parametrize("depth", [20, 260, 1000])
def test_a_claim_that_nests_too_deep_is_named(
    field: str, depth: int, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "claim.json"
    deep = "[" * depth + "]" * depth
    path.write_text(json.dumps({**CLAIM, field: 0}).replace(f'"{field}": 0', f'"{field}": {deep}'))
    assert f"{path}: {field}" in cli("check", path).complaint()


@pytest.mark.parametrize("command", ["validate", "stats", "show", "check"])
@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_too_little_memory_is_a_line(
    command: str,
    error: type[Exception],
    cli: Cli,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("orjson.loads", fails)
    cli(command, file).complaint()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of POSIX")
def test_a_line_larger_than_the_memory_is_a_line(tmp_path: Path) -> None:
    import resource
    import subprocess
    import sys

    path = tmp_path / "cases.jsonl.gz"
    path.write_bytes(gzip.compress(b'"' + b" " * (600 << 20), compresslevel=1))
    limit = 700 << 20
    done = subprocess.run(
        [sys.executable, "-m", "casegen", "stats", path],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.count(b"\n") == 1, done.stderr
    assert b"memory" in done.stderr


@pytest.mark.parametrize("command", ["validate", "stats", "show", "check"])
def test_no_control_character_reaches_the_terminal(
    command: str, cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    path = tmp_path / "a\x1b[2Jb.jsonl"
    for text in (b'{"\\u001b[2J\\u0000": 1}\n', b"\x1b[2J\x9b\n", b'{"id": "\\u001b]0;x"}\n'):
        path.write_bytes(text)
        told = cli(command, path).complaint()
        assert told[:-1].isprintable()
        assert "\\x1b[2J" in told
    told = cli(f"\x1b[2J{command}").complaint()
    assert told[:-1].isprintable()


def test_a_case_is_no_claim(cli: Cli, tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "case.json"
    for text in (lines[0], lines[0] + lines[1]):
        path.write_bytes(text)
        assert "this is a case; use casegen validate" in cli("check", path).complaint()


def test_show_says_which_cases_there_are(cli: Cli, file: Path) -> None:
    assert "0 to 23" in cli("show", f"{file}#24").complaint()
    assert "#" in cli("show", f"{file}#-1").complaint()


# --- a claim from outside

CLAIM = {
    "patient": {"sex": "female", "birth_date": "1961-02-03"},
    "service_date": "2026-05-04",
    "setting": "office",
    "claim_type": "professional",
    "lines": [{"code": "E11.9"}, {"code": "99213", "system": "CPT"}],
}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda c: c.pop("lines"), "lines"),
        (lambda c: c["lines"].clear(), "lines"),
        (lambda c: c["lines"][1].update(system="ICD-9-CM"), "lines[1].system"),
        (lambda c: c["lines"][0].update(code=""), "lines[0].code"),
        (lambda c: c.update(service_date="2026-02-30"), "service_date"),
        (lambda c: c["patient"].update(sex="x"), "patient.sex"),
        (lambda c: c.update(colour="red"), "colour"),
    ],
)
def test_a_wrong_field_of_a_claim_is_named(
    change: object, field: str, cli: Cli, tmp_path: Path
) -> None:
    claim = json.loads(json.dumps(CLAIM))
    change(claim)  # type: ignore[operator]
    path = tmp_path / "claim.json"
    path.write_text(json.dumps(claim))
    assert f"{path}: {field}: " in cli("check", path).complaint()


def test_a_wrong_line_of_a_claim_file_is_named(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    path.write_text('{\n  "patient": {},\n  oops\n}\n')
    told = cli("check", path).complaint()
    assert f"{path}, line 3: " in told
    assert "oops" in told


# --- where results go


def test_a_folder_is_no_target(cli: Cli, tmp_path: Path) -> None:
    assert "folder" in cli(*GENERATE, "-o", tmp_path).complaint()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["no/such/cases.jsonl", "new/", "a" * 300, ""])
def test_a_target_that_cannot_be_is_named(
    name: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "-o: " in cli(*GENERATE, "-o", name).complaint()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["x.parquet", "x.json", "x.csv", "x", "x.gz", "x.jsonl.zst", "x.jsonl.bz2", ".part"]
)
def test_a_target_of_another_format_is_refused_with_the_mend(
    name: str, cli: Cli, tmp_path: Path
) -> None:
    told = cli(*GENERATE, "-o", tmp_path / name).complaint()
    assert ".jsonl.gz" in told
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).write_text("mine")
    cli(*GENERATE, "-o", tmp_path / name).complaint()
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_device_is_named(cli: Cli) -> None:
    assert "/dev/full" in cli(*GENERATE, "-o", "/dev/full").complaint()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_what_is_write_protected_stays(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("mine")
    path.chmod(0o444)
    assert "write-protected" in cli(*GENERATE, "-o", path).complaint()
    tmp_path.chmod(0o555)
    try:
        cli(*GENERATE, "-o", tmp_path / "other.jsonl").complaint()
    finally:
        tmp_path.chmod(0o755)
    assert path.read_text() == "mine"


def test_what_goes_wrong_before_the_first_case_leaves_an_old_file_alone(
    cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("mine")
    cli(*GENERATE, "--split", "dev", "-o", path).complaint()
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]
