"""What a set of imported tables is made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from casegen.schemas import InputError

# In the order in which they are told of.
KINDS = ("icd10cm", "mce", "ncci", "mue", "cpt")
# What readers of a kind ask for: files by their role, and facts.
ROLES: Mapping[str, tuple[str, ...]] = {
    "icd10cm": ("tabular", "dates"),
    "mce": ("rows",),
    "ncci": ("keys", "since", "until", "marks", "reasons", "back", "rationales"),
    "mue": ("units",),
    "cpt": ("texts",),
}
FACTS: Mapping[str, tuple[str, ...]] = {"icd10cm": ("first", "last"), "mce": ("dates",)}
FILE = re.compile(rf"(?:{'|'.join(KINDS)})-[a-z]+-[0-9a-f]{{12}}\.[a-z]+")
_TEXTS = ("edition", "effective", "digest")
_SOURCE = ("file", "sha256")
FORMAT = 1  # of manifest.json and of the files that it names
MADE_BY = "casegen import"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that a user gave: its name without folders, and the SHA-256 of what it holds."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that an import wrote: size in bytes and SHA-256."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of table in a set.

    ``edition`` is what findings cite ("NCCI 2024Q3"), ``effective`` the ISO date from which the
    table holds ("" where the files don't tell). ``digest`` is the SHA-256 of the content as
    read, whatever the files were called or how they were packed. ``counts`` tell what was taken
    and what refused, ``stored`` maps a role ("keys") to the name of a file in the set's folder,
    whose size and digest ``files`` holds. ``facts`` is what else a reader of the kind needs.
    """

    edition: str
    effective: str
    digest: str
    counts: Mapping[str, int]
    sources: tuple[SourceFile, ...]
    stored: Mapping[str, str]
    files: Mapping[str, Stored]
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A named set: its parts by kind."""

    name: str
    parts: Mapping[str, Part]

    def as_dict(self) -> dict[str, Any]:
        """As it stands in manifest.json."""
        parts = {kind: asdict(self.parts[kind]) for kind in KINDS if kind in self.parts}
        return {"made_by": MADE_BY, "format": FORMAT, "name": self.name, "parts": parts}


def manifest_from(data: Any, name: str) -> Manifest:
    """The inverse of ``as_dict``, of the set in the folder ``name``: a copied folder is a set of
    its own. Raises ValueError, which says what is wrong, for anything else."""
    if data_of(data, dict, "manifest").get("made_by") != MADE_BY or data.get("format") != FORMAT:
        raise ValueError("not of this format")
    parts = {}
    for kind, row in data_of(data.get("parts"), dict, "parts").items():
        if kind not in KINDS:
            raise ValueError(f"unknown kind {kind!r}")
        parts[kind] = _part_from(data_of(row, dict, kind), kind)
    return Manifest(name, parts)


def data_of(value: Any, kind: type, where: str) -> Any:
    """The value, if it is of the type. Raises ValueError."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{where} is no {kind.__name__}")
    return value


def _part_from(row: Mapping[str, Any], kind: str) -> Part:
    """One part; every file that its readers ask for is there, under a name of our own."""
    text = {name: data_of(row.get(name), str, f"{kind}.{name}") for name in _TEXTS}
    stored = _mapping(row.get("stored"), str, f"{kind}.stored")
    facts = _mapping(row.get("facts"), str, f"{kind}.facts")
    files = {}
    for name, one in _mapping(row.get("files"), dict, f"{kind}.files").items():
        if not FILE.fullmatch(name):
            raise ValueError(f"{kind}.files: {name!r} is no file of an import")
        size = data_of(one.get("bytes"), int, f"{kind}.files.bytes")
        files[name] = Stored(size, data_of(one.get("sha256"), str, f"{kind}.files.sha256"))
    for role in ROLES[kind]:
        if stored.get(role) not in files:
            raise ValueError(f"{kind}.stored.{role} names none of the files")
    for fact in FACTS.get(kind, ()):
        data_of(facts.get(fact), str, f"{kind}.facts.{fact}")
    sources = []
    for one in data_of(row.get("sources"), list, f"{kind}.sources"):
        told = _mapping(one, str, f"{kind}.sources")
        sources.append(SourceFile(*(data_of(told.get(n), str, "sources") for n in _SOURCE)))
    return Part(
        **text, counts=_mapping(row.get("counts"), int, f"{kind}.counts"), stored=stored,
        sources=tuple(sources), files=files, facts=facts,
    )  # fmt: skip


def _mapping(value: Any, kind: type, where: str) -> dict[str, Any]:
    found = data_of(value, dict, where)
    return {name: data_of(one, kind, f"{where}.{name}") for name, one in found.items()}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that was not taken."""

    file: str
    line: int
    reason: str


MOST_REFUSALS = 20  # told one by one; the rest is counted


@dataclass(slots=True)
class Refusals:
    """Counts refused lines and remembers the first of them."""

    count: int = 0
    first: list[Refusal] = field(default_factory=list)

    def add(self, file: str, line: int, reason: str) -> None:
        """One line of ``file`` (from 1) was refused."""
        self.count += 1
        if len(self.first) < MOST_REFUSALS:
            self.first.append(Refusal(file, line, reason))

    def error(self, field: str, value: object, mend: str, file: str) -> InputError:
        """What is wrong with a file of which too little can be taken, with its first refusal."""
        first = next((one for one in self.first if one.file == file), None)
        if first is None:
            return InputError(field, value, mend, path=file)
        told = f"{mend}; first: {first.reason}"
        return InputError(field, value, told, path=file, line=first.line)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a reader made of the files: the part without its files, and what to write.

    ``data`` maps a role to file ending and bytes-like content. ``remarks`` are sentences for
    the user. ``release`` is a name for a set that holds only this.
    """

    kind: str
    edition: str
    effective: str
    digest: str
    counts: Mapping[str, int]
    sources: tuple[SourceFile, ...]
    data: Mapping[str, tuple[str, Any]]
    release: str
    facts: Mapping[str, str] = field(default_factory=dict)
    refusals: Refusals = field(default_factory=Refusals)
    remarks: tuple[str, ...] = ()
