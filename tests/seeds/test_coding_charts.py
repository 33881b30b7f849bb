"""The data of coding cases: charts of their own, symptoms of diseases, tempting codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from casegen.coding.levels import levels
from casegen.coding.quiet import PENDING
from casegen.knowledge import reference
from casegen.seeds import coding
from casegen.seeds.icd10cm.tables import Tables
from casegen.seeds.scenarios import guidelines
from casegen.seeds.scenarios.guidelines import GuidedChart

FILES = ("workups.yaml", "conflicts.yaml", "injuries.yaml", "together.yaml")
ON = "2026-05-01"


def charts() -> Iterator[GuidedChart]:
    for name in FILES:
        yield from guidelines.read(Path(coding.__file__).with_name(name))


@pytest.fixture(scope="module")
def tables() -> Tables:
    return reference()[0]


def test_every_part_is_named_by_the_tabular_list(tables: Tables) -> None:
    for chart in charts():
        for part in chart.parts:
            attributes = {name: values[0] for name, values in part.attributes.items()}
            codes = tables.resolve(part.term, attributes)
            assert len(codes) == 1, (chart.id, part.name, codes)
            assert codes[0].startswith(part.code), (chart.id, part.name, codes)
            assert tables.status(codes[0], ON) == "valid"


def test_every_chart_has_names_enough_and_a_source() -> None:
    seen = {chart.id for chart in guidelines.load()}
    for chart in charts():
        assert chart.id not in seen
        seen.add(chart.id)
        assert chart.source
        for part in chart.parts:
            assert len(part.names) >= 2, (chart.id, part.name)
        assert all(len(one.say) >= 2 for one in chart.relations)


def test_what_is_open_says_so_in_the_sentence_itself() -> None:
    undecided = re.compile(
        r"not back|not been|not reported|no diagnosis|nothing is decided|not decided|undecided|open"
        r"|outstanding|awaited|waits|must tell|yet to|remains to be|half done|nobody|was not known"
        r"|no result had|is so until|still is|not yet say|has not come in|has not been done"
    )
    for chart in charts():
        for one in chart.relations:
            if one.term == "open_workup":
                assert not [text for text in one.say if not undecided.search(text)], chart.id


def test_a_doubt_that_the_guideline_settles_leaves_nothing_open() -> None:
    words = coding.read("uncertain.yaml")["charts"]
    assert set(words) == {c.id for c in guidelines.load() if c.kind == "uncertain"}
    for name, row in words.items():
        texts = [
            *row["say"],
            *row["say_stay"],
            *(t for p in row.get("plan", {}).values() for t in p),
        ]
        assert not [text for text in texts if PENDING.search(text)], name
        for text in row["say"] + row["say_stay"]:
            assert re.search(r"probabl|likely|suspect|possible", text, re.IGNORECASE), text


def _rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = coding.read(f"{name}.yaml")[name]
    return found


def test_symptoms_are_billable_and_have_a_source(tables: Tables) -> None:
    for row in _rows("symptoms"):
        assert row["source"]
        assert all(tables.exists(code) for code in row["codes"])
        for code in row["symptoms"]:
            assert tables.status(code, ON) == "valid", code
            # A symptom of chapter 18, or pain in a joint.
            assert tables.chapter(code) == 18 or code.startswith("M25.5"), code


def test_no_symptom_is_excluded_or_called_for_by_its_disease(tables: Tables) -> None:
    for row in _rows("symptoms"):
        for disease in row["codes"]:
            for symptom in row["symptoms"]:
                kinds = {note.kind for note in tables.code_also(disease, symptom)}
                assert not kinds & {"use_additional", "code_also"}, (disease, symptom)


def test_tempting_codes_are_billable(tables: Tables) -> None:
    for row in _rows("tempting"):
        assert row["why"].endswith(".")
        for right, wrong in row["wrong"].items():
            assert tables.exists(right)
            assert tables.status(wrong, ON) == "valid"


def test_levels_grow_with_their_difficulty() -> None:
    rows = list(levels().values())
    assert sum(level.weight for level in rows) == 100
    assert [level.max_steps for level in rows] == [5, 6, 8, 10]
    for one, other in pairwise(rows):
        assert one.codes < other.codes
        assert one.allowed < other.allowed
        assert one.open > other.open
        assert one.guided < other.guided
    for level in rows:
        assert 6 <= level.allowed[0] <= level.allowed[1] <= 40
