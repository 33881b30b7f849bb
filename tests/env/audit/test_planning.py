"""How the expert spends its steps, and what it says of lines for which there were none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from casegen.env.audit import FAMILY
from casegen.env.audit.agents import AGENTS
from casegen.env.audit.agents.script import services, unread
from casegen.env.codes import fold
from casegen.env.tasks import find_task
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

LEFT = re.compile(r"did not suffice|No step was left|For want of steps|did not look|no look-up of")
CODE = re.compile(r"\b(?:[A-Z]\d[A-Z0-9](?:\.[A-Z0-9]{1,4})?|[A-Z]\d{4}|\d{5}|\d{4}[A-Z])\b")
Step = tuple[AuditObservation, AuditAction, str]


def steps(task: Task, agent: str = "expert") -> Iterator[Step]:
    """What an agent saw and did and why, act by act."""
    episode = FAMILY.episode(task, "e")
    player = AGENTS[agent](task, 0)
    seen = episode.start()
    while not seen.done:
        act = player.act(seen)
        yield seen, act, getattr(player, "why", None) or ""
        seen = episode.step(act)


def last(task: Task, agent: str = "expert") -> Step:
    *_, end = steps(task, agent)
    return end


def short(task: Task, fewer: int) -> Task:
    """The task with so many steps fewer than the expert takes."""
    taken = sum(1 for _ in steps(task))
    return replace(task, case=replace(task.case, max_steps=max(1, taken - fewer)))


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    usual = [find_task("audit", seed=7, index=index) for index in range(80)]
    return usual + [
        find_task("audit", seed=7, index=1000 + index, difficulty="easy") for index in range(120)
    ]


@pytest.mark.parametrize(("split", "index"), [("test", 2), ("train", 42), ("train", 7)])
def test_steps_that_suffice_for_each_line_are_spent_on_each_line(split: str, index: int) -> None:
    seen, act, why = last(find_task("audit", split=split, seed=7, index=index))
    assert act.action_type == "submit_audit"
    assert unread(seen) == []
    assert not LEFT.search(why)


def test_no_line_is_left_while_steps_remain_or_a_passage_is_marked(tasks: list[Task]) -> None:
    left = 0
    for task in tasks:
        if not task.case.findings:
            continue
        for fewer in range(5):
            tight = short(task, fewer)
            seen, act, _ = last(tight)
            if act.action_type != "submit_audit" or not unread(seen):
                continue
            left += 1
            assert seen.step_count == seen.max_steps - 1
            assert not seen.extracted_evidence
            paired = {code for pair in seen.pairs_checked for code in pair.split("|")}
            flagged = {entry["code"] for entry in seen.draft_report}
            assert not (paired & set(seen.codes_queried)) - flagged
            assert len(set(services(seen)) - paired - flagged) <= 1
    assert left > 50


def test_steps_that_are_short_cost_looks_and_no_finding(tasks: list[Task]) -> None:
    for task in tasks[:60]:
        if not task.case.findings:
            continue
        for fewer in range(4):
            tight = short(task, fewer)
            flags = sum(act.action_type == "flag_error" for _, act, _ in steps(tight))
            asked = len(last(tight)[0].clarifications_asked)
            if tight.case.max_steps > 2 * len(task.case.findings) + asked:
                assert flags == len(task.case.findings), (task.case.id, fewer)


def test_the_end_names_each_line_that_was_not_looked_up_and_no_other(tasks: list[Task]) -> None:
    named = 0
    for task in tasks:
        for fewer in range(5):
            seen, act, why = last(short(task, fewer))
            if act.action_type != "submit_audit":
                continue
            sentences = re.split(r"(?<=\.) (?=[A-Z0-9])", why)
            told = [sentence for sentence in sentences if LEFT.search(sentence)]
            left = {fold(code) for code in unread(seen)}
            assert len(told) == bool(left), why
            if left:
                named += 1
                assert left == {fold(code) for code in CODE.findall(told[0])}
                lines = {line["code"]: line["line"] for line in seen.claim_lines}
                assert all(f"{code} on line {lines[code]}" in told[0] for code in unread(seen))
    assert named > 50


def test_the_end_speaks_of_no_line_that_was_not_looked_up(tasks: list[Task]) -> None:
    for task in tasks:
        for fewer in range(5):
            seen, act, why = last(short(task, fewer))
            if act.action_type != "submit_audit":
                continue
            sentences = re.split(r"(?<=\.) (?=[A-Z0-9])", why)
            rest = " ".join(sentence for sentence in sentences if not LEFT.search(sentence))
            for code in unread(seen):
                assert not re.search(rf"(?<![\w.]){re.escape(code)}(?!\.?\w)", rest), why
            assert "Each line" not in rest or not unread(seen)


def test_a_clean_claim_is_handed_in_where_pairs_of_services_leave_a_step_for_that() -> None:
    handed = 0
    for index in range(400):
        task = find_task("audit", seed=9, index=index, difficulty="easy")
        codes = len(task.case.claim)
        if task.case.findings or codes < task.case.max_steps:
            continue
        services = sum(line.system != "ICD-10-CM" for line in task.case.claim)
        seen, act, _ = last(task)
        if codes - services // 2 < task.case.max_steps:
            assert act.action_type == "submit_audit"
            assert not unread(seen)
            handed += 1
    assert handed > 0


@pytest.mark.parametrize("agent", ["rules", "noisy"])
def test_other_agents_say_what_they_did_not_look_up_too(agent: str, tasks: list[Task]) -> None:
    left = 0
    for task in tasks:
        seen, act, why = last(task, agent)
        if act.action_type != "submit_audit" or "draft" in why:
            continue
        assert bool(unread(seen)) == bool(LEFT.search(why))
        left += bool(unread(seen))
    assert left > 0
