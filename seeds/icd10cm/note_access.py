"""The part of the tables that tells where a code stands, and which notes hold there."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from .conflicts import EXCLUDES1, EXCLUDES2, TOGETHER, NamedNote, TabularNote, display
from .entries import Entry
from .memo import Memo
from .order_access import OrderAccess

_TIES = (EXCLUDES1, EXCLUDES2, TOGETHER)
_CODES = 4_096  # codes whose span is remembered


class _Span(NamedTuple):
    """The stems over a code, and those that the notes on these name, by kind of note."""

    up: frozenset[str]
    named: tuple[frozenset[str], ...]

    def names(self, other: _Span) -> bool:
        """Whether a note of this code names the other, or a stem over it."""
        return not all(map(other.up.isdisjoint, self.named))


class NoteAccess(OrderAccess):
    """Look-up of what stands over and below a code, and of notes without a reading of their
    words, which takes longer."""

    def _known(self, code: str) -> Entry:
        raise NotImplementedError

    def titles_above(self, code: str) -> list[tuple[str, str]]:
        """What stands over the code, as printed (``S72.001``, ``block S70-S79``), with its
        title; the nearest first. Raises InputError for unknown codes."""
        entry, titles = self._known(code), self.store.titles
        line = entry.line[1:]
        nodes = entry.nodes[len(entry.nodes) - len(line) :]
        return [(display(stem), titles[node]) for stem, node in zip(line, nodes, strict=True)]

    def titles_below(self, code: str) -> list[tuple[str, str]]:
        """What the code divides into, with its title; its own seventh characters are left out.
        Raises InputError for unknown codes."""
        entry, store = self._known(code), self.store
        if entry.char or store.sevenths(entry.node):
            return []
        found = []
        child, end = entry.node + 1, store.ends[entry.node]
        while child < end:
            found.append((display(store.stems[child]), store.titles[child]))
            child = store.ends[child]
        return found

    def places(self, code: str) -> tuple[int, ...]:
        """The nodes whose notes hold for the code, its own first. Raises InputError for unknown
        codes."""
        return self._known(code).nodes

    def notes_at(self, node: int) -> list[TabularNote]:
        """The notes on a node itself, in their order."""
        return self._conflicts.notes((node,))

    def may_name(self, a: str, b: str) -> bool:
        """False where one is unknown, and for two of which no Excludes or code-also note of one
        names the other, True where a look is worth while; cheaper than that look."""
        one, other = self._span(a), self._span(b)
        return one.names(other) or other.names(one)

    def _span(self, code: str) -> _Span:
        found = self._spans.get(code)
        if found is None:
            place = self._entry(code)
            named = [self._conflicts.stems_above(place.nodes, kinds) for kinds in _TIES]
            found = self._spans.keep(code, _Span(place.up, tuple(named)))
        return found

    @cached_property
    def _spans(self) -> Memo[str, _Span]:
        return Memo(_CODES)

    def named_beside(self, a: str, b: str) -> tuple[list[NamedNote], list[NamedNote]]:
        """The notes of two codes that name the other: Excludes2, and those that ask for both
        (code also, use additional code, code first). Empty for unknown codes."""
        one, other = self._entry(a), self._entry(b)
        if one.node < 0 or other.node < 0:
            return [], []
        apart = self._named(one, other, EXCLUDES2) if one.stem != other.stem else []
        apart.sort(key=lambda found: found.depth)
        return apart, self._named(one, other, TOGETHER)

    def _named(self, one: Entry, other: Entry, kinds: frozenset[int]) -> list[NamedNote]:
        at = _TIES.index(kinds)
        found = []
        for holder, target in ((one, other), (other, one)):
            # In most pairs one names the other by notes of one kind.
            if not target.up.isdisjoint(self._span(holder.code).named[at]):
                found += self._conflicts.named(holder, target, kinds)
        return found
