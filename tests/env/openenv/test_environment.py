"""The audit as an OpenEnv environment in one process: typed, bounded, and told nothing more."""

from __future__ import annotations

import asyncio
import math
from dataclasses import fields, replace
from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from casegen.env.audit.environment import MedicalCodingEnvironment
from casegen.env.audit.models import (
    MedicalCodingAction,
    MedicalCodingObservation,
    MedicalCodingState,
)
from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.env.tasks import find_task
from casegen.schemas import InputError
from casegen.schemas.play import AuditAction, AuditObservation, AuditState

SUBMIT = MedicalCodingAction(action_type="submit_audit")


def begun(**settings: Any) -> MedicalCodingEnvironment:
    """An environment with an episode."""
    environment = MedicalCodingEnvironment()
    environment.reset(**settings)
    return environment


def test_the_models_hold_the_fields_of_the_engine_and_openenv_s_own() -> None:
    for model, ours, more in (
        (MedicalCodingAction, AuditAction, {"metadata"}),
        (MedicalCodingObservation, AuditObservation, {"metadata"}),
        (MedicalCodingState, AuditState, set()),
    ):
        assert set(model.model_fields) == {field.name for field in fields(ours)} | more


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_reward_or_score_that_is_no_number_is_refused(value: float) -> None:
    told = begun(task_id="easy_demographic").reset(task_id="easy_demographic").model_dump()
    for name in ("reward", "grader_score"):
        with pytest.raises(ValidationError, match="finite"):
            MedicalCodingObservation.model_validate({**told, name: value})
    with pytest.raises(ValidationError, match="finite"):
        MedicalCodingState(total_reward=value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"action_type": "fly"},
        {"action_type": "query_guideline", "code": "x" * 65},
        {"action_type": "flag_error", "justification": "x" * 2001},
        {"action_type": "ask_clarifying_question", "question": "x" * 2001},
        {"action_type": "extract_evidence", "evidence_text": "x" * 2001},
        {"action_type": "submit_report", "report": [{"code": "a", "error_type": "b"}] * 61},
        {"action_type": "submit_audit", "more": 1},
    ],
)
def test_an_act_beyond_its_bounds_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        MedicalCodingAction(**wrong)


def test_an_act_at_its_bounds_is_taken() -> None:
    report = [{"code": "a" * 64, "error_type": "b", "justification": "x" * 2000}] * 60
    environment = begun(task_id="easy_demographic")
    action = MedicalCodingAction(action_type="submit_report", report=report)
    assert environment.step(action).done


def test_steps_and_resets_in_coroutines_go_as_without() -> None:
    async def played() -> list[dict[str, Any]]:
        environment = MedicalCodingEnvironment()
        first = await environment.reset_async(seed=4, episode_id="one")
        return [first.model_dump(), (await environment.step_async(SUBMIT)).model_dump()]

    environment = MedicalCodingEnvironment()
    first = environment.reset(seed=4, episode_id="one")
    assert asyncio.run(played()) == [first.model_dump(), environment.step(SUBMIT).model_dump()]


def test_what_is_asked_in_the_wrong_order_is_a_clear_error() -> None:
    environment = MedicalCodingEnvironment()
    assert environment.state == MedicalCodingState()
    with pytest.raises(EpisodeClosedError, match="reset begins one"):
        environment.step(SUBMIT)
    environment.reset(task_id="easy_demographic")
    environment.step(SUBMIT)
    with pytest.raises(EpisodeOverError):
        environment.step(SUBMIT)
    environment.close()
    for late in (lambda: environment.step(SUBMIT), environment.reset):
        with pytest.raises(EpisodeClosedError, match="this session is closed"):
            late()


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"sead": 1}, "sead"),
        ({"seed": 1.5}, "seed"),
        ({"seed": "1"}, "seed"),
        ({"index": True}, "index"),
        ({"pack": 7}, "pack"),
        ({"episode_id": "\x1b"}, "episode_id"),
    ],
)
def test_a_setting_that_there_isn_t_is_named(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        MedicalCodingEnvironment().reset(**settings)
    assert error.value.field == field


def test_a_failed_reset_leaves_the_episode_as_it_was() -> None:
    environment = begun(task_id="easy_demographic")
    with pytest.raises(InputError):
        environment.reset(task_id="none")
    assert environment.state.task_id == "easy_demographic"
    assert environment.step(SUBMIT).done


def test_a_pack_is_played_unless_a_reset_names_another() -> None:
    environment = MedicalCodingEnvironment("audit-seed-v1")
    assert environment.reset(index=2).task_id == "medium_excludes1"
    assert environment.reset(seed=1).metadata["pack"] == "audit-seed-v1"
    assert environment.reset(split="train", index=2).metadata["pack"] is None
    with pytest.raises(InputError, match="pack"):
        MedicalCodingEnvironment("no-such-pack")


def test_the_same_seed_six_times_gives_one_case_and_neighbours_share_nothing() -> None:
    environment = MedicalCodingEnvironment()
    notes = {environment.reset(seed=1234).clinical_note for _ in range(6)}
    assert len(notes) == 1
    assert environment.reset(seed=42).clinical_note != environment.reset(seed=43).clinical_note


def test_the_answer_of_a_generated_case_shows_nowhere_before_the_end() -> None:
    """All that is sent for a case does not change with its hidden answer."""
    task = find_task("audit", seed=11, difficulty="hard")
    blank = replace(
        task,
        case=replace(
            task.case, findings=[], decoys=[], conditions=["x"], structural_key="x", redraws=[]
        ),
    )
    seen = []
    for one in (task, blank):
        environment = MedicalCodingEnvironment()
        environment._episode = environment.family.episode(one, "one")
        observation = environment._episode.start()
        sent = []
        codes = list(observation.proposed_codes)
        for action in (
            None,
            *({"action_type": "query_guideline", "code": code} for code in codes),
            *(
                {
                    "action_type": "flag_error",
                    "code": code,
                    "error_type": "specificity_error",
                    "justification": "the note says more",
                }
                for code in codes[:3]
            ),
        ):
            if action is not None:
                observation = environment.act(action)
            payload = environment.payload(observation)
            told = {**payload["observation"], "reward": payload["reward"], "done": payload["done"]}
            assert not told["done"]
            sent += [payload, environment.state.model_dump(), environment.render_web(told)]
            sent += [environment.web_actions(told), environment.web_forms(told)]
        seen.append(orjson.dumps(sent))
    assert seen[0] == seen[1]
    assert task.case.id.encode() not in seen[0]


def test_a_preview_of_tasks_is_bounded_and_numbers_are_true() -> None:
    environment = MedicalCodingEnvironment()
    assert environment.num_tasks("train") > 100_000
    assert len(environment.list_tasks("train")) == 100
    assert len(environment.get_task_range("train", None, None)) == 100
    assert (
        environment.get_task_range("audit-seed-v1", -2)
        == environment.list_tasks("audit-seed-v1")[-2:]
    )
    for index in (-1, 5):
        with pytest.raises(IndexError):
            environment.get_task("audit-seed-v1", index)


def test_metadata_tells_name_and_version() -> None:
    from casegen import __version__

    told = MedicalCodingEnvironment().get_metadata()
    assert (told.name, told.version) == ("Medical Coding Auditor", __version__)
    assert told.description
