"""Where an excerpt speaks of a code, and with what reservations. Plain patterns, no tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from casegen.env.writing.reading import sentences

from .lexicon import bare, plain
from .titles import Title

_BETWEEN = " \u00b6 "
_HEADER = re.compile(r"^[^\n]*\n\s*\n")
_HOSPITAL = re.compile(r"\binpatient\b|\bhospital stay\b", re.I)
_FACILITY = re.compile(r"\bfacility\b|\bfor the hospital\b", re.I)
# A negation reaches so many words, or to the end of its sentence.
_NO_WORDS = frozenset({"no", "without", "never", "not", "non"})
_NO_REACH = 5
_NO_TO_END = re.compile(
    r"\b(?:denies|denied|negative for|has not noticed|free of|nothing like|no sign of)\b.*$", re.I
)
RULED_OUT = re.compile(
    r"\bruled? (?:it |this |that )?out\b|\bexclud|\bis not present\b|\bspeaks? against\b"
    r"|\bnot confirmed\b|\bdiscarded\b|\bwas considered\b",
    re.I,
)
_NOT_RULED = re.compile(
    r"\bn(?:ot|either)\b[^.;]*\bruled out\b|\bto (?:be )?rule[d]? out\b|\br/o\b", re.I
)
PAST = re.compile(
    r"\bhistory of\b|\bpast\b|\bprevious(?:ly)?\b|\bformer(?:ly)?\b|\bno evidence of disease\b"
    r"|\btreatment (?:is |was |long )*(?:over|done|complete|finished|ended)\b|\bold\b|\bearlier\b"
    r"|\bno residue\b|\byears? ago\b|\bmonths ago\b|\bno longer\b|\blong (?:over|finished)\b"
    r"|\bs/p\b|\bstatus post\b|\bno sign of it\b|\bcured\b|\bgone since\b|\bhealed\b|\bremote\b",
    re.I,
)
UNCERTAIN = re.compile(
    r"\bprobabl[ey]\b|\bsuspect|\blikely\b|\bpossibl[ey]\b|\brule out\b|\br/o\b|\bpresum"
    r"|\bquestion(?:able)? of\b|\bworking diagnosis\b|\bversus\b|\bvs\b|\bcompatible with\b"
    r"|\bconsistent with\b|\bto be ruled out\b|\bmay be\b|\bmight be\b",
    re.I,
)


@dataclass(slots=True)
class Sentence:
    """A sentence of the excerpt: its words, and those of them that it denies."""

    text: str
    words: frozenset[str]
    denied: frozenset[str]
    ruled_out: bool
    past: bool
    uncertain: bool


@dataclass(slots=True)
class Mention:
    """A sentence that speaks of a code; ``held`` counts the words of the title in it."""

    sentence: Sentence
    held: int
    share: float


@dataclass(slots=True)
class Excerpt:
    """An excerpt as it is read: by sentences, and whether a hospital bills an inpatient stay."""

    stay: bool
    sentences: list[Sentence]
    places: dict[str, set[int]] = field(default_factory=dict)

    def mentions(self, wanted: frozenset[str], least: float) -> list[Mention]:
        """The sentences with at least that share of the words, the fullest first, in their
        order where they are as full."""
        counted: dict[int, int] = {}
        for word in wanted:
            for place in self.places.get(word, ()):
                counted[place] = counted.get(place, 0) + 1
        found = [
            Mention(self.sentences[place], held, held / len(wanted))
            for place, held in sorted(counted.items())
            if held >= least * len(wanted)
        ]
        return sorted(found, key=lambda one: -one.held)

    def holds(self, word: str) -> bool:
        """Whether a word stands in the excerpt without being denied."""
        return word in self.places


@lru_cache(maxsize=16)
def excerpt_of(text: str) -> Excerpt:
    """The excerpt behind the line that names setting, date and patient. Not to be changed: it is
    shared."""
    head = text.partition("\n")[0]
    body = _HEADER.sub("", text)
    texts = sentences(body)
    # All at once: so many patterns cost less over one text than over each of its sentences.
    lows = plain(_BETWEEN.join(texts)).split(_BETWEEN) if texts else []
    found = [_sentence(text, low) for text, low in zip(texts, lows, strict=True)]
    excerpt = Excerpt(bool(_HOSPITAL.search(head) and _FACILITY.search(head)), found)
    for place, one in enumerate(found):
        for word in one.words - one.denied:
            excerpt.places.setdefault(word, set()).add(place)
    return excerpt


def _sentence(text: str, low: str) -> Sentence:
    settled = _NOT_RULED.sub("", low)
    return Sentence(
        text,
        frozenset(bare(low)),
        frozenset(_denied(low)),
        RULED_OUT.search(settled) is not None,
        PAST.search(low) is not None,
        UNCERTAIN.search(low) is not None or settled != low,
    )


def _denied(low: str) -> Iterable[str]:
    """The words of a sentence that a negation reaches."""
    to_end = _NO_TO_END.search(low)
    if to_end:
        yield from bare(to_end.group())
    for clause in re.split(r"[,;:.]", low):
        tokens = clause.split()
        for at, token in enumerate(tokens):
            if token in _NO_WORDS:
                yield from bare(" ".join(tokens[at + 1 : at + 1 + _NO_REACH]))


def sides_of(sentence: Sentence) -> frozenset[str]:
    """The sides that a sentence names."""
    low = sentence.text.lower()
    found = {side for side in ("right", "left") if re.search(rf"\b{side}\b", low)}
    if re.search(r"\b(?:bilateral(?:ly)?|both (?:sides|eyes|ears|knees|hips|legs))\b", low):
        found.add("bilateral")
    return frozenset(found)


def about(excerpt: Excerpt, title: Title, least: float) -> list[Mention]:
    """The sentences that speak of a code, by the words of the first part of its title that any
    sentence holds."""
    for part in title.parts:
        found = excerpt.mentions(part, least)
        if found:
            return found
    return []
