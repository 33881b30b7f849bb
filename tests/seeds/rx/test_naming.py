"""Names of findings compare without order, case, brand and blanks, and with nothing guessed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import Measure, Range
from casegen.seeds.rx.naming import (
    age_names,
    allergy_names,
    condition_names,
    interaction_names,
    keys_of,
    measure_names,
    names_of,
    pregnancy_names,
    same,
)

RX = load()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("warfarin-aspirin", "aspirin-warfarin"), ("warfarin-aspirin", "WARFARIN - Aspirin"),
        ("Coumadin-aspirin", "warfarin-acetylsalicylic acid"), ("warfarin_aspirin", "ASA-Jantoven"),
        ("kidney_disease-metformin", "chronic kidney disease-Glucophage"),
        ("kidney_disease-metformin", "CKD-metformin"),
        ("kidney disease metformin", "ckd_metformin"),
        ("penicillin-amoxicillin", "PCN-amoxicillin"),
        ("hydrocodone-acetaminophen-acetaminophen", "acetaminophen-Norco"),
        ("amoxicillin-amoxicillin-clavulanate", "Augmentin-amoxicillin"),
        ("myasthenia_gravis-ciprofloxacin", "Cipro-MG"),
        ("end-stage renal disease-metformin", "ESRD-metformin"),
        ("trimethoprim-sulfamethoxazole-warfarin", "warfarin-TMP-SMX"),
        ("Parkinson's disease-haloperidol", "parkinson disease-haloperidol"),
    ],
)  # fmt: skip
def test_two_names_are_one(one: str, other: str) -> None:
    assert keys_of(one) & keys_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("warfarin-aspirin", "warfarin-ibuprofen"), ("warfarin-aspirin", "warfarine-aspirin"),
        ("kidney_disease-metformin", "liver_disease-metformin"),
        ("penicillin-amoxicillin", "penicilin-amoxicillin"),
        ("tazocin-warfarin", "pentazocine-warfarin"), ("amoxicillin-amoxicillin", "amoxicillin"),
        ("heart failure-ibuprofen", "kidney failure-ibuprofen"),
    ],
)  # fmt: skip
def test_two_names_are_two(one: str, other: str) -> None:
    assert not keys_of(one) & keys_of(other)


@pytest.mark.parametrize("text", ["", "-", "warfarin", "   ", "a " * 40])
def test_what_is_no_pair_has_no_key(text: str) -> None:
    assert keys_of(text) == set()


@given(st.sampled_from(sorted(RX.drugs)), st.sampled_from(sorted(RX.drugs)))
def test_any_pair_of_drugs_is_found_in_either_order(one: str, other: str) -> None:
    assert keys_of(f"{one}-{other}") & keys_of(f"{other.upper()} {one}")


@given(st.text(max_size=80))
def test_any_text_has_keys_or_none(text: str) -> None:
    assert isinstance(keys_of(text), set)


def test_names_are_small_letters_with_underscores() -> None:
    assert names_of(["kidney disease", "eGFR", "eGFR"], "metformin") == [
        "kidney_disease-metformin",
        "egfr-metformin",
    ]


def test_a_rule_on_a_class_may_be_named_by_it() -> None:
    (rule,) = RX.between("sertraline", "tramadol")
    names = interaction_names(RX, "sertraline", "tramadol", rule)
    assert names[0] == "sertraline-tramadol"
    assert same("SSRI-tramadol", names)
    assert not same("SSRI-opioid", names)


def test_an_allergy_is_named_by_drug_or_class() -> None:
    names = allergy_names(RX, "penicillin-allergy", "amoxicillin")
    assert names[0] == "penicillin-amoxicillin"
    assert same("PCN-amoxicillin", names)
    assert not same("sulfa-amoxicillin", names)
    assert same("aspirin-ibuprofen", allergy_names(RX, "aspirin", "ibuprofen"))
    assert same("NSAID-ibuprofen", allergy_names(RX, "aspirin", "ibuprofen"))


def test_a_condition_is_named_as_the_knowledge_calls_it() -> None:
    rule = next(r for r in RX.drugs["metformin"].contraindications if "N18.4" in r.codes)
    names = condition_names(RX, rule, "N18.4", "metformin")
    assert names[0] == "kidney_disease-metformin"
    assert same("CKD-metformin", names)
    assert same("N18.4-metformin", names)
    assert not same("heart failure-metformin", names)


def test_a_lab_is_named_by_its_measure_or_what_it_shows() -> None:
    low = Measure("eGFR", "mL/min/1.73 m2", Range(None, Decimal(45), False, False))
    assert same("kidney disease-metformin", measure_names(low, Decimal(28), "metformin"))
    assert same("GFR-metformin", measure_names(low, Decimal(28), "metformin"))
    severe = "severe_kidney_disease-metformin"
    assert severe in measure_names(low, Decimal(28), "metformin")
    assert severe not in measure_names(low, Decimal(40), "metformin")
    high = Measure("potassium", "mEq/L", Range(Decimal("5.5"), None, False, False))
    assert same("hyperkalemia-eplerenone", measure_names(high, Decimal(6), "eplerenone"))


def test_an_age_is_named_by_its_time_of_life() -> None:
    assert age_names(120, "codeine") == ["age-codeine", "pediatric-codeine"]
    assert "geriatric-glyburide" in age_names(800, "glyburide")
    assert age_names(400, "codeine") == ["age-codeine"]
    assert same("pregnant-isotretinoin", pregnancy_names("isotretinoin"))
