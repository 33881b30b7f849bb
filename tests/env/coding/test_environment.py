"""Coding as an OpenEnv environment in one process: typed, bounded, and told nothing more."""

from __future__ import annotations

import asyncio
import math
from dataclasses import fields, replace
from typing import Any

import pytest
from pydantic import ValidationError

from casegen.env.coding import (
    MedicalCodingAction,
    MedicalCodingEnvironment,
    MedicalCodingObservation,
    MedicalCodingState,
    RewardBreakdown,
)
from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.schemas import InputError
from casegen.schemas import coding_play as engine

from .conftest import EASY

FINALIZE = MedicalCodingAction(finalize=True)


def begun(**settings: Any) -> MedicalCodingEnvironment:
    """An environment with an episode."""
    environment = MedicalCodingEnvironment()
    environment.reset(**settings)
    return environment


def test_the_models_hold_the_fields_of_the_engine_and_openenv_s_own() -> None:
    for model, ours, more in (
        (MedicalCodingAction, engine.CodingAction, {"metadata"}),
        (MedicalCodingObservation, engine.CodingObservation, {"metadata"}),
        (MedicalCodingState, engine.CodingState, set()),
        (RewardBreakdown, engine.RewardBreakdown, set()),
    ):
        assert set(model.model_fields) == {field.name for field in fields(ours)} | more


def test_the_package_tells_its_names_and_no_other() -> None:
    import casegen.env.coding as package

    assert all(getattr(package, name) for name in package.__all__)
    with pytest.raises(AttributeError, match="MedicalCodingEnv"):
        package.MedicalCodingEnv  # noqa: B018  # of the audit


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_reward_or_score_that_is_no_number_is_refused(value: float) -> None:
    told = begun(task_id=EASY).reset(task_id=EASY).model_dump()
    for name in ("reward", "grader_score", "progress_score"):
        with pytest.raises(ValidationError, match="finite"):
            MedicalCodingObservation.model_validate({**told, name: value})
    with pytest.raises(ValidationError, match="finite"):
        RewardBreakdown(total=value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"primary_code": "x" * 65},
        {"secondary_codes": ["x" * 65]},
        {"secondary_codes": ["E11.9"] * 101},
        {"secondary_codes": "E11.9"},
        {"needs_review": "yes"},
        {"finalize": 1},
        {"request_hint": "true"},
        {"action_type": "finalize"},
    ],
)
def test_an_act_beyond_its_bounds_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        MedicalCodingAction(**wrong)
    with pytest.raises(InputError):
        begun(task_id=EASY).act(wrong)


def test_an_act_at_its_bounds_is_taken() -> None:
    action = MedicalCodingAction(
        primary_code="a" * 64, secondary_codes=["b" * 64] * 100, finalize=True
    )
    assert begun(task_id=EASY).step(action).done


def test_null_leaves_the_draft_as_it_stands() -> None:
    environment = begun(task_id=EASY)
    environment.step(MedicalCodingAction(primary_code="E11.9", secondary_codes=["Z79.84"]))
    seen = environment.act({"primary_code": None, "secondary_codes": None, "needs_review": True})
    assert (seen.current_primary_code, seen.current_secondary_codes) == ("E11.9", ["Z79.84"])
    assert seen.current_needs_review is True


def test_steps_and_resets_in_coroutines_go_as_without() -> None:
    async def played() -> list[dict[str, Any]]:
        environment = MedicalCodingEnvironment()
        first = await environment.reset_async(seed=4, episode_id="one")
        return [first.model_dump(), (await environment.step_async(FINALIZE)).model_dump()]

    environment = MedicalCodingEnvironment()
    first = environment.reset(seed=4, episode_id="one")
    assert asyncio.run(played()) == [first.model_dump(), environment.step(FINALIZE).model_dump()]


def test_one_seed_gives_one_episode_and_another_another() -> None:
    first = [begun().reset(seed=1234, episode_id="e").model_dump() for _ in range(6)]
    assert all(one == first[0] for one in first)
    notes = {begun().reset(seed=seed).encounter_text for seed in range(20)}
    assert len(notes) == 20


def test_what_is_asked_in_the_wrong_order_is_a_clear_error() -> None:
    environment = MedicalCodingEnvironment()
    assert environment.state == MedicalCodingState()
    with pytest.raises(EpisodeClosedError, match="reset begins one"):
        environment.step(FINALIZE)
    environment.reset(task_id=EASY)
    environment.step(FINALIZE)
    with pytest.raises(EpisodeOverError):
        environment.step(FINALIZE)
    environment.close()
    for late in (lambda: environment.step(FINALIZE), environment.reset):
        with pytest.raises(EpisodeClosedError, match="this session is closed"):
            late()


@pytest.mark.parametrize("settings", [{"task_id": EASY}, {"seed": 5}])
def test_what_goes_over_the_wire_is_what_the_typed_ones_hold(settings: dict[str, Any]) -> None:
    """The observation that a client reads is the one of ``step``, metadata and all."""
    environment = begun(**settings, episode_id="e")
    twin = begun(**settings, episode_id="e")
    for action in (
        {"request_hint": True},
        {"primary_code": environment.reset(**settings, episode_id="e").allowed_codes[0]},
        {"finalize": True},
    ):
        if "request_hint" in action:
            twin.reset(**settings, episode_id="e")
        typed = environment.step(MedicalCodingAction(**action))
        wire = twin.payload(twin.act(action))
        told = {**wire["observation"], "reward": wire["reward"], "done": wire["done"]}
        assert MedicalCodingObservation.model_validate(told) == typed
        assert typed.metadata == wire["metadata"]
        info = typed.metadata["info"]
        assert (info["reward_breakdown"] is None) == (typed.reward_breakdown is None)


def test_metadata_tell_profile_pack_and_info() -> None:
    seen = begun(task_id=EASY).reset(task_id=EASY)
    assert (seen.metadata["profile"], seen.metadata["pack"]) == ("seed", "coding-seed-v1")
    assert set(seen.metadata["info"]) == {
        "task_id", "difficulty", "hints_remaining", "grader_score", "reward_breakdown"
    }  # fmt: skip
    seen = begun(seed=3).reset(seed=3)
    assert (seen.metadata["profile"], seen.metadata["pack"]) == ("strict", None)


def test_the_engine_s_observation_is_told_plainly() -> None:
    """The breakdown of a reward becomes plain values, and the engine's own stays as it is."""
    environment = begun(task_id=EASY)
    observation = environment.begin(task_id=EASY)
    payload = environment.payload(observation)
    assert payload["observation"]["reward_breakdown"] == {
        field.name: 0.0 for field in fields(engine.RewardBreakdown)
    }
    assert replace(observation).reward_breakdown == engine.RewardBreakdown()
