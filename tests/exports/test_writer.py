"""What an export holds is what ``load_dataset`` gives, the same for any number of workers."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
from datasets import Features

import casegen
from casegen.config import SPLITS
from casegen.exports import shard
from casegen.exports.formats import row_format
from casegen.exports.formats.cases import family_columns
from casegen.exports.plan import pieces
from casegen.exports.recipe import Recipe
from casegen.exports.schema_files import schema_file
from casegen.exports.units import units
from casegen.exports.writer import export
from casegen.families import FAMILIES
from casegen.schemas.anycase import CASES
from casegen.schemas.serial import case_from, content_hash

from .conftest import CONFIGS, ROLLOUT, Exported
from .playing import TRICKY

Load = Callable[..., Any]


def rows_of(recipe: Recipe, config: str, split: str) -> list[dict[str, Any]]:
    """The rows as they are made, as plain JSON values."""
    form = row_format(config)
    return [
        orjson.loads(orjson.dumps(row))
        for piece in pieces(recipe)
        if piece.split == split
        for unit in units(recipe, piece, ROLLOUT)
        for row in form.rows(unit)
    ]


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("config", CONFIGS)
def test_load_dataset_gives_the_rows_that_were_made(
    exported: Exported, load: Load, config: str, streaming: bool
) -> None:
    found = load(exported.folder, config, streaming=streaming)
    assert list(found) == list(SPLITS)
    for split in SPLITS:
        assert found[split].features == row_format(config).features()
        assert list(found[split]) == rows_of(exported.recipe, config, split)


@pytest.mark.parametrize("config", CONFIGS)
def test_each_configuration_has_a_family_and_a_split(config: str) -> None:
    assert {"family", "split"} <= set(row_format(config).features())


def test_json_comes_back_as_it_went_in(exported: Exported, load: Load) -> None:
    for row in load(exported.folder, "steps")["train"]:
        assert json.loads(row["result"])["tricky"] == TRICKY
        assert None not in row["action"].values()
    for row in load(exported.folder, "trajectories")["train"]:
        assert json.loads(row["metrics"]) == {"third": 1 / 3, "sevenths": 5 / 7, **TRICKY}


def test_a_row_of_cases_is_the_whole_case(exported: Exported, load: Load) -> None:
    seen = set()
    columns = {*family_columns("seen"), *family_columns("answer")}
    for row in load(exported.folder, "cases")["test"]:
        seen.add(row["family"])
        fields = {field.name for field in dataclasses.fields(CASES[row["family"]])}
        case = case_from({name: row[name] for name in row if name in fields})
        generator = casegen.make(FAMILIES[row["family"]], seed=7, split="test")
        assert case == generator[row["index"]]
        assert content_hash(case) == row["content_hash"]
        assert all(row[name] is None for name in columns - fields)
    assert seen == set(FAMILIES)


def test_steps_begin_and_end_with_their_episode(exported: Exported, load: Load) -> None:
    episodes: dict[str, list[dict[str, Any]]] = {}
    for row in load(exported.folder, "steps")["train"]:
        episodes.setdefault(row["episode_id"], []).append(row)
    for rows in episodes.values():
        last = len(rows) - 1
        assert [row["step"] for row in rows] == list(range(len(rows)))
        assert [row["is_first"] for row in rows] == [at == 0 for at in range(len(rows))]
        assert [row["is_last"] for row in rows] == [at == last for at in range(len(rows))]
        assert not any(row["terminated"] or row["truncated"] for row in rows[:-1])
        assert rows[-1]["terminated"] is not rows[-1]["truncated"]
    assert len({len(rows) for rows in episodes.values()}) > 1


def test_no_structural_key_stands_in_two_splits(
    tmp_path: Path, load: Load, playing_is_found: None
) -> None:
    export(Recipe(600, 7, configs=("cases",)), tmp_path / "out")
    found = load(tmp_path / "out", "cases")
    keys = [set(found[split]["structural_key"]) for split in SPLITS]
    assert all(keys)
    assert len(set.union(*keys)) == sum(map(len, keys))


def test_the_manifest_tells_the_hash_of_the_rows_that_are_read(
    exported: Exported, load: Load
) -> None:
    for config in CONFIGS:
        found = load(exported.folder, config)
        for split in SPLITS:
            files = [e.files[config] for e in exported.manifest.pieces if e.split == split]
            rows = iter(found[split])
            for file in files:
                told = sha256()
                for _ in range(file.rows):
                    line = json.dumps(next(rows), ensure_ascii=False, separators=(",", ":"))
                    told.update(f"{line}\n".encode())
                assert told.hexdigest() == file.rows_sha256
            assert next(rows, None) is None


def test_the_hash_of_the_rows_does_not_hang_on_the_row_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for rows in (1, 5, 1000):  # groups of one row end where each file ends
        monkeypatch.setattr(shard, "GROUP_ROWS", rows)
        made = export(Recipe(12, 5, configs=("cases", "prompts")), tmp_path / str(rows))
        files = list(made.files())
        for file in files:
            groups = pq.read_metadata(tmp_path / str(rows) / file.path).num_row_groups
            assert groups == -(-file.rows // rows)
        found.append([file.rows_sha256 for file in files])
    assert found[0] == found[1] == found[2]


def test_shards_are_zstd_with_page_index_features_and_modest_row_groups(
    tmp_path: Path, playing_is_found: None
) -> None:
    recipe = Recipe(400, 7, configs=CONFIGS, shares=(1, 0, 0), agents=("expert", "random"))
    manifest = export(recipe, tmp_path / "out", rollout=ROLLOUT)
    groups = 0
    for file in manifest.files():
        found = pq.read_metadata(tmp_path / "out" / file.path)
        groups = max(groups, found.num_row_groups)
        assert found.num_rows == file.rows
        for at in range(found.num_row_groups):
            assert found.row_group(at).num_rows <= 1000
            assert found.row_group(at).total_byte_size < 16 << 20
            column = found.row_group(at).column(0)
            assert column.compression == "ZSTD"
            assert column.has_column_index
            assert column.has_offset_index
        config = file.path.split("/")[1]
        schema = pq.read_schema(tmp_path / "out" / file.path)
        assert Features.from_arrow_schema(schema) == row_format(config).features()
    assert groups > 1


def test_the_rows_are_the_same_with_two_workers(exported: Exported, tmp_path: Path) -> None:
    made = export(exported.recipe, tmp_path / "out", jobs=2, rollout=ROLLOUT)
    assert made == exported.manifest
    for path in exported.folder.rglob("*.*"):
        other = tmp_path / "out" / path.relative_to(exported.folder)
        assert other.read_bytes() == path.read_bytes()


def test_the_rows_of_a_configuration_do_not_hang_on_the_others(
    exported: Exported, tmp_path: Path
) -> None:
    recipe = dataclasses.replace(exported.recipe, configs=("steps",))
    made = export(recipe, tmp_path / "out", rollout=ROLLOUT)
    for alone, among in zip(made.pieces, exported.manifest.pieces, strict=True):
        assert alone.files["steps"] == among.files["steps"]


def test_another_seed_gives_other_rows(exported: Exported, tmp_path: Path) -> None:
    recipe = dataclasses.replace(exported.recipe, seed=8, configs=("cases",))
    made = export(recipe, tmp_path / "out")
    hashes = {file.rows_sha256 for file in made.files()}
    assert not hashes & {file.rows_sha256 for file in exported.manifest.files()}


def test_a_few_cases_leave_out_the_splits_that_would_be_empty(tmp_path: Path, load: Load) -> None:
    export(Recipe(2, 7, configs=("cases",)), tmp_path / "out")
    found = load(tmp_path / "out", "cases")
    assert {split: len(rows) for split, rows in found.items()} == {"train": 2}


def test_scores_by_agent_are_those_of_the_episodes(exported: Exported, load: Load) -> None:
    found = load(exported.folder, "trajectories")
    rows = [row for split in SPLITS for row in found[split]]
    for agent, own in exported.manifest.scores().items():
        scores = [row["score"] for row in rows if row["agent"] == agent]
        assert own["all"].episodes == len(scores) == exported.recipe.cases
        assert own["all"].score == pytest.approx(sum(scores) / len(scores))


def test_nothing_but_the_dataset_is_left(exported: Exported) -> None:
    top = {path.name for path in exported.folder.iterdir()}
    assert top == {"README.md", "manifest.json", "croissant.json", "data", "schemas"}
    listed = {file.path for file in exported.manifest.files()}
    there = {p.relative_to(exported.folder).as_posix() for p in exported.folder.rglob("*.*")}
    schemas = {schema_file(family) for family in exported.recipe.families}
    assert there == listed | schemas | {"README.md", "manifest.json", "croissant.json"}
