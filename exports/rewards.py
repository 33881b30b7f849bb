"""Reward functions for online training, graded by the environment itself.

They are of the form that TRL's GRPO trainer calls: columns of the dataset come as keyword
arguments, one entry for each completion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from casegen.env.codes import fold
from casegen.env.families import family as family_of
from casegen.env.tasks import find_task
from casegen.schemas import InputError
from casegen.schemas.pack import Task

from .formats.prompts import answer_of
from .replay import acts_of, named_act

REPORT = "submit_report"
Completion = str | Sequence[Mapping[str, Any]]


def audit_reward(
    completions: Sequence[Completion],
    answer: Sequence[Sequence[Mapping[str, Any]]],
    reset: Sequence[Mapping[str, Any]],
    **columns: Any,
) -> list[float]:
    """The score of each completion under the profile ``strict``, from 0 to 1.

    A completion is a text or a list of messages. It holds a report: a call of ``submit_report``
    (or of ``flag_error``, several times), or such acts as JSON in the text, or the bare report
    ``{"report": [...]}``. It is graded as if all codes had been looked up before, since a
    report in one shot can't; so nothing found on a clean claim earns 1. What holds no report
    earns 0.

    ``answer`` and ``reset`` are columns of ``prompts``; InputError where the case that
    ``reset`` makes here has another answer (made with other tables, or another version).
    """
    made = zip(completions, answer, reset, strict=True)
    return [_score(one, list(told), where) for one, told, where in made]


def _score(
    completion: Completion, answer: list[Mapping[str, Any]], reset: Mapping[str, Any]
) -> float:
    task = _task(orjson.dumps(dict(reset), option=orjson.OPT_SORT_KEYS))
    if answer_of(task.case) != [dict(one) for one in answer]:
        raise InputError("answer", None, f"{task.case.id} has another; was it made elsewhere?")
    report = report_in(completion)
    return 0.0 if report is None else graded(task, report)


@lru_cache(maxsize=1_024)
def _task(reset: bytes) -> Task:
    return find_task("audit", **orjson.loads(reset))


def report_in(completion: Completion) -> list[dict[str, Any]] | None:
    """The errors that a completion reports, None where it holds no report."""
    if isinstance(completion, str):
        completion = [{"role": "assistant", "content": completion}]
    flags: list[dict[str, Any]] = []
    found = False
    for act in acts_of(completion):
        kind = act.pop("action_type", REPORT if "report" in act else None)
        if kind == REPORT:
            report = act.get("report")
            return [*flags, *report] if isinstance(report, list) else None
        if kind == "submit_audit":
            return flags
        if kind == "flag_error":
            flags.append(act)
            found = True
    return flags if found else None


def graded(task: Task, report: Sequence[Any]) -> float:
    """What the environment pays for a report after a look at every code."""
    played = family_of(task.family)
    entries = []
    for entry in report:
        if not isinstance(entry, Mapping):
            return 0.0
        entries.append({"justification": "", **entry})
    try:
        act = played.action(named_act(REPORT, {"report": entries}))
    except InputError:
        return 0.0
    episode = played.episode(task, "reward")
    seen = episode.start()
    try:
        codes = dict.fromkeys(map(fold, seen.proposed_codes))
        for code in list(codes)[: seen.max_steps - 1]:
            episode.step(played.action({"action_type": "query_guideline", "code": code}))
        return float(episode.step(act).grader_score)
    except InputError:
        return 0.0
    finally:
        episode.close()
