"""A row that was exported with imported tables makes its case again, wherever it is played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import casegen
from casegen.env.audit.environment import MedicalCodingEnvironment
from casegen.env.tasks import find_task, spec
from casegen.env.trl import environment_factory
from casegen.schemas import Case, InputError
from casegen.schemas.serial import content_hash
from casegen.seeds.imports import folders, ncci
from casegen.seeds.services import load

HEADER = "Column 1\tColumn 2\t*=in existence\tEffective\tDeletion\tModifier\tRationale\r\n"
WHICH = {"split": "train", "seed": 7, "index": 3}


def imported(folder: Path, name: str, every: int) -> None:
    """Import every so many of the bundled pairs under a name."""
    services = load()
    edits = (
        edit
        for one in services
        for other in services.partners(one.code)
        for edit in services.pair_any(one.code, other)
        if edit.column1 == one.code
    )
    lines = [
        f"{one.column1}\t{one.column2}\t\t19960101\t{(one.deleted or '*').replace('-', '')}\t"
        f"{one.indicator}\t{one.rationale}\r\n"
        for one in edits
    ]
    path = folder / "ccipra-v310r0-f1.TXT"
    path.write_bytes((HEADER + "".join(lines[::every])).encode("cp1252"))
    with folders.keeping(name) as kept:
        folders.commit(kept, None, ncci.read([str(path)], None, lambda lines: None))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A place of tables with the set ``mine``."""
    folder = tmp_path_factory.mktemp("imported")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASEGEN_TABLES", str(folder / "tables"))
        imported(folder, "mine", 1)
        yield folder


@pytest.fixture(scope="module")
def case(home: Path) -> Case:
    return casegen.make("audit-v0", seed=7, tables="mine")[3]


@pytest.fixture
def reset(case: Case) -> dict[str, Any]:
    """The arguments as a row of ``prompts`` has them."""
    return {**WHICH, "tables": case.options["tables"], "content_hash": content_hash(case)}


def test_a_case_is_found_by_the_name_of_its_tables_alone_or_with_their_digest(
    case: Case, reset: dict[str, Any]
) -> None:
    assert find_task("audit", **reset).case == case
    assert find_task("audit", **WHICH, tables="mine").case == case
    assert find_task("audit", **WHICH, tables="bundled") == find_task("audit", **WHICH)
    assert find_task("audit", **WHICH).case != case


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"tables": None}, "content_hash"),
        ({"tables": "bundled"}, "content_hash"),
        ({"index": 4}, "content_hash"),
        ({"content_hash": 5}, "content_hash"),
        ({"tables": "mine@000000000000"}, "tables"),
        ({"tables": "other"}, "tables"),
        ({"tables": "../mine"}, "tables"),
        ({"tables": 5}, "tables"),
    ],
)
def test_another_case_is_refused_and_never_given_in_its_place(
    reset: dict[str, Any], changed: dict[str, Any], field: str
) -> None:
    with pytest.raises(InputError) as told:
        find_task("audit", **{**reset, **changed})
    assert told.value.field == field


def test_tables_are_for_generated_cases_alone(home: Path) -> None:
    for which in ({"task_id": "easy_demographic"}, {"pack": "audit-seed-v1"},
                  {"split": "audit-bench-v1", "index": 1}):  # fmt: skip
        with pytest.raises(InputError, match="leave it out; the tasks of a pack have their own"):
            find_task("audit", **which, tables="mine")


def test_an_environment_with_these_tables_plays_the_row(case: Case, reset: dict[str, Any]) -> None:
    env = MedicalCodingEnvironment(tables="mine")
    for settings in (reset, WHICH, {**WHICH, "tables": "mine"}):
        assert env.reset(**settings).clinical_note == case.note
    bundled = find_task("audit", **WHICH).case
    assert env.reset(**WHICH, tables="bundled").clinical_note == bundled.note
    assert env.reset(task_id="easy_demographic").task_id == "easy_demographic"
    assert env.get_task("train", 3) == spec("audit", "train", 3, tables="mine")
    assert env.get_task("audit-seed-v1", 0)["id"] == "easy_demographic"


def test_an_environment_with_other_tables_says_with_which_it_plays(reset: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="made with the bundled tables; start the server with"):
        MedicalCodingEnvironment().reset(**reset)
    with pytest.raises(InputError, match="made with the imported set mine@"):
        MedicalCodingEnvironment(tables="mine").reset(**WHICH, tables="other")
    with pytest.raises(InputError, match="content_hash"):
        MedicalCodingEnvironment(tables="mine").reset(
            **WHICH, content_hash=content_hash(find_task("audit", **WHICH).case)
        )


def test_an_environment_for_training_plays_the_row_and_none_in_its_place(
    case: Case, reset: dict[str, Any]
) -> None:
    hash_ = reset.pop("content_hash")
    row = {"prompt": "", "reset": reset, "content_hash": hash_}
    assert case.note in str(environment_factory("audit")().reset(**row))
    given = environment_factory("audit", tables="mine")()
    assert case.note in str(given.reset(**WHICH))
    assert case.note in str(given.reset(**row))
    given.reset(task_id="easy_demographic")
    with pytest.raises(InputError, match="content_hash"):
        environment_factory("audit")().reset(**{**row, "reset": WHICH})


def test_a_factory_for_training_is_told_at_once_of_tables_that_are_not_here(home: Path) -> None:
    with pytest.raises(InputError, match="no imported set of that name here"):
        environment_factory("audit", tables="other")
    with pytest.raises(InputError, match="leave it out; the server at url has its own"):
        environment_factory("audit", url="http://127.0.0.1:1", tables="mine")


def test_a_set_that_was_imported_anew_is_no_longer_that_of_the_row(
    reset: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASEGEN_TABLES", str(tmp_path / "tables"))
    imported(tmp_path, "mine", 2)
    with pytest.raises(InputError, match="the set mine here holds something else"):
        find_task("audit", **reset)
    del reset["content_hash"]
    with pytest.raises(InputError, match="the set mine here holds something else"):
        find_task("audit", **reset)
