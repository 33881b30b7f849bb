"""The raw tabular list: nodes by stem (code without dot), complete codes with their words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from functools import cache

from .paths import tabular_xml


@dataclass
class Entry:
    """A chapter, block or code as the XML gives it."""

    stem: str
    title: str
    parent: Entry | None
    inclusion: list[str] = field(default_factory=list)
    excludes1: list[str] = field(default_factory=list)
    seventh: dict[str, str] | None = None
    children: list[Entry] = field(default_factory=list)

    def line(self) -> list[Entry]:
        """Itself, its parents, its block, its chapter."""
        up: list[Entry] = []
        entry: Entry | None = self
        while entry is not None:
            up.append(entry)
            entry = entry.parent
        return up

    def characters(self) -> dict[str, str] | None:
        """Its seventh characters: the nearest definition above it, or its own."""
        for entry in self.line():
            if entry.seventh is not None:
                return entry.seventh
        return None


@dataclass(frozen=True)
class Complete:
    """A complete code: ``stem`` without dot, the entry it comes from, its seventh's text."""

    stem: str
    entry: Entry
    seventh: str | None


def plain(code: str) -> str:
    """A code without dots and blanks, in capitals."""
    return code.replace(".", "").replace(" ", "").upper()


def dotted(code: str) -> str:
    stem = plain(code)
    return stem if len(stem) <= 3 else f"{stem[:3]}.{stem[3:]}"


def words(text: str) -> str:
    """Words in small letters, one blank between them, no punctuation."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _notes(element: ET.Element, tag: str) -> list[str]:
    return [n.text or "" for holder in element.findall(tag) for n in holder.findall("note")]


@cache
def entries() -> dict[str, Entry]:
    """All entries by stem; chapters as ``chapter 19``, blocks as ``block S50-S59``."""
    found: dict[str, Entry] = {}

    def read(element: ET.Element, stem: str, parent: Entry | None) -> None:
        entry = Entry(stem, element.findtext("desc") or "", parent)
        entry.inclusion = _notes(element, "inclusionTerm")
        entry.excludes1 = _notes(element, "excludes1")
        definition = element.find("sevenChrDef")
        if definition is not None:
            entry.seventh = {
                e.get("char", ""): e.text or "" for e in definition.findall("extension")
            }
        found[stem] = entry
        if parent is not None:
            parent.children.append(entry)
        for child in element.findall("section"):
            read(child, f"block {child.get('id')}", entry)
        for child in element.findall("diag"):
            read(child, plain(child.findtext("name") or ""), entry)

    for chapter in ET.parse(tabular_xml()).getroot().findall("chapter"):
        read(chapter, f"chapter {chapter.findtext('name')}", None)
    _nest(found)
    return found


def _nest(found: dict[str, Entry]) -> None:
    """Blocks stand side by side in the file though V00-V99 holds V00-V09: the smallest wider
    block becomes the parent of the narrower one."""
    blocks = {
        stem: (stem[6:9], stem[-3:])
        for stem in sorted(found, key=lambda stem: stem[-3:])
        if stem.startswith("block ")
    }
    # In the order of the file: D3A stands before D37, not behind D39.
    place = {stem: i for i, stem in enumerate(s for s in found if len(s) == 3)}
    for stem, (first, last) in blocks.items():
        wider = [
            other
            for other, (low, high) in blocks.items()
            if place.get(low, 0) <= place.get(first, 0)
            and place.get(last, 0) <= place.get(high, -1)
            and (low, high) != (first, last)
        ]
        if wider:
            late_first = sorted(wider, key=lambda block: blocks[block][0], reverse=True)
            found[stem].parent = found[late_first[0]]


@cache
def complete_codes() -> dict[str, Complete]:
    """All complete codes of the list by stem, placeholders filled."""
    found: dict[str, Complete] = {}
    for stem, entry in entries().items():
        if " " in stem or entry.children:
            continue
        characters = entry.characters()
        if characters is None:
            found[stem] = Complete(stem, entry, None)
        else:
            for char, text in characters.items():
                full = stem.ljust(6, "X") + char
                if char in "DS" and stem[:3] == "S06" and stem[5:6] in ("7", "8"):
                    # Note at S06: after a death there is no further encounter.
                    continue
                found[full] = Complete(full, entry, text)
    return found


@cache
def beginnings() -> frozenset[str]:
    """All proper beginnings, of three characters or more, of complete codes."""
    return frozenset(code[:n] for code in complete_codes() for n in range(3, len(code)))


def could_be_completed(stem: str) -> bool:
    """Whether more characters, or placeholders before the last one, make a complete code."""
    if stem in complete_codes():
        return False
    if stem in beginnings():
        return True
    filled = stem[:-1].ljust(6, "X") + stem[-1:]
    return 4 <= len(stem) <= 6 and filled in complete_codes()


@cache
def under(entry_stem: str) -> tuple[Complete, ...]:
    """The complete codes at and below an entry."""
    stack = [entries()[entry_stem]]
    leaves: set[str] = set()
    while stack:
        entry = stack.pop()
        leaves.add(entry.stem)
        stack.extend(entry.children)
    return tuple(code for stem in sorted(leaves) for code in _of_leaf().get(stem, ()))


@cache
def _of_leaf() -> dict[str, list[Complete]]:
    found: dict[str, list[Complete]] = {}
    for code in complete_codes().values():
        found.setdefault(code.entry.stem, []).append(code)
    return found


@cache
def named() -> dict[str, tuple[str, ...]]:
    """Wording (title or inclusion term, as words) to the stems of the codes that bear it."""
    found: dict[str, list[str]] = {}
    for stem, entry in entries().items():
        if " " in stem:
            continue
        for text in (entry.title, *entry.inclusion):
            stems = found.setdefault(words(text), [])
            if stem not in stems:
                stems.append(stem)
    return {text: tuple(stems) for text, stems in found.items()}
