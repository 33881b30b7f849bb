"""Write ``env/serve/space/requirements.txt``: what a deployed server needs of the lock.

``python tools/space_requirements.py`` takes the pins and hashes of casegen's own dependencies
and of the extra ``openenv``, with all that these need on Linux, from ``requirements.lock``. Like
the lock it names no address. What needs what is read from the packages that are installed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "env" / "serve" / "space" / "requirements.txt"
HEADER = "# Made by tools/space_requirements.py from requirements.lock; do not edit.\n"
PYTHONS = ("3.11", "3.12", "3.13")
MACHINES = ("x86_64", "aarch64")


def roots() -> list[Requirement]:
    """What casegen asks for in order to serve."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [Requirement(text) for text in project["dependencies"] + extras["openenv"]]


def wanted(requirement: Requirement, extras: Iterable[str]) -> bool:
    """Whether any Linux that we serve on needs it."""
    if requirement.marker is None:
        return True
    return any(
        requirement.marker.evaluate(
            {
                "python_version": python,
                "python_full_version": f"{python}.9",
                "platform_machine": machine,
                "sys_platform": "linux",
                "platform_system": "Linux",
                "os_name": "posix",
                "implementation_name": "cpython",
                "platform_python_implementation": "CPython",
                "extra": extra,
            }
        )
        for python in PYTHONS
        for machine in MACHINES
        for extra in ("", *extras)
    )


def closure() -> set[str]:
    """The canonical names of all that is needed. Those of a package that only another Python
    needs, and that is not installed here, are taken without what they need in turn."""
    found: set[tuple[str, frozenset[str]]] = set()
    waiting = roots()
    while waiting:
        requirement = waiting.pop()
        key = (canonicalize_name(requirement.name), frozenset(requirement.extras))
        if key in found:
            continue
        found.add(key)
        try:
            needs = requires(requirement.name) or []
        except PackageNotFoundError:
            continue
        needed = (Requirement(text) for text in needs)
        waiting += [need for need in needed if wanted(need, requirement.extras)]
    return {name for name, _ in found}


def blocks(lock: str) -> Iterator[tuple[str, str]]:
    """Name and text of each pin with its hashes."""
    for block in re.split(r"\n(?=\S)", lock.rstrip("\n")):
        if not block.startswith("#"):
            yield canonicalize_name(re.split(r"[=\s]", block, maxsplit=1)[0]), block + "\n"


def requirements() -> str:
    """The text of the file."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    needed = closure()
    held = {name for name, _ in blocks(lock)}
    if needed - held:
        raise SystemExit(f"not in requirements.lock: {', '.join(sorted(needed - held))}")
    kept = [
        text
        for name, text in blocks(lock)
        if name in needed and "sys_platform == 'win32'" not in text.splitlines()[0]
    ]
    return HEADER + "".join(kept)


if __name__ == "__main__":
    TARGET.write_text(requirements(), encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {requirements().count('==')} packages", file=sys.stderr)
