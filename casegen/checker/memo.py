"""What the checker remembers of the tables between claims.

The memo holds answers of the tables in the shape that the rules ask for, so that a clean
claim costs a few dictionary look-ups. It is bounded: what wasn't asked for of late is let go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from casegen.schemas import Authority
from casegen.schemas import authority as sources
from casegen.seeds.editions import editions_of
from casegen.seeds.icd10cm.codes import canonical
from casegen.seeds.icd10cm.resolve import resolve

from .notes import strongest

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.conflicts import ExcludesHit
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Service, Services

K = TypeVar("K")
V = TypeVar("V")
# A wording, or a wording and its attributes as pairs of name and value.
Wording = str | tuple[Any, ...]

ICD = "ICD-10-CM"
# Answers of one generation: with two of them a part of the memo is full (some 2 MB) after
# about 3,000 claims, and most of what is asked for again is still there.
SIZE = 3_000
NONE: frozenset[str] = frozenset()
_PLACED = ("O", "N18", "I50", "R65.2")
NEVER = "~"  # sorts after every ISO date

# Flags of a code or wording: it may take part in a link that the guidelines assume.
HYPERTENSION, DIABETES, KIDNEY, HEART, COMPLICATION = 1, 2, 4, 8, 16


class Latest(dict[K, V]):
    """The latest answers, at most twice ``size``; one that isn't there is worked out.

    Answers are let go by generations: those that nobody asked for while ``size`` others were
    remembered. So common ones stay and a look-up keeps no order of use. Ask as ``latest[key]``.
    """

    __slots__ = ("_before", "_size", "_work_out")

    def __init__(self, work_out: Callable[[K], V], size: int = SIZE) -> None:
        super().__init__()
        self._work_out = work_out
        self._size = size
        self._before: dict[K, V] = {}

    def __missing__(self, key: K) -> V:
        before = self._before
        value = before[key] if key in before else self._work_out(key)
        if len(self) >= self._size:
            self._before = dict(self)
            self.clear()
        self[key] = value
        return value


@dataclass(slots=True)
class Icd:
    """One ICD-10-CM code, canonical. ``lo``..``hi`` is the last period found valid; ``bit``
    and ``mask`` tell its category and those with which an Excludes1 note could tie it;
    ``flags``: the links in ``facts`` that it may take part in.
    ``misspelled``: claimed with a dot in another place than the code has it. ``sex``, ``age``
    and ``limited`` (it has one of them) tell what it means, once it was found valid; ``dated``:
    it has dated rows and so perhaps edits, None until asked; ``ordered``: its place among the
    diagnoses may matter (see ``order``)."""

    code: str
    stem: str
    head: str
    bit: int
    mask: int
    flags: int
    misspelled: bool
    lo: str = NEVER
    hi: str = ""
    sex: tuple[str, str] | None = None
    age: tuple[int, int, str] | None = None
    limited: bool = False
    dated: bool | None = None
    ordered: bool = False


@dataclass(slots=True)
class Svc:
    """One service of our list. ``em``: modifier 25 belongs on it; ``limited``: bound to a sex
    or an age; ``partners``: all services that ever formed an NCCI pair with it."""

    code: str
    service: Service
    em: bool
    limited: bool
    mue: int | None
    primaries: tuple[str, ...]
    partners: frozenset[str]


@dataclass(slots=True)
class Unsettled:
    """A wording that names several codes or none. ``flags``: those of all its codes."""

    codes: tuple[str, ...]
    flags: int


@dataclass(slots=True)
class Tied:
    """The strongest Excludes1 note between two codes, and how it is cited."""

    hit: ExcludesHit
    authority: Authority


def link_flags(codes: tuple[str, ...]) -> int:
    """Which sides of the links in ``facts`` the codes could stand on."""
    flags = 0
    for code in codes:
        head = code[:3]
        if code == "I10":
            flags |= HYPERTENSION
        elif head in ("E10", "E11"):
            flags |= DIABETES
        elif head == "N18":
            flags |= KIDNEY
        elif head in ("I50", "I51"):
            flags |= HEART
        elif head in COMPLICATED:
            flags |= COMPLICATION
    return flags


# Categories that hold a condition which the titles under E10 and E11 name ("with diabetic
# cataract", "with hyperglycemia", ...); the codes themselves stand in ``facts``.
COMPLICATED = frozenset(
    [
        *("E16", "G58", "G60", "G62", "H25", "H26", "H35", "I70"),
        *("I73", "I96", "K05", "K31", "L97", "L98", "M14", "R73"),
    ]
)


def wording_of(term: str, attributes: dict[str, str]) -> Wording:
    """The key of a fact's wording in ``Memo.facts``."""
    return (term, *attributes.items()) if attributes else term


