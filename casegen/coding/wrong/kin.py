"""Codes of the right one's category that say something else than the record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from casegen.schemas import authority as sources
from casegen.schemas.coding_case import WrongKind
from casegen.seeds.icd10cm.listing import billable_below

from ..model import Candidate, Given, Work
from ..words import OPEN_WORDS, leaves_open, says_less, sounds_vaguer, words
from .axes import stages_apart

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

_MOST = 8
_WINDOW = 40
_MOST_VAGUE = 3
# Chapters of diseases and injuries.
_OF_FORMS = frozenset((*range(1, 18), 19))
_EVENTS = 20
# There a disorder is divided by what it comes with.
_MENTAL = 5
_UNNAMED = re.compile(r"\b(?:NOS|unspecified)\b", re.IGNORECASE)
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
            if sounds_vaguer(tables, code, right) and not says_less(tables, code, right):
                continue
            yielded += 1
            yield _candidate(work, given, code, title, other)
            if yielded >= _MOST:
                return


def vaguer(work: Work, given: Given) -> Iterator[Candidate]:
    """Codes of the category that leave open what the right one says (guideline I.B.18)."""
    for code in _vaguer(work.world.tables, given.code):
        yield Candidate(
            code, "less_specific", given.code, "It leaves open what the record states.",
            sources.guideline("I.B.18"), given.facts,
        )  # fmt: skip


@lru_cache(maxsize=4096)
def _vaguer(tables: Tables, right: str) -> tuple[str, ...]:
    if tables.seventh(right) is not None:
        return ()
    found = [code for code in billable_below(tables, right[:3]) if says_less(tables, code, right)]
    return tuple(found[:_MOST_VAGUE])


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
    if says_less(tables, code, given.code):
        kind: WrongKind = "less_specific"
        section, why = "I.B.18", "It leaves open what the record states."
    elif code.startswith("Z79"):
        kind, section, why = "not_documented", "I.C.21.c.3", "The record tells of no such drug."
    elif is_open(work, given):
        kind, section, why = _more(work, given, title, other)
    elif code.startswith("Z68"):
        kind, section = "wrong_stage", "I.B.14"
        why = "The record gives another body mass index."
    elif (apart := stages_apart(title, other)) is not None:
        kind, section = "wrong_stage", "I.B.2"
        why = f"This code says {apart[1]}, and the record calls for {apart[0]}."
    elif tables.chapter(given.code) == _EVENTS:
        kind, section = "wrong_type", "I.C.20.a"
        why = "It tells of another event than the record does."
    elif _is_form(tables, given.code, code, title, other):
        # What the provider states is what is coded.
        kind, section = "wrong_type", "I.A.19"
        why = "It names another form or kind than the record does."
    else:
        kind, section, why = _unsaid(work)
    facts = () if kind == "not_documented" else given.facts
    return Candidate(code, kind, given.code, why, sources.guideline(section), facts)


def is_open(work: Work, given: Given) -> bool:
    """Whether the code or its fact says by its own words that something is not specified."""
    problem = given.draft.problem
    term = "" if problem is None or given.draft.added else problem.term
    return leaves_open(work.world.tables, given.code) or bool(_UNNAMED.search(term))


def _more(work: Work, given: Given, title: str, other: str) -> tuple[WrongKind, str, str]:
    """Beside a code that leaves something open: more than it says, or something else."""
    if words(title) - OPEN_WORDS <= words(other):
        return "not_documented", "I.B.18", "It says more than the record does."
    return _unsaid(work)


def _unsaid(work: Work) -> tuple[WrongKind, str, str]:
    stay = work.drawn.chart.encounter.setting == "inpatient"
    why = "The record does not state what it names."
    return "not_documented", "III" if stay else "IV.J", why


def _is_form(tables: Tables, right: str, code: str, title: str, other: str) -> bool:
    """Whether two codes are forms of one thing, of which the record names one: leaves of one
    subcategory that tell their form in words of their own. Circumstances have no forms, and what
    comes on top ("with") may come beside."""
    chapter = tables.chapter(right)
    if chapter not in _OF_FORMS or (" with " in other and chapter != _MENTAL):
        return False
    # Two leaves of a subcategory, a seventh character left aside.
    own, their = right.replace(".", "")[:6], code.replace(".", "")[:6]
    near = own[:4] == their[:4] or (own[:3] == their[:3] and len(own) == len(their) == 4)
    shared = words(title) & words(other) - OPEN_WORDS - {"other"}
    return near and bool(shared) and bool(words(title) - words(other))
