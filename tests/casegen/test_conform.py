"""The generator looks at the form of its own cases."""

from __future__ import annotations

import pytest

import casegen
from casegen.audit import AuditGenerator
from casegen.conform import EVERY, conform
from casegen.schemas import CertificationError


def test_a_generated_case_has_the_form_of_its_schema() -> None:
    for case in casegen.make("audit-v0", seed=5).cases(0, 10):
        conform(case)


def test_a_case_of_another_form_is_refused() -> None:
    case = casegen.make("audit-v0", seed=5)[0]
    case.max_steps = 0
    with pytest.raises(CertificationError, match="max_steps"):
        conform(case)


def test_one_case_in_five_hundred_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr("casegen.audit.conform", lambda case: seen.append(case.index))
    generator = casegen.make("audit-v0", seed=5)
    assert isinstance(generator, AuditGenerator)
    for index in (0, 1, EVERY - 2, EVERY - 1, EVERY, 2 * EVERY - 1):
        generator[index]
    assert seen == [EVERY - 1, 2 * EVERY - 1]
