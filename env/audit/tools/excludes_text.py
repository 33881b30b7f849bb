"""The tabular notes on a code, and which other codes of the claim they reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from casegen.lookup.codes import ICD
from casegen.lookup.text import NOTE_KINDS, REACH
from casegen.seeds.icd10cm.codes import canonical

from .source import Claim, tables_of

# The general notes of chapters ("note") are rules of the book, not facts of a code.
_TOLD = tuple(kind for kind in NOTE_KINDS if kind != "note")
_MOST_NOTES = 12  # of a kind at a place, besides those that name a code of the claim
_MOST_CHARACTERS = 400
# Codes whose notes, and pairs whose ties are remembered.
_PLAIN, _PAIRS = 4_096, 65_536
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


# A kind, where the notes stand, and their words as they are told: the first of them, and how many
# more there are.
Notes = tuple[tuple[str, str, tuple[str, ...]], ...]


def notes_by_kind(code: str, notes: Sequence[dict[str, Any]]) -> Notes:
    """The notes that hold for ``code``, by kind and place, own ones first."""
    return tuple(
        (kind, place, tuple(texts))
        for kind in _TOLD
        for place, texts in _places(kind, notes).items()
    )


def _places(kind: str, notes: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for note in notes:
        if note["kind"] == kind:
            places.setdefault(note["stands_on"], []).append(note["text"])
    return places


def note_lines(code: str, notes: Notes, claim: Claim) -> Iterator[str]:
    """The notes that hold for ``code`` (as printed), own ones first, each with the other codes
    of the claim that it names; then the notes of those codes that name this one."""
    hits = list(_hits(code, claim))
    if not hits:
        if plain := _plain(code, notes):
            yield plain
        yield _FREE
        return
    ours: dict[Key, list[Hit]] = {}
    for hit in hits:
        if hit.holder == code:
            ours.setdefault(hit.key, []).append(hit)
    yield from _told(code, notes, ours)
    theirs = [hit for hit in hits if hit.holder != code]
    if theirs:
        yield f"Notes of other codes on this claim that name {code}:"
        for hit in theirs:
            kind, place, words = hit.key
            held = "its own" if place == hit.holder else f"at {place}"
            yield f'  {hit.holder}, {NOTE_KINDS[kind]}, {held}: "{_cut(words)}"{_reach(hit)}'
    if any(hit.key[0] == "excludes1" for hit in hits):
        yield _UNRELATED


@lru_cache(maxsize=_PLAIN)
def _plain(code: str, notes: Notes) -> str:
    """The notes where none of them names a code of the claim."""
    return "\n".join(_told(code, notes, {}))


def _told(code: str, notes: Notes, ours: dict[Key, list[Hit]]) -> Iterator[str]:
    """The notes by kind and place. Long lists are cut, but for what names a code of the claim."""
    for kind, place, texts in notes:
        heading = NOTE_KINDS[kind]
        # Nearly all of a chapter's Excludes2 notes name other chapters, and bar nothing.
        far = kind == "excludes2" and place.startswith("chapter ")
        if not far or any((kind, place, words) in ours for words in texts):
            yield f"{heading}, its own:" if place == code else f"{heading}, at {place}:"
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
    others = dict.fromkeys(canonical(one) for one, system in claim.lines if system == ICD)
    for other in others:
        if other != code:
            first, second = sorted((code, other))
            yield from _between(first, second, claim.tables, claim.digest)


@lru_cache(maxsize=_PAIRS)
def _between(code: str, other: str, name: str, digest: str) -> tuple[Hit, ...]:
    """The notes that tie two codes, in either direction."""
    tables = tables_of(name, digest)[0]
    if not (tables.exists(code) and tables.exists(other)):
        return ()
    found = [
        Hit(("excludes1", one.stands_on, one.note), one.holder, one.target, REACH[one.reach])
        for one in tables.excludes1(code, other)
    ]
    found += [
        Hit(("excludes2", two.stands_on, two.note), two.holder, two.target, _BOTH)
        for two in tables.excludes2(code, other)
    ]
    together = tables.code_also(code, other)
    own = {(n.kind, n.stands_on, n.text) for n in tables.notes_of(code)} if together else set()
    for note in together:
        key = (note.kind, note.stands_on, note.text)
        holder, target = (code, other) if key in own else (other, code)
        found.append(Hit(key, holder, target, ""))
    return tuple(found)


def _reach(hit: Hit) -> str:
    return f": {hit.reach}" if hit.reach else ""


def _cut(words: str) -> str:
    return words if len(words) <= _MOST_CHARACTERS else words[: _MOST_CHARACTERS - 3] + "..."
