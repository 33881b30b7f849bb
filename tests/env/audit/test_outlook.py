"""What an audit can still come to: nobody does better, and who knows the answer does as well."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from casegen.env.audit import FAMILY
from casegen.env.audit.agents import AGENTS
from casegen.env.tasks import find_task
from casegen.exports.rollout import plain_action
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

SEED = 5


@cache
def tasks() -> tuple[Task, ...]:
    usual = (find_task("audit", split="train", seed=SEED, index=at) for at in range(60))
    hard = (
        find_task("audit", split="train", seed=SEED, index=500 + at, difficulty="expert")
        for at in range(20)
    )
    return (*usual, *hard)


def steps(
    task: Task, agent: str, seed: int
) -> Iterator[tuple[dict[str, Any], AuditAction, AuditObservation]]:
    """What an agent saw and did, and what came of it, until an act can't be carried out."""
    episode, player = FAMILY.episode(task, "e"), AGENTS[agent](task, seed)
    seen = episode.start()
    while not seen.done and seen.last_action_error is None:
        before, act = FAMILY.plain(seen), player.act(seen)
        seen = episode.step(act)
        yield before, act, seen


def outlook(task: Task, seen: dict[str, Any], act: AuditAction) -> tuple[float, str | None]:
    return FAMILY.lessons().outlook(task, seen, plain_action(act))


@pytest.mark.parametrize("agent", ["expert", "careless", "rules", "noisy", "random", "spray"])
def test_it_never_grows_and_ends_as_the_score(agent: str) -> None:
    ended = 0
    for seed, task in enumerate(tasks()):
        most = 1.0
        for before, act, after in steps(task, agent, seed):
            score, complaint = outlook(task, before, act)
            assert score <= most
            assert complaint == after.last_action_error
            most = score
            if after.done and after.last_action_error is None:
                assert score == after.grader_score
                ended += 1
    assert ended > 20


def test_an_error_has_to_be_flagged_in_the_steps_that_are_left() -> None:
    """Of two errors one alone can be flagged in the last step."""
    for task in tasks():
        codes = {code for finding in task.case.findings for code in finding.accepted_codes}
        if len(task.case.findings) != 2 or len(codes) < 2:
            continue
        episode = FAMILY.episode(task, "e")
        before = FAMILY.plain(episode.start())
        before["step_count"] = task.case.max_steps - 2
        look = AuditAction("query_guideline", code=task.case.claim[0].code)
        assert outlook(task, before, look)[0] <= 0.5 + 1e-12
        before["step_count"] -= 1
        assert outlook(task, before, look)[0] == 1.0


def test_a_clean_claim_has_to_be_looked_at_in_the_steps_that_are_left() -> None:
    count = 0
    for task in tasks():
        lines = task.case.claim
        diagnoses = [line.code for line in lines if line.system == "ICD-10-CM"]
        if task.case.findings or len(diagnoses) < 2:
            continue
        before = FAMILY.plain(FAMILY.episode(task, "e").start())
        look = AuditAction("query_guideline", code=diagnoses[0])
        # One check of a pair looks at two services.
        least = len(diagnoses) + (len(lines) - len(diagnoses) + 1) // 2
        before["step_count"] = task.case.max_steps - least
        assert outlook(task, before, look)[0] == 1.0
        before["step_count"] += 1
        share = (len(lines) - 1) / len(lines)
        assert outlook(task, before, look)[0] == pytest.approx(share)
        count += 1
    assert count > 1


def test_a_repeated_act_costs_two_in_a_hundred_and_a_wrong_flag_more() -> None:
    for task in tasks():
        code = task.case.claim[0].code
        before = FAMILY.plain(FAMILY.episode(task, "e").start())
        look = AuditAction("query_guideline", code=code)
        assert outlook(task, before, look) == (1.0, None)
        before["codes_queried"] = [code]
        score, complaint = outlook(task, before, look)
        assert score == pytest.approx(0.98)
        assert complaint == f"{code} was queried before"
        right = {code for finding in task.case.findings for code in finding.accepted_codes}
        wrong = next((line.code for line in task.case.claim if line.code not in right), None)
        if wrong is not None:
            flag = AuditAction(
                "flag_error", code=wrong, error_type="untraceable_code", justification="so"
            )
            assert outlook(task, before, flag)[0] < 0.98


def test_either_member_of_a_pair_is_as_good() -> None:
    count = 0
    for task in tasks():
        for finding in task.case.findings:
            if finding.related_code is None or len(task.case.findings) > 1:
                continue
            before = FAMILY.plain(FAMILY.episode(task, "e").start())
            for code in finding.accepted_codes:
                flag = AuditAction(
                    "flag_error", code=code, error_type=finding.error_type, justification="so"
                )
                assert outlook(task, before, flag) == (1.0, None)
            count += 1
    assert count > 5
