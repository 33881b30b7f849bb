"""A person validates a prescription at the terminal, and a rollout does so by calling methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from io import StringIO
from typing import Any, get_type_hints

import pytest

from casegen.cli import main as casegen
from casegen.env.errors import EpisodeOverError
from casegen.env.rx.prompt import prompt
from casegen.env.trl import environment_factory

from .conftest import CIPRO, WARFARIN

Says = Callable[..., str]


@pytest.fixture
def play_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Says:
    def run(*lines: str, task: str = WARFARIN) -> str:
        monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines) + "\n"))
        with pytest.raises(SystemExit) as left:
            casegen(["play", "rx", "--task", task])
        assert left.value.code in (0, None)
        return capsys.readouterr().out

    return run


def test_a_person_looks_answers_and_sees_the_authority(play_lines: Says) -> None:
    told = play_lines("2", "5", "yes", "aspirin-Coumadin", "-", "reject")
    assert "aspirin 325 mg tablet oral once daily" in told
    assert "- Coumadin 5 mg PO daily" in told
    assert "Score 1.00 after 2 steps." in told
    assert "Found: warfarin-aspirin" in told
    assert "Authority: label warfarin, 7" in told
    assert "Note on this task: The document counts" in told


def test_what_was_missed_is_told(play_lines: Says) -> None:
    told = play_lines("4", "5", "1", "-", "-", "-", "1", task=CIPRO)
    assert "Missed: warfarin-ciprofloxacin" in told
    assert "Missed: myasthenia_gravis-ciprofloxacin" in told
    assert "Right is reject" in told


def test_an_empty_line_goes_back_and_help_is_free(play_lines: Says) -> None:
    told = play_lines("?", "p", "r", "x", "5", "", "5", "yes", "", "q")
    assert "A conflict is named as a pair A-B" in told
    assert "Nothing is shown." in told
    assert "One of the numbers or letters above" in told
    assert "Left before the end; nothing is graded." in told
    assert "4 steps left" in told and "3 steps left" not in told


# --- as tools of a trainer


@pytest.fixture
def tools() -> Any:
    return environment_factory("rx")()


def test_the_tools_are_the_acts_with_their_fields_and_words(tools: Any) -> None:
    found = inspect.getmembers(type(tools), predicate=inspect.isfunction)
    methods = {name: getattr(tools, name) for name, _ in found if not name.startswith("_")}
    del methods["reset"], methods["get_reward"]
    acts = {act.name: act for act in prompt().acts}
    assert set(methods) == set(acts)
    for name, method in methods.items():
        assert tuple(inspect.signature(method).parameters) == acts[name].fields
        told = " ".join((method.__doc__ or "").split())
        assert told.startswith(acts[name].title)
        for field in acts[name].fields:
            assert f"{field}: {prompt().fields[field].rstrip('.')}" in told
            assert field in get_type_hints(method)


def test_the_answer_earns_the_whole_score_at_its_end(tools: Any) -> None:
    told = tools.reset(task_id=CIPRO)
    assert "Cipro 500 mg tablet oral BID, new, for acute pyelonephritis" in told
    assert "Look for: dose, interactions, allergies, contraindications" in told
    assert "warfarin" not in told
    assert "- warfarin 4 mg PO daily" in tools.request_info("full_profile")
    assert "Error: info_requested" in tools.request_info("everything")
    assert tools.get_reward() == 0.0
    tools.submit(True, "reject", ["warfarin-ciprofloxacin"], [], ["MG-cipro"])
    assert tools.get_reward() == 1.0
    with pytest.raises(EpisodeOverError):
        tools.request_info("allergies")


def test_a_row_may_draw_by_task_and_seed(tools: Any) -> None:
    first = tools.reset(reset={"task": "dosage_check", "seed": 5})
    assert tools.reset(task="dosage_check", seed=5) == first
    assert "dosage_check_" in first


def test_it_plays_on_a_server_as_in_process(rx_server: Any, tools: Any) -> None:
    there: Any = environment_factory("rx", url=rx_server.url)()
    row = {"split": "train", "seed": 7, "index": 3}
    assert there.reset(**row) == tools.reset(**row)
    assert there.request_info("full_profile") == tools.request_info("full_profile")
    assert there.submit(True, "approve", [], [], []) == tools.submit(True, "approve", [], [], [])
    assert there.get_reward() == tools.get_reward()
