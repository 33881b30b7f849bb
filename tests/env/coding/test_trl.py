"""A rollout of TRL's GRPO trainer codes a case by calling methods. No trainer is needed here."""

from __future__ import annotations

import inspect
from typing import Any, get_args, get_type_hints

import pytest

from casegen.env.coding.case import case_of
from casegen.env.coding.prompt import prompt
from casegen.env.errors import EpisodeOverError
from casegen.env.tasks import find_task
from casegen.env.trl import environment_factory
from casegen.schemas.coding_case import CodingCase

ROW = {"split": "train", "seed": 7, "index": 3}


@pytest.fixture
def coding() -> Any:
    return environment_factory("coding")()


def case() -> CodingCase:
    return case_of(find_task("coding", **ROW))  # type: ignore[arg-type]


def test_the_tools_are_the_acts_with_their_fields_and_words(coding: Any) -> None:
    found = inspect.getmembers(type(coding), predicate=inspect.isfunction)
    tools = {name: getattr(coding, name) for name, _ in found if not name.startswith("_")}
    del tools["reset"], tools["get_reward"]
    acts = {act.name: act for act in prompt().acts}
    assert set(tools) == set(acts)
    fields = get_type_hints(prompt().model)
    for name, method in tools.items():
        assert tuple(inspect.signature(method).parameters) == acts[name].fields
        told = " ".join((method.__doc__ or "").split())
        assert told.startswith(acts[name].title)
        hints = get_type_hints(method)
        for field in acts[name].fields:
            assert f"{field}: {prompt().fields[field].rstrip('.')}" in told
            kinds = {str(kind) for kind in get_args(fields[field]) or (fields[field],)}
            assert {str(kind) for kind in get_args(hints[field])} == kinds | {str(type(None))}


def test_the_answer_earns_the_whole_score_at_its_end(coding: Any) -> None:
    told = coding.reset(**ROW)
    assert case().note in told
    assert case().id not in told
    for one in case().allowed:
        assert f"{one.code}: {one.title}" in told
    drafted = coding.submit_draft(primary_code=case().primary.code)
    assert f"draft: primary {case().primary.code}, secondary none" in drafted
    assert coding.get_reward() == 0.0
    coding.finalize(
        secondary_codes=[one.code for one in case().secondary], needs_review=case().needs_review
    )
    assert coding.get_reward() == 1.0
    with pytest.raises(EpisodeOverError):
        coding.request_hint()


def test_a_hint_is_told_and_costs(coding: Any) -> None:
    coding.reset(**ROW)
    assert f"Hint 1: {case().hints[0]}" in coding.request_hint()
    coding.finalize(
        case().primary.code, [one.code for one in case().secondary], case().needs_review
    )
    assert coding.get_reward() == pytest.approx(0.95)


def test_an_act_that_can_not_be_carried_out_is_told_so(coding: Any) -> None:
    coding.reset(task_id="easy_t2dm_followup")
    assert "Error: the draft is refused" in coding.submit_draft(primary_code="Q99.9")
    told = coding.submit_draft("E11.9", ["Z79.84"])
    assert "Best score so far: 1.00" in told
    assert "draft: primary E11.9, secondary Z79.84" in told


def test_what_is_not_finalized_earns_nothing(coding: Any) -> None:
    coding.reset(**ROW)
    coding.submit_draft(case().primary.code, [one.code for one in case().secondary])
    assert coding.get_reward() == 0.0


def test_it_plays_on_a_server_as_in_process(coding_server: Any, coding: Any) -> None:
    there: Any = environment_factory("coding", url=coding_server.url)()
    assert there.reset(**ROW) == coding.reset(**ROW)
    for acts in (there, coding):
        acts.submit_draft(case().primary.code, [])
    assert there.submit_draft("Q99.9") == coding.submit_draft("Q99.9")
    assert there.finalize() == coding.finalize()
    assert there.get_reward() == coding.get_reward() > 0.0
