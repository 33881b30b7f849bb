"""The documented scripts: what they print while a model, or plain rules, play."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from casegen.env.coding.baseline_inference import main as baseline
from casegen.env.coding.inference import TASKS, main
from casegen.env.packs import pack

from ..endpoint import Answer, Request, call, endpoint, failure

ANSWERS = {
    TASKS[0]: ("E11.9", ["Z79.84"], False),
    TASKS[1]: ("I12.9", ["N18.30"], False),
    TASKS[2]: ("R07.9", ["R94.31"], True),
}
Printed = tuple[int, list[str], str]


def knowing(request: Request) -> Answer:
    """A model that drafts the primary code, and finalizes with the rest."""
    told = re.search(r"Coding (\S+) ", request["messages"][1]["content"])
    assert told is not None
    primary, secondary, review = ANSWERS[told[1]]
    if len(request["messages"]) == 2:
        return call("submit_draft", primary_code=primary)
    return call("finalize", secondary_codes=secondary, needs_review=review)


@pytest.fixture
def infer(coding_server: Any, capsys: pytest.CaptureFixture[str]) -> Callable[..., Printed]:
    def run(answer: Callable[[Request], Answer], play: Any = main, **changes: str) -> Printed:
        with endpoint(answer) as model:
            env = {
                "HF_TOKEN": "t",
                "API_BASE_URL": model.url,
                "MODEL_NAME": "org/model",
                "ENV_BASE_URL": coding_server.url,
                **changes,
            }
            status = play(env)
        told = capsys.readouterr()
        return status, told.out.splitlines(), told.err

    return run


def test_the_script_plays_the_three_documented_tasks() -> None:
    assert list(TASKS) == [task.id for task in pack("coding-seed-v1")]


def test_each_task_has_a_start_its_steps_and_an_end(infer: Callable[..., Printed]) -> None:
    status, lines, err = infer(knowing)
    assert (status, err) == (0, "")
    draft, rest = '{"primary_code":"E11.9"}', '{"secondary_codes":["Z79.84"],"needs_review":false}'
    assert lines[:4] == [
        "[START] task=easy_t2dm_followup env=medical_coding_assistant model=org/model",
        f"[STEP] step=1 action=submit_draft({draft}) reward=0.75 done=false error=null",
        f"[STEP] step=2 action=finalize({rest}) reward=0.25 done=true error=null",
        "[END] success=true steps=2 score=1.00 rewards=0.75,0.25",
    ]
    assert sum(line.startswith("[END] success=true") for line in lines) == 3
    assert lines[-1].split() == ["mean", "1.00"]


def test_the_baseline_in_mode_llm_is_the_same_script(infer: Callable[..., Printed]) -> None:
    status, lines, _ = infer(knowing, lambda env: baseline(["--mode", "llm"], env))
    assert status == 0
    assert lines[-1].split() == ["mean", "1.00"]


def test_an_endpoint_that_refuses_gives_an_end_for_each_task(
    infer: Callable[..., Printed],
) -> None:
    status, lines, err = infer(lambda _: failure(401, "bad key"))
    assert status == 1
    assert [line.split()[0] for line in lines[:6]] == ["[START]", "[END]"] * 3
    assert err.count("bad key") == 3


def test_the_baseline_prints_the_documented_figures(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--mode", "heuristic"], []):
        assert baseline(arguments) == 0
        assert capsys.readouterr().out.splitlines() == [
            "easy: 1.00", "medium: 1.00", "hard: 1.00", "macro average: 1.00",
        ]  # fmt: skip


def test_a_mode_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        baseline(["--mode", "lookup"])
    assert left.value.code == 2
    assert "invalid choice: 'lookup'" in capsys.readouterr().err
