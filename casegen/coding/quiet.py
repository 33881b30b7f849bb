"""The shared world without words of tests that are out.

In a coding case something is open exactly where a statement says so. The shared world's texts now
and then leave a result pending by the way, which nobody asked for here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from casegen.seeds import coding

from ..chart.options import Option, Pool
from ..randomness import running_sums
from ..wording import Wording

if TYPE_CHECKING:
    from ..chart.guided import Guideline, Piece
    from ..scenarios import DecoyPair, Member, Pair
    from ..world import World

PENDING = re.compile(
    r"\b(?:pending|awaited|awaits|awaiting|not back|not yet known|outstanding|undecided|workup"
    r"|work-up|requested, since|to look for|looking for"
    r"|to find out|to clarify|under study|to exclude|being evaluated|not yet decided)\b"
    r"|\b(?:cause|type|subtype|severity|acuity) (?:is |still )?open\b"
    # Records, reports and tests that have been asked for, and what waits for them.
    r"|\b(?:(?<!no study was )asked for|(?:has been|have been|to be) sent for|requested|cannot tell"
    r"|before any label|cause unknown|to find (?:the|what|a reason)|to tell the type"
    r"|give the stage)\b"
    r"|\buntil (?:results|the (?:cause|stage|cultures?)\b)|\bsettles? .* against\b"
    r"|\b(?:to )?tell \w+ from\b|\bto (?:learn|see whether there|tell how|stage it)\b"
    r"|\b(?:duplex|scan|imaging|echo|MRI|CT|ultrasound|films?|study|tests?) (?:was |being )?"
    r"(?:ordered|arranged|sent)\b",
    re.IGNORECASE,
)
# For a symptom tests that are still to come leave its cause open.
TESTS = re.compile(
    r"\b(?:CT|MRI|EEG|ECG|X-ray|ultrasound|echocardiogram|endoscopy|scope|colonoscopy|cystoscopy"
    r"|biopsy|films?|radiograph|cultures?|tests?|testing|panel|bloods?|labs?|scans?|imaging"
    r"|oximetry|monitor|recorder|referral|referred|specialist|neurology|cardiology|urology"
    r"|hematology|audiogram|spirometry|serology|levels?)\b",
    re.IGNORECASE,
)
_FEWEST_NAMES = 2
P = TypeVar("P", "Pair", "DecoyPair")


def settled(world: World) -> World:
    """A world whose texts leave nothing open; what can't be named otherwise is left out."""
    made: dict[str, Option | None] = {}

    def option(one: Option) -> Option | None:
        if one.key not in made:
            code = one.value.code or next(iter(one.value.codes.values()))
            wording = _quiet(one.wording, code.startswith("R"))
            changed = None if wording is None else replace(one, wording=wording)
            made[one.key] = one if wording is one.wording else changed
        return made[one.key]

    def options(many: Sequence[Option]) -> list[Option]:
        return [kept for one in many if (kept := option(one)) is not None]

    def pool(one: Pool) -> Pool:
        weights = [after - before for before, after in pairwise((0, *one.totals))]
        pairs = zip(one.options, weights, strict=True)
        kept = [(made, weight) for old, weight in pairs if (made := option(old)) is not None]
        return Pool([o for o, _ in kept], running_sums([weight for _, weight in kept]))

    return replace(
        world,
        reasons={setting: pool(one) for setting, one in world.reasons.items()},
        backgrounds=pool(world.backgrounds),
        companions=pool(world.companions),
        by_condition={name: options(many) for name, many in world.by_condition.items()},
        exams=options(world.exams),
        axis_pools={axis: options(many) for axis, many in world.axis_pools.items()},
        pairs=_pairs(world.pairs),
        decoy_pairs=_decoys(world.decoy_pairs),
    )


_PARTS = ("names", "story", "background", "exam", "results", "plan")


@lru_cache(maxsize=1)
def _replaced() -> dict[str, str]:
    """What stands in place of texts that coding cases leave out, "" where nothing does."""
    rows = coding.read("left_out.yaml")["texts"]
    return {row["text"]: row.get("instead", "") for row in rows}


@cache
def _leaves_open(text: str) -> bool:
    """Whether a text leaves something open; splits have most texts in common."""
    return PENDING.search(text) is not None


def _fit(texts: Sequence[str]) -> list[str]:
    other = _replaced()
    return [kept for text in texts if (kept := other.get(text, text))]


def fitted(guideline: Guideline) -> Guideline:
    """A guided chart without texts that coding cases leave out."""

    def piece(one: Piece) -> Piece:
        wording = one.wording
        return replace(
            one,
            wording=_made(wording, {n: _fit(getattr(wording, n)) for n in _PARTS}, wording.stratum),
        )

    return replace(guideline, pieces=tuple(piece(one) for one in guideline.pieces))


def _made(wording: Wording, parts: dict[str, list[str]], stratum: str) -> Wording:
    """The wording with these texts, itself where they are its own."""
    if all(list(getattr(wording, name)) == texts for name, texts in parts.items()):
        return wording
    names = parts.pop("names")
    return Wording(names, **parts, drugs=wording.drugs, stratum=stratum, spelled=wording.spelled)


def _quiet(wording: Wording, symptom: bool) -> Wording | None:
    """The wording without texts that leave something open; None where too few names are left."""
    parts = {
        name: [text for text in _fit(getattr(wording, name)) if not _leaves_open(text)]
        for name in _PARTS
    }
    if symptom:
        parts["plan"] = [text for text in parts["plan"] if not TESTS.search(text)]
    if len(parts["names"]) < min(_FEWEST_NAMES, len(wording.names)):
        return None
    return _made(wording, parts, "symptom" if symptom else wording.stratum)


def _pairs(pairs: Sequence[Pair]) -> list[Pair]:
    found = []
    for pair in pairs:
        members = {name: _member(one) for name, one in pair.members.items()}
        kept = {name: one for name, one in members.items() if one is not None}
        settle = _sentences(pair.settle)
        if len(kept) == len(members) and all(settle.values()):
            found.append(replace(pair, members=kept, settle=settle))
    return found


def _decoys(pairs: Sequence[DecoyPair]) -> list[DecoyPair]:
    found = []
    for pair in pairs:
        a, b = _member(pair.a), _member(pair.b)
        relation = tuple(text for text in pair.relation if not _leaves_open(text))
        if a is not None and b is not None and relation:
            found.append(replace(pair, a=a, b=b, relation=relation))
    return found


def _member(member: Member) -> Member | None:
    wording = _quiet(member.wording, member.code.startswith("R"))
    return None if wording is None else replace(member, wording=wording)


def _sentences(settle: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(text for text in texts if not _leaves_open(text))
        for name, texts in settle.items()
    }
