"""The expressions that turn titles into phrases, and the literals that spare most searches."""

from __future__ import annotations

import pytest
import yaml

from casegen.seeds.icd10cm import Tables, TailCode, load
from casegen.seeds.icd10cm.lexicon import Pattern, Patterns
from casegen.seeds.icd10cm.tail import STRATA
from casegen.seeds.icd10cm.tail_build import DATA, read_yaml


@pytest.fixture(scope="module")
def tables() -> Tables:
    return load()


@pytest.fixture(scope="module")
def tail(tables: Tables) -> list[TailCode]:
    return [
        tables.tail(stratum, i)
        for stratum in STRATA
        for i in range(0, tables.tail_count(stratum), 7)
    ]


def test_a_pattern_finds_what_its_expression_finds() -> None:
    """The literals that spare the search must stand in every match."""
    for name, keys in (
        ("tail_wording.yaml", ("rewrites", "exchanges", "short")),
        ("tail_rules.yaml", ("titles", "spoken_other")),
    ):
        data = yaml.safe_load((DATA / name).read_text(encoding="utf-8"))
        for key in keys:
            for row in data[key]:
                assert Pattern.read(row[1] if key == "titles" else row[0]).literals, row


def test_the_literals_of_patterns_lose_no_title(tables: Tables, tail: list[TailCode]) -> None:
    data = read_yaml("tail_rules.yaml")
    items = [Pattern.read(row[1]) for row in data["titles"]]
    patterns = Patterns(items)
    for one in tail:
        title = tables.title(one.code).lower()
        there = [place for place, item in enumerate(items) if item.regex.search(title)]
        assert patterns.found(title) == there, title


def test_patterns_apply_in_order_also_to_what_they_bring(tail: list[TailCode]) -> None:
    items = [
        Pattern.read("second", "third"),
        Pattern.read("first", "second first"),
        Pattern.read("second|fourth", "fifth"),
    ]
    assert Patterns(items).rewritten("the first") == "the fifth first"
    rows = yaml.safe_load((DATA / "tail_wording.yaml").read_text(encoding="utf-8"))["rewrites"]
    rewrites = [Pattern.read(*row) for row in rows]
    patterns = Patterns(rewrites)
    for text in sorted({one.term.lower() for one in tail}):
        wanted = text
        for item in rewrites:
            wanted = item.regex.sub(item.new, wanted)
        assert patterns.rewritten(text) == wanted
