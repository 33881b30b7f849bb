"""Where the packs that ship with casegen stand."""

from __future__ import annotations

from pathlib import Path

# The file of each pack, beside this module, in the order in which they are listed.
PACKS = {
    "audit-seed-v1": "audit-seed-v1.yaml",
    "audit-bench-v1": "audit-bench-v1.json",
    "coding-seed-v1": "coding-seed-v1.yaml",
    "coding-bench-v1": "coding-bench-v1.json",
    "rx-seed-v1": "rx-seed-v1.yaml",
    "rx-bench-v1": "rx-bench-v1.json",
}


def path_of(name: str) -> Path:
    """The file of the shipped pack ``name``, which must be one of ``PACKS``."""
    return Path(__file__).with_name(PACKS[name])
