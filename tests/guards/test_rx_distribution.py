"""What many rx cases together must look like: kinds, shares, splits, wording, redraws."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations
from typing import get_args

import pytest

import casegen
from casegen.config import SPLITS
from casegen.rx.draw import OTHER_SPLIT
from casegen.rx.kinds import SPARED, WRONG
from casegen.rx.levels import levels
from casegen.schemas import RxCase
from casegen.schemas.rx_case import DecoyKind, Problem
from casegen.variety import mask

FULL = os.environ.get("CASEGEN_FULL") == "1"
CASES = 10_000 if FULL else 900
OTHERS = CASES // 2
# Each kind so often in 10,000 cases.
LEAST = 100


@dataclass
class Seen:
    """Counts over many cases, which need not stay in memory."""

    cases: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    drugs: Counter[str] = field(default_factory=Counter)
    redraws: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)
    safe: int = 0
    keys: set[str] = field(default_factory=set)
    prints: Counter[tuple[str, bytes]] = field(default_factory=Counter)

    def add(self, case: RxCase) -> None:
        self.cases += 1
        self.kinds.update(case.kinds)
        self.levels[case.difficulty] += 1
        self.answers[case.recommendation] += 1
        self.drugs[case.prescription.drug.casefold()] += 1
        self.redraws.update(case.redraws)
        lists = (case.allergies, case.medications, case.conditions_listed)
        self.lines.update(span.text for spans in lists for span in spans)
        self.sizes.append(sum(map(len, lists)))
        self.safe += not case.findings
        self.keys.add(case.structural_key)
        told = blake2b(mask(case).encode(), digest_size=12).digest()
        self.prints[case.structural_key, told] += 1


def see(split: str, count: int) -> Seen:
    seen = Seen()
    for case in casegen.make("rx-v0", seed=7, split=split).cases(0, count):
        seen.add(case)
    return seen


@pytest.fixture(scope="module")
def seen() -> Seen:
    return see("train", CASES)


@pytest.fixture(scope="module")
def others() -> dict[str, Seen]:
    return {split: see(split, OTHERS) for split in SPLITS if split != "train"}


def test_every_case_is_certified(seen: Seen) -> None:
    # What could not be certified would have been refused.
    assert seen.cases == CASES


def test_no_case_comes_twice(seen: Seen, others: dict[str, Seen]) -> None:
    for one in (seen, *others.values()):
        assert max(one.prints.values()) == 1
        assert len(one.keys) >= 0.99 * one.cases


def test_the_splits_share_no_structural_key(seen: Seen, others: dict[str, Seen]) -> None:
    keys = [seen.keys, *(one.keys for one in others.values())]
    for one, other in combinations(keys, 2):
        assert not one & other


def test_every_kind_is_drawn(seen: Seen, others: dict[str, Seen]) -> None:
    kinds = {*get_args(Problem), *get_args(DecoyKind)}
    assert {one.name for one in (*WRONG, *SPARED)} == kinds
    for kind in kinds:
        # Half of the share will do in a small sample.
        least = LEAST if FULL else max(1, LEAST * CASES // 20_000)
        assert seen.kinds[kind] >= least, (kind, seen.kinds)
        for one in others.values():
            assert one.kinds[kind], kind


def test_about_a_quarter_of_the_prescriptions_is_safe(seen: Seen) -> None:
    assert 0.20 <= seen.safe / seen.cases <= 0.35
    assert min(seen.answers.values()) >= 0.2 * seen.cases


def test_levels_have_their_shares(seen: Seen) -> None:
    for name, level in levels().items():
        assert abs(100 * seen.levels[name] / seen.cases - level.weight) < 5


def test_records_are_of_many_lengths(seen: Seen) -> None:
    sizes = sorted(seen.sizes)
    assert sizes[0] >= 4
    assert sizes[-1] <= 30
    assert 8 <= sizes[len(sizes) // 2] <= 14


def test_no_drug_is_prescribed_again_and_again(seen: Seen) -> None:
    assert max(seen.drugs.values()) <= 0.03 * seen.cases
    assert len(seen.drugs) >= 250


def test_lines_are_worded_in_many_ways(seen: Seen) -> None:
    assert len(seen.lines) >= 0.7 * seen.lines.total() if not FULL else len(seen.lines) > 40_000


def test_redraws_are_few(
    seen: Seen, others: dict[str, Seen], capsys: pytest.CaptureFixture[str]
) -> None:
    given_up = seen.redraws.total()
    with capsys.disabled():
        print(f"\n{seen.cases} rx cases, {given_up} draws given up: {seen.redraws}")
        print(f"kinds: {seen.kinds}")
    assert given_up <= 0.03 * (seen.cases + given_up)
    for one in others.values():
        assert one.redraws[OTHER_SPLIT] <= 0.02 * one.cases
