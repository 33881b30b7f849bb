"""Sex and age of the patient against the meaning of the code and the MCE's age groups."""

from __future__ import annotations

import pytest

T2DM = "Type 2 diabetes mellitus without complications"
ADULT = "Encounter for general adult medical examination without abnormal findings"


def test_a_man_never_delivers(claim):
    c = claim(sex="male", born="1992-01-01")
    c.has(T2DM)
    c.bill("O80").bill("E11.9")
    assert c.errors() == [("demographic_mismatch", "sex", "O80", None)]
    assert c.evidence() == {"male"}
    assert c.check().verdicts[0].authority.source == "meaning"
    c.forget_evidence()
    assert c.errors() == []
    assert ("demographic fact not stated", "O80") in c.reviews()


def test_a_woman_has_no_prostate(claim):
    assert claim(sex="female").bill("C61").errors() == [
        ("demographic_mismatch", "sex", "C61", None)
    ]


def test_a_claim_without_record_is_judged_by_the_patient_it_names(claim):
    c = claim(sex="male").bill("O80").without_record()
    assert c.errors() == [("demographic_mismatch", "sex", "O80", None)]
    assert c.check().verdicts[0].evidence == []


def test_a_record_of_another_sex_settles_nothing(claim):
    c = claim(sex="male", born="1992-01-01")
    c.sex.term = "female"
    c.bill("O80")
    assert c.errors() == []
    assert ("demographic facts disagree", "O80") in c.reviews()


@pytest.mark.parametrize("code", ["Z00.129", "Z00.00"])
def test_a_sixteen_year_old_passes_either_examination(claim, code):
    c = claim(born="2010-01-01", setting="inpatient", claim_type="facility").bill(code)
    assert c.without_record().errors() == []


def test_but_never_both_examinations(claim):
    c = claim(born="2010-01-01").bill("Z00.129").bill("Z00.00").without_record()
    assert c.reviews() == [("excludes1", "Z00.00")]


def test_a_child_of_five_has_no_prostatic_hyperplasia_by_the_mce(claim):
    c = claim(
        sex="male",
        born="2021-01-01",
        setting="inpatient",
        claim_type="facility",
        admitted="2026-05-01",
    ).bill("N40.1")
    assert c.errors() == [("demographic_mismatch", "age", "N40.1", None)]
    (verdict,) = c.check().verdicts
    assert verdict.authority.source == "mce"
    assert "15 to 124" in verdict.authority.reference
    assert c.evidence() == {"5"}


def test_the_mce_binds_inpatient_facility_claims_only(claim):
    c = claim(sex="male", born="2021-01-01", setting="office").bill("N40.1").without_record()
    assert all(v.authority.source != "mce" for v in c.check().verdicts)


@pytest.mark.parametrize(
    ("born", "admitted", "wrong"),
    [("2017-05-02", "2026-05-01", True), ("2017-05-01", "2026-05-01", False)],
)
def test_the_mce_counts_years_on_admission(claim, born, admitted, wrong):
    """Maternity is 9 to 64 years: eight on admission conflicts, nine does not."""
    c = claim(
        born=born, setting="inpatient", claim_type="facility", admitted=admitted, on="2026-05-04"
    )
    c.bill("O80").without_record()
    assert bool(c.errors()) is wrong


def test_the_newborn_code_belongs_to_the_newborn(claim):
    options = {"setting": "inpatient", "claim_type": "facility", "admitted": "2026-05-02"}
    mother = claim(born="1995-01-01", **options).bill("Z38.00").without_record()
    assert mother.errors() == [("demographic_mismatch", "age", "Z38.00", None)]
    child = claim(born="2026-05-02", **options).bill("Z38.00").without_record()
    assert child.errors() == []


def test_the_sex_edits_of_the_mce_ended_with_september_2024(claim):
    options = {
        "sex": "male",
        "born": "1990-01-01",
        "setting": "inpatient",
        "claim_type": "facility",
    }
    before = claim(on="2024-09-30", **options).bill("O80").without_record()
    after = claim(on="2024-10-01", **options).bill("O80").without_record()
    assert [v.authority.source for v in before.check().verdicts] == ["mce"]
    assert [v.authority.source for v in after.check().verdicts] == ["meaning"]


def test_the_code_for_the_other_age_is_replaced_by_the_one_in_the_record(claim):
    c = claim(born="1980-01-01")
    c.has(ADULT)
    c.bill("Z00.129")
    assert c.errors() == [("demographic_mismatch", "age", "Z00.129", "Z00.00")]
    assert c.evidence() == {"46", ADULT}
    assert c.reviews() == []


def test_a_service_for_another_age_is_replaced_by_the_one_in_the_record(claim):
    c = claim(born="1980-01-01")
    c.has(ADULT)
    c.did("99396")
    c.bill("Z00.00").bill("99394", system="CPT")
    assert c.errors() == [("demographic_mismatch", "age", "99394", "99396")]
    assert c.reviews() == []


def test_an_age_in_days_is_read(claim):
    c = claim(
        born="2026-05-02",
        on="2026-05-04",
        setting="inpatient",
        claim_type="facility",
        admitted="2026-05-02",
    )
    c.age.term = "2 d"
    c.age.spans[0].text = "2 d"
    c.bill("Z00.00")
    assert c.errors()[0][:3] == ("demographic_mismatch", "age", "Z00.00")


@pytest.mark.parametrize(("kind", "term"), [("sex", "male"), ("age", "45"), ("age", "17 d")])
def test_a_record_of_another_patient_is_an_open_point_whatever_is_billed(claim, kind, term):
    c = claim(born="1961-02-03")
    c.has(T2DM)
    c.bill("E11.9")
    assert c.clean()
    getattr(c, kind).term = term
    assert c.errors() == []
    assert c.reviews() == [("demographic facts disagree", "")]
    assert term in c.check().reviews[0].message
    getattr(c, kind).status = "family_history"
    assert c.clean()


def test_one_open_point_tells_of_sex_and_age(claim):
    c = claim()
    c.sex.term, c.age.term = "male", "7"
    assert c.bill("99213").reviews().count(("demographic facts disagree", "")) == 1


@pytest.mark.parametrize(
    ("code", "day", "wrong"),
    [
        ("Z00.110", "2026-05-04", False),
        ("Z00.110", "2026-04-27", False),
        ("Z00.110", "2026-04-26", True),
        ("Z00.111", "2026-04-27", True),
        ("Z00.111", "2026-04-26", False),
        ("Z00.111", "2026-04-06", False),
        ("Z00.111", "2026-04-05", True),
    ],
)
def test_the_examinations_of_the_newborn_count_days(claim, code, day, wrong):
    c = claim(born=day).bill(code).without_record()
    assert c.errors() == ([("demographic_mismatch", "age", code, None)] if wrong else [])
    if wrong:
        assert "days old" in c.check().verdicts[0].authority.reference


def test_the_days_of_the_record_bring_the_right_examination(claim):
    c = claim(born="2026-04-20")
    c.age.term = "14 d"
    c.has("Health examination for newborn 8 to 28 days old")
    c.bill("Z00.110")
    assert c.errors() == [("demographic_mismatch", "age", "Z00.110", "Z00.111")]
    assert c.reviews() == []


def test_an_infant_of_five_months_is_no_newborn_by_days(claim):
    c = claim(born="2025-12-01").bill("Z00.111").without_record()
    assert c.errors() == [("demographic_mismatch", "age", "Z00.111", None)]
