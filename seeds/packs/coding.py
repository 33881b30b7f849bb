"""Reads what a documented coding task has beside the parts of all families: the codes to choose
from, the hints, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas import AllowedCode, Authority, GoldCode, Review, WrongCode

from .reading import Reader


def read(reader: Reader) -> dict[str, Any]:
    """The fields of the case; ``needs_review`` is true where a ``review`` is given. Raises
    TableError."""
    task = reader.task
    review = task.get("review")
    return {
        "objective": task["objective"],
        "allowed": [AllowedCode(**one) for one in task["allowed"]],
        "hints": list(task["hints"]),
        "primary": _gold(reader, task["primary"]),
        "secondary": [_gold(reader, one) for one in task["secondary"]],
        "needs_review": review is not None,
        "review": None if review is None else _review(reader, review),
        "wrong": [_wrong(reader, one) for one in task["wrong"]],
        "kinds": list(task["kinds"]),
    }


def _gold(reader: Reader, gold: Mapping[str, Any]) -> GoldCode:
    return GoldCode(
        gold["code"],
        gold["reason"],
        Authority(**gold["authority"]),
        reader.spans(gold["evidence"]),
        list(gold.get("equivalents", ())),
        list(gold.get("alternates", ())),
    )


def _review(reader: Reader, review: Mapping[str, Any]) -> Review:
    return Review(
        review["kind"],
        review["reason"],
        Authority(**review["authority"]),
        reader.spans(review["evidence"]),
    )


def _wrong(reader: Reader, wrong: Mapping[str, Any]) -> WrongCode:
    return WrongCode(
        wrong["code"],
        wrong["kind"],
        wrong.get("gold"),
        wrong["reason"],
        Authority(**wrong["authority"]),
        reader.spans(wrong.get("evidence", ())),
    )
