"""``cases``: one row a case, with the answer in columns of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.env.families import FAMILIES, family

from ..model import RowFormat, Unit

if TYPE_CHECKING:
    from datasets import Features

# Columns that hold text or numbers, and those that hold JSON, both fields of every case.
_TEXTS = ("id", "family", "version", "split")
_MADE_OF = ("conditions", "redraws")


def features() -> Features:
    """The features: those of all cases, then those that only some families have, null in the
    rows of others."""
    from datasets import Features, Json, List, Value

    text = Value("string")
    return Features(
        {
            **dict.fromkeys(_TEXTS, text),
            "seed": Value("uint64"),
            "index": Value("int64"),
            "difficulty": text,
            "setting": text,
            "claim_type": text,
            "max_steps": Value("int32"),
            "note_style": text,
            "note": text,
            "patient": Json(),
            "encounter": Json(),
            **{name: Json() for name in family_columns("seen")},
            **{name: Json() for name in family_columns("answer")},
            "conditions": List(text),
            "structural_key": text,
            "content_hash": text,
            "options": Json(),
            "tables": Json(),
            "redraws": List(text),
        }
    )


@lru_cache
def family_columns(kind: str) -> tuple[str, ...]:
    """The columns that families add, those that an agent sees or those that tell the answer."""
    names = (name for one in FAMILIES for name, what in family(one).columns.items() if what == kind)
    return tuple(dict.fromkeys(names))


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """The row of the case."""
    case: Any = unit.task.case
    own = family(unit.task.family).columns
    row = {name: getattr(case, name) for name in _TEXTS}
    row |= {
        "seed": case.seed,
        "index": case.index,
        "difficulty": case.difficulty,
        "setting": case.encounter.setting,
        "claim_type": case.encounter.claim_type,
        "max_steps": case.max_steps,
        "note_style": case.note_style,
        "note": case.note,
        "patient": case.patient,
        "encounter": case.encounter,
    }
    for name in family_columns("seen") + family_columns("answer"):
        row[name] = getattr(case, name) if name in own else None
    row |= {
        "conditions": case.conditions,
        "structural_key": case.structural_key,
        "content_hash": unit.content_hash,
        "options": case.options,
        "tables": case.tables,
        "redraws": case.redraws,
    }
    yield row


FORMAT = RowFormat(
    name="cases",
    about="One row a case: what an agent sees, and the answer in columns of its own.",
    features=features,
    agents=(),
    rows=rows,
)
