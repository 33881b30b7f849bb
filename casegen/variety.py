"""How varied notes are: words, and sequences of words that come back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import quantiles

from casegen.schemas.anycase import AnyCase

LENGTH = 8
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|#")
_NUMBER = re.compile(r"\d+(?:[./:-]\d+)*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def mask(case: AnyCase) -> str:
    """The note in lower case with names and numbers masked (dates are numbers)."""
    text = case.note
    for part in case.patient.name.split():
        text = re.sub(rf"\b{re.escape(part)}\b", "#", text)
    return _NUMBER.sub("#", text).lower()


@dataclass(slots=True)
class Variety:
    """Figures over many notes; shares are between 0 and 1."""

    notes: int
    words_quartiles: tuple[float, float, float]
    different_words: int
    repeated_within_sentences: float
    repeated_across_sentences: float


def variety(cases: Iterable[AnyCase]) -> Variety:
    """Measure notes. A sequence of eight words counts as repeated if it stands more than once
    in all notes together."""
    lengths: list[int] = []
    words: set[str] = set()
    within: Counter[tuple[str, ...]] = Counter()
    across: Counter[tuple[str, ...]] = Counter()
    for case in cases:
        lengths.append(len(case.note.split()))
        text = mask(case)
        tokens = _WORD.findall(text)
        words.update(tokens)
        across.update(_sequences(tokens))
        for sentence in _SENTENCE.split(text):
            within.update(_sequences(_WORD.findall(sentence)))
    if len(lengths) > 1:
        low, middle, high = quantiles(lengths, n=4)
    else:
        low = middle = high = float(lengths[0]) if lengths else 0.0
    return Variety(
        len(lengths), (low, middle, high), len(words), _repeated(within), _repeated(across)
    )


def _sequences(tokens: list[str]) -> Iterable[tuple[str, ...]]:
    return (tuple(tokens[i : i + LENGTH]) for i in range(len(tokens) - LENGTH + 1))


def _repeated(counts: Counter[tuple[str, ...]]) -> float:
    """The share of different sequences that occur more than once."""
    return sum(1 for n in counts.values() if n > 1) / len(counts) if counts else 0.0
