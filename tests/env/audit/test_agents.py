"""The agents of the audit: what they earn, and what they go by."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

from casegen.env.agents import Outcome, play
from casegen.env.audit import FAMILY
from casegen.env.audit.agents import AGENTS
from casegen.env.audit.tools.evidence import find_span, supports
from casegen.env.evaluate import Evaluation, episodes, summary
from casegen.env.packs import pack
from casegen.env.tasks import find_task
from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

FULL = os.environ.get("CASEGEN_FULL") == "1"
# Cases of split train; agents are never looked at on a bench while they are written.
TRAIN, SEED = (1000 if FULL else 150), 5


@cache
def train(count: int = TRAIN, difficulty: str | None = None) -> tuple[Task, ...]:
    return tuple(
        find_task("audit", split="train", seed=SEED, index=index, difficulty=difficulty)
        for index in range(count)
    )


@cache
def tasks_of(source: str) -> tuple[Task, ...]:
    if source == "train":
        return train()
    if source in ("easy", "expert"):
        return train(1000 if FULL else 400, source)
    return tuple(pack(source))


BOTH = ("train", "audit-bench-v1")


@cache
def result(agent: str, source: str, *, blank_note: bool = False, clean: bool = True) -> Evaluation:
    tasks = tasks_of(source) if clean else erring(tasks_of(source))
    return summary(agent, list(episodes(FAMILY, AGENTS[agent], tasks, blank_note=blank_note)))


def every_act(
    agent: str, task: Task, seed: int = 0
) -> Iterator[tuple[AuditObservation, AuditAction]]:
    """What an agent saw and did, act by act."""
    episode = FAMILY.episode(task, "e")
    player = AGENTS[agent](task, seed)
    seen = episode.start()
    while not seen.done:
        act = player.act(seen)
        yield seen, act
        seen = episode.step(act)


def erring(tasks: Sequence[Task]) -> tuple[Task, ...]:
    return tuple(task for task in tasks if task.case.findings)


# --- those that know


def test_the_oracle_scores_one_on_every_case() -> None:
    for source in (*BOTH, "audit-seed-v1"):
        assert result("oracle", source).all.mean_score == 1.0


def test_the_expert_scores_as_well_and_every_act_of_it_is_valid() -> None:
    for source in BOTH:
        found = list(episodes(FAMILY, AGENTS["expert"], tasks_of(source)))
        assert summary("expert", found).all.mean_score >= 0.95
        assert sum(one.outcome.metrics["invalid_acts"] for one in found) == 0


def test_the_expert_looks_before_it_flags_and_settles_what_the_note_leaves_open() -> None:
    open_ones = 0
    for task in erring(train()):
        settled = False
        for seen, act in every_act("expert", task):
            if act.action_type in ("ask_clarifying_question", "extract_evidence"):
                settled = True
            if act.action_type != "flag_error":
                continue
            paired = {code for pair in seen.pairs_checked for code in pair.split("|")}
            assert act.code in {*seen.codes_queried, *paired}
            about = [f for f in task.case.findings if act.code in f.accepted_codes]
            if any(finding.questions for finding in about):
                open_ones += 1
                assert seen.clarifications_asked
            if any(finding.evidence for finding in about) and seen.max_steps >= 15:
                assert settled
    assert open_ones > 0


def test_the_expert_gives_its_reason_and_authority_and_names_no_key() -> None:
    for task in erring(train()):
        by_code = {code: f for f in task.case.findings for code in f.accepted_codes}
        for _, act in every_act("expert", task):
            if act.action_type == "flag_error":
                why = act.justification or ""
                assert by_code[act.code or ""].authority.edition in why
                for word in ("answer key", "oracle", "ground truth", "injected", "expected error"):
                    assert word not in why.lower()


def test_what_the_expert_quotes_bears_on_a_finding_or_on_what_stands() -> None:
    quoted = 0
    for task in erring(train()):
        case = task.case
        for _, act in every_act("expert", task):
            if act.action_type == "extract_evidence":
                span = find_span(task.case.note, act.evidence_text or "")
                assert span is not None
                assert any(supports(span, one.evidence) for one in (*case.findings, *case.decoys))
                quoted += 1
    assert quoted > 50


# --- those that know nothing


@pytest.mark.parametrize("agent", ["noop", "random", "spray"])
def test_an_agent_that_knows_nothing_earns_next_to_nothing(agent: str) -> None:
    for source in BOTH:
        assert result(agent, source, clean=False).all.mean_score <= 0.05
        assert result(agent, source).all.mean_score <= 0.12


def test_an_agent_that_does_nothing_earns_nothing() -> None:
    assert result("noop", "train").all.interval[0] == 0.0
    assert result("noop", "train").all.mean_score == 0.0


def test_spraying_finds_most_errors_and_still_earns_nothing() -> None:
    found = result("spray", "train", clean=False)
    assert found.recall > 0.5
    assert found.all.mean_score <= 0.01


# --- the honest one


def test_the_honest_agent_finds_much_and_flags_little_that_is_right() -> None:
    found = result("rules", "train")
    assert 0.7 <= found.all.mean_score <= 0.97
    assert found.precision >= 0.9


def test_the_honest_agent_falls_from_easy_to_expert() -> None:
    easy, expert = (result("rules", level).all.mean_score for level in ("easy", "expert"))
    assert expert < easy - 0.03
    by_level = result("rules", "audit-bench-v1").by_difficulty
    assert by_level["expert"].mean_score < by_level["easy"].mean_score


def test_the_honest_agent_needs_the_note() -> None:
    for source in BOTH:
        whole, blank = (
            result("rules", source, blank_note=gone).all.mean_score for gone in (False, True)
        )
        assert blank <= whole - 0.25


def test_tables_and_tools_without_the_note_solve_little_more_than_half() -> None:
    """Also with full trust in the registered sex and age, and a flag on every likely error."""
    for source, most in (("train", 0.60), ("audit-bench-v1", 0.55)):
        found = result("tables", source)
        assert found.all.mean_score <= most
        assert found.all.mean_score <= result("rules", source).all.mean_score - 0.10


@pytest.mark.parametrize("agent", ["rules", "tables", "noisy", "random", "noop", "spray"])
def test_an_agent_that_should_not_know_the_answer_does_the_same_when_it_is_taken_away(
    agent: str,
) -> None:
    for task in train()[:20]:
        bare: Case = replace(task.case, findings=[], decoys=[], record=[], structural_key="none")
        acts = [act for _, act in every_act(agent, task)]
        assert acts == [act for _, act in every_act(agent, replace(task, case=bare))]


def test_the_honest_agent_flags_no_sex_conflict_where_the_note_tells_no_sex() -> None:
    cases = [t for t in erring(train()) if t.case.findings[0].kind == "sex"]
    assert len(cases) > 5
    for task in cases:
        kinds = {act.error_type for _, act in every_act("rules", task)}
        assert "demographic_mismatch" in kinds
        silent = replace(task.case, note="Seen and examined. Plan as discussed.")
        told = {act.error_type for _, act in every_act("rules", replace(task, case=silent))}
        assert "demographic_mismatch" not in told


# --- the noisy one, and draws


def test_noise_costs_the_honest_agent_some_of_its_score() -> None:
    honest, noisy = (result(agent, "train").all.mean_score for agent in ("rules", "noisy"))
    assert 0.3 <= noisy <= honest - 0.1


def test_noise_makes_each_of_its_errors() -> None:
    foreign = other = 0
    for at, task in enumerate(train()):
        honest = {(act.code, act.error_type) for _, act in every_act("rules", task)}
        codes = {line.code for line in task.case.claim}
        for _, act in every_act("noisy", task, at):
            if act.action_type == "flag_error":
                foreign += act.code not in codes
                other += act.code in codes and (act.code, act.error_type) not in honest
    assert foreign > 0
    assert other > foreign


@pytest.mark.parametrize("agent", ["noisy", "random"])
def test_a_drawing_agent_does_the_same_for_the_same_seed_and_else_not(agent: str) -> None:
    differ = 0
    for task in train()[:30]:
        first, again, other = (
            [act for _, act in every_act(agent, task, seed)] for seed in (1, 1, 2)
        )
        assert first == again
        differ += first != other
    assert differ > 5


def test_acts_at_random_can_all_be_carried_out() -> None:
    played = [
        play(FAMILY.episode(task, "e"), AGENTS["random"](task, at))
        for at, task in enumerate(train()[:40])
    ]
    assert all(one.done for one in played)
    mistakes = sum(one.metrics["invalid_acts"] for one in played)
    assert mistakes <= 0.05 * sum(one.steps for one in played)


# --- play itself


class _Stubborn:
    """Never does anything that is an act, and keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[str | None] = []

    def act(self, observation: AuditObservation) -> str:
        self.told.append(observation.last_action_error)
        return "submit, please"


