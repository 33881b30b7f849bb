"""Which notes of one code name another, inherited ones included.

A note binds all codes below the node that it stands on, and names all codes below its
targets. It says nothing of codes that are under the target themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .codes import canonical
from .memo import Memo
from .notes import ParsedNote, parse_note, reach
from .store import RawNote, Store

KINDS = (
    "includes",
    "inclusion_term",
    "excludes1",
    "excludes2",
    "code_first",
    "use_additional",
    "code_also",
    "note",
)
EXCLUDES1 = frozenset((2,))
EXCLUDES2 = frozenset((3,))
TOGETHER = frozenset((4, 5, 6))
CODE_FIRST = frozenset((4,))
USE_ADDITIONAL = frozenset((5,))
ORDERING = CODE_FIRST | USE_ADDITIONAL
_NODES = 4_096  # nodes whose references are remembered
_NOTES = 1_024  # notes whose words are remembered

# A note that names a stem, with the seventh characters and the rest that it asks for.
_Naming = tuple[RawNote, "str | None", "str | None"]
_Named = Mapping[str, Sequence[_Naming]]
_NOTHING: _Named = {}
_NO_STEMS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TabularNote:
    """One line of a note. ``kind``: includes, inclusion_term, excludes1, excludes2, code_first,
    use_additional, code_also, note. ``stands_on``: ``J44.1``, ``block J40-J4A``,
    ``chapter 10``."""

    kind: str
    text: str
    stands_on: str


@dataclass(frozen=True, slots=True)
class ExcludesHit:
    """A note under ``holder`` that names ``target``; ``reach`` tells whether its words describe
    the target: certain, conditional (the chart decides) or no."""

    note: str
    stands_on: str
    holder: str
    target: str
    reach: Literal["certain", "conditional", "no"]


class NamedNote(NamedTuple):
    """A note over ``holder`` that names ``target``; ``depth`` counts the nodes between it and the
    holder."""

    note: TabularNote
    holder: str
    target: str
    depth: int


@dataclass(slots=True)
class Place:
    """Where a code stands: its own stem and those above (leaf, category, blocks, chapter), the
    node numbers of the latter. Shared and never changed once made."""

    code: str
    stem: str
    up: frozenset[str]
    line: tuple[str, ...]
    nodes: tuple[int, ...]


def titles_of(store: Store, place: Place) -> tuple[str, ...]:
    """The titles beside ``place.line``; that of a complete code with a seventh character ends
    in the character's text."""
    titles = [store.titles[node] for node in place.nodes]
    if len(place.line) > len(place.nodes):
        text = store.sevenths(place.nodes[0])[place.stem[6]].text
        titles.insert(0, f"{titles[0]}, {text}")
    return tuple(titles)


def display(stem: str) -> str:
    """A stem for people: ``J44.1``, ``block J40-J4A``, ``chapter 10``."""
    kind, _, name = stem.partition(":")
    return f"{kind} {name}" if name else canonical(stem)


