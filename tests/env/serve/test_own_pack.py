"""Whoever serves may serve a pack from a file; a client never names one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import casegen
from casegen.env.audit.environment import MedicalCodingEnvironment
from casegen.env.packfile import file_bytes, file_of_cases
from casegen.env.packs import build, pack
from casegen.schemas import InputError

Served = Any  # see conftest.py
Serve = Callable[..., Any]
CASES = 3


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A pack of three cases in a file."""
    made = list(casegen.make("audit-v0", seed=11).cases(0, CASES))
    file = tmp_path_factory.mktemp("pack") / "mine.json"
    file.write_bytes(file_bytes(build(file_of_cases(made, name="mine", profile="strict"))))
    return str(file)


@pytest.fixture(scope="module")
def served(path: str, serve: Serve) -> Iterator[Served]:
    """A server of that pack."""
    with serve(pack=path) as own:
        yield own


@pytest.mark.parametrize(
    "settings",
    [{"index": 2}, {"pack": "mine", "index": 2}, {"split": "mine", "index": 2}]
    + [{"task_id": "mine/2"}, {"task_id": "mine/2", "pack": "mine"}],
)
def test_its_tasks_are_begun_with_or_without_its_name(
    served: Served, path: str, settings: dict[str, object]
) -> None:
    told = served.reset(**settings)
    assert told["observation"]["task_id"] == "mine/2"
    assert told["metadata"]["pack"] == "mine"
    assert told["observation"]["clinical_note"] == pack(path).task(2).case.note


def test_a_reset_without_settings_draws_from_it(served: Served) -> None:
    drawn = {served.reset(seed=seed)["observation"]["task_id"] for seed in range(12)}
    assert drawn == {"mine/0", "mine/1", "mine/2"}
    assert served.reset()["metadata"]["pack"] == "mine"


def test_other_tasks_are_begun_by_name(served: Served) -> None:
    assert served.reset(task_id="easy_demographic")["metadata"]["pack"] == "audit-seed-v1"
    assert served.reset(pack="audit-bench-v1", index=0)["metadata"]["pack"] == "audit-bench-v1"
    assert served.reset(split="train", index=0)["metadata"]["pack"] is None


def test_a_client_names_no_file(served: Served, path: str) -> None:
    for field in ("pack", "split", "task_id"):
        response = served.post("/reset", json={field: path})
        assert response.status_code == 422
        assert response.json()["detail"].startswith(f"{field}: ")
    beyond = served.post("/reset", json={"task_id": f"mine/{CASES}"})
    assert beyond.status_code == 422
    with pytest.raises(InputError, match="pack"):
        MedicalCodingEnvironment(path)


def test_a_person_may_choose_its_tasks(served: Served) -> None:
    choices = served.get("/web/setup").json()["choices"]
    assert {"label": "mine/1", "reset": {"task_id": "mine/1"}} in choices


def test_a_pack_of_another_family_is_refused(path: str) -> None:
    other = replace(pack(path), family="lab")
    with pytest.raises(InputError, match="is of the family lab"):
        MedicalCodingEnvironment(other)
