"""The Python of the README runs as it is printed; on a server, with only the port changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import running

README = Path(__file__).resolve().parents[3] / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.S)
# On which port the README has which family served.
PORTS = {port: family for family, port in re.findall(r"casegen serve (\w+) --port (\d+)", TEXT)}


def port_of(block: str) -> str | None:
    """The port of the server that a block plays on, None where it calls none."""
    found = re.search(r"^[^#\n]*localhost:(\d+)", block, re.M)
    return None if found is None else found[1]


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
    ports = {port_of(block) for block in BLOCKS}
    assert None in ports
    assert len(ports) > 2
    assert ports <= {None, *PORTS}


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for b in BLOCKS if port_of(b) is None])
def test_a_block_of_the_readme_runs(block: str, folder: Path) -> None:
    assert run(block, folder)


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for b in BLOCKS if port_of(b) is not None])
def test_a_block_of_the_readme_runs_on_a_server(block: str, folder: Path) -> None:
    port = port_of(block) or ""
    with running(family=PORTS[port]) as served:
        assert run(block.replace(port, served.url.rpartition(":")[2]), folder)
