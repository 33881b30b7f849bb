"""What a medical coder who reads cases would stumble over, looked for in some thousand of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from casegen.families import make
from casegen.schemas import Case
from casegen.schemas.authority import specificity
from casegen.seeds.icd10cm.tables import load
from casegen.seeds.services import load as load_services

NEW = frozenset(one.code for one in load_services() if one.em and one.em.patient == "new")
# Words that say that this office has seen the patient before.
SEEN = re.compile(
    r"at (?:this|our) (?:office|practice)|(?<!no )(?:last|previous|earlier) (?:visit|appointment)"
    r"|(?:yearly|annual) (?:visit|check-up|physical|exam)|known to us|familiar to us|our records"
    r"|under our care|followed here|keeps up with|is back for|return visit",
    re.IGNORECASE,
)
WATCHED = re.compile(r"keeps up with (?:old colleagues|playmates|duties)")


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(make("audit", seed=4107).cases(0, 3000))


def right(case: Case) -> list[str]:
    """The diagnoses of the claim that stand, in their order."""
    wrong = {finding.line for finding in case.findings}
    return [
        line.code for line in case.claim if line.system == "ICD-10-CM" and line.line not in wrong
    ]


def test_no_note_says_that_a_new_patient_was_seen_here_before(cases: list[Case]) -> None:
    new = [case for case in cases if any(line.code in NEW for line in case.claim)]
    assert len(new) > 100
    for case in new:
        found = SEEN.search(WATCHED.sub("", case.note))
        assert found is None, f"{case.id}: {case.note[found.start() - 60 : found.end() + 30]}"


def _pairs(case: Case) -> Iterator[tuple[str, str]]:
    return combinations(right(case), 2)


def _of_a_drug(code: str) -> bool:
    """A poisoning or underdosing, whose order the guideline sets (I.C.19.e.5)."""
    six = code[5:6] if code[6:7] == "X" else code[6:7]
    return "T36" <= code[:3] <= "T50" and six != "5"


def test_no_right_claim_turns_round_what_a_tabular_note_puts_in_order(cases: list[Case]) -> None:
    tables = load()
    ordered = 0
    for case in cases:
        for first, second in _pairs(case):
            if _of_a_drug(first) or _of_a_drug(second):
                continue
            ordered += tables.goes_before(first, second)
            assert not tables.goes_before(second, first), f"{case.id}: {first} before {second}"
    assert ordered > 50


@pytest.mark.parametrize(
    ("first", "second"),
    [("H66.91", "H72.91"), ("L03.115", "B95.62"), ("E11.22", "N18.30"), ("N40.1", "N39.41")],
)
def test_the_tables_know_which_of_two_codes_goes_first(first: str, second: str) -> None:
    tables = load()
    assert tables.goes_before(first, second)
    assert not tables.goes_before(second, first)


def test_a_carrier_of_hemophilia_is_a_woman() -> None:
    tables = load()
    for code in ("Z14.01", "Z14.02", "E34.51"):
        entry = tables.tail_of(code)
        assert entry is not None
        assert entry.sex == "female"


def test_a_caregiver_refuses_a_vaccine_for_a_child_only() -> None:
    entry = load().tail_of("Z28.82")
    assert entry is not None
    assert entry.age[1] < 18


def test_a_disorder_told_from_childhood_on_is_told_of_the_young() -> None:
    entry = load().tail_of("F34.81")
    assert entry is not None
    assert entry.age == (6, 18)


@pytest.mark.parametrize("code", ["K72.01", "K72.11", "K85.02", "J86.9", "S25.01XA", "S82.011C"])
def test_the_gravest_are_on_a_ward(code: str) -> None:
    entry = load().tail_of(code)
    assert entry is not None
    assert entry.settings == ("inpatient",)
    assert entry.grave


# Codes of one disease or injury and of what it tells by itself, by beginnings.
INTEGRAL = (
    (("M51.36", "M51.37"), ("M54", "M79.6")),
    (("N30",), ("R31", "R30")),
    (("E08", "E09", "E10", "E11", "E13"), ("E15", "E16.0", "E16.1", "E16.2", "E16.A")),
    (("G54", "G56", "G57", "G58"), ("S14", "S24", "S34", "S44", "S54", "S64", "S74", "S84")),
)


def test_what_a_code_tells_has_no_line_of_its_own(cases: list[Case]) -> None:
    for case in cases:
        codes = right(case)
        for whole, part in INTEGRAL:
            both = [[c for c in codes if c.startswith(heads)] for heads in (whole, part)]
            assert not all(both), f"{case.id}: {both}"


def test_hypertension_with_kidney_disease_cites_its_own_rule() -> None:
    for kind in ("unspecified", "detail"):
        assert "I.C.9.a" in specificity(kind, 9, "I12.0").reference
    assert "I.B.18" in specificity("unspecified", 9, "I10").reference


@pytest.mark.parametrize("code", ["S98.011A", "S68.011A", "S88.011A", "T88.3XXA"])
def test_no_right_claim_has_a_part_torn_off_or_a_mishap_of_anesthesia(code: str) -> None:
    assert load().tail_of(code) is None


def test_what_leaves_a_side_open_cites_the_guideline_on_laterality(cases: list[Case]) -> None:
    tables = load()
    seen = 0
    for finding in (f for case in cases for f in case.findings if f.kind == "unspecified"):
        right = finding.correction.replacement
        assert right is not None
        if tables.laterality(finding.code) == "unspecified" and tables.laterality(right):
            assert "I.B.13" in finding.authority.reference, finding
            seen += 1
    assert seen > 20


def test_a_stay_that_ended_plans_nothing_for_its_next_day(cases: list[Case]) -> None:
    stays = [case for case in cases if case.encounter.setting == "inpatient"]
    assert len(stays) > 100
    for case in stays:
        assert not re.search(r"\b(?:tomorrow|tonight)\b", case.note), case.id


def test_a_child_has_one_kind_of_company_in_a_note(cases: list[Case]) -> None:
    company = re.compile(r"accompanied by a grandparent|with (?:his|her) (?:mother|father)\b")
    for case in cases:
        assert not company.search(case.note), case.id


@pytest.mark.parametrize(
    ("reason", "found"),
    [("R01.1", r"murmur"), ("K80.00", r"Murphy"), ("R03.0", r"mmHg")],
)
def test_the_organ_that_brings_the_patient_is_examined(
    cases: list[Case], reason: str, found: str
) -> None:
    for case in cases:
        if right(case)[:2] in ([reason], ["Z00.01", reason], ["Z00.121", reason]):
            assert re.search(found, case.note), case.id
