"""The agent that investigates like the expert and errs at places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from casegen.env.audit import FAMILY
from casegen.env.audit.agents import AGENTS
from casegen.env.audit.agents.careless import Slips, careless
from casegen.env.audit.agents.script import Scripted
from casegen.env.tasks import find_task
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

SEED = 5
NEVER = Slips(**dict.fromkeys(Slips.__dataclass_fields__, 0))
MISTAKES = {
    "false_alarm", "wrong_type", "wrong_member", "missed_error", "repeated_look",
    "needless_question",
}  # fmt: skip


@cache
def tasks(count: int = 150) -> tuple[Task, ...]:
    return tuple(
        find_task("audit", split="train", seed=SEED, index=index) for index in range(count)
    )


Played = tuple[AuditObservation, AuditAction, str | None, str | None]


def played(task: Task, player: Scripted) -> Iterator[Played]:
    """What it saw and did, why, and with which mistake."""
    episode = FAMILY.episode(task, "e")
    seen = episode.start()
    while not seen.done:
        act = player.act(seen)
        yield seen, act, player.why, player.mistake
        seen = episode.step(act)


@cache
def everything() -> tuple[tuple[Task, tuple[Played, ...]], ...]:
    return tuple((task, tuple(played(task, careless(task, at)))) for at, task in enumerate(tasks()))


def mistakes(name: str) -> Iterator[tuple[Task, Played]]:
    for task, steps in everything():
        for one in steps:
            if one[3] == name:
                yield task, one


def test_without_a_slip_it_does_and_says_what_the_expert_does_and_says() -> None:
    for task in tasks()[:60]:
        mine = [one[1:] for one in played(task, careless(task, 1, NEVER))]
        its = [one[1:] for one in played(task, AGENTS["expert"](task, 1))]  # type: ignore[arg-type]
        assert mine == its


def test_its_slips_are_those_of_its_seed() -> None:
    differ = 0
    for task in tasks()[:40]:
        first, again, other = (list(played(task, careless(task, seed))) for seed in (1, 1, 2))
        assert first == again
        differ += first != other
    assert differ > 15


def test_it_makes_each_of_its_mistakes_and_labels_it() -> None:
    found = Counter(one[3] for _, steps in everything() for one in steps if one[3] is not None)
    assert set(found) == MISTAKES
    assert min(found.values()) > 3


def test_every_mistake_has_a_reason() -> None:
    for _, steps in everything():
        assert all(why for _, _, why, _ in steps)


@pytest.mark.parametrize("name", ["false_alarm", "wrong_type"])
def test_what_it_flags_by_mistake_names_no_error(name: str) -> None:
    count = 0
    for task, (_, act, _, _) in mistakes(name):
        about = [f for f in task.case.findings if act.code in f.accepted_codes]
        assert not any(act.error_type in f.accepted_error_types for f in about)
        assert bool(about) == (name == "wrong_type")
        count += 1
    assert count > 20


def test_what_it_flags_by_mistake_has_been_looked_at_before() -> None:
    for name in ("false_alarm", "wrong_type", "wrong_member"):
        for _, (seen, act, _, _) in mistakes(name):
            looked = {*seen.codes_queried, *"|".join(seen.pairs_checked).split("|")}
            assert act.code in looked
            if name == "false_alarm" and act.related_code is not None:
                assert act.related_code in looked


def test_of_a_pair_it_names_the_member_that_stays() -> None:
    for task, (_, act, _, _) in mistakes("wrong_member"):
        about = [f for f in task.case.findings if act.code in f.accepted_codes]
        assert about
        assert all(f.correction.code != act.code for f in about)


def test_it_hands_in_with_a_reason_why_the_line_of_an_error_stands() -> None:
    for task, (seen, act, why, _) in mistakes("missed_error"):
        assert act.action_type == "submit_audit"
        named = {entry["code"] for entry in seen.draft_report}
        left = [f for f in task.case.findings if not named & set(f.accepted_codes)]
        assert any(code in (why or "") for f in left for code in f.accepted_codes)


def test_it_asks_by_mistake_what_the_note_tells() -> None:
    for task, (_, act, _, _) in mistakes("needless_question"):
        topic = "side" if "side" in (act.question or "") else "phase"
        assert topic not in {question.topic for question in task.case.questions}
        assert any(topic in fact.attributes and fact.spans for fact in task.case.record)


def test_a_look_that_is_repeated_was_taken_before() -> None:
    for _, (seen, act, _, _) in mistakes("repeated_look"):
        assert act.code in seen.codes_queried
