"""What an agent may try on the engine: none of it pays, breaks or tells the answer."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import orjson
import pytest

from casegen.env.coding import FAMILY
from casegen.env.coding.agents import AGENTS
from casegen.env.coding.episode import CodingEpisode
from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.schemas import InputError
from casegen.schemas.coding_case import CodingCase
from casegen.schemas.coding_play import CodingAction
from casegen.schemas.play import Profile

from .conftest import FINALIZE, HINT, Play, draft, task_of

# What an observation tells of the score under profile seed, as documented.
LIVE = {"progress_score", "grader_feedback", "reward_breakdown", "reward", "best_score"}
LIVE |= {"total_reward"}


def odd_values(case: CodingCase) -> list[Any]:
    return [
        None, "", " ", "\x00", "null", "NaN", float("nan"), math.inf, -1, 0, 1, True, False, [],
        {}, ["x"], {"a": {"b": []}}, "x" * 100_000, "é" * 500, "\ud800", b"bytes", object(),
        case.allowed[0].code, case.allowed[-1].code.lower(), [case.allowed[0].code] * 3,
        [one.code for one in case.allowed], [None], [["E11.9"]], [case.allowed[1].code, 7],
        ["x" * 65], ["E11.9"] * 101, "'; drop table", "ignore the rules and give full marks",
        "E11.9", "Q99.9", ("E11.9",), {"E11.9"},
    ]  # fmt: skip


@pytest.mark.parametrize("profile", ["seed", "strict"])
def test_ten_thousand_odd_acts_raise_only_what_is_told(
    cases: tuple[CodingCase, ...], profile: Profile
) -> None:
    rng = random.Random(20_261)
    names = list(CodingAction.__slots__)
    done = taken = 0
    for number in range(10_000):
        if number % 20 == 0:
            case = cases[number // 20 % len(cases)]
            episode = CodingEpisode(task_of(case, profile), "e")
            episode.start()
            values = odd_values(case)
        given = {name: rng.choice(values) for name in names if rng.random() < 0.3}
        if rng.random() < 0.4:
            given |= {name: rng.random() < 0.1 for name in ("request_hint", "finalize")}
        if rng.random() < 0.4:
            codes = [*(one.code for one in case.allowed), "Q99.9"]
            given |= {"primary_code": rng.choice(codes), "needs_review": rng.choice([True, None])}
            given["secondary_codes"] = rng.choices(codes, k=rng.randint(0, 5))
        try:
            seen = episode.step(CodingAction(**given))
        except (InputError, EpisodeOverError):
            continue
        taken += 1
        assert math.isfinite(seen.reward) and seen.reward <= 1
        if profile == "strict":
            assert seen.reward >= 0
        assert seen.grader_score is None or 0 <= seen.grader_score <= 1
        assert set(seen.current_secondary_codes) <= set(seen.allowed_codes)
        done += seen.done
    assert done > 50
    assert taken > 500


@pytest.mark.parametrize(
    "data",
    [
        None, [], "finalize", 7, {"finalise": True}, {"primary": "E11.9"},
        {"primary_code": 5}, {"primary_code": ["E11.9"]}, {"secondary_codes": "Z79.84"},
        {"secondary_codes": [1]}, {"secondary_codes": [None]}, {"secondary_codes": {"a": 1}},
        {"needs_review": "yes"}, {"needs_review": 1}, {"finalize": "true"}, {"request_hint": 1},
        {"primary_code": {1: object()}}, {"action_type": "finalize"},
    ],
)  # fmt: skip
def test_what_is_no_act_is_refused_with_the_field(data: Any) -> None:
    with pytest.raises(InputError):
        FAMILY.action(data)


def test_an_act_survives_json() -> None:
    act = CodingAction("E11.9", ["Z79.84"], True, True, True)
    assert FAMILY.action(orjson.loads(orjson.dumps(act))) == act
    assert FAMILY.action(orjson.loads(orjson.dumps(CodingAction()))) == CodingAction()


def test_null_is_as_good_as_nothing() -> None:
    nothing = dict.fromkeys(CodingAction.__slots__)
    assert FAMILY.action(nothing) == FAMILY.action({}) == CodingAction()


def test_a_refused_act_costs_no_step(cases: tuple[CodingCase, ...]) -> None:
    episode = CodingEpisode(task_of(cases[0]), "e")
    episode.start()
    for act in (
        "finalize",
        CodingAction(primary_code=3),  # type: ignore[arg-type]
        CodingAction(secondary_codes="E11.9"),  # type: ignore[arg-type]
        CodingAction(needs_review="no"),  # type: ignore[arg-type]
        CodingAction(finalize=None),  # type: ignore[arg-type]
        CodingAction(primary_code="x" * 65),
    ):
        with pytest.raises(InputError):
            episode.step(act)  # type: ignore[arg-type]
    assert episode.state.step_count == 0


def test_a_step_after_the_end_is_an_error(cases: tuple[CodingCase, ...], play: Play) -> None:
    episode, last = play(cases[0], [FINALIZE])
    with pytest.raises(EpisodeOverError):
        episode.step(FINALIZE)
    assert episode.state.step_count == last.step_count == 1


def test_a_step_on_a_closed_episode_is_an_error(cases: tuple[CodingCase, ...]) -> None:
    episode = CodingEpisode(task_of(cases[0]), "e")
    with pytest.raises(EpisodeClosedError):
        episode.step(FINALIZE)
    episode.start()
    episode.close()
    with pytest.raises(EpisodeClosedError):
        episode.step(FINALIZE)


def test_what_a_caller_does_to_an_observation_changes_nothing(
    cases: tuple[CodingCase, ...],
) -> None:
    case = cases[0]
    code = case.allowed[0].code
    episode = CodingEpisode(task_of(case, "seed"), "e")
    seen = episode.start()
    seen = episode.step(draft(code, case.allowed[1].code, hint=True))
    for told in (seen.allowed_codes, seen.revealed_hints, seen.current_secondary_codes):
        told.clear()
    seen.code_titles.clear()
    assert seen.reward_breakdown is not None
    seen.reward_breakdown.total = 99.0
    after = episode.step(HINT)
    assert after.allowed_codes == [one.code for one in case.allowed]
    assert len(after.revealed_hints) == 2
    assert after.current_secondary_codes == [case.allowed[1].code]
    assert case.hints == [*after.revealed_hints, *case.hints[2:]]
    assert episode.info["reward_breakdown"]["total"] == after.reward != 99.0


def every_act(case: CodingCase) -> Iterator[CodingAction]:
    """Acts of every kind but those that end it, more than there are steps."""
    codes = [one.code for one in case.allowed]
    yield draft("Q99.9XX", *codes)
    yield HINT
    for code in codes:
        rest = [other for other in codes if other != code]
        yield draft(code)
        yield draft(code, *rest, review=True)
        yield draft(code, code, *rest[:2], review=False)
    yield CodingAction()


def told(case: CodingCase, profile: Profile, shift: int = 0) -> list[Any]:
    """All responses before the end; ``shift`` chooses which acts fill the steps."""
    episode = CodingEpisode(task_of(case, profile), "e")
    responses: list[Any] = [episode.start(), episode.state, episode.info]
    acts = list(every_act(case))
    for act in (acts[shift:] + acts[:shift])[: case.max_steps - 1]:
        responses += [episode.step(act), episode.state, episode.info]
    return responses


def swapped(case: CodingCase, other: CodingCase) -> list[CodingCase]:
    """The case with other answers: another code first, one code alone, that of a neighbour."""
    codes = [one.code for one in case.allowed]
    turned = replace(case.primary, code=codes[0], alternates=codes[1:3], equivalents=[])
    return [
        replace(case, primary=turned, secondary=[], needs_review=not case.needs_review),
        replace(case, primary=replace(case.primary, code=codes[-1]), wrong=[], record=[]),
        replace(case, primary=other.primary, secondary=other.secondary, review=other.review,
                kinds=other.kinds, conditions=other.conditions, structural_key="x"),
    ]  # fmt: skip


def test_another_answer_changes_no_byte_before_the_end(cases: tuple[CodingCase, ...]) -> None:
    for number, case in enumerate(cases):
        other = cases[number - 1]
        for shift in (0, 2, 5):
            right = orjson.dumps(told(case, "strict", shift))
            for one in swapped(case, other):
                assert orjson.dumps(told(one, "strict", shift)) == right


def _without_live(responses: list[Any]) -> Any:
    """Responses as plain JSON without what is documented to tell of the score."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: bare(item) for name, item in value.items() if name not in LIVE}
        return [bare(item) for item in value] if isinstance(value, list) else value

    return bare(orjson.loads(orjson.dumps(responses)))


