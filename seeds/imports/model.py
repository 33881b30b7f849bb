"""What a set of imported tables is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

# In the order in which they are told of.
KINDS = ("icd10cm", "mce", "ncci", "mue", "cpt")
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


def manifest_from(data: Any) -> Manifest:
    """The inverse of ``as_dict``. Raises ValueError, KeyError or TypeError for anything else."""
    if data["made_by"] != MADE_BY or data["format"] != FORMAT:
        raise ValueError("not of this format")
    parts = {}
    for kind, row in data["parts"].items():
        if kind not in KINDS:
            raise ValueError(f"unknown kind {kind!r}")
        sources = tuple(SourceFile(**one) for one in row.pop("sources"))
        files = {name: Stored(**one) for name, one in row.pop("files").items()}
        parts[kind] = Part(sources=sources, files=files, **row)
    return Manifest(data["name"], parts)


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
