"""Puts sentences together from the clauses of ``clauses.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from casegen.schemas import TableError
from casegen.schemas.play import AuditObservation
from casegen.seeds.data import parse

_FILE = Path(__file__).with_name("clauses.yaml")


class _Form(NamedTuple):
    text: str
    wanted: frozenset[str]


_Slots = tuple[tuple[_Form, ...], ...]


class Voice:
    """Chooses forms by a stable hash of the case as an agent sees it, and of the step."""

    def __init__(self, seen: AuditObservation) -> None:
        codes = " ".join(seen.proposed_codes)
        told = f"{seen.patient_demographics['mrn']}\n{codes}\n{seen.clinical_note}"
        self._key = blake2b(told.encode(), digest_size=16).digest()

    def say(self, topic: str, step: int, words: Mapping[str, str | None]) -> str:
        """The clauses of a topic as a text. Of each slot one form is said for which all words
        are at hand; a slot that has none is left out."""
        drawn = int.from_bytes(
            blake2b(f"{topic}/{step}".encode(), key=self._key, digest_size=8).digest()
        )
        given = {name: word for name, word in words.items() if word}
        have = given.keys()
        said = []
        for slot in _topics()[topic]:
            forms = [form for form in slot if form.wanted <= have]
            if forms:
                drawn, place = divmod(drawn, len(forms))
                said.append(forms[place].text.format_map(given))
        return " ".join(said)


@lru_cache(maxsize=1)
def _topics() -> dict[str, _Slots]:
    content = parse(_FILE.read_bytes(), _FILE.name)
    if not isinstance(content, dict):
        raise TableError(f"{_FILE.name}: must hold a mapping")
    return {
        topic: tuple(tuple(map(_form, slot)) for slot in rows) for topic, rows in content.items()
    }


def _form(text: str) -> _Form:
    return _Form(text, frozenset(name for _, name, _, _ in Formatter().parse(text) if name))
