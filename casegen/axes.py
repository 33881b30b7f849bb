"""Axes along which a code can say something else than the record: side, phase, healing …

Which codes of the long tail lie on which axis is indexed once (see ``longtail``), so that a draw
nearly always finds a code that can be got wrong.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casegen.seeds.icd10cm.sevenths import Seventh, read_seventh

from .randomness import Lane

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# The strata from which each axis takes its codes; ``silent_side`` and ``silent_phase`` hold
# codes of which a note can leave the side or the phase open.
STRATA: dict[str, tuple[str, ...]] = {
    "phase": ("injury",),
    "healing": ("injury",),
    "fracture_type": ("injury",),
    "laterality": ("disease", "injury", "neoplasm"),
    "unspecified": ("disease", "injury"),
    "incomplete": ("disease", "injury", "neoplasm"),
    "silent_side": ("disease", "injury", "neoplasm"),
    "silent_phase": ("injury",),
}
SIDE_WORD = re.compile(r"\b(?:right|left)\b")

Raw = tuple[str, int, bytes]
_NO_SEVENTH: list[tuple[Seventh | None, list[str]]] = [(None, [])]


@dataclass(frozen=True, slots=True)
class AxisPool:
    """The codes of one stratum that lie on an axis.

    ``numbers`` are those that ``Tables.tail`` takes; from position ``healing`` on they stand
    for injuries that are healing, which other settings treat than fresh ones.
    """

    stratum: str
    numbers: Sequence[int]
    healing: int

    def draw(self, lane: Lane, fresh: bool, healing: bool) -> int | None:
        """The number of one code, fresh injuries or healing ones only where the other sort
        can't be; None where nothing is left."""
        low = 0 if fresh else self.healing
        high = len(self.numbers) if healing else self.healing
        return self.numbers[low + lane.below(high - low)] if low < high else None


def axis_pools(raw: dict[str, list[Raw]]) -> dict[str, list[AxisPool]]:
    """What ``axis_codes`` made, ready to draw from."""
    return {
        axis: [AxisPool(stratum, _unpacked(packed), healing) for stratum, healing, packed in rows]
        for axis, rows in raw.items()
    }


def _unpacked(packed: bytes) -> array[int]:
    numbers = array("H")
    numbers.frombytes(packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def axis_codes(tables: Tables) -> dict[str, list[Raw]]:
    """For each axis (stratum, position of the first healing injury, numbers of the codes as
    little-endian words of 16 bits), from the raw records of the long tail."""
    # What was a complete code before it was divided is retired, not incomplete.
    once = {stem for stem, _ in tables.store.histories()}
    all_strata = ("disease", "injury", "neoplasm")
    found = {stratum: _sorted_out(tables, stratum, once) for stratum in all_strata}
    out: dict[str, list[Raw]] = {}
    for axis, strata in STRATA.items():
        out[axis] = []
        for stratum in strata:
            fresh, healing = found[stratum].get(axis, []), found[stratum].get(f"{axis}~", [])
            numbers = array("H", fresh + healing)
            if sys.byteorder == "big":
                numbers.byteswap()
            if numbers:
                out[axis].append((stratum, len(fresh), numbers.tobytes()))
    return out


def _sorted_out(tables: Tables, stratum: str, once: Set[str]) -> dict[str, list[int]]:
    """The numbers of a stratum's codes by axis, healing injuries under ``<axis>~``; ``once``
    are the stems that had a validity of their own.

    A record holds tab-separated fields, of which the first is the wording, the eighth the codes
    that must stand beside it, the ninth the set of seventh characters, the last the codes with
    their sides (see ``Tail``).
    """
    store = tables.store
    sets = [
        [(one, axes_of(one, chars)) for one in chars]
        for raw in store.tail["sevenths"]
        for chars in [[read_seventh(char, text) for char, text in raw]]
    ]
    found: dict[str, list[int]] = {}
    number = 0
    for record in store.tail["records"][stratum]:
        fields = record.split("\t")
        term, partner, chars, entries = fields[0], fields[7], sets[int(fields[8])], fields[10]
        says_side = SIDE_WORD.search(term) is not None or "{side}" in term
        for entry in entries.split(" "):
            leaf, _, side = entry.partition(":")
            shared = _side_axes(store.groups.get(store.index[leaf], ()), side, says_side)
            short = leaf if chars else leaf[:-1]
            if len(short) >= 3 and short not in once:
                shared.append("incomplete")
            for one, own in chars or _NO_SEVENTH:
                mark = "~" if one and one.phase == "healing" and stratum == "injury" else ""
                # A code that must not stand alone is none of ours.
                for axis in () if partner else (*shared, *own):
                    if axis != "silent_phase" or not says_side:
                        found.setdefault(axis + mark, []).append(number)
                number += 1
    return found


def _side_axes(group: Sequence[int], side: str, says_side: bool) -> list[str]:
    """The axes of side of a code; ``group`` are the codes that differ from it by side alone:
    right, left, bilateral, unspecified (negative where there is none)."""
    if not side:
        return []
    own = ("right", "left", "bilateral").index(side)
    axes = []
    if any(node >= 0 for at, node in enumerate(group[:3]) if at != own):
        axes.append("laterality")
        if own < 2 and not says_side:
            axes.append("silent_side")
    if len(group) > 3 and group[3] >= 0:
        axes.append("unspecified")
    return axes


def axes_of(mine: Seventh, seventh_set: Iterable[Seventh]) -> list[str]:
    """The axes along which a seventh character can be got wrong."""
    others = list(seventh_set)
    axes = [a for a in ("phase", "healing", "fracture_type") if wrong_sevenths(a, mine, others)]
    if "phase" in axes and mine.fracture is None and mine.healing is None:
        axes.append("silent_phase")
    return axes


def wrong_sevenths(axis: str, mine: Seventh, others: Iterable[Seventh]) -> list[str]:
    """The seventh characters that differ from ``mine`` along one axis alone; a fresh fracture
    has no healing, so that any phase but the sequela has a routine counterpart."""
    found = []
    for other in others:
        if other.phase == "sequela" or other.char == mine.char:
            continue
        phase, fracture = other.phase == mine.phase, other.fracture == mine.fracture
        if axis == "phase":
            fits = (
                not phase and fracture and "routine" in (other.healing, mine.healing or "routine")
            )
        elif axis == "healing":
            fits = phase and fracture and other.healing != mine.healing
        else:
            fits = phase and other.healing == mine.healing and not fracture
        if fits:
            found.append(other.char)
    return found
