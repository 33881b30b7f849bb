"""ICD-10-CM of April 2026, ready to be asked.

Every method takes codes in any spelling (``e119``, `` E11.9``) and returns them as printed
(``E11.9``). Titles, notes and seventh characters are those of the CDC's tabular list; dates
and edits those of the Medicare Code Editor. Nothing here knows charts or claims.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Literal

from casegen.schemas.authority import DATES_EDITION, MCE_EDITION
from casegen.schemas.errors import InputError

from . import cache
from .codes import canonical, stem
from .conflicts import EXCLUDES1, EXCLUDES2, TOGETHER, Conflicts, ExcludesHit, TabularNote
from .entries import Entry, look_up
from .memo import Memo
from .note_access import NoteAccess
from .resolve import resolve
from .sevenths import Seventh, side_of
from .store import SIDES, Store
from .tail import TailCode
from .terms import is_term
from .validity import ALWAYS, Status, merge, status

__all__ = ["ExcludesHit", "Seventh", "TabularNote", "Tables", "TailCode", "load"]

# Answers that are remembered: those on one case's codes are asked for again and again, those
# on other cases' hardly ever.
_CODES = 4_096
_PAIRS = 1_024
_WORDINGS = 2_048
_NO_ATTRIBUTES: tuple[tuple[str, str], ...] = ()

Pair = tuple[str, str]


class Tables(NoteAccess):
    """The compiled tables, ``store`` the raw ones. Get them from ``load``; they are shared."""

    name = "icd10cm-2026-04"
    release = "ICD-10-CM April 2026"
    window = ("2026-04-01", "2026-09-30")  # first and last day on which the release holds
    cited = (MCE_EDITION, DATES_EDITION)  # by findings on edits and on dates of validity

    def __init__(self, sections: Mapping[str, bytes] | Store) -> None:
        self.store = sections if isinstance(sections, Store) else Store(sections)
        self._conflicts = Conflicts(self.store)
        self._entries: Memo[str, Entry] = Memo(_CODES)
        self._siblings: Memo[str, dict[str, str]] = Memo(_PAIRS)
        self._excludes1: Memo[Pair, tuple[ExcludesHit, ...]] = Memo(_PAIRS)
        self._excludes2: Memo[Pair, tuple[ExcludesHit, ...]] = Memo(_PAIRS)
        self._together: Memo[Pair, tuple[TabularNote, ...]] = Memo(_PAIRS)
        self._resolved: Memo[tuple[str, tuple[Pair, ...]], tuple[str, ...]] = Memo(_WORDINGS)

    def _entry(self, code: str) -> Entry:
        entry = self._entries.get(code)
        return entry or self._entries.keep(code, look_up(self.store, code))

    def _known(self, code: str) -> Entry:
        entry = self._entry(code)
        if entry.node < 0:
            raise InputError("code", code, f"not in {self.release}")
        return entry

    # What a code is

    @property
    def digest(self) -> str:
        """SHA-256 of the source data (tabular XML and edits), the same on every machine."""
        digest: str = self.store.about["digest"]
        return digest

    def billable_count(self) -> int:
        """How many complete codes the April 2026 list has."""
        count: int = self.store.about["billable"]
        return count

    def title(self, code: str) -> str:
        """The official title; of a code with a seventh character ``<title>, <its text>``.

        Raises InputError for a code that the list doesn't have.
        """
        entry = self._known(code)
        title = self.store.titles[entry.node]
        return f"{title}, {entry.seventh.text}" if entry.seventh else title

    def exists(self, code: str) -> bool:
        """Whether the list has the code, complete or not (also a block or chapter id)."""
        return self._entry(code).node >= 0

    def billable(self, code: str) -> bool:
        """Whether it's a complete code of the April 2026 list."""
        return self._entry(code).billable

    def status(self, code: str, on: str) -> Status:
        """What the code is worth on a date (ISO).

        ``valid``; ``incomplete``: characters or placeholders are missing (E11, S72.001, W19.A);
        ``retired``: it ended before the date (M54.5, though a mere parent today);
        ``not_yet_valid``: it starts later; ``unknown``: never was a code.
        """
        entry = self._entry(code)
        if entry.always and on >= ALWAYS[0]:
            return "valid"
        return status(self.store, entry, on)

    def validity(self, code: str) -> tuple[tuple[str, str], ...]:
        """Periods (from, to) of validity, both days included; () if it never was complete.

        The data cover 2015-10-01 to 2027-03-31; an end on the last of these days is open.
        """
        entry = self._entry(code)
        if entry.history:
            return merge(entry.history)
        return (ALWAYS,) if entry.billable else ()

    def period(self, code: str, on: str) -> tuple[str, str] | None:
        """The period (from, to) of a complete code's validity that holds ``on``, None for none."""
        entry = self._entry(code)
        if entry.always:
            return ALWAYS if on >= ALWAYS[0] else None
        if status(self.store, entry, on) != "valid":
            return None
        return next((p for p in self.validity(code) if p[0] <= on <= p[1]), (on, on))

    def tie(self, code: str) -> tuple[int, int]:
        """The bit of the code's category, and the bits of all categories with which an
        Excludes1 note could tie it; codes whose bits don't meet have no note between them."""
        ties = self.store.ties
        head = code[:3]
        return ties["bits"].get(head, 0), ties["masks"].get(head, 0)

    def edits(self, code: str, on: str) -> frozenset[str]:
        """MCE edits of the code on a date: newborn, pediatric, maternity, adult, female, male,
        manifestation, unacceptable ..."""
        for start, end, edits in self._entry(code).history:
            if start <= on <= end:
                return _names(edits)
        return frozenset()

    def historic_sex(self, code: str) -> Literal["female", "male"] | None:
        """The sex of which the MCE ever had an edit for the code (ended 2024-09-30)."""
        found: set[Literal["female", "male"]] = set()
        for _, _, edits in self._entry(code).history:
            names = _names(edits)
            if "female" in names:
                found.add("female")
            if "male" in names:
                found.add("male")
        return found.pop() if len(found) == 1 else None

    def sex_by_meaning(self, code: str) -> tuple[str, str] | None:
        """``("female", "chapter 15, Pregnancy, childbirth and the puerperium")`` where the
        meaning of the code leaves no other sex, with the title that says so."""
        entry = self._entry(code)
        if entry.node < 0:
            return None
        found: tuple[str, str] | None = self.store.meaning["sex"].get(entry.leaf)
        return found

    def age_by_meaning(self, code: str) -> tuple[int, int, str] | None:
        """``(min_years, max_years, words)`` where the title clearly says newborn, child or
        adult (data/age_meaning.csv gives the reasons)."""
        ages = self.store.meaning["age"]
        if code[:3] not in self._aged:
            return None
        for name in self._entry(code).line:
            found: tuple[int, int, str] | None = ages.get(name)
            if found is not None:
                return found
        return None

    @cached_property
    def _aged(self) -> frozenset[str]:
        """The categories below which a code means an age."""
        heads: set[str] = set()
        for name in self.store.meaning["age"]:
            node = self.store.index[name]
            inside = range(node, self.store.ends[node])
            heads.update(self.store.stems[n][:3] for n in inside)
        return frozenset(heads)

    # Where it stands

    def parent(self, code: str) -> str | None:
        """The code, block or chapter id above; None above a chapter."""
        line = self.ancestors(code)
        return line[1] if len(line) > 1 else None

    def children(self, code: str) -> tuple[str, ...]:
        """Codes (or block ids) directly below; of a leaf, its codes with seventh character."""
        entry = self._known(code)
        store = self.store
        if len(entry.line) > len(entry.nodes):
            return ()
        found = []
        child = entry.node + 1
        while child < store.ends[entry.node]:
            found.append(_printed(store.stems[child]))
            child = store.ends[child]
        if not found:
            found = [self.complete(code, char) for char in store.sevenths(entry.node)]
        return tuple(found)

    def ancestors(self, code: str) -> tuple[str, ...]:
        """From the code itself up: codes to the category, then blocks (``block:S50-S59``, the
        inner first) and the chapter (``chapter:19``). Raises InputError for unknown codes."""
        return self._known(code).printed

    def chapter(self, code: str) -> int:
        """Number of the chapter, 1 to 22."""
        return int(self._known(code).line[-1].partition(":")[2])

    def block(self, code: str) -> str:
        """Id of the innermost block, ``S50-S59``; ``""`` for a chapter."""
        for name in self._known(code).line:
            if name.startswith("block:"):
                return name[6:]
        return ""

    # Sides and seventh characters

    def laterality(self, code: str) -> str | None:
        """right, left, bilateral or unspecified; None for a code without side."""
        return self._entry(code).side

    def side_siblings(self, code: str) -> dict[str, str]:
        """Side -> the code that differs by side alone, itself included; the seventh character
        stays. {} for a code without side."""
        found = self._siblings.get(code)
        if found is None:
            found = self._siblings.keep(code, self._side_siblings(self._entry(code)))
        return dict(found)

    def _side_siblings(self, entry: Entry) -> dict[str, str]:
        if entry.node < 0:
            return {}
        store = self.store
        if entry.seventh and side_of(entry.seventh.text):
            return {
                side: self.complete(entry.code, char)
                for char, one in store.sevenths(entry.node).items()
                if (side := side_of(one.text))
            }
        found = {}
        for side, node in zip(SIDES[1:], store.groups.get(entry.node, ()), strict=False):
            if side and node >= 0:
                name = store.stems[node]
                if entry.char:
                    name = name.ljust(6, "X") + entry.char
                if not entry.char or self._entry(canonical(name)).node >= 0:
                    found[side] = canonical(name)
        return found

    def seventh(self, code: str) -> Seventh | None:
        """What the seventh character of a complete code says; None for codes without."""
        return self._entry(code).seventh

    def sevenths(self, code: str) -> dict[str, Seventh]:
        """All seventh characters that the leaf of the code may take, {} for none."""
        entry = self._entry(code)
        return dict(self.store.sevenths(entry.node)) if entry.node >= 0 else {}

    def complete(self, base: str, char: str) -> str:
        """Base and seventh character with placeholders: ``W21.89``, ``A`` -> ``W21.89XA``.

        A base that has a seventh character already gets the new one. Raises InputError unless
        the result is a code.
        """
        entry = self._entry(base)
        name = self.store.stems[entry.node] if entry.node >= 0 else stem(base)
        code = canonical(name.ljust(6, "X")[:6] + char)
        if not self._entry(code).char:
            raise InputError("code", base, f"takes no seventh character {char!r}")
        return code

    # Notes

    def notes_of(self, code: str) -> list[TabularNote]:
        """All notes that hold for the code, its own first, then those inherited."""
        return self._conflicts.notes(self._known(code).nodes)

    def excludes1(self, a: str, b: str) -> tuple[ExcludesHit, ...]:
        """Excludes1 notes between two codes, own and inherited, in both directions; the most
        specific first. () for unknown codes."""
        if not self._conflicts.tied(a[:3], b[:3]):
            return ()
        found = self._excludes1.get((a, b))
        if found is None:
            found = self._excludes1.keep((a, b), self._excludes(a, b, EXCLUDES1))
        return found

    def kept_apart(self, a: str, b: str) -> bool:
        """Whether ``excludes1`` finds any note between two codes, whatever its words; cheaper,
        since nobody reads them."""
        if not self._conflicts.tied(a[:3], b[:3]):
            return False
        one, other = self._entry(a), self._entry(b)
        if one.node < 0 or other.node < 0 or one.stem == other.stem:
            return False
        return self._conflicts.any_excludes(one, other, EXCLUDES1)

    def excludes2(self, a: str, b: str) -> tuple[ExcludesHit, ...]:
        """The same for Excludes2: both may be coded together."""
        found = self._excludes2.get((a, b))
        if found is None:
            found = self._excludes2.keep((a, b), self._excludes(a, b, EXCLUDES2))
        return found

    def _excludes(self, a: str, b: str, kinds: frozenset[int]) -> tuple[ExcludesHit, ...]:
        one, other = self._entry(a), self._entry(b)
        if one.node < 0 or other.node < 0 or one.stem == other.stem:
            return ()
        return self._conflicts.excludes(one, other, kinds)

    def code_also(self, a: str, b: str) -> tuple[TabularNote, ...]:
        """Notes of one code (code also, use additional code, code first) that name the other."""
        found = self._together.get((a, b))
        if found is None:
            one, other = self._entry(a), self._entry(b)
            found = ()
            if one.node >= 0 and other.node >= 0:
                found = self._conflicts.together(one, other, TOGETHER)
            self._together.keep((a, b), found)
        return found

    # Wordings

    def resolve(self, term: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
        """The complete codes that an official wording names, sorted; one means certain.

        ``term``: a title or an inclusion term, whatever its case and punctuation; it names the
        codes at and below every node that has it. ``attributes`` narrow them: ``side``
        (without it: unspecified), ``phase``, ``fracture`` (without it: closed), ``healing``,
        ``seventh`` (official text; without it the one for silence, if there is one). An
        attribute that a code doesn't have is no obstacle.
        """
        key = (term, tuple(sorted(attributes.items())) if attributes else _NO_ATTRIBUTES)
        found = self._resolved.get(key)
        if found is None:
            stems = resolve(self.store, term, attributes)
            found = self._resolved.keep(key, tuple(map(canonical, stems)))
        return found

    def terms(self, code: str) -> tuple[str, ...]:
        """Official wordings of a code: title of its leaf, own inclusion terms, and the title
        above that says the same without the side."""
        entry = self._known(code)
        store = self.store
        notes = store.notes.get(entry.node, ())
        found = [store.titles[entry.node]]
        found += [note[1] for note in notes if note[0] == 1 and is_term(note[1])]
        above = store.parents[entry.node]
        if SIDES[store.sides[entry.node]] and ":" not in store.stems[above]:
            side = {"side": str(SIDES[store.sides[entry.node]])}
            leaves = {name[:6].rstrip("X") for name in resolve(store, store.titles[above], side)}
            if leaves == {entry.leaf.rstrip("X")}:
                found.append(store.titles[above])
        return tuple(dict.fromkeys(found))


@lru_cache(maxsize=256)
def _names(edits: str) -> frozenset[str]:
    return frozenset(edits.split("|")) if edits else frozenset()


def _printed(name: str) -> str:
    return name if ":" in name else canonical(name)


_loaded: dict[Path, Tables] = {}
_loading = Lock()


def load(cache_dir: Path | None = None) -> Tables:
    """The tables, compiled on first use (a few seconds) and kept in ``cache_dir``, else in
    $CASEGEN_CACHE, else in the user's cache. One object per process and directory.

    Raises TableError if the sources are missing or contradict each other.
    """
    folder = cache.directory(cache_dir)
    with _loading:
        tables = _loaded.get(folder)
        if tables is None:
            tables = Tables(cache.load_or_build(Tables.name, folder, _compile))
            _loaded[folder] = tables
    return tables


def _compile() -> dict[str, bytes]:
    from .compile import compile_tables

    return compile_tables()
