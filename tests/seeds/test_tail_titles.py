"""No phrase of the long tail reads like a heading of the index or like a title with a choice."""

from __future__ import annotations

import re

from casegen.seeds.icd10cm import tables

TITLE_LIKE = re.compile(
    r"increased or decreased|, material$|\borgan or structure\b|substance or known physiological"
    r"|or suspected carrier|hypnotic or anxiolytic|occlusion or stenosis|bronchus or lung"
    r"|mass (?:and|or) lump|crisis or storm|muscles? or tendons?|fall on or from"
    r"|, (?:portion|size|male|female|vertebrae|unspecified)$|symptom or deficit"
)


def names() -> list[str]:
    icd = tables.load()
    return [
        name
        for stratum in ("disease", "neoplasm", "congenital", "symptom", "status", "external_cause")
        for at in range(icd.tail_count(stratum))
        for name in icd.tail(stratum, at).names
    ]


def test_no_phrase_offers_a_choice_that_no_note_would() -> None:
    assert not [name for name in names() if TITLE_LIKE.search(name)][:10]


def test_what_a_title_holds_in_one_is_said_by_one_of_it() -> None:
    icd = tables.load()
    told = {code: icd.tail_of(code) for code in ("R01.2", "Z18.9", "F13.20", "Z22.322")}
    assert {code: entry.names[0] for code, entry in told.items() if entry is not None} == {
        "R01.2": "increased cardiac dullness",
        "Z18.9": "retained foreign body fragments",
        "F13.20": "uncomplicated sedative dependence",
        "Z22.322": "carrier of Methicillin resistant Staphylococcus aureus",
    }
