"""Makes ``seeds/slips.csv``: how much likelier a slip of the pen is by its looks.

    python tools/slips.py

Takes claims of the default mix and weighs the slips of their lines until wrong codes as a
whole look like the right ones: the share of each feature (see ``features``) moves step by step
towards its share among the right codes (raking). Prints the weights of lines by first letter,
which stand in ``casegen/injectors/untraceable_code.py``. The guard that judges the outcome,
``tests/guards/test_untraceable_auc.py``, uses other seeds. Takes some minutes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log
from pathlib import Path

import numpy as np

import casegen
from casegen.injectors import untraceable_code
from casegen.injectors.model import Broken, Work
from casegen.injectors.slips import EIGHTH, fits_in, size_of, variants
from casegen.knowledge import world_of

SEEDS = (1, 2, 3, 4)
CASES = 15_000
ROUNDS = 80
FILE = Path(__file__).parent.parent / "seeds" / "slips.csv"
# How far a feature moves in a round; those that many codes share move less.
STEPS = {"all,length": 0.5, "all,size": 0.3, "letter": 0.25, "length": 0.15, "pair": 0.2}
# Codes that every feature is thought to have beside those seen.
BESIDE = 30
FARTHEST = 4.0
EVEN = 8

Feature = tuple[str, str, str]


@dataclass(slots=True)
class Seen:
    """Right codes of claims, and wrong ones that are no slips, with their numbers; for each
    slip the codes that it may be one of."""

    right: Counter[str] = field(default_factory=Counter)
    dated: Counter[str] = field(default_factory=Counter)
    choices: list[list[str]] = field(default_factory=list)


def features(stem: str) -> list[Feature]:
    """Table, key and character of all that is weighed in a code without its dot."""
    store = world_of("train").tables.store
    length = len(stem)
    found = [("all", "length", f"{stem[0]}{length}")]
    if length > 3:
        found.append(("all", "size", size_of(store, stem[:3])))
    for place in range(1, length):
        found.append(("letter", f"{stem[0]}{place}", stem[place]))
        found.append(("length", f"{length}{place}", stem[place]))
        if place > 1:
            found.append(("pair", str(place), stem[place - 1 : place + 1]))
    return found


def watch(seen: Seen) -> None:
    """From now on note from which lines each untraceable code was chosen."""
    chosen = untraceable_code.UntraceableCode.apply

    def apply(plan: untraceable_code.UntraceableCode, work: Work) -> Broken | None:
        lines = [d for d in work.drafts if not d.taken and d.right == d.code and d.facts]
        reserved = work.of_problem(plan.problem) if plan.problem else None
        codes = [d.code.replace(".", "") for d in lines if d.service is None]
        broken = chosen(plan, work)
        if broken is not None and broken.replacement and broken.draft.service is None:
            wrong = broken.draft.code.replace(".", "")
            if broken.kind == "never_existed":
                seen.choices.append([reserved.code.replace(".", "")] if reserved else codes)
            elif broken.kind != "other_system" and len(wrong) > 2:
                seen.dated[wrong] += 1
        return broken

    untraceable_code.UntraceableCode.apply = apply  # type: ignore[method-assign]


def look() -> Seen:
    """What the claims of ``SEEDS`` hold."""
    seen = Seen()
    watch(seen)
    for seed in SEEDS:
        for case in casegen.make("audit-v0", seed=seed).cases(0, CASES):
            wrong = {f.line for f in case.findings if f.error_type == "untraceable_code"}
            short = {f.line for f in case.findings if f.kind == "incomplete"}
            for line in case.claim:
                if line.system == "ICD-10-CM" and line.line not in wrong | short:
                    seen.right[line.code.replace(".", "")] += 1
    return seen


class Rows:
    """Codes as rows of feature numbers; ``shares`` sums weights of rows by feature."""

    def __init__(self, stems: list[str], numbers: dict[Feature, int]) -> None:
        rows = [[numbers.setdefault(f, len(numbers)) for f in features(s)] for s in stems]
        self.at = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        self.feature = np.array([f for row in rows for f in row], int)
        self.first = np.array([ord(stem[0]) - ord("A") for stem in stems], int)
        self.count = len(rows)

    def shares(self, weights: np.ndarray, size: int) -> np.ndarray:
        return np.bincount(self.feature, weights[self.at], size)

    def sums(self, figures: np.ndarray) -> np.ndarray:
        return np.bincount(self.at, figures[self.feature], self.count)

    def letters(self, weights: np.ndarray) -> np.ndarray:
        return np.bincount(self.first, weights, 26)


def rake(seen: Seen) -> tuple[dict[Feature, float], np.ndarray]:
    """Figures of features, and of lines by first letter, as natural logarithms."""
    store = world_of("train").tables.store
    codes = sorted({code for choice in seen.choices for code in choice})
    slips, owner, common = [], [], []
    for number, code in enumerate(codes):
        for slip, figure in variants(store, code).items():
            if fits_in(store, slip):
                slips.append(slip)
                owner.append(number)
                common.append(figure / EIGHTH * log(2))
    numbers: dict[Feature, int] = {}
    right, dated = Rows(list(seen.right), numbers), Rows(list(seen.dated), numbers)
    rows, of = Rows(slips, numbers), np.array(owner)
    size = len(numbers)
    step = np.array([STEPS.get(f"{f[0]},{f[1]}") or STEPS[f[0]] for f in numbers])
    number_of = {code: number for number, code in enumerate(codes)}
    able = set(owner)
    lines = [(i, number_of[c]) for i, choice in enumerate(seen.choices) for c in choice]
    event, line = np.array([pair for pair in lines if pair[1] in able]).T
    letter = np.array([ord(code[0]) - ord("A") for code in codes])

    counts = np.array(list(seen.right.values()), float)
    wanted, wanted_letters = right.shares(counts, size), right.letters(counts)
    fixed = np.array(list(seen.dated.values()), float)
    total = len(set(event)) + fixed.sum()
    figures, by_letter = np.zeros(size), np.zeros(26)
    for _ in range(ROUNDS):
        odds = np.exp(np.array(common) + rows.sums(figures))
        odds /= np.bincount(of, odds, len(codes))[of]
        chances = np.exp(by_letter[letter[line]])
        chances /= np.bincount(event, chances, len(seen.choices))[event]
        made = np.bincount(line, chances, len(codes))[of] * odds
        have = (rows.shares(made, size) + dated.shares(fixed, size)) / total
        least = BESIDE / total
        figures += step * np.log((wanted / counts.sum() + least) / (have + least))
        figures = np.clip(figures, -FARTHEST, FARTHEST)
        letters = (rows.letters(made) + dated.letters(fixed)) / total
        by_letter += 0.5 * np.log((wanted_letters / counts.sum() + 0.001) / (letters + 0.001))
        by_letter = np.clip(by_letter - by_letter.mean(), -2.5, 2.5)
    return {feature: float(figures[n]) for feature, n in numbers.items()}, by_letter


def write(figures: dict[Feature, float]) -> None:
    """Write the file; figures of nothing are left out."""
    rows: dict[tuple[str, str], list[str]] = {}
    for (table, key, char), figure in sorted(figures.items()):
        eighths = round(figure / log(2) * EIGHTH)
        if eighths:
            rows.setdefault((table, key), []).append(f"{char}:{eighths}")
    lines = [f"{table},{key},{' '.join(row)}" for (table, key), row in rows.items()]
    FILE.write_text("\n".join(["table,key,figures", *lines]) + "\n", "ascii")


def main() -> None:
    """Look, weigh, write."""
    figures, by_letter = rake(look())
    write(figures)
    print({chr(65 + n): max(1, round(EVEN * float(np.exp(by_letter[n])))) for n in range(26)})


if __name__ == "__main__":
    main()
