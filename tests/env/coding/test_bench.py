"""The benchmark of coding: what it holds, and that no answer without reading earns anything."""

from __future__ import annotations

from collections import Counter

import pytest

from casegen.env.coding import FAMILY
from casegen.env.evaluate import Evaluation, episodes, summary
from casegen.env.packs import pack
from casegen.schemas.packs import Pack

NAME = "coding-bench-v1"


@pytest.fixture(scope="module")
def bench() -> Pack:
    return pack(NAME)


def result(bench: Pack, agent: str) -> Evaluation:
    return summary(agent, list(episodes(FAMILY, FAMILY.agents()[agent], bench)))


def test_it_holds_fifty_cases_a_difficulty_of_which_a_person_has_to_look_at_ten(
    bench: Pack,
) -> None:
    found = Counter((task.case.difficulty, task.case.needs_review) for task in bench)  # type: ignore[union-attr]
    assert found == {
        (level, review): 10 if review else 40
        for level in ("easy", "medium", "hard", "expert")
        for review in (False, True)
    }
    assert {task.case.split for task in bench} == {"test"}
    assert bench.profile == "strict"


def test_no_case_stands_there_twice(bench: Pack) -> None:
    assert len({task.case.structural_key for task in bench}) == len(bench) == 200


def test_every_rule_that_the_generator_knows_is_in_play(bench: Pack) -> None:
    found = {kind for task in bench for kind in task.case.kinds}  # type: ignore[union-attr]
    assert found >= {
        "excludes1", "excludes2", "unrelated", "uncertain", "integral", "linked", "unlinked",
        "etiology", "cancer", "stroke", "infarction", "drug", "pregnancy", "sepsis", "screening",
        "fragility", "open_side", "conflict_side", "open_workup", "conflict_diagnosis",
        "treatment_unclear",
    }  # fmt: skip


def test_who_is_shown_no_answer_gets_none_without_reading(bench: Pack) -> None:
    for agent, most in (("noop", 0.05), ("spray", 0.05), ("first", 0.15)):
        assert result(bench, agent).all.mean_score <= most


def test_who_knows_the_answer_scores_one_in_every_case(bench: Pack) -> None:
    for agent in ("oracle", "expert"):
        assert {score for _, score in result(bench, agent).scores} == {1.0}
