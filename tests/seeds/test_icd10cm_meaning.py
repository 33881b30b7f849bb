"""Sides, seventh characters, notes and wordings of ICD-10-CM codes."""

from __future__ import annotations

import random
import re

import pytest

from casegen.seeds.icd10cm import Seventh, Tables, load
from casegen.seeds.icd10cm.listing import chapter_codes
from casegen.seeds.icd10cm.sevenths import read_seventh, side_of
from casegen.seeds.icd10cm.xml import parse_tabular, tabular_path


@pytest.fixture(scope="module")
def tables() -> Tables:
    return load()


# Sides


@pytest.mark.parametrize(
    ("code", "siblings"),
    [
        ("S52.501D", {"right": "S52.501D", "left": "S52.502D", "unspecified": "S52.509D"}),
        (
            "M17.0",
            {"right": "M17.11", "left": "M17.12", "bilateral": "M17.0", "unspecified": "M17.10"},
        ),
        (
            "H25.12",
            {"right": "H25.11", "left": "H25.12", "bilateral": "H25.13", "unspecified": "H25.10"},
        ),
        ("L89.613", {"right": "L89.613", "left": "L89.623", "unspecified": "L89.603"}),
        ("H01.001", {"right": "H01.001", "left": "H01.004"}),
        ("H01.009", {"right": "H01.003", "left": "H01.006", "unspecified": "H01.009"}),
        (
            "H74.41",
            {"right": "H74.41", "left": "H74.42", "bilateral": "H74.43", "unspecified": "H74.40"},
        ),
        ("I69.351", {"right": "I69.351", "left": "I69.352"}),
        (
            "E11.3211",
            {
                "right": "E11.3211",
                "left": "E11.3212",
                "bilateral": "E11.3213",
                "unspecified": "E11.3219",
            },
        ),
    ],
)
def test_the_other_side_of_a_code(tables: Tables, code: str, siblings: dict[str, str]) -> None:
    assert tables.side_siblings(code) == siblings
    for side, sibling in siblings.items():
        assert tables.laterality(sibling) == side
        assert tables.exists(sibling)


@pytest.mark.parametrize(
    "code",
    ["I50.1", "Q20.1", "Q20.2", "I44.4", "I50.810", "K51.50", "O30.839", "J18.9", "T81.500A",
     "S36.500A", "I21.02", "I10", "M25.50", "H53.47", "Z99.999"],
)  # fmt: skip
def test_a_word_alone_makes_no_side(tables: Tables, code: str) -> None:
    assert tables.laterality(code) is None
    assert tables.side_siblings(code) == {}


def test_sides_of_every_code_fit_its_title(tables: Tables) -> None:
    for number in range(1, 23):
        for code in chapter_codes(tables, number):
            side = tables.laterality(code)
            title = tables.title(code).lower()
            if side in ("right", "left", "bilateral"):
                assert side in title, code
            elif side == "unspecified":
                assert "unspecified" in title, code
            if side in ("right", "left"):
                siblings = tables.side_siblings(code)
                assert {"right", "left"} <= set(siblings), code
                assert siblings[side] == code


# Seventh characters


@pytest.mark.parametrize(
    ("text", "phase", "fracture", "healing"),
    [
        ("initial encounter", "active", None, None),
        ("initial encounter for closed fracture", "active", "closed", None),
        ("initial encounter for open fracture", "active", "open", None),
        ("initial encounter for open fracture type I or II", "active", "open_1_2", None),
        (
            "subsequent encounter for open fracture type IIIA, IIIB, or IIIC with delayed healing",
            "healing", "open_3", "delayed",
        ),
        ("subsequent encounter for fracture with nonunion", "healing", None, "nonunion"),
        ("subsequent encounter for fracture with malunion", "healing", None, "malunion"),
        ("sequela of fracture", "sequela", None, None),
        ("fetus 1", None, None, None),
        ("moderate stage", None, None, None),
        ("with tophus (tophi)", None, None, None),
        ("in the field [EMT or ambulance]", None, None, None),
        ("right eye", None, None, None),
    ],
)  # fmt: skip
def test_what_a_seventh_character_says(
    text: str, phase: str | None, fracture: str | None, healing: str | None
) -> None:
    assert read_seventh("A", text) == Seventh("A", text, phase, fracture, healing)


