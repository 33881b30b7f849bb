"""What ICD-10-CM codes mean for the sex and the age of a patient."""

from __future__ import annotations

import pytest

from casegen.seeds.icd10cm import Tables, load
from casegen.seeds.icd10cm.listing import chapter_codes


@pytest.fixture(scope="module")
def tables() -> Tables:
    return load()


def test_delivery_is_a_womans_code(tables: Tables) -> None:
    said = tables.sex_by_meaning("O80")
    assert said == ("female", "chapter 15, Pregnancy, childbirth and the puerperium")
    assert all((tables.sex_by_meaning(code) or "")[0] == "female"
               for code in chapter_codes(tables, 15))  # fmt: skip


@pytest.mark.parametrize(
    ("code", "sex"),
    [
        ("N40.1", "male"),
        ("C61", "male"),
        ("Z12.5", "male"),
        ("C53.9", "female"),
        ("N94.6", "female"),
        ("Z3A.20", "female"),
        ("S30.22XA", "male"),
        ("C50.911", "female"),
        ("C50.921", "male"),
    ],
)
def test_organs_and_pregnancy_tell_the_sex(tables: Tables, code: str, sex: str) -> None:
    said = tables.sex_by_meaning(code)
    assert said is not None
    assert said[0] == sex
    assert tables.historic_sex(code) == sex


@pytest.mark.parametrize(
    "code",
    ["Z80.41", "Z80.42", "P01.5", "P00.0", "Z38.00", "I10", "N39.3", "Y07.03", "Z79.890",
     "Z13.32", "Q56.1", "Z31.7", "E87.0", "Z99.999", "A07.0", "Z15.02"],
)  # fmt: skip
def test_what_either_sex_may_have_tells_none(tables: Tables, code: str) -> None:
    assert tables.sex_by_meaning(code) is None


def test_sex_edits_ended_but_are_remembered(tables: Tables) -> None:
    assert "male" in tables.edits("N40.1", "2024-09-30")
    assert "male" not in tables.edits("N40.1", "2024-10-01")
    assert tables.historic_sex("N40.1") == "male"
    assert tables.historic_sex("I10") is None


@pytest.mark.parametrize(
    ("code", "low", "high"),
    [
        ("Z00.00", 15, 124),
        ("Z00.129", 0, 17),
        ("Z00.110", 0, 0),
        ("Z38.00", 0, 0),
        ("Z76.2", 0, 17),
        ("H25.11", 15, 124),
        ("Z68.54", 2, 19),
        ("Z68.30", 20, 124),
        ("T74.12XA", 0, 17),
    ],
)
def test_titles_that_tell_the_age(tables: Tables, code: str, low: int, high: int) -> None:
    said = tables.age_by_meaning(code)
    assert said is not None
    assert said[:2] == (low, high)


@pytest.mark.parametrize("code", ["P07.30", "P22.0", "M08.00", "I10", "O80", "Q21.0", "Z76.1"])
def test_what_may_stay_for_life_tells_no_age(tables: Tables, code: str) -> None:
    # Guideline I.C.16.a.4: perinatal codes are used at any age while the condition lasts.
    assert tables.age_by_meaning(code) is None


def test_ages_by_meaning_never_contradict_the_mce(tables: Tables) -> None:
    groups = {"newborn": (0, 0), "pediatric": (0, 17), "adult": (15, 124), "maternity": (9, 64)}
    for number in range(1, 23):
        for code in chapter_codes(tables, number):
            said = tables.age_by_meaning(code)
            if said is None or code.startswith("Z68"):  # the note at Z68 has ages of its own
                continue
            (group,) = tables.edits(code, "2026-04-01") & groups.keys()
            assert said[:2] == groups[group], code