class Conflicts:
    """Look-up of pairs. What a node itself names is worked out once per node and kind."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._named: Memo[tuple[int, frozenset[int]], _Named] = Memo(_NODES)
        self._naming: dict[int, frozenset[int]] = {}  # of nodes that have notes
        self._stems: Memo[tuple[int, frozenset[int]], frozenset[str]] = Memo(_NODES)
        self._parsed: Memo[tuple[str, str], ParsedNote] = Memo(_NOTES)

    def tied(self, a: str, b: str) -> bool:
        """Whether any Excludes1 note could tie a code of category ``a`` to one of ``b``; True
        also for what is no category, so that other spellings get their full look."""
        ties = self._store.ties
        mask = ties["masks"].get(a)
        bit = ties["bits"].get(b)
        return mask is None or bit is None or mask & bit != 0

    def _kinds(self, node: int) -> frozenset[int]:
        """The kinds of the notes on a node that name codes."""
        found = self._naming.get(node)
        if found is None:
            named = frozenset(note[0] for note in self._store.notes[node] if note[3])
            found = self._naming[node] = named
        return found

    def _names(self, node: int, kinds: frozenset[int]) -> _Named:
        """What the notes on a node itself name, by stem."""
        key = (node, kinds)
        found = self._named.get(key)
        if found is None:
            own: dict[str, list[_Naming]] = {}
            for note in self._store.notes.get(node, ()):
                if note[0] in kinds:
                    for stem, seventh, residue in note[3]:
                        own.setdefault(stem, []).append((note, seventh, residue))
            found = self._named.keep(key, own or _NOTHING)
        return found

    def stems_above(self, nodes: Sequence[int], kinds: frozenset[int]) -> frozenset[str]:
        """All stems that notes on these nodes name, of which each stands below the next."""
        noted = self._store.notes.nodes
        for at, node in enumerate(nodes):
            # Few nodes have such notes, and only these are remembered.
            if node in noted and not kinds.isdisjoint(self._kinds(node)):
                key = (node, kinds)
                found = self._stems.get(key)
                if found is None:
                    above = self.stems_above(nodes[at + 1 :], kinds)
                    found = self._stems.keep(key, above.union(self._names(node, kinds)))
                return found
        return _NO_STEMS

    def hits(
        self, holder: Place, target: Place, kinds: frozenset[int]
    ) -> list[tuple[int, RawNote, str]]:
        """Notes over ``holder`` that name ``target``: (node, note, the target's stem there),
        the nearest to the holder first."""
        found: list[tuple[int, RawNote, str]] = []
        # For nearly all pairs this one look tells that there is none.
        if self.stems_above(holder.nodes, kinds).isdisjoint(target.up):
            return found
        noted = self._store.notes.nodes
        for node in holder.nodes:
            if node not in noted or kinds.isdisjoint(self._kinds(node)):
                continue
            named = self._names(node, kinds)
            if not named or named.keys().isdisjoint(target.up):
                continue
            seen = set()
            for stem in target.line:
                for note, seventh, residue in named.get(stem, ()):
                    if stem in holder.up or id(note) in seen:
                        continue
                    if seventh and not (len(target.stem) == 7 and target.stem[6] in seventh):
                        continue
                    if residue and not re.match(residue, target.stem):
                        continue
                    seen.add(id(note))
                    found.append((node, note, stem))
        return found

    def any_excludes(self, a: Place, b: Place, kinds: frozenset[int]) -> bool:
        """Whether ``excludes`` finds any; its words are not read."""
        return bool(self.hits(a, b, kinds) or self.hits(b, a, kinds))

    def excludes(self, a: Place, b: Place, kinds: frozenset[int]) -> tuple[ExcludesHit, ...]:
        """Hits in both directions, those of the most specific notes first."""
        found = [
            (holder.nodes.index(node), self._hit(holder, target, node, note, stem))
            for holder, target in ((a, b), (b, a))
            for node, note, stem in self.hits(holder, target, kinds)
        ]
        found.sort(key=lambda entry: entry[0])
        return tuple(hit for _, hit in found)

    def named(self, holder: Place, target: Place, kinds: frozenset[int]) -> list[NamedNote]:
        """The notes of one that name the other; their words are not read."""
        return [
            NamedNote(self._noted(node, note), holder.code, target.code, holder.nodes.index(node))
            for node, note, _ in self.hits(holder, target, kinds)
        ]

    def together(self, a: Place, b: Place, kinds: frozenset[int]) -> tuple[TabularNote, ...]:
        """The notes of one that name the other, in both directions."""
        found = self.named(a, b, kinds) + self.named(b, a, kinds)
        return tuple(one.note for one in found)

    def goes_before(self, a: Place, b: Place) -> bool:
        """Whether a note "use additional code" of ``a`` names ``b``, or a note "code first" of
        ``b`` names ``a``."""
        return bool(self.hits(a, b, USE_ADDITIONAL) or self.hits(b, a, CODE_FIRST))

    def _hit(
        self, holder: Place, target: Place, node: int, note: RawNote, stem: str
    ) -> ExcludesHit:
        _, text, lead, _ = note
        parsed = self._parsed.get((text, lead))
        if parsed is None:
            parsed = self._parsed.keep((text, lead), parse_note(text, lead))
        within = titles_of(self._store, target)[: target.line.index(stem) + 1]
        return ExcludesHit(
            note=text,
            stands_on=display(self._store.stems[node]),
            holder=holder.code,
            target=target.code,
            reach=reach(parsed, within),
        )

    def notes(self, nodes: Sequence[int]) -> list[TabularNote]:
        """All notes on these nodes, in their order."""
        return [
            self._noted(node, note) for node in nodes for note in self._store.notes.get(node, ())
        ]

    def _noted(self, node: int, note: RawNote) -> TabularNote:
        return TabularNote(KINDS[note[0]], note[1], display(self._store.stems[node]))