class Memo:
    """Answers of one pair of tables.

    ``icd``: a code as claimed -> the code read as ICD-10-CM, valid or not; ``svc``: a code ->
    the service of our list, or None; ``label``: a plain label -> the code of its service, or
    None; ``facts``: a wording -> the one code that it names, else all; ``tied``: two canonical
    codes -> the Excludes1 note to cite, in either direction, or None where none reaches.
    """

    __slots__ = (
        "_sexed", "editions", "facts", "icd", "label", "services", "svc", "tables", "tied",
    )  # fmt: skip

    def __init__(self, tables: Tables, services: Services) -> None:
        self.tables = tables
        self.services = services
        self.editions = editions_of(tables, services)
        # The categories with a code that means a sex; most codes stand outside.
        self._sexed = frozenset(stem[:3] for stem in tables.store.meaning["sex"])
        self.icd: Latest[str, Icd] = Latest(self._icd)
        self.svc: Latest[str, Svc | None] = Latest(self._svc)
        self.label: Latest[str, str | None] = Latest(self._label)
        self.facts: Latest[Wording, Icd | Unsettled] = Latest(self._named)
        self.tied: Latest[tuple[str, str], Tied | None] = Latest(self._tied)

    def _icd(self, raw: str) -> Icd:
        code = canonical(raw)
        bit, mask = self.tables.tie(code)
        odd = raw != code and "." in raw and "".join(raw.split()).upper() != code
        flags = link_flags((code,))
        return Icd(code, code.replace(".", ""), code[:3], bit, mask, flags, odd)

    def valid(self, info: Icd, on: str) -> bool:
        """True if the code is complete and valid on the ISO date ``on``."""
        if info.lo <= on <= info.hi:
            return True
        tables = self.tables
        period = tables.period(info.code, on)
        if period is None:
            return False
        if info.lo == NEVER:
            if info.head in self._sexed:
                info.sex = tables.sex_by_meaning(info.code)
            info.age = tables.age_by_meaning(info.code)
            info.limited = info.sex is not None or info.age is not None
            info.ordered = (
                info.code.startswith(_PLACED)
                or "T36" <= info.head <= "T50"
                or "manifestation" in self.edits(info, on)
            )
        info.lo, info.hi = period
        return True

    def edits(self, info: Icd, on: str) -> frozenset[str]:
        """The edits of the Medicare Code Editor for the code on the ISO date ``on``."""
        if info.dated is None:
            info.dated = self.tables.store.history(info.stem) != ()
        return self.tables.edits(info.code, on) if info.dated else NONE

    def _svc(self, raw: str) -> Svc | None:
        code = service_code(raw)
        service = self.services.get(code)
        if service is None:
            return None
        lo, hi = service.age
        return Svc(
            code,
            service,
            service.takes_25,
            service.sex in ("female", "male") or lo > 0 or hi < 110,
            self.services.mue(code),
            self.services.primaries(code),
            frozenset(self.services.partners(code)),
        )

    def _label(self, term: str) -> str | None:
        service = self.services.by_label(term)
        return None if service is None else service.code

    def _named(self, wording: Wording) -> Icd | Unsettled:
        # Not ``Tables.resolve``, which would remember the same once more.
        store = self.tables.store
        if isinstance(wording, str):
            stems = resolve(store, wording, {})
        else:
            stems = resolve(store, wording[0], dict(wording[1:]))
        if len(stems) == 1:
            return self.icd[canonical(stems[0])]
        codes = tuple(map(canonical, stems))
        return Unsettled(codes, link_flags(codes))

    def only(self, term: str, attributes: dict[str, str]) -> Icd | None:
        """The one code that a wording with these attributes names, if it is one."""
        named = self.facts[wording_of(term, attributes)]
        return named if isinstance(named, Icd) else None

    def codes_of(self, term: str, attributes: dict[str, str]) -> tuple[str, ...]:
        """All codes that a wording with these attributes names."""
        named = self.facts[wording_of(term, attributes)]
        return (named.code,) if isinstance(named, Icd) else named.codes

    def _tied(self, pair: tuple[str, str]) -> Tied | None:
        hit = strongest(tuple(self.tables.excludes1(*pair)))
        return (
            None if hit is None else Tied(hit, sources.tabular_excludes1(hit.stands_on, hit.note))
        )


_last: Memo | None = None


def memo_of(tables: Tables, services: Services) -> Memo:
    """The memo of these tables; kept until other tables are used."""
    global _last
    memo = _last
    if memo is None or memo.tables is not tables or memo.services is not services:
        memo = _last = Memo(tables, services)
    return memo


def service_code(raw: str) -> str:
    """A CPT or HCPCS code in capitals without surrounding white space."""
    return raw.strip().upper()
