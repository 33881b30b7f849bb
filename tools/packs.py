"""Renews the recorded hashes of the packs that ship with casegen.

    python tools/packs.py

Do that only after a change that is meant to change their cases, and say so in the change log.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from casegen.env.documented import documented_pack
from casegen.env.packfile import file_bytes, read_file
from casegen.env.packs import build, digest
from casegen.seeds.packs import PACKS, path_of


def renew(path: Path) -> None:
    """Write tables and hash of one pack into its file."""
    if path.suffix == ".json":
        path.write_bytes(file_bytes(build(read_file(str(path)))))
        return
    text = path.read_text(encoding="utf-8")
    right = f'sha256: "{digest(documented_pack(path))}"'
    path.write_text(re.sub(r'(?m)^sha256: "\w+"$', right, text), encoding="utf-8")


def main() -> None:
    """Renew all; takes no arguments."""
    if sys.argv[1:]:
        sys.exit("packs.py takes no arguments; it renews the hashes of the shipped packs")
    for name in PACKS:
        renew(path_of(name))


if __name__ == "__main__":
    main()
