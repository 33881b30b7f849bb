"""The pen: appends text and remembers where each fact was stated."""

from __future__ import annotations

from casegen.schemas import Fact, Span

from .banks import Lead


class Pen:
    """Text in pieces with a running length, so that spans cost no search."""

    __slots__ = ("at", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.at = 0

    def put(self, text: str) -> None:
        """Append plain text."""
        self.pieces.append(text)
        self.at += len(text)

    def state(self, text: str, fact: Fact, after: str = " ") -> None:
        """Append text that states ``fact``, and what follows it."""
        start = self.at
        end = start + len(text)
        self.pieces.append(text)
        self.pieces.append(after)
        self.at = end + len(after)
        fact.spans.append(Span(start, end, text))

    def lead(self, lead: Lead, mention: str, fact: Fact) -> None:
        """Append a fact-carrying sentence with the mention in its place, and a space."""
        before, inner, inside, after = lead
        if not before and not inner:
            mention = mention[:1].upper() + mention[1:]
        text = f"{inner}{mention}{inside}"
        start = self.at + len(before)
        end = start + len(text)
        self.pieces.append(f"{before}{text}{after} ")
        self.at = end + len(after) + 1
        fact.spans.append(Span(start, end, text))

    def text(self) -> str:
        """The note so far."""
        return "".join(self.pieces)


def upper_first(text: str) -> str:
    """``text`` with a capital first letter."""
    return text[:1].upper() + text[1:]
