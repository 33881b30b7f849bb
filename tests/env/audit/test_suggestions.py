"""What a flag suggests in place of a line, as the metrics count it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from casegen.env.audit.agents.script import flag, submit
from casegen.env.audit.ledger import mended
from casegen.schemas import Case, Correction, Finding

Play = Callable[..., Any]


def suggestions_right(case: Case, finding: Finding, suggested: str | None, play: Play) -> int:
    act = flag(finding.code, finding.error_type, "why", suggested)
    _, seen = play(case, [act, submit()])
    return int(seen.episode_metrics["suggestions_right"])


def of_action(erring: tuple[Case, ...], action: str) -> tuple[Case, Finding]:
    return next(
        (case, finding)
        for case in erring
        for finding in case.findings
        if finding.correction.action == action
    )


def test_the_right_code_counts_however_it_is_written(erring: tuple[Case, ...], play: Play) -> None:
    case, finding = of_action(erring, "replace")
    right = finding.correction.replacement or ""
    assert mended(finding.correction) == right
    assert suggestions_right(case, finding, right, play) == 1
    assert suggestions_right(case, finding, right.lower().replace(".", ""), play) == 1
    assert suggestions_right(case, finding, finding.code, play) == 0
    assert suggestions_right(case, finding, None, play) == 0


def test_a_modifier_counts_with_its_code_and_alone(erring: tuple[Case, ...], play: Play) -> None:
    case, finding = of_action(erring, "add_modifier")
    code, modifier = finding.correction.code, finding.correction.replacement
    for suggested in (f"{code}-{modifier}", modifier):
        assert suggestions_right(case, finding, suggested, play) == 1
    for suggested in (f"{code}-XX", code, f"{finding.related_code}-{modifier}"):
        assert suggestions_right(case, finding, suggested, play) == 0


@pytest.mark.parametrize(
    ("correction", "told"),
    [
        (Correction("remove", 2, "I20.0", None), None),
        (Correction("replace", 1, "E31", "E31.0"), "E31.0"),
        (Correction("add_modifier", 3, "45380", "59"), "45380-59"),
    ],
)
def test_what_a_correction_puts_on_the_claim_is_spelt_as_a_line(
    correction: Correction, told: str | None
) -> None:
    assert mended(correction) == told


def test_a_line_that_goes_has_no_right_suggestion(erring: tuple[Case, ...], play: Play) -> None:
    case, finding = of_action(erring, "remove")
    for suggested in (finding.code, finding.related_code, "None"):
        assert suggestions_right(case, finding, suggested, play) == 0
