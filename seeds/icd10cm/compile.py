"""Compiling the tabular list and the edits into the plain data that ``tables`` loads.

Runs once per installation. The result is a dict of sections, each the ``marshal`` bytes of
lists, dicts, tuples, strings and numbers, so that a section costs nothing until it's used.
Nodes are numbered in document order; the nodes below number ``i`` are ``i + 1 .. end[i] - 1``.
Complete codes with a seventh character aren't stored: they follow from leaf and definition.
"""

from __future__ import annotations

import csv
import gzip
import io
import marshal
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from operator import attrgetter
from pathlib import Path
from typing import Any

from casegen.schemas.errors import TableError

from ..collector import paused
from . import meaning
from .conflicts import EXCLUDES1, ORDERING
from .notes import ParsedNote, Reference, parse_notes, place
from .sides import SIDES, find_sides
from .tail_build import build_tail
from .terms import build_index, is_term
from .ties import build_ties
from .xml import Node, parse_tabular, tabular_path

RELEASE_DAY = "2026-04-01"
DATA = Path(__file__).parent / "data"
EDITS_FILE = "icd10cm_edits.csv.gz"
AGES_FILE = "age_meaning.csv"
# Kinds of notes in the order of their fields in Node; ``tables`` uses the same numbers.
KINDS = (
    ("includes", "includes"),
    ("inclusion_terms", "inclusion_term"),
    ("excludes1", "excludes1"),
    ("excludes2", "excludes2"),
    ("code_first", "code_first"),
    ("use_additional", "use_additional"),
    ("code_also", "code_also"),
    ("notes", "note"),
)
_EXCEPTION = re.compile(
    r"7th characters ([A-Z] and [A-Z]) do not apply to codes in category (\w{3}) "
    r"with 6th character (\d) .* or (\d) "
)
_WITH_TARGETS = {"excludes1", "excludes2", "code_first", "use_additional", "code_also"}

_EDIT_FIELDS = ["code", "from", "to", "edits"]

Row = tuple[str, str, str]  # from, to, edits joined by "|"


def compile_tables(
    tabular: Path | None = None, edits: bytes | None = None, day: str = RELEASE_DAY
) -> dict[str, bytes]:
    """All sections of the compiled tables. Raises TableError for broken sources.

    ``tabular`` is the tabular list (None: the bundled one), ``edits`` the text of the dated
    edits, ``day`` the ISO date from which the list holds.
    """
    with paused():
        return _compile(tabular, edits, day)


def _compile(tabular: Path | None, edits: bytes | None, day: str) -> dict[str, bytes]:
    path = tabular or tabular_path()
    nodes = parse_tabular(path)
    edits = read_edits(DATA / EDITS_FILE) if edits is None else edits
    rows = edits_by_code(edits)
    sevenths = _inherited_sevenths(nodes)
    complete = _complete_codes(nodes, sevenths, rows, day)
    side, groups = find_sides(nodes)
    historic = meaning.historic_sexes(
        (code, entry[2]) for code, entries in rows.items() for entry in entries
    )
    numbers = {stem: number for number, stem in enumerate(nodes)}
    notes = _notes(nodes, numbers)
    sections: dict[str, Any] = {
        "core": _core(nodes, numbers, sevenths, complete, side),
        "rows": _rows(rows),
        "groups": _groups(groups, numbers),
        "notes": _packed(notes),
        "terms": _terms(nodes, numbers),
        "meaning": _meaning(nodes, historic, complete, strict=tabular is None),
        "tail": build_tail(nodes, _flags(rows), side),
    }
    ends = array("i")
    ends.frombytes(sections["core"]["ends"])
    sections["ties"] = build_ties(
        list(nodes), ends, notes, {"masks": EXCLUDES1, "orders": ORDERING}
    )
    sections["about"] = {
        "digest": sha256(sha256(path.read_bytes()).digest() + sha256(edits).digest()).hexdigest(),
        "billable": sum(len(codes) for codes in complete.values()),
    }
    return {name: marshal.dumps(data) for name, data in sections.items()}


def read_edits(path: Path) -> bytes:
    """The uncompressed table of validity dates and MCE edits. Raises TableError."""
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise TableError(f"{path}: not a readable gzip file: {error}") from error


def edits_by_code(text: bytes) -> dict[str, tuple[Row, ...]]:
    """``{stem: ((from, to, edits), ...)}`` in order of time. Codes that were valid all the
    time without edits aren't in the source."""
    found: dict[str, list[Row]] = {}
    reader = csv.reader(io.StringIO(text.decode("utf-8"), newline=""))
    if next(reader) != _EDIT_FIELDS:
        raise TableError(f"{EDITS_FILE}: the fields must be {', '.join(_EDIT_FIELDS)}")
    for code, start, end, edits in reader:
        found.setdefault(code.replace(".", ""), []).append((start, end, edits))
    return {stem: tuple(sorted(entries)) for stem, entries in found.items()}


