"""What rx cases are drawn from: problems, uses, invented names, wording."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from casegen.knowledge import reference
from casegen.rx.known import known
from casegen.rx.levels import levels
from casegen.rx.phrases import brands, phrases
from casegen.seeds.rx import cases
from casegen.seeds.rx.loader import load

DAY = "2026-06-01"


def test_each_problem_has_a_billable_code() -> None:
    tables, _ = reference()
    for one in known().problems.values():
        assert tables.status(one.code, DAY) == "valid", one
        assert one.names and one.terse, one
        assert one.ages[0] <= one.ages[1]


def test_what_drugs_are_for_and_lists_hold_is_known() -> None:
    told = cases.read("uses.yaml")
    rx = load()
    for drug in (*told["uses"], *told["taken"], *told["quiet"], *told["common"]):
        assert drug in rx.drugs, drug
    names = set(rx.drugs) | set(rx.classes)
    for row in told["apart"]:
        unknown = {*row["one"], *row.get("other", ())} - names
        assert not unknown, unknown
    assert set(told["movers"]) <= names
    assert set(told["in_pregnancy"]) <= set(rx.drugs)
    assert len(told["uses"]) >= 150


def names_known() -> Iterator[str]:
    rx = load()
    for drug in rx.drugs.values():
        yield from (drug.id, *drug.brands)
    yield from rx.synonyms
    for one in rx.classes.values():
        yield from (one.id, one.title, *one.names)
    for group in rx.allergies:
        yield from (group.id, group.title, *group.names)


def apart(a: str, b: str, most: int = 3) -> bool:
    """Whether two words differ in more than ``most`` letters (Levenshtein)."""
    if abs(len(a) - len(b)) > most:
        return True
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            new.append(min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (x != y)))
        row = new
    return row[-1] > most


def test_no_invented_name_is_near_a_known_one() -> None:
    invented = cases.read("invented.yaml")["names"]
    assert len(set(invented)) == len(invented) >= 100
    words = {w for name in names_known() for w in re.split(r"[\s/-]", name.casefold()) if w}
    for name in invented:
        assert load().named(name) is None
        near = [word for word in words if not apart(name.casefold(), word)]
        assert not near, (name, near)


def test_there_are_a_hundred_ways_to_write_a_line() -> None:
    said = phrases()
    patterns = {
        (kind, one)
        for kind, styles in said.lines.items()
        for some in styles.values()
        for one in some
    }
    assert len(patterns) >= 100
    assert len(said.heads) >= 5


def test_brands_and_short_names_mean_the_drug() -> None:
    rx = load()
    for drug in rx.drugs.values():
        for form in {one.form for one in drug.strengths}:
            for brand in brands(drug, form):
                assert rx.named(brand) is drug
    for drug_id, names in phrases().short.items():
        for name in names:
            found = rx.named(name)
            assert found is not None and found.id == drug_id


def test_brands_with_a_form_are_of_a_form_that_is_made() -> None:
    rx = load()
    for brand, form in phrases().forms.items():
        drug = rx.named(brand)
        assert drug is not None, brand
        made = {one.form for one in drug.strengths}
        # Of some brands the knowledge holds other forms only; they are then never written.
        assert form in made or brand not in {b for f in made for b in brands(drug, f)}


@pytest.mark.parametrize("key", sorted(phrases().often))
def test_each_frequency_is_read_as_what_it_says(key: str) -> None:
    from casegen.checker.rx import read_frequency

    match = re.fullmatch(r"(day|week|month|needed)(\d)", key)
    span, times = (match[1], int(match[2])) if match else ("day", 1)
    days = {"day": 1, "week": 7, "month": 30, "needed": 1}[span]
    for words in (w for some in phrases().often[key].values() for w in some):
        found = read_frequency(words)
        assert found is not None, words
        assert found.needed is (span == "needed")
        if found.needed:  # every 4 to 6 hours may be six times a day
            assert times <= found.most / found.days <= times * 3 / 2, words
            continue
        assert found.fewest == found.most
        assert found.most * days == times * found.days, words


def test_the_weights_of_the_levels_are_shares() -> None:
    assert sum(level.weight for level in levels().values()) == 100


def test_what_practice_minds_is_named_as_the_data_name_it() -> None:
    told = cases.read("uses.yaml")
    rx = load()
    for row in told["minded"]:
        assert set(row["drugs"]) <= set(rx.drugs) | set(rx.classes), row
        assert set(row["problems"]) <= set(known().problems), row
    allergens = {one.id for one in rx.allergies} | set(rx.drugs)
    assert set(told["of_children"]) <= allergens
