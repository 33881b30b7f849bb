"""The long tail: any billable code that can be a right code of a claim, ready to be said.

``build_tail`` runs once, when the tables are compiled, and makes plain lists and strings;
``Tail`` reads them at run time. Who is eligible, and why others aren't, stands in
``tail_rules.py``; how a title becomes a phrase in ``wording.py``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .codes import canonical
from .codes import stem as bare
from .sevenths import Seventh, read_seventh
from .systems import ALL_SETTINGS, ALSO, URGENT_SETTINGS, WARD_SETTINGS

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

# Character, what it says, and the words that names need for it.
_Char = tuple[str, dict[str, str], str]
_NOTHING: Mapping[str, str] = {}
# How the place of a leaf is packed in a number, from the lowest bits: stratum, set of seventh
# characters, number within the record, record.
_STRATUM = 15
_SET_AT, _NUMBER, _RECORD = 4, 12, 20
_BYTE = 255
_SET = _BYTE << _SET_AT


@dataclass(slots=True)
class TailCode:
    """A code of the long tail with all that a chart and a note need to state it.

    ``resolve(term, attributes) == (code,)``. ``names`` are noun phrases with side and with the
    text of a seventh character that isn't about the encounter (stage, tophus); phase, fracture
    type and healing are never in them: they stand in ``attributes`` for the note writer.
    ``age`` is in whole years, both ends included; ``stratum`` newborn means days 0-28.
    ``partners`` are codes that must stand on the same claim. ``settings`` are those where the
    state is met while active. ``suits``: for an external cause the kinds of injury that it can
    bring about, for an injury its own kind (see ``systems.mechanism``). ``also`` are phrases
    for an inclusion term: it may be a narrower disease, so that no note says both.
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
    also: tuple[str, ...] = ()

    @property
    def grave(self) -> bool:
        """Whether the state is met in an emergency department or on a ward only."""
        return self.settings in (URGENT_SETTINGS, WARD_SETTINGS)


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """Whom a code can concern, and in which phase of care: what a draw asks of a code before
    its words are made. Fields as in ``TailCode``; ``phase`` and ``suits`` are None and () where
    the code has none. Codes of one scope share one object."""

    settings: tuple[str, ...]
    age: tuple[int, int]
    sex: str | None
    phase: str | None
    suits: tuple[str, ...]


