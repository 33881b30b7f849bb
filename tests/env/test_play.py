"""``casegen play``: a person at a terminal, or a pipe in their place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from casegen.env.packfile import file_bytes, parsed
from casegen.env.packs import build

COMMAND = (sys.executable, "-m", "casegen", "play", "audit")
SECONDS = 60


def play(typed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What comes of a game in which these lines are typed."""
    return subprocess.run(
        [*COMMAND, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, "COLUMNS": "100"},
        check=False,
    )


def test_a_person_plays_to_the_end_and_sees_score_and_authority() -> None:
    typed = "1\n3\n3\n3\n1\nA delivery, and the patient is a man\n\n6\n"
    done = play(typed, "--task", "easy_demographic")
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        "Mr. Holloway is a 34-year-old man",  # the note
        "O80     1      ICD-10-CM",  # the claim
        "1 look up a code",  # the menu
        "Sex, by meaning: female patients",  # what the tables say
        "Score 1.00 after 3 steps.",
        "Found: line 3, O80: demographic_mismatch",
        "Authority: O80: chapter 15",
    ):
        assert words in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_what_was_missed_is_explained_and_a_wrong_flag_is_named() -> None:
    done = play("3\n2\n5\nno such code\n\n6\n", "--task", "easy_demographic")
    assert done.returncode == 0
    assert "Missed: line 3, O80: demographic_mismatch" in done.stdout
    assert "Not an error: E11.9, untraceable_code" in done.stdout


def test_codes_are_named_by_line_or_as_written_and_wrong_ones_are_asked_again() -> None:
    done = play("1\n99\ne11.9\nq\n", "--task", "easy_demographic")
    assert "A line from 1 to 3" in done.stdout
    assert "E11.9  Type 2 diabetes mellitus without complications" in done.stdout


def test_an_empty_line_goes_back_and_takes_no_step() -> None:
    done = play("1\n\n2\n1\n\n3\n\n3\n1\n\n4\n\n5\n\nq\n", "--task", "easy_demographic")
    assert "9 steps left" not in done.stdout
    assert done.stdout.count("10 steps left") == 7


def test_looking_at_note_claim_draft_and_help_takes_no_step() -> None:
    done = play("n\nc\nd\n?\nq\n", "--task", "easy_demographic")
    assert done.stdout.count("NOTE") == done.stdout.count("PROPOSED CLAIM") == 2
    assert "The draft is empty." in done.stdout
    assert "An empty line goes back" in done.stdout
    assert "9 steps left" not in done.stdout


def test_an_act_that_fails_says_why() -> None:
    done = play("5\nwords that are not there\nq\n", "--task", "easy_demographic")
    assert "Not done: the note does not hold these words" in done.stdout


@pytest.mark.parametrize("typed", ["q\n", "", "1\n"])
def test_leaving_and_the_end_of_input_end_in_peace(typed: str) -> None:
    done = play(typed, "--task", "easy_demographic")
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing is graded" in done.stdout


def test_a_generated_case_and_one_of_a_pack_can_be_played() -> None:
    generated = play("q\n", "--seed", "3", "--difficulty", "hard")
    assert "(hard), 20 steps" in generated.stdout
    assert generated.stdout == play("q\n", "--seed", "3", "--difficulty", "hard").stdout
    assert "Audit audit-bench-v1/3 " in play("", "--pack", "audit-bench-v1", "--index", "3").stdout


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("--task", "nonsense"), "--task"),
        (("--pack", "nothing"), "--pack"),
        (("--difficulty", "mild"), "--difficulty"),
        (("--seed", "-1"), "--seed"),
        (("--pack", "audit-bench-v1", "--index", "200"), "--index"),
        (("--task", "easy_demographic", "--seed", "3"), "--seed"),
        (("--pack", "missing.json"), "--pack"),
    ],
)
def test_bad_input_is_one_line_with_status_2(arguments: tuple[str, ...], field: str) -> None:
    done = play("", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"casegen: {field}: ")
    assert done.stderr.count("\n") == 1


def test_a_pack_file_can_be_played_if_it_holds_what_its_hash_says(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    part = {"seed": 5, "difficulty": "easy", "clean": 0, "count": 3}
    recipe = {"generator": "audit-v0", "split": "test", "parts": [part]}
    head = {"name": "mine", "family": "audit", "profile": "strict"}
    data = file_bytes(build(parsed({**head, "recipe": recipe}, "mine")))
    path.write_bytes(data)
    assert "Audit mine/2 (easy)" in play("q\n", "--pack", str(path), "--index", "2").stdout
    assert "Audit mine/1 (easy)" in play("", "--pack", str(path), "--task", "mine/1").stdout
    path.write_bytes(data.replace(b'"seed": 5', b'"seed": 6'))
    done = play("", "--pack", str(path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "mine.json: sha256: " in done.stderr


@pytest.fixture
def ears() -> Iterator[None]:
    """A run in the background ignores SIGINT, and its children would, too."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_leaves_with_status_130_and_no_traceback(ears: None) -> None:
    game = subprocess.Popen(
        [*COMMAND, "--task", "easy_demographic"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert game.stdout is not None
    try:
        for line in iter(game.stdout.readline, ""):
            if "q quit" in line:
                break
        game.send_signal(signal.SIGINT)
        _, err = game.communicate(timeout=SECONDS)
    finally:
        game.kill()
    assert (game.returncode, err) == (130, "")
