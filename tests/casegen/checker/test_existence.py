"""Codes that don't exist, no longer, not yet, not whole or not in that system."""

from __future__ import annotations

import pytest

T2DM = "Type 2 diabetes mellitus without complications"
FALL = "Unspecified fall"
STRUCK = "Struck by football"
NEXT_YEAR = ["C78.31", "C79.83", "D69.11"]
NECK = "Fracture of unspecified part of neck of right femur"


@pytest.mark.parametrize(
    ("billed", "term", "attributes", "right"),
    [
        ("W19.A", FALL, {"phase": "active"}, "W19.XXXA"),
        ("W21.01A", STRUCK, {"phase": "active"}, "W21.01XA"),
        ("S72.001", NECK, {"phase": "active", "fracture": "closed"}, "S72.001A"),
        ("E11", T2DM, {}, "E11.9"),
    ],
)
def test_an_incomplete_code_is_completed_from_the_record(claim, billed, term, attributes, right):
    c = claim()
    c.has(term, **attributes)
    c.bill(billed, system="ICD-10-CM")
    assert c.errors() == [("specificity_error", "incomplete", billed, right)]
    (verdict,) = c.check().verdicts
    assert verdict.accepted_error_types == ["specificity_error", "untraceable_code"]
    assert c.evidence() == {term}
    assert c.reviews() == []


def test_an_incomplete_code_loses_its_correction_with_its_evidence(claim):
    c = claim()
    c.has(FALL, phase="active")
    c.bill("W19.A", system="ICD-10-CM")
    c.forget_evidence()
    assert c.errors() == [("specificity_error", "incomplete", "W19.A", None)]


@pytest.mark.parametrize("code", ["W19.A", "W21.89A", "S72.001", "E11"])
def test_an_incomplete_code_is_one_without_a_record_too(claim, code):
    c = claim().bill(code, system="ICD-10-CM").without_record()
    assert c.errors() == [("specificity_error", "incomplete", code, None)]


@pytest.mark.parametrize("code", ["H40.40X2", "R40.2112", "U07.1", "C7A.00", "Z3A.20", "E11.A"])
def test_valid_codes_of_unusual_shape_are_valid(claim, code):
    assert claim().bill(code, system="ICD-10-CM").without_record().errors() == []


def test_a_code_that_never_existed_is_untraceable_only(claim):
    c = claim().bill("Z99.999", system="ICD-10-CM")
    assert c.errors() == [("untraceable_code", "never_existed", "Z99.999", None)]
    assert c.check().verdicts[0].accepted_error_types == ["untraceable_code"]


@pytest.mark.parametrize(
    ("code", "last", "after"),
    [("M54.5", "2021-09-30", "2021-10-01"), ("N18.3", "2020-09-30", "2020-10-01")],
)
def test_a_retired_code_is_judged_by_the_date_of_service(claim, code, last, after):
    assert claim(on=last).bill(code, system="ICD-10-CM").without_record().errors() == []
    c = claim(on=after).bill(code, system="ICD-10-CM").without_record()
    assert c.errors() == [("untraceable_code", "retired", code, None)]
    assert last in c.check().verdicts[0].message


def test_an_inpatient_claim_is_judged_by_the_date_of_discharge(claim):
    c = claim(
        setting="inpatient", claim_type="facility", admitted="2021-09-28", on="2021-10-02"
    ).bill("M54.5", system="ICD-10-CM")
    assert [kind for _, kind, _, _ in c.errors()] == ["retired"]


def test_a_retired_code_is_replaced_by_the_unbilled_code_nearest_to_it(claim):
    c = claim()
    c.has("Hyperlipidemia, unspecified")
    c.has("Low back pain, unspecified")
    c.bill("E78.5", system="ICD-10-CM").bill("M54.5", system="ICD-10-CM")
    assert c.errors() == [("untraceable_code", "retired", "M54.5", "M54.50")]
    assert c.evidence() == {"Low back pain, unspecified"}
    assert c.reviews() == []
    c.forget_evidence()
    assert c.errors() == [("untraceable_code", "retired", "M54.5", None)]


def test_of_two_unbilled_codes_each_invalid_line_gets_its_own(claim):
    c = claim()
    c.has("Chronic kidney disease, stage 3a")
    c.has("Low back pain, unspecified")
    c.bill("M54.5", system="ICD-10-CM").bill("N18.3", system="ICD-10-CM")
    assert [fix for _, _, _, fix in c.errors()] == ["M54.50", "N18.31"]


@pytest.mark.parametrize("code", NEXT_YEAR)
def test_a_code_of_the_next_fiscal_year_is_not_yet_valid(claim, code):
    c = claim(on="2026-09-30").bill(code, system="ICD-10-CM").without_record()
    assert c.errors() == [("untraceable_code", "not_yet_valid", code, None)]
    assert "2026-10-01" in c.check().verdicts[0].message
    assert claim(on="2026-10-01").bill(code, system="ICD-10-CM").without_record().errors() == []


