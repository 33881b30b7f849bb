"""The phrase banks: they fit everybody they are meant for, and say nothing that would be coded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from casegen.schemas import TableError
from casegen.seeds import phrases
from casegen.seeds.conditions import load as load_conditions
from casegen.seeds.phrases import SETTINGS, Entry
from casegen.seeds.phrases.loader import load as load_from

PRONOUNS = {"He", "he", "His", "his", "him"}
NUMBER = re.compile(r"n:\d+-\d+(:\d+)?|d:\d+\.\d-\d+\.\d")
PLACES = {
    "opener": {"name", "age", "man"},
    "ap_item": {"X"},
    "history_of_problem": {"X"},
    "ruled_out": {"keep", "drop"},
    "unrelated": {"a", "b"},
    "em_separate": {"service"},
    "seventh_clause": {"seventh"},
    "reason_one": {"a"},
    "reason_two": {"a", "b"},
    "open_side": {"a"},
    "conflict_side": {"a"},
    "side_settled": {"a"},
    "side_supplied": {"bare"},
    "foil_excluded": {"a"},
    "foil_past": {"a"},
    "managed_stay": {"a"},
    "confirmed": {"a"},
}
# Lists of short appendices, not of sentences.
SHORT = ("fracture_", "seventh_clause", "add:")
LEADS = (
    "lead_acute", "lead_chronic", "lead_current", "lead_screening", "lead_status", "lead_pregnancy",
    "lead_newborn", "lead_second", "lead_symptom", "lead_injury_active",
    "lead_injury_active_later", "lead_injury_healing_plain", "lead_fracture_healing_routine",
    "lead_fracture_healing_delayed", "lead_fracture_healing_nonunion",
    "lead_fracture_healing_malunion", "lead_injury_unclear", "lead_alike", "lead_alike_active",
    "lead_alike_healing_plain", "lead_alike_fracture_healing_routine",
    "lead_alike_fracture_healing_delayed", "lead_alike_fracture_healing_nonunion",
    "lead_alike_fracture_healing_malunion",
)  # fmt: skip
EXAM = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "musculoskeletal", "skin", "neurologic",
)  # fmt: skip
ROS = (
    "constitutional", "eyes", "ent", "cardiovascular", "respiratory", "gastrointestinal",
    "genitourinary", "musculoskeletal", "skin", "neurologic",
)  # fmt: skip
# Words that name a disease or a state that a coder would have to report.
DISEASES = re.compile(
    r"\b(diabet|hypertens|asthma|copd|pneumonia|cancer|carcinoma|tumou?r\b|stroke|infarct|angina"
    r"|arthritis|anemia|depression|dementia|epilep|eczema|psoriasis|migraine|hepatitis|obes"
    r"|osteopor|reflux|sepsis|cirrhosis|pacemaker|stent|transplant|amput|implant|prosthe|ostomy"
    r"|retired from disability|unemployed|homeless|lives alone|widow|divorc|status post|s/p\b)",
    re.IGNORECASE,
)
TOBACCO = re.compile(r"smok|tobacco|nicotine|vap(e|ing)|cigarette", re.IGNORECASE)
GROWN_UP = re.compile(
    r"\b(works?|worked|employed|job|alone|spouse|retired|career|roommate)\b", re.IGNORECASE
)


def banks() -> dict[str, tuple[Entry, ...]]:
    return dict(phrases.load().banks)


def members(bank: tuple[Entry, ...]) -> Iterator[str]:
    for entry in bank:
        for clause in entry.clauses:
            yield from clause


def sentences(entry: Entry) -> Iterator[str]:
    for parts in product(*entry.clauses):
        yield "".join(parts)


def some_sentences(entry: Entry) -> Iterator[str]:
    """Each member of each clause at least once, with changing neighbours."""
    for shift in range(3):
        for i in range(max(len(clause) for clause in entry.clauses)):
            yield "".join(
                clause[(i + shift * at) % len(clause)] for at, clause in enumerate(entry.clauses)
            )


def slots(text: str) -> list[str]:
    return re.findall(r"\{([^{}]*)\}", text)


def fits(entry: Entry, years: int, newborn: bool, sex: str, setting: str) -> bool:
    return (
        entry.ages[0] <= years <= entry.ages[1]
        and (entry.newborn is None or entry.newborn == newborn)
        and entry.sex in ("any", sex)
        and (not entry.settings or setting in entry.settings)
    )


def size(bank: tuple[Entry, ...], *, who: tuple[int, bool, str, str] | None = None) -> int:
    return sum(entry.size for entry in bank if who is None or fits(entry, *who))


def everybody() -> Iterator[tuple[int, bool, str, str]]:
    for years in range(101):
        for newborn in (False, True) if years == 0 else (False,):
            for sex in ("female", "male"):
                for setting in SETTINGS:
                    yield years, newborn, sex, setting


def test_every_slot_is_known_and_stands_where_it_belongs() -> None:
    for name, bank in banks().items():
        places = PLACES.get(name, {"X"} if name.startswith("lead_") else set())
        for text in members(bank):
            for slot in slots(text):
                known = slot in PRONOUNS or slot in places or NUMBER.fullmatch(slot)
                assert known, (name, text)


def test_a_sentence_on_a_disagreement_says_what_disagrees() -> None:
    sides = re.compile(r"\byes\b.*\bno\b|\bpresent\b.*\babsent\b|\bthere\b.*\bnot\b")
    for name in ("confirmed", "foil_excluded"):
        for text in members(banks()[name]):
            if re.search(r"disagree|differ|of one mind|letter says|one physician", text):
                assert sides.search(text) or "letter says that it holds" in text, (name, text)


def test_nothing_is_called_a_cause_where_no_effect_is_named() -> None:
    for name in ("confirmed", "foil_excluded", "foil_past"):
        assert not [text for text in members(banks()[name]) if re.search(r"\bcause\b", text)]


def test_a_number_slot_has_an_order() -> None:
    for name, bank in banks().items():
        for text in members(bank):
            for slot in slots(text):
                if NUMBER.fullmatch(slot):
                    low, high = re.findall(r"\d+(?:\.\d)?", slot)[:2]
                    assert float(low) < float(high), (name, text)


@pytest.mark.parametrize("name", [*LEADS, "ap_item", "history_of_problem"])
def test_a_lead_names_the_problem_once_within_at_most_one_pair_of_brackets(name: str) -> None:
    for entry in banks()[name]:
        for text in sentences(entry):
            assert text.count("{X}") == 1, text
            brackets = re.sub(r"[^\[\]]", "", text)
            assert brackets in ("", "[]"), text
            if brackets:
                assert text.index("[") < text.index("{X}") < text.index("]"), text
            assert not any(NUMBER.fullmatch(slot) for slot in slots(text)), text


def test_only_leads_hold_brackets() -> None:
    for name, bank in banks().items():
        if not name.startswith("lead_"):
            assert not any("[" in text or "]" in text for text in members(bank)), name


@pytest.mark.parametrize("name", sorted(set(PLACES) - {"ap_item", "history_of_problem"}))
def test_a_named_place_occurs_exactly_once_in_each_sentence(name: str) -> None:
    for entry in banks()[name]:
        for text in sentences(entry):
            for place in PLACES[name]:
                assert text.count(f"{{{place}}}") == 1, text


def test_every_patient_finds_an_opener_leads_and_a_plan_closer() -> None:
    all_banks = banks()
    needed = ("opener", "plan_closer", "hpi_closer", "lead_acute", "lead_chronic", "lead_second",
              "lead_screening", "lead_status", "lead_symptom", "lead_injury_active",
              "lead_injury_active_later", "lead_injury_healing_plain",
              "lead_fracture_healing_routine", "lead_fracture_healing_delayed",
              "lead_fracture_healing_nonunion", "lead_fracture_healing_malunion",
              "lead_injury_unclear", "ap_item", "social", "family_negative", "allergies_none",
              "meds_none", "tail_story_disease", "tail_plan_disease", "vitals")  # fmt: skip
    for who in everybody():
        for name in needed:
            assert size(all_banks[name], who=who) >= 20, (name, who)


def test_every_patient_finds_enough_systems_to_examine_and_to_ask_about() -> None:
    all_banks = banks()
    for who in everybody():
        for system in EXAM:
            assert size(all_banks[f"exam_{system}"], who=who) >= 100, (system, who)
        for system in ROS:
            assert size(all_banks[f"ros_{system}"], who=who) >= 60, (system, who)


def test_an_adult_has_hundreds_of_sentences_a_system() -> None:
    adult = (50, False, "female", "office")
    for name, bank in banks().items():
        if name.startswith(("exam_", "ros_")):
            assert size(bank, who=adult) >= 300, name


def test_every_bank_makes_at_least_60_sentences() -> None:
    for name, bank in banks().items():
        if not name.startswith(SHORT):
            assert size(bank) >= 60, name
        if name.startswith(("lead_", "tail_plan_", "plan_closer")):
            # An excerpt may have no plan, so that leads of coding cases speak of none.
            assert size(bank) >= (200 if name == "lead_alike" else 300), name


def test_each_setting_has_its_course() -> None:
    all_banks = banks()
    own = {
        "inpatient": "hospital_course",
        "emergency": "ed_course",
        "telehealth": "telehealth_frame",
        "outpatient_surgery": "procedure_frame",
    }
    for who in everybody():
        for setting, name in own.items():
            found = size(all_banks[name], who=who)
            assert (found >= 60) if who[3] == setting else found == 0, (name, who)


def test_no_bank_names_a_disease_a_device_or_a_social_hardship() -> None:
    for name, bank in banks().items():
        if name.startswith("add:"):
            continue
        for text in members(bank):
            allowed = name == "family_negative" and " without " in f" {text}"
            found = DISEASES.search(text.replace("tumor conference", ""))
            assert allowed or not found, (name, text)


def test_tobacco_is_mentioned_only_as_never_used() -> None:
    for name, bank in banks().items():
        if name.startswith("add:") or name == "tobacco_never":
            continue
        for text in members(bank):
            assert not TOBACCO.search(text), (name, text)
    for entry in banks()["tobacco_never"]:
        assert entry.ages[0] >= 18
        for text in sentences(entry):
            assert re.search(r"never|nonsmoker|no tobacco", text, re.IGNORECASE), text


def test_infants_and_children_never_work_or_live_alone() -> None:
    for name, bank in banks().items():
        for entry in bank:
            if name.startswith("add:") or entry.ages[0] > 17 or entry.ages[1] > 17:
                continue
            for text in some_sentences(entry):
                assert not GROWN_UP.search(text), (name, text)


def test_nobody_below_18_is_asked_about_alcohol_or_tobacco() -> None:
    for name in ("alcohol_none", "tobacco_never"):
        for who in everybody():
            assert (size(banks()[name], who=who) > 0) == (who[0] >= 18)


def test_pregnancy_sentences_are_for_women() -> None:
    for name in ("cc_pregnancy", "tail_story_obstetric"):
        assert all(entry.sex == "female" for entry in banks()[name])


def test_an_unclear_injury_says_nothing_about_the_phase_of_care() -> None:
    phase = re.compile(
        r"follow[- ]?up|followed|after|heal|initial|first treat|first care|active|routine"
        r"|recover|late|back for|recheck|return|review|new\b|recent|today",
        re.IGNORECASE,
    )
    for text in members(banks()["lead_injury_unclear"]):
        assert not phase.search(text), text


def test_a_nonunion_and_a_malunion_are_named_beyond_doubt() -> None:
    words = {
        "nonunion": r"nonunion|failed to unite|never united",
        "malunion": r"malunion",
        "delayed": r"delayed|slow|late\b|lagging|behind schedule",
    }
    for kind, word in words.items():
        for entry in banks()[f"lead_fracture_healing_{kind}"]:
            for text in sentences(entry):
                inside = text[text.index("[") : text.index("]")]
                assert re.search(word, inside), text


def test_sentences_are_well_formed() -> None:
    for name, bank in banks().items():
        for entry in bank:
            for text in some_sentences(entry):
                assert "  " not in text, (name, text)
                assert not re.search(r" [.,;:]|[.,;:]{2}|\(\s|\s\)", text), (name, text)
                if not name.startswith(("fracture_", "seventh_clause", "history_of", "ap_item")):
                    assert text == text.strip(), (name, text)
                    assert text[-1] in ".:", (name, text)
                    assert text[0].isupper() or text[0] in "{[", (name, text)


def test_a_fits_only_ages_that_take_it() -> None:
    """Before {age} an article is either "an" for 8, 11, 18 and 80-89, or "a" for the others."""
    for entry in banks()["opener"]:
        for text in some_sentences(entry):
            low, high = entry.ages
            takes_an = [str(years)[0] == "8" or years in (11, 18) for years in range(low, high + 1)]
            if re.search(r"\ban \{age\}", text):
                assert all(takes_an), text
            if re.search(r"\ba \{age\}", text):
                assert not any(takes_an), text


def test_every_added_code_of_a_condition_can_be_stated() -> None:
    adds = phrases.load().adds
    wanted = {
        add.code for condition in load_conditions() for value in condition.values
        for add in value.adds
    }  # fmt: skip
    assert wanted, "conditions bring added codes"
    assert sorted(code for code in wanted if len(adds.get(code, ())) < 4) == []


def test_the_body_mass_index_lies_in_the_range_of_its_code() -> None:
    for code, forms in phrases.load().adds.items():
        match = re.fullmatch(r"Z68\.([23]\d)", code)
        if match:
            unit = match[1]
            assert all(f"{{d:{unit}.0-{unit}.9}}" in form for form in forms), code


def test_headings_cover_the_sections_of_all_styles() -> None:
    loaded = phrases.load()
    assert {setting for style in loaded.styles.values() for setting in style.settings} == set(
        SETTINGS
    )
    for name, style in loaded.styles.items():
        assert len(style.orders) >= 6, name
        for order in style.orders:
            assert set(order) <= set(loaded.headings), name
            assert {"hpi", "assessment_plan", "procedures"} <= set(order), name
            assert ("vitals" in order or "exam" in order) == (name != "telephone"), name


def test_a_bank_of_the_wrong_form_is_refused(tmp_path: Path) -> None:
    (tmp_path / "headings.yaml").write_text("headings: {}\nstyles: {}\n", encoding="utf-8")
    wrong = (
        "banks: {b: []}",
        "banks: {b: [{clauses: [[]]}]}",
        "banks: {b: [{clauses: [[x]], ages: [9, 2]}]}",
        "banks: {b: [{clauses: [[x]], settings: [moon]}]}",
        "banks: {b: [{clauses: [[x]], colour: red}]}",
        "phrases: {}",
    )
    for i, content in enumerate(wrong):
        path = tmp_path / f"banks_{i}.yaml"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(TableError):
            load_from(tmp_path)
        path.unlink()
