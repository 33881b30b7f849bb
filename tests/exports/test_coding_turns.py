"""Rows for training that are made of coding episodes: turns that are right, and worse ones."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Any, get_args

import pytest

from casegen.env.coding.agents.evidence import facts_of
from casegen.env.families import family
from casegen.env.tasks import find_task
from casegen.env.writing.words import cited
from casegen.exports.formats import row_format
from casegen.exports.model import Unit
from casegen.exports.replay import acts_of, play_acts
from casegen.exports.rollout import rollout
from casegen.exports.units import episode_seed
from casegen.schemas.coding_case import CodingCase, WrongKind
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash

AGENTS = ("expert", "careless", "noisy", "rules", "random")
CASES = 60


@lru_cache
def units() -> tuple[Unit, ...]:
    tasks = [find_task("coding", split="train", seed=3, index=at) for at in range(CASES)]
    return tuple(
        Unit(
            one,
            content_hash(one.case),
            {name: rollout(one, name, episode_seed(one.case.id, name)) for name in AGENTS},
        )
        for one in tasks
    )


@lru_cache
def rows(config: str) -> tuple[tuple[Task, dict[str, Any]], ...]:
    return tuple((one.task, row) for one in units() for row in row_format(config).rows(one))


def ended(task: Task, acts: list[dict[str, Any]]) -> float:
    """What acts come to if the draft is handed in behind them."""
    last = [] if acts and acts[-1].get("finalize") else [{"finalize": True}]
    return play_acts(task, [*acts, *last])[1]


@pytest.mark.parametrize("config", ["sft", "sft_text"])
def test_episodes_to_learn_from_score_one_when_they_are_played_again(config: str) -> None:
    found = rows(config)
    assert len(found) == CASES
    for task, row in found:
        acts = list(acts_of(row["messages"], "coding"))
        assert play_acts(task, acts)[1] == 1.0
        assert all(
            message["content"] for message in row["messages"] if message["role"] == "assistant"
        )


def test_a_rejected_turn_is_another_after_the_same_history_and_costs() -> None:
    found = rows("preference")
    assert len(found) > CASES / 2
    for task, row in found:
        history = list(acts_of(row["prompt"], "coding"))
        (chosen,), (rejected,) = (acts_of(row[name], "coding") for name in ("chosen", "rejected"))
        same = family("coding").lessons().same
        assert same(chosen) != same(rejected)
        assert row["score_rejected"] < row["score_chosen"] == 1.0
        assert row["why_rejected"]
        if rejected.get("finalize"):
            assert ended(task, [*history, rejected]) == pytest.approx(row["score_rejected"])


def test_a_draft_is_rejected_for_what_is_wrong_in_it() -> None:
    told = 0
    for task, row in rows("preference"):
        case = task.case
        assert isinstance(case, CodingCase)
        (rejected,) = acts_of(row["rejected"], "coding")
        named = {rejected.get("primary_code"), *rejected.get("secondary_codes", ())}
        for wrong in case.wrong:
            if f"{wrong.code} is wrong" in row["why_rejected"]:
                assert wrong.code in named
                told += 1
    assert told > 10


def test_single_turns_are_good_and_bad_in_the_voices_of_both_kinds_of_agents() -> None:
    kinds, voices = set(), {True: set(), False: set()}
    for _, row in rows("unpaired"):
        assert row["label"] is (row["mistake"] is None)
        voices[row["label"]].add(row["agent"])
        kinds.add(row["mistake"])
    assert len(kinds) > 3
    assert voices[True] >= {"expert", "rules"}
    assert voices[False] >= {"careless", "noisy"}


def test_neither_label_nor_length_stands_out() -> None:
    labels = [row["label"] for _, row in rows("unpaired")]
    assert 0.3 < sum(labels) / len(labels) < 0.7
    longer = [
        len(row["chosen"][0]["content"]) > len(row["rejected"][0]["content"])
        for _, row in rows("preference")
    ]
    assert 0.3 < sum(longer) / len(longer) < 0.75


def test_a_labelled_mistake_is_one() -> None:
    for one in units():
        case = one.task.case
        assert isinstance(case, CodingCase)
        right = {gold.code for gold in case.gold()}
        right |= {code for gold in case.gold() for code in gold.equivalents}
        for step in one.episodes["noisy"].steps:
            if step.mistake in ("wrong_side", "less_specific", "ruled_out_coded"):
                act = step.action
                named = {act.get("primary_code"), *act.get("secondary_codes", ())} - {None}
                assert named - right
            if step.mistake in ("review_wrong", "review_missed"):
                assert step.action.get("needs_review", False) != case.needs_review


def test_a_combination_is_called_for_with_words_for_each_of_its_conditions() -> None:
    told = 0
    for one in units():
        case = one.task.case
        assert isinstance(case, CodingCase)
        reasons = " ".join(step.rationale or "" for step in one.episodes["expert"].steps)
        for gold in case.gold():
            places = {(span.start, span.end) for span in gold.evidence}
            facts = [
                [span.text for span in fact.spans if (span.start, span.end) in places]
                for fact in case.record
                if fact.kind == "problem"
            ]
            facts = [texts for texts in facts if texts]
            if len(facts) > 1:
                assert all(any(quote(text) in reasons for text in texts) for texts in facts)
                told += 1
    assert told > 1


def quote(text: str) -> str:
    return cited(text) or text


def test_a_code_that_the_record_denies_is_left_with_the_words_that_deny_it() -> None:
    told = 0
    for one in units():
        case = one.task.case
        assert isinstance(case, CodingCase)
        last = one.episodes["expert"].steps[-1].rationale or ""
        for wrong in case.wrong:
            if wrong.kind not in ("ruled_out", "uncertain") or f"{wrong.code}, " not in last:
                continue
            denials = [f for f in facts_of(case, wrong.evidence) if f.kind == "relation"]
            if denials:
                # Of what is too long to be quoted the end stands there, which settles it.
                texts = [span.text.rstrip(".") for f in denials for span in f.spans]
                assert any(quote(text) in last or text[-30:] in last for text in texts)
                told += 1
    assert told > 3


def test_the_expert_names_near_codes_that_it_leaves_and_none_of_its_own() -> None:
    named = 0
    for one in units():
        case = one.task.case
        assert isinstance(case, CodingCase)
        last = one.episodes["expert"].steps[-1].rationale or ""
        wrong = {other.code for other in case.wrong}
        found = re.search(
            r"(?:Left as well|Of the other near|also passed over|Near by)[^\n]*", last
        )
        if found is not None:
            codes = re.findall(r"\b[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]+)?\b", found[0].partition("). ")[0])
            assert set(codes) <= wrong
            named += len(codes)
    assert named > 2 * CASES


def test_what_is_said_of_two_stages_or_phases_names_both() -> None:
    for one in units():
        case = one.task.case
        assert isinstance(case, CodingCase)
        for wrong in case.wrong:
            if wrong.kind in ("wrong_stage", "wrong_phase") and "Z68" not in wrong.code:
                assert re.search(r"says .+, and the record calls for .+\.", wrong.reason)


def test_a_faulty_draft_is_labelled_by_what_is_wrong_with_it() -> None:
    kinds = {*get_args(WrongKind), "order_swapped", "review_missed", "review_wrong"}
    labels = {row["mistake"] for _, row in rows("unpaired")} - {None}
    assert labels <= kinds | {"ruled_out_coded"}


def test_no_turn_of_a_case_stands_twice() -> None:
    told = Counter(
        (row["case_id"], repr(row["completion"])) for _, row in rows("unpaired") if not row["label"]
    )
    assert max(told.values()) == 1


def test_a_pair_says_why_either_turn_is_what_it_is_with_the_rule() -> None:
    for _, row in rows("preference"):
        label, colon, why = row["why_rejected"].partition(": ")
        assert label and colon and why.endswith(".")
        assert row["why_chosen"].endswith(".")
        ruled = "(guideline " in row["why_chosen"] or " note at " in row["why_chosen"]
        assert ruled or "nothing is left open" in row["why_chosen"]
        assert row["chosen"][0]["content"] != row["rejected"][0]["content"]
