"""The rule cited for a code is the one that decides it."""

from __future__ import annotations

import pytest

import casegen
from casegen.schemas import CodingCase

from .charts import charts

# Of what a sentence on a germ tells, and the beginnings of the codes of that disease.
INFECTIONS = {
    "urin": ("N39.0", "N30", "N10", "N1", "O23", "A41"),
    "skin": ("L0",),
    "wound": ("L0", "T", "S"),
}


@pytest.fixture(scope="module")
def cases() -> list[CodingCase]:
    found = list(casegen.make("coding-v0", seed=8124).cases(0, 500))
    return found + [casegen.make("coding-v0", seed=9001, difficulty="expert")[225]]


def test_a_germ_is_asked_for_by_the_note_of_the_infection_that_it_causes(
    cases: list[CodingCase],
) -> None:
    seen = 0
    for case in cases:
        for one in case.secondary:
            if not one.code.startswith(("B95", "B96", "B97")):
                continue
            told = " ".join(span.text for span in one.evidence).lower()
            beside = one.reason.rpartition(" beside ")[2].rstrip(".")
            for word, starts in INFECTIONS.items():
                if word in told and beside != one.reason:
                    seen += 1
                    assert beside.startswith(starts), (case.id, one.reason, told)
    assert seen >= 5


def test_suspected_influenza_of_a_known_virus_is_an_exception_to_coding_as_if_established() -> None:
    seen = 0
    for name, case in charts("uncertain", count=120):
        if name != "suspected_influenza_a":
            continue
        for one in case.gold():
            if one.code.startswith("J11"):
                seen += 1
                first = one.code == case.primary.code
                assert first or one.authority.reference == "section I.C.10.c"
                assert not first or "(guideline I.C.10.c)" in one.reason
                assert "as if it were established" not in one.reason
    assert seen >= 1


def test_another_form_rests_on_what_the_provider_states(cases: list[CodingCase]) -> None:
    seen = 0
    for case in cases:
        for one in case.wrong:
            if one.kind == "wrong_type":
                assert not one.authority.reference.startswith("section I.B.2,")
                seen += one.authority.reference.startswith("section I.A.19")
    assert seen >= 50


def test_the_hint_on_the_first_code_names_a_rule_of_place(cases: list[CodingCase]) -> None:
    places = (
        "II", "II.A", "IV.D", "IV.G", "IV.N", "IV.P", "I.B.10", "I.C.1.d.3", "I.C.15.a.1",
        "I.C.19.e.5.a", "I.C.19.e.5.b", "I.C.19.e.5.c", "I.C.21.c.5", "I.C.21.c.13",
    )  # fmt: skip
    for case in cases:
        told = case.primary.authority
        if told.source == "guideline":
            assert told.reference.removeprefix("section ").partition(",")[0] in places, case.id
        if not case.needs_review:
            named = told.reference if told.source == "guideline" else "A note of the tabular list"
            assert named in case.hints[-1], case.id


def test_what_makes_the_first_code_this_one_is_told_beside_its_place(
    cases: list[CodingCase],
) -> None:
    seen = 0
    for case in cases:
        if "the record names the side" in case.primary.reason:
            seen += 1
            assert "(guideline I.B.13)" in case.primary.reason
            assert not case.primary.authority.reference.startswith("section I.B.13")
    assert seen >= 20


def test_surgery_and_examinations_have_sections_of_their_own() -> None:
    found = set()
    cases = casegen.make("coding-v0", seed=9001, settings=("office", "outpatient_surgery"))
    for case in cases.cases(0, 500):
        section = case.primary.authority.reference.removeprefix("section ").partition(",")[0]
        title = next(one.title for one in case.allowed if one.code == case.primary.code)
        if case.primary.code.startswith("Z00"):
            found.add(section)
            assert section == ("IV.P" if "with abnormal" in title else "I.C.21.c.13")
        elif case.encounter.setting == "outpatient_surgery":
            assert section != "IV.G"
            found.add(section)
    assert {"IV.P", "IV.N"} <= found
