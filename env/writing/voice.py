"""Puts sentences together from the clauses of a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from casegen.schemas import TableError
from casegen.seeds.data import parse


class _Form(NamedTuple):
    text: str
    wanted: frozenset[str]


_Slots = tuple[tuple[_Form, ...], ...]


class Voice:
    """Chooses forms by a stable hash of ``told``, the case as an agent sees it, and of the step."""

    def __init__(self, told: str, file: Path) -> None:
        self._key = blake2b(told.encode(), digest_size=16).digest()
        self._file = file

    def say(self, topic: str, step: int, words: Mapping[str, str | None]) -> str:
        """The clauses of a topic as a text. Of each slot one form is said for which all words
        are at hand; a slot that has none is left out."""
        drawn = int.from_bytes(
            blake2b(f"{topic}/{step}".encode(), key=self._key, digest_size=8).digest()
        )
        given = {name: word for name, word in words.items() if word}
        have = given.keys()
        said = []
        for slot in _topics(self._file)[topic]:
            forms = [form for form in slot if form.wanted <= have]
            if forms:
                drawn, place = divmod(drawn, len(forms))
                said.append(forms[place].text.format_map(given))
        return " ".join(said)


@lru_cache(maxsize=8)
def _topics(file: Path) -> dict[str, _Slots]:
    content = parse(file.read_bytes(), file.name)
    if not isinstance(content, dict):
        raise TableError(f"{file.name}: must hold a mapping")
    return {
        topic: tuple(tuple(map(_form, slot)) for slot in rows) for topic, rows in content.items()
    }


def _form(text: str) -> _Form:
    return _Form(text, frozenset(name for _, name, _, _ in Formatter().parse(text) if name))
