"""More faults that users met in similar software: how numbers, findings and codes compare."""

from __future__ import annotations

import json

import orjson
import pytest

import casegen
from casegen.checker import check, read_claim
from casegen.cli.examine import Examiner
from casegen.knowledge import reference
from casegen.schemas import Case, InputError
from casegen.schemas.serial import case_from, case_line
from casegen.seeds.icd10cm.tables import Tables


@pytest.fixture(scope="module")
def tables() -> Tables:
    return reference()[0]


@pytest.fixture(scope="module")
def clean() -> list[Case]:
    return list(casegen.make("audit-v0", seed=2027, clean=1.0).cases(0, 200))


@pytest.fixture(scope="module")
def broken() -> list[Case]:
    return list(casegen.make("audit-v0", seed=2027, clean=0.0).cases(0, 200))


# --- 8. A scorer that compared sets, or truncated numbers


def test_a_finding_that_stands_there_twice_is_one_too_many(broken: list[Case]) -> None:
    case = next(case for case in broken if len(case.findings) == 1)
    case = case_from(json.loads(case_line(case)))
    case.findings.append(case.findings[0])
    with pytest.raises(InputError, match="twice"):
        Examiner().examine(orjson.loads(case_line(case)), "cases.jsonl", 1)


def test_no_two_findings_of_a_case_are_one(broken: list[Case]) -> None:
    for case in broken:
        kinds = [(f.error_type, f.line, f.code, f.related_code) for f in case.findings]
        assert len(kinds) == len(set(kinds)), case.id


@pytest.mark.parametrize("units", [0.9, 1.0, 0, -1, True, "1", None, 10**12, float("inf")])
def test_units_are_exact_whole_numbers(units: object, broken: list[Case]) -> None:
    claim = {**CLAIM, "lines": [{"code": "99213", "units": units}]}
    with pytest.raises(InputError, match="units"):
        read_claim(claim, "claim.json")
    if units != 10**12:
        stored = json.loads(case_line(broken[0]))
        stored["claim"][0]["units"] = units
        with pytest.raises(InputError, match="units"):
            case_from(stored)


def test_numbers_are_compared_as_they_are(broken: list[Case]) -> None:
    stored = json.loads(case_line(broken[0]))
    for name, value in (("seed", 0.9), ("index", 0.0), ("max_steps", 10.5)):
        with pytest.raises(InputError, match=name):
            case_from({**stored, name: value})


# --- 11 to 13. What a code is

CLAIM = {
    "patient": {"sex": "female", "birth_date": "1961-02-03"},
    "service_date": "2026-05-04",
    "setting": "office",
    "claim_type": "professional",
}


def verdicts(*lines: dict[str, object]) -> dict[str, tuple[str, str]]:
    """Error type and kind by code, for a claim of these lines."""
    tables, services = reference()
    view = read_claim({**CLAIM, "lines": list(lines)}, "claim.json")
    return {v.code: (v.error_type, v.kind) for v in check(view, tables, services).verdicts}


@pytest.mark.parametrize(
    ("short", "whole"),
    [("W21.89A", "W21.89XA"), ("W19.A", "W19.XXXA"), ("T45.51A", "T45.511A"), ("S72.001", None)],
)
def test_a_code_without_its_placeholders_is_no_code(
    short: str, whole: str | None, tables: Tables
) -> None:
    assert not tables.billable(short)
    assert verdicts({"code": short})[short][0] in ("specificity_error", "untraceable_code")
    if whole is not None:
        assert tables.billable(whole)
        assert verdicts({"code": whole}) == {}


def test_placeholders_are_filled(tables: Tables) -> None:
    assert tables.complete("W21.89", "A") == "W21.89XA"
    assert tables.complete("W19", "D") == "W19.XXXD"


def test_no_right_code_lacks_a_character(
    clean: list[Case], broken: list[Case], tables: Tables
) -> None:
    seen = 0
    for case in (*clean, *broken):
        wrong = {finding.line for finding in case.findings}
        right = [li.code for li in case.claim if li.line not in wrong and li.system == "ICD-10-CM"]
        right += [
            f.correction.replacement
            for f in case.findings
            if f.correction.action == "replace"
            and f.correction.replacement is not None
            and case.claim[f.line - 1].system == "ICD-10-CM"
            and not f.correction.replacement.isdigit()
        ]
        for code in right:
            if tables.exists(code):
                assert tables.billable(code), f"{case.id}: {code}"
                seen += len(code) == 8
            else:
                assert reference()[1].get(code) is not None, f"{case.id}: {code}"
    assert seen > 100


@pytest.mark.parametrize("code", ["E0601", "A4253", "93306", "99213", "G0121"])
def test_no_service_passes_for_a_diagnosis(code: str, tables: Tables) -> None:
    assert tables.status(code, "2026-05-04") == "unknown"
    found = verdicts({"code": code, "system": "ICD-10-CM"})
    assert [kind for kind, _ in found.values()] == ["untraceable_code"]


@pytest.mark.parametrize("system", ["CPT", "HCPCS"])
def test_no_diagnosis_passes_for_a_service(system: str) -> None:
    assert list(verdicts({"code": "I10", "system": system}).values()) == [
        ("untraceable_code", "other_system")
    ]


def test_the_tables_decide_what_a_bare_code_is() -> None:
    # J1100 has the shape of both; a claim that doesn't say which means no error.
    assert verdicts({"code": "J1100"}) == {}
    assert verdicts({"code": "E11.9"}, {"code": "99213"}) == {}


@pytest.mark.parametrize("spelling", ["E11.9", "e119", " E11.9", "e 11.9 ", "E119"])
def test_any_spelling_of_a_code_is_taken(spelling: str, tables: Tables) -> None:
    assert tables.billable(spelling)
    assert tables.title(spelling) == tables.title("E11.9")
    assert verdicts({"code": spelling}) == {}


@pytest.mark.parametrize("code", ["M54.5", "m545", "N18.3", "E11", "J44", "S72.00"])
def test_what_divides_further_is_no_code_to_bill(code: str, tables: Tables) -> None:
    assert tables.exists(code)
    assert not tables.billable(code)
    assert len(verdicts({"code": code})) == 1


def test_a_retired_code_was_billable_in_its_time(tables: Tables) -> None:
    assert tables.status("M54.5", "2021-09-30") == "valid"
    assert tables.status("M54.5", "2021-10-01") == "retired"
