"""Reading the CDC's tabular list of ICD-10-CM (XML) into plain nodes.

The file is the one that the package simple-icd-10-cm ships. Only its data file is read: the
package itself is never imported, since importing it builds the whole classification.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from casegen.schemas.errors import TableError, shown

TABULAR_FILE = "icd10c-tabular-April-1-2026.xml"
CODE_LIST_FILE = "code-list-April-2026.txt"


@dataclass(slots=True)
class Node:
    """A chapter, block or code of the tabular list, as printed there.

    ``stem`` is the code without its dot (``S5250``), ``chapter:19`` or ``block:S50-S59``.
    ``seventh`` holds the node's own seventh characters (character -> official text); they
    apply to all leaves below unless a node between defines others. ``seventh_note`` is the
    sentence that introduces them. Notes stand in the order of the list.
    """

    stem: str
    title: str
    parent: str | None
    children: list[str] = field(default_factory=list)
    includes: tuple[str, ...] = ()
    inclusion_terms: tuple[str, ...] = ()
    excludes1: tuple[str, ...] = ()
    excludes2: tuple[str, ...] = ()
    code_first: tuple[str, ...] = ()
    use_additional: tuple[str, ...] = ()
    code_also: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seventh: dict[str, str] | None = None
    seventh_note: str = ""


# XML element -> field of Node.
_NOTE_FIELDS = {
    "includes": "includes",
    "inclusionTerm": "inclusion_terms",
    "excludes1": "excludes1",
    "excludes2": "excludes2",
    "codeFirst": "code_first",
    "useAdditionalCode": "use_additional",
    "codeAlso": "code_also",
    "notes": "notes",
}
_CODE = re.compile(r"[A-Z][0-9A-Z]{2}(?:\.[0-9A-Z]{1,4})?")
_BLOCK = re.compile(r"[A-Z][0-9A-Z]{2}(?:-[A-Z][0-9A-Z]{2})?")
_CHAPTER = re.compile(r"[1-9][0-9]?")
_TOLD = {*_NOTE_FIELDS, "sevenChrDef", "sevenChrNote"}


def tabular_path() -> Path:
    """The XML file of the tabular list; TableError if simple-icd-10-cm isn't installed."""
    return _shipped(TABULAR_FILE)


def code_list_path() -> Path:
    """The flat list of all codes that comes with the XML (used to cross-check the parse)."""
    return _shipped(CODE_LIST_FILE)


def _shipped(name: str) -> Path:
    spec = find_spec("simple_icd_10_cm")
    for place in spec.submodule_search_locations or () if spec else ():
        path = Path(place) / "data" / name
        if path.is_file():
            return path
    raise TableError(f"{name} not found: install simple-icd-10-cm in the version that casegen pins")


def parse_tabular(path: Path) -> dict[str, Node]:
    """All nodes of the tabular list by stem, in document order.

    Blocks nest by their ranges (``T20-T25`` in ``T20-T32`` in ``T07-T88``): the XML lists them
    side by side, and those that only hold other blocks have no codes of their own.
    Raises TableError for a file that can't be read or isn't a tabular list.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError, LookupError, ValueError) as error:
        # LookupError and ValueError: the file names an encoding that Python doesn't read.
        raise TableError(f"{path}: not a readable tabular list: {error}") from error
    nodes: dict[str, Node] = {}
    for chapter in root.findall("chapter"):
        number = _spelt(_required(chapter, "name", path), _CHAPTER, "number of a chapter", path)
        top = Node(f"chapter:{number}", _required(chapter, "desc", path), None)
        _add(nodes, top, path)
        for child in chapter:
            if child.tag in _TOLD:
                _read_note(child, top, path)
        open_blocks: list[Node] = []
        for section in chapter.findall("section"):
            name = section.get("id")
            if not name:
                raise TableError(f"{path}: a block of chapter {number} has no id")
            _spelt(name, _BLOCK, "name of a block such as A00-A09", path)
            while open_blocks and not _within(name, open_blocks[-1].stem[6:]):
                open_blocks.pop()
            parent = open_blocks[-1] if open_blocks else top
            block = Node(f"block:{name}", _required(section, "desc", path), parent.stem)
            _add(nodes, block, path)
            parent.children.append(block.stem)
            _read_below(section, block, nodes, path)
            if not block.children:
                open_blocks.append(block)
    if not nodes:
        raise TableError(f"{path}: no chapters: not a tabular list of ICD-10-CM")
    return nodes


def _read_code(
    element: ElementTree.Element, parent: Node, nodes: dict[str, Node], path: Path
) -> None:
    name = _spelt(_required(element, "name", path), _CODE, "code of ICD-10-CM", path)
    node = Node(name.replace(".", "").upper(), _required(element, "desc", path), parent.stem)
    _add(nodes, node, path)
    parent.children.append(node.stem)
    _read_below(element, node, nodes, path)


def _read_below(
    element: ElementTree.Element, node: Node, nodes: dict[str, Node], path: Path
) -> None:
    """The notes of a block or code and the codes below it."""
    for child in element:
        tag = child.tag
        if tag == "diag":
            _read_code(child, node, nodes, path)
        elif tag in _TOLD:
            _read_note(child, node, path)


def _read_note(element: ElementTree.Element, node: Node, path: Path) -> None:
    tag = element.tag
    if tag in _NOTE_FIELDS:
        texts = (_clean(note.text) for note in element.findall("note"))
        found = tuple(text for text in texts if text)
        setattr(node, _NOTE_FIELDS[tag], getattr(node, _NOTE_FIELDS[tag]) + found)
    elif tag == "sevenChrDef":
        # <note> elements in between gloss the extension before them; they are no texts
        # of seventh characters themselves.
        node.seventh = {}
        for extension in element.findall("extension"):
            char = (extension.get("char") or "").strip().upper()
            text = _clean(extension.text)
            if len(char) != 1 or not text:
                raise TableError(f"{path}: {node.stem}: unreadable seventh character {char!r}")
            node.seventh[char] = text
    elif tag == "sevenChrNote":
        node.seventh_note = " ".join(_clean(note.text) for note in element.findall("note"))


def _add(nodes: dict[str, Node], node: Node, path: Path) -> None:
    if node.stem in nodes:
        raise TableError(f"{path}: {node.stem} stands there twice")
    nodes[node.stem] = node


def _within(inner: str, outer: str) -> bool:
    low, _, high = inner.partition("-")
    outer_low, _, outer_high = outer.partition("-")
    return outer_low <= low and (high or low) <= (outer_high or outer_low)


def _spelt(text: str, form: re.Pattern[str], what: str, path: Path) -> str:
    """The text, if it is written as the list writes such. Raises TableError."""
    if not form.fullmatch(text):
        raise TableError(f"{path}: {shown(text)} is no {what}")
    return text


def _required(element: ElementTree.Element, tag: str, path: Path) -> str:
    text = _clean(element.findtext(tag))
    if not text:
        raise TableError(f"{path}: <{element.tag}> without <{tag}>")
    return text


def _clean(text: str | None) -> str:
    return " ".join(text.split()) if text else ""
