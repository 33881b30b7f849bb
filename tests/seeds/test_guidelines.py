"""The charts that a guideline codes as a whole, against the tabular list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from casegen.schemas.errors import TableError
from casegen.seeds.icd10cm.tables import Tables, load
from casegen.seeds.scenarios import guidelines
from casegen.seeds.scenarios.guidelines import GuidedChart

CHARTS = guidelines.load()
ON = "2026-06-01"
# A note says what is so, never what to code.
CODING = re.compile(
    r"\b(?:cod(?:e|es|ed|ing)|claim|bill(?:ed|s)?|ICD|guidelines?)\b", re.IGNORECASE
)
CODE = re.compile(r"\b[A-Z]\d\d(?:\.\w+)?\b")
SLOT = re.compile(r"\{(?:[Hh]e|[Hh]is|him|side|[a-e]|n:\d+-\d+(?::\d+)?|d:\d+\.\d-\d+\.\d)\}|[^{}]")
NUMBER = re.compile(r"[IV]+(?:\.[A-Za-z0-9]+)+|II")


@pytest.fixture(scope="module")
def tables() -> Tables:
    return load()


def ids(chart: GuidedChart) -> str:
    return chart.id


def texts(chart: GuidedChart) -> list[str]:
    said = [text for one in chart.relations for text in (*one.say, *one.say_stay)]
    for part in chart.parts:
        if part.condition is None:
            said += [*part.names, *part.story, *part.exam, *part.plan, *part.drugs]
    return said


def test_every_kind_has_its_charts() -> None:
    assert {chart.kind for chart in CHARTS} == set(guidelines.KINDS)
    assert len({chart.id for chart in CHARTS}) == len(CHARTS)


@pytest.mark.parametrize("chart", CHARTS, ids=ids)
def test_terms_are_official_wording_of_the_code_by_itself(
    chart: GuidedChart, tables: Tables
) -> None:
    for part in chart.parts:
        if part.condition is not None:
            continue
        drawn = {name: values[0] for name, values in part.attributes.items()}
        codes = tables.resolve(part.term, drawn)
        assert codes, part.term
        # Of pregnancy the wording also names childbirth and the time after it.
        own = [code.startswith(part.code) for code in codes]
        assert any(own) if part.weeks else all(own), part.term
        assert len(codes) == 1 or part.weeks or "side" in drawn, part.term
        for add in part.adds:
            assert tables.resolve(add.term, {}) == (add.code,)


@pytest.mark.parametrize("chart", CHARTS, ids=ids)
def test_slips_are_valid_codes_of_one_category(chart: GuidedChart, tables: Tables) -> None:
    for slip in chart.slips:
        assert slip.code[:3] == slip.wrong[:3]
        assert tables.status(slip.code, ON) == tables.status(slip.wrong, ON) == "valid"


@pytest.mark.parametrize("chart", CHARTS, ids=ids)
def test_the_source_and_the_section_are_named(chart: GuidedChart) -> None:
    assert len(chart.source) > 15
    assert all(NUMBER.fullmatch(section) for section in chart.section.split(", "))


@pytest.mark.parametrize("chart", CHARTS, ids=ids)
def test_the_words_never_say_what_to_code(chart: GuidedChart) -> None:
    for text in texts(chart):
        assert not CODING.search(text), text
        assert not CODE.search(text), text
        assert "".join(SLOT.findall(text)) == text, text


@pytest.mark.parametrize("chart", CHARTS, ids=ids)
def test_names_tell_the_parts_apart(chart: GuidedChart) -> None:
    seen: set[str] = set()
    for part in chart.parts:
        assert not seen & set(part.names)
        seen.update(part.names)
        assert part.condition is not None or len(set(part.names)) >= 2


@pytest.mark.parametrize("chart", CHARTS, ids=ids)
def test_what_is_not_certain_is_said_to_be_so(chart: GuidedChart) -> None:
    doubt = re.compile(
        r"\b(?:probable|suspect(?:ed)?|likely|possible|rule out|think of)\b", re.IGNORECASE
    )
    uncertain = {part.name for part in chart.parts if part.status == "uncertain"}
    for relation in chart.relations:
        if relation.term == "integral":
            for text in (*relation.say, *relation.say_stay):
                assert bool(doubt.search(text)) == (relation.about[0] in uncertain), text


@pytest.mark.parametrize("chart", CHARTS, ids=ids)
def test_a_curated_part_fits_the_chart(chart: GuidedChart) -> None:
    for part in chart.parts:
        if part.condition is None or part.value is None:
            continue
        low, high = part.condition.age
        assert low <= chart.age[0] <= chart.age[1] <= high, part.condition.id
        assert part.condition.sex in ("any", chart.sex), part.condition.id
        settings = set(part.condition.settings)
        assert set(chart.settings) <= settings, part.condition.id
        others = {o.condition.id for o in chart.parts if o.condition is not None}
        assert not others & set(part.condition.incompatible), part.condition.id


BROKEN = [
    ("kind: stroke", "kind: strike", "x: kind: 'strike' is none of"),
    ("about: [a, b]", "about: [a, z]", "x: relations 0: about: 'z' is none of"),
    ("code: J18.9", "code: pneumonia", "x: a: code: 'pneumonia' is no ICD-10-CM code"),
    ("reason: true", "reason: maybe", "x: a: reason: must be true or false"),
    ("course: acute", "course: quick", "x: a: course: 'quick' is none of"),
    ("age: [20, 80]", "age: [80, 20]", "x: age: must be"),
    ("quiet: true", "quite: true", "x: b: quite: no such field"),
    ('"{a} and {b}"', '"{a} and {c}"', "x: relations 0: say:"),
]
TEXT = """
charts:
  - id: x
    kind: stroke
    section: "I.B.5"
    source: "a book with a title"
    sex: any
    age: [20, 80]
    settings: [office]
    parts:
      a: {term: "Pneumonia", code: J18.9, system: respiratory, course: acute, reason: true,
          names: [p, q]}
      b: {term: "Cough", code: R05.9, system: respiratory, course: acute, quiet: true,
          names: [c, d]}
    relations:
      - {term: integral, about: [a, b], say: ["{a} and {b}", "{b} of {a}"]}
"""


def test_a_chart_in_good_form_is_read(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(TEXT)
    (chart,) = guidelines.read(path)
    assert [part.name for part in chart.parts] == ["a", "b"]


@pytest.mark.parametrize(("right", "wrong", "told"), BROKEN)
def test_what_the_form_does_not_allow_is_named_by_file_row_and_field(
    tmp_path: Path, right: str, wrong: str, told: str
) -> None:
    path = tmp_path / "one.yaml"
    assert right in TEXT
    path.write_text(TEXT.replace(right, wrong, 1))
    with pytest.raises(TableError) as caught:
        guidelines.read(path)
    assert f"one.yaml: {told}" in str(caught.value)
