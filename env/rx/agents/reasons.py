"""Why a written agent does what it does: a sentence or two for each act, in plain words.

A reason uses nothing but the observation and words of the record that was read. What it puts in
quotation marks stands there word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from casegen.env.writing.voice import Voice
from casegen.env.writing.words import cited, listed
from casegen.schemas.rx_case import RxAuthority
from casegen.schemas.rx_play import RxObservation
from casegen.seeds.rx.model import Authority

_FILE = Path(__file__).with_name("clauses.yaml")
_MOST_SEEN = 3  # entries that are repeated when the next part is asked for
_LAST = {
    "medications": "known_allergies",
    "conditions": "current_medications",
}
Words = dict[str, str | None]


class Reasons:
    """Says why, by the case as an agent sees it at first."""

    def __init__(self, seen: RxObservation) -> None:
        told = (seen.patient_name, seen.drug_name, seen.drug_dose, seen.drug_frequency,
                seen.indication, seen.prescription_id)  # fmt: skip
        self._voice = Voice("\n".join(told), _FILE)
        self._words: Words = {
            "who": seen.patient_name,
            "drug": seen.drug_name,
            "dose": seen.drug_dose,
            "often": seen.drug_frequency,
            "purpose": seen.indication or None,
        }

    def say(self, topic: str, number: int, words: Mapping[str, str | None]) -> str:
        """The text of a topic; another number may make another text of it."""
        return _begun(self._voice.say(topic, number, {**self._words, **words}))

    def asking(self, source: str, seen: RxObservation) -> str:
        """Why a part of the record is asked for; it begins with what was read last."""
        entries = getattr(seen, _LAST[source]) if source in _LAST else None
        some = [f'"{cited(entry)}"' for entry in (entries or ())[:_MOST_SEEN] if cited(entry)]
        left = len(entries or ()) - len(some)
        more = [f"{left} more"] if left > 0 else []
        told = listed([*some, *more]) if entries else "nothing"
        return self.say(f"ask_{source}", seen.step_count, {"seen": told})


def quoted(texts: Iterable[str]) -> str | None:
    """The longest of these words that can be quoted."""
    return next((found for text in sorted(texts, key=len, reverse=True) if (found := cited(text))),
                None)  # fmt: skip


def clause(reason: str) -> str:
    """A reason as a part of a sentence: small at its beginning, without the full stop. A name or
    an abbreviation keeps its capitals."""
    bare = reason.strip().rstrip(".")
    first = bare.partition(" ")[0]
    common = first.lower() in _COMMON
    return bare[0].lower() + bare[1:] if common and bare else bare


_COMMON = frozenset("a an the in of to its he she it both beside these this that and".split())


def named(authorities: Sequence[Authority] | Sequence[RxAuthority]) -> str | None:
    """Authorities as a sentence may hold them, the places in each together."""
    places: dict[str, list[str]] = {}
    for one in authorities:
        label = one.source == "label"
        name = f"the label of {one.reference}" if label else f"the {one.reference}"
        numbered = label and one.section[0].isdigit()
        places.setdefault(name, []).append(f"section {one.section}" if numbered else one.section)
    return listed([f"{name} ({listed(found)})" for name, found in places.items()])


def _begun(text: str) -> str:
    """A text whose sentences begin with a capital; what stands in quotation marks is left."""
    parts = text.split('"')
    for at in range(0, len(parts), 2):
        start = r"(^|[.!?] )([a-z])" if at == 0 else r"([.!?] )([a-z])"
        parts[at] = re.sub(start, lambda found: found[1] + found[2].upper(), parts[at])
    return '"'.join(parts)