def _inherited_sevenths(nodes: Mapping[str, Node]) -> dict[str, dict[str, str] | None]:
    found: dict[str, dict[str, str] | None] = {}
    for stem, node in nodes.items():
        found[stem] = node.seventh if node.seventh is not None else found.get(node.parent or "")
    return found


def _complete_codes(
    nodes: Mapping[str, Node],
    sevenths: Mapping[str, dict[str, str] | None],
    rows: Mapping[str, Sequence[Row]],
    day: str = RELEASE_DAY,
) -> dict[str, list[str]]:
    """The complete codes of each leaf on the day of the release.

    The list gives seventh characters by category; a note in S06 takes D and S away from the
    codes of patients who died. The validity dates say the same where they know the code.
    """
    found: dict[str, list[str]] = {}
    without: dict[str, tuple[str, str]] = {}
    for stem, node in nodes.items():
        for text in node.notes:
            exception = _EXCEPTION.match(text)
            if exception:
                without[exception[2]] = (exception[1], exception[3] + exception[4])
        if node.children or ":" in stem:
            continue
        chars = sevenths[stem]
        full = [stem.ljust(6, "X") + char for char in chars] if chars else [stem]
        dropped, sixth = without.get(stem[:3], ("", ""))
        found[stem] = [
            code
            for code in full
            if (code not in rows or _valid(rows[code], day))
            and not (len(code) == 7 and code[5] in sixth and code[6] in dropped)
        ]
        if not found[stem]:
            raise TableError(f"{stem} is in the tabular list, but no code of it is valid")
    return found


def _valid(rows: Sequence[Row], day: str) -> bool:
    return any(start <= day <= end for start, end, _ in rows)


def _core(
    nodes: Mapping[str, Node],
    numbers: Mapping[str, int],
    sevenths: Mapping[str, dict[str, str] | None],
    complete: Mapping[str, Sequence[str]],
    side: Mapping[str, str],
) -> dict[str, Any]:
    parents = array("i", (numbers[node.parent] if node.parent else -1 for node in nodes.values()))
    ends = array("i", range(1, len(nodes) + 1))
    for number in range(len(nodes) - 1, -1, -1):
        parent = parents[number]
        if parent >= 0 and ends[number] > ends[parent]:
            ends[parent] = ends[number]
    # Sets of seventh characters by what holds at the leaf, so that S06's two are sets too.
    sets: dict[tuple[tuple[str, str], ...], int] = {(): 0}
    whole: dict[int, int] = {}  # by the id of a node's dictionary, which outlives this
    chosen = array("h")
    for stem in nodes:
        chars = sevenths[stem] if stem in complete else None
        if not chars:
            chosen.append(0)
            continue
        if len(complete[stem]) == len(chars) and id(chars) in whole:
            chosen.append(whole[id(chars)])
            continue
        allowed = {code[6] for code in complete[stem]}
        items = tuple(item for item in chars.items() if item[0] in allowed)
        number = sets.setdefault(items, len(sets))
        if len(items) == len(chars):
            whole[id(chars)] = number
        chosen.append(number)
    return {
        "stems": "\n".join(nodes),
        "titles": "\n".join(node.title for node in nodes.values()),
        "parents": parents.tobytes(),
        "ends": ends.tobytes(),
        "seventh": chosen.tobytes(),
        "sets": list(sets),
        "side": bytes(SIDES.index(side[stem]) + 1 if stem in side else 0 for stem in nodes),
    }


def _rows(rows: Mapping[str, tuple[Row, ...]]) -> dict[str, Any]:
    """Few histories are shared by many codes."""
    histories: dict[tuple[Row, ...], int] = {}
    chosen = array("H", (histories.setdefault(entry, len(histories)) for entry in rows.values()))
    return {"stems": "\n".join(rows), "history": chosen.tobytes(), "histories": list(histories)}


def _groups(groups: Sequence[Mapping[str, str]], numbers: Mapping[str, int]) -> dict[int, Any]:
    """Node -> its group, as four node numbers in the order of SIDES (-1: none)."""
    found: dict[int, Any] = {}
    for group in groups:
        members = tuple(numbers[group[name]] if name in group else -1 for name in SIDES)
        for number in members:
            if number >= 0:
                found[number] = members
    return found


def _terms(nodes: Mapping[str, Node], numbers: Mapping[str, int]) -> dict[str, bytes]:
    pairs = [
        (term, numbers[stem])
        for stem, node in nodes.items()
        if ":" not in stem
        for term in (node.title, *filter(is_term, node.inclusion_terms))
    ]
    keys, places = build_index(pairs)
    return {"keys": array("Q", keys).tobytes(), "nodes": array("i", places).tobytes()}