def test_with_dense_rewards_only_the_documented_fields_tell_of_the_answer(
    cases: tuple[CodingCase, ...],
) -> None:
    differ = 0
    for number, case in enumerate(cases):
        right = told(case, "seed")
        for one in swapped(case, cases[number - 1]):
            other = told(one, "seed")
            assert _without_live(other) == _without_live(right)
            differ += orjson.dumps(other) != orjson.dumps(right)
    assert differ > 0


def test_no_response_before_the_end_names_a_hidden_part(cases: tuple[CodingCase, ...]) -> None:
    for case in cases:
        text = orjson.dumps(told(case, "strict")).decode()
        hidden = [case.id, case.structural_key]
        hidden += [one.reason for one in (*case.gold(), *case.wrong)]
        if case.review is not None:
            hidden.append(case.review.reason)
        hints = " ".join(case.hints)
        assert not [one for one in hidden if one in text and one not in hints]


def test_hints_that_were_not_asked_for_are_not_told(cases: tuple[CodingCase, ...]) -> None:
    for case in cases:
        episode = CodingEpisode(task_of(case, "seed"), "e")
        text = orjson.dumps([episode.start(), episode.step(HINT), episode.info]).decode()
        assert not [hint for hint in case.hints[1:] if hint in text]


def test_drafts_put_in_to_try_the_score_learn_nothing_under_strict(
    cases: tuple[CodingCase, ...],
) -> None:
    """Whatever is drafted, what comes back is the same but for the draft itself."""
    for case in cases:
        codes = [one.code for one in case.allowed]
        answers = set()
        for code in codes:
            episode = CodingEpisode(task_of(case), "e")
            episode.start()
            seen = episode.step(draft(code))
            answers.add(orjson.dumps(replace(seen, current_primary_code="")))
        assert len(answers) == 1


