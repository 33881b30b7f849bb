"""The agents of rx: what they earn, and what they go by."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

from casegen.env.evaluate import Evaluation, episodes, summary
from casegen.env.packs import pack
from casegen.env.rx import FAMILY
from casegen.env.rx.agents import AGENTS
from casegen.env.rx.case import case_of
from casegen.schemas.pack import Task
from casegen.schemas.play import Profile
from casegen.schemas.rx_play import RxAction, RxObservation

from .conftest import CASCADE, documented

MISTAKES = {
    "missed_finding", "false_finding", "dose_missed", "dose_false", "wrong_recommendation",
}  # fmt: skip


@cache
def tasks(profile: Profile = "strict") -> tuple[Task, ...]:
    return tuple(replace(task, profile=profile) for task in pack("rx-seed-v1"))


@cache
def result(agent: str, profile: Profile = "strict", *, blank_note: bool = False) -> Evaluation:
    played = episodes(FAMILY, AGENTS[agent], tasks(profile), blank_note=blank_note)
    return summary(agent, list(played))


class Done(NamedTuple):
    seen: RxObservation  # before the act
    act: RxAction
    why: str | None
    mistake: str | None
    after: RxObservation


def every_act(agent: str, task: Task, seed: int = 0) -> Iterator[Done]:
    """What an agent saw, did and said, act by act."""
    episode = FAMILY.episode(task, "e")
    player = AGENTS[agent](task, seed)
    seen = episode.start()
    while not seen.done:
        act = player.act(seen)
        after = episode.step(act)
        why, mistake = getattr(player, "why", None), getattr(player, "mistake", None)
        yield Done(seen, act, why, mistake, after)
        seen = after


# --- those that know


@pytest.mark.parametrize("profile", ["seed", "strict"])
@pytest.mark.parametrize("agent", ["oracle", "expert"])
def test_who_knows_the_answer_scores_one_on_every_case(agent: str, profile: Profile) -> None:
    assert {score for _, score in result(agent, profile).scores} == {1.0}
    assert result(agent, profile).headline == 1.0


def test_the_expert_looks_at_everything_before_it_answers() -> None:
    for task in tasks():
        done = list(every_act("expert", task))
        asked = [one.act.info_requested for one in done[:-1]]
        short = case_of(task).max_steps <= 3
        assert asked == (["full_profile"] if short else ["allergies", "medications", "conditions"])
        assert done[-1].act.action_type == "submit"
        assert not [one for one in done if one.after.last_action_error]


def test_what_the_expert_quotes_stands_in_what_it_has_read() -> None:
    quotes = 0
    for task in tasks():
        for one in every_act("expert", task):
            assert one.why
            read = [*(one.seen.known_allergies or ()), *(one.seen.current_medications or ()),
                    *(one.seen.medical_conditions or ())]  # fmt: skip
            written = f"{one.seen.drug_name} {one.seen.drug_dose}"
            for quote in re.findall(r'"([^"]+)"', one.why):
                assert any(quote in line for line in read) or written in quote
                quotes += 1
    assert quotes > 3 * len(tasks())


_KEY = re.compile(
    r"\b(?:answer key|key says|oracle|ground truth|gold|expected answer|decoys?)\b", re.I
)


def test_the_expert_names_the_authority_behind_each_finding_and_no_key() -> None:
    for task in tasks():
        *_, last = every_act("expert", task)
        why = last.why or ""
        assert last.act.reasoning == why
        for finding in case_of(task).findings:
            for authority in finding.authority:
                assert authority.reference in why and authority.section in why
        assert not _KEY.search(why)
        assert not re.search(r"\{|\}|None|  |\.\.", why)


def test_few_reasons_of_the_expert_are_those_of_another_case() -> None:
    texts: Counter[str] = Counter()
    for task in tasks():
        texts.update({one.why or "" for one in every_act("expert", task)})
    assert sum(count for count in texts.values() if count > 1) <= 0.2 * texts.total()


# --- those that know nothing


@pytest.mark.parametrize("agent", ["noop", "approve"])
def test_who_finds_nothing_earns_nothing_of_what_is_dangerous(agent: str) -> None:
    assert result(agent).by_side["dangerous"].mean_score <= 0.05


def test_who_calls_everything_wrong_earns_nothing() -> None:
    found = result("spray")
    assert found.recall == 1.0
    assert found.all.mean_score <= 0.10


def test_who_looks_at_all_and_approves_earns_the_share_of_safe_ones() -> None:
    found = result("approve")
    assert found.by_side["safe"].mean_score == 1.0
    assert found.all.mean_score == found.by_side["safe"].n / found.all.n
    assert found.headline == 0.5


def test_acts_at_random_can_all_be_carried_out() -> None:
    played = list(episodes(FAMILY, AGENTS["random"], tasks()))
    assert all(one.outcome.done for one in played)
    assert sum(one.outcome.metrics["invalid_acts"] for one in played) == 0
    assert result("random").all.mean_score <= 0.25


# --- the honest one


def test_the_honest_agent_finds_most_of_it_by_reading() -> None:
    assert result("rules").all.mean_score >= 0.75
    assert result("rules").precision >= 0.8


def test_the_honest_agent_needs_the_record() -> None:
    blank = result("rules", blank_note=True).all.mean_score
    assert blank <= result("rules").all.mean_score - 0.25


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("Zocor 40 mg PO nightly", "Crestor 20 mg PO nightly", "simvastatin-clarithromycin"),
        ("Zocor 40 mg PO nightly", "Zocor 40 mg, stopped in May", "simvastatin-clarithromycin"),
        ("Congenital long QT syndrome", "Anxiety", "long_QT_syndrome-clarithromycin"),
    ],
)
def test_another_record_makes_another_answer_of_it(old: str, new: str, named: str) -> None:
    task = documented(CASCADE)
    case = case_of(task)

    def turned(spans: list[object]) -> list[object]:
        return [replace(s, text=s.text.replace(old, new)) for s in spans]  # type: ignore[attr-defined, type-var]

    other = replace(
        case,
        medications=turned(case.medications),  # type: ignore[arg-type]
        conditions_listed=turned(case.conditions_listed),  # type: ignore[arg-type]
    )

    def told(one: Task) -> set[str]:
        *_, last = every_act("rules", one)
        return {*(last.act.interactions_found or ()), *(last.act.contraindications_found or ())}

    assert named in told(task)
    assert named not in told(replace(task, case=other))


# --- those that err


def test_noise_costs_the_honest_agent_some_of_its_score() -> None:
    assert 0.2 <= result("noisy").all.mean_score <= result("rules").all.mean_score - 0.05


@pytest.mark.parametrize("agent", ["noisy", "careless"])
def test_an_error_is_labelled_and_made_once(agent: str) -> None:
    made: Counter[str] = Counter()
    lessons = FAMILY.lessons()
    for seed in range(12):
        for task in tasks():
            *looks, last = every_act(agent, task, seed)
            assert not [one.mistake for one in looks if one.mistake]
            assert last.why
            if last.mistake:
                seen, score = FAMILY.plain(last.seen), last.after.grader_score
                # Who errs in what it has read wrongly may be right by chance.
                stands = lessons.mistake(task.case, last.mistake, last.act, seen)
                assert (stands == last.mistake) is (score is not None and score < 1)
                assert stands or agent == "noisy"
                made[last.mistake] += stands is not None
    assert set(made) <= MISTAKES
    assert len(made) >= 4


@pytest.mark.parametrize("agent", ["noisy", "random", "careless"])
def test_a_drawing_agent_does_the_same_for_the_same_seed_and_else_not(agent: str) -> None:
    differ = 0
    for task in tasks():
        first, again, other = (
            [one.act for one in every_act(agent, task, seed)] for seed in (1, 1, 2)
        )
        assert first == again
        differ += first != other
    assert differ > 3


_PLAYED = """
import hashlib
from casegen.env.packs import pack
from casegen.env.rx import FAMILY
from casegen.env.rx.agents import AGENTS
told = hashlib.sha256()
for index, task in enumerate(pack("rx-seed-v1")):
    for name in ("expert", "careless", "rules", "noisy", "random", "spray"):
        episode, player = FAMILY.episode(task, "e"), AGENTS[name](task, index)
        seen = episode.start()
        while not seen.done:
            seen = episode.step(player.act(seen))
            told.update(repr((seen, getattr(player, "why", None))).encode())
print(told.hexdigest())
"""


def test_agents_do_and_say_the_same_whatever_the_hash_seed() -> None:
    digests = set()
    for seed in ("0", "1", "977"):
        done = subprocess.run(
            [sys.executable, "-c", _PLAYED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1
