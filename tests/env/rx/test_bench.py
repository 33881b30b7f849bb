"""The benchmark of rx: what it holds, and that no answer without reading earns anything."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from casegen.env.evaluate import Evaluation, episodes, summary
from casegen.env.packs import pack
from casegen.env.rx import FAMILY
from casegen.env.rx.case import case_of, dangerous
from casegen.schemas.packs import Pack
from casegen.schemas.rx_case import RxCase
from casegen.schemas.rx_play import RxAction

from .conftest import FULL, Play, answer, right

NAME = "rx-bench-v1"
PROBLEMS = {
    "overdose", "underdose", "frequency", "unit", "notation", "unknown_drug", "interaction",
    "interaction_dose", "class_interaction", "duplicate_therapy", "allergy", "cross_allergy",
    "condition", "lab", "age", "pregnancy",
}  # fmt: skip
DECOYS = {
    "intolerance", "unrelated_allergy", "within_limit", "high_but_right", "watch", "other_route",
    "history",
}  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Pack:
    return pack(NAME)


@pytest.fixture(scope="module")
def held(bench: Pack) -> tuple[RxCase, ...]:
    return tuple(case_of(task) for task in bench)


@cache
def result(agent: str, *, blank_note: bool = False) -> Evaluation:
    maker = FAMILY.agents()[agent]
    return summary(agent, list(episodes(FAMILY, maker, pack(NAME), blank_note=blank_note)))


def mean(play: Play, held: tuple[RxCase, ...], *acts: RxAction) -> float:
    """What the same acts earn on all cases."""
    scores = [play(case, acts)[1].grader_score or 0.0 for case in held]
    return sum(scores) / len(scores)


def test_it_holds_fifty_cases_a_difficulty_of_which_fifteen_are_safe(
    bench: Pack, held: tuple[RxCase, ...]
) -> None:
    found = Counter((case.difficulty, dangerous(case)) for case in held)
    assert found == {
        (level, wrong): 35 if wrong else 15
        for level in ("easy", "medium", "hard", "expert")
        for wrong in (False, True)
    }
    assert {case.split for case in held} == {"test"}
    assert bench.profile == "strict"


def test_no_case_stands_there_twice(held: tuple[RxCase, ...]) -> None:
    assert len({case.structural_key for case in held}) == len(held) == 200


def test_nearly_every_problem_and_decoy_is_in_play(held: tuple[RxCase, ...]) -> None:
    found = {kind for case in held for kind in case.kinds}
    assert len((PROBLEMS | DECOYS) - found) <= 2


def test_who_knows_the_answer_scores_one_in_every_case() -> None:
    for agent in ("oracle", "expert"):
        assert {score for _, score in result(agent).scores} == {1.0}


def test_the_headline_is_the_mean_of_the_safe_and_the_dangerous_mean() -> None:
    found = result("approve")
    assert (found.by_side["safe"].mean_score, found.by_side["dangerous"].mean_score) == (1.0, 0.0)
    assert found.headline == found.plain()["headline"] == 0.5
    assert found.all.mean_score == pytest.approx(0.3)


def test_who_finds_nothing_earns_nothing_of_what_is_dangerous(
    held: tuple[RxCase, ...], play: Play
) -> None:
    wrong = tuple(case for case in held if dangerous(case))
    assert result("noop").by_side["dangerous"].mean_score == 0.0
    for acts in ([RxAction("submit")], [answer("approve")], [FULL, answer("approve")]):
        assert mean(play, wrong, *acts) <= 0.05


def test_who_rejects_or_reports_everything_earns_next_to_nothing(
    held: tuple[RxCase, ...], play: Play
) -> None:
    for acts in ([answer("reject")], [FULL, answer("reject")], [answer("reject", None)]):
        assert mean(play, held, *acts) <= 0.10
    assert result("spray").all.mean_score <= 0.10


def test_who_looks_at_everything_and_approves_earns_the_safe_share_at_most() -> None:
    assert result("approve").all.mean_score <= 0.30 + 1e-9


def test_the_honest_agent_needs_the_record() -> None:
    whole, blank = result("rules"), result("rules", blank_note=True)
    assert blank.all.mean_score <= whole.all.mean_score - 0.25


def test_a_grid_of_answers_has_five_scores_or_more_a_task(
    held: tuple[RxCase, ...], play: Play
) -> None:
    scores: dict[str, set[float | None]] = {}
    for case in held[:60]:
        gold = right(case)
        for word in ("approve", "modify", "reject"):
            for safe in (True, False):
                said = replace(gold, recommendation=word, dosage_safe=safe)
                more = ["aspirin-aspirin", *(said.interactions_found or ())]
                for act in (said, replace(said, interactions_found=more), answer(word, safe)):
                    scores.setdefault(case.task, set()).add(play(case, [FULL, act])[1].grader_score)
    assert {task: len(found) >= 5 for task, found in scores.items()} == dict.fromkeys(scores, True)
    assert len(scores) == 3
