"""Golden content hashes: what some seeds give must not change by accident.

    python tests/guards/golden.py

writes ``golden.json`` anew. Do that only after a change that is meant to change cases, and
say so in the change log; from v1 on, a version's output never changes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import casegen
from casegen.schemas.serial import content_hash

FILE = Path(__file__).with_name("golden.json")
INDICES = (0, 1, 2, 3, 17, 1000, 123_456_789)
# Name, family id, seed, split, further settings. Names stand in the file.
RECIPES: tuple[tuple[str, str, int, str, dict[str, Any]], ...] = (
    ("audit-v0 train 7", "audit-v0", 7, "train", {}),
    ("audit-v0 validation 7", "audit-v0", 7, "validation", {}),
    ("audit-v0 test 7", "audit-v0", 7, "test", {}),
    ("audit-v0 train largest seed", "audit-v0", (1 << 64) - 1, "train", {}),
    ("audit-v0 train 7 expert", "audit-v0", 7, "train", {"difficulty": "expert", "clean": 0.0}),
    ("audit-v0 test 7 inpatient", "audit-v0", 7, "test", {"settings": ("inpatient",)}),
    ("coding-v0 train 7", "coding-v0", 7, "train", {}),
    ("coding-v0 validation 7", "coding-v0", 7, "validation", {}),
    ("coding-v0 test 7", "coding-v0", 7, "test", {}),
    ("coding-v0 train 7 expert", "coding-v0", 7, "train", {"difficulty": "expert"}),
    ("coding-v0 train 7 review", "coding-v0", 7, "train", {"review": 1.0}),
    ("coding-v0 test 7 inpatient", "coding-v0", 7, "test", {"settings": ("inpatient",)}),
    ("rx-v0 train 7", "rx-v0", 7, "train", {}),
    ("rx-v0 validation 7", "rx-v0", 7, "validation", {}),
    ("rx-v0 test 7", "rx-v0", 7, "test", {}),
    ("rx-v0 train 7 expert", "rx-v0", 7, "train", {"difficulty": "expert"}),
    ("rx-v0 train 7 safe", "rx-v0", 7, "train", {"safe": 1.0}),
)


def hashes() -> dict[str, dict[str, str]]:
    """The content hash by recipe and index."""
    found = {}
    for name, family, seed, split, config in RECIPES:
        generator = casegen.make(family, seed=seed, split=split, **config)
        found[name] = {str(index): content_hash(generator[index]) for index in INDICES}
    return found


def main() -> None:
    """Write the file; takes no arguments."""
    if sys.argv[1:]:
        sys.exit("golden.py takes no arguments; without any it writes golden.json anew")
    FILE.write_text(json.dumps(hashes(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
