"""Pairs of turns, and single ones with a label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from casegen.env.audit.told import why_wrong
from casegen.env.families import family
from casegen.exports.formats import row_format
from casegen.exports.replay import acts_of
from casegen.schemas.pack import Task

from .played import played, tasks, unit

# Who errs, and whose steps it follows.
FOLLOWS = {"careless": "expert", "noisy": "rules"}
QUOTED = re.compile(r'"([^"]+)"')


@cache
def rows(config: str) -> tuple[tuple[Task, dict[str, Any]], ...]:
    return tuple((one, row) for one in tasks() for row in row_format(config).rows(unit(one)))


def pairs() -> Iterator[tuple[Task, dict[str, Any]]]:
    found = rows("preference")
    assert len(found) > 120
    yield from found


def final(task: Task, acts: list[dict[str, Any]]) -> float:
    """The score after acts and then all that the oracle would do."""
    played = family("audit")
    episode = played.episode(task, "test")
    seen = episode.start()
    for act in acts:
        seen = episode.step(played.action(act))
    oracle = played.agents()["oracle"](task, 0)
    while not seen.done:
        act = oracle.act(seen)
        flagged = {(entry["code"], entry["error_type"]) for entry in seen.draft_report}
        named = [f for f in task.case.findings if act.code in f.accepted_codes]
        codes = {code for f in named for code in f.accepted_codes}
        if any((code, act.error_type) in flagged for code in codes):
            continue
        looked = {*seen.codes_queried, *"|".join(seen.pairs_checked).split("|")}
        if act.code in looked and act.action_type == "query_guideline":
            continue
        seen = episode.step(act)
    score: float = seen.grader_score
    return score


def turn(row: dict[str, Any], column: str) -> dict[str, Any]:
    (act,) = acts_of(row[column])
    return act


def test_the_chosen_turn_is_the_one_that_was_taken_there() -> None:
    for task, row in pairs():
        history = list(acts_of(row["prompt"]))
        guide = FOLLOWS[row["agent"]]
        taken = [step.action for step in played(task, guide).steps]
        assert [*history, turn(row, "chosen")] == taken[: len(history) + 1]
        assert turn(row, "chosen") != turn(row, "rejected")
        assert row["prompt"][-1]["role"] in ("user", "tool")
        assert row["chosen"][0]["content"]
        assert row["rejected"][0]["content"]


def test_not_even_the_oracle_makes_good_a_rejected_turn() -> None:
    for task, row in pairs():
        score = final(task, [*acts_of(row["prompt"]), turn(row, "rejected")])
        assert score <= row["score_rejected"] + 1e-12
        assert row["score_rejected"] < row["score_chosen"] == 1.0, row["why_rejected"]


def test_after_a_chosen_turn_all_can_still_be_reached() -> None:
    reached = 0
    for task, row in pairs():
        reached += final(task, [*acts_of(row["prompt"]), turn(row, "chosen")]) == 1.0
    assert reached == len(rows("preference"))


def test_a_turn_that_earns_as_much_is_not_rejected() -> None:
    """Who names the member of a pair that stays is paid like one who names the other."""
    for task, row in pairs():
        act = turn(row, "rejected")
        assert not row["why_rejected"].startswith("wrong_member")
        if act["action_type"] == "flag_error":
            about = [f for f in task.case.findings if act["code"] in f.accepted_codes]
            assert not any(act["error_type"] in f.accepted_error_types for f in about)


def test_mistakes_of_every_kind_that_cost_are_among_the_rejected() -> None:
    told = Counter((row["agent"], row["why_rejected"].partition(":")[0]) for _, row in pairs())
    careless = {"false_alarm", "wrong_type", "missed_error", "repeated_look"}
    noisy = {"false_alarm", "wrong_phase", "missed_error", "invented_code"}
    assert careless <= {mistake for agent, mistake in told if agent == "careless"}
    assert noisy <= {mistake for agent, mistake in told if agent == "noisy"}


def test_a_rejected_flag_is_said_to_be_wrong_only_where_it_is() -> None:
    for task, row in pairs():
        act, why = turn(row, "rejected"), row["why_rejected"]
        right = {code for f in task.case.findings for code in f.accepted_codes}
        if " is right and was flagged" in why:
            assert act["code"] not in right
        if " is not on the claim" in why:
            assert act["code"] not in {line.code for line in task.case.claim}
        if " is in error, but not of the type " in why:
            assert act["code"] in right


def test_a_pair_says_why_either_turn_is_what_it_is_in_words_of_the_record() -> None:
    for task, row in pairs():
        assert row["why_chosen"].endswith(".") and row["why_rejected"].endswith(".")
        for words in QUOTED.findall(row["why_chosen"] + row["why_rejected"]):
            assert words in task.case.note or "note at" in row["why_chosen"] + row["why_rejected"]
        if turn(row, "chosen")["action_type"] == "flag_error":
            assert "(" in row["why_chosen"], "no authority"


def test_where_the_act_differs_the_reason_does() -> None:
    """Reported: the reasons of two flags of other types were the same to the byte."""
    for _, row in pairs():
        assert row["chosen"][0]["content"] != row["rejected"][0]["content"]


def test_a_needless_question_is_wrong_because_the_note_answers_it() -> None:
    count = 0
    for task in tasks():
        for step in played(task, "careless").steps:
            if step.mistake == "needless_question":
                why = why_wrong(task.case, step.observation, step.action, "refused")
                assert "is documented: the note says " in why
                assert "refused" not in why
                (words, *_) = QUOTED.findall(why)
                assert words in task.case.note
                count += 1
    assert count > 10


def test_a_pair_compares_like_with_like() -> None:
    for _, row in pairs():
        chosen, rejected = turn(row, "chosen"), turn(row, "rejected")
        kinds = {chosen["action_type"], rejected["action_type"]}
        if kinds == {"flag_error"}:
            about = {chosen["code"], chosen.get("related_code")}
            same = chosen["error_type"] == rejected["error_type"]
            assert same or rejected["code"] in about or row["agent"] == "noisy"


def test_both_turns_quote_what_the_prompt_holds() -> None:
    quotes = 0
    for _, row in pairs():
        told = "\n".join(message["content"] for message in row["prompt"])
        for column in ("chosen", "rejected"):
            for words in QUOTED.findall(row[column][0]["content"]):
                assert words in told, (row["id"], words)
                quotes += 1
    assert quotes > 300


def test_who_hands_in_speaks_of_the_flags_that_stand_in_the_prompt() -> None:
    count = 0
    for _, row in pairs():
        if turn(row, "rejected")["action_type"] != "submit_audit":
            continue
        draft = row["prompt"][-1]["content"].rpartition("; draft")[2]
        told = set(re.findall(r"(\S+) \((\w+_\w+)\)", row["rejected"][0]["content"]))
        held = set(re.findall(r"(?:: |, )(\S+) (\w+_\w+)", draft))
        assert told == held
        count += 1
    assert count > 10


# --- single turns


def test_a_label_is_that_of_the_turn() -> None:
    for task, row in rows("unpaired"):
        act = turn(row, "completion")
        at = len(list(acts_of(row["prompt"])))
        step = played(task, row["agent"]).steps[at]
        assert step.action == act
        assert (row["mistake"] is None) == row["label"]
        assert row["completion"][0]["content"]
        if row["label"]:
            assert step.mistake is None
            assert step.result["last_action_error"] is None
        if act["action_type"] == "flag_error":
            about = [
                f
                for f in task.case.findings
                if act["code"] in f.accepted_codes and act["error_type"] in f.accepted_error_types
            ]
            goes = [f for f in about if f.correction.code == act["code"]]
            assert bool(goes) == row["label"]
            assert not about or row["label"] or row["mistake"] == "wrong_member"


def test_the_end_that_is_a_good_turn_ends_an_audit_without_a_fault() -> None:
    for task, row in rows("unpaired"):
        if turn(row, "completion")["action_type"] != "submit_audit":
            continue
        episode = played(task, row["agent"])
        assert row["label"] == (episode.score == 1.0)


def test_there_are_as_many_good_turns_as_bad_ones_of_each_kind_and_each_voice() -> None:
    labels = Counter(row["label"] for _, row in rows("unpaired"))
    assert 0.3 <= labels[True] / labels.total() <= 0.7
    assert labels.total() > 400
    for voice in (("expert", "careless"), ("rules", "noisy")):
        for kind in ("flag_error", "submit_audit"):
            found = Counter(
                row["label"]
                for _, row in rows("unpaired")
                if row["agent"] in voice and turn(row, "completion")["action_type"] == kind
            )
            assert 0.3 <= found[True] / found.total() <= 0.7


def test_good_turns_are_those_of_several_agents_and_bad_ones_too() -> None:
    found = {(row["agent"], row["label"]) for _, row in rows("unpaired")}
    assert {agent for agent, label in found if label} == {"expert", "careless", "rules", "noisy"}
    assert {agent for agent, label in found if not label} >= {"careless", "noisy"}


def test_no_turn_stands_twice() -> None:
    for task in tasks():
        told = [
            (row["prompt"][-1]["content"], repr(row["completion"]))
            for one, row in rows("unpaired")
            if one is task
        ]
        assert len(told) == len(set(told))
