"""Guidelines that bind several facts, as statements about claims made by hand."""

from __future__ import annotations

import pytest

COUGH = "Acute cough"
FEVER = "Fever, unspecified"
PNEUMONIA = "Pneumonia, unspecified organism"
STAY = {"setting": "inpatient", "claim_type": "facility", "admitted": "2026-05-01"}
PARALYSIS = "Hemiplegia and hemiparesis following cerebral infarction"
INFARCTION = "Non-ST elevation (NSTEMI) myocardial infarction"
SEPSIS = "Sepsis due to Escherichia coli [E. coli]"
KIDNEYS = "Acute kidney failure, unspecified"
OSTEOPOROSIS = "Age-related osteoporosis without current pathological fracture"
WRIST = "Unspecified fracture of the lower end of radius"
PRESSURE = "Pre-existing essential hypertension complicating pregnancy"
BREAST = "Malignant neoplasm of unspecified site of right female breast"
AIRWAYS = "Diseases of the respiratory system complicating pregnancy, childbirth and the puerperium"
SCREENING = "Encounter for screening for malignant neoplasm of colon"


def ill(c, disease=PNEUMONIA, status="uncertain"):
    """Cough and fever, put down to a disease."""
    cough, fever, cause = c.has(COUGH), c.has(FEVER), c.has(disease, status)
    c.relation("integral", cause, cough, fever)
    return c


# -- G IV.H, II.H: a diagnosis that is not certain


@pytest.mark.parametrize(
    "where",
    [
        {},
        {"setting": "emergency"},
        {"setting": "emergency", "claim_type": "facility"},
        {"setting": "inpatient", "admitted": "2026-05-01"},
    ],
)
def test_a_probable_pneumonia_is_not_coded_in_the_office_nor_by_a_physician(claim, where):
    assert ill(claim(**where)).bill("R05.1").bill("R50.9").clean()
    assert ("unsupported", "J18.9") in ill(claim(**where)).bill("J18.9").reviews()


def test_a_probable_pneumonia_at_discharge_is_coded_as_if_established(claim):
    assert ill(claim(**STAY)).bill("J18.9").clean()
    reviews = ill(claim(**STAY)).bill("R05.1").bill("R50.9").reviews()
    assert ("unbilled", "J18.9") in reviews
    assert ("unsupported", "R05.1") in reviews


@pytest.mark.parametrize(
    "disease",
    ["COVID-19", "Human immunodeficiency virus [HIV] disease", "Zika virus disease"],
)
def test_covid_hiv_and_zika_are_coded_only_when_confirmed(claim, disease):
    assert ill(claim(**STAY), disease).bill("R05.1").bill("R50.9").clean()
    confirmed = ill(claim(**STAY), disease, "active")
    assert ("unsupported", "R05.1") in confirmed.bill("R05.1").reviews()


def test_a_suspected_influenza_a_is_one_of_an_unidentified_virus(claim):
    flu = "Influenza due to other identified influenza virus with other respiratory manifestations"
    assert ill(claim(**STAY), flu).bill("J11.1").clean()
    assert not ill(claim(**STAY), flu).bill("J10.1").clean()
    assert ill(claim(**STAY), flu, "active").bill("J10.1").clean()
    assert ill(claim(), flu).bill("R05.1").bill("R50.9").clean()


def test_a_review_of_an_uncertain_diagnosis_cites_the_guideline(claim):
    c = ill(claim()).bill("R05.1").bill("R50.9").bill("J18.9")
    (review,) = c.check().reviews
    assert review.authority is not None
    assert "IV.H" in review.authority.reference


# -- G I.B.5: symptoms that belong to a disease


def test_cough_and_fever_of_a_definite_pneumonia_are_not_coded(claim):
    assert ill(claim(), status="active").bill("J18.9").clean()
    reviews = ill(claim(), status="active").bill("J18.9").bill("R05.1").bill("R50.9").reviews()
    assert reviews == [("unsupported", "R05.1"), ("unsupported", "R50.9")]


def test_a_symptom_that_nobody_calls_part_of_the_disease_is_coded(claim):
    c = claim()
    c.has(PNEUMONIA)
    c.has("Headache, unspecified")
    assert c.bill("J18.9").bill("R51.9").clean()


# -- G I.A.15: what the provider unties


