"""A recipe says what an export is made from, and which cases stand in which shard."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson
import pytest

from casegen.exports.formats import FORMATS
from casegen.exports.plan import pieces
from casegen.exports.recipe import Recipe, counts, recipe_from
from casegen.schemas import InputError


def test_there_are_exactly_eight_configurations_in_this_order() -> None:
    assert list(FORMATS) == [
        "cases", "trajectories", "steps", "sft", "sft_text", "preference", "unpaired", "prompts",
    ]  # fmt: skip


@pytest.mark.parametrize("total", [1, 2, 3, 5, 9, 10, 99, 1000, 1001, 123_457])
def test_shares_add_up_and_none_is_empty_where_there_is_one_for_each(total: int) -> None:
    found = counts(total, (80, 10, 10))
    assert sum(found) == total
    assert min(found) >= (total >= 3)
    if total >= 100:
        assert found[0] == pytest.approx(total * 0.8, abs=1)


@pytest.mark.parametrize(("cases", "shard"), [(1, 500), (1000, 500), (1003, 7), (100, 1)])
def test_each_case_stands_in_one_piece_and_no_piece_is_too_big(cases: int, shard: int) -> None:
    plan = pieces(Recipe(cases, 7, shard=shard))
    seen = Counter((p.family, p.split, index) for p in plan for index in range(p.lo, p.hi))
    assert seen.total() == len(seen) == cases
    assert all(0 < piece.hi - piece.lo <= shard for piece in plan)
    for split in {piece.split for piece in plan}:
        own = [piece for piece in plan if piece.split == split]
        assert [piece.number for piece in own] == list(range(len(own)))
        assert {piece.of for piece in own} == {len(own)}


def test_a_thousand_cases_are_divided_80_10_10_and_two_workers_share_them() -> None:
    plan = pieces(Recipe(1000, 7, families=("audit",)))
    assert Counter({p.name: p.hi - p.lo for p in plan}) == {
        "train-00000-of-00002": 400,
        "train-00001-of-00002": 400,
        "validation-00000-of-00001": 100,
        "test-00000-of-00001": 100,
    }


def test_a_recipe_comes_back_from_its_json() -> None:
    recipe = Recipe(10, 2**64 - 1, configs=("steps", "cases"), options={"difficulty": "hard"})
    assert recipe.configs == ("cases", "steps")
    assert recipe_from(orjson.loads(recipe.canonical())) == recipe


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("cases", {"cases": 0}),
        ("cases", {"cases": 2.5}),
        ("seed", {"seed": -1}),
        ("seed", {"seed": 2**64}),
        ("config", {"configs": ("cases", "nonsense")}),
        ("config", {"configs": ()}),
        ("config", {"configs": "cases"}),
        ("family", {"families": ("nonsense",)}),
        ("agent", {"agents": ("oracle",)}),
        ("shares", {"shares": (1, 1)}),
        ("shares", {"shares": (0, 0, 0)}),
        ("options.nonsense", {"options": {"nonsense": "x"}}),
        ("shard", {"shard": 0}),
    ],
)
def test_a_value_that_a_recipe_can_not_take_is_named(field: str, values: dict[str, Any]) -> None:
    with pytest.raises(InputError) as error:
        Recipe(**{"cases": 10, "seed": 7, **values})
    assert error.value.field == field
