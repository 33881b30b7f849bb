"""From official wording and what the note adds to complete codes."""

from __future__ import annotations

from functools import cache

from .dates import status
from .tabular import Complete, entries, named, under, words

# The day from which the tabular list at hand holds.
RELEASE = "2026-04-01"
PHASES = {"active": "initial encounter", "healing": "subsequent encounter", "sequela": "sequela"}
HEALINGS = ("routine", "delayed", "nonunion", "malunion")


def phase_of(text: str | None) -> str | None:
    return next((p for p, said in PHASES.items() if text and text.startswith(said)), None)


def fracture_of(text: str | None) -> str | None:
    """closed, open_1_2, open_3 or just open, where a seventh character's text says so."""
    if not text:
        return None
    if "closed fracture" in text:
        return "closed"
    if "type IIIA" in text:
        return "open_3"
    if "type I or II" in text:
        return "open_1_2"
    return "open" if "open fracture" in text else None


def healing_of(text: str | None) -> str | None:
    return next((h for h in HEALINGS if text and h in text.split()), None)


@cache
def _titles_of(category: str) -> frozenset[str]:
    stack, found = [entries()[category]], set()
    while stack:
        entry = stack.pop()
        found.add(words(entry.title))
        stack.extend(entry.children)
    return frozenset(found)


def _swapped(text: list[str], old: str, *new: str) -> list[str]:
    """The wording with one occurrence of a word put otherwise, in all ways."""
    return [
        " ".join((*text[:i], put, *text[i + 1 :]))
        for i, word in enumerate(text)
        if word == old
        for put in new
    ]


@cache
def _side_of_title(stem: str) -> str | None:
    """A side counts as one where the same title exists with the other side."""
    entry = entries()[stem]
    title = words(entry.title)
    text = title.split()
    titles = _titles_of(stem[:3])
    for side, other in (("right", "left"), ("left", "right")):
        if side in text:
            swapped = [" ".join(other if word == side else word for word in text)]
            if any(t in titles for t in swapped + _swapped(text, side, other)):
                return side
    if "bilateral" in text:
        return "bilateral"
    return "unspecified" if "unspecified" in text and _beside_sides(stem, titles) else None


def _bare(title: str) -> frozenset[str]:
    return frozenset(words(title).split()) - {"right", "left", "unspecified", "side", "of", "the"}


def _beside_sides(stem: str, titles: frozenset[str]) -> bool:
    """Whether an "unspecified" speaks of the side: one more than the parent says, or the same
    title with a side elsewhere in the category, or the same words beside it."""
    entry = entries()[stem]
    above = words(entry.parent.title).split() if entry.parent else []
    text = words(entry.title).split()
    sides = ("right", "left", "right dominant", "bilateral")
    if any(title in titles for title in _swapped(text, "unspecified", *sides)):
        return True
    sided = [
        sibling
        for sibling in (entry.parent.children if entry.parent else ())
        if {"right", "left"} & set(words(sibling.title).split())
    ]
    more = text.count("unspecified") > above.count("unspecified")
    return any(more or _bare(sibling.title) == _bare(entry.title) for sibling in sided)


def side_of(code: Complete) -> str | None:
    if code.seventh:
        for side in ("right", "left", "bilateral", "unspecified"):
            if code.seventh in (f"{side} eye", side):
                return side
    return _side_of_title(code.entry.stem)


def _fits(code: Complete, wanted: dict[str, str], said: str) -> bool:
    text = code.seventh
    side = side_of(code)
    if side is not None:
        given = wanted.get("side")
        # Where the seventh character itself tells the side, its text needs no attribute.
        told = text in (side, f"{side} eye") and words(wanted.get("seventh", "")) == words(text)
        if given is None and told:
            given = side
        # Official wording that holds the side itself needs no attribute.
        if given is None and (words(code.entry.title) == said or side in said.split()):
            given = side
        if side != (given or "unspecified"):
            return False
    phase = phase_of(text)
    if phase and "phase" in wanted and wanted["phase"] != phase:
        return False
    fracture = fracture_of(text)
    stated = wanted.get("fracture", "closed")
    if fracture == "open":
        if stated == "closed":
            return False
    elif fracture and stated != fracture:
        return False
    healing = healing_of(text)
    if healing and "healing" in wanted and wanted["healing"] != healing:
        return False
    if "seventh" in wanted:
        texts = {words(t) for t in (code.entry.characters() or {}).values()}
        if words(wanted["seventh"]) in texts and words(wanted["seventh"]) != words(text or ""):
            return False
    return True


@cache
def _bearers(said: str) -> tuple[str, ...]:
    """The codes that bear the wording; a subcategory gives way to a code below it that bears
    the same title (M35.8 to M35.89)."""
    stems = named().get(said, ())
    return tuple(stem for stem in stems if not any(o != stem and o.startswith(stem) for o in stems))


@cache
def _resolved(term: str, attributes: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    said = words(term)
    wanted = dict(attributes)
    # A code below that bears the title may leave open what an attribute states (S97.109 below
    # S97.10, with a side): then the subcategory is meant after all.
    for stems in (_bearers(said), named().get(said, ())):
        codes = {
            code.stem
            for stem in stems
            for code in under(stem)
            if _fits(code, wanted, said) and status(code.stem, RELEASE) == "valid"
        }
        if codes:
            return tuple(sorted(codes))
    return ()


def resolved(term: str, attributes: dict[str, str]) -> tuple[str, ...]:
    """Stems of the complete codes that official wording and attributes leave, sorted."""
    return _resolved(term, tuple(sorted(attributes.items())))
