"""Finds the Pythons of this machine, and gives each what casegen needs to run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.11", "3.12", "3.13")
_ASK = "import platform, sys; print('%d.%d' % sys.version_info[:2], platform.python_version())"


@dataclass(frozen=True)
class Interpreter:
    """A Python: ``version`` is ``3.12``, ``full`` ``3.12.1``."""

    version: str
    full: str
    path: str


@cache
def found() -> dict[str, Interpreter]:
    """One interpreter of each supported version, this one first."""
    best: dict[str, Interpreter] = {}
    for path in _candidates():
        one = _asked(path)
        if one is not None and one.version in VERSIONS:
            best.setdefault(one.version, one)
    return best


def _candidates() -> list[str]:
    paths = [sys.executable]
    for version in VERSIONS:
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            path = shutil.which(f"python{version}", path=folder)
            if path:
                paths.append(path)
        homes = [os.environ.get("PYENV_ROOT"), "~/.pyenv", "~/.local/share/uv/python"]
        for home in filter(None, homes):
            top = Path(home).expanduser()
            for pattern in (f"versions/{version}*/bin/python", f"cpython-{version}*/bin/python3"):
                paths += map(str, sorted(top.glob(pattern)))
    return paths


def _asked(path: str) -> Interpreter | None:
    try:
        done = subprocess.run(
            [path, "-c", _ASK], capture_output=True, text=True, check=True, timeout=20
        )
        version, full = done.stdout.split()
    except (OSError, ValueError, subprocess.SubprocessError):
        return None  # a shim of no version, or no Python at all
    return Interpreter(version, full, path)


def able(path: str) -> bool:
    """Whether the core dependencies can be imported there."""
    modules = "click, jsonschema, numpy, orjson, platformdirs, pydantic, rich, yaml"
    code = f"import {modules}, importlib.util as u; assert u.find_spec('simple_icd_10_cm')"
    return subprocess.run([path, "-c", code], capture_output=True, check=False).returncode == 0


def equipped(one: Interpreter, folder: Path, patience: float) -> str:
    """A Python of that version with the core dependencies: itself, or one in ``folder``.

    Installs from the lock with pip where need be, for at most ``patience`` seconds. Raises
    OSError or SubprocessError, in whose text stands why that can't be.
    """
    if able(one.path):
        return one.path
    home = folder / one.full
    python = home / "bin" / "python"
    if python.exists() and able(str(python)):
        return str(python)
    shutil.rmtree(home, ignore_errors=True)
    wanted = folder / f"core-{one.full}.txt"
    wanted.write_text(core_lock(), encoding="utf-8")
    quick = "--quiet --retries 0 --timeout 10 --disable-pip-version-check --no-input".split()
    for command in (
        [one.path, "-m", "venv", "--without-pip", str(home)],
        [sys.executable, "-m", "pip", "--python", str(python), "install", *quick,
         "--require-hashes", "--only-binary", ":all:", "-r", str(wanted)],
    ):  # fmt: skip
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience)
    if not able(str(python)):
        raise OSError(f"Python {one.full}: the dependencies are there and can't be imported")
    return str(python)


def core_lock() -> str:
    """The part of the lock that the core dependencies need, with their own dependencies."""
    blocks = {}
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for block in re.findall(r"(?m)^[A-Za-z0-9][^\n]*\n(?:[ \t][^\n]*\n)*", text):
        blocks.setdefault(canonicalize_name(re.split(r"[=\s;\[]", block)[0]), []).append(block)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [Requirement(line) for line in project["dependencies"]]
    names: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in names or name not in blocks:
            continue
        names.add(name)
        try:
            needs = [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:
            continue
        # Markers about the version are left to pip; those about extras are none of ours.
        waiting += [n for n in needs if "extra" not in str(n.marker or "")]
    return "".join(block for name in sorted(names) for block in blocks[name])
