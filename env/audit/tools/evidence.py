"""``extract_evidence``: words of the note, and whether they bear on what a finding rests on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from casegen.schemas import Span

LEAST, MOST = 3, 600  # letters and figures at least, characters at most
_TIMES = 3  # words as evidence may be so many times as long as what they are to show
_PHRASE = 60  # but a short phrase around one word (an age, a sex) always may
_SCRAP = 12  # what lies within the expected words holds so many characters of them at least
_NOTES = 64
_OCCURRENCES = 50
_WORD = re.compile(r"\S+")


def find_span(note: str, text: str) -> Span | None:
    """Where the note holds ``text`` word by word, case as it stands and any run of white space
    for any other; the first place, with the offsets and the characters of the note itself.

    None where it doesn't, and for less than 3 letters or figures or more than 600 characters.
    """
    return next(_places(note, text), None)


def find_spans(note: str, text: str) -> tuple[Span, ...]:
    """All places (the first fifty) at which ``find_span`` could find the words."""
    found = []
    for span in _places(note, text):
        found.append(span)
        if len(found) == _OCCURRENCES:
            break
    return tuple(found)


def _places(note: str, text: str) -> Iterator[Span]:
    wanted = " ".join(text.split())
    if len(wanted) > MOST or sum(map(str.isalnum, wanted)) < LEAST:
        return
    folded, starts, true = _folded(note)
    at = folded.find(wanted)
    while at >= 0:
        first = bisect_right(starts, at) - 1
        last = bisect_right(starts, at + len(wanted) - 1) - 1
        begin = true[first] + at - starts[first]
        end = true[last] + at + len(wanted) - starts[last]
        yield Span(begin, end, note[begin:end])
        at = folded.find(wanted, at + 1)


@lru_cache(maxsize=_NOTES)
def _folded(note: str) -> tuple[str, list[int], list[int]]:
    """The note with single blanks, and where each word starts in it and in the true note."""
    words = list(_WORD.finditer(note))
    starts, at = [], 0
    for word in words:
        starts.append(at)
        at += word.end() - word.start() + 1
    return " ".join(word.group() for word in words), starts, [word.start() for word in words]


def supports(span: Span, expected: Iterable[Span]) -> bool:
    """Whether an extracted span bears on one of the spans on which a finding rests.

    It holds at least half of the expected words, or lies with at least half of itself (and
    no mere scrap) in them; and it is at most three times as long, but for a short phrase: the
    whole note is no evidence.
    """
    return any(_supports(span, one) for one in expected)


def _supports(span: Span, expected: Span) -> bool:
    shared = min(span.end, expected.end) - max(span.start, expected.start)
    long, wanted = span.end - span.start, expected.end - expected.start
    if shared <= 0 or long > max(_TIMES * wanted, _PHRASE):
        return False
    return 2 * shared >= wanted or (2 * shared >= long and shared >= _SCRAP)
