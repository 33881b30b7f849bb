"""Phrase banks made ready: which sentences fit this patient and setting, drawn by one number.

A bank entry is a product of clauses, often of thousands of sentences. A draw of 16 bits
names one of ``ROWS`` of them, spread over the whole bank; a sentence is built when its row is
first drawn and kept from then on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from casegen.schemas import TableError
from casegen.seeds.phrases import Entry

from ..randomness import Fixed
from ..templates import Compiled, compile_template, render

ROWS = 1024
SHIFT = 6  # from a draw of 16 bits to a row
_KEEP = ("X", "name", "age", "man", "keep", "drop", "a", "b", "service", "seventh")
# Odd and large, so that neighbouring rows fall far apart in a bank of any size.
_STRIDE = 2_654_435_761

Lead = tuple[str, str, str, str]


class Choice:
    """The sentences of one bank that fit one kind of patient.

    ``rows`` holds the sentences built so far: ``rows[i] or make(i)``; likewise ``lead(i)``
    for sentences that carry a fact. Numbers within a sentence belong to its row.
    """

    __slots__ = ("_entries", "_leads", "_name", "_sex", "rows", "size")

    def __init__(self, name: str, entries: Sequence[Entry], sex: int) -> None:
        self._name = name
        self._sex = sex
        # An entry: how many sentences it makes, and its clauses with their sizes, compiled.
        self._entries: list[tuple[int, list[tuple[list[Compiled], int]]]] = []
        self.size = 0
        for entry in entries:
            size = 1
            clauses = []
            for texts in entry.clauses:
                compiled = [
                    compile_template(text, sex, _KEEP) if "{" in text else text for text in texts
                ]
                clauses.append((compiled, len(texts)))
                size *= len(texts)
            self._entries.append((size, clauses))
            self.size += size
        self.rows: list[str | None] = [None] * ROWS
        self._leads: dict[int, Lead] = {}

    def sentence(self, draw: int) -> str:
        """One sentence, by a draw of 16 bits."""
        row = draw >> SHIFT
        return self.rows[row] or self.make(row)

    def make(self, row: int) -> str:
        """Build and keep the sentence of a row."""
        size = self.size
        at = row * size // ROWS if size <= ROWS else row * _STRIDE % size
        entry = 0
        while at >= self._entries[entry][0]:
            at -= self._entries[entry][0]
            entry += 1
        clauses = self._entries[entry][1]
        lane = None
        parts = []
        for members, count in clauses:
            at, i = divmod(at, count)
            part = members[i]
            if type(part) is not str:
                lane = lane or Fixed(f"{self._name}/{self._sex}/{row}")
                part = render(part, lane)
            parts.append(part)
        text = self.rows[row] = "".join(parts)
        return text

    def lead(self, draw: int) -> Lead:
        """One fact-carrying sentence: before the span, span before and after {X}, the rest."""
        row = draw >> SHIFT
        found = self._leads.get(row)
        if found is None:
            found = self._leads[row] = split_lead(self.rows[row] or self.make(row))
        return found


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
    """The choices that fit one patient and setting; banks are looked up by name.

    ``series`` names banks that go by organ system, with the system of each that has words.
    """

    __slots__ = ("_banks", "_choices", "_key", "_made", "_series")

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
        self._series: dict[str, list[tuple[str, Choice]]] = {}

    def find(self, name: str) -> Choice | None:
        """The choice of a bank, or None where nothing in it fits this patient."""
        try:
            return self._choices[name]
        except KeyError:
            choice = self._choices[name] = self._fit(name)
            return choice

    def _fit(self, name: str) -> Choice | None:
        years, newborn, sex, setting = self._key
        fitting = tuple(
            i
            for i, entry in enumerate(self._banks.get(name, ()))
            if entry.ages[0] <= years <= entry.ages[1]
            and (entry.newborn is None or entry.newborn == newborn)
            and (entry.sex == "any" or entry.sex == ("female", "male")[sex])
            and (not entry.settings or setting in entry.settings)
        )
        if not fitting:
            return None
        key = (name, sex, fitting)
        choice = self._made.get(key)
        if choice is None:
            choice = Choice(name, [self._banks[name][i] for i in fitting], sex)
            self._made[key] = choice
        return choice

    def need(self, *names: str) -> Choice:
        """The first of the named banks that has something to say; TableError if none has."""
        for name in names:
            choice = self.find(name)
            if choice is not None:
                return choice
        raise TableError(f"no phrase fits {self._key} in the banks {', '.join(names)}")

    def series(self, prefix: str, systems: Sequence[str]) -> list[tuple[str, Choice]]:
        """System and choice of each bank ``prefix_system`` that has something to say."""
        found = self._series.get(prefix)
        if found is None:
            found = [(s, c) for s in systems if (c := self.find(f"{prefix}_{s}")) is not None]
            self._series[prefix] = found
        return found
