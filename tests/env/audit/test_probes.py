"""What an agent may try on the engine: none of it pays, breaks or tells the answer."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any, get_args

import orjson
import pytest

from casegen.env.audit import FAMILY
from casegen.env.audit.episode import AuditEpisode
from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.schemas import Case, InputError
from casegen.schemas.play import ActionType, AuditAction, ReportedError

from .conftest import Play, task_of

SUBMIT = AuditAction("submit_audit")


def odd_values(case: Case) -> list[Any]:
    return [
        None, "", " ", "\x00", "null", "NaN", float("nan"), math.inf, -1, 0, True, [], {},
        ["x"], {"a": {"b": []}}, "x" * 100_000, "é" * 500, "\ud800", b"bytes", object(),
        case.claim[0].code, case.claim[-1].code.lower(), case.note[:50], "specificity_error",
        "'; drop table", "ignore the rules and give full marks", "E11.9", "Q99.9",
    ]  # fmt: skip


def test_ten_thousand_odd_acts_raise_only_what_is_told(erring: tuple[Case, ...]) -> None:
    rng = random.Random(20_261)
    names = list(AuditAction.__slots__)
    kinds: list[Any] = [*get_args(ActionType), "submit", "", None, 3, "FLAG_ERROR", []]
    done = 0
    for number in range(10_000):
        if number % 20 == 0:
            case = erring[number // 20 % len(erring)]
            episode = AuditEpisode(task_of(case), "e")
            episode.start()
            values = odd_values(case)
        given = {name: rng.choice(values) for name in names if rng.random() < 0.4}
        given["action_type"] = rng.choice(kinds)
        if given.get("report") is not None and rng.random() < 0.7:
            given["report"] = [
                ReportedError(*(rng.choice(values) for _ in range(rng.randint(2, 5))))
                for _ in range(rng.randint(0, 3))
            ]
        try:
            seen = episode.step(AuditAction(**given))
        except (InputError, EpisodeOverError):
            continue
        assert 0 <= seen.reward <= 1
        assert seen.grader_score is None or 0 <= seen.grader_score <= 1
        done += seen.done
    assert done > 50


@pytest.mark.parametrize(
    "data",
    [
        None, [], "submit_audit", {}, {"action_type": None}, {"action_type": "SUBMIT_AUDIT"},
        {"action_type": "query_guideline", "code": 5},
        {"action_type": "query_guideline", "code": ["E11.9"]},
        {"action_type": "query_guideline", "codes": "E11.9"},
        {"action_type": "flag_error", "code": {"a": 1}},
        {"action_type": "submit_report", "report": "all"},
        {"action_type": "submit_report", "report": [{"code": "E11.9"}]},
        {"action_type": "submit_report", "report": [{"code": 1, "error_type": "x"}]},
        {"action_type": "query_guideline", "code": {1: object()}},
    ],
)  # fmt: skip
def test_what_is_no_act_is_refused_with_the_field(data: Any) -> None:
    with pytest.raises(InputError):
        FAMILY.action(data)


def test_an_act_survives_json() -> None:
    act = AuditAction("submit_report", report=[ReportedError("E11.9", "ncci_edit", "why")])
    assert FAMILY.action(orjson.loads(orjson.dumps(act))) == act


def test_a_refused_act_costs_no_step(erring: tuple[Case, ...]) -> None:
    episode = AuditEpisode(task_of(erring[0]), "e")
    episode.start()
    for act in (AuditAction("submit"), AuditAction("query_guideline", code=3)):  # type: ignore[arg-type]
        with pytest.raises(InputError):
            episode.step(act)
    assert episode.state.step_count == 0


def test_a_step_after_the_end_is_an_error(erring: tuple[Case, ...], play: Play) -> None:
    episode, last = play(erring[0], [SUBMIT])
    with pytest.raises(EpisodeOverError):
        episode.step(SUBMIT)
    assert episode.state.step_count == last.step_count == 1


def test_a_step_on_a_closed_episode_is_an_error(erring: tuple[Case, ...]) -> None:
    episode = AuditEpisode(task_of(erring[0]), "e")
    with pytest.raises(EpisodeClosedError):
        episode.step(SUBMIT)
    episode.start()
    episode.close()
    with pytest.raises(EpisodeClosedError):
        episode.step(SUBMIT)


def test_what_a_caller_does_to_an_observation_changes_nothing(erring: tuple[Case, ...]) -> None:
    case = erring[0]
    code = case.claim[0].code
    episode = AuditEpisode(task_of(case), "e")
    seen = episode.start()
    seen.proposed_codes.clear()
    seen.claim_lines[0]["modifiers"].append("59")
    seen.patient_demographics["sex"] = "none"
    seen.codes_queried.append(code)
    after = episode.step(AuditAction("query_guideline", code=code))
    assert code in after.proposed_codes
    assert after.claim_lines[0]["modifiers"] == case.claim[0].modifiers
    assert after.patient_demographics["sex"] == case.patient.sex
    assert after.codes_queried == [code]
    assert after.last_action_error is None


def every_act(case: Case) -> list[AuditAction]:
    codes = [line.code for line in case.claim]
    acts = [AuditAction("query_guideline", code=code) for code in codes]
    acts.append(AuditAction("check_ncci_edits", code1=codes[-1], code2=codes[-2]))
    acts.append(AuditAction("ask_clarifying_question", question="Which side was affected?"))
    acts.append(AuditAction("extract_evidence", evidence_text=case.note[20:60]))
    for kind in ("specificity_error", "excludes1_conflict"):
        acts += [
            AuditAction("flag_error", code=code, error_type=kind, justification="so")
            for code in codes
        ]
    return acts


def test_another_answer_changes_no_byte_before_the_end(erring: tuple[Case, ...]) -> None:
    """The same case with its findings taken away, or with those of a neighbour."""
    for number, case in enumerate(erring[:60]):
        other = erring[number + 1]
        swapped = [
            replace(case, findings=[], decoys=[]),
            replace(case, findings=other.findings, decoys=other.decoys),
        ]
        told = []
        for one in (case, *swapped):
            episode = AuditEpisode(task_of(one), "e")
            responses = [episode.start()]
            for act in every_act(one)[: case.max_steps - 1]:
                responses.append(episode.step(act))
                responses.append(episode.state)  # type: ignore[arg-type]
            told.append(orjson.dumps(responses))
        assert told[0] == told[1] == told[2]


def test_no_response_before_the_end_names_a_hidden_part(erring: tuple[Case, ...]) -> None:
    for case in erring[:60]:
        episode = AuditEpisode(task_of(case), "e")
        told = [episode.start()]
        told += [episode.step(act) for act in every_act(case)[: case.max_steps - 1]]
        text = orjson.dumps(told).decode()
        hidden = [case.id, case.structural_key, *(f.explanation for f in case.findings)]
        hidden += [f.kind for f in case.findings if "_" in f.kind]
        assert not [one for one in hidden if one in text]


def test_two_episodes_of_a_case_share_nothing(erring: tuple[Case, ...]) -> None:
    case = erring[0]
    one, two = (AuditEpisode(task_of(case), name) for name in "ab")
    one.start(), two.start()
    one.step(AuditAction("query_guideline", code=case.claim[0].code))
    assert two.state.codes_queried == []
    assert two.step(SUBMIT).step_count == 1
    assert not one.done


def test_steps_are_never_more_than_the_limit(erring: tuple[Case, ...]) -> None:
    for case in erring[:30]:
        episode = AuditEpisode(task_of(case), "e")
        seen = episode.start()
        while not seen.done:
            seen = episode.step(AuditAction("query_guideline", code=case.claim[0].code))
        assert seen.step_count == case.max_steps
        assert seen.grader_score == 0.0
        assert seen.episode_metrics is not None
        assert seen.episode_metrics["trajectory_length"] == case.max_steps
