"""Frozen pools of names, made once from Faker (see ``make_pools``)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def pool(name: str) -> tuple[str, ...]:
    """The names of one pool: ``female``, ``male`` or ``last``."""
    return tuple(files(__package__).joinpath(f"{name}.txt").read_text("utf-8").split("\n")[:-1])