def test_an_agent_whose_acts_are_none_is_told_so_and_stopped() -> None:
    task, agent = train()[0], _Stubborn()
    outcome: Outcome = play(FAMILY.episode(task, "e"), agent)
    assert (outcome.score, outcome.done, outcome.steps) == (0.0, False, 0)
    assert outcome.refused == len(agent.told) == 3 * task.case.max_steps
    assert agent.told[0] is None
    assert all("AuditAction" in (told or "") for told in agent.told[1:])


def test_what_noise_flags_by_a_false_alarm_nearly_is_an_error() -> None:
    """Reported: lines were flagged for reasons that nobody would have."""
    kinds: set[str] = set()
    for at, task in enumerate(train()):
        player = AGENTS["noisy"](task, at)
        episode = FAMILY.episode(task, "e")
        seen = episode.start()
        while not seen.done:
            act = player.act(seen)
            if player.mistake == "false_alarm":  # type: ignore[attr-defined]
                kinds.add(act.error_type)
                if act.error_type == "specificity_error":
                    side = re.match(r"The note says (\w+)", act.justification or "")
                    assert side is not None
                    assert side[1] in seen.clinical_note.lower()
                else:
                    assert act.error_type in ("excludes1_conflict", "ncci_edit")
                    assert act.related_code in seen.proposed_codes
            seen = episode.step(act)
    assert len(kinds) > 1
