"""What the official title of a code says: what of, which side, which phase, and how finely."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import drugs, telling

_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_SEVENTH = re.compile(r", (initial encounter|subsequent encounter|sequela)\b(.*)$")
_SIDE = re.compile(r"\b(right|left|bilateral|unspecified (?:side|ear|eye|limb|breast))\b")
_JOINT = re.compile(r" with | due to | associated with ")
_WITHOUT = re.compile(r"\b(?:without|not)\b(.*)$")
_PAST = re.compile(r"^(?:personal )?history of |^encounter for follow-up |status\b|^old ", re.I)
_USE = re.compile(r"^long.?term \(current\) use of|^long term use of", re.I)
_VAGUE = re.compile(r"\bunspecified\b|\bNOS\b", re.I)
_OTHER = re.compile(r"^other\b|\bother specified\b|not elsewhere classified", re.I)
_CAUSE = re.compile(
    r"as the cause of diseases|in diseases classified elsewhere|classified elsewhere"
)


@dataclass(frozen=True, slots=True)
class Title:
    """A title taken apart.

    ``parts`` are the words of what it joins by "with" or "due to", ``absent`` those of what it
    says is not there; ``side`` is right, left or bilateral; ``seventh`` the words on the phase of
    care; ``past`` marks a history or a status, ``drugs`` the drugs of a code of long-term use,
    ``follows`` a code that never stands first by its title.
    """

    code: str
    title: str
    parts: tuple[frozenset[str], ...]
    absent: frozenset[str]
    side: str | None
    seventh: str
    vague: bool
    other: bool
    past: bool
    drugs: frozenset[str]
    follows: bool

    @property
    def family(self) -> str:
        """The category."""
        return self.code[:3]

    @property
    def words(self) -> frozenset[str]:
        """All words of its parts."""
        return frozenset().union(*self.parts)


@lru_cache(maxsize=8_192)
def title_of(code: str, title: str) -> Title:
    """The title of a code, taken apart."""
    use = bool(_USE.search(title))
    bare = _ASIDE.sub("", title)
    seventh = _SEVENTH.search(bare)
    told = bare[: seventh.start()] if seventh else bare
    side = _SIDE.search(told.lower())
    absent = _WITHOUT.search(told)
    if absent:
        told = told[: absent.start()]
    past = _PAST.search(told) is not None
    told = _PAST.sub("", told)
    told = _CAUSE.sub("", told)
    parts = tuple(filter(None, (telling(part) for part in _JOINT.split(told))))
    return Title(
        code,
        title,
        parts,
        telling(absent[1]) if absent else frozenset(),
        side[1] if side and not side[1].startswith("unspecified") else None,
        seventh[0].removeprefix(", ") if seventh else "",
        _VAGUE.search(title) is not None,
        _OTHER.search(title) is not None,
        past,
        drugs(title) if use else frozenset(),
        _CAUSE.search(title) is not None,
    )
