"""The Python of the README runs as it is printed; on a server, with only the port changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Served

README = Path(__file__).resolve().parents[3] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the dataset that the README has exported by then."""
    found = tmp_path_factory.mktemp("readme")
    command = "export out/dataset --cases 20 --seed 7 --config sft"
    done = subprocess.run(
        [sys.executable, "-m", "casegen", *command.split()],
        cwd=found, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return found


def run(code: str, folder: Path) -> str:
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_blocks_with_and_without_a_server() -> None:
    on_server = ["localhost:7860" in block for block in BLOCKS]
    assert any(on_server)
    assert not all(on_server)


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for b in BLOCKS if "localhost:" not in b])
def test_a_block_of_the_readme_runs(block: str, folder: Path) -> None:
    assert run(block, folder)


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for b in BLOCKS if "localhost:7860" in b])
def test_a_block_of_the_readme_runs_on_a_server(block: str, folder: Path, server: Served) -> None:
    assert run(block.replace("7860", server.url.rpartition(":")[2]), folder)


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for b in BLOCKS if "localhost:7861" in b])
def test_a_block_on_coding_runs_on_its_server(
    block: str, folder: Path, coding_server: Served
) -> None:
    assert run(block.replace("7861", coding_server.url.rpartition(":")[2]), folder)
