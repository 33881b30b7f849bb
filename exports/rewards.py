"""Reward functions for online training, graded by the environment itself.

They are of the form that TRL's GRPO trainer calls: columns of the dataset come as keyword
arguments, one entry for each completion. Of a text the last act in JSON counts, and nothing that
stands between ``<think>`` and ``</think>``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import orjson

from casegen.env.codes import fold
from casegen.env.errors import EpisodeOverError
from casegen.env.families import family as family_of
from casegen.env.tasks import find_task
from casegen.schemas import InputError
from casegen.schemas.pack import Task

from .formats.prompts import answer_of
from .replay import acts_of, named_act, play_acts

REPORT = "submit_report"
_DRAFT = ("primary_code", "secondary_codes", "needs_review")
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
    ``{"report": [{"code": "I20.0", "error_type": "excludes1_conflict"}]}``, or its list alone.
    It is graded as if all codes had been looked up before, since a
    report in one shot can't; so nothing found on a clean claim earns 1. What holds no report
    earns 0.

    ``answer`` and ``reset`` are columns of ``prompts``; InputError for a row of another family,
    and where the case that ``reset`` makes here has another answer (made with other tables, or
    another version).
    """
    made = _rows("audit", completions, answer, reset, columns)
    return [_audited(one, _task_of("audit", told, where)) for one, told, where in made]


def coding_reward(
    completions: Sequence[Completion],
    answer: Sequence[Sequence[Mapping[str, Any]]],
    reset: Sequence[Mapping[str, Any]],
    **columns: Any,
) -> list[float]:
    """The score of each completion under the profile ``strict``, from 0 to 1.

    A completion is a text or a list of messages. It holds a draft: a call of ``finalize`` (or of
    ``submit_draft``, of several the last words count), or such an act as JSON in the text. A
    draft that names a code outside the allowed set, and what holds none, earn 0.

    ``answer`` and ``reset`` are those of ``audit_reward``.
    """
    made = _rows("coding", completions, answer, reset, columns)
    return [_coded(one, _task_of("coding", told, where)) for one, told, where in made]


def rx_reward(
    completions: Sequence[Completion],
    answer: Sequence[Sequence[Mapping[str, Any]]],
    reset: Sequence[Mapping[str, Any]],
    **columns: Any,
) -> list[float]:
    """The score of each completion under the profile ``strict``, from 0 to 1.

    A completion is a list of messages, or a text with one act. Its acts are played: what it asks
    for counts as read, and its first ``submit`` is the answer; ``{"dosage_safe": true,
    "recommendation": "approve"}`` without ``action_type`` is one, too. What submits nothing, or
    holds something that is no act, earns 0. The record is told to who asks for it, so that a
    single answer to a prompt rests on the prescription alone; ``environment_factory`` plays with
    looks.

    ``answer`` and ``reset`` are those of ``audit_reward``.
    """
    made = _rows("rx", completions, answer, reset, columns)
    return [_validated(one, _task_of("rx", told, where)) for one, told, where in made]


def _rows(
    name: str,
    completions: Sequence[Completion],
    answer: Sequence[Sequence[Mapping[str, Any]]],
    reset: Sequence[Mapping[str, Any]],
    columns: Mapping[str, Any],
) -> Iterator[tuple[Completion, Sequence[Mapping[str, Any]], Mapping[str, Any]]]:
    """Each completion with what its row tells. Raises InputError for a row of another family."""
    for other in columns.get("family") or ():
        if other not in (None, name):
            told = f"this row is of family {other}; use {other}_reward, or filter the rows"
            raise InputError("family", other, told)
    return zip(completions, answer, reset, strict=True)


def _task_of(family: str, answer: Sequence[Mapping[str, Any]], reset: Mapping[str, Any]) -> Task:
    """The task of a row. Raises InputError where it has another answer."""
    task = _task(family, orjson.dumps(dict(reset), option=orjson.OPT_SORT_KEYS))
    if answer_of(task.case) != [dict(one) for one in answer]:
        raise InputError("answer", None, f"{task.case.id} has another; was it made elsewhere?")
    return task


@lru_cache(maxsize=1_024)
def _task(family: str, reset: bytes) -> Task:
    return find_task(family, **orjson.loads(reset))


def _audited(completion: Completion, task: Task) -> float:
    report = report_in(completion)
    return 0.0 if report is None else graded(task, report)


def _coded(completion: Completion, task: Task) -> float:
    draft = draft_in(completion)
    if draft is None:
        return 0.0
    try:
        _, score = play_acts(task, [named_act("finalize", draft, "coding")])
    except InputError:
        return 0.0
    return score


def _validated(completion: Completion, task: Task) -> float:
    acts: list[dict[str, Any]] = []
    try:
        for act in acts_of(_messages(completion), "rx"):
            if "action_type" not in act and "recommendation" in act:
                act = {"action_type": "submit", **act}
            acts.append(act)
            if act.get("action_type") == "submit":
                return play_acts(task, acts)[1]
    except (InputError, EpisodeOverError):  # the steps may run out before
        return 0.0
    return 0.0


def draft_in(completion: Completion) -> dict[str, Any] | None:
    """The draft that a completion holds when it ends or finalizes, None where it holds none."""
    draft: dict[str, Any] = {}
    found = False
    with suppress(InputError):  # a call of what is no act ends it
        for act in acts_of(_messages(completion), "coding"):
            given = {name: act[name] for name in _DRAFT if name in act}
            found |= bool(given)
            draft |= given
            if act.get("finalize") is True:
                break
    return draft if found else None


def _messages(completion: object) -> Sequence[Mapping[str, Any]]:
    """The messages of a completion; what is none of its forms holds none, and earns nothing."""
    if isinstance(completion, str):
        return [{"role": "assistant", "content": completion}]
    if not isinstance(completion, list | tuple):
        return []
    return [message for message in completion if isinstance(message, Mapping)]


def report_in(completion: Completion) -> list[dict[str, Any]] | None:
    """The errors that a completion reports, None where it holds no report."""
    flags: list[dict[str, Any]] = []
    found = False
    for act in acts_of(_messages(completion)):
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
