"""A sibling is the same claim beside a record in which a single fact is turned."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import casegen
from casegen.accident import AccidentError
from casegen.certify import certify
from casegen.knowledge import reference
from casegen.schemas import Case, CertificationError, InputError

COUNT = 250
Pairs = list[tuple[Case, Case]]


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return list(casegen.make("audit-v0", seed=20261130, sibling="first").pairs(0, COUNT))


def errors(case: Case) -> set[tuple[str, str, str | None]]:
    return {(f.error_type, f.code, f.correction.replacement) for f in case.findings}


def test_a_sibling_differs_in_exactly_one_finding(pairs: Pairs) -> None:
    for first, turned in pairs:
        assert len(errors(first) ^ errors(turned)) == 1, first.id
        assert abs(len(first.findings) - len(turned.findings)) == 1, first.id


def test_some_errors_become_right_and_some_right_lines_wrong(pairs: Pairs) -> None:
    gone = sum(len(turned.findings) < len(first.findings) for first, turned in pairs)
    assert 20 < gone < COUNT - 20


def test_claim_patient_and_encounter_stay(pairs: Pairs) -> None:
    for first, turned in pairs:
        assert turned.claim == first.claim
        assert turned.patient == first.patient
        assert turned.encounter == first.encounter


def test_one_fact_of_the_record_is_turned_or_one_answer(pairs: Pairs) -> None:
    for first, turned in pairs:
        changed = [
            one.id
            for one, other in zip(first.record, turned.record, strict=True)
            if (one.term, one.attributes) != (other.term, other.attributes)
        ]
        answers = [
            one.fact
            for one, other in zip(first.questions, turned.questions, strict=True)
            if one.value != other.value
        ]
        assert len({*changed, *answers}) == 1, first.id


def test_the_note_keeps_its_other_words(pairs: Pairs) -> None:
    shares = []
    for first, turned in pairs:
        one, other = Counter(first.note.split()), Counter(turned.note.split())
        shares.append(sum((one & other).values()) / max(one.total(), other.total()))
    assert min(shares) > 0.75
    assert sorted(shares)[COUNT // 2] > 0.97


def test_both_are_certified(pairs: Pairs) -> None:
    tables, services = reference()
    for first, turned in pairs[:80]:
        certify(first, tables, services)
        certify(turned, tables, services)


def test_a_swapped_record_is_refused(pairs: Pairs) -> None:
    """Neither case's answer fits the other's record."""
    tables, services = reference()
    for first, turned in pairs[:40]:
        if first.questions != turned.questions:
            continue
        mixed = replace(first, findings=turned.findings, decoys=turned.decoys)
        with pytest.raises((CertificationError, AccidentError)):
            certify(mixed, tables, services)


def test_siblings_are_linked_by_their_ids(pairs: Pairs) -> None:
    for number, (first, turned) in enumerate(pairs):
        assert first.id == f"audit-v0/train/20261130/{number}?sibling=first"
        assert turned.id == f"audit-v0/train/20261130/{number}?sibling=turned"


def test_each_is_made_again_from_its_own_recipe(pairs: Pairs) -> None:
    for sibling, at in (("first", 0), ("turned", 1)):
        generator = casegen.make("audit-v0", seed=20261130, sibling=sibling)
        for number in (0, 7, 33):
            assert generator[number] == pairs[number][at]


def test_pairs_are_drawn_only_where_siblings_are_wanted() -> None:
    with pytest.raises(InputError, match="sibling"):
        next(casegen.make("audit-v0", seed=1).pairs())
    with pytest.raises(InputError, match="first, turned"):
        casegen.make("audit-v0", seed=1, sibling="second")
