"""Phrase banks made ready: which sentences fit this patient and setting, drawn by one number.

A bank entry is a product of clauses, often of thousands of sentences. Its clauses are joined
once into two lists, the beginnings and the ends, so that a sentence costs two look-ups and
nothing of it has to be kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TypeVar

from casegen.schemas import TableError
from casegen.seeds.phrases import Entry

from ..randomness import Fixed
from ..templates import Compiled, compile_template, render

# A draw of 32 bits: the low ones choose the entry, the others the sentence.
SLOTS = 32
_BITS = 5
_KEEP = ("X", "name", "age", "man", "keep", "drop", "a", "b", "bare", "service", "seventh")
# Halves with numbers are rendered so often that the numbers vary.
_NUMBERED = 96

# Beginnings, ends, how many beginnings, how many sentences.
Halves = tuple[list[str], list[str], int, int]
# What stands before a fact's span and in it before {X}; what follows {X} in it and after it.
LeadHalves = tuple[list[tuple[str, str]], list[tuple[str, str]], int, int]


T = TypeVar("T", Halves, LeadHalves)


class Choice:
    """The sentences of one bank that fit one kind of patient.

    ``table`` and ``leads`` have ``SLOTS`` rows; an entry fills as many as its share of the
    sentences asks for, one at the least. Numbers within a sentence belong to its half.
    """

    __slots__ = ("_entries", "_leads", "_name", "_sex", "size", "table")

    def __init__(self, name: str, entries: Sequence[Entry], sex: int) -> None:
        self._name = name
        self._sex = sex
        self._entries = entries
        self.size = sum(entry.size for entry in entries)
        self._leads: list[LeadHalves] | None = None
        self.table: list[Halves] = _spread([self._halves(e, i) for i, e in enumerate(entries)])

    def sentence(self, draw: int) -> str:
        """One sentence, by a draw of 32 bits."""
        first, second, count, size = self.table[draw & 31]
        at = (draw >> _BITS) % size
        return first[at % count] + second[at // count]

    def lead(self, draw: int) -> tuple[str, str, str, str]:
        """One fact-carrying sentence: before the span, span before and after {X}, the rest."""
        first, second, count, size = (self._leads or self._make_leads())[draw & 31]
        at = (draw >> _BITS) % size
        return first[at % count] + second[at // count]

    def _compiled(self, entry: Entry) -> list[list[Compiled]]:
        sex = self._sex
        return [
            [compile_template(text, sex, _KEEP) if "{" in text else text for text in texts]
            for texts in entry.clauses
        ]

    def _halves(self, entry: Entry, number: int) -> Halves:
        clauses = self._compiled(entry)
        cut = _middle(entry)
        name = f"{self._name}/{self._sex}/{number}"
        first = _joined(clauses[:cut], f"{name}/first")
        second = _joined(clauses[cut:], f"{name}/second")
        return first, second, len(first), len(first) * len(second)

    def _make_leads(self) -> list[LeadHalves]:
        found: list[LeadHalves] = []
        for number, entry in enumerate(self._entries):
            clauses = self._compiled(entry)
            at = next((i for i, c in enumerate(entry.clauses) if "{X}" in "".join(c)), -1)
            if at < 0:
                raise TableError(f"a lead sentence needs {{X}}: {entry.clauses[0][0]}")
            name = f"{self._name}/{self._sex}/{number}"
            # What follows the fact in the clause that names it binds what stands before it.
            kinds: dict[tuple[str, bool], list[str]] = {}
            for member in clauses[at]:
                text = member if isinstance(member, str) else render(member, Fixed(name))
                left, middle, right = text.partition("{X}")
                if not middle:
                    raise TableError(f"a lead sentence needs {{X}}: {text}")
                kinds.setdefault((right, "[" in left), []).append(left)
            for (right, _), lefts in kinds.items():
                before = _joined([*clauses[:at], lefts], f"{name}/before")
                after = _joined([[right], *clauses[at + 1 :]], f"{name}/after")
                lead = [_opened(one) for one in before]
                rest = [_closed(one, "[" in before[0]) for one in after]
                found.append((lead, rest, len(lead), len(lead) * len(rest)))
        self._leads = _spread(found)
        return self._leads


def _opened(text: str) -> tuple[str, str]:
    before, bracket, inner = text.rpartition("[")
    return (before, inner) if bracket else (text, "")


def _closed(text: str, bracket: bool) -> tuple[str, str]:
    """What stands in the span after the fact, and after the span; with a space at the end."""
    if not bracket:
        return "", f"{text} "
    inside, end, after = text.partition("]")
    if not end:
        raise TableError(f"a lead sentence opens a bracket and does not close it: {text}")
    return inside, f"{after} "


def _middle(entry: Entry) -> int:
    """Where to cut an entry's clauses so that its two halves have the fewest texts."""
    best, at = entry.size + 1, len(entry.clauses)
    for cut in range(1, len(entry.clauses)):
        left = 1
        for clause in entry.clauses[:cut]:
            left *= len(clause)
        if left + entry.size // left < best:
            best, at = left + entry.size // left, cut
    return at


def _joined(clauses: Sequence[Sequence[Compiled]], name: str) -> list[str]:
    """All texts that one member of each clause makes."""
    if all(type(member) is str for clause in clauses for member in clause):
        return ["".join(parts) for parts in product(*clauses)]  # type: ignore[arg-type]
    lane = Fixed(name)
    combined = list(product(*clauses))
    times = max(1, _NUMBERED // len(combined))
    return [
        "".join([render(part, lane) for part in parts]) for _ in range(times) for parts in combined
    ]


def _spread(halves: Sequence[T]) -> list[T]:
    """``SLOTS`` rows, shared by the entries according to their sizes."""
    total = sum(one[3] for one in halves)
    spare = SLOTS - len(halves)
    if spare < 0:
        raise TableError(f"a bank has {len(halves)} entries for one patient, {SLOTS} at the most")
    rows: list[T] = []
    for one in halves:
        rows += [one] * (1 + one[3] * spare // total)
    largest = max(halves, key=lambda one: one[3])
    return rows + [largest] * (SLOTS - len(rows))


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