def test_every_text_of_the_list_is_understood() -> None:
    texts = {
        text
        for node in parse_tabular(tabular_path()).values()
        for text in (node.seventh or {}).values()
    }
    assert len(texts) == 58
    for text in texts:
        one = read_seventh("A", text)
        assert (one.phase is not None) == bool(re.search("encounter|sequela", text)), text
        assert (one.fracture == "closed") == ("closed" in text), text
        assert ((one.fracture or "").startswith("open")) == ("open" in text), text
        healing = re.search("routine|delayed|nonunion|malunion", text)
        assert one.healing == (healing[0] if healing else None), text
        assert (side_of(text) is not None) == ("eye" in text or text == "bilateral")


def test_the_definition_nearest_to_the_code_holds(tables: Tables) -> None:
    # Torus fractures (S52.52-) have their own set below S52's.
    assert set(tables.sevenths("S52.501")) == set("ABCDEFGHJKMNPQRS")
    assert set(tables.sevenths("S52.521")) == set("ADGKPS")
    assert tables.sevenths("I10") == tables.sevenths("S52.50") == {}
    assert tables.seventh("S52.501") is None
    seventh = tables.seventh("S52.501M")
    assert seventh is not None
    assert (seventh.phase, seventh.fracture, seventh.healing) == (
        "healing", "open_1_2", "nonunion",
    )  # fmt: skip


# Notes


def test_notes_are_inherited_from_leaf_to_chapter(tables: Tables) -> None:
    notes = {(note.kind, note.stands_on) for note in tables.notes_of("J44.1")}
    assert ("inclusion_term", "J44.1") in notes
    assert ("code_also", "J44") in notes
    assert ("excludes1", "block J40-J4A") in notes
    assert ("excludes2", "chapter 10") in notes
    assert tables.notes_of("S52.501D") == tables.notes_of("S52.501")
    places = [note.stands_on for note in tables.notes_of("J44.1")]
    assert places == sorted(places, key=["J44.1", "J44", "block J40-J4A", "chapter 10"].index)


@pytest.mark.parametrize(
    ("a", "b", "stands_on"),
    [
        ("E10.9", "E11.9", "E10"),
        ("N39.0", "N30.00", "N39.0"),
        ("I20.9", "I25.110", "I20"),
        ("E11.9", "E11.A", "E11.9"),
        ("K92.2", "K57.31", "K92.2"),
        ("E87.20", "E11.10", "E87.2"),
        ("S01.01XA", "S02.0XXB", "S01"),
        ("I10", "I27.0", "block I10-I1A"),
        ("R06.02", "R06.82", "R06.0"),
        ("Z86.73", "I69.351", "Z86.73"),
        ("R09.02", "J96.01", "R09"),
    ],
)
def test_own_and_inherited_excludes1_bind_both_ways(
    tables: Tables, a: str, b: str, stands_on: str
) -> None:
    for one, other in ((a, b), (b, a)):
        hits = tables.excludes1(one, other)
        found = [hit for hit in hits if hit.stands_on == stands_on]
        assert found, hits
        assert found[0].reach == "certain"
        assert {found[0].holder, found[0].target} == {a, b}
    assert {h.note for h in tables.excludes1(a, b)} == {h.note for h in tables.excludes1(b, a)}


@pytest.mark.parametrize(
    ("a", "b"),
    [("K57.30", "K92.2"), ("E11.9", "E87.20")],
)
def test_words_of_a_note_may_deny_the_code(tables: Tables, a: str, b: str) -> None:
    assert {hit.reach for hit in tables.excludes1(a, b)} == {"no"}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("J44.1", "J45.20"),  # code also; J45 has COPD under Excludes2
        ("S01.01XA", "S02.0XXA"),  # a closed skull fracture isn't meant
        ("I10", "E11.9"),
        ("I10", "I10"),
        ("I10", "Z99.999"),
        ("N30.00", "N30.01"),
    ],
)
def test_what_no_excludes1_note_forbids(tables: Tables, a: str, b: str) -> None:
    assert tables.excludes1(a, b) == tables.excludes1(b, a) == ()


def test_a_note_says_nothing_within_its_own_target(tables: Tables) -> None:
    # Chapter 10 excludes R00-R94 as a whole; two symptoms don't exclude each other by that.
    assert all(hit.stands_on != "chapter 18" for hit in tables.excludes2("R05.9", "R50.9"))
    for hit in tables.excludes1("J20.9", "J40"):
        assert hit.holder != hit.target


def test_asthma_goes_with_copd(tables: Tables) -> None:
    (note,) = tables.code_also("J45.20", "J44.1")
    assert (note.kind, note.stands_on) == ("code_also", "J44")
    assert note.text == "type of asthma, if applicable (J45.-)"
    assert tables.excludes2("J44.89", "J45.20")


# Wordings