def test_kidney_disease_from_polycystic_kidneys_leaves_diabetes_and_hypertension_alone(claim):
    def chart():
        c = claim()
        sugar = c.has("Type 2 diabetes mellitus without complications")
        pressure = c.has("Essential (primary) hypertension")
        c.has("Polycystic kidney, unspecified")
        kidney = c.has("Chronic kidney disease, stage 3a")
        c.relation("unrelated", kidney, sugar, pressure)
        return c

    assert chart().bill("E11.9").bill("I10").bill("Q61.3").bill("N18.31").clean()
    linked = chart().bill("E11.22").bill("I12.9").bill("Q61.3").bill("N18.31")
    assert ("specificity_error", "detail", "E11.22", "E11.9") in linked.errors()
    assert ("unsupported", "I12.9") in linked.reviews()


def test_heart_failure_from_a_valve_leaves_hypertension_alone(claim):
    c = claim()
    pressure = c.has("Essential (primary) hypertension")
    c.has("Nonrheumatic aortic (valve) stenosis")
    heart = c.has("Chronic systolic (congestive) heart failure")
    c.relation("unrelated", heart, pressure)
    assert c.bill("I35.0").bill("I10").bill("I50.22").clean()


# -- G I.C.2.m: cancer that is over, and cancer under adjuvant treatment


@pytest.mark.parametrize(
    ("cancer", "sex", "code", "past"),
    [
        (BREAST, "female", "C50.911", "Z85.3"),
        ("Malignant neoplasm of prostate", "male", "C61", "Z85.46"),
        ("Malignant neoplasm of ascending colon", "male", "C18.2", "Z85.038"),
    ],
)  # fmt: skip
def test_a_cancer_that_is_over_is_history_and_one_under_treatment_is_not(
    claim, cancer, sex, code, past
):
    over, treated = claim(sex=sex), claim(sex=sex)
    over.has(cancer, "history")
    treated.has(cancer)
    assert over.bill(past).clean()
    assert treated.bill(code).clean()
    wrong = claim(sex=sex)
    wrong.has(cancer, "history")
    assert ("unsupported", code) in wrong.bill(code).reviews()


def test_adjuvant_tamoxifen_keeps_the_cancer_on_the_claim(claim):
    c = claim()
    c.has("Malignant neoplasm of unspecified site of left female breast")
    c.has("Long term (current) use of selective estrogen receptor modulators (SERMs)")
    c.has("Estrogen receptor positive status [ER+]")
    assert c.bill("C50.912").bill("Z79.810").bill("Z17.0").clean()


# -- G I.C.9.d and I.C.6.a: a stroke and what it leaves


def test_a_stroke_that_left_nothing_is_history(claim):
    c = claim()
    c.has("Cerebral infarction, unspecified", "history")
    assert c.bill("Z86.73").clean()


@pytest.mark.parametrize(
    ("side", "hand", "code"),
    [
        ("right", "right", "I69.351"),
        ("left", "left", "I69.352"),
        ("right", "left", "I69.353"),
        ("left", "right", "I69.354"),
        ("right", "ambidextrous", "I69.351"),
        ("left", "ambidextrous", "I69.352"),
        ("right", None, "I69.351"),
        ("left", None, "I69.354"),
    ],
)
def test_the_dominant_side_follows_from_the_hand(claim, side, hand, code):
    c = claim()
    c.has(PARALYSIS, side=side, **({} if hand is None else {"handedness": hand}))
    assert c.bill(code).clean()


# -- G I.C.9.e.1: an infarction counts as acute for four weeks


@pytest.mark.parametrize(
    ("weeks", "code"), [("1", "I21.4"), ("4", "I21.4"), ("5", "I25.2"), ("156", "I25.2")]
)
def test_an_infarction_is_acute_for_four_weeks_and_old_after_them(claim, weeks, code):
    c = claim()
    c.has(INFARCTION, "history", weeks_ago=weeks)
    assert c.bill(code).clean()


# -- G I.C.15: pregnancy


@pytest.mark.parametrize(
    ("weeks", "code"),
    [(13, "O10.011"), (14, "O10.012"), (27, "O10.012"), (28, "O10.013"), (36, "O10.013")],
)
def test_the_trimester_follows_from_the_weeks(claim, weeks, code):
    c = claim(born="1998-02-03")
    c.has(PRESSURE)
    c.has(f"{weeks} weeks gestation of pregnancy")
    assert c.bill(code).bill(f"Z3A.{weeks}").clean()


def test_without_weeks_the_trimester_stays_open(claim):
    c = claim(born="1998-02-03")
    c.has(PRESSURE)
    assert c.bill("O10.012").reviews() == [("record does not settle", "O10.012")]


def test_weeks_that_nobody_knows_settle_nothing(claim):
    c = claim(born="1998-02-03")
    c.has(PRESSURE)
    c.has("Weeks of gestation of pregnancy not specified")
    assert ("record does not settle", "O10.011") in c.bill("O10.011").bill("Z3A.00").reviews()


