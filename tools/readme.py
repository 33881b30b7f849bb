"""Keeps the README true: runs every command that it shows and writes what they print.

``python tools/readme.py`` rewrites the blocks; ``--check`` only compares and tells the first
that differs. A block begins with ``$ casegen …``; the words ``first N lines`` behind ``#`` cut
its output. Commands run one after the other in one empty directory.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
_BLOCK = re.compile(r"```console\n(\$ (casegen [^\n]*))\n(.*?)```", re.S)
_FIRST = re.compile(r"#\s*first (\d+) lines")


def output_of(command: str, folder: Path) -> str:
    """What a command prints, on both streams, at a width of 100 columns."""
    words = shlex.split(command, comments=True)
    env = {
        **os.environ,
        "COLUMNS": "100",
        "PYTHONIOENCODING": "utf-8",
        "CASEGEN_TABLES": str(folder / "tables"),
    }
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = done.stdout.rstrip("\n").split("\n")
    cut = _FIRST.search(command)
    if cut and len(lines) > int(cut[1]):
        lines = [*lines[: int(cut[1])], "…"]
    return "".join(f"{line}\n" for line in lines)


def renewed(text: str) -> str:
    """The README with the output of every command as it is today."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "out").mkdir()
        for path in (README.parent / "tests" / "docs").iterdir():
            if path.suffix in (".json", ".TXT"):
                (folder / path.name).write_bytes(path.read_bytes())

        def block(match: re.Match[str]) -> str:
            return f"```console\n{match[1]}\n{output_of(match[2], folder)}```"

        return _BLOCK.sub(block, text)


def main() -> int:
    """Rewrite or compare; status 1 where the README is out of date."""
    text = README.read_text(encoding="utf-8")
    new = renewed(text)
    if "--check" not in sys.argv[1:]:
        README.write_text(new, encoding="utf-8")
        return 0
    for old, now in zip(text.split("\n"), new.split("\n"), strict=False):
        if old != now:
            print(f"README.md is out of date; it says\n  {old}\nand now it is\n  {now}")
            return 1
    return 0 if text == new else 1


if __name__ == "__main__":
    sys.exit(main())
