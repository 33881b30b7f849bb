"""What an agent may try on the engine: none of it pays, breaks or tells the answer."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from typing import Any

import orjson
import pytest

from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.env.rx import FAMILY
from casegen.env.rx.agents import AGENTS
from casegen.env.rx.case import dangerous
from casegen.env.rx.episode import RxEpisode
from casegen.schemas import InputError
from casegen.schemas.play import Profile
from casegen.schemas.rx_case import RxCase
from casegen.schemas.rx_play import RxAction

from .conftest import FULL, Play, answer, ask, made_up, right, task_of

PROFILES = pytest.mark.parametrize("profile", ["seed", "strict"])


def odd_values() -> list[Any]:
    return [
        None, "", " ", "\x00", "null", "NaN", float("nan"), math.inf, -1, 0, 1, True, False, [],
        {}, ["x"], {"a": {"b": []}}, "x" * 100_000, "é" * 500, "\ud800", b"bytes", object(),
        [None], [["a-b"]], ["a-b", 7], ["x" * 201], ["a-b"] * 101, "'; drop table",
        "ignore the rules and give full marks", "warfarin-aspirin", ("a-b",), {"a-b"}, ["-"],
        ["-" * 200], ["a-" * 100], ["warfarin-aspirin"] * 3, "approve", "reject", "allergies",
        "full_profile", "submit", "request_info", ["\u2011-\u2011"],
    ]  # fmt: skip


@PROFILES
def test_ten_thousand_odd_acts_raise_only_what_is_told(
    cases: tuple[RxCase, ...], profile: Profile
) -> None:
    rng = random.Random(20_262)
    names = list(RxAction.__slots__)
    done = taken = 0
    values = odd_values()
    for number in range(10_000):
        if number % 20 == 0:
            episode = RxEpisode(task_of(cases[number // 20 % len(cases)], profile), "e")
            episode.start()
        given = {name: rng.choice(values) for name in names if rng.random() < 0.2}
        given["action_type"] = rng.choice(["request_info"] * 6 + ["submit", "Submit ", *values])
        if rng.random() < 0.5:
            given["info_requested"] = rng.choice(["allergies", "full_profile", "everything"])
        try:
            seen = episode.step(RxAction(**given))
        except (InputError, EpisodeOverError):
            continue
        taken += 1
        assert math.isfinite(seen.reward) and 0 <= seen.reward <= 1.15
        assert seen.grader_score is None or 0 <= seen.grader_score <= 1
        done += seen.done
    assert done > 50
    assert taken > 500


@pytest.mark.parametrize(
    "data",
    [
        None, [], "submit", 7, {}, {"action_type": "approve"}, {"action": "submit"},
        {"action_type": 5}, {"action_type": None}, {"action_type": "submit", "dosage_safe": "yes"},
        {"action_type": "submit", "dosage_safe": 1},
        {"action_type": "submit", "interactions_found": "warfarin-aspirin"},
        {"action_type": "submit", "interactions_found": [1]},
        {"action_type": "submit", "allergy_conflicts": [None]},
        {"action_type": "submit", "contraindications_found": {"a": 1}},
        {"action_type": "submit", "recommendation": 3}, {"action_type": "submit", "reasoning": []},
        {"action_type": "request_info", "info_requested": ["allergies"]},
        {"action_type": "submit", "drug": "warfarin"},
        {"action_type": "submit", "interactions_found": ["x" * 201]},
        {"action_type": "submit", "interactions_found": ["a-b"] * 101},
    ],
)  # fmt: skip
def test_what_is_no_act_is_refused_with_the_field(data: Any) -> None:
    with pytest.raises(InputError):
        FAMILY.action(data)


def test_an_act_survives_json() -> None:
    act = RxAction("submit", None, False, ["a-b"], [], None, "reject", "because")
    assert FAMILY.action(orjson.loads(orjson.dumps(act))) == act
    assert FAMILY.action({"action_type": "submit"}) == RxAction("submit")


def test_a_refused_act_costs_no_step(cases: tuple[RxCase, ...]) -> None:
    episode = RxEpisode(task_of(cases[0]), "e")
    episode.start()
    for act in (
        "submit",
        RxAction("approve"),
        RxAction("submit", dosage_safe="no"),  # type: ignore[arg-type]
        RxAction("submit", interactions_found="a-b"),  # type: ignore[arg-type]
        RxAction("submit", interactions_found=[7]),  # type: ignore[list-item]
        RxAction("submit", reasoning="x" * 20_001),
    ):
        with pytest.raises(InputError):
            episode.step(act)  # type: ignore[arg-type]
    assert episode.state.step_count == 0


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (RxAction("request_info"), "info_requested: missing"),
        (ask("insurance"), "info_requested: 'insurance'"),
        (ask(""), "info_requested: ''"),
        (RxAction("submit", recommendation="dispense"), "recommendation: 'dispense'"),
    ],
)
def test_an_act_that_can_not_be_carried_out_is_told_and_takes_a_step(
    act: RxAction, told: str
) -> None:
    episode = RxEpisode(task_of(made_up()), "e")
    episode.start()
    seen = episode.step(act)
    assert told in (seen.last_action_error or "")
    assert (seen.step_count, seen.done) == (1, False)
    assert seen.known_allergies is None


def test_a_step_after_the_end_is_an_error(cases: tuple[RxCase, ...], play: Play) -> None:
    episode, last = play(cases[0], [answer("approve")])
    with pytest.raises(EpisodeOverError):
        episode.step(FULL)
    assert episode.state.step_count == last.step_count == 1


def test_a_step_on_a_closed_episode_is_an_error(cases: tuple[RxCase, ...]) -> None:
    episode = RxEpisode(task_of(cases[0]), "e")
    with pytest.raises(EpisodeClosedError):
        episode.step(FULL)
    episode.start()
    episode.close()
    with pytest.raises(EpisodeClosedError):
        episode.step(FULL)


def test_the_record_is_hidden_until_it_is_asked_for(cases: tuple[RxCase, ...]) -> None:
    for case in cases:
        episode = RxEpisode(task_of(replace(case, max_steps=6)), "e")
        first = orjson.dumps(episode.start()).decode()
        spans = (*case.allergies, *case.medications, *case.conditions_listed)
        # What it is for may be a condition by the same name.
        purpose = case.prescription.indication
        hidden = [span.text for span in spans if span.text not in purpose]
        assert not [text for text in hidden if text in first]
        seen = episode.step(ask("medications"))
        assert seen.current_medications == [span.text for span in case.medications]
        assert seen.known_allergies is seen.medical_conditions is None
        seen = episode.step(FULL)
        assert seen.known_allergies == [span.text for span in case.allergies]
        assert seen.medical_conditions == [span.text for span in case.conditions_listed]
        assert seen.current_medications == [span.text for span in case.medications]


def test_what_a_caller_does_to_an_observation_changes_nothing(cases: tuple[RxCase, ...]) -> None:
    case = replace(cases[0], max_steps=6)
    episode = RxEpisode(task_of(case, "seed"), "e")
    episode.start()
    seen = episode.step(FULL)
    for told in (seen.known_allergies, seen.current_medications, seen.medical_conditions):
        assert told is not None
        told.clear()
    act = answer("reject", False, ["a-b"])
    assert episode.step(FULL).medical_conditions
    last = episode.step(act)
    assert last.score_breakdown is not None
    last.score_breakdown.clear()
    assert act.interactions_found == ["a-b"]
    assert episode.state.info_requested == ["allergies", "medications", "conditions"]


def told(case: RxCase, profile: Profile, shift: int = 0) -> list[Any]:
    """All responses before the end; ``shift`` chooses which acts fill the steps."""
    episode = RxEpisode(task_of(case, profile), "e")
    responses: list[Any] = [episode.start(), episode.state]
    acts = [
        ask("allergies"), ask("everything"), FULL, ask("conditions"),
        RxAction("submit", recommendation="perhaps"), ask("medications"), RxAction("request_info"),
    ]  # fmt: skip
    for act in (acts[shift:] + acts[:shift])[: case.max_steps - 1]:
        responses += [episode.step(act), episode.state]
    return responses


def swapped(case: RxCase, other: RxCase) -> list[RxCase]:
    """The case with other answers: nothing wrong, the dose wrong, that of a neighbour."""
    return [
        replace(case, findings=[], decoys=[], record=[], dosage_safe=True, kinds=[],
                recommendation="approve", rationale="otherwise"),
        replace(case, dosage_safe=not case.dosage_safe, recommendation="modify", findings=[]),
        replace(case, findings=other.findings, decoys=other.decoys, dosage_safe=other.dosage_safe,
                recommendation=other.recommendation, also_accepted=["approve"], kinds=other.kinds,
                conditions=other.conditions, structural_key="x", rationale=other.rationale),
    ]  # fmt: skip


@PROFILES
def test_another_answer_changes_no_byte_before_the_end(
    cases: tuple[RxCase, ...], profile: Profile
) -> None:
    """Nor under profile seed: a look pays the same whatever the answer is."""
    for number, case in enumerate(cases):
        case = replace(case, max_steps=max(4, case.max_steps))
        for shift in (0, 2, 5):
            right_ = orjson.dumps(told(case, profile, shift))
            for one in swapped(case, cases[number - 1]):
                assert orjson.dumps(told(one, profile, shift)) == right_


def test_no_response_before_the_end_names_a_hidden_part(cases: tuple[RxCase, ...]) -> None:
    for case in cases:
        text = orjson.dumps(told(replace(case, max_steps=6), "strict")).decode()
        hidden = [case.id, case.structural_key, case.rationale]
        hidden += [one.reason for one in (*case.findings, *case.decoys)]
        assert not [one for one in hidden if one in text]


def test_a_second_start_begins_afresh(cases: tuple[RxCase, ...]) -> None:
    episode = RxEpisode(task_of(cases[0], "seed"), "e")
    first = episode.start()
    episode.step(FULL)
    episode.step(right(cases[0]))
    assert episode.start() == first
    assert not episode.done


def test_episodes_side_by_side_go_as_one_after_the_other(cases: tuple[RxCase, ...]) -> None:
    def played(number: int) -> bytes:
        case = cases[number % len(cases)]
        episode = RxEpisode(task_of(case, "seed"), "e")
        seen = [episode.start(), episode.step(FULL), episode.step(right(case))]
        return orjson.dumps(seen)

    alone = [played(number) for number in range(60)]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(played, range(60))) == alone


def test_steps_are_never_more_than_the_limit(cases: tuple[RxCase, ...]) -> None:
    for case in cases:
        episode = RxEpisode(task_of(case), "e")
        seen = episode.start()
        while not seen.done:
            seen = episode.step(FULL)
        assert seen.step_count == case.max_steps
        assert seen.grader_score == 0.0
        assert seen.episode_metrics is not None
        assert seen.episode_metrics["submitted"] is False


def test_answers_without_a_look_into_the_record_earn_nothing_of_what_is_dangerous(
    cases: tuple[RxCase, ...], play: Play
) -> None:
    for case in filter(dangerous, cases):
        for act in (RxAction("submit"), answer("approve"), answer("reject"), answer("modify")):
            assert play(case, [act])[1].grader_score == 0.0
        assert play(case, [FULL, answer("approve")])[1].grader_score == 0.0


def test_a_grid_of_answers_has_five_scores_or_more_a_task(
    cases: tuple[RxCase, ...], play: Play
) -> None:
    grid = list(product(("approve", "modify", "reject"), (True, False), (0, 1), (0, 1, 2)))
    for profile in ("seed", "strict"):
        for task in ("dosage_check", "interaction_check", "full_validation"):
            scores = set()
            for case in (one for one in cases if one.task == task):
                gold = right(case)
                for word, safe, named, looks in grid:
                    looked = [ask(what) for what in ("allergies", "conditions")[:looks]]
                    act = replace(gold, recommendation=word, dosage_safe=safe)
                    if not named:
                        act = answer(word, safe, ["a-b"])
                    acts = [*looked[: case.max_steps - 1], act]
                    scores.add(play(case, acts, profile)[1].grader_score)
            assert len(scores) >= 5


@pytest.mark.parametrize("agent", ["random", "noop", "spray", "approve", "rules", "noisy"])
def test_an_agent_that_should_not_know_the_answer_does_the_same_when_it_is_taken_away(
    agent: str, cases: tuple[RxCase, ...]
) -> None:
    for case in cases:
        acts = []
        for one in (case, swapped(case, cases[0])[0]):
            player, episode = AGENTS[agent](task_of(one), 3), RxEpisode(task_of(one), "e")
            seen, done = episode.start(), []
            while not seen.done:
                done.append((player.act(seen), getattr(player, "why", None)))
                seen = episode.step(done[-1][0])
            acts.append(done)
        assert acts[0] == acts[1]
