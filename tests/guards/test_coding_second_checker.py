"""The naive second checker, with its own parser over the raw files, reads the same codes out of the
record of a coding case as stand in its answer."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

import casegen
from casegen.schemas import CodingCase

from .naive.record import read_record

FULL = os.environ.get("CASEGEN_FULL") == "1"
# (split, seed, cases in the full run); one in 25 of each otherwise.
RUNS = [("train", 7, 10_000), ("validation", 11, 5_000), ("test", 99, 5_000)]


def expected(case: CodingCase) -> set[str]:
    """The codes that the record calls for, without dots."""
    seen: Any = SimpleNamespace(
        id=case.id, record=case.record, questions=[], encounter=case.encounter,
        patient=case.patient, claim=[],
    )  # fmt: skip
    record = read_record(seen)
    # A tumor of which nobody says whether it is treated is neither one nor history (I.C.2.m).
    unclear = {fact.about[0] for fact in case.record if fact.term == "treatment_unclear"}
    return {code for code, facts in record.diagnoses.items() if not facts <= unclear}


@pytest.mark.slow
@pytest.mark.parametrize(("split", "seed", "full"), RUNS)
def test_the_naive_checker_reads_the_same_codes(split: str, seed: int, full: int) -> None:
    wrong = []
    for case in casegen.make("coding-v0", seed=seed, split=split).cases(
        0, full if FULL else full // 25
    ):
        own = {one.code.replace(".", "") for one in case.gold()}
        read = expected(case)
        if read != own:
            wrong.append(f"{case.id}: naive {sorted(read - own)}, case {sorted(own - read)}")
        called = read & {one.code.replace(".", "") for one in case.wrong}
        if called:
            wrong.append(f"{case.id}: called wrong and called for: {sorted(called)}")
    assert not wrong[:10]
