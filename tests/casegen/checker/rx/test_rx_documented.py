"""What the documented environment names, judged by the labels."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from casegen.checker.rx import Report

Judge = Callable[..., Report]
Told = Callable[[Report], list[tuple[str, str]]]
Clean = Callable[[Report], bool]


@pytest.mark.parametrize(
    ("drug", "dose", "frequency", "problem"),
    [
        ("ibuprofen", "2400 mg", "TID", "overdose"),
        ("tramadol", "200 mg", "QID", "overdose"),
        ("simvastatin", "160 mg", "daily", "overdose"),
    ],
)
def test_the_documented_overdoses(
    judge: Judge, told: Told, drug: str, dose: str, frequency: str, problem: str
) -> None:
    report = judge(drug, dose, frequency)
    assert told(report) == [("dose", problem)]
    assert report.recommendation == "modify"


def test_ibuprofen_7200_mg_a_day_is_told_beside_3200(judge: Judge) -> None:
    (found,) = judge("ibuprofen", "2400 mg", "TID", "pain").findings
    assert "7200 mg" in found.reason
    assert "3200 mg" in found.reason


def test_the_documented_safe_prescriptions(judge: Judge, clean: Clean) -> None:
    assert clean(judge("metformin", "1000 mg", "BID", "type 2 diabetes"))
    assert clean(judge("lisinopril", "10 mg", "daily", "hypertension"))
    assert clean(judge("ciprofloxacin", "500 mg", "BID", "UTI"))


@pytest.mark.parametrize(
    ("drug", "other", "names"),
    [
        ("aspirin", "warfarin", "warfarin-aspirin"),
        ("tramadol", "sertraline", "sertraline-tramadol"),
        ("simvastatin", "amiodarone", "amiodarone-simvastatin"),
        ("ibuprofen", "lisinopril", "lisinopril-ibuprofen"),
    ],
)  # fmt: skip
def test_the_documented_pairs_are_known(judge: Judge, drug: str, other: str, names: str) -> None:
    report = judge(drug, "40 mg", "daily", takes=[(other, "50 mg", "daily")])
    told = [name for one in [*report.findings, *report.watches] for name in one.names]
    assert names in told
