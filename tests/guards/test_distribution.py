"""What many cases together must look like: mix of errors, sizes, patients, settings, splits."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from statistics import median

import pytest

import casegen
from casegen.audit import OTHER_SPLIT
from casegen.certify import view_of
from casegen.checker import check
from casegen.config import DIFFICULTIES, ERROR_TYPES, SETTINGS, SPLITS
from casegen.knowledge import reference_of
from casegen.schemas import Case
from casegen.variety import mask

from .naive.mend import mended

FULL = os.environ.get("CASEGEN_FULL") == "1"
CASES = 10_000 if FULL else 2_000
OTHERS = CASES // 4
KINDS = {
    "demographic_mismatch": {"sex", "age"},
    "excludes1_conflict": {"own_note", "inherited_note"},
    "ncci_edit": {"indicator_0", "bundled", "unjustified_modifier", "missing_modifier"},
    "specificity_error": {
        "phase", "healing", "fracture_type", "laterality", "unspecified", "detail", "incomplete",
    },
    "untraceable_code": {"never_existed", "retired", "not_yet_valid", "other_system"},
}  # fmt: skip
DECOYS = {
    "demographic_mismatch": {"unexpected_patient"},
    "excludes1_conflict": {"excludes2", "code_also", "unrelated", "does_not_reach"},
    "ncci_edit": {"justified_modifier", "deleted_pair", "no_pair"},
    "specificity_error": {"active_treatment", "by_guideline"},
    "untraceable_code": {"odd_but_valid"},
}


@dataclass
class Seen:
    """Counts over many cases, which need not stay in memory."""

    cases: int = 0
    clean: int = 0
    words: list[int] = field(default_factory=list)
    lines: Counter[int] = field(default_factory=Counter)
    errors: Counter[int] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    decoys: Counter[tuple[str, str]] = field(default_factory=Counter)
    difficulties: Counter[str] = field(default_factory=Counter)
    settings: Counter[str] = field(default_factory=Counter)
    claims: Counter[tuple[str, str]] = field(default_factory=Counter)
    sexes: Counter[str] = field(default_factory=Counter)
    ages: Counter[str] = field(default_factory=Counter)
    steps: Counter[tuple[str, int]] = field(default_factory=Counter)
    crowded: list[str] = field(default_factory=list)
    asked: int = 0
    keys: Counter[str] = field(default_factory=Counter)
    prints: Counter[tuple[str, bytes]] = field(default_factory=Counter)
    redraws: Counter[str] = field(default_factory=Counter)
    open_pairs: list[str] = field(default_factory=list)

    def add(self, case: Case) -> None:
        self.cases += 1
        self.clean += not case.findings
        self.words.append(len(case.note.split()))
        self.lines[len(case.claim)] += 1
        self.errors[len(case.findings)] += 1
        self.types.update(f.error_type for f in case.findings)
        self.kinds.update((f.error_type, f.kind) for f in case.findings)
        self.decoys.update((d.error_type, d.kind) for d in case.decoys)
        self.difficulties[case.difficulty] += 1
        self.settings[case.encounter.setting] += 1
        self.claims[case.encounter.setting, case.encounter.claim_type] += 1
        self.sexes[case.patient.sex] += 1
        self.ages[decade(case)] += 1
        self.steps[case.difficulty, case.max_steps] += 1
        self.asked += bool(case.questions)
        members = {code for f in case.findings for code in f.accepted_codes}
        if 2 * len(members) > len(case.claim):
            self.crowded.append(case.id)
        self.keys[case.structural_key] += 1
        told = blake2b(mask(case).encode(), digest_size=12).digest()
        self.prints[case.structural_key, told] += 1
        self.redraws.update(case.redraws)
        right = mended(case, case.findings)
        self.open_pairs += [
            f"{case.id}: {review.message}"
            for review in check(view_of(right), *reference_of("bundled")).reviews
            if review.kind == "excludes1"
        ]


def decade(case: Case) -> str:
    """The decade of the patient's age, or "newborn" up to the age of 28 days."""
    age = next(fact.term for fact in case.record if fact.kind == "age")
    if age.endswith("d"):
        return "newborn" if int(age[:-1]) <= 28 else "0"
    return str(int(age) // 10 * 10)


def see(split: str, count: int) -> Seen:
    seen = Seen()
    for case in casegen.make("audit-v0", seed=7, split=split).cases(0, count):
        seen.add(case)
    return seen


@pytest.fixture(scope="module")
def seen() -> Seen:
    return see("train", CASES)


@pytest.fixture(scope="module")
def others() -> dict[str, Seen]:
    return {split: see(split, OTHERS) for split in SPLITS if split != "train"}


pytestmark = pytest.mark.slow


def test_no_two_cases_are_alike(seen: Seen) -> None:
    """Alike: one structure, and one note but for names, dates and numbers."""
    assert [key for key, n in seen.prints.items() if n > 1] == []


def test_no_mended_claim_leaves_an_excludes1_pair_open(seen: Seen, others: dict[str, Seen]) -> None:
    """The right claim is right: what a note may keep apart is settled by the record."""
    assert [told for one in (seen, *others.values()) for told in one.open_pairs] == []


def test_few_draws_are_given_up(seen: Seen, capsys: pytest.CaptureFixture[str]) -> None:
    again = seen.redraws.total()
    share = again / (seen.cases + again)
    with capsys.disabled():
        print(f"\nredraws, train: {share:.1%} {dict(seen.redraws.most_common())}")
    assert share < 0.05


def test_other_splits_give_up_few_draws_of_their_own(
    others: dict[str, Seen], capsys: pytest.CaptureFixture[str]
) -> None:
    """Draws that belong to another split are passed over on purpose and don't count here."""
    for split, seen in others.items():
        again = seen.redraws.total() - seen.redraws[OTHER_SPLIT]
        share = again / (seen.cases + again)
        with capsys.disabled():
            print(f"\nredraws, {split}: {share:.1%} {dict(seen.redraws.most_common())}")
        assert share < 0.12


def test_one_case_in_ten_is_clean(seen: Seen) -> None:
    assert 0.08 <= seen.clean / seen.cases <= 0.12


def test_every_error_type_has_its_share(seen: Seen) -> None:
    total = seen.types.total()
    shares = {kind: round(seen.types[kind] / total, 3) for kind in ERROR_TYPES}
    assert all(0.12 <= share <= 0.28 for share in shares.values()), shares


def test_every_kind_of_error_occurs(seen: Seen) -> None:
    assert {key: seen.kinds[key] for key in _pairs(KINDS) if not seen.kinds[key]} == {}
    assert set(seen.kinds) <= _pairs(KINDS)


def test_every_kind_of_decoy_occurs(seen: Seen) -> None:
    assert {key for key in _pairs(DECOYS) if not seen.decoys[key]} == set()
    physician = {("specificity_error", f"physician_{axis}") for axis in ("laterality", "phase")}
    assert set(seen.decoys) <= _pairs(DECOYS) | physician


def _pairs(kinds: dict[str, set[str]]) -> set[tuple[str, str]]:
    return {(error_type, kind) for error_type, names in kinds.items() for kind in names}


def test_claims_have_three_to_twelve_codes_and_up_to_four_errors(seen: Seen) -> None:
    assert (min(seen.lines), max(seen.lines)) == (3, 12)
    assert (min(seen.errors), max(seen.errors)) == (0, 4)
    assert set(seen.errors) == {0, 1, 2, 3, 4}


def test_at_most_half_of_the_codes_stand_in_findings(seen: Seen) -> None:
    assert seen.crowded == []


def test_every_difficulty_occurs_with_its_step_limit(seen: Seen) -> None:
    assert set(seen.difficulties) == set(DIFFICULTIES)
    assert min(seen.difficulties.values()) >= 0.1 * seen.cases
    assert set(seen.steps) == {("easy", 10), ("medium", 15), ("hard", 20), ("expert", 25)}


def test_some_cases_need_the_physician(seen: Seen) -> None:
    assert 0.03 <= seen.asked / seen.cases <= 0.25


def test_all_settings_occur(seen: Seen) -> None:
    shares = {setting: seen.settings[setting] / seen.cases for setting in SETTINGS}
    assert all(share >= 0.01 for share in shares.values()), shares
    assert max(shares.values()) <= 0.75, shares
    assert 0.10 <= shares["inpatient"] <= 0.40, shares


def test_hospitals_and_physicians_both_bill(seen: Seen) -> None:
    facility = sum(n for (_, claim), n in seen.claims.items() if claim == "facility")
    assert 0.10 <= facility / seen.cases <= 0.40
    assert seen.claims["inpatient", "professional"] > 0


def test_patients_are_of_all_ages_and_both_sexes(seen: Seen) -> None:
    assert set(seen.ages) >= {"newborn", *(str(decade) for decade in range(0, 100, 10))}
    assert all(0.35 <= n / seen.cases <= 0.65 for n in seen.sexes.values()), seen.sexes


def test_notes_are_long_enough(seen: Seen) -> None:
    assert median(seen.words) >= 300
    assert min(seen.words) >= 100


def test_splits_share_no_structure(seen: Seen, others: dict[str, Seen]) -> None:
    keys = {"train": set(seen.keys), **{split: set(one.keys) for split, one in others.items()}}
    for a in keys:
        for b in keys:
            assert a >= b or not keys[a] & keys[b]
    assert all(len(found) > 0.95 * OTHERS for found in keys.values())
