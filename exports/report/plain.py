"""A family of which the report knows nothing particular."""

from __future__ import annotations

from typing import Any

import orjson

from .text import paragraph, part
from .views import Row, View


def _case(row: Row) -> str:
    return part("note", "Note", paragraph(row["note"]))


def act_line(action: Row) -> str:
    """An act: its name, if its type is told, then its fields."""
    given = {name: value for name, value in action.items() if name != "action_type"}
    return call_line(action.get("action_type", ""), given)


def call_line(name: str, given: Row) -> str:
    """An act that is called by name, then its fields."""
    told = ", ".join(f"{field} {_short(value)}" for field, value in given.items())
    return ": ".join(part for part in (name, told) if part)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def result_text(result: Row) -> tuple[str, bool]:
    """What came of an act."""
    wrong = result.get("last_action_error")
    return (wrong, True) if wrong else (result.get("tool_result") or "", False)


VIEW = View((), (), lambda row: iter(()), lambda row: [], _case, act_line, result_text)
