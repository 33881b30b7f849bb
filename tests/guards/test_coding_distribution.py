"""What many coding cases together must look like: kinds, sizes, evidence, splits, redraws."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations

import pytest

import casegen
from casegen.coding.certify import NO_CODE, NO_FIRST
from casegen.coding.draw import OTHER_SPLIT
from casegen.coding.levels import levels
from casegen.config import SETTINGS, SPLITS
from casegen.knowledge import reference
from casegen.schemas import CodingCase
from casegen.variety import mask

FULL = os.environ.get("CASEGEN_FULL") == "1"
CASES = 10_000 if FULL else 1_500
OTHERS = CASES // 3
# Of the case kinds from practice 1, 2, 3, 4, 6, 8-13, 18 and 19 each so often in 10,000 cases.
LEAST = 20
KINDS = {
    "1": ("together",),
    "2": ("excludes1",),
    "3": ("unrelated",),
    "4": ("phase",),
    "6": ("side_settled",),
    "8": ("uncertain",),
    "9": ("integral",),
    "10": ("linked", "unlinked"),
    "11": ("etiology",),
    "12": ("cancer", "treatment_unclear"),
    "13": ("stroke", "infarction"),
    "18": ("drug",),
    "19": ("pregnancy", "sepsis", "screening", "fragility"),
}
REVIEWS = {"open_side", "conflict_side", "open_workup", "conflict_diagnosis", "treatment_unclear"}
WRONG = {
    "less_specific", "wrong_side", "wrong_stage", "wrong_phase", "wrong_type", "integral_symptom",
    "ruled_out", "uncertain", "history", "part_of_combination", "excludes1", "not_documented",
}  # fmt: skip
CODE = re.compile(r"\b[A-TV-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?\b")


@dataclass
class Seen:
    """Counts over many cases, which need not stay in memory."""

    cases: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    reviews: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    settings: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    steps: Counter[tuple[str, int]] = field(default_factory=Counter)
    words: list[int] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    first: int = 0
    primaries: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    redraws: Counter[str] = field(default_factory=Counter)
    keys: set[str] = field(default_factory=set)
    prints: Counter[tuple[str, bytes]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, case: CodingCase) -> None:
        self.cases += 1
        self.kinds.update(case.kinds)
        self.reviews.update([] if case.review is None else [case.review.kind])
        self.wrong.update(one.kind for one in case.wrong)
        self.settings[case.encounter.setting] += 1
        self.levels[case.difficulty] += 1
        self.steps[case.difficulty, case.max_steps] += 1
        self.words.append(len(case.note.split()))
        self.sizes.append((len(case.gold()), len(case.allowed)))
        self.first += case.allowed[0].code == case.primary.code
        self.primaries[case.primary.code] += 1
        self.codes.update(one.code for one in case.gold())
        self.redraws.update(case.redraws)
        self.keys.add(case.structural_key)
        told = blake2b(mask(case).encode(), digest_size=12).digest()
        self.prints[case.structural_key, told] += 1
        self.faults += [f"{case.id}: {fault}" for fault in faults(case)]


def faults(case: CodingCase) -> Iterator[str]:
    """What is wrong in the form of a case, whatever its truth."""
    tables, _ = reference()
    codes = {one.code for one in case.allowed}
    gold = [one.code for one in case.gold()]
    for code in gold:
        if tables.status(code, case.encounter.service_date) != "valid" or code not in codes:
            yield f"{code} is not billable on the day, or not in the set"
    for one in case.gold():
        if not one.evidence or not one.reason or not one.authority.reference:
            yield f"{one.code} lacks evidence, reason or authority"
    for other in case.wrong:
        if not other.reason or not other.authority.reference:
            yield f"{other.code} lacks the reason why it is wrong"
    unrelated = {a for fact in case.record if fact.term == "unrelated" for a in fact.about}
    for one, other in combinations(gold, 2):
        if any(hit.reach == "certain" for hit in tables.excludes1(one, other)) and not unrelated:
            yield f"{one} and {other} exclude each other"
    if not 2 <= len(case.hints) <= 3 or any(CODE.search(hint) for hint in case.hints):
        yield f"hints: {case.hints}"
    header, _, rest = case.note.partition("\n\n")
    if "\n" in header or case.encounter.service_date not in header or not rest:
        yield f"header: {header}"


def see(split: str, count: int) -> Seen:
    seen = Seen()
    for case in casegen.make("coding-v0", seed=7, split=split).cases(0, count):
        seen.add(case)
    return seen


@pytest.fixture(scope="module")
def seen() -> Seen:
    return see("train", CASES)


@pytest.fixture(scope="module")
def others() -> dict[str, Seen]:
    return {split: see(split, OTHERS) for split in SPLITS if split != "train"}


def test_every_case_is_certified_and_of_its_form(seen: Seen) -> None:
    # What could not be certified would have been refused.
    assert seen.cases == CASES
    assert not seen.faults[:5]


def test_no_case_comes_twice(seen: Seen, others: dict[str, Seen]) -> None:
    for one in (seen, *others.values()):
        assert max(one.prints.values()) == 1


def test_the_splits_share_no_structural_key(seen: Seen, others: dict[str, Seen]) -> None:
    keys = [seen.keys, *(one.keys for one in others.values())]
    for one, other in combinations(keys, 2):
        assert not one & other


def test_common_codes_and_all_kinds_stand_in_every_split(
    seen: Seen, others: dict[str, Seen]
) -> None:
    kinds = {kind for some in KINDS.values() for kind in some} - {"together"}
    for one in others.values():
        assert kinds <= set(one.kinds)
        assert set(one.reviews) == REVIEWS
        common = {code for code, often in seen.codes.items() if often >= 0.015 * CASES}
        assert common
        assert common <= set(one.codes)


def test_every_case_kind_from_practice_is_drawn(seen: Seen) -> None:
    for number, kinds in KINDS.items():
        for kind in kinds:
            # Half of the share will do in a small sample.
            least = LEAST if FULL else max(1, LEAST * CASES // 20_000)
            assert seen.kinds[kind] >= least, (number, kind, seen.kinds)


def test_about_a_fifth_of_the_cases_needs_a_person(seen: Seen) -> None:
    assert 0.17 <= seen.reviews.total() / seen.cases <= 0.23
    assert set(seen.reviews) == REVIEWS
    assert all(often >= 0.015 * seen.cases for often in seen.reviews.values()), seen.reviews


def test_codes_are_wrong_in_every_way(seen: Seen) -> None:
    assert set(seen.wrong) == WRONG
    # Over 10,000 cases the rarest, part_of_combination, comes in 3.7 of 100 cases.
    assert all(often >= 0.03 * seen.cases for often in seen.wrong.values()), seen.wrong
    # No way of being wrong is so common that its look gives it away, and most codes are wrong for
    # what the record says, not for what it does not.
    assert max(seen.wrong.values()) <= 0.4 * seen.wrong.total()


def test_sets_and_answers_have_the_sizes_of_their_difficulty(seen: Seen) -> None:
    assert all(6 <= allowed <= 40 and 2 * gold <= allowed for gold, allowed in seen.sizes)
    assert {gold for gold, _ in seen.sizes} >= {2, 3, 4, 5, 6, 7, 8}
    assert set(seen.steps) == {(name, level.max_steps) for name, level in levels().items()}
    weights = {name: level.weight for name, level in levels().items()}
    for name, weight in weights.items():
        assert abs(100 * seen.levels[name] / seen.cases - weight) < 5


def test_notes_are_excerpts(seen: Seen) -> None:
    words = sorted(seen.words)
    assert words[0] >= 60
    assert words[-1] <= 400
    assert words[len(words) // 2] >= 200


def test_all_settings_are_met(seen: Seen) -> None:
    assert set(seen.settings) == set(SETTINGS)
    assert all(often >= 0.02 * seen.cases for often in seen.settings.values())


def test_the_place_in_the_list_does_not_tell_the_first_code(seen: Seen) -> None:
    assert seen.first <= 0.15 * seen.cases


def test_no_code_is_the_first_one_again_and_again(seen: Seen) -> None:
    assert max(seen.primaries.values()) <= 0.03 * seen.cases
    assert len(seen.primaries) >= 0.25 * min(seen.cases, 2_000)


def test_redraws_are_few_and_of_many_reasons(
    seen: Seen, capsys: pytest.CaptureFixture[str]
) -> None:
    given_up = seen.redraws.total()
    with capsys.disabled():
        print(f"\n{seen.cases} coding cases, {given_up} draws given up: {seen.redraws}")
        print(f"kinds: {seen.kinds}")
    assert given_up <= 0.12 * (seen.cases + given_up)
    assert seen.redraws[OTHER_SPLIT] <= 0.02 * seen.cases
    # What the checker gives back is rare, or else a defect.
    given_back = ("review ", NO_FIRST, NO_CODE)
    often = sum(n for reason, n in seen.redraws.items() if reason.startswith(given_back))
    assert often <= 0.005 * seen.cases


def test_the_share_of_reviews_can_be_set() -> None:
    for share in (0.0, 1.0):
        cases = casegen.make("coding-v0", seed=3, review=share).cases(0, 40)
        assert {case.needs_review for case in cases} == {bool(share)}


@pytest.mark.parametrize("setting", SETTINGS)
def test_one_setting_can_be_asked_for(setting: str) -> None:
    for case in casegen.make("coding-v0", seed=3, settings=(setting,)).cases(0, 25):
        assert case.encounter.setting == setting
        stay = setting == "inpatient"
        assert case.encounter.claim_type == ("facility" if stay else "professional")


def test_dates_and_difficulty_can_be_asked_for() -> None:
    config = {"difficulty": "hard", "first_date": "2026-05-01", "last_date": "2026-05-03"}
    for case in casegen.make("coding-v0", seed=3, **config).cases(0, 25):
        assert case.difficulty == "hard"
        assert "2026-05-01" <= case.encounter.service_date <= "2026-05-03"
        assert case.options == config
