"""A coding case has all its fields, and holds together."""

from __future__ import annotations

import casegen


def test_cases_are_made_and_certified() -> None:
    cases = list(casegen.make("coding-v0", seed=7).cases(0, 60))
    assert len(cases) == 60
    for case in cases:
        gold = [one.code for one in case.gold()]
        allowed = [one.code for one in case.allowed]
        assert allowed == sorted(set(allowed))
        assert set(gold) <= set(allowed)
        assert 2 * len(gold) <= len(allowed)
        assert 6 <= len(allowed) <= 40
        assert 60 <= len(case.note.split()) <= 400
        assert all(one.evidence for one in case.gold())
