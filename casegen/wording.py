"""How a problem is said: the sentences of one condition value or tail code.

Sentences are rendered on demand and kept: for each sex and side a problem has up to
``VARIANTS`` tellings of each part, so that a note costs look-ups and no templates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .randomness import Fixed
from .templates import Compiled, compile_template, render

VARIANTS = 8
_SHIFT = 29  # a draw has 32 bits, a variant's number 3
_TIMED = re.compile(
    r"\b(?:day|week|month|year|yesterday|today|since|ago|hour|morning|night|last|first)", re.I
)
_VITALS = {
    "circulation": re.compile(r"mmHg|blood pressure|\bBP\b|pulse|heart rate|bpm|beats", re.I),
    "breathing": re.compile(r"SpO2|saturation|respirat|breaths|room air|oxygen", re.I),
    "temperature": re.compile(r"°|temperature|afebrile|fever|\d C\b", re.I),
}
# A part of the body behind a comma: "chondromalacia, right ankle".
_SIDED_PART = re.compile(r", (?:right|left)(?= (?!side\b|and\b|or\b)[a-z])(?!-)")
_SIDE_WORD = re.compile(r"(?:, )?\b(?:right|left)\b(?!-| sided)(?: side\b)?")


class Wording:
    """The texts of one problem, as the data files have them.

    ``stratum`` chooses the neutral phrases for parts without texts; ``vitals`` names the vital
    signs that the texts speak of, so that no other text contradicts them. The names of
    ``spelled`` wordings hold their side as a word, as those of the long tail do.
    """

    __slots__ = (
        "_compiled", "_told", "_vitals", "background", "drugs", "exam", "names", "plan",
        "results", "spelled", "story", "stratum",
    )  # fmt: skip

    def __init__(
        self,
        names: Sequence[str],
        *,
        story: Sequence[str] = (),
        background: Sequence[str] = (),
        exam: Sequence[str] = (),
        results: Sequence[str] = (),
        plan: Sequence[str] = (),
        drugs: Sequence[str] = (),
        stratum: str = "disease",
        spelled: bool = False,
    ) -> None:
        self.names = names
        self.story = story
        self.background = background
        self.exam = exam
        self.results = results
        self.plan = plan
        self.drugs = drugs
        self.stratum = stratum
        self.spelled = spelled
        self._vitals: frozenset[str] | None = None if story or exam else _NO_VITALS
        self._told: dict[tuple[int, str], Telling] = {}
        self._compiled: dict[tuple[str, int], list[Compiled]] = {}

    @property
    def vitals(self) -> frozenset[str]:
        """The vital signs that the texts speak of."""
        if self._vitals is None:
            self._vitals = _spoken_vitals(self.exam, self.results, self.story)
        return self._vitals

    def compiled(self, kind: str, sex: int) -> list[Compiled]:
        """The templates of one part for one sex."""
        key = (kind, sex)
        found = self._compiled.get(key)
        if found is None:
            texts: Sequence[str] = getattr(self, kind)
            found = [compile_template(text, sex) if "{" in text else text for text in texts]
            self._compiled[key] = found
        return found

    def telling(self, sex: int, side: str) -> Telling:
        """The tellings for one sex (0 female, 1 male) and side ("" says none)."""
        told = self._told.get((sex, side))
        if told is None:
            told = self._told[sex, side] = Telling(self, sex, side)
        return told

    def part(self, telling: Telling, kind: str, count: int, draw: int) -> str:
        """``count`` sentences of ``story``, ``exam``, ``plan``, ``background`` or ``results``
        by a draw of 32 bits, joined by spaces; "" where there are none. A part is asked for in
        one or two lengths only."""
        key = kind if count == 1 else f"{kind}{count}"
        rows = telling.parts.get(key)
        if rows is None:
            rows = []
            if getattr(self, kind):
                rows += [None] * VARIANTS
            telling.parts[key] = rows
        if not rows:
            return ""
        row = draw >> _SHIFT
        text = rows[row]
        if text is None:
            text = rows[row] = self._make(telling, kind, count, row)
        return text

    def _make(self, telling: Telling, kind: str, count: int, row: int) -> str:
        bank = self.compiled(kind, telling.sex)
        side = telling.side
        # The numbers are the same on either side.
        lane = Fixed(f"{kind}/{count}/{self.names[0]}/{telling.sex}/{row}")
        size = len(bank)
        # Rows begin at every sentence in turn, so that all of them are told.
        start = row % size
        if kind == "exam" and count > 1 < size:
            # The first sentence is on the organ itself, and is never left out.
            bank = [bank[0], bank[1 + row % (size - 1)]]
            start, size = 0, 2
        if count == 1:
            return render(bank[start], lane, side)
        out: list[str] = []
        timed = False
        for i in range(start, start + size):
            text = render(bank[i % size], lane, side)
            # Stories are alternatives; two accounts of time would contradict each other.
            if kind == "story" and _TIMED.search(text):
                if timed:
                    continue
                timed = True
            out.append(text)
            if len(out) == count:
                break
        return " ".join(out)


_NO_VITALS: frozenset[str] = frozenset()


def _spoken_vitals(*banks: Sequence[str]) -> frozenset[str]:
    text = " ".join(sentence for bank in banks for sentence in bank)
    return frozenset(name for name, pattern in _VITALS.items() if pattern.search(text))


class Telling:
    """What is kept of a problem's sentences for one sex and side.

    ``names`` are noun phrases; ``parts`` the texts rendered so far. It does not hold its
    wording: the two would keep each other alive.
    """

    __slots__ = ("names", "parts", "sex", "side")

    def __init__(self, wording: Wording, sex: int, side: str) -> None:
        self.sex = sex
        self.side = side
        if wording.spelled:
            self.names = wording.names if side else [without_side(name) for name in wording.names]
        else:
            lane = Fixed(f"names/{wording.names[0]}")
            self.names = [render(name, lane, side) for name in wording.compiled("names", sex)]
        self.parts: dict[str, list[str | None]] = {}


def without_side(name: str) -> str:
    """``name`` without the words right and left (names of the long tail hold their side)."""
    if "right" not in name and "left" not in name:
        return name
    return " ".join(_SIDE_WORD.sub("", _SIDED_PART.sub(",", name)).split()).rstrip(" ,")
