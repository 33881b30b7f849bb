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


class Choice:
    """The sentences of one bank that fit one kind of patient.

    ``size`` is how many there are; sentence ``i`` is built from its clauses on demand.
    """

    __slots__ = ("_compiled", "_entries", "_leads", "_sex", "_sizes", "size")

    def __init__(self, entries: Sequence[Entry], sex: int) -> None:
        self._entries = entries
        self._sex = sex
        self._sizes = []
        for entry in entries:
            size = 1
            for clause in entry.clauses:
                size *= len(clause)
            self._sizes.append(size)
        self.size = sum(self._sizes)
        self._compiled: dict[int, Compiled] = {}
        self._leads: dict[int, Lead] = {}

    def _text(self, at: int) -> str:
        for entry, size in zip(self._entries, self._sizes, strict=True):
            if at < size:
                chosen = []
                for clause in entry.clauses:
                    at, i = divmod(at, len(clause))
                    chosen.append(clause[i])
                return "".join(chosen)
            at -= size
        raise IndexError(at)

    def sentence(self, lane: Lane) -> str:
        """One sentence, its numbers drawn."""
        at = lane.below(self.size)
        compiled = self._compiled.get(at)
        if compiled is None:
            compiled = compile_template(self._text(at), self._sex, _KEEP)
            if len(self._compiled) < _SMALL:
                self._compiled[at] = compiled
        return compiled if type(compiled) is str else render(compiled, lane)

    def lead(self, lane: Lane) -> Lead:
        """One fact-carrying sentence: before the span, span before and after {X}, the rest."""
        at = lane.below(self.size)
        lead = self._leads.get(at)
        if lead is None:
            text = compile_template(self._text(at), self._sex, _KEEP)
            if type(text) is not str:
                raise TableError(f"a sentence with {{X}} may not draw numbers: {self._text(at)}")
            lead = split_lead(text)
            if len(self._leads) < _SMALL:
                self._leads[at] = lead
        return lead


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
