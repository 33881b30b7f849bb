"""A named set, ready to be asked: its tables where it has them, the bundled ones elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from casegen.schemas import InputError, TableError

from .. import services as service_tables
from ..icd10cm import cache, tables
from ..icd10cm.compile import compile_tables
from ..icd10cm.store import Store
from ..icd10cm.tables import Tables
from ..icd10cm.xml import tabular_path
from ..services import Services
from . import icd10cm, ncci, ptp
from .folders import damaged, file_of, home, need
from .model import KINDS, Manifest, Part, Taken
from .services import ImportedServices

SHORT = 12  # characters of a set's digest in the recipe of a case


class NamedTables(Tables):
    """The tables of a set; ``name`` and ``digest`` are those of the whole set."""

    def __init__(self, store: Store, name: str, digest: str) -> None:
        super().__init__(store)
        self.name = name
        self._digest = digest

    @property
    def digest(self) -> str:
        """SHA-256 of the set: of what each of its parts holds, and of the bundled tables that
        stand for those that it lacks."""
        return self._digest


@dataclass(frozen=True, slots=True)
class TableSet:
    """A set in use. ``descriptors`` are the user's own CPT texts by code."""

    manifest: Manifest
    tables: Tables
    services: Services
    descriptors: Mapping[str, str] = field(hash=False)

    @property
    def recipe(self) -> str:
        """Name and digest as they stand in the options of a case: ``2025@0123456789ab``."""
        return f"{self.tables.name}@{self.tables.digest[:SHORT]}"


def load(name: str) -> TableSet:
    """The set of that name. ``name@digest`` asks for that very content. Raises InputError where
    there is none, or another, and TableError for damaged files."""
    plain, _, wanted = name.partition("@")
    manifest = need(plain)
    text = json.dumps([str(home()), manifest.as_dict()], sort_keys=True)
    found = _load(plain, text, _Kept(manifest))
    have = found.tables.digest
    if wanted and have[:SHORT] != wanted:
        raise InputError(
            "tables", name, f"the set {plain} here holds something else ({found.recipe}): import "
            "the same files, or generate anew with what is here"
        )  # fmt: skip
    return found


class _Kept:
    """Carries a manifest past the memory of ``_load``, whose key is its text."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)
def _load(name: str, text: str, kept: _Kept) -> TableSet:
    parts = kept.manifest.parts
    services = _services(name, parts)
    store = _store(name, parts)
    digest = _digest(parts, store, services)
    found = NamedTables(store, name, digest)
    if "icd10cm" in parts:
        found.release = parts["icd10cm"].edition
        found.window = (parts["icd10cm"].facts["first"], parts["icd10cm"].facts["last"])
    if "mce" in parts:
        found.cited = (parts["mce"].edition, parts["mce"].facts["dates"])
    texts = _json(file_of(name, parts["cpt"], "texts")) if "cpt" in parts else {}
    return TableSet(kept.manifest, found, services, texts)


def _services(name: str, parts: Mapping[str, Part]) -> Services:
    base = service_tables.load()
    if "ncci" not in parts and "mue" not in parts:
        return base
    ncci, mue = parts.get("ncci"), parts.get("mue")
    return ImportedServices(
        base,
        None if ncci is None else ptp_of(name, ncci),
        base.edition if ncci is None else ncci.edition,
        None if mue is None else _json(file_of(name, mue, "units")),
        base.mue_edition if mue is None else mue.edition,
        base.digest,
        "" if ncci is None else _lacking(ncci),
    )


def _lacking(part: Part) -> str:
    """What to say where the pairs of a set are fewer than the bundled ones: such as a part of a
    quarter, which stands in the place of the whole bundled table."""
    ours, bundled = (int(part.facts.get(name, 0)) for name in ("ours", "bundled"))
    if ours >= bundled:
        return ""
    return (
        f"NCCI pairs beyond those of the imported {part.edition}: active among casegen's services "
        f"it holds {ours:,}, the bundled table {bundled:,}"
    )


def ptp_of(name: str, part: Part) -> ptp.PtpTable:
    """The pairs of a set, mapped. Raises TableError."""
    paths = {role: file_of(name, part, role) for role in ptp.ROLES}
    return ptp.load(paths, _json(file_of(name, part, "rationales")))


def _store(name: str, parts: Mapping[str, Part]) -> Store:
    """The compiled tables, kept beside the set's files, or the bundled ones."""
    if "icd10cm" not in parts and "mce" not in parts:
        return tables.load().store
    digest = sha256("".join(parts[k].digest for k in ("icd10cm", "mce") if k in parts).encode())

    def build() -> dict[str, bytes]:
        return compile_tables(*ingredients(name, parts))

    kept = f"compiled-{digest.hexdigest()[:SHORT]}"
    return Store(cache.load_or_build(kept, home() / name, build))