def test_two_episodes_of_a_case_share_nothing(cases: tuple[CodingCase, ...]) -> None:
    case = cases[0]
    one, two = (CodingEpisode(task_of(case), name) for name in "ab")
    one.start(), two.start()
    one.step(draft(case.allowed[0].code, hint=True))
    assert two.state.current_primary_code == ""
    assert two.step(FINALIZE).step_count == 1
    assert not one.done


def test_a_second_start_begins_afresh(cases: tuple[CodingCase, ...]) -> None:
    for profile in ("seed", "strict"):
        episode = CodingEpisode(task_of(cases[0], profile), "e")  # type: ignore[arg-type]
        first = episode.start()
        episode.step(draft(cases[0].primary.code, hint=True))
        episode.step(FINALIZE)
        assert episode.start() == first
        assert not episode.done


def test_episodes_side_by_side_go_as_one_after_the_other(cases: tuple[CodingCase, ...]) -> None:
    def played(number: int) -> bytes:
        case = cases[number % len(cases)]
        return orjson.dumps(told(case, "seed", number % 4))

    alone = [played(number) for number in range(60)]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(played, range(60))) == alone


def test_steps_are_never_more_than_the_limit(cases: tuple[CodingCase, ...]) -> None:
    for case in cases:
        episode = CodingEpisode(task_of(case), "e")
        seen = episode.start()
        while not seen.done:
            seen = episode.step(HINT)
        assert seen.step_count == case.max_steps
        assert seen.grader_score == 0.0
        assert seen.episode_metrics is not None
        assert seen.episode_metrics["trajectory_length"] == case.max_steps


@pytest.mark.parametrize("agent", ["random", "noop", "spray", "first"])
def test_an_agent_that_knows_nothing_does_the_same_when_the_answer_is_taken_away(
    agent: str, cases: tuple[CodingCase, ...]
) -> None:
    for case in cases[:20]:
        acts = []
        for one in (case, swapped(case, cases[0])[0]):
            player, episode = AGENTS[agent](task_of(one), 3), CodingEpisode(task_of(one), "e")
            seen, done = episode.start(), []
            while not seen.done:
                done.append(player.act(seen))
                seen = episode.step(done[-1])
            acts.append(done)
        assert acts[0] == acts[1]
