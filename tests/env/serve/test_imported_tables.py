"""Whoever serves says with which tables; a client names no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import casegen
from casegen.env.tasks import find_task
from casegen.env.trl import environment_factory
from casegen.schemas.serial import content_hash
from casegen.seeds.imports import folders, mue

WHICH = {"split": "train", "seed": 7, "index": 3}
MUE = (
    "HCPCS/CPT Code,Practitioner Services MUE Values,MUE Adjudication Indicator,MUE Rationale\n"
    "93306,1,3 Date of Service Edit: Clinical,Clinical: Data\n"
)


@pytest.fixture
def row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A row of ``prompts`` that was made with imported tables."""
    monkeypatch.setenv("CASEGEN_TABLES", str(tmp_path / "tables"))
    path = tmp_path / "MCR_MUE_PractitionerServices_Eff_01-01-2025.csv"
    path.write_text(MUE)
    with folders.keeping("mine") as kept:
        folders.commit(kept, None, mue.read([str(path)], "2025-01-01"))
    case = casegen.make("audit-v0", seed=7, tables="mine")[3]
    reset = {**WHICH, "tables": case.options["tables"]}
    return {"prompt": "", "reset": reset, "content_hash": content_hash(case), "note": case.note}


def test_a_row_is_played_on_a_server_with_its_tables(serve: Any, row: dict[str, Any]) -> None:
    with serve(tables="mine") as served:
        plain = {**row["reset"], "content_hash": row["content_hash"]}
        assert served.reset(**plain)["observation"]["clinical_note"] == row["note"]
        assert served.reset(**WHICH)["observation"]["clinical_note"] == row["note"]
        over = environment_factory("audit", url=served.url)()
        assert row["note"] in str(over.reset(**row))
        bundled = find_task("audit", **WHICH).case
        refused = served.post("/reset", json={**WHICH, "content_hash": content_hash(bundled)})
        assert refused.status_code == 422
        assert "the case made here, with the tables mine, is another" in refused.text


def test_a_server_without_its_tables_refuses_the_row(server: Any, row: dict[str, Any]) -> None:
    refused = server.post("/reset", json=row["reset"])
    assert refused.status_code == 422
    assert "made with the bundled tables; start the server with --tables" in refused.text
    over = environment_factory("audit", url=server.url)()
    with pytest.raises(Exception, match="start the server with --tables"):
        over.reset(**row)
    with pytest.raises(Exception, match="content_hash"):
        over.reset(**{**row, "reset": WHICH})