class Tail:
    """The long tail at run time. ``data`` is what ``build_tail`` made."""

    __slots__ = (
        "_chars", "_counts", "_places", "_reasons", "_records", "_scopes", "_sevenths", "_strata",
    )  # fmt: skip

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._records: dict[str, list[str]] = data["records"]
        self._strata = tuple(self._records)
        self._counts: dict[str, list[int]] = data["counts"]
        self._sevenths: list[list[_Char]] = [
            [(char, *_said(read_seventh(char, text))) for char, text in chars]
            for chars in data["sevenths"]
        ]
        self._chars = [{char[0]: at for at, char in enumerate(one)} for one in self._sevenths]
        self._reasons: dict[str, str] = data["reasons"]
        self._places: tuple[dict[str, int], dict[str, list[int]]] | None = None
        # By the fields of a record: some hundreds, and many codes share each.
        self._scopes: dict[tuple[str | None, ...], Scope] = {}

    def count(self, stratum: str) -> int:
        """How many codes the stratum holds; 0 for an unknown one."""
        counts = self._counts.get(stratum)
        return counts[-1] if counts else 0

    def tail(self, stratum: str, i: int) -> TailCode:
        """The ``i``-th code of a stratum, in order of the tabular list. Raises IndexError."""
        record, offset = self._find(stratum, i)
        return self._read(stratum, record, offset)

    def scope(self, stratum: str, i: int) -> Scope:
        """The scope of the ``i``-th code of a stratum, without reading the rest of it. Raises
        IndexError."""
        record, offset = self._find(stratum, i)
        _, _, sex, low, high, urgent, suits, _, rest = record.split("\t", 8)
        sevenths = self._sevenths[int(rest[: rest.index("\t")])]
        said = sevenths[offset % len(sevenths)][1] if sevenths else _NOTHING
        key = (sex, low, high, urgent, suits, said.get("phase"), said.get("fracture"))
        found = self._scopes.get(key)
        if found is None:
            found = self._scopes[key] = Scope(
                _settings(urgent, said),
                (int(low), int(high)),
                sex or None,
                said.get("phase"),
                tuple(suits.split(",")) if suits else (),
            )
        return found

    def _find(self, stratum: str, i: int) -> tuple[str, int]:
        """The record of the ``i``-th code of a stratum, and the number of the code there."""
        counts = self._counts[stratum]
        if not 0 <= i < counts[-1]:
            raise IndexError(f"{stratum} has {counts[-1]} codes, not {i + 1}")
        place = bisect_right(counts, i)
        return self._records[stratum][place], i - counts[place - 1] if place else i

    def _read(self, stratum: str, record: str, offset: int) -> TailCode:
        term, system, sex, low, high, urgent, suits, partner, numbered, names, entries = (
            record.split("\t")
        )
        said: Mapping[str, str] = _NOTHING
        attributes: dict[str, str] = {}
        if numbered == "0":
            entry, char, suffix = offset, "", ""
        else:
            sevenths = self._sevenths[int(numbered)]
            entry, number = divmod(offset, len(sevenths))
            char, said, suffix = sevenths[number]
        stem, _, side = (entries.split(" ")[entry] if " " in entries else entries).partition(":")
        if side:
            attributes["side"] = side
            term = term.replace("{side}", side)
            names = names.replace("{side}", side)
        names, _, more = names.partition(f"|{ALSO}")
        spoken = tuple(names.split("|"))
        also = tuple(more.split(f"|{ALSO}")) if more else ()
        if char:
            stem = stem.ljust(6, "X") + char
            attributes.update(said)
            if suffix:
                spoken = tuple([f"{name}, {suffix}" for name in spoken])
                also = tuple([f"{name}, {suffix}" for name in also])
        partners: tuple[str, ...] = ()
        if partner:
            partner = partner.replace("?", char) if char else partner
            partners = tuple([canonical(code) for code in partner.split(",")])
        return TailCode(
            stem if len(stem) == 3 else f"{stem[:3]}.{stem[3:]}",
            term,
            attributes,
            spoken,
            system,
            sex or None,
            (int(low), int(high)),
            stratum,
            partners,
            _settings(urgent, said),
            tuple(suits.split(",")) if suits else (),
            also,
        )

    def of(self, code: str) -> TailCode | None:
        """The tail's entry for a full code, also for one that only stands as a partner (weeks
        of gestation); None if the code isn't eligible."""
        found = self._place_of(code)
        if found is None:
            return None
        packed, offset = found
        stratum = self._strata[packed & _STRATUM]
        return self._read(stratum, self._records[stratum][packed >> _RECORD], offset)

    def holds(self, code: str) -> bool:
        """Whether ``of`` finds the code; cheaper than reading it."""
        return self._place_of(code) is not None

    def _place_of(self, code: str) -> tuple[int, int] | None:
        """The packed place of a full code, and its number within the record."""
        places, _ = self._where()
        stem = code.replace(".", "")
        packed = places.get(stem)
        if packed is None:
            stem = bare(code)
        elif not packed & _SET:
            return packed, packed >> _NUMBER & _BYTE
        leaf, char = (stem, "") if stem in places else (stem[:6], stem[6:])
        if leaf not in places:
            leaf = leaf.rstrip("X")
        for packed in self._all_places(leaf):
            number = packed >> _NUMBER & _BYTE
            chars = self._chars[packed >> _SET_AT & _BYTE]
            if not chars and not char:
                return packed, number
            at = chars.get(char)
            if at is not None:
                return packed, number * len(chars) + at
        return None

    def _all_places(self, leaf: str) -> Sequence[int]:
        places, more = self._where()
        first = places.get(leaf)
        return () if first is None else (first, *more.get(leaf, ()))

    def _where(self) -> tuple[dict[str, int], dict[str, list[int]]]:
        """Leaf -> its place, packed in a number, and the further places of the few leaves that
        stand in several records; made on first use."""
        if self._places is None:
            places: dict[str, int] = {}
            more: dict[str, list[int]] = {}
            for stratum, name in enumerate(self._strata):
                for at, record in enumerate(self._records[name]):
                    _, numbered, _, entries = record.rsplit("\t", 3)
                    packed = at << _RECORD | int(numbered) << _SET_AT | stratum
                    for number, entry in enumerate(entries.split(" ")):
                        leaf = entry.partition(":")[0] if ":" in entry else entry
                        if leaf in places:
                            more.setdefault(leaf, []).append(packed | number << _NUMBER)
                        else:
                            places[leaf] = packed | number << _NUMBER
            self._places = places, more
        return self._places

    def may_enter(self, code: str) -> str:
        """``right`` for an eligible code, else the reason why it enters claims only as an
        error; ``not_billable`` for anything else."""
        found = self._place_of(code)
        if found is not None:
            stratum = self._strata[found[0] & _STRATUM]
            return RIGHT if stratum in STRATA else "partner_only"
        stem = bare(code)
        for text in (stem, stem[:6].rstrip("X") if len(stem) == 7 else "", stem[:6]):
            if text in self._reasons:
                return self._reasons[text]
        if len(stem) == 7:
            for leaf in (stem[:6].rstrip("X"), stem[:6]):
                if leaf in self._where()[0]:
                    return "sequela_without_residual" if stem[6] == "S" else "seventh_unspecified"
        return "not_billable"


def _settings(urgent: str, said: Mapping[str, str]) -> tuple[str, ...]:
    """Where a code is met: ``urgent`` is "1" for states of emergencies, "2" for those of a
    ward only, ``said`` what the seventh character says. Who heals can come to an office, a fresh
    open fracture not, and one of type III is operated on."""
    if said.get("phase") == "healing":
        return ALL_SETTINGS
    fracture = said.get("fracture", "closed")
    if urgent == "2" or fracture == "open_3":
        return WARD_SETTINGS
    if urgent == "1" or fracture != "closed":
        return URGENT_SETTINGS
    return ALL_SETTINGS


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
