"""An rx case that was made elsewhere is played only where its parts hold together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from casegen.env.caseform import fault_of
from casegen.schemas import Span
from casegen.schemas.rx_case import RxCase

from .conftest import CIPRO, SAFE, case, decoy, finding, made_up


def changed(**fields: Any) -> RxCase:
    return replace(case(CIPRO), **fields)


WRONG = [Span(0, 4, "Nope")]
HELD = case(CIPRO).findings


@pytest.mark.parametrize(
    ("one", "field"),
    [
        (changed(prescription=replace(case(CIPRO).prescription, dose=" ")), "prescription.dose"),
        (changed(allergies=WRONG), "allergies[0]"),
        (changed(medications=WRONG), "medications[0]"),
        (changed(conditions_listed=WRONG), "conditions_listed[0]"),
        (changed(findings=[replace(HELD[0], evidence=WRONG)]), "findings[0].evidence[0]"),
        (changed(findings=[replace(HELD[0], names=[])]), "findings[0].names"),
        (changed(findings=[replace(HELD[0], names=["warfarin"])]), "findings[0].names[0]"),
        (changed(findings=[HELD[0], HELD[0]]), "findings[1].names[0]"),
        (changed(findings=[replace(HELD[0], authority=[])]), "findings[0].authority"),
        (changed(task="interaction_check"), "findings[1].component"),
        (changed(decoys=[decoy("allergy", "sulfa", tolerated=False)]), "decoys[0].names[0]"),
        (changed(findings=[finding("dose")]), "dosage_safe"),
        (changed(findings=[], dosage_safe=False), "dosage_safe"),
        (changed(recommendation="approve"), "recommendation"),
        (replace(case(SAFE), recommendation="reject"), "recommendation"),
        (changed(also_accepted=["reject"]), "also_accepted"),
        (replace(made_up(), conditions_listed=[], medications=[]), "findings"),
        (changed(max_steps=5000), "max_steps"),
    ],
)
def test_what_does_not_hold_is_told_by_its_field(one: RxCase, field: str) -> None:
    fault = fault_of(one)
    assert fault is not None
    assert fault.field == field


def test_generated_and_documented_cases_hold(cases: tuple[RxCase, ...]) -> None:
    assert [fault_of(one) for one in cases] == [None] * len(cases)