@pytest.mark.parametrize(
    ("term", "attributes", "codes"),
    [
        ("Chronic obstructive pulmonary disease with (acute) exacerbation", {}, ["J44.1"]),
        ("CHRONIC obstructive  pulmonary disease, with acute exacerbation", {}, ["J44.1"]),
        ("Decompensated COPD", {}, ["J44.1"]),
        ("Pneumonia, unspecified organism", {}, ["J18.9"]),  # J18 has the same title
        ("Other heart failure", {}, ["I50.89"]),  # so has I50.8
        ("Essential (primary) hypertension", {}, ["I10"]),
        ("Sciatica", {}, ["M54.30"]),
        ("Sciatica", {"side": "right"}, ["M54.31"]),
        ("Sciatica, right side", {}, ["M54.31"]),
        ("Sciatica, right side", {"side": "left"}, []),
        ("Sciatica, unspecified side", {"side": "left"}, []),
        ("Unilateral primary osteoarthritis of knee", {"side": "left"}, ["M17.12"]),
        ("Unilateral primary osteoarthritis of knee", {}, ["M17.10"]),
        (
            (
                "Type 2 diabetes mellitus with mild nonproliferative diabetic retinopathy with "
                "macular edema"
            ),
            {"side": "bilateral"},
            ["E11.3213"],
        ),
        ("Maternal care for breech presentation", {}, ["O32.1XX0"]),
        ("Maternal care for breech presentation", {"seventh": "fetus 2"}, ["O32.1XX2"]),
        ("No such wording", {}, []),
        ("", {}, []),
    ],
)
def test_an_official_wording_names_its_codes(
    tables: Tables, term: str, attributes: dict[str, str], codes: list[str]
) -> None:
    assert list(tables.resolve(term, attributes)) == codes


@pytest.mark.parametrize(
    ("attributes", "chars"),
    [
        ({"phase": "active"}, "A"),  # a fracture not said to be open is closed
        ({"phase": "active", "fracture": "open_1_2"}, "B"),
        ({"phase": "active", "fracture": "open"}, "B"),  # open NOS is B
        ({"phase": "active", "fracture": "open_3"}, "C"),
        ({"phase": "healing", "healing": "routine"}, "D"),
        ({"phase": "healing", "healing": "nonunion", "fracture": "open_1_2"}, "M"),
        ({"healing": "malunion"}, "P"),
        ({"phase": "sequela"}, "S"),
        ({"phase": "healing"}, "DGKP"),  # the note has to tell how it heals
    ],
)
def test_phase_type_and_healing_pick_the_seventh_character(
    tables: Tables, attributes: dict[str, str], chars: str
) -> None:
    term = "Unspecified fracture of the lower end of radius"
    codes = tables.resolve(term, {"side": "right", **attributes})
    assert codes == tuple(f"S52.501{char}" for char in chars)


def test_an_open_fracture_without_types_takes_either_type(tables: Tables) -> None:
    term = "Unspecified fracture of upper end of humerus"
    for fracture in ("open", "open_1_2", "open_3"):
        said = {"side": "left", "phase": "active", "fracture": fracture}
        assert tables.resolve(term, said) == ("S42.202B",)


def said_of(tables: Tables, code: str) -> dict[str, str]:
    """All attributes that a complete code has."""
    said = {}
    side = tables.laterality(code)
    if side and side != "unspecified":
        said["side"] = side
    seventh = tables.seventh(code)
    if seventh and seventh.phase:
        said["phase"] = seventh.phase
        if seventh.fracture:
            said["fracture"] = seventh.fracture
        if seventh.healing:
            said["healing"] = seventh.healing
    elif seventh and not side_of(seventh.text):
        said["seventh"] = seventh.text
    return said


def test_every_code_can_be_said_by_its_title_and_attributes(tables: Tables) -> None:
    codes = [code for number in range(1, 23) for code in chapter_codes(tables, number)]
    chosen = random.Random(5).sample(codes, 6000)
    vague = [
        code
        for code in chosen
        if tables.resolve(tables.terms(code)[0], said_of(tables, code)) != (code,)
    ]
    # One title is also an inclusion term elsewhere: B33.23 and I30.1 are both "Viral
    # pericarditis".
    assert set(vague) <= {"B33.23"}
    assert tables.resolve("Viral pericarditis", {}) == ("B33.23", "I30.1")


def test_the_wordings_of_a_code(tables: Tables) -> None:
    assert tables.terms("M17.11") == (
        "Unilateral primary osteoarthritis, right knee",
        "Unilateral primary osteoarthritis of knee",
    )
    assert tables.terms("S52.501D") == (
        "Unspecified fracture of the lower end of right radius",
        "Unspecified fracture of the lower end of radius",
    )
    assert "Decompensated COPD" in tables.terms("J44.1")
