"""``check`` scrubs a claim from outside; help is quick and complete."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import casegen
from casegen.cli.group import COMMANDS
from casegen.schemas.json_schema import schema_of

from .conftest import Cli

CLAIM = {
    "patient": {"sex": "male", "birth_date": "1961-02-03"},
    "service_date": "2026-05-04",
    "setting": "office",
    "claim_type": "professional",
    "lines": [{"code": "i10"}, {"code": "W21.89A"}, {"code": "93306"}, {"code": "93307"}],
}


@pytest.fixture
def claim(tmp_path: Path) -> Path:
    path = tmp_path / "claim.json"
    path.write_text(json.dumps(CLAIM))
    return path


def test_errors_end_with_status_1(cli: Cli, claim: Path) -> None:
    result = cli("check", claim)
    assert result.status == 1
    assert "W21.89A" in result.out
    assert "ncci_edit" in result.out
    assert result.err == ""


def test_a_claim_without_errors_ends_with_status_0(cli: Cli, claim: Path) -> None:
    claim.write_text(json.dumps({**CLAIM, "lines": [{"code": "I10"}, {"code": "99213"}]}))
    assert cli("check", claim).status == 0


def test_a_script_gets_one_object(cli: Cli, claim: Path) -> None:
    result = cli("check", claim, "--json")
    told = json.loads(result.out)
    assert result.status == 1
    assert {verdict["error_type"] for verdict in told["verdicts"]} == {
        "specificity_error",
        "ncci_edit",
    }


def test_a_claim_comes_from_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.TextIOWrapper(io.BytesIO(json.dumps(CLAIM).encode()))
    monkeypatch.setattr(sys, "stdin", text)
    assert cli("check", "-").status == 1


def test_what_check_takes_fits_the_schema_of_claims() -> None:
    Draft202012Validator(schema_of("claim")).validate(CLAIM)


# --- help


def test_without_a_command_there_is_help(cli: Cli) -> None:
    result = cli()
    assert result.status == 0
    assert all(name in result.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(name: str, cli: Cli) -> None:
    result = cli(name, "--help")
    assert result.status == 0
    assert f"Usage: casegen {name}" in result.out


def test_the_version_needs_no_installation(cli: Cli) -> None:
    assert cli("--version").out == f"casegen {casegen.__version__}\n"


def test_the_version_is_that_of_the_project() -> None:
    import tomllib

    path = Path(__file__).parents[3] / "pyproject.toml"
    assert tomllib.loads(path.read_text())["project"]["version"] == casegen.__version__


def test_help_loads_nothing_heavy() -> None:
    script = """
import sys
from casegen.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
heavy = ("datasets", "openenv", "numpy", "pydantic", "rich", "jsonschema", "faker", "yaml")
print("LOADED", sorted(name for name in heavy if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"LOADED []"


def test_a_command_loads_neither_datasets_nor_openenv(tmp_path: Path) -> None:
    script = f"""
import sys
from casegen.cli import main
try:
    main(["generate", "audit", "-n", "1", "-o", {str(tmp_path / "one.jsonl")!r}])
except SystemExit as end:
    status = end.code
print(status, sorted(n for n in ("datasets", "openenv", "faker", "jsonschema") if n in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"0 []"
