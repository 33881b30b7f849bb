"""Packs of any family: recipes with its shares, and cases of it alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import casegen
from casegen.env.packfile import file_bytes, file_of_cases, read_file
from casegen.env.packs import build, pack, verify
from casegen.schemas import InputError


def write(folder: Path, data: Any) -> str:
    path = folder / "pack.json"
    path.write_bytes(orjson.dumps(data))
    return str(path)


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ({"seed": 1, "difficulty": "easy", "count": 2}, "review"),
        ({"seed": 1, "difficulty": "easy", "clean": 0, "review": 0, "count": 2}, "clean"),
        ({"seed": 1, "difficulty": "easy", "review": 0.5, "count": 2}, "review"),
    ],
)
def test_a_part_has_the_shares_of_its_family_and_no_other(
    tmp_path: Path, part: dict[str, Any], field: str
) -> None:
    recipe = {"generator": "coding-v0", "split": "test", "parts": [part]}
    data = {"name": "mine", "family": "coding", "profile": "strict", "recipe": recipe}
    with pytest.raises(InputError, match=rf"recipe\.parts\[0\]\.{field}"):
        read_file(write(tmp_path, data))


def test_a_pack_of_coding_cases_is_built_and_opened_again(tmp_path: Path) -> None:
    parts = [{"seed": 1, "difficulty": "easy", "review": 0, "count": 3}]
    recipe = {"generator": "coding-v0", "split": "test", "parts": parts}
    data = {"name": "mine", "family": "coding", "profile": "strict", "recipe": recipe}
    built = build(read_file(write(tmp_path, data)))
    assert orjson.loads(file_bytes(built))["recipe"] == recipe
    whole = build(built, whole=True)
    for file in (built, whole):
        found = pack(write(tmp_path, orjson.loads(file_bytes(file))))
        assert [task.case.family for task in found] == ["coding"] * 3
        assert verify(found) == 3


def test_a_pack_of_cases_is_of_one_family() -> None:
    made = [casegen.make(name, seed=1)[0] for name in ("audit-v0", "coding-v0")]
    with pytest.raises(InputError, match=r"cases\[1\]\.case\.family.*must be audit"):
        file_of_cases(made, name="mine", profile="strict")
    assert file_of_cases(made[1:], name="mine", profile="strict").family == "coding"
