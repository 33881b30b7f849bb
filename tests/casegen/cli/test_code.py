"""``code`` tells all that the tables know."""

from __future__ import annotations

import json

import pytest

from .conftest import Cli


def test_a_code_comes_with_title_validity_and_notes(cli: Cli) -> None:
    out = cli("code", "J44.1").out
    for words in (
        "J44.1  Chronic obstructive pulmonary disease with (acute) exacerbation",
        "on 2026-04-01: valid",
        "valid from 2015-10-01 on",
        "Decompensated COPD",  # its own inclusion term
        "chapter 10",
        "type of asthma, if applicable (J45.-)",  # inherited from J44
        "Excludes2, at J44",
    ):
        assert words in out


@pytest.mark.parametrize("spelling", ["j441", " J44.1", "J441", "j 44.1"])
def test_every_spelling_is_the_same_code(spelling: str, cli: Cli) -> None:
    assert cli("code", spelling).out == cli("code", "J44.1").out


@pytest.mark.parametrize(
    ("code", "on", "status"),
    [
        ("M54.5", "2021-09-30", "valid"),
        ("M54.5", "2026-04-01", "retired"),
        ("N18.3", "2020-09-30", "valid"),
        ("N18.3", "2026-04-01", "retired"),
        ("M54.50", "2026-04-01", "valid"),
        ("E11", "2026-04-01", "incomplete"),
        ("W19.A", "2026-04-01", "incomplete"),
        ("W21.89A", "2026-04-01", "incomplete"),
        ("S72.001", "2026-04-01", "incomplete"),
        ("U07.1", "2026-04-01", "valid"),
        ("H40.40X2", "2026-04-01", "valid"),
    ],
)
def test_the_date_of_service_decides(code: str, on: str, status: str, cli: Cli) -> None:
    told = json.loads(cli("code", code, "--date", on, "--json").out)
    assert told["status"] == status
    assert told["billable"] == (status == "valid" and on > "2025")


@pytest.mark.parametrize(("wrong", "right"), [("W21.89A", "W21.89XA"), ("W19.A", "W19.XXXA")])
def test_missing_placeholders_are_filled_in(wrong: str, right: str, cli: Cli) -> None:
    assert json.loads(cli("code", wrong, "--json").out)["meant"] == right
    assert right in cli("code", wrong).out


def test_a_retired_code_shows_what_it_divides_into(cli: Cli) -> None:
    out = cli("code", "M54.5").out
    assert "retired" in out
    assert "to 2021-09-30" in out
    assert "M54.59" in out


def test_ages_and_edits_are_told(cli: Cli) -> None:
    told = json.loads(cli("code", "Z00.129", "--json").out)
    assert "pediatric" in told["mce_edits"]
    assert (told["age"]["from"], told["age"]["to"]) == (0, 17)


def test_the_sex_that_a_code_means_is_told(cli: Cli) -> None:
    assert "female" in cli("code", "O80").out
    assert json.loads(cli("code", "J44.1", "--json").out)["sex"] is None


def test_seventh_characters_and_sides_are_told(cli: Cli) -> None:
    out = cli("code", "S52.501D").out
    assert "D  subsequent encounter for closed fracture with routine healing" in out
    assert "left S52.502D" in out


def test_a_service_comes_with_what_binds_it(cli: Cli) -> None:
    out = cli("code", "93306").out
    assert "Doppler" in out
    assert "93307 (0)" in out
    assert "NCCI 2024Q3" in out


def test_one_spelling_may_be_a_diagnosis_and_a_service(cli: Cli) -> None:
    out = cli("code", "J1100").out
    assert out.startswith("J11.00  Influenza")
    assert "J1100  Dexamethasone" in out
    assert "Dexamethasone" not in cli("code", "J11.00").out
    assert json.loads(cli("code", "J1100", "20610", "--json").out)["kind"] == "services"


def test_a_pair_of_services_shows_direction_and_indicator(cli: Cli) -> None:
    forth, back = (cli("code", *pair).out for pair in (("93306", "93307"), ("93307", "93306")))
    for out in (forth, back):
        assert "column 1: 93306" in out
        assert "column 2: 93307, the one that is denied" in out
        assert "modifier indicator 0: no modifier allows both" in out
        assert "NCCI 2024Q3" in out


def test_a_pair_that_a_modifier_may_allow_says_so(cli: Cli) -> None:
    assert "modifier indicator 1" in cli("code", "45385", "45380").out


def test_a_pair_of_diagnoses_shows_the_note_and_its_reach(cli: Cli) -> None:
    out = cli("code", "I20.9", "I25.110").out
    assert "Excludes1 note at I20" in out
    assert "its words reach the code" in out


def test_asthma_and_copd_are_no_conflict(cli: Cli) -> None:
    told = json.loads(cli("code", "J44.1", "J45.20", "--json").out)
    assert told["excludes1"] == []
    assert told["code_also"]


def test_unrelated_codes_are_said_to_be_free(cli: Cli) -> None:
    assert "ties them" in cli("code", "I10", "J45.20").out


def test_an_excludes2_pair_may_be_coded(cli: Cli) -> None:
    assert "both may be coded" in cli("code", "I10", "S52.501A").out


def test_no_ncci_pair_joins_a_diagnosis_and_a_service(cli: Cli) -> None:
    assert "A diagnosis and a service" in cli("code", "I10", "93306").out


@pytest.mark.parametrize("codes", [("J44.1",), ("S52.501D",), ("93306", "93307"), ("I10", "I27.0")])
def test_a_script_gets_one_object(codes: tuple[str, ...], cli: Cli) -> None:
    out = cli("code", *codes, "--json").out
    assert out.count("\n") == 1
    assert isinstance(json.loads(out), dict)
