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
_RUN = re.compile(r"\s\s+|^\s+")


def find_span(note: str, text: str) -> Span | None:
    """Where the note holds ``text`` word by word, case as it stands and any run of white space
    for any other, with the offsets and the characters of the note itself: the first place where
    whole words stand ("man" is no part of "woman"), else the first.

    None where it doesn't, and for less than 3 letters or figures or more than 600 characters.
    """
    found = find_spans(note, text)
    whole = (span for span in found if _whole(note, span))
    return next(whole, found[0] if found else None)


def find_spans(note: str, text: str) -> tuple[Span, ...]:
    """All places (the first fifty) at which ``find_span`` looks."""
    found = []
    for span in _places(note, text):
        found.append(span)
        if len(found) == _OCCURRENCES:
            break
    return tuple(found)


def _whole(note: str, span: Span) -> bool:
    """Whether no word is cut at either end."""
    before = note[span.start - 1] if span.start else " "
    after = note[span.end] if span.end < len(note) else " "
    return not (before.isalnum() and note[span.start].isalnum()) and not (
        after.isalnum() and note[span.end - 1].isalnum()
    )


def _places(note: str, text: str) -> Iterator[Span]:
    wanted = " ".join(text.split())
    if len(wanted) > MOST or sum(map(str.isalnum, wanted)) < LEAST:
        return
    folded, places, left_out = _folded(note)
    at = folded.find(wanted)
    while at >= 0:
        last = at + len(wanted) - 1
        begin = at + left_out[bisect_right(places, at)]
        end = last + left_out[bisect_right(places, last)] + 1
        yield Span(begin, end, note[begin:end])
        at = folded.find(wanted, at + 1)


@lru_cache(maxsize=_NOTES)
def _folded(note: str) -> tuple[str, list[int], list[int]]:
    """The note with single blanks; the places in it before which white space was left out, and
    how many characters were up to the first of them, the second, and so on."""
    places, left_out = [], [0]
    for run in _RUN.finditer(note):
        # One blank stands for a run, and none for that before the first word.
        left_out.append(left_out[-1] + run.end() - run.start() - (run.start() > 0))
        places.append(run.end() - left_out[-1])
    return " ".join(note.split()), places, left_out


def supports(span: Span, expected: Iterable[Span]) -> bool:
    """Whether an extracted span bears on one of the spans on which a finding rests.

    It holds at least half of the expected words, or lies with at least half of itself (and
    no mere scrap) in them; and it is at most three times as long, but for a short phrase: the
    whole note is no evidence. Words that stand in the note twice count wherever they were
    found, since an agent gives words and no place.
    """
    return any(_supports(span, one) for one in expected)


def _supports(span: Span, expected: Span) -> bool:
    long, wanted = span.end - span.start, expected.end - expected.start
    if long > max(_TIMES * wanted, _PHRASE):
        return False
    shared = min(span.end, expected.end) - max(span.start, expected.start)
    if shared <= 0 and span.text in expected.text:
        shared = long
    return shared > 0 and (2 * shared >= wanted or (2 * shared >= long and shared >= _SCRAP))
