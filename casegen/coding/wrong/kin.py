"""Codes of the right one's category that say something else than the record."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import authority as sources
from casegen.schemas.coding_case import WrongKind

from ..model import Candidate, Given, Work
from ..words import leaves_open, says_less, words
from .axes import is_stage

_MOST = 8
_WINDOW = 40
# Codes so wide that somebody could defend them beside nearly anything.
VAGUE = (
    "Z91.19", "Z79.899", "Z79.8", "Z79.0", "Z79.1", "Z79.2", "Z79.3", "Z79.5", "Z79.6", "Z79.7",
)  # fmt: skip


def others_alike(work: Work, given: Given) -> Iterator[Candidate]:
    """Other codes of the category, spread over it from a drawn one on, those under the same
    heading first."""
    tables = work.world.tables
    right = given.code
    seventh = right[-1] if tables.seventh(right) is not None else ""
    side = tables.laterality(right)
    told = work.told_beside(given)
    title = tables.title(right)
    mine = words(title)
    yielded = 0
    stem = right.replace(".", "")
    for cut in range(len(stem) - 1, 2, -1):
        for code in _leaves(work, stem[:cut], seventh, len(stem)):
            if code in work.taken or code.startswith(VAGUE):
                continue
            if side is not None and tables.laterality(code) not in (None, side):
                continue
            other = tables.title(code)
            theirs = words(other)
            if (theirs - mine) & told or not theirs - mine:
                continue
            yielded += 1
            yield _candidate(work, given, code, title, other)
            if yielded >= _MOST:
                return


def _leaves(work: Work, above: str, seventh: str, length: int) -> Iterator[str]:
    """Complete codes at and below a code without its dot, with this seventh character or all
    without one, those of up to ``length`` characters first."""
    store = work.world.tables.store
    first = store.index.get(above)
    if first is None:
        return
    size = store.ends[first] - first
    step = 1 + size // _WINDOW
    at = work.lane.below(size)
    longer = []
    for _ in range(min(size, _WINDOW)):
        node = first + at
        at = (at + step) % size
        if not store.is_leaf(node):
            continue
        chars = store.sevenths(node)
        if seventh in chars if seventh else not chars:
            stem = f"{store.stems[node]:X<6}{seventh}" if seventh else store.stems[node]
            code = stem if len(stem) == 3 else f"{stem[:3]}.{stem[3:]}"
            # What says more in particular than the right code is less near to it.
            if len(stem) > length:
                longer.append(code)
            else:
                yield code
    yield from longer


def _candidate(work: Work, given: Given, code: str, title: str, other: str) -> Candidate:
    tables = work.world.tables
    kind: WrongKind = "wrong_type"
    section, why = "I.B.2", "It names another form or kind than the record does."
    if says_less(tables, code, given.code):
        kind, section, why = "less_specific", "I.B.18", "It leaves open what the record states."
    elif code.startswith("Z79"):
        kind, section, why = "not_documented", "I.C.21.c.3", "The record tells of no such drug."
    elif leaves_open(tables, given.code) and not leaves_open(tables, code):
        kind, section = "not_documented", "I.B.18"
        why = "It says more than the record does."
    elif is_stage(title, other):
        kind, why = "wrong_stage", "The record states another stage or degree."
    facts = () if kind == "not_documented" else given.facts
    return Candidate(code, kind, given.code, why, sources.guideline(section), facts)