def _meaning(
    nodes: dict[str, Node],
    historic: Mapping[str, str],
    complete: Mapping[str, list[str]],
    *,
    strict: bool,
) -> dict[str, Any]:
    sexes = meaning.find_sex(nodes, historic, complete)
    path = DATA / AGES_FILE
    ages = meaning.read_ages(path.read_text(encoding="utf-8"), nodes, path.name, strict=strict)
    said = {name: meaning.says(nodes[name]) for _, name in sexes.values()}
    return {
        "sex": {stem: (sex, said[name]) for stem, (sex, name) in sexes.items()},
        "age": ages,
    }


def _flags(rows: Mapping[str, Sequence[Row]]) -> dict[str, frozenset[str]]:
    return {
        stem: frozenset(edit for entry in entries for edit in entry[2].split("|") if edit)
        for stem, entries in rows.items()
    }


def _notes(nodes: Mapping[str, Node], numbers: Mapping[str, int]) -> dict[int, Any]:
    """Node -> its notes as ``(kind, text, lead, targets)``; a target is ``(stem, seventh
    characters or None, residue or None)`` (see ``notes.Reference``)."""
    order = list(nodes)
    spread = _Spread(order, numbers, nodes)
    lists_of = attrgetter(*(field for field, _ in KINDS))
    found: dict[int, Any] = {}
    for stem, node in nodes.items():
        lists: tuple[tuple[str, ...], ...] = lists_of(node)
        if not any(lists) and not node.seventh_note:
            continue
        entries: list[Any] = []
        for kind, (texts, (_, name)) in enumerate(zip(lists, KINDS, strict=True)):
            if name not in _WITH_TARGETS:
                entries += ((kind, text, "", ()) for text in texts)
                continue
            for note in parse_notes(texts):
                entries.append((kind, note.text, note.lead, spread.targets(note)))
        if node.seventh_note:
            entries.append((len(KINDS) - 1, node.seventh_note, "", ()))
        if entries:
            found[numbers[stem]] = tuple(entries)
    return found


def _packed(notes: Mapping[int, Any]) -> dict[str, bytes]:
    """The notes one after another, with the nodes and where the notes of each end."""
    rows = [marshal.dumps(entries) for entries in notes.values()]
    return {
        "nodes": array("i", notes).tobytes(),
        "ends": array("i", accumulate(map(len, rows))).tobytes(),
        "notes": b"".join(rows),
    }


class _Spread:
    """Turns references into the fewest nodes that hold all their codes."""

    def __init__(
        self, order: Sequence[str], numbers: Mapping[str, int], nodes: Mapping[str, Node]
    ) -> None:
        self.order = order
        self.numbers = numbers
        self.nodes = nodes

    def targets(self, note: ParsedNote) -> tuple[tuple[str, str | None, str | None], ...]:
        return tuple(
            (stem, reference.seventh, reference.residue)
            for reference in note.references
            for stem in self.stems(reference)
        )

    def stems(self, reference: Reference) -> Iterator[str]:
        if reference.last is None:
            if reference.first in self.numbers:
                yield reference.first
            else:
                # A complete code (T36.0X5A), or characters that no node has by itself
                # (S09.9 in one release, S09.90 in the next): all nodes that start so.
                below = [stem for stem in self.order if stem.startswith(reference.first)]
                yield from self._tops(below) if below else (reference.first,)
            return
        block = f"block:{reference.first}-{reference.last}"
        if block in self.numbers:
            yield block
            return
        number = self._first(reference.first)
        stop = self._end(reference.last)
        while number < stop:
            end = self._end(self.order[number])
            if end <= stop:
                yield self.order[number]
                number = end
            else:
                number += 1

    def _tops(self, stems: Sequence[str]) -> Iterator[str]:
        inside = set(stems)
        return (stem for stem in stems if self.nodes[stem].parent not in inside)

    def _first(self, stem: str) -> int:
        number = self.numbers.get(stem)
        return self._nearest(stem) if number is None else number

    def _end(self, stem: str) -> int:
        if stem not in self.numbers:
            stem = self.order[self._nearest(stem, last=True)]
        node = self.nodes[stem]
        while node.children:
            node = self.nodes[node.children[-1]]
        return self.numbers[node.stem] + 1

    def _nearest(self, stem: str, *, last: bool = False) -> int:
        """For ends of ranges that aren't codes themselves: the next code inside the range."""
        inside = [
            number
            for other, number in self.numbers.items()
            if ":" not in other and (place(other) <= place(stem)) == last
        ]
        if not inside:
            raise TableError(f"a note names {stem}, beyond the list")
        return max(inside) if last else min(inside)
