"""Neighbours of a right code along one axis: side, seventh character, stage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from casegen.schemas import authority as sources
from casegen.schemas.coding_case import WrongKind

from ..model import Candidate, Given, Work
from ..open import SIDES
from ..words import contradicts, is_half, leaves_open, says_less

_ASIDE = re.compile(r"\([^)]*\)")
_STAGE = re.compile(
    r"stage \w+ through stage \w+|stage \w+|\b(?!with |through |or )\w+ stage|\w+ grade|\w+ degree"
    r"|\w+ trimester|\d+ weeks|mild|moderate|severe"
)


def other_sides(work: Work, given: Given) -> Iterator[Candidate]:
    """The same condition on a side that the record does not name (guideline I.B.13)."""
    tables = work.world.tables
    mine = tables.laterality(given.code)
    if mine == "unspecified":
        yield from _open_sides(work, given)
    if mine is None or mine == "unspecified":
        return
    for side, code in tables.side_siblings(given.code).items():
        if side not in (mine, "unspecified"):
            yield Candidate(
                code, "wrong_side", given.code,
                f"The record names {_named(mine)}, and this code {_named(side)}.",
                sources.guideline("I.B.13"), given.facts,
            )  # fmt: skip


def _open_sides(work: Work, given: Given) -> Iterator[Candidate]:
    """The sides of a problem of which the record does not settle the side."""
    opened = work.drawn.open
    if opened is None or opened.facts[:1] != given.facts or opened.kind not in SIDES:
        return
    for side, code in work.world.tables.side_siblings(given.code).items():
        if side != "unspecified":
            yield Candidate(
                code, "wrong_side", given.code,
                f"The record does not settle that it is {_named(side)}.",
                sources.guideline("I.B.13"), opened.facts,
            )  # fmt: skip


def _named(side: str) -> str:
    return "both sides" if side == "bilateral" else f"the {side} side"


def other_sevenths(work: Work, given: Given) -> Iterator[Candidate]:
    """The same injury in another phase of care, course of healing or type of fracture."""
    tables = work.world.tables
    mine = tables.seventh(given.code)
    if mine is None or mine.phase is None:
        return
    chapter = tables.chapter(given.code)
    for char, other in tables.sevenths(given.code).items():
        if char == mine.char or other.phase is None:
            continue
        kind: WrongKind = "wrong_phase"
        axis = "phase"
        if other.phase == mine.phase and other.fracture != mine.fracture:
            kind, axis = "wrong_type", "fracture_type"
        elif other.phase == mine.phase:
            axis = "healing"
        yield Candidate(
            given.code[:-1] + char, kind, given.code,
            f"The seventh character says {other.text}, and the record calls for {mine.text}.",
            sources.specificity(axis, chapter), given.facts,
        )  # fmt: skip


def less_said(work: Work, given: Given) -> Iterator[Candidate]:
    """Codes that leave open what the record states (guidelines I.B.2, I.B.13, I.B.18), the
    nearest first."""
    tables = work.world.tables
    found: list[str] = []
    side = tables.side_siblings(given.code).get("unspecified")
    if side is not None and tables.laterality(given.code) != "unspecified":
        found.append(side)
    for code in (*found, *_curated(given)):
        if says_less(tables, code, given.code) and not contradicts(tables, code, given.code):
            yield _less(work, given, code)


def unsure(work: Work, given: Given) -> list[str]:
    """Codes that the data calls less specific and whose titles do not bear it out: nobody can
    tell in what way they are wrong."""
    tables, right = work.world.tables, given.code
    return [
        code
        for code in _curated(given)
        if code != right and not says_less(tables, code, right) and not is_half(tables, code, right)
    ]


def _curated(given: Given) -> list[str]:
    """The less specific codes that the data has for a problem."""
    problem = given.draft.problem
    value = problem.value if problem is not None and not given.draft.added else None
    if value is None or value.seventh != "none" or len(given.facts) != 1:
        return []
    return [code for code in (value.less_specific, value.unspecified) if code is not None]


def _less(work: Work, given: Given, code: str) -> Candidate:
    tables = work.world.tables
    sided = tables.laterality(code) == "unspecified"
    return Candidate(
        code, "less_specific", given.code,
        "It leaves open what the record states.",
        sources.specificity(
            "unspecified" if leaves_open(tables, code) else "detail",
            tables.chapter(given.code), given.code, side=sided,
        ), given.facts,
    )  # fmt: skip


def stages_apart(title: str, other: str) -> tuple[str, str] | None:
    """The stages, degrees or times of pregnancy in which two titles differ, None where they tell
    the same or one tells none."""
    mine, theirs = _stages(title), _stages(other)
    if not mine or not theirs or mine == theirs:
        return None
    own = [one for one in mine if one not in theirs] or list(mine)
    foreign = [one for one in theirs if one not in mine] or list(theirs)
    return " or ".join(own), " or ".join(foreign)


@lru_cache(maxsize=4096)
def _stages(title: str) -> tuple[str, ...]:
    # What stands in brackets explains the stage: "stage 4 (severe)".
    low = title.lower()
    return tuple(_STAGE.findall(_ASIDE.sub("", low)) or _STAGE.findall(low))
