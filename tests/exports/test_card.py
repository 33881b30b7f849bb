"""The card and the Croissant metadata say what the files hold."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
import yaml
from datasets import Features

from casegen.config import SPLITS
from casegen.exports import card
from casegen.exports.formats import row_format
from casegen.exports.recipe import AGENTS, Recipe
from casegen.exports.writer import export

from .conftest import CONFIGS, Exported

Data = dict[str, Any]


@pytest.fixture
def head(exported: Exported) -> Data:
    _, text, _ = (exported.folder / "README.md").read_text().split("---\n", 2)
    found: Data = yaml.safe_load(text)
    return found


@pytest.fixture
def prose(exported: Exported) -> str:
    return (exported.folder / "README.md").read_text().split("---\n", 2)[2]


@pytest.fixture
def croissant(exported: Exported) -> Data:
    found: Data = orjson.loads((exported.folder / "croissant.json").read_bytes())
    return found


def test_the_head_names_configurations_features_and_sizes(exported: Exported, head: Data) -> None:
    assert [one["config_name"] for one in head["configs"]] == list(CONFIGS)
    assert [one.get("default") for one in head["configs"]] == [True, None, None]
    totals = exported.manifest.totals()
    for info in head["dataset_info"]:
        name = info["config_name"]
        assert Features._from_yaml_list(info["features"]) == row_format(name).features()
        rows = {split["name"]: split["num_examples"] for split in info["splits"]}
        assert rows == {split: total.rows for split, total in totals[name].items()}
    for config in head["configs"]:
        assert [one["split"] for one in config["data_files"]] == list(SPLITS)
        for one in config["data_files"]:
            assert list(exported.folder.glob(one["path"]))


def test_the_head_is_one_that_the_hub_takes(head: Data) -> None:
    assert head["license"] == "cc-by-4.0"
    assert head["language"] == ["en"]
    assert head["size_categories"] == ["1K<n<10K"]  # most are steps
    assert {"synthetic", "medical-coding"} <= set(head["tags"])
    assert all(isinstance(tag, str) for tag in head["tags"])


@pytest.mark.parametrize(
    "words",
    [
        "No patient exists",
        "ICD-10-CM April 2026",
        "NCCI 2024Q3",
        "American Medical Association",
        "CC BY 4.0",
        "not for billing",
        "--cases 90",
        "--seed 7",
        *(f"| `{agent}` |" for agent in AGENTS),
    ],
)
def test_the_prose_says(prose: str, words: str) -> None:
    assert words in prose


def test_the_prose_names_the_schema_of_each_json_column(prose: str) -> None:
    for config in CONFIGS:
        for column, feature in row_format(config).features().items():
            if type(feature).__name__ == "Json":
                assert f"| `{config}` | `{column}` | parsed | " in prose
    for config, column in (
        ("trajectories", "steps"),
        ("trajectories", "metrics"),
        ("steps", "observation"),
        ("steps", "result"),
    ):
        assert f"| `{config}` | `{column}` | as text | " in prose
    assert "see the configuration" not in prose
    assert "$" not in prose


def test_each_schema_that_the_card_names_lies_beside_it(exported: Exported, prose: str) -> None:
    named = set(re.findall(r"`(schemas/\w+\.schema\.json)`", prose))
    assert len(named) == len(exported.recipe.families)
    for name in named:
        assert orjson.loads((exported.folder / name).read_bytes())["$schema"]


def test_a_trainer_is_shown_with_rows_of_any_length_and_their_mean_is_told(tmp_path: Path) -> None:
    for config, name in (("sft", "SFT"), ("preference", "DPO"), ("unpaired", "KTO")):
        recipe = Recipe(6, 7, configs=(config,), families=("coding",), shares=(1, 0, 0))
        found = export(recipe, tmp_path / config)
        told = card.text(found)
        assert f"from trl import {name}Config, {name}Trainer" in told
        assert f'args={name}Config(output_dir="trained", max_length=None)' in told
        assert re.search(rf"\| `{config}` \| \d+ \| \d*,?\d+ \|", told)
        assert "schemas/case.schema.json" not in told


def test_the_scores_in_the_card_are_those_of_the_manifest(exported: Exported, prose: str) -> None:
    agents = prose.partition("## Agents")[2].partition("## Limits")[0]
    for family in exported.recipe.families:
        table = agents.partition(f"`{family}`:")[2].partition("\n`")[0]
        for agent, own in exported.manifest.scores(family).items():
            line = next(line for line in table.splitlines() if line.startswith(f"| `{agent}` |"))
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert cells[1] == str(own["all"].episodes)
            assert cells[-1] == f"{own['all'].score:.3f}"


def test_the_croissant_has_what_its_format_requires(croissant: Data) -> None:
    assert croissant["@type"] == "sc:Dataset"
    assert croissant["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    for name in ("@context", "name", "description", "license", "url", "creator", "version"):
        assert croissant[name]
    ids = [one["@id"] for one in croissant["distribution"]]
    assert len(ids) == len(set(ids))
    for one in croissant["distribution"]:
        assert one["encodingFormat"] == "application/x-parquet"
        if one["@type"] == "cr:FileObject":
            assert {"name", "contentUrl", "contentSize", "sha256"} <= set(one)
        else:
            assert one["@type"] == "cr:FileSet"
            assert one["includes"]
    for records in croissant["recordSet"]:
        assert records["@type"] == "cr:RecordSet"
        for field in records["field"]:
            assert field["@type"] == "cr:Field"
            assert field["@id"].startswith(f"{records['@id']}/")
            assert field["dataType"].startswith("sc:")
            assert field["source"]["fileSet"]["@id"] in ids
            assert field["source"]["extract"]["column"] == field["name"]


def test_the_croissant_describes_the_files_that_are_there(
    exported: Exported, croissant: Data
) -> None:
    files = [one for one in croissant["distribution"] if one["@type"] == "cr:FileObject"]
    there = sorted(exported.folder.rglob("*.parquet"))
    assert sorted(exported.folder / one["contentUrl"] for one in files) == there
    for one in files:
        data = (exported.folder / one["contentUrl"]).read_bytes()
        assert one["sha256"] == sha256(data).hexdigest()
        assert one["contentSize"] == f"{len(data)} B"
    sets = [one for one in croissant["distribution"] if one["@type"] == "cr:FileSet"]
    for one, records in zip(sets, croissant["recordSet"], strict=True):
        paths = list(exported.folder.glob(one["includes"]))
        columns = [field["source"]["extract"]["column"] for field in records["field"]]
        assert columns == pq.read_schema(Path(paths[0])).names
