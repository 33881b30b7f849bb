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
                assert one.authority.reference == "section I.C.10.c"
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
