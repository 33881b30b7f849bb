"""The tabular notes on a code, and which other codes of the claim they reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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
_BOTH = "both may be coded"
_FREE = (
    "No Excludes, code first, use additional or code also note ties it to another code of this "
    "claim."
)
_UNRELATED = "An Excludes1 pair may stand where the two are unrelated (guideline I.A.12.a)."

Key = tuple[str, str, str]  # kind, where it stands, words


class _Hit(NamedTuple):
    """A note over ``holder`` that names ``target``; ``reach`` says how far its words go."""

    key: Key
    holder: str
    target: str
    reach: str


def note_lines(code: str, notes: Sequence[dict[str, Any]], claim: Claim) -> Iterator[str]:
    """The notes that hold for ``code`` (as printed), own ones first, each with the other codes
    of the claim that it names; then the notes of those codes that name this one."""
    hits = list(_hits(code, claim))
    ours: dict[Key, list[_Hit]] = {}
    for hit in hits:
        if hit.holder == code:
            ours.setdefault(hit.key, []).append(hit)
    for kind in _TOLD:
        yield from _of_kind(kind, code, notes, ours)
    theirs = [hit for hit in hits if hit.holder != code]
    if theirs:
        yield f"Notes of other codes on this claim that name {code}:"
        for hit in theirs:
            kind, place, words = hit.key
            held = "its own" if place == hit.holder else f"at {place}"
            yield f'  {hit.holder}, {NOTE_KINDS[kind]}, {held}: "{_cut(words)}"{_reach(hit)}'
    if any(hit.key[0] == "excludes1" for hit in hits):
        yield _UNRELATED
    elif not hits:
        yield _FREE


def _of_kind(
    kind: str, code: str, notes: Sequence[dict[str, Any]], ours: dict[Key, list[_Hit]]
) -> Iterator[str]:
    """The notes of a kind by place. Long lists are cut, but for what names a code of the claim."""
    places: dict[str, list[str]] = {}
    for note in notes:
        if note["kind"] == kind:
            places.setdefault(note["stands_on"], []).append(note["text"])
    for place, texts in places.items():
        heading = NOTE_KINDS[kind]
        yield f"{heading}, its own:" if place == code else f"{heading}, at {place}:"
        left = 0
        for at, words in enumerate(texts):
            named = ours.get((kind, place, words), ())
            if at >= _MOST_NOTES and not named:
                left += 1
                continue
            told = "; ".join(f"names {hit.target} on this claim{_reach(hit)}" for hit in named)
            yield f"  {_cut(words)}" + (f"  [{told}]" if told else "")
        if left:
            yield f"  and {left} more"


def _hits(code: str, claim: Claim) -> Iterator[_Hit]:
    """The notes between the code and each other diagnosis of the claim, both ways."""
    tables = tables_of(claim.tables, claim.digest)[0]
    others = dict.fromkeys(canonical(one) for one, system in claim.lines if system == ICD)
    for other in others:
        if other != code and tables.exists(other):
            yield from _between(code, other, tables)


def _between(code: str, other: str, tables: Tables) -> Iterator[_Hit]:
    for one in tables.excludes1(code, other):
        yield _Hit(("excludes1", one.stands_on, one.note), one.holder, one.target, REACH[one.reach])
    for two in tables.excludes2(code, other):
        yield _Hit(("excludes2", two.stands_on, two.note), two.holder, two.target, _BOTH)
    together = tables.code_also(code, other)
    own = {(n.kind, n.stands_on, n.text) for n in tables.notes_of(code)} if together else set()
    for note in together:
        key = (note.kind, note.stands_on, note.text)
        holder, target = (code, other) if key in own else (other, code)
        yield _Hit(key, holder, target, "")


def _reach(hit: _Hit) -> str:
    return f": {hit.reach}" if hit.reach else ""


def _cut(words: str) -> str:
    return words if len(words) <= _MOST_CHARACTERS else words[: _MOST_CHARACTERS - 3] + "..."
