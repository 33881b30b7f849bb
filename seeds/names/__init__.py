"""Frozen pools of names, made once from Faker (see ``make_pools``)."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def pool(name: str) -> tuple[str, ...]:
    """The names of one pool: ``female``, ``male`` or ``last``."""
    path = Path(__file__).with_name(f"{name}.txt")
    return tuple(path.read_text("utf-8").split("\n")[:-1])
