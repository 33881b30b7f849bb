"""Why a written agent does what it does: a sentence or two for each act, in plain words.

A reason uses nothing but the observation and words of the excerpt. What it puts in quotation
marks stands there word for word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from casegen.env.writing.voice import Voice
from casegen.env.writing.words import cited, listed, named
from casegen.schemas import Authority, Span
from casegen.schemas.coding_play import CodingObservation

_FILE = Path(__file__).with_name("clauses.yaml")
# A reason may begin with the code that it is about and its title.
_ABOUT = re.compile(r"^[A-Z]\d[0-9A-Z.]+ \(.*?\): ")
_PATIENT = re.compile(r"\b(woman|man|girl|boy|newborn|infant)\b", re.I)
_NONE = "nothing else"
Words = dict[str, str | None]


class Reasons:
    """Says why, by the case as an agent sees it."""

    def __init__(self, seen: CodingObservation) -> None:
        self.titles = seen.code_titles
        told = f"{seen.encounter_text}\n{' '.join(seen.allowed_codes)}"
        self._voice = Voice(told, _FILE)
        found = _PATIENT.search(seen.encounter_text)
        self._patient = found[1].lower() if found else "patient"

    def say(self, topic: str, step: int, words: Mapping[str, str | None]) -> str:
        """The text of a topic at a step."""
        return self._voice.say(topic, step, words)

    def of_code(self, code: str) -> Words:
        """What may always be said of an allowed code."""
        return {"code": code, "title": self.titles.get(code)}

    def of_draft(self, primary: str, secondary: Sequence[str]) -> Words:
        """What may be said of a whole draft."""
        return {
            "primary": primary or None,
            "secondary": listed(secondary),
            "patient": self._patient,
        }


def grounds(reason: str, authority: Authority, quotes: Sequence[str | None]) -> Words:
    """A reason as a clause, its authority, and words of the excerpt for it."""
    return {"because": clause(reason), "authority": named(authority)} | quoted(quotes)


def quoted(quotes: Sequence[str | None]) -> Words:
    """Words of the excerpt: one quotation, or several as a list that has its own marks."""
    told = [one for one in quotes if one]
    if len(told) < 2:
        return {"quote": told[0] if told else None}
    return {"quotes": listed([f'"{one}"' for one in told])}


def quote_of(evidence: Sequence[Span], at: int = 0) -> str | None:
    """Words that bear it out: the longest span that can be quoted whole, the next one for ``at``
    1, and so on."""
    texts = sorted({span.text for span in evidence}, key=lambda text: (-len(text), text))
    whole = [text for text in texts if cited(text) == text.rstrip(".;,")] or texts
    return cited(whole[at % len(whole)]) if whole else None


def clause(reason: str) -> str:
    """A reason as a part of a sentence: without the code in front, small at its beginning."""
    bare = _ABOUT.sub("", reason).rstrip(".")
    first = bare.partition(" ")[0]
    # A code or an abbreviation keeps its capitals.
    return bare if first[1:] != first[1:].lower() or "." in first else bare[0].lower() + bare[1:]
