"""What a model spells in its text: the act or the report that it ends with.

A model that thinks aloud tries reports before it gives one. So what stands between ``<think>``
and ``</think>`` counts for nothing, and of what comes after the last counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from .messages import prompt_of

_OPEN, _CLOSED = "<think>", "</think>"
_MOST_TEXT, _MOST_TRIES = 100_000, 400
_NAMES = frozenset({"action", "action_type", "name"})
_DECODER = json.JSONDecoder()
# What an entry of a report may hold; the answer of a row holds more.
_ENTRY = ("code", "error_type", "justification", "suggested_code", "related_code")


def said(text: str) -> str:
    """A text without what its writer only thought.

    A prompt may have begun the thought, so that the text begins within it; a thought that was
    cut off leaves nothing behind it.
    """
    after = text.rpartition(_CLOSED)[2] if _CLOSED in text else text
    return after.partition(_OPEN)[0]


def last_act(text: str, family_name: str) -> dict[str, Any] | None:
    """The last JSON object of a text that is an act of the family; in an audit a report, too,
    and a list of errors as such. None where there is none."""
    known = _known(family_name)
    whole = said(text)[-_MOST_TEXT:]
    found: dict[str, Any] | None = None
    for value in _values(whole, lambda one: _is_act(one, known)):
        if isinstance(value, list):
            if family_name == "audit":
                found = {"report": [_entry(one) for one in value]}
        else:
            found = value
    if found is None and family_name == "audit" and whole.strip() == "[]":
        return {"report": []}
    return found


@lru_cache
def _known(family_name: str) -> frozenset[str]:
    """The fields by one of which an object is known as an act."""
    model = prompt_of(family_name).model
    return frozenset(field.name for field in fields(model)) | _NAMES


def _is_act(value: Any, known: frozenset[str]) -> bool:
    """Whether a value is an act, or a list of errors."""
    if isinstance(value, dict):
        return not known.isdisjoint(value)
    return bool(value) and all(
        isinstance(one, dict) and "code" in one and "error_type" in one for one in value
    )


def _values(text: str, wanted: Callable[[Any], bool]) -> Iterator[Any]:
    """The objects and lists of a text that are wanted, each without what lies in it."""
    at, tries = 0, _MOST_TRIES
    while tries and (at := _next(text, at)) >= 0:
        tries -= 1
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = None, at + 1
        if isinstance(value, dict | list) and wanted(value):
            yield value
            at = end
        else:
            at += 1


def _next(text: str, at: int) -> int:
    """Where the next object or list begins, -1 if there is none."""
    found = [place for sign in "{[" if (place := text.find(sign, at)) >= 0]
    return min(found, default=-1)


def _entry(given: Mapping[str, Any]) -> dict[str, Any]:
    """An error of a bare list, without what a row's answer tells beside it."""
    return {name: given[name] for name in _ENTRY if given.get(name) is not None}
