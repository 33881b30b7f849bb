"""The tabular notes on a code, and which other codes of the claim they reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from casegen.lookup.codes import ICD
from casegen.lookup.text import NOTE_KINDS, REACH
from casegen.seeds.icd10cm.codes import canonical

from .source import Claim, tables_of

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# The general notes of chapters ("note") are rules of the book, not facts of a code.
_TOLD = tuple(kind for kind in NOTE_KINDS if kind != "note")
_MOST_NOTES = 12  # of a kind at a place, besides those that name a code of the claim
_MOST_CHARACTERS = 400
# Places whose notes, pairs whose ties and claims whose diagnoses are remembered.
_PLACES, _PAIRS, _CLAIMS = 4_096, 65_536, 64
_BOTH = "both may be coded"
_FREE = (
    "No Excludes, code first, use additional or code also note ties it to another code of this "
    "claim."
)
_UNRELATED = "An Excludes1 pair may stand where the two are unrelated (guideline I.A.12.a)."

Key = tuple[str, str, str]  # kind, where it stands, words


class Hit(NamedTuple):
    """A note over ``holder`` that names ``target``; ``reach`` says how far its words go."""

    key: Key
    holder: str
    target: str
    reach: str


class Block(NamedTuple):
    """The notes of a kind at a place; ``told`` is what is told of them, heading left out, where
    none of them names a code of the claim."""

    kind: str
    place: str
    texts: tuple[str, ...]
    told: str


Notes = tuple[Block, ...]


def notes_by_kind(code: str, name: str, digest: str) -> Notes:
    """The notes that hold for ``code`` of the tabular list, by kind and place, own ones first."""
    places = [_blocks(node, name, digest) for node in tables_of(name, digest)[0].places(code)]
    return tuple(blocks[kind] for kind in _TOLD for blocks in places if kind in blocks)


@lru_cache(maxsize=_PLACES)
def _blocks(node: int, name: str, digest: str) -> dict[str, Block]:
    """The notes on a node itself, by kind. Not to be changed: they are shared."""
    kinds: dict[str, list[str]] = {}
    place = ""
    for note in tables_of(name, digest)[0].notes_at(node):
        place = note.stands_on
        kinds.setdefault(note.kind, []).append(note.text)
    return {
        kind: Block(kind, place, tuple(texts), "\n".join(_below(kind, place, texts, {})))
        for kind, texts in kinds.items()
    }


def note_lines(code: str, notes: Notes, claim: Claim) -> Iterator[str]:
    """The notes that hold for ``code`` (as printed), own ones first, each with the other codes
    of the claim that it names; then the notes of those codes that name this one."""
    hits = list(_hits(code, claim))
    ours: dict[Key, list[Hit]] = {}
    for hit in hits:
        if hit.holder == code:
            ours.setdefault(hit.key, []).append(hit)
    yield from _told(code, notes, ours)
    if not hits:
        yield _FREE
        return
    theirs = [hit for hit in hits if hit.holder != code]
    if theirs:
        yield f"Notes of other codes on this claim that name {code}:"
        for hit in theirs:
            kind, place, words = hit.key
            held = "its own" if place == hit.holder else f"at {place}"
            yield f'  {hit.holder}, {NOTE_KINDS[kind]}, {held}: "{_cut(words)}"{_reach(hit)}'
    if any(hit.key[0] == "excludes1" for hit in hits):
        yield _UNRELATED


def _told(code: str, notes: Notes, ours: dict[Key, list[Hit]]) -> Iterator[str]:
    """The notes by kind and place, each block under its heading."""
    named = {(kind, place) for kind, place, _ in ours}
    for kind, place, texts, told in notes:
        here = bool(named) and (kind, place) in named
        if here or not _far(kind, place):
            heading = NOTE_KINDS[kind]
            yield f"{heading}, its own:" if place == code else f"{heading}, at {place}:"
        if here:
            yield from _below(kind, place, texts, ours)
        else:
            yield told


def _far(kind: str, place: str) -> bool:
    """Nearly all of a chapter's Excludes2 notes name other chapters, and bar nothing."""
    return kind == "excludes2" and place.startswith("chapter ")


def _below(
    kind: str, place: str, texts: Sequence[str], ours: dict[Key, list[Hit]]
) -> Iterator[str]:
    """Notes of a kind at a place. Long lists are cut, but for what names a code of the claim."""
    far = _far(kind, place)
    left = 0
    for at, words in enumerate(texts):
        named = ours.get((kind, place, words), ())
        if not named and (far or at >= _MOST_NOTES):
            left += 1
            continue
        told = "; ".join(f"names {hit.target} on this claim{_reach(hit)}" for hit in named)
        yield f"  {_cut(words)}" + (f"  [{told}]" if told else "")
    if left and far:
        yield _counted(left, left < len(texts), place)
    elif left:
        yield f"  and {left} more"


def _counted(left: int, more: bool, place: str) -> str:
    notes, name = ("note", "names") if left == 1 else ("notes", "name")
    number = f"{left} more" if more else str(left)
    return f"{number} Excludes2 {notes} at {place} {name} no code of this claim."


def _hits(code: str, claim: Claim) -> Iterator[Hit]:
    """The notes between the code and each other diagnosis of the claim, both ways."""
    for other in _diagnoses(claim):
        if other != code:
            first, second = (code, other) if code < other else (other, code)
            yield from _between(first, second, claim.tables, claim.digest)


@lru_cache(maxsize=_CLAIMS)
def _diagnoses(claim: Claim) -> tuple[str, ...]:
    """The diagnoses of a claim as printed, each once."""
    return tuple(dict.fromkeys(canonical(code) for code, system in claim.lines if system == ICD))


@lru_cache(maxsize=_PAIRS)
def _between(code: str, other: str, name: str, digest: str) -> tuple[Hit, ...]:
    """The notes that tie two codes, in either direction."""
    tables = tables_of(name, digest)[0]
    if not tables.may_name(code, other):
        return ()
    found = [
        Hit(("excludes1", one.stands_on, one.note), one.holder, one.target, REACH[one.reach])
        for one in tables.excludes1(code, other)
    ]
    beside, together = tables.named_beside(code, other)
    found += [
        Hit(("excludes2", two.note.stands_on, two.note.text), two.holder, two.target, _BOTH)
        for two in beside
    ]
    own = _standing_over(code, tables) if together else ()
    for note, _, _, _ in together:
        key = (note.kind, note.stands_on, note.text)
        holder, target = (code, other) if note.stands_on in own else (other, code)
        found.append(Hit(key, holder, target, ""))
    return tuple(found)


def _standing_over(code: str, tables: Tables) -> frozenset[str]:
    """The code and all over it, as notes name their places."""
    return frozenset((code, *(name for name, _ in tables.titles_above(code))))


def _reach(hit: Hit) -> str:
    return f": {hit.reach}" if hit.reach else ""


def _cut(words: str) -> str:
    return words if len(words) <= _MOST_CHARACTERS else words[: _MOST_CHARACTERS - 3] + "..."
