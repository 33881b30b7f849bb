"""Phrase banks made ready: which sentences fit this patient and setting, drawn by one number.

A bank entry is a product of clauses. One draw in mixed radix settles a whole sentence; a
small bank that is used often is multiplied out once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from casegen.schemas import TableError
from casegen.seeds.phrases import Entry

from ..randomness import Lane
from ..templates import Compiled, compile_template, render

_KEEP = ("X", "name", "age", "man", "keep", "drop", "a", "b", "service", "seventh")
_SMALL = 4096

Lead = tuple[str, str, str, str]
# A clause compiled for one sex, and how many members it has.
_Clause = tuple[tuple[Compiled, ...], int]


class Choice:
    """The sentences of one bank that fit one kind of patient.

    ``size`` is how many there are; one number in mixed radix names a member of every clause.
    """

    __slots__ = ("_entries", "_leads", "size")

    def __init__(self, entries: Sequence[Entry], sex: int) -> None:
        # An entry: its size, whether it holds no number to draw, and its clauses.
        self._entries: list[tuple[int, bool, list[_Clause]]] = []
        self.size = 0
        for entry in entries:
            clauses: list[_Clause] = []
            size = 1
            plain = True
            for texts in entry.clauses:
                compiled = tuple(compile_template(text, sex, _KEEP) for text in texts)
                plain = plain and all(type(one) is str for one in compiled)
                clauses.append((compiled, len(compiled)))
                size *= len(compiled)
            self._entries.append((size, plain, clauses))
            self.size += size
        self._leads: dict[int, Lead] = {}

    def sentence(self, lane: Lane) -> str:
        """One sentence, its numbers drawn."""
        at = lane.below(self.size)
        for size, plain, clauses in self._entries:
            if at < size:
                parts = []
                for members, count in clauses:
                    at, i = divmod(at, count)
                    parts.append(members[i])
                if plain:
                    return "".join(parts)  # type: ignore[arg-type]
                return "".join([p if type(p) is str else render(p, lane) for p in parts])
            at -= size
        raise IndexError(at)

    def lead(self, lane: Lane) -> Lead:
        """One fact-carrying sentence: before the span, span before and after {X}, the rest."""
        at = lane.below(self.size)
        found = self._leads.get(at)
        if found is None:
            found = split_lead(self._whole(at))
            if len(self._leads) < _SMALL:
                self._leads[at] = found
        return found

    def _whole(self, at: int) -> str:
        for size, plain, clauses in self._entries:
            if at < size:
                if not plain:
                    raise TableError("a sentence with {X} may not draw numbers")
                parts = []
                for members, count in clauses:
                    at, i = divmod(at, count)
                    parts.append(members[i])
                return "".join(parts)  # type: ignore[arg-type]
            at -= size
        raise IndexError(at)


def split_lead(text: str) -> Lead:
    """Split ``before [inside {X} inside] after``; without brackets the span is {X} alone."""
    outer, found, rest = text.partition("{X}")
    if not found:
        raise TableError(f"a lead sentence needs {{X}}: {text}")
    before, bracket, inner = outer.rpartition("[")
    if not bracket:
        return outer, "", "", rest
    inside, bracket, after = rest.partition("]")
    if not bracket:
        raise TableError(f"a lead sentence opens a bracket and does not close it: {text}")
    return before, inner, inside, after


class Voice:
    """The choices that fit one patient and setting; banks are looked up by name."""

    __slots__ = ("_banks", "_choices", "_key", "_made")

    def __init__(
        self,
        banks: Mapping[str, tuple[Entry, ...]],
        made: dict[tuple[str, int, tuple[int, ...]], Choice],
        years: int,
        newborn: bool,
        sex: int,
        setting: str,
    ) -> None:
        self._banks = banks
        self._made = made
        self._key = (years, newborn, sex, setting)
        self._choices: dict[str, Choice | None] = {}

    def find(self, name: str) -> Choice | None:
        """The choice of a bank, or None where nothing in it fits this patient."""
        try:
            return self._choices[name]
        except KeyError:
            pass
        years, newborn, sex, setting = self._key
        fitting = tuple(
            i
            for i, entry in enumerate(self._banks.get(name, ()))
            if entry.ages[0] <= years <= entry.ages[1]
            and (entry.newborn is None or entry.newborn == newborn)
            and (entry.sex == "any" or entry.sex == ("female", "male")[sex])
            and (not entry.settings or setting in entry.settings)
        )
        choice = None
        if fitting:
            key = (name, sex, fitting)
            choice = self._made.get(key)
            if choice is None:
                choice = Choice([self._banks[name][i] for i in fitting], sex)
                self._made[key] = choice
        self._choices[name] = choice
        return choice

    def need(self, *names: str) -> Choice:
        """The first of the named banks that has something to say; TableError if none has."""
        for name in names:
            choice = self.find(name)
            if choice is not None:
                return choice
        raise TableError(f"no phrase fits {self._key} in the banks {', '.join(names)}")
