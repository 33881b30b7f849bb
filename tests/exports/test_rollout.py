"""Episodes as they are recorded, and played again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from casegen.cli.group import cli
from casegen.env.families import family
from casegen.exports.rollout import replay, rollout
from casegen.schemas import InputError
from casegen.schemas.trajectory import Trajectory

from .played import AGENTS, SEED, WRITTEN, documented, played, task, tasks

MISTAKES = {"wrong_member", "wrong_phase", "invented_code", "missed_error", "false_alarm"}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_actions_of_an_episode_give_its_rewards_and_score_again(agent: str) -> None:
    for one in (*tasks()[:60], *documented()):
        episode = played(one, agent)
        rewards, score = replay(episode, one)
        assert rewards == [step.reward for step in episode.steps]
        assert score == episode.score
        assert sum(rewards) == episode.total_reward


def test_an_episode_is_replayed_on_its_own_case_only() -> None:
    episode = played(task(0), "expert")
    with pytest.raises(InputError):
        replay(episode, task(1))
    with pytest.raises(InputError):
        replay(episode, replace(task(0), profile="seed"))


def test_each_result_leads_from_one_observation_to_the_next() -> None:
    for one in tasks()[:20]:
        steps = played(one, "noisy").steps
        for step, after in pairwise(steps):
            assert {**step.observation, **step.result} == after.observation
        assert steps[-1].done
        assert not any(step.done for step in steps[:-1])


def test_an_action_holds_what_the_agent_gave_and_the_environment_takes_it() -> None:
    for one in tasks()[:20]:
        for step in played(one, "expert").steps:
            assert None not in step.action.values()
            family("audit").action(step.action)


def test_an_episode_names_its_case_agent_and_profile() -> None:
    one = documented()[0]
    episode = played(one, "expert")
    assert episode.id == f"{one.case.id}#expert"
    assert (episode.pack, episode.profile, episode.task_id) == ("audit-seed-v1", "seed", one.id)
    assert len(episode.content_hash) == 64
    assert episode.metrics["flags"] == len(one.case.findings)


def test_who_hands_in_ends_the_episode_and_who_runs_out_of_steps_is_cut_short() -> None:
    handed = played(task(0), "expert")
    assert (handed.terminated, handed.truncated) == (True, False)
    sprays = [rollout(one, "spray", 0) for one in tasks()[:40]]
    cut = [one for one in sprays if one.steps[-1].action["action_type"] == "flag_error"]
    assert all(one.truncated and not one.terminated for one in cut)
    assert all(one.terminated for one in sprays if one not in cut)


def test_every_act_of_a_written_agent_has_a_reason_and_one_drawn_has_none() -> None:
    for one in tasks()[:40]:
        for agent in WRITTEN:
            assert all(step.rationale for step in played(one, agent).steps)
        assert not any(step.rationale for step in played(one, "random").steps)


def test_what_noisy_gets_wrong_is_labelled_with_each_of_the_five_mistakes() -> None:
    found = Counter(
        step.mistake for one in tasks() for step in played(one, "noisy").steps if step.mistake
    )
    assert set(found) == MISTAKES
    for agent in ("expert", "rules", "random"):
        assert not any(step.mistake for one in tasks()[:40] for step in played(one, agent).steps)


@pytest.mark.parametrize("agent", ["noisy", "careless"])
def test_a_labelled_flag_names_no_error_but_for_the_wrong_member_of_a_pair(agent: str) -> None:
    for one in tasks():
        findings = one.case.findings
        for step in played(one, agent).steps:
            act = step.action
            if step.mistake is None or act["action_type"] != "flag_error":
                continue
            about = [
                f
                for f in findings
                if act["code"] in f.accepted_codes and act["error_type"] in f.accepted_error_types
            ]
            if step.mistake == "wrong_member":
                assert all(f.correction.code != act["code"] for f in about)
            else:
                assert not about
            if step.mistake == "invented_code":
                assert act["code"] not in {line.code for line in one.case.claim}


@pytest.mark.parametrize("agent", ["noisy", "careless"])
def test_who_is_said_to_miss_an_error_leaves_one_unflagged(agent: str) -> None:
    for one in tasks():
        for step in played(one, agent).steps:
            if step.mistake == "missed_error":
                draft = step.observation["draft_report"]
                named = {(entry["code"], entry["error_type"]) for entry in draft}
                assert any(
                    not any(
                        (code, kind) in named
                        for code in finding.accepted_codes
                        for kind in finding.accepted_error_types
                    )
                    for finding in one.case.findings
                )


def test_an_agent_that_is_not_known_is_named() -> None:
    with pytest.raises(InputError, match="nobody"):
        rollout(task(0), "nobody", 0)


# --- the command


def run(*arguments: str) -> bytes:
    result = CliRunner().invoke(cli, ["rollout", "audit", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_command_writes_the_same_bytes_in_any_process(hash_seed: str) -> None:
    arguments = ["--agent", "noisy", "-n", "6", "--seed", str(SEED)]
    command = [sys.executable, "-m", "casegen", "rollout", "audit", *arguments]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": "Asia/Tokyo"}
    there = subprocess.run(command, env=env, capture_output=True, check=True).stdout
    assert there == run(*arguments)
    here = [orjson.dumps(played(task(index), "noisy")) for index in range(6)]
    assert there.splitlines() == here


def test_the_command_plays_a_pack_and_only_one_difficulty(tmp_path: Path) -> None:
    target = tmp_path / "episodes.jsonl"
    run("--agent", "expert", "--pack", "audit-seed-v1", "-o", str(target))
    lines = [orjson.loads(line) for line in target.read_bytes().splitlines()]
    assert [line["task_id"] for line in lines] == [one.id for one in documented()]
    assert {field for line in lines for field in line} == set(Trajectory.__slots__)
    easy = orjson.loads(run("--agent", "rules", "--difficulty", "easy", "--split", "test"))
    assert (easy["difficulty"], easy["split"]) == ("easy", "test")


def test_a_pack_file_is_played_only_if_it_holds_what_its_hash_says(tmp_path: Path) -> None:
    part = {"seed": 1, "difficulty": "easy", "clean": 0, "count": 2}
    recipe = {"generator": "audit-v0", "split": "validation", "parts": [part]}
    head = {"name": "mine", "family": "audit", "profile": "strict"}
    path = tmp_path / "mine.json"
    path.write_bytes(orjson.dumps({**head, "recipe": recipe}))
    runner = CliRunner()
    assert runner.invoke(cli, ["pack", "build", str(path), "-o", str(path)]).exit_code == 0
    arguments = ["--agent", "expert", "--pack", str(path)]
    assert len(run(*arguments).splitlines()) == 2
    data = orjson.loads(path.read_bytes())
    data["recipe"]["parts"][0]["seed"] = 2
    path.write_bytes(orjson.dumps(data))
    target = tmp_path / "episodes.jsonl"
    refused = runner.invoke(cli, ["rollout", "audit", *arguments, "-o", str(target)])
    assert isinstance(refused.exception, InputError)
    assert str(refused.exception).startswith(f"{path}: sha256: ")
    assert not target.exists()


def test_episodes_do_not_replace_the_pack_that_is_played(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("a pack")
    arguments = ["rollout", "audit", "--agent", "expert", "--pack", str(path), "-o", str(path)]
    refused = CliRunner().invoke(cli, arguments)
    assert str(refused.exception) == (f"-o: '{path}': is the file of the pack; name another")
    assert path.read_text() == "a pack"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--agent", "nobody"], "nobody"),
        (["--agent", "expert", "-n", "0"], "-n: 0: a whole number"),
        (["--agent", "expert", "--seed", "-1"], "--seed"),
        (["--agent", "expert", "--difficulty", "odd"], "--difficulty"),
        (["--agent", "expert", "--split", "all"], "split"),
        (["--agent", "expert", "--pack", "audit-seed-v1", "--seed", "1"], "--seed"),
        (["--agent", "expert", "--pack", "audit-seed-v1", "-n", "6"], "-n: 6: "),
        (["--agent", "expert", "-o", "episodes.csv"], ".jsonl"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(arguments: list[str], told: str) -> None:
    command = [sys.executable, "-m", "casegen", "rollout", "audit", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""
