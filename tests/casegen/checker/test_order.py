"""The order of lines where a guideline sets it, as statements about claims made by hand."""

from __future__ import annotations

import pytest

# -- G I.A.13: etiology before manifestation


@pytest.mark.parametrize(
    ("cause", "first", "effect", "second"),
    [
        ("Alzheimer's disease, unspecified", "G30.9", "moderate", "F02.B0"),
        ("Chronic kidney disease, stage 3b", "N18.32", None, "D63.1"),
    ],
)
def test_the_etiology_stands_before_its_manifestation(claim, cause, first, effect, second):
    def chart():
        c = claim()
        c.has(cause)
        c.has(
            f"Dementia in other diseases classified elsewhere, {effect}, without behavioral "
            "disturbance, psychotic disturbance, mood disturbance, and anxiety"
            if effect
            else "Anemia in chronic kidney disease"
        )
        c.has("Gout, unspecified")
        return c

    assert chart().bill(first).bill("M10.9").bill(second).clean()
    assert chart().bill("M10.9").bill(second).bill(first).reviews() == [("sequence", second)]
    assert chart().bill(second).bill(first).bill("M10.9").reviews() == [("sequence", second)]


def test_the_stage_and_the_type_stand_behind_the_combination(claim):
    def chart():
        c = claim()
        c.has("Essential (primary) hypertension")
        c.has("Chronic systolic (congestive) heart failure")
        c.has("Chronic kidney disease, stage 3a")
        return c

    assert chart().bill("I13.0").bill("N18.31").bill("I50.22").clean()
    wrong = chart().bill("N18.31").bill("I13.0").bill("I50.22").reviews()
    assert wrong == [("sequence", "N18.31")]
    wrong = chart().bill("I50.22").bill("N18.31").bill("I13.0").reviews()
    assert wrong == [("sequence", "I50.22"), ("sequence", "N18.31")]


# -- G I.C.19.e.5: adverse effect, poisoning, underdosing


def harmed(c, drug, effect="Epistaxis"):
    c.relation("due_to", c.has(effect), c.has(drug, phase="active"))
    return c


def test_an_adverse_effect_follows_its_nature(claim):
    drug = "Adverse effect of anticoagulants"
    assert harmed(claim(), drug).bill("R04.0").bill("T45.515A").clean()
    wrong = harmed(claim(), drug).bill("T45.515A").bill("R04.0").reviews()
    assert {kind for kind, _ in wrong} == {"sequence"}


def test_a_poisoning_goes_before_what_it_does(claim):
    drug = "Poisoning by anticoagulants, accidental (unintentional)"
    assert harmed(claim(), drug).bill("T45.511A").bill("R04.0").clean()
    assert harmed(claim(), drug).bill("R04.0").bill("T45.511A").reviews() == [("sequence", "R04.0")]


def test_underdosing_never_comes_first(claim):
    drug = "Underdosing of insulin and oral hypoglycemic [antidiabetic] drugs"
    high = "Type 2 diabetes mellitus with hyperglycemia"
    assert harmed(claim(), drug, high).bill("E11.65").bill("T38.3X6A").clean()
    wrong = harmed(claim(), drug, high).bill("T38.3X6A").bill("E11.65").reviews()
    assert {kind for kind, _ in wrong} == {"sequence"}
