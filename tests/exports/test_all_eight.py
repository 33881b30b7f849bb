"""The default recipe: eight configurations of episodes that were really played."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from casegen.config import SPLITS
from casegen.env.families import FAMILIES, family
from casegen.exports.formats import FORMATS, row_format
from casegen.exports.manifest import Manifest
from casegen.exports.model import Unit
from casegen.exports.plan import pieces
from casegen.exports.recipe import Recipe
from casegen.exports.units import units
from casegen.exports.writer import export

RECIPE = Recipe(30, 11, shard=12)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest]:
    folder = tmp_path_factory.mktemp("exports") / "everything"
    return folder, export(RECIPE, folder)


@pytest.fixture(scope="module")
def played() -> dict[str, list[Unit]]:
    """The cases and episodes of the recipe, by split."""
    found: dict[str, list[Unit]] = {}
    for piece in pieces(RECIPE):
        found.setdefault(piece.split, []).extend(units(RECIPE, piece))
    return found


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("config", FORMATS)
def test_load_dataset_gives_the_rows_that_were_made(
    everything: tuple[Path, Manifest],
    played: dict[str, list[Unit]],
    load: Callable[..., Any],
    config: str,
    streaming: bool,
) -> None:
    found = load(everything[0], config, streaming=streaming)
    form = row_format(config)
    assert list(found) == list(SPLITS)
    for split in SPLITS:
        assert found[split].features == form.features()
        made = [orjson.loads(orjson.dumps(row)) for u in played[split] for row in form.rows(u)]
        assert list(found[split]) == made
        assert {row["family"] for row in made} <= set(RECIPE.families)
    made = [row["family"] for units_ in played.values() for u in units_ for row in form.rows(u)]
    assert set(made) == set(FAMILIES)


@pytest.mark.parametrize("config", FORMATS)
def test_rows_are_sliced_filtered_mapped_and_handed_to_pandas_from_anywhere(
    everything: tuple[Path, Manifest],
    load: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    config: str,
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    rows = load(os.path.relpath(everything[0]), config, split="train")
    first = load(os.path.relpath(everything[0]), config, split="train[:10]")
    assert first.to_list() == rows.to_list()[:10]
    levels = rows["difficulty"]
    assert len(rows.filter(lambda row: row["difficulty"] == "hard")) == list(levels).count("hard")
    assert rows.map(lambda row: row).to_list() == rows.to_list()
    frame = rows.to_pandas()
    assert list(frame.columns) == list(row_format(config).features())
    assert list(frame["difficulty"]) == list(levels)


def test_the_croissant_tells_the_type_of_each_column_and_of_the_fields_of_records(
    everything: tuple[Path, Manifest],
) -> None:
    described = orjson.loads((everything[0] / "croissant.json").read_bytes())
    for records in described["recordSet"]:
        features = row_format(records["name"]).features()
        assert [field["name"] for field in records["field"]] == list(features)
        for field in records["field"]:
            parts = field.get("subField")
            assert ("dataType" in field) is (parts is None)
            for part in parts or ():
                column, _, name = part["name"].partition("/")
                assert part["source"]["extract"] == {"column": column}
                assert part["source"]["transform"] == {"jsonPath": name}
    texts = next(one for one in described["recordSet"] if one["name"] == "sft_text")
    (messages,) = [field for field in texts["field"] if field["name"] == "messages"]
    assert messages["repeated"] is True
    assert [part["name"] for part in messages["subField"]] == ["messages/role", "messages/content"]


def test_every_row_of_steps_can_be_played_on(
    everything: tuple[Path, Manifest], load: Callable[..., Any]
) -> None:
    for row in load(everything[0], "steps")["test"]:
        family(row["family"]).action(row["action"])
        seen = {**json.loads(row["observation"]), **json.loads(row["result"])}
        assert seen["done"] is row["is_last"]
        assert seen["reward"] == row["reward"]


def test_the_agents_stand_in_the_order_that_their_skill_gives(
    everything: tuple[Path, Manifest],
) -> None:
    scores = {agent: own["all"].score for agent, own in everything[1].scores().items()}
    assert scores["expert"] > scores["rules"] > scores["random"]
    assert scores["expert"] > scores["noisy"] > scores["random"]


def test_the_rows_are_the_same_with_two_workers(
    everything: tuple[Path, Manifest], tmp_path: Path
) -> None:
    assert export(RECIPE, tmp_path / "out", jobs=2) == everything[1]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_cases(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    unit = 1 if sys.platform == "darwin" else 1024
    script = """
import resource, sys
from pathlib import Path
from casegen.exports.recipe import Recipe
from casegen.exports.writer import export
peaks = []
for cases in (1200, 2100):
    recipe = Recipe(cases, 7, shares=(1, 0, 0), shard=1000)
    export(recipe, Path(sys.argv[1]) / str(cases))
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(*peaks)
"""
    assert resource
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    small, large = (int(peak) * unit for peak in done.stdout.split())
    rows = sum(path.stat().st_size for path in (tmp_path / "2100").rglob("*.parquet"))
    assert rows > 8 << 20
    assert large - small < 96 << 20


def test_a_split_without_rows_does_not_keep_the_others_from_opening(
    tmp_path: Path, load: Callable[..., Any]
) -> None:
    # Where nobody errs at a step of the one who is followed, a split has no preferences.
    agents = ("expert", "random")
    manifest = export(Recipe(3, 6, families=("audit",), agents=agents), tmp_path / "out")
    totals = manifest.totals()
    assert any(total.rows == 0 for total in totals["preference"].values())
    for config, splits in totals.items():
        filled = {split: total.rows for split, total in splits.items() if total.rows}
        if filled:
            found = load(tmp_path / "out", config)
            assert {split: len(rows) for split, rows in found.items()} == filled