def test_the_tables_decide_the_system_and_not_the_shape(claim):
    c = claim().bill("E0601", system="ICD-10-CM").without_record()
    (kind,) = [kind for _, kind, _, _ in c.errors()]
    assert kind in ("other_system", "never_existed")
    c = claim().bill("99213", system="ICD-10-CM").without_record()
    assert c.errors() == [("untraceable_code", "other_system", "99213", None)]
    c = claim().bill("E11.9", system="CPT").without_record()
    assert c.errors() == [("untraceable_code", "other_system", "E11.9", None)]


@pytest.mark.parametrize("code", ["e119", "E11.9", "E119"])
def test_case_and_dot_do_not_matter(claim, code):
    c = claim()
    c.has(T2DM)
    assert c.bill(code).clean()


def test_a_service_outside_our_list_is_a_review_and_never_an_error(claim):
    c = claim().bill("33533", system="CPT").without_record()
    assert c.errors() == []
    assert c.reviews() == [("unlisted", "33533")]


@pytest.mark.parametrize("code", ["9921", "9921X", "A12", "992133", "Z1234", "9330G"])
def test_a_service_code_of_impossible_shape_never_existed(claim, code):
    c = claim().bill(code, system="CPT").without_record()
    assert c.errors() == [("untraceable_code", "never_existed", code, None)]


def test_a_misread_service_code_is_replaced_by_the_unbilled_service(claim):
    c = claim()
    c.has(T2DM)
    c.did("93306")
    c.bill("E11.9").bill("9330G", system="CPT")
    assert c.errors() == [("untraceable_code", "never_existed", "9330G", "93306")]
    c.forget_evidence()
    assert c.errors() == [("untraceable_code", "never_existed", "9330G", None)]


def test_an_extra_invalid_code_does_not_take_what_another_error_needs(claim):
    c = claim(sex="male", born="1998-01-01")
    c.has(
        "Unspecified fracture of the lower end of right radius", phase="healing", healing="routine"
    )
    c.bill("Z99.999", system="ICD-10-CM").bill("S52.501A")
    assert c.errors() == [
        ("untraceable_code", "never_existed", "Z99.999", None),
        ("specificity_error", "phase", "S52.501A", "S52.501D"),
    ]


@pytest.mark.parametrize(
    ("code", "system", "other"),
    [
        ("99213", "HCPCS", "CPT"),
        ("J1100", "CPT", "HCPCS"),
        ("j1100", "CPT", "HCPCS"),
        ("J9999", "CPT", "HCPCS"),  # not in our list: the form of the code tells
        ("12345", "HCPCS", "CPT"),
    ],
)
def test_a_service_under_the_other_system_is_untraceable(claim, code, system, other):
    c = claim().bill(code, system=system).without_record()
    assert c.errors() == [("untraceable_code", "other_system", code, None)]
    assert other in c.check().verdicts[0].authority.reference
    right = claim().bill(code, system=other).without_record()
    assert right.errors() == []


def test_the_record_tells_what_the_service_of_another_system_is_meant_to_be(claim):
    c = claim()
    c.did("99213")
    c.bill("99213", system="HCPCS")
    assert c.errors() == [("untraceable_code", "other_system", "99213", "99213")]
    assert c.reviews() == []


@pytest.mark.parametrize("code", ["E1.19", "E119.", ".E119", "E11.9."])
def test_a_misplaced_dot_is_an_open_point(claim, code):
    c = claim().bill(code).without_record()
    assert c.errors() == []
    assert c.reviews() == [("spelling", code)]
    assert "E11.9" in c.check().reviews[0].message


def test_a_misplaced_dot_hides_no_missing_support(claim):
    c = claim().bill(".I10")
    assert c.reviews() == [("spelling", ".I10"), ("unsupported", ".I10")]


@pytest.mark.parametrize("code", ["E11.9", "e11.9", "E119", "I10", " i10"])
def test_the_usual_spellings_are_none(claim, code):
    assert claim().bill(code).without_record().reviews() == []


def test_equal_lines_give_one_open_point(claim):
    c = claim().without_record()
    for _ in range(300):
        c.bill("E11.9").bill("J9999").bill("99213")
    kinds = [kind for kind, _ in c.reviews()]
    assert sorted(kinds) == ["duplicate", "mue", "unlisted"]
    (message,) = [r.message for r in c.check().reviews if r.kind == "duplicate"]
    assert message.startswith("lines 4, 7, 10, 13, 16, 19, 22, 25 and 291 more: E11.9")
