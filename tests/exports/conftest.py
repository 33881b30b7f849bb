"""Small exports, made once. Episodes are those of ``playing``; nothing asks a network."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

# Read by the libraries when they are imported.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import casegen.cli
from casegen.env.families import FAMILIES
from casegen.exports.manifest import Manifest
from casegen.exports.recipe import Recipe
from casegen.exports.writer import export

if TYPE_CHECKING:
    from datasets import DatasetDict

HERE = str(Path(__file__).parent)
ROLLOUT = "playing:rollout"
CASES = 30 * len(FAMILIES)
CONFIGS = ("cases", "trajectories", "steps")


@dataclass(frozen=True)
class Exported:
    """A finished export."""

    folder: Path
    recipe: Recipe
    manifest: Manifest


@dataclass
class Result:
    """What a command came to."""

    status: int
    out: str
    err: str

    def complaint(self) -> str:
        """The one line that the user sees, after a check that it is one and all there is."""
        assert self.status == 2, (self.status, self.out[:300], self.err)
        assert self.out == ""
        assert self.err.startswith("casegen: ")
        assert self.err.count("\n") == 1, self.err
        return self.err


Cli = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def playing_is_found() -> Iterator[None]:
    """Let this process and its workers import the module ``playing``."""
    sys.path.insert(0, HERE)
    yield
    sys.path.remove(HERE)


@pytest.fixture(scope="session")
def recipe() -> Recipe:
    return Recipe(CASES, 7, configs=CONFIGS, shard=16)


@pytest.fixture(scope="session")
def exported(
    recipe: Recipe, tmp_path_factory: pytest.TempPathFactory, playing_is_found: None
) -> Exported:
    folder = tmp_path_factory.mktemp("exports") / "whole"
    return Exported(folder, recipe, export(recipe, folder, rollout=ROLLOUT))


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Any]:
    """``load_dataset`` with a cache of its own."""
    from datasets import disable_progress_bars, load_dataset

    disable_progress_bars()

    def loaded(folder: Path, config: str, **options: Any) -> DatasetDict:
        return load_dataset(str(folder), config, cache_dir=str(tmp_path / "cache"), **options)

    return loaded


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command within this process."""
    # The signals of the process belong to pytest.
    monkeypatch.setattr(casegen.cli, "_heed_signals", lambda: None)

    def run(*arguments: object) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            casegen.cli.main([str(one) for one in arguments])
        told = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Result(end.value.code, told.out, told.err)

    return run
