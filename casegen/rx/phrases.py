"""How lists and prescriptions are worded, from ``seeds/rx/cases/phrases.yaml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from casegen.seeds.rx import cases
from casegen.seeds.rx.model import Drug

from .known import Known

# Slots that date what has lasted: no line of something that is had for days holds one.
_DATED = ("{year}", "{month}", "{yy}")


@dataclass(frozen=True, slots=True)
class Phrases:
    """The file as it stands, and what is made of it once. ``lines``: patterns by kind and style
    (plain, terse, coded, kg, lb); ``undated``: those without years."""

    lines: Mapping[str, Mapping[str, Sequence[str]]]
    undated: Mapping[str, Mapping[str, Sequence[str]]]
    none: Sequence[str]
    often: Mapping[str, Mapping[str, Sequence[str]]]
    routes: Mapping[str, Mapping[str, Sequence[str]]]
    reactions: Mapping[str, Mapping[str, Sequence[str]]]
    clinics: Sequence[str]
    heads: Sequence[str]
    new: Mapping[bool, Sequence[str]]
    written: Sequence[str]
    counted: Sequence[str]
    sources: Sequence[Sequence[str]]
    acute: tuple[str, ...]
    named: Mapping[str, str]
    short: Mapping[str, Sequence[str]]
    never: frozenset[str]
    forms: Mapping[str, str]


@lru_cache(maxsize=1)
def phrases() -> Phrases:
    """The wording, read once."""
    data: dict[str, Any] = cases.read("phrases.yaml")
    kinds = ("medication", "stopped", "allergy", "intolerance", "condition", "acute", "lab",
             "weight", "pregnancy")  # fmt: skip
    lines = {kind: {style: tuple(some) for style, some in data[kind].items()} for kind in kinds}
    undated = {
        kind: {
            style: tuple(one for one in some if not any(slot in one for slot in _DATED))
            for style, some in styles.items()
        }
        for kind, styles in lines.items()
    }
    return Phrases(
        lines,
        undated,
        tuple(data["none"]),
        data["often"],
        data["routes"],
        data["reactions"],
        tuple(data["clinics"]),
        tuple(data["head"]),
        {key in (True, "yes"): tuple(some) for key, some in data["new"].items()},
        tuple(data["written"]),
        tuple(data["counted"]),
        tuple(tuple(some) for some in data["sources"]),
        tuple(data["acute_codes"]),
        data["named"],
        data["short"],
        frozenset(data["brands"]["never"]),
        data["brands"]["forms"],
    )


def generic(drug: Drug) -> str:
    """The generic name as it is written: a combination keeps its hyphens."""
    told = phrases().named.get(drug.id)
    if told is not None:
        return told
    return drug.id if drug.ingredients else drug.id.replace("-", " ")


@lru_cache(maxsize=4_096)
def brands(drug: Drug, form: str) -> tuple[str, ...]:
    """The brands that a form of a drug is sold under."""
    said = phrases()
    return tuple(
        one for one in drug.brands if one not in said.never and said.forms.get(one, form) == form
    )


def shortened(known: Known, drug: Drug) -> tuple[str, ...]:
    """Short names that the knowledge reads as the drug."""
    found = phrases().short.get(drug.id, ())
    return tuple(one for one in found if known.rx.named(one) is drug)
