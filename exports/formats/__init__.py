"""The configurations of a dataset, in order, in one plain mapping."""

from __future__ import annotations

from importlib import import_module

from casegen.schemas import InputError

from ..model import RowFormat

# The module of each configuration; it holds FORMAT.
FORMATS = {
    "cases": "casegen.exports.formats.cases",
    "trajectories": "casegen.exports.formats.trajectories",
    "steps": "casegen.exports.formats.steps",
    "sft": "casegen.exports.formats.sft",
    "sft_text": "casegen.exports.formats.sft_text",
    "preference": "casegen.exports.formats.preference",
    "unpaired": "casegen.exports.formats.unpaired",
    "prompts": "casegen.exports.formats.prompts",
}


def row_format(name: object) -> RowFormat:
    """The configuration of that name. Raises InputError."""
    if not isinstance(name, str) or name not in FORMATS:
        raise InputError("config", name, f"one of {', '.join(FORMATS)}")
    found: RowFormat = import_module(FORMATS[name]).FORMAT
    return found
