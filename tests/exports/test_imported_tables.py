"""An export that was made with imported tables: its rows make their cases again, and its report
says by which tables it goes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest

from casegen.env.tasks import find_task
from casegen.exports.recipe import Recipe
from casegen.exports.rewards import audit_reward
from casegen.exports.writer import export
from casegen.schemas import InputError
from casegen.seeds.imports import folders, mue

MUE = (
    "HCPCS/CPT Code,Practitioner Services MUE Values,MUE Adjudication Indicator,MUE Rationale\n"
    "93306,1,3 Date of Service Edit: Clinical,Clinical: Data\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An export with tables that are at hand while these tests run."""
    home = tmp_path_factory.mktemp("tables")
    path = home / "MCR_MUE_PractitionerServices_Eff_01-01-2025.csv"
    path.write_text(MUE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASEGEN_TABLES", str(home / "sets"))
        with folders.keeping("mine") as kept:
            folders.commit(kept, None, mue.read([str(path)], "2025-01-01"))
        options = {"tables": "mine", "difficulty": "hard"}
        export(Recipe(6, 7, configs=("cases", "prompts"), options=options), home / "out")
        yield home / "out"


def rows(folder: Path) -> list[dict[str, Any]]:
    paths = sorted((folder / "data" / "prompts").glob("*.parquet"))
    found = [row for path in paths for row in pq.read_table(path).to_pylist()]
    return [{**row, "reset": orjson.loads(row["reset"])} for row in found]


def test_each_row_makes_its_case_again(folder: Path) -> None:
    found = rows(folder)
    assert len(found) == 6
    for row in found:
        assert row["reset"]["tables"].startswith("mine@")
        task = find_task(row["family"], **row["reset"], content_hash=row["content_hash"])
        assert task.case.id == row["id"]
        assert task.case.difficulty == "hard"


def test_a_report_in_one_shot_is_graded_by_the_tables_of_its_row(folder: Path) -> None:
    row = rows(folder)[0]
    answer = [orjson.loads(one) for one in row["answer"]]
    report = [{"code": one["code"], "error_type": one["error_type"]} for one in answer]
    told = orjson.dumps({"report": report}).decode()
    assert audit_reward([told], answer=[answer], reset=[row["reset"]]) == [1.0]
    other = {**row["reset"], "tables": "mine@000000000000"}
    with pytest.raises(InputError, match="holds something else"):
        audit_reward([told], answer=[answer], reset=[other])


def report(folder: Path, page: Path, home: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "casegen", "report", folder, "-o", page, "--json"],
        env={**os.environ, "CASEGEN_TABLES": str(home)},
        capture_output=True,
        check=True,
    )
    found: dict[str, Any] = orjson.loads(done.stdout)["families"]["audit"]
    return found


def test_a_report_says_whether_it_goes_by_the_tables_of_the_export(
    folder: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    here = report(folder, page, folder.parent / "sets")
    assert here["remark"] == ""
    assert "imported tables mine" in page.read_text(encoding="utf-8")
    elsewhere = report(folder, page, tmp_path)
    assert "chapters of the bundled tables" in elsewhere["remark"]
    assert elsewhere["remark"] in page.read_text(encoding="utf-8")
    assert elsewhere["chapter"] == here["chapter"]
