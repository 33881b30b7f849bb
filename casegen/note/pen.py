"""The pen: appends text and remembers where each fact was stated."""

from __future__ import annotations

from itertools import accumulate

from casegen.schemas import Fact, Span

_MOST = 3_300  # characters, some 540 words


class Pen:
    """Text in pieces. A fact is marked with the number of the piece that states it, and its
    span is reckoned when the note is complete, from running sums of the lengths.

    ``put`` appends plain text. A mark is the fact, the piece, the place within it, the text.
    """

    __slots__ = ("marks", "pieces", "put")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.put = self.pieces.append
        self.marks: list[tuple[Fact, int, int, str]] = []

    def state(self, text: str, fact: Fact, after: str = " ") -> None:
        """Append text that states ``fact``, and what follows it."""
        pieces = self.pieces
        self.marks.append((fact, len(pieces), 0, text))
        pieces += (text, after)

    def lead(self, lead: tuple[str, str, str, str], mention: str, fact: Fact) -> None:
        """Append a fact-carrying sentence with the mention in its place."""
        before, inner, inside, after = lead
        if not before and not inner:
            mention = upper_first(mention)
        text = f"{inner}{mention}{inside}" if inner or inside else mention
        pieces = self.pieces
        self.marks.append((fact, len(pieces) + 1, 0, text))
        pieces += (before, text, after)

    def shorten(self, spare: list[tuple[int, int]], most: int) -> None:
        """Leave out stretches of pieces in ``spare``, which state no fact, the last first, while
        the text has more than ``most`` characters."""
        pieces = self.pieces
        size = sum(map(len, pieces))
        for start, end in reversed(spare):
            if size <= most:
                return
            size -= sum(map(len, pieces[start:end]))
            pieces[start:end] = [""] * (end - start)

    def finish(self, spare: list[tuple[int, int]]) -> str:
        """The note; every fact now has its spans. Where it became too long, the stretches of
        pieces in ``spare``, which state no fact, are left out."""
        pieces = self.pieces
        if spare and sum(map(len, pieces)) > _MOST:
            for start, end in spare:
                pieces[start:end] = [""] * (end - start)
        starts = list(accumulate(map(len, pieces), initial=0))
        for fact, piece, within, text in self.marks:
            start = starts[piece] + within
            fact.spans.append(Span(start, start + len(text), text))
        return "".join(pieces).rstrip()


def upper_first(text: str) -> str:
    """``text`` with a capital first letter, unless a capital follows (eGFR)."""
    return text if text[1:2].isupper() else text[:1].upper() + text[1:]
