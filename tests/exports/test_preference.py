"""Pairs of turns, and single ones with a label."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from casegen.env.families import family
from casegen.exports.formats import row_format
from casegen.exports.replay import acts_of
from casegen.schemas.pack import Task

from .played import played, tasks, unit


@cache
def rows(config: str) -> tuple[tuple[Task, dict[str, Any]], ...]:
    return tuple((one, row) for one in tasks() for row in row_format(config).rows(unit(one)))


def pairs() -> Iterator[tuple[Task, dict[str, Any]]]:
    found = rows("preference")
    assert len(found) > 80
    yield from found


def final(task: Task, acts: list[dict[str, Any]]) -> tuple[float, str | None]:
    """The score after acts and then all that the oracle would flag, and the complaint of the
    last of the acts."""
    played = family("audit")
    episode = played.episode(task, "test")
    seen = episode.start()
    for act in acts:
        seen = episode.step(played.action(act))
    complaint = seen.last_action_error
    oracle = played.agents()["oracle"](task, 0)
    flagged = {(entry["code"], entry["error_type"]) for entry in seen.draft_report}
    while not seen.done:
        act = oracle.act(seen)
        if (act.code, act.error_type) in flagged:
            continue
        if act.code in seen.codes_queried and act.action_type == "query_guideline":
            continue
        seen = episode.step(act)
    return seen.grader_score, complaint


def test_the_chosen_turn_is_the_one_that_the_expert_took_there() -> None:
    for task, row in pairs():
        history = list(acts_of(row["prompt"]))
        expert = [step.action for step in played(task, "expert").steps]
        (chosen,) = acts_of(row["chosen"])
        (rejected,) = acts_of(row["rejected"])
        assert [*history, chosen] == expert[: len(history) + 1]
        assert chosen != rejected
        assert row["prompt"][-1]["role"] in ("user", "tool")
        assert row["chosen"][0]["content"]


def test_not_even_the_oracle_makes_good_a_rejected_turn() -> None:
    for task, row in pairs():
        if row["why_rejected"].startswith("wrong_member"):
            continue
        history = list(acts_of(row["prompt"]))
        score, _ = final(task, [*history, *acts_of(row["rejected"])])
        assert score <= row["score_rejected"] + 1e-12
        assert row["score_rejected"] < row["score_chosen"] == 1.0, row["why_rejected"]


def test_the_wrong_member_of_a_pair_is_the_one_that_stays() -> None:
    found = [(task, row) for task, row in pairs() if row["why_rejected"].startswith("wrong_member")]
    assert found
    for task, row in found:
        (act,) = acts_of(row["rejected"])
        about = [f for f in task.case.findings if act["code"] in f.accepted_codes]
        assert all(f.correction.code != act["code"] for f in about)


def test_mistakes_of_every_kind_and_agents_of_every_kind_are_among_the_rejected() -> None:
    told = {row["why_rejected"].partition(":")[0] for _, row in pairs()}
    assert {"wrong_member", "wrong_phase", "invented_code", "missed_error", "false_alarm"} <= told
    assert {row["agent"] for _, row in pairs()} == {"noisy", "rules", "random"}


def test_a_rejected_flag_is_said_to_be_wrong_only_where_it_is() -> None:
    for task, row in pairs():
        (act,) = acts_of(row["rejected"])
        right = {code for f in task.case.findings for code in f.accepted_codes}
        if row["why_rejected"].endswith("is right and was flagged"):
            assert act["code"] not in right
        if row["why_rejected"].endswith("is not on the claim"):
            assert act["code"] not in {line.code for line in task.case.claim}


# --- single turns


def test_good_turns_are_the_experts_and_bad_ones_labelled_mistakes() -> None:
    labels = {True: 0, False: 0}
    for task, row in rows("unpaired"):
        labels[row["label"]] += 1
        assert row["agent"] == ("expert" if row["label"] else "noisy")
        assert (row["mistake"] is None) == row["label"]
        (act,) = acts_of(row["completion"])
        at = len(list(acts_of(row["prompt"])))
        assert played(task, row["agent"]).steps[at].action == act
    assert labels[True] > labels[False] > 50


def test_all_flags_of_the_expert_and_its_end_are_good_turns() -> None:
    for task in tasks()[:30]:
        good = [row for one, row in rows("unpaired") if one is task and row["label"]]
        kinds = [act["action_type"] for row in good for act in acts_of(row["completion"])]
        assert kinds.count("flag_error") == len(task.case.findings)
        assert kinds[-1] == "submit_audit"
