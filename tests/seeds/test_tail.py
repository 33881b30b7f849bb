"""The long tail: codes that may be right, the words that state them, and whom they concern."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from casegen.seeds.icd10cm import Tables, TailCode, load
from casegen.seeds.icd10cm.lexicon import Lexicon, lexicon
from casegen.seeds.icd10cm.systems import mechanism, suits
from casegen.seeds.icd10cm.tail import STRATA
from casegen.seeds.icd10cm.tail_build import read_yaml

DAY = "2026-06-15"


@pytest.fixture(scope="module")
def tables() -> Tables:
    return load()


@pytest.fixture(scope="module")
def tail(tables: Tables) -> list[TailCode]:
    return [
        tables.tail(stratum, i) for stratum in STRATA for i in range(tables.tail_count(stratum))
    ]


@pytest.fixture(scope="module")
def lex() -> Lexicon:
    return lexicon(
        read_yaml("tail_wording.yaml"),
        ["Fracture of right femur with routine care", "infection by Escherichia coli"],
    )


def entry(tables: Tables, code: str) -> TailCode:
    found = tables.tail_of(code)
    assert found is not None, f"{code} is not eligible: {tables.may_enter(code)}"
    return found


# What holds for every code


def test_every_term_resolves_to_its_code_alone(tables: Tables, tail: list[TailCode]) -> None:
    wrong = [
        (one.code, one.term)
        for one in tail
        if tables.resolve(one.term, one.attributes) != (one.code,)
    ]
    assert wrong == []


def test_every_code_is_complete_and_valid_in_the_window(
    tables: Tables, tail: list[TailCode]
) -> None:
    for one in tail:
        assert tables.billable(one.code), one.code
        assert tables.status(one.code, "2026-04-01") == "valid", one.code
        assert tables.status(one.code, "2026-09-30") == "valid", one.code


def test_no_code_stands_twice(tail: list[TailCode]) -> None:
    assert len({one.code for one in tail}) == len(tail)


def test_more_than_two_in_five_billable_codes_are_eligible(
    tables: Tables, tail: list[TailCode]
) -> None:
    assert len(tail) > 0.42 * tables.billable_count()


def test_a_code_found_by_itself_is_the_code_of_its_stratum(
    tables: Tables, tail: list[TailCode]
) -> None:
    for one in tail[::97]:
        assert tables.tail_of(one.code) == one
        assert tables.may_enter(one.code) == "right"


def test_a_scope_says_what_the_code_says(tables: Tables) -> None:
    for stratum in STRATA:
        for i in range(0, tables.tail_count(stratum), 7):
            one, scope = tables.tail(stratum, i), tables.tail_scope(stratum, i)
            assert (scope.settings, scope.age, scope.sex) == (one.settings, one.age, one.sex)
            assert (scope.phase, scope.suits) == (one.attributes.get("phase"), one.suits)


def test_a_code_is_in_the_tail_where_it_can_be_read(tables: Tables, tail: list[TailCode]) -> None:
    assert all(tables.in_tail(one.code) for one in tail)
    for stem in tables.store.stems[::5]:
        for code in (stem, f"{stem}A", f"{stem}XXD", f" {stem.lower()}"):
            assert tables.in_tail(code) == (tables.tail_of(code) is not None), code


def test_partners_can_be_stated_too(tables: Tables, tail: list[TailCode]) -> None:
    for one in tail:
        for partner in one.partners:
            assert entry(tables, partner).names


def test_names_are_one_to_four_different_phrases(tail: list[TailCode]) -> None:
    for one in tail:
        assert 1 <= len(one.names) <= 4, one
        assert len(set(one.names)) == len(one.names), one
        assert all(name == name.strip(" ,") and name for name in one.names), one


CODERS_WORDS = re.compile(
    r"unspecified|not elsewhere classified|not otherwise|\bNOS\b|\bNEC\b|[()\[\]{}]|\bother\b|"
    r"  | ,|,,|\bof of\b|\bthe the\b|\bof the$|\bof$|(?<!-)\bin$"
)
PHASE_WORDS = re.compile(
    r"initial encounter|subsequent encounter|sequela|routine healing|delayed healing|nonunion|"
    r"malunion"
)


def test_names_hold_no_coders_words(tail: list[TailCode]) -> None:
    assert [one for one in tail if CODERS_WORDS.search(" | ".join(one.names))] == []


def test_names_of_injuries_never_say_the_phase(tail: list[TailCode]) -> None:
    assert [
        one for one in tail if one.stratum == "injury" and PHASE_WORDS.search(" ".join(one.names))
    ] == []


def test_every_name_says_the_side(tail: list[TailCode]) -> None:
    for one in tail:
        side = one.attributes.get("side")
        words = ("bilateral", "both") if side == "bilateral" else (side,)
        if side:
            assert all(any(word in name for word in words) for name in one.names), one


def test_no_name_says_the_wrong_side(tail: list[TailCode]) -> None:
    for one in tail:
        other = {"right": "left", "left": "right"}.get(one.attributes.get("side", ""))
        # Hearing loss and visual loss speak of the other side as well.
        if other and other not in one.term.lower():
            assert not any(re.search(rf"\b{other}\b", name) for name in one.names), one


def test_left_is_not_always_a_side(tables: Tables) -> None:
    for code in ("I44.7", "K51.50", "T81.510A"):
        one = entry(tables, code)
        assert "side" not in one.attributes
        assert all("right" not in name for name in one.names)


def test_most_names_are_not_the_printed_title(tables: Tables, tail: list[TailCode]) -> None:
    names = [(one, name) for one in tail[::9] for name in one.names]
    printed = sum(tables.terms(one.code)[0].lower() in name.lower() for one, name in names)
    assert printed < len(names) / 2


LOST = frozenset(
    "of the and or in to at a an on by with without due from unspecified not elsewhere specified "
    "classified otherwise nos nec other right left bilateral side part parts site sites degree "
    "type form organism bone".split()
)


def test_no_distinguishing_word_of_a_fracture_is_lost(tail: list[TailCode]) -> None:
    """Every word of the title stands in every name, or is said by a word that it becomes."""
    said = {
        "upper": "proximal", "lower": "distal", "end": "", "arm": "", "leg": "", "femur": "femoral",
        "radius": "radial", "ulna": "ulnar", "humerus": "humeral", "tibia": "tibial",
        "fibula": "fibular", "talus": "talar", "calcaneus": "calcaneal",
        "clavicle": "clavicular", "wrist": "", "hand": "", "foot": "", "shoulder": "",
        "navicular": "scaphoid", "fracture": "fx", "fractures": "fx",
    }  # fmt: skip
    for one in tail:
        if not re.match(r"S[4589]2", one.code) or "racture" not in one.term:
            continue
        wanted = set(re.findall(r"[a-z]+", re.sub(r"[\[(].*?[\])]", "", one.term.lower()))) - LOST
        name = one.names[0].lower()
        for word in wanted:
            assert word[:5] in name or said.get(word, "-") in name, (one.code, word, name)


# Who may not enter as a right code, and why


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("E11.9", "ruled_by_guideline"),
        ("Z72.4", "ruled_by_guideline"),
        ("Z73.3", "ruled_by_guideline"),
        ("I10", "ruled_by_guideline"),
        ("N18.31", "ruled_by_guideline"),
        ("I50.9", "ruled_by_guideline"),
        ("B20", "ruled_by_guideline"),
        ("U07.1", "ruled_by_guideline"),
        ("A41.9", "ruled_by_guideline"),
        ("P36.9", "ruled_by_guideline"),
        ("H35.031", "ruled_by_guideline"),
        ("S52.509A", "unspecified_side"),
        ("H25.10", "unspecified_side"),
        ("S52.501S", "sequela_without_residual"),
        ("W19.XXXS", "sequela_without_residual"),
        ("T39.1X1A", "poisoning_or_drug_effect"),
        ("T38.3X6A", "poisoning_or_drug_effect"),
        ("Z00.00", "reason_for_encounter"),
        ("Z34.01", "reason_for_encounter"),
        ("Z79.4", "needs_another_code"),
        ("Z68.30", "needs_another_code"),
        ("C78.00", "needs_another_code"),
        ("I83.011", "needs_another_code"),
        ("O80", "delivery_or_puerperium"),
        ("O36.0190", "trimester_unspecified"),
        ("S72.8X1A", "other_without_term"),
        ("H40.1110", "seventh_unspecified"),
        ("Z3A.20", "partner_only"),
        ("S52.501", "not_billable"),
        ("E11", "not_billable"),
        ("Z99.999", "not_billable"),
    ],
)
def test_reasons_are_named(tables: Tables, code: str, reason: str) -> None:
    assert tables.may_enter(code) == reason


def test_no_right_code_has_an_unspecified_side(tables: Tables, tail: list[TailCode]) -> None:
    assert [one.code for one in tail if tables.laterality(one.code) == "unspecified"] == []


def test_no_right_code_is_a_sequela(tail: list[TailCode]) -> None:
    assert [one.code for one in tail if one.attributes.get("phase") == "sequela"] == []


def test_manifestations_stand_with_an_etiology_of_their_note(
    tables: Tables, tail: list[TailCode]
) -> None:
    for one in tail:
        manifestation = "manifestation" in tables.edits(one.code, DAY)
        assert manifestation <= (one.stratum == "manifestation"), one
        if one.stratum == "manifestation":
            assert len(one.partners) == 1
            notes = " ".join(
                note.text for note in tables.notes_of(one.code) if note.kind == "code_first"
            )
            category = one.partners[0][:3]
            ranges = re.findall(r"([A-Z]\d\w)(?:\.\w*)?-?(?:\s*-?\s*([A-Z]\d\w))?", notes)
            assert any(low <= category <= (high or low) for low, high in ranges), (one, notes)


def test_corrosions_stand_with_the_chemical(tables: Tables) -> None:
    assert entry(tables, "T22.431D").partners == ("T54.2X1D",)


def test_adverse_effects_stand_with_their_nature(tables: Tables) -> None:
    one = entry(tables, "T36.0X5A")
    assert one.partners == ("R11.0",)
    assert one.names[0] == "adverse effect of penicillins"


# Whom it concerns


def test_a_man_is_never_pregnant(tail: list[TailCode]) -> None:
    for one in tail:
        if one.stratum == "obstetric":
            assert one.sex == "female"
            assert one.age[0] >= 12
            assert one.age[1] <= 55


def test_sex_never_contradicts_the_meaning_of_the_code(
    tables: Tables, tail: list[TailCode]
) -> None:
    for one in tail:
        meant = tables.sex_by_meaning(one.code)
        if meant is not None and one.stratum != "newborn":
            assert one.sex == meant[0], one


def test_age_never_contradicts_the_mce(tables: Tables, tail: list[TailCode]) -> None:
    groups = {"newborn": (0, 0), "pediatric": (0, 17), "maternity": (9, 64), "adult": (15, 124)}
    for one in tail:
        for edit in tables.edits(one.code, DAY) & groups.keys():
            low, high = groups[edit]
            assert low <= one.age[0] <= one.age[1] <= high, (one, edit)


def test_newborn_codes_are_for_newborns(tail: list[TailCode]) -> None:
    for one in tail:
        assert (one.stratum == "newborn") <= (one.age == (0, 0)), one


def weeks(one: TailCode) -> Iterator[int]:
    return (int(code[4:]) for code in one.partners if code.startswith("Z3A"))


def test_the_week_lies_in_the_trimester_of_the_title(tables: Tables, tail: list[TailCode]) -> None:
    spans = {"first": (0, 13), "second": (14, 27), "third": (28, 49)}
    checked = 0
    for one in tail:
        match = re.search(r"\b(first|second|third) trimester", tables.title(one.code))
        if one.stratum == "obstetric" and match:
            low, high = spans[match[1]]
            assert all(low <= week <= high for week in weeks(one)), one
            checked += 1
    assert checked > 300


def test_preterm_conditions_come_before_37_weeks(tail: list[TailCode]) -> None:
    for one in tail:
        if one.code.startswith(("O60.0", "O42.01", "O42.11")):
            assert all(20 <= week <= 36 for week in weeks(one)), one


def test_a_numbered_fetus_has_its_multiple_pregnancy(tail: list[TailCode]) -> None:
    for one in tail:
        fetus = re.match(r"fetus (\d)", one.attributes.get("seventh", ""))
        if one.stratum == "obstetric":
            assert bool(fetus) == any(code.startswith("O30") for code in one.partners), one


def test_systems_are_those_that_notes_know(tail: list[TailCode]) -> None:
    known = set(
        "constitutional eyes ent cardiovascular respiratory gastrointestinal genitourinary "
        "musculoskeletal skin neurologic psychiatric endocrine hematologic infectious obstetric "
        "newborn".split()
    )
    assert {one.system for one in tail} <= known


@pytest.mark.parametrize(
    ("code", "title", "kind"),
    [
        ("S52.501A", "Unspecified fracture of the lower end of right radius", "force"),
        ("S61.011A", "Laceration without foreign body of right thumb", "wound"),
        ("S60.011A", "Contusion of right thumb", "surface"),
        ("S36.520A", "Contusion of ascending colon", "force"),
        ("S61.051A", "Open bite of right thumb", "bite"),
        ("S93.401A", "Sprain of unspecified ligament of right ankle", "strain"),
        ("T23.211A", "Burn of second degree of right thumb", "thermal"),
        ("T63.031A", "Toxic effect of taipan venom", "none"),
    ],
)
def test_an_injury_has_a_kind(code: str, title: str, kind: str) -> None:
    assert mechanism(code.replace(".", ""), title) == kind


def test_external_causes_fit_some_kinds_only() -> None:
    assert "force" in suits("W130XX", "fall from balcony")
    assert suits("W540XX", "bitten by dog") == ("bite",)
    assert suits("X100XX", "contact with hot drinks") == ("thermal",)
    assert suits("W65XXX", "accidental drowning and submersion in bath-tub") == ()


# Speed


def test_reading_a_code_is_cheap(tables: Tables) -> None:
    count = tables.tail_count("injury")
    start = time.process_time()
    for i in range(0, count, 5):
        tables.tail("injury", i)
    each = (time.process_time() - start) / (count / 5)
    assert each < 100e-6  # about 5 microseconds; the bound leaves room for a busy machine