def ingredients(name: str, parts: Mapping[str, Part]) -> tuple[Path | None, bytes, str]:
    """Tabular list, dated rows and day of release, as ``compile_tables`` takes them."""
    edits = edits_of(name, parts) or icd10cm.base_edits()
    list_ = parts.get("icd10cm")
    if list_ is None:
        return None, edits, tables.Tables.window[0]
    dates = file_of(name, list_, "dates").read_bytes()
    tabular = file_of(name, list_, "tabular")
    return tabular, icd10cm.with_dates(edits, dates), list_.effective


def edits_of(name: str, parts: Mapping[str, Part]) -> bytes | None:
    """The dated rows that the set holds, None if it holds none."""
    return file_of(name, parts["mce"], "rows").read_bytes() if "mce" in parts else None


def _digest(parts: Mapping[str, Part], store: Store, services: Services) -> str:
    lines = [f"tables {store.about['digest']}", f"services {services.digest}"]
    # Descriptors are shown and never enter a case.
    for kind in KINDS:
        if kind in parts and kind != "cpt":
            lines.append(f"{kind} {parts[kind].digest} {parts[kind].edition}")
    return sha256("\n".join(lines).encode()).hexdigest()


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise TableError(f"{path}: damaged: {error}; import the files again") from error


def with_pairs(name: str, part: Part, new: Taken) -> Taken:
    """The pairs that a set holds and new ones of the same quarter as one table. Raises
    InputError where the quarters differ."""
    columns = {role: np.load(file_of(name, part, role)) for role in ptp.ROLES}
    return ncci.joined(columns, _json(file_of(name, part, "rationales")), part, new)


def sound(manifest: Manifest) -> dict[str, Part]:
    """The parts of a set whose files are whole."""
    parts = manifest.parts.items()
    return {kind: part for kind, part in parts if not damaged(manifest.name, part)}


def in_place_of(new: Taken, old: Manifest) -> Taken:
    """The new part, with a remark on what a damaged part of its kind held besides: pairs may
    have come from more files than those given now."""
    part = old.parts.get(new.kind)
    if part is None:
        return new
    given = {one.sha256 for one in new.sources}
    others = [one.file for one in part.sources if one.sha256 not in given]
    told = "the damaged files are replaced"
    if others:
        told += f"; what came from {', '.join(others)} is gone until they are imported again"
    return replace(new, remarks=(*new.remarks, told))


def same(part: Part, new: Taken) -> bool:
    """Whether both hold the same. Of one tabular list of one day the dates that an import adds
    may differ, by the dated rows that stood beside it; the new ones then hold."""
    if part.digest == new.digest:
        return True
    if new.kind != "icd10cm" or part.effective != new.effective:
        return False
    content = sha256(new.data["tabular"][1]).hexdigest()
    return part.files[part.stored["tabular"]].sha256 == content


def check_together(taken: Taken, old: Manifest | None) -> Taken:
    """What was taken, with a remark on codes that dated rows call valid and the list of the set
    lacks. Raises InputError where list and rows contradict each other more than that, such as a
    listed code of which no row is valid on the day of the release."""
    parts = old.parts if old else {}
    if taken.kind == "mce":
        edits = taken.data["rows"][1]
        if old is None or "icd10cm" not in parts:
            path, when, dates = tabular_path(), tables.Tables.window[0], b""
        else:
            list_ = parts["icd10cm"]
            path, when = file_of(old.name, list_, "tabular"), list_.effective
            dates = file_of(old.name, list_, "dates").read_bytes()
        content = path.read_bytes()
    elif old is None or "mce" not in parts:
        return taken  # compiled with the bundled rows already
    else:
        edits = edits_of(old.name, parts) or b""
        content, when, dates = taken.data["tabular"][1], taken.effective, taken.data["dates"][1]
    rows = icd10cm.with_dates(edits, dates)
    both = icd10cm.compiled(content, rows, when, taken.sources[0].file)
    told = [one for one in icd10cm.unlisted(both, when) if one not in taken.remarks]
    return replace(taken, remarks=(*taken.remarks, *told))
