"""The extra ``train`` is tried in one set of versions, which fits what it asks for."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "train_env.py"))


def tried() -> dict[str, str]:
    """The version of each package of ``requirements-train.txt``."""
    lines = (ROOT / "requirements-train.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert all([one.operator for one in pin.specifier] == ["=="] for pin in pins)
    return {pin.name: next(iter(pin.specifier)).version for pin in pins}


def locked() -> dict[str, str]:
    """The constraints that hold all other packages to the lock, by name."""
    text = TOOL["constraints"]((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    return {Requirement(line).name: line for line in text.splitlines()}


def test_the_versions_that_were_tried_are_within_the_bounds_of_the_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [Requirement(one) for one in project["project"]["optional-dependencies"]["train"]]
    versions, pins = tried(), locked()
    for one in wanted:
        version = (
            versions.get(one.name) or next(iter(Requirement(pins[one.name]).specifier)).version
        )
        assert version in one.specifier, one
    assert set(versions) <= {one.name for one in wanted}
    assert not set(versions) & set(pins), "a package is pinned twice"


def test_the_constraints_are_the_pins_of_the_lock_without_hashes() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    held = TOOL["constraints"](text)
    assert held.count("\n") == sum(line[0] not in " #" for line in text.splitlines())
    assert "--hash" not in held
    assert "\\" not in held
