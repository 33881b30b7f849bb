"""``drug`` tells what is known of a drug or a pair; ``check`` judges a prescription."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Cli

RX: dict[str, Any] = {
    "prescription": {"drug": "Zocor", "dose": "40 mg", "frequency": "nightly"},
    "patient": {"sex": "male", "age": 61, "weight_lb": 176.5},
    "allergies": [{"allergen": "PCN", "reaction": "hives"}],
    "medications": [{"drug": "amlodipine", "dose": "5 mg", "frequency": "daily"}],
    "conditions": ["n1831", "hypertension"],
    "labs": {"eGFR": 52},
}


def judged(cli: Cli, tmp_path: Path, data: object, *more: str) -> Any:
    path = tmp_path / "rx.json"
    path.write_text(json.dumps(data))
    return cli("check", path, *more)


def with_(**parts: Any) -> dict[str, Any]:
    return {**RX, **parts}


# --- drug


def test_a_drug_comes_with_doses_contraindications_and_authorities(cli: Cli) -> None:
    out = cli("drug", "warfarin").out
    for words in (
        "warfarin  (Coumadin, Jantoven)",
        "vitamin K antagonist",
        "tablet: 1 mg, 2 mg",
        "Contraindications and cautions",
        "label of warfarin, section 4",
        "high-alert",
        "Interactions with the other drugs",
    ):
        assert words in out


@pytest.mark.parametrize("name", ["Coumadin", "WARFARIN", "  warfarin  sodium "])
def test_brands_and_synonyms_are_the_same_drug(cli: Cli, name: str) -> None:
    assert cli("drug", name).out == cli("drug", "warfarin").out


def test_a_pair_tells_its_interaction(cli: Cli) -> None:
    out = cli("drug", "warfarin", "aspirin").out
    assert "warfarin + aspirin" in out
    assert "MAJOR  monitor  (warfarin + aspirin)" in out
    assert "label of warfarin, section 7" in out


def test_a_pair_of_a_script_is_one_object(cli: Cli) -> None:
    told = json.loads(cli("drug", "Zocor", "Norvasc", "--json").out)
    assert told["drugs"] == ["simvastatin", "amlodipine"]
    assert told["interactions"][0]["limits"][0]["maximum"] == "20"
    single = json.loads(cli("drug", "warfarin", "--json").out)
    assert single["interactions"]["major"] > 10
    assert all(one["authority"] for one in single["contraindications"])


def test_a_pair_without_a_rule_is_not_called_safe(cli: Cli) -> None:
    assert "does not say that they are safe" in cli("drug", "simvastatin", "lisinopril").out


def test_a_pair_tells_a_duplicate_and_a_cross_allergy(cli: Cli) -> None:
    assert "DUPLICATE THERAPY" in cli("drug", "losartan", "lisinopril").out
    assert (
        "ALLERGY  to amoxicillin (immediate), cephalexin given: avoid"
        in cli("drug", "amoxicillin", "cephalexin").out
    )


@pytest.mark.parametrize("names", [("tazocin",), ("warfarin", "asprin"), ("",)])
def test_an_unknown_drug_is_one_line_and_not_guessed(cli: Cli, names: tuple[str, ...]) -> None:
    told = cli("drug", *names).complaint()
    assert "no generic name, brand or synonym" in told
    assert "pentazocine" not in told
    assert "aspirin" not in told


# --- check


def test_findings_end_with_status_1_and_their_authority(cli: Cli, tmp_path: Path) -> None:
    result = judged(cli, tmp_path, RX)
    assert result.status == 1
    assert result.out.startswith("MODIFY  Zocor 40 mg nightly")
    assert "amlodipine-simvastatin" in result.out
    assert "authority: label of simvastatin, section 7" in result.out


def test_a_right_prescription_ends_with_status_0(cli: Cli, tmp_path: Path) -> None:
    data = with_(prescription={"drug": "Zocor", "dose": "20 mg", "frequency": "nightly"})
    result = judged(cli, tmp_path, data)
    assert result.status == 0
    assert result.out.startswith("APPROVE")


def test_a_script_gets_the_report_as_one_object(cli: Cli, tmp_path: Path) -> None:
    told = json.loads(judged(cli, tmp_path, RX, "--json").out)
    assert told["recommendation"] == "modify"
    assert told["dosage_safe"] is False
    assert {one["component"] for one in told["findings"]} == {"dose", "interaction"}
    assert "reject, where" in told["rule"]


def test_pounds_and_kilograms_of_one_weight_are_one(cli: Cli, tmp_path: Path) -> None:
    child = {"drug": "amoxicillin", "dose": "540 mg", "frequency": "BID",
             "indication": "acute otitis media"}  # fmt: skip
    for weight, status in (
        ({"weight_kg": 12}, 0),
        ({"weight_lb": 26.5}, 0),
        ({"weight_lb": 12}, 1),
    ):
        patient = {"age": 4, **weight}
        assert judged(cli, tmp_path, {"prescription": child, "patient": patient}).status == status


def test_an_age_is_counted_from_the_birth_date(cli: Cli, tmp_path: Path) -> None:
    told = {"drug": "codeine", "dose": "15 mg", "frequency": "q6h"}
    data = {"prescription": told, "date": "2026-05-04", "patient": {"birth_date": "2014-05-05"}}
    assert "pediatric-codeine" in judged(cli, tmp_path, data, "--json").out
    data["patient"] = {"birth_date": "2014-05-04"}
    assert "pediatric-codeine" not in judged(cli, tmp_path, data, "--json").out


def test_what_nobody_knows_is_told_and_not_guessed(cli: Cli, tmp_path: Path) -> None:
    data = with_(allergies=["kiwi"], medications=["asprin"], conditions=["sugar"])
    out = judged(cli, tmp_path, data).out
    for word in ("kiwi", "asprin", "sugar"):
        assert f"{word}: this" in out


def test_a_name_of_several_conditions_is_only_certain_where_all_are_meant(
    cli: Cli, tmp_path: Path
) -> None:
    told = {"drug": "metformin", "dose": "500 mg", "frequency": "BID"}
    open_ = judged(cli, tmp_path, {"prescription": told, "conditions": ["kidney disease"]})
    assert open_.status == 0
    assert "which kind of kidney disease is not told" in open_.out
    severe = judged(cli, tmp_path, {"prescription": told, "conditions": ["severe kidney disease"]})
    assert severe.status == 1


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"prescription": []}, "prescription: []: must be an object"),
        ({"prescription": {"drug": "x"}}, "prescription.dose: is missing"),
        ({"prescription": {"drug": "x", "dose": ""}}, "prescription.dose: '': must be text"),
        ({"prescription": {"drug": 3, "dose": "1"}}, "prescription.drug: 3: "),
        (
            {"prescription": {"drug": "x", "dose": "1", "frq": "BID"}},
            "prescription.frq: 'BID': unknown",
        ),
        (with_(more=1), "more: 1: unknown; known are prescription, patient"),
        (with_(patient={"age": True}), "patient.age: True"),
        (with_(patient={"age": -1}), "patient.age: -1"),
        (with_(patient={"age": 200}), "patient.age: 200"),
        (with_(patient={"age": 4, "age_months": 48}), "patient.age_months: 48: leave it out"),
        (with_(patient={"sex": "m"}), "patient.sex: 'm'"),
        (with_(patient={"weight_kg": "80"}), "patient.weight_kg: '80': must be a number"),
        (with_(patient={"weight_kg": 0}), "patient.weight_kg: 0"),
        (with_(patient={"weight_kg": 80, "weight_lb": 176}), "patient.weight_lb: 176"),
        (with_(patient={"birth_date": "1990-01-01"}), "date: is missing"),
        (with_(patient={"birth_date": "1.1.1990"}, date="2026-01-01"), "patient.birth_date: "),
        (with_(patient={"birth_date": "2030-01-01"}, date="2026-01-01"), "patient.birth_date: "),
        (with_(patient={"sex": "male", "pregnant": True}), "patient.pregnant: "),
        (with_(patient={"weeks": 12}), "patient.weeks: 12"),
        (with_(medications="aspirin"), "medications: 'aspirin': "),
        (with_(medications=[3]), "medications[0]: 3: must be an object"),
        (with_(medications=[{"drug": "aspirin", "dos": "1"}]), "medications[0].dos: '1': unknown"),
        (with_(conditions=["Q99.99"]), "conditions[0].code: 'Q99.99': is no ICD-10-CM code"),
        (with_(conditions=[{}]), "conditions[0]: needs a code or a name"),
        (with_(labs={"eGFR": "low"}), "labs.eGFR.value: 'low': must be a number"),
        (with_(labs={"eGFR": -3}), "labs.eGFR.value: -3"),
        (with_(labs=[{"name": "GGT", "value": 3}]), "labs[0].name: 'GGT': must be one of eGFR"),
        (
            with_(labs=[{"name": "creatinine", "value": 132, "unit": "umol/L"}]),
            "labs[0].unit: 'umol/L': give creatinine in mg/dL",
        ),
        (with_(labs={"Child-Pugh": "D"}), "labs.Child-Pugh.value: 'D': must be A, B or C"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_in_one_line(
    cli: Cli, tmp_path: Path, data: object, field: str
) -> None:
    assert f"rx.json: {field}" in judged(cli, tmp_path, data).complaint()


def test_tables_do_not_judge_a_prescription(cli: Cli, tmp_path: Path) -> None:
    assert "--tables" in judged(cli, tmp_path, RX, "--tables", "mine").complaint()
