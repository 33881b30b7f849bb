"""The long tail: any billable code that can be a right code of a claim, ready to be said.

``build_tail`` runs once, when the tables are compiled, and makes plain lists and strings;
``Tail`` reads them at run time. Who is eligible, and why others aren't, stands in
``tail_rules.py``; how a title becomes a phrase in ``wording.py``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .codes import canonical
from .codes import stem as bare
from .sevenths import Seventh, read_seventh
from .systems import ALL_SETTINGS, URGENT_SETTINGS

STRATA = (
    "disease",
    "neoplasm",
    "injury",
    "external_cause",
    "obstetric",
    "newborn",
    "congenital",
    "status",
    "symptom",
    "manifestation",
)
RIGHT = "right"


@dataclass(slots=True)
class TailCode:
    """A code of the long tail with all that a chart and a note need to state it.

    ``resolve(term, attributes) == (code,)``. ``names`` are noun phrases with side and with the
    text of a seventh character that isn't about the encounter (stage, tophus); phase, fracture
    type and healing are never in them: they stand in ``attributes`` for the note writer.
    ``age`` is in whole years, both ends included; ``stratum`` newborn means days 0-28.
    ``partners`` are codes that must stand on the same claim. ``settings`` are those where the
    state is met while active. ``suits``: for an external cause the kinds of injury that it can
    bring about, for an injury its own kind (see ``systems.mechanism``).
    """

    code: str
    term: str
    attributes: dict[str, str]
    names: tuple[str, ...]
    system: str
    sex: str | None
    age: tuple[int, int]
    stratum: str
    partners: tuple[str, ...]
    settings: tuple[str, ...] = ALL_SETTINGS
    suits: tuple[str, ...] = ()


class Tail:
    """The long tail at run time. ``data`` is what ``build_tail`` made."""

    __slots__ = ("_counts", "_places", "_reasons", "_records", "_sevenths", "tail")

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._records: dict[str, list[str]] = data["records"]
        self._counts: dict[str, list[int]] = data["counts"]
        self._sevenths: list[list[tuple[str, dict[str, str], str]]] = [
            [(char, *_said(read_seventh(char, text))) for char, text in chars]
            for chars in data["sevenths"]
        ]
        self._reasons: dict[str, str] = data["reasons"]
        self._places: dict[str, list[tuple[str, int, int]]] | None = None
        self.tail = lru_cache(maxsize=4096)(self._tail)

    def count(self, stratum: str) -> int:
        """How many codes the stratum holds; 0 for an unknown one."""
        counts = self._counts.get(stratum)
        return counts[-1] if counts else 0

    def _tail(self, stratum: str, i: int) -> TailCode:
        """The ``i``-th code of a stratum, in order of the tabular list. Raises IndexError."""
        counts = self._counts[stratum]
        if not 0 <= i < counts[-1]:
            raise IndexError(f"{stratum} has {counts[-1]} codes, not {i + 1}")
        place = bisect_right(counts, i)
        return self._read(stratum, place, i - (counts[place - 1] if place else 0))

    def _read(self, stratum: str, place: int, offset: int) -> TailCode:
        fields = self._records[stratum][place].split("\t")
        term, system, sex, low, high, urgent, suits, partner, set_number, names, entries = fields
        sevenths = self._sevenths[int(set_number)]
        entry, char_number = divmod(offset, len(sevenths) or 1)
        stem, _, side = entries.split(" ")[entry].partition(":")
        attributes = {}
        if side:
            attributes["side"] = side
            term = term.replace("{side}", side)
            names = names.replace("{side}", side)
        settings = URGENT_SETTINGS if urgent == "1" else ALL_SETTINGS
        spoken = tuple(names.split("|"))
        if sevenths:
            char, said, suffix = sevenths[char_number]
            stem = stem.ljust(6, "X") + char
            attributes.update(said)
            if suffix:
                spoken = tuple(f"{name}, {suffix}" for name in spoken)
            phase = said.get("phase")
            if phase == "healing":
                settings = ALL_SETTINGS
            elif said.get("fracture", "closed") != "closed":
                settings = URGENT_SETTINGS
            partner = partner.replace("?", char)
        return TailCode(
            code=stem if len(stem) == 3 else f"{stem[:3]}.{stem[3:]}",
            term=term,
            attributes=attributes,
            names=spoken,
            system=system,
            sex=sex or None,
            age=(int(low), int(high)),
            stratum=stratum,
            partners=tuple(canonical(code) for code in partner.split(",")) if partner else (),
            settings=settings,
            suits=tuple(suits.split(",")) if suits else (),
        )

    def of(self, code: str) -> TailCode | None:
        """The tail's entry for a full code, also for one that only stands as a partner (weeks
        of gestation); None if the code isn't eligible."""
        stem = bare(code)
        leaf, char = (stem, "") if stem in self._where() else (stem[:6], stem[6:])
        if char and leaf not in self._where():
            leaf = leaf.rstrip("X")
        for stratum, place, number in self._where().get(leaf, ()):
            chars = [seventh[0] for seventh in self._set(stratum, place)]
            if char in chars:
                return self._read(stratum, place, number * len(chars) + chars.index(char))
            if not char and not chars:
                return self._read(stratum, place, number)
        return None

    def _where(self) -> dict[str, list[tuple[str, int, int]]]:
        """Leaf -> its records; made on first use."""
        if self._places is None:
            self._places = {}
            for stratum, records in self._records.items():
                for place, record in enumerate(records):
                    for number, entry in enumerate(record.rpartition("\t")[2].split(" ")):
                        leaf = entry.partition(":")[0]
                        self._places.setdefault(leaf, []).append((stratum, place, number))
        return self._places

    def _set(self, stratum: str, place: int) -> list[tuple[str, dict[str, str], str]]:
        return self._sevenths[int(self._records[stratum][place].split("\t")[8])]

    def may_enter(self, code: str) -> str:
        """``right`` for an eligible code, else the reason why it enters claims only as an
        error; ``not_billable`` for anything else."""
        entry = self.of(code)
        if entry is not None:
            return RIGHT if entry.stratum in STRATA else "partner_only"
        stem = bare(code)
        for text in (stem, stem[:6].rstrip("X") if len(stem) == 7 else "", stem[:6]):
            if text in self._reasons:
                return self._reasons[text]
        if len(stem) == 7:
            for leaf in (stem[:6].rstrip("X"), stem[:6]):
                if leaf in self._where():
                    return "sequela_without_residual" if stem[6] == "S" else "seventh_unspecified"
        return "not_billable"


def _said(seventh: Seventh) -> tuple[dict[str, str], str]:
    """Attributes that a seventh character adds, and the words that names need for it."""
    said = {
        key: value
        for key, value in (
            ("phase", seventh.phase),
            ("fracture", seventh.fracture),
            ("healing", seventh.healing),
        )
        if value is not None
    }
    if said or seventh.text == "not applicable or unspecified":
        return said, ""
    words = seventh.text.replace("tophus (tophi)", "tophus").replace(" [EMT or ambulance]", "")
    return {"seventh": seventh.text}, words
