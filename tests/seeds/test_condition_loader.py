"""The loader of the condition files refuses what the models don't allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from casegen.schemas import TableError
from casegen.seeds.conditions import loader, read

GOOD = """
chapter: 9
source: "a source"
conditions:
  - id: one
    system: cardiovascular
    age: [30, 90]
    settings: [office]
    roles: [reason, background]
    weight: 2
    incompatible: [two]
    values:
      - {id: a, weight: 1, course: chronic, term: "T", code: I10, source: s}
  - id: two
    system: skin
    age: [1, 2]
    settings: [office]
    roles: [reason]
    weight: 1
    values:
      - {id: a, weight: 1, course: acute, term: "T", codes: {right: L03.115}, source: s}
"""


def written(folder: Path, text: str) -> Path:
    (folder / "ch09_test.yaml").write_text(text, encoding="utf-8")
    return folder


def test_defaults_are_filled_and_lists_become_tuples(tmp_path: Path) -> None:
    one, two = read(written(tmp_path, GOOD))
    assert (one.sex, one.groups, one.age_days) == ("any", (), None)
    assert one.values[0].roles == ("reason", "background")
    assert one.values[0].seventh == "none" and one.values[0].less_specific is None
    assert two.incompatible == ("one",)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("weight: 2", "wieght: 2", ["ch09_test.yaml", "one", "wieght"]),
        ("weight: 2", "weight: two", ["ch09_test.yaml", "one", "weight"]),
        ("system: skin", "system: hide", ["ch09_test.yaml", "two", "system", "hide"]),
        ("age: [1, 2]", "age: [2, 1]", ["ch09_test.yaml", "two", "age"]),
        ("age: [1, 2]", "age: [1, yes]", ["ch09_test.yaml", "two", "age"]),
        ("course: acute", "course: sudden", ["ch09_test.yaml", "two.a", "course"]),
        ("code: I10, ", "", ["ch09_test.yaml", "one.a", "code"]),
        ("{right: L03.115}", "{top: L03.115}", ["ch09_test.yaml", "two.a", "codes"]),
        ("id: two", "id: one", ["ch09_test.yaml", "one", "id"]),
        ("chapter: 9", "chapter: [9", ["ch09_test.yaml", "YAML"]),
        ("chapter: 9", "chapter: true", ["ch09_test.yaml", "chapter"]),
    ],
)
def test_a_wrong_field_is_named_with_file_and_condition(
    tmp_path: Path, old: str, new: str, names: list[str]
) -> None:
    assert old in GOOD
    with pytest.raises(TableError) as caught:
        read(written(tmp_path, GOOD.replace(old, new)))
    assert all(name in str(caught.value) for name in names), str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_star_stays_with_its_exceptions(tmp_path: Path) -> None:
    alone = GOOD.replace("incompatible: [two]", 'incompatible: ["*"]')
    one, two = read(written(tmp_path, alone))
    assert one.incompatible == ("*",) and two.incompatible == ()
    less = alone.replace('["*"]', '["*"]\n    compatible: [two]')
    one, two = read(written(tmp_path, less))
    assert one.compatible == ("two",) and two.incompatible == ()


def test_compatible_without_a_star_is_an_error(tmp_path: Path) -> None:
    text = GOOD.replace("incompatible: [two]", "incompatible: [two]\n    compatible: [two]")
    with pytest.raises(TableError, match="one: compatible"):
        read(written(tmp_path, text))


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TableError):
        read(tmp_path)


def test_what_the_cache_keeps_is_what_the_files_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASEGEN_CACHE", str(tmp_path))
    wanted = read(Path(loader.__file__).parent)
    for _ in range(2):
        loader.load.cache_clear()
        assert loader.load() == wanted
        # The second time nothing is judged anew.
        monkeypatch.setattr(loader, "read", lambda folder: pytest.fail("read again"))
    loader.load.cache_clear()
