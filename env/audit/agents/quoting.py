"""Cuts words out of a text so that they read as a whole: no half word, number or bracket."""

from __future__ import annotations

import re

from casegen.env.writing.brackets import OPENS, balanced, lonely_brackets
from casegen.schemas import Span

# Characters of a quotation that needs no words around it, and of one that has them at most.
_SHORT, _PHRASE = 25, 60
# A word or a number with what joins its parts: "10-year-old", "98/64", "36.8".
_WORD = re.compile(r"\w+(?:[-.,/':]\w+)*")


def quoted(note: str, span: Span) -> str:
    """The words of a span; a short one with words of its line around it, so that it can be found
    again and says something by itself."""
    first = note.rfind("\n", 0, span.start) + 1
    last = note.find("\n", span.end)
    line = note[first : last if last >= 0 else len(note)]
    start, end = _whole_words(line, span.start - first, span.end - first)
    whole = line[start:end]
    while True:
        lonely = lonely_brackets(line[start:end])
        if not lonely:
            whole = line[start:end]
        if len(whole) >= _SHORT:
            break
        wider = _wider(line, start, end, bool(lonely) and line[start + lonely[-1]] not in OPENS)
        if wider == (start, end) or wider[1] - wider[0] > _PHRASE:
            break
        start, end = wider
    return balanced(whole).strip(" ,;:")


def _whole_words(line: str, start: int, end: int) -> tuple[int, int]:
    """A place with the whole of the words at its ends."""
    return _word_at(line, start)[0], _word_at(line, end)[1]


def _word_at(line: str, at: int) -> tuple[int, int]:
    """The word that goes on over a place, or nothing at it."""
    before, after = line.rfind(" ", 0, at), line.find(" ", at)
    for word in _WORD.finditer(line, before + 1, after if after >= 0 else len(line)):
        if word.start() < at < word.end():
            return word.span()
    return at, at


def _wider(line: str, start: int, end: int, onwards: bool) -> tuple[int, int]:
    """A place with one word more: behind it if an open bracket asks for that, else before it as
    long as there is one."""
    if start > 0 and not onwards:
        return line.rfind(" ", 0, max(0, start - 1)) + 1, end
    after = line.find(" ", end + 1)
    return start, after if after >= 0 else len(line)
