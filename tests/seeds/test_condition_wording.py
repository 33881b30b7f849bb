"""The sentences of the condition files can be drawn, filled in and read."""

from __future__ import annotations

import re

from casegen.seeds.conditions import load
from casegen.seeds.icd10cm import tables

from .telling import told

CONDITIONS = load()
VALUES = [(f"{one.id}.{value.id}", value) for one in CONDITIONS for value in one.values]
SIDED = [(name, value) for name, value in VALUES if value.codes]
UNSIDED = [(name, value) for name, value in VALUES if not value.codes]
SLOT = re.compile(r"\{[^{}]*\}|[{}]")
KNOWN_SLOT = re.compile(
    r"\{(?:[Hh]e|[Hh]is|him|side|n:(\d+)-(\d+)(?::\d+)?|d:(\d+\.\d)-(\d+\.\d))\}"
)


def test_there_are_conditions_enough() -> None:
    assert len(CONDITIONS) >= 40
    assert len({one.chapter for one in CONDITIONS}) >= 12


def test_every_value_has_sentences_enough_for_its_roles() -> None:
    wrong = {
        name: field
        for name, value in VALUES
        for field, least in (
            ("names", 5),
            ("exam", 3),
            ("plan", 5),
            ("story", 5 if "reason" in value.roles else 0),
            ("background", 3 if "background" in value.roles else 0),
        )
        if len(getattr(value, field)) < least
    }
    assert not wrong, told(
        wrong,
        "a value has too few texts in a field",
        "write five names, three findings of exam, five plans; five stories for a reason, "
        "three fragments of background for the rest",
    )


def test_at_most_one_name_in_five_is_official_wording() -> None:
    icd = tables.load()

    def plain(text: str) -> str:
        return " ".join(re.sub(r"[^a-z0-9]+", " ", text.lower().replace("'s", "s")).split())

    wrong = {}
    for name, value in VALUES:
        codes = [value.code, *value.codes.values()]
        official = {plain(value.term)} | {
            plain(term) for code in codes if code for term in icd.terms(code)
        }
        exact = [one for one in value.names if plain(one) in official]
        if len(exact) * 5 > len(value.names):
            wrong[name] = exact
    assert not wrong, told(
        wrong,
        "more than one name in five is a title or an inclusion term",
        "write what clinicians write in their place",
    )


def test_names_of_sided_values_say_the_side() -> None:
    wrong = {
        (name, text)
        for name, value in SIDED
        for text in value.names
        if len(value.codes) > 1 and "{side}" not in text
    }
    assert not wrong, told(
        wrong,
        "a name of a value with sides does not say the side",
        "put {side} into it",
    )


def test_names_of_unsided_values_hold_no_side_slot() -> None:
    wrong = {
        (name, text)
        for name, value in UNSIDED
        for texts in (value.names, value.story, value.exam, value.results, value.plan)
        for text in texts
        if "{side}" in text
    }
    assert not wrong, told(
        wrong,
        "a text of a value without sides holds {side}",
        "leave the slot out, or give codes by side",
    )


def test_slots_are_known_and_their_ranges_ascend() -> None:
    wrong = []
    for name, value in VALUES:
        for field in ("names", "story", "background", "exam", "results", "plan", "drugs"):
            for text in getattr(value, field):
                for slot in SLOT.findall(text):
                    found = KNOWN_SLOT.fullmatch(slot)
                    ends = [float(end) for end in found.groups() if end] if found else []
                    if found is None or ends != sorted(ends):
                        wrong.append((name, field, slot))
    assert not wrong, told(
        wrong,
        "a text holds a slot that nothing fills",
        "take {he}, {He}, {his}, {His}, {him}, {side}, {n:2-6} or {d:6.8-9.4}",
    )


def test_sentences_end_with_a_full_stop() -> None:
    wrong = [
        (name, text)
        for name, value in VALUES
        for field in ("story", "exam", "plan")
        for text in getattr(value, field)
        if text[-1] not in ".?!"
    ]
    assert not wrong, told(
        wrong,
        "a sentence has no end",
        "put a full stop",
    )


def test_no_two_stories_begin_with_the_same_three_words() -> None:
    seen: dict[str, str] = {}
    wrong = []
    for name, value in VALUES:
        for text in value.story:
            start = " ".join(text.lower().split()[:3])
            if start in seen:
                wrong.append((start, seen[start], name))
            seen[start] = name
    assert not wrong


def test_no_sentence_holds_a_code() -> None:
    shape = re.compile(r"\b[A-TV-Z]\d[0-9A-Z]\.\d\w{0,3}\b|ICD-10|\bCPT\b")
    wrong = [
        (name, text)
        for name, value in VALUES
        for field in ("names", "story", "background", "exam", "results", "plan", "drugs")
        for text in getattr(value, field)
        if shape.search(text)
    ]
    assert not wrong, told(
        wrong,
        "a text holds a code",
        "a note never says what to code: say it in words",
    )


def test_long_term_drugs_bring_their_code() -> None:
    """Z79 codes that the tabular list gives to the drug classes (Z79.01, .4, .5-, .8-)."""
    needs = {
        "Z79.01": ("apixaban", "rivaroxaban", "dabigatran", "warfarin"),
        "Z79.02": ("clopidogrel", "ticagrelor", "prasugrel"),
        "Z79.51": (
            "fluticasone 44",
            "budesonide-formoterol",
            "fluticasone-salmeterol",
            "mometasone 2",
        ),
        "Z79.810": ("tamoxifen", "raloxifene"),
        "Z79.811": ("anastrozole", "letrozole", "exemestane"),
        "Z79.82": ("aspirin 81",),
        "Z79.83": ("alendronate", "risedronate"),
        "Z79.84": ("metformin", "glipizide", "sitagliptin", "empagliflozin"),
        "Z79.85": ("semaglutide", "dulaglutide", "liraglutide"),
    }
    wrong = [
        (name, drug, code)
        for name, value in VALUES
        for drug in value.drugs
        for code, drugs in needs.items()
        if drug.startswith(drugs) and code not in {one.code for one in value.adds}
    ]
    assert not wrong, told(
        wrong,
        "a drug calls for a long-term-use code that adds lacks",
        "state the code with its title under adds",
    )
