"""The seventh character of injuries and fractures, by phase of care.

ICD-10-CM Official Guidelines, section I.C.19.a (initial encounter: active treatment;
subsequent: routine care while healing or recovering; sequela) and I.C.19.c.1 (traumatic
fractures: closed or open by the Gustilo type, and the course of healing).
"""

from __future__ import annotations

from collections.abc import Mapping

_INJURY = {"active": "A", "healing": "D", "sequela": "S"}
# Some categories (S42, S62 …) tell only closed from open; their seventh characters of a
# healing fracture are those of a closed one.
_ACTIVE = {"closed": "A", "open": "B", "open_1_2": "B", "open_3": "C"}
_HEALING = {
    ("closed", "routine"): "D",
    ("open", "routine"): "D",
    ("open", "delayed"): "G",
    ("open", "nonunion"): "K",
    ("open", "malunion"): "P",
    ("open_1_2", "routine"): "E",
    ("open_3", "routine"): "F",
    ("closed", "delayed"): "G",
    ("open_1_2", "delayed"): "H",
    ("open_3", "delayed"): "J",
    ("closed", "nonunion"): "K",
    ("open_1_2", "nonunion"): "M",
    ("open_3", "nonunion"): "N",
    ("closed", "malunion"): "P",
    ("open_1_2", "malunion"): "Q",
    ("open_3", "malunion"): "R",
}


def injury_character(phase: str) -> str:
    """A, D or S of an injury that is no fracture."""
    return _INJURY[phase]


def fracture_character(attributes: Mapping[str, str]) -> str:
    """The seventh character of a traumatic fracture; closed unless said to be open."""
    phase = attributes["phase"]
    kind = attributes.get("fracture", "closed")
    if phase == "active":
        return _ACTIVE[kind]
    if phase == "sequela":
        return "S"
    return _HEALING[kind, attributes.get("healing", "routine")]


def lengthen(base: str, character: str) -> str:
    """``base`` with placeholders X up to the sixth character, then ``character``.

    Tabular list, introduction: "7th characters and placeholder X".
    """
    stem = base.replace(".", "").ljust(6, "X") + character
    return f"{stem[:3]}.{stem[3:]}"
