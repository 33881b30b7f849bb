"""A CSV file of any size from the code set itself: titles and inclusion terms, written in haste.

Few codes are common and most are rare, as in practice. The same size gives the same bytes.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from casegen.seeds.icd10cm.listing import chapter_codes
from casegen.seeds.icd10cm.tables import Tables, load

SHORT = {
    "unspecified": "unsp", "without": "w/o", "with": "w/", "initial encounter": "init encntr",
    "right": "rt", "left": "lt", "acute": "ac", "chronic": "chr", "disease": "dis",
    "fracture": "fx", "history": "hx",
}  # fmt: skip


class Draws:
    """Numbers below 1 from the words of a Philox stream, whose bits NumPy guarantees."""

    def __init__(self, seed: int) -> None:
        self._words = np.random.Philox(key=seed)

    def next(self, count: int) -> list[float]:
        return [int(word) / 2**64 for word in self._words.random_raw(count)]


def write_csv(path: Path, rows: int, codes: int = 74_719) -> None:
    """``rows`` rows over at most ``codes`` different codes."""
    tables = load()
    draws = Draws(7)
    every = [code for chapter in range(1, 23) for code in chapter_codes(tables, chapter)]
    order = np.argsort(draws.next(len(every)), kind="stable")[:codes]
    reach = np.cumsum(1 / np.arange(10, len(order) + 10))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("text", "code"))
        for _ in range(rows):
            which, term, *haste = draws.next(36)
            place = int(np.searchsorted(reach, which * reach[-1], side="right"))
            code = every[order[min(place, len(order) - 1)]]
            writer.writerow((wording(tables, code, term, haste), code))


def wording(tables: Tables, code: str, term: float, haste: list[float]) -> str:
    """One way to write what a code says."""
    terms = [tables.title(code), *tables.terms(code)]
    text = terms[int(term * len(terms))]
    if haste[0] < 0.3:
        for word, short in SHORT.items():
            text = text.replace(word, short)
    words = text.split()
    kept = [word for at, word in enumerate(words) if haste[2 + at % 32] >= 0.12] or words
    text = " ".join(reversed(kept) if haste[0] > 0.8 else kept)
    return text.upper() if haste[1] < 0.1 else text
