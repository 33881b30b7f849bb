"""Faults planted in what makes the cases are caught by the checker, which shares no code with
it. (A code that no list holds may be refused earlier, where its title is looked up.)"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from casegen import audit
from casegen.audit import AuditGenerator
from casegen.config import AuditConfig
from casegen.knowledge import world_of
from casegen.schemas import Case, CasegenError, CertificationError

from .faults import FAULTS as PLAIN_FAULTS
from .planting import Fault
from .planting_guidelines import GUIDELINE_FAULTS

FAULTS = (*PLAIN_FAULTS, *GUIDELINE_FAULTS)
CASES = 400
ENOUGH = 25
MISSED_AT_MOST = 2
# Draws that are all given up as accidents don't count as an objection.
EXHAUSTED = "no case in"


@dataclass
class Hunt:
    """What became of one fault: how many drafts of cases it touched, and the objection."""

    fault: Fault
    touched: int = 0
    caught: bool = False
    objection: str = ""


def hunt(fault: Fault, patch: pytest.MonkeyPatch) -> Hunt:
    """Make cases until one is refused, or enough that the fault touches have passed."""
    told = Hunt(fault)
    certify = audit.certify

    def counting(case: Case, *rest: object) -> object:
        told.touched += fault.touches(case)
        return certify(case, *rest)  # type: ignore[arg-type]

    patch.setattr(audit, "certify", counting)
    world = fault.plant(patch, world_of("train"))
    generator = AuditGenerator(world, 30, "train", AuditConfig(**fault.config))
    for index in range(CASES):
        try:
            generator[index]
        except CasegenError as error:
            told.objection = f"{type(error).__name__}: {error}"
            told.caught = EXHAUSTED not in told.objection
            told.touched += told.caught and not isinstance(error, CertificationError)
            if told.caught:
                break
        if told.touched >= ENOUGH:
            break
    return told


def test_thirty_faults_or_more_are_planted_everywhere() -> None:
    assert len(FAULTS) >= 30
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    areas = [fault.area for fault in FAULTS]
    assert all(areas.count(area) >= 3 for area in set(areas))
    assert set(areas) == {"condition data", "coder", "injectors", "note writer", "services"}


@pytest.mark.slow
def test_planted_faults_are_caught(capsys: pytest.CaptureFixture[str]) -> None:
    hunts = []
    for fault in FAULTS:
        with pytest.MonkeyPatch.context() as patch:
            hunts.append(hunt(fault, patch))
    missed = [h for h in hunts if not h.caught]
    with capsys.disabled():
        print(f"\n{len(hunts) - len(missed)} of {len(hunts)} planted faults caught; missed:")
        for h in missed:
            print(
                f"  {h.fault.area}: {h.fault.name} (touched {h.touched} cases) {h.objection[:200]}"
            )
    # What refuses the very first case is used as well.
    assert not [h.fault.name for h in hunts if not h.touched and not h.caught], "never used"
    assert len(missed) <= MISSED_AT_MOST


def test_without_a_fault_nothing_is_refused() -> None:
    config = AuditConfig()
    made = list(AuditGenerator(world_of("train"), 30, "train", config).cases(0, 60))
    assert len(made) == 60
