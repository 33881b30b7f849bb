"""How titles of the tabular list become phrases that a clinician would write."""

from __future__ import annotations

import pytest

from casegen.seeds.icd10cm.lexicon import Lexicon, lexicon
from casegen.seeds.icd10cm.tail_build import read_yaml
from casegen.seeds.icd10cm.wording import templates, tidy


@pytest.fixture(scope="module")
def lex() -> Lexicon:
    return lexicon(
        read_yaml("tail_wording.yaml"),
        ["Fracture of right femur with routine care", "infection by Escherichia coli"],
    )


@pytest.mark.parametrize(
    ("title", "names"),
    [
        (
            "Displaced transverse fracture of shaft of right femur",
            {
                "displaced transverse {side} femoral shaft fracture",
                "{side} femoral shaft fracture, displaced transverse",
            },
        ),
        (
            "Unspecified fracture of the lower end of right radius",
            {"{side} distal radius fracture"},
        ),
        ("Pain in right hip", {"{side} hip pain"}),
        ("Bennett's fracture, right hand", {"{side} hand Bennett's fracture"}),
        ("Puncture wound without foreign body of right ear", {"{side} ear puncture wound w/o FB"}),
        ("Burn of second degree of right knee", {"{side} knee second-degree burn"}),
        (
            "Other extraarticular fracture of right radius",
            {"other extraarticular fracture of the {side} radius"},
        ),
    ],
)
def test_sided_titles_become_clinical_phrases(lex: Lexicon, title: str, names: set[str]) -> None:
    assert names <= set(templates(title, lex, sided=True))


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Viral pneumonia, unspecified", "viral pneumonia"),
        ("Pneumonia, unspecified organism", "pneumonia"),
        ("Alcohol use, unspecified with intoxication", "alcohol use with intoxication"),
        ("Head injury NOS", "head injury"),
        ("Insect bite (nonvenomous) of scalp", "insect bite of scalp"),
        ("CR(E)ST syndrome", "CREST syndrome"),
        ("Crohn's disease of large intestine", "Crohn's disease of large intestine"),
        ("Sepsis due to Escherichia coli", "sepsis due to Escherichia coli"),
        ("Lesion at C5 level", "lesion at C5 level"),
        ("Ankylosing spondylitis of unspecified sites in spine", "ankylosing spondylitis of spine"),
        ("Aneurysm of unspecified site, without rupture", "aneurysm, without rupture"),
        ("Fall (on)(from) escalator", "fall from escalator"),
        ("Inguinal hernia, not specified as recurrent", "inguinal hernia"),
    ],
)
def test_coders_words_go_and_names_keep_their_capital(lex: Lexicon, title: str, text: str) -> None:
    assert tidy(title, lex) == text
