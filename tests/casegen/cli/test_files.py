"""What stands in the files that commands are given, and how many there may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Cli


def test_several_files_are_checked_one_after_the_other(cli: Cli, file: Path) -> None:
    result = cli("validate", file, file)
    assert result.status == 0
    assert [line.partition(": ")[0] for line in result.out.splitlines()] == [str(file)] * 2


@pytest.mark.parametrize("command", ["validate", "show", "stats"])
def test_a_file_of_episodes_and_the_folder_of_an_export_are_told_apart_from_cases(
    cli: Cli, tmp_path: Path, command: str
) -> None:
    episodes = tmp_path / "episodes.jsonl"
    assert cli("rollout", "audit", "--agent", "noop", "-o", episodes).status == 0
    assert "is a file of episodes" in cli(command, episodes).complaint()
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    assert f"casegen report {tmp_path} writes a page" in cli(command, tmp_path).complaint()
