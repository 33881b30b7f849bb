"""Run mypy over the whole package and fail if it saw fewer files than there are.

The rooms of the project are reached through links in ``casegen/``; where links are off (a
checkout without them) mypy would pass over four rooms in silence.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("casegen", "schemas", "seeds", "env", "exports")


def files() -> int:
    """The number of Python files in the rooms, the links not followed."""
    return sum(
        path.is_file()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if path.relative_to(ROOT / room).parts[0] not in ROOMS
    )


def main() -> int:
    """The exit status: that of mypy, or 1 if it saw too few files."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-color-output"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(done.stdout, end="")
    if done.returncode:
        return done.returncode
    seen = re.search(r"no issues found in (\d+) source file", done.stdout)
    there = files()
    if seen is None or int(seen.group(1)) != there:
        print(f"mypy saw {seen.group(1) if seen else 'no'} files of {there}; are the links there?")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
