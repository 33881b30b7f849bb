"""The compiled sections in memory, each unpacked when it's first needed."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Container, Iterator, Mapping
from functools import cached_property
from typing import Any
from zlib import crc32

from .sevenths import Seventh, read_seventh

SIDES = (None, "right", "left", "bilateral", "unspecified")

History = tuple[tuple[str, str, str], ...]
Target = tuple[str, "str | None", "str | None"]
RawNote = tuple[int, str, str, tuple[Target, ...]]


_KEPT = 4_000  # nodes whose notes or chains are remembered


class Notes(Mapping[int, tuple[RawNote, ...]]):
    """Node -> its own notes as (kind, text, lead, targets), each node's unpacked when they are
    first asked for: a run reads the notes of few nodes."""

    __slots__ = ("_packed", "_places", "_read")

    def __init__(self, data: Mapping[str, bytes]) -> None:
        self._packed = data["notes"]
        nodes, ends = _numbers("i", data["nodes"]), _numbers("i", data["ends"])
        self._places = dict(zip(nodes, zip((0, *ends), ends, strict=False), strict=True))
        self._read: dict[int, tuple[RawNote, ...]] = {}

    def __getitem__(self, node: int) -> tuple[RawNote, ...]:
        found = self._read.get(node)
        if found is None:
            start, end = self._places[node]
            if len(self._read) >= _KEPT:
                self._read.clear()
            found = self._read[node] = marshal.loads(self._packed[start:end])
        return found

    def get(self, node: int, default: Any = None) -> Any:
        """The notes of a node, or ``default``; most nodes have none."""
        found = self._read.get(node)
        if found is None:
            return self[node] if node in self._places else default
        return found

    @property
    def nodes(self) -> Container[int]:
        """The nodes that have notes."""
        return self._places

    def __contains__(self, node: object) -> bool:
        return node in self._places

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Store:
    """Nodes are numbered in document order; those below number ``i`` are
    ``i + 1 .. ends[i] - 1``, so a leaf has ``ends[i] == i + 1``."""

    def __init__(self, sections: Mapping[str, bytes]) -> None:
        self._sections = sections
        core = marshal.loads(sections["core"])
        self.stems: list[str] = core["stems"].split("\n")
        self.titles: list[str] = core["titles"].split("\n")
        self.parents = _numbers("i", core["parents"])
        self.ends = _numbers("i", core["ends"])
        self.sides: bytes = core["side"]
        self._set_of = _numbers("h", core["seventh"])
        self._sets: list[tuple[tuple[str, str], ...]] = core["sets"]
        self.index: dict[str, int] = dict(zip(self.stems, range(len(self.stems)), strict=True))
        self._parsed: dict[int, dict[str, Seventh]] = {}
        self._chains: dict[int, tuple[tuple[int, ...], tuple[str, ...], frozenset[str]]] = {}

    def _unpack(self, name: str) -> Any:
        return marshal.loads(self._sections[name])

    def checksum(self, *names: str) -> str:
        """CRC-32 of sections, to tell whether what was made from them is out of date."""
        value = 0
        for name in names:
            value = crc32(self._sections[name], value)
        return f"{value:08x}"

    @cached_property
    def about(self) -> dict[str, Any]:
        """``digest`` of the sources and number of ``billable`` codes."""
        found: dict[str, Any] = self._unpack("about")
        return found

    @cached_property
    def _rows(self) -> tuple[dict[str, int], list[History]]:
        data = self._unpack("rows")
        stems = data["stems"].split("\n")
        return dict(zip(stems, _numbers("H", data["history"]), strict=True)), data["histories"]

    def history(self, stem: str) -> History:
        """``((from, to, edits), ...)``; () for codes valid all the time without edits and for
        those that never were codes."""
        numbers, histories = self._rows
        number = numbers.get(stem)
        return () if number is None else histories[number]

    def histories(self) -> Iterator[tuple[str, History]]:
        """All stems that have a history, with it."""
        numbers, histories = self._rows
        return ((stem, histories[number]) for stem, number in numbers.items())

    @cached_property
    def notes(self) -> Notes:
        """Node -> its own notes."""
        return Notes(self._unpack("notes"))

    @cached_property
    def ties(self) -> dict[str, dict[str, int]]:
        """``bits``, ``masks`` (Excludes1) and ``orders`` (code first, use additional code) of
        categories, see ``ties.build_ties``."""
        found: dict[str, dict[str, int]] = self._unpack("ties")
        return found

    @cached_property
    def groups(self) -> dict[int, tuple[int, ...]]:
        """Node -> the codes that differ from it by side alone, in the order of SIDES[1:]."""
        found: dict[int, tuple[int, ...]] = self._unpack("groups")
        return found

    @cached_property
    def term_keys(self) -> tuple[array[int], array[int]]:
        """Sorted keys of official wordings (see ``terms``), and the node of each."""
        data = self._unpack("terms")
        return _numbers("Q", data["keys"]), _numbers("i", data["nodes"])

    @cached_property
    def meaning(self) -> dict[str, dict[str, Any]]:
        """``sex`` and ``age``: stem -> what ``Tables.sex_by_meaning`` and so on say."""
        found: dict[str, dict[str, Any]] = self._unpack("meaning")
        return found

    @cached_property
    def tail(self) -> dict[str, Any]:
        """Data of the long tail."""
        found: dict[str, Any] = self._unpack("tail")
        return found

    def chain(self, node: int) -> tuple[tuple[int, ...], tuple[str, ...], frozenset[str]]:
        """The node and all above it: numbers, stems, and the stems as a set."""
        found = self._chains.get(node)
        if found is None:
            above = self.parents[node]
            nodes, line, up = self.chain(above) if above >= 0 else ((), (), frozenset())
            stem = self.stems[node]
            found = ((node, *nodes), (stem, *line), up | {stem})
            if len(self._chains) >= _KEPT:
                self._chains.clear()
            self._chains[node] = found
        return found

    def is_leaf(self, node: int) -> bool:
        """Whether no code stands below the node."""
        return self.ends[node] == node + 1

    def sevenths(self, node: int) -> dict[str, Seventh]:
        """The seventh characters of a leaf, {} for one that has none and for other nodes."""
        number = self._set_of[node]
        found = self._parsed.get(number)
        if found is None:
            found = {char: read_seventh(char, text) for char, text in self._sets[number]}
            self._parsed[number] = found
        return found


def _numbers(kind: str, raw: bytes) -> array[int]:
    numbers = array(kind)
    numbers.frombytes(raw)
    return numbers