def test_a_relation_that_names_one_fact_only_is_no_obstacle(claim):
    for term in ("due_to", "minor_trauma", "integral", "found_by"):
        c = claim()
        c.relation(term, c.has(PNEUMONIA))
        assert c.bill("J18.9").clean()


def test_the_wrong_trimester_is_a_finding_that_rests_on_the_weeks(claim):
    c = claim(born="1998-02-03")
    c.has(PRESSURE)
    c.has("30 weeks gestation of pregnancy")
    c.bill("O10.012").bill("Z3A.30")
    assert c.errors() == [("specificity_error", "detail", "O10.012", "O10.013")]
    assert c.evidence() == {PRESSURE, "30 weeks gestation of pregnancy"}


def test_chapter_15_goes_before_all_others(claim):
    def chart():
        c = claim(born="1998-02-03")
        c.has(AIRWAYS)
        c.has("30 weeks gestation of pregnancy")
        c.has("Mild intermittent asthma, uncomplicated")
        return c

    assert chart().bill("O99.513").bill("J45.20").bill("Z3A.30").clean()
    wrong = chart().bill("J45.20").bill("O99.513").bill("Z3A.30")
    assert wrong.reviews() == [("sequence", "J45.20")]


# -- G I.C.1.d: sepsis


def septic(c, relation, shock=False):
    infection, organ = c.has(SEPSIS), c.has(KIDNEYS)
    if shock:
        c.has("Severe sepsis with septic shock")
    c.relation(relation, organ, infection)
    return c


def test_an_organ_that_failed_because_of_sepsis_makes_it_severe(claim):
    assert septic(claim(**STAY), "due_to").bill("A41.51").bill("R65.20").bill("N17.9").clean()
    assert ("unbilled", "R65.20") in (
        septic(claim(**STAY), "due_to").bill("A41.51").bill("N17.9").reviews()
    )


def test_an_organ_that_failed_for_another_reason_does_not(claim):
    assert septic(claim(**STAY), "unrelated").bill("A41.51").bill("N17.9").clean()
    wrong = septic(claim(**STAY), "unrelated").bill("A41.51").bill("R65.20").bill("N17.9")
    assert wrong.reviews() == [("unsupported", "R65.20")]


def test_septic_shock_takes_the_place_of_severe_sepsis(claim):
    right = septic(claim(**STAY), "due_to", shock=True)
    assert right.bill("A41.51").bill("R65.21").bill("N17.9").clean()


@pytest.mark.parametrize(
    "order", ["R65.20 A41.51 N17.9", "N17.9 A41.51 R65.20", "A41.51 N17.9 R65.20"]
)
def test_neither_severe_sepsis_nor_the_failure_goes_before_the_infection(claim, order):
    c = septic(claim(**STAY), "due_to")
    for code in order.split():
        c.bill(code)
    assert {kind for kind, _ in c.reviews()} == {"sequence"}


# -- G I.C.21.c.5 and I.C.13.d.2


def test_what_a_screening_finds_stands_behind_the_screening(claim):
    def chart():
        c = claim()
        c.relation("found_by", c.has("Polyp of colon"), c.has(SCREENING))
        return c

    assert chart().bill("Z12.11").bill("K63.5").clean()
    assert chart().bill("K63.5").bill("Z12.11").reviews() == [("sequence", "K63.5")]


@pytest.mark.parametrize(
    ("fracture", "phase", "code"),
    [
        (WRIST, "active", "M80.032A"),
        ("Fracture of unspecified part of neck of femur", "active", "M80.052A"),
        ("Unspecified fracture of upper end of humerus", "active", "M80.022A"),
        (WRIST, "healing", "M80.032D"),
    ],
)
def test_a_slight_fall_in_known_osteoporosis_breaks_a_fragile_bone(claim, fracture, phase, code):
    c = claim()
    healing = {"healing": "routine"} if phase == "healing" else {}
    broken = c.has(fracture, side="left", phase=phase, **healing)
    c.relation("minor_trauma", broken, c.has(OSTEOPOROSIS))
    assert c.bill(code).clean()


def test_a_heavy_fall_breaks_a_bone_of_any_strength(claim):
    c = claim()
    c.has(WRIST, side="left", phase="active")
    c.has(OSTEOPOROSIS)
    assert c.bill("S52.502A").bill("M81.0").clean()


def test_what_is_over_by_its_own_wording_needs_no_rule(claim):
    c = claim()
    c.has("Personal history of malignant neoplasm of breast", "history")
    assert c.bill("Z85.3").clean()
