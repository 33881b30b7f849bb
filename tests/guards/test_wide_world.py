"""How wide the world is: codes, notes of the tabular list, words, and names that no search finds.

``CASEGEN_FULL=1`` draws 100,000 cases and holds the figures that are promised; without it a
small draw holds what a small draw must show.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field

import pytest

import casegen
from casegen.knowledge import reference
from casegen.schemas import Case, Fact
from casegen.seeds.conditions import load
from casegen.variety import mask, variety

from .case_kinds import KINDS, kinds_of

FULL = os.environ.get("CASEGEN_FULL") == "1"
COUNT = 100_000 if FULL else 1_200
LEAVES, NOTES = (4_000, 800) if FULL else (2_000, 180)
# Cases of each kind among them. Of the rarest kinds a small draw need not hold one.
FEWEST = 50
_ENCOUNTER = re.compile(r", (?:initial|subsequent) encounter.*")


@dataclass
class Seen:
    """What the cases hold."""

    leaves: set[str] = field(default_factory=set)
    notes: set[str] = field(default_factory=set)
    named: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    styles: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)


def kind_of(code: str, case: Case) -> str:
    tails = {one[5:].partition("[")[0] for one in case.conditions if one.startswith("tail.")}
    return "tail" if code in tails else "curated"


def named(fact: Fact) -> str | None:
    """The code of an active problem that stands on its own."""
    if fact.kind != "problem" or fact.status != "active" or not fact.id.startswith("p"):
        return None
    codes = reference()[0].resolve(fact.term, fact.attributes)
    return codes[0] if len(codes) == 1 else None


@pytest.fixture(scope="module")
def seen() -> Seen:
    tables = reference()[0]
    seen = Seen()
    for number, case in enumerate(casegen.make("audit-v0", seed=33).cases(0, COUNT)):
        for line in case.claim:
            if line.system == "ICD-10-CM" and tables.exists(line.code):
                above = tables.ancestors(line.code)
                seen.leaves.add(above[tables.seventh(line.code) is not None])
        for finding in case.findings:
            if finding.error_type == "excludes1_conflict":
                seen.notes.add(finding.authority.reference)
        seen.styles.add(case.note_style)
        seen.kinds.update(set(kinds_of(case)))
        if number >= 3_000:
            continue
        note = case.note.lower()
        for fact in case.record:
            code = named(fact)
            if code is not None:
                kind = kind_of(code, case)
                seen.named[kind] += 1
                seen.found[kind] += _ENCOUNTER.sub("", tables.title(code).lower()) in note
    return seen


@pytest.mark.slow
def test_claims_reach_over_the_tabular_list(seen: Seen) -> None:
    assert len(seen.leaves) >= LEAVES


@pytest.mark.slow
def test_conflicts_rest_on_many_notes(seen: Seen) -> None:
    assert len(seen.notes) >= NOTES


@pytest.mark.slow
def test_each_kind_from_practice_comes_often(seen: Seen) -> None:
    assert set(seen.kinds) <= set(KINDS)
    if FULL:
        assert min(seen.kinds[kind] for kind in KINDS) >= FEWEST, seen.kinds
    else:
        assert sum(kind in seen.kinds for kind in KINDS) >= len(KINDS) - 3, seen.kinds


def test_few_problems_are_found_by_searching_for_their_titles(seen: Seen) -> None:
    assert seen.found["curated"] / seen.named["curated"] <= 1 / 5
    assert seen.found["tail"] / seen.named["tail"] <= 1 / 3


@pytest.fixture(scope="module")
def notes() -> list[Case]:
    return list(casegen.make("audit-v0", seed=20_261_130).cases(5_000, 200))


def test_sequences_of_words_seldom_come_back(notes: list[Case]) -> None:
    figures = variety(notes)
    assert figures.repeated_within_sentences <= 0.30
    assert figures.repeated_across_sentences <= 0.20


def test_two_hundred_notes_have_the_words_of_two_hundred_authors(notes: list[Case]) -> None:
    """Names, drugs and the words of code titles do not count."""
    tables = reference()[0]
    drugs = {
        word
        for condition in load()
        for value in condition.values
        for drug in value.drugs
        for word in re.findall(r"[a-z]+", drug.lower())
    }
    words: set[str] = set()
    titles: set[str] = set()
    for case in notes:
        words |= set(re.findall(r"[a-z]+", mask(case)))
        for fact in case.record:
            code = named(fact)
            if code is not None:
                titles |= set(re.findall(r"[a-z]+", tables.title(code).lower()))
    assert len(words - titles - drugs) >= 2_500


def test_notes_have_100_to_600_words_half_of_them_300_or_more(notes: list[Case]) -> None:
    lengths = sorted(len(case.note.split()) for case in notes)
    assert lengths[0] >= 100
    assert lengths[100] >= 300
    assert lengths[-1] <= 600


def test_notes_come_in_seven_styles(seen: Seen) -> None:
    assert len(seen.styles) >= 7
