"""The documented script: each task with five seeds, on the server that ``ENV_URL`` names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from casegen.env.rx.agents import AGENTS
from casegen.env.rx.inference import SEEDS, TASKS, main, resets, spelled
from casegen.env.tasks import find_task

from ..endpoint import Answer, Request, call, endpoint, failure
from .conftest import case, right

Printed = tuple[int, list[str], str]
END = re.compile(r"\[END\] success=(true|false) steps=(\d+) score=(\d\.\d\d) rewards=(\S+)")


def knowing(request: Request) -> Answer:
    """A model that looks once and submits the answer."""
    told = re.search(r"Case (\S+) ", request["messages"][1]["content"])
    assert told is not None
    if len(request["messages"]) == 2:
        return call("request_info", info_requested="full_profile")
    given = spelled(right(case(told[1])))
    return call(given.pop("action_type"), **given)


def approving(request: Request) -> Answer:
    return call("submit", dosage_safe=True, recommendation="approve", interactions_found=[],
                allergy_conflicts=[], contraindications_found=[])  # fmt: skip


@pytest.fixture
def infer(rx_server: Any, capsys: pytest.CaptureFixture[str]) -> Callable[..., Printed]:
    def run(answer: Callable[[Request], Answer], **changes: str) -> Printed:
        with endpoint(answer) as model:
            env = {
                "HF_TOKEN": "t",
                "API_BASE_URL": model.url,
                "MODEL_NAME": "org/model",
                "ENV_URL": rx_server.url,
                **changes,
            }
            status = main(env)
        told = capsys.readouterr()
        return status, told.out.splitlines(), told.err

    return run


def test_each_task_is_played_with_five_seeds_and_ends_with_their_mean(
    infer: Callable[..., Printed],
) -> None:
    status, lines, err = infer(knowing)
    assert (status, err) == (0, "")
    assert lines[0] == "[START] task=dosage_check env=rx_safe_env model=org/model"
    look = 'request_info({"info_requested":"full_profile"})'
    assert lines[1] == f"[STEP] step=1 action={look} reward=0.15 done=false error=null"
    assert lines[3] == "[END] success=true steps=2 score=1.00 rewards=0.15,1.00"
    starts = [line for line in lines if line.startswith("[START]")]
    assert [re.search(r"task=(\S+)", line)[1] for line in starts] == [  # type: ignore[index]
        task for task in TASKS for _ in SEEDS
    ]
    ends = [line for line in lines if line.startswith("[END]")]
    means = [one for one in ends if one.endswith("rewards=1.00,1.00,1.00,1.00,1.00")]
    assert (len(ends), len(means)) == (18, 3)
    assert means[0] == "[END] success=true steps=10 score=1.00 rewards=1.00,1.00,1.00,1.00,1.00"
    assert [line.split()[0] for line in lines[-4:]] == [*TASKS, "mean"]
    assert lines[-1].split() == ["mean", "1.00"]


def test_the_last_end_of_a_task_holds_the_mean_of_its_scores(
    infer: Callable[..., Printed],
) -> None:
    _, lines, _ = infer(approving)
    ends = [END.fullmatch(line) for line in lines if line.startswith("[END]")]
    for number, task in enumerate(TASKS):
        *single, mean = ends[6 * number : 6 * number + 6]
        assert mean is not None and all(single)
        scores = [float(one[3]) for one in single if one is not None]
        assert mean[4] == ",".join(f"{score:.2f}" for score in scores)
        assert float(mean[3]) == pytest.approx(sum(scores) / 5, abs=0.011)
        drawn = [find_task("rx", **one) for one in resets(task)]  # type: ignore[arg-type]
        assert len(drawn) == 5


def test_env_url_goes_before_env_base_url(infer: Callable[..., Printed]) -> None:
    status, _, _ = infer(knowing, ENV_BASE_URL="http://127.0.0.1:9")
    assert status == 0
    status, _, err = infer(knowing, ENV_URL="http://127.0.0.1:9")
    assert status == 1
    assert "http://127.0.0.1:9/reset" in err
    status, _, err = infer(knowing, ENV_URL="file:///etc")
    assert (status, err.startswith("inference: ENV_URL: ")) == (2, True)


def test_an_endpoint_that_refuses_gives_an_end_for_each_episode(
    infer: Callable[..., Printed],
) -> None:
    status, lines, err = infer(lambda _: failure(401, "bad key"))
    assert status == 1
    assert sum(line.startswith("[START]") for line in lines) == 15
    assert err.count("bad key") == 15


def test_the_script_spells_what_agents_do() -> None:
    task = find_task("rx", task_id="full_validation_5")
    agent = AGENTS["oracle"](task, 0)
    from casegen.env.rx import FAMILY

    episode = FAMILY.episode(task, "e")
    seen = episode.start()
    while not seen.done:
        act = agent.act(seen)
        assert FAMILY.action(spelled(act)) == act
        seen = episode.step(act)
    assert seen.grader_score == 1.0
