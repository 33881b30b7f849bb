"""``casegen play coding``: a person at a terminal, or a pipe in their place."""

from __future__ import annotations

import os
import subprocess
import sys

COMMAND = (sys.executable, "-m", "casegen", "play", "coding", "--task", "easy_t2dm_followup")


def play(typed: str) -> subprocess.CompletedProcess[str]:
    """What comes of a game in which these lines are typed."""
    return subprocess.run(
        COMMAND,
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COLUMNS": "100"},
        check=False,
    )


def test_a_person_plays_to_the_end_and_sees_score_and_authority() -> None:
    done = play("1\n5\n2\n8\n5\n")
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        "Objective: Code uncomplicated type 2 diabetes",
        "She takes metformin 1,000 mg twice daily",  # the excerpt
        "  5  E11.9     Type 2 diabetes mellitus without complications",  # the codes
        "1 primary code",  # the menu
        "Primary code: exact (+0.60).",
        "Score 1.00 after 3 steps.",
        "Found: primary E11.9",
        "Found: secondary Z79.84",
        "Authority: section I.C.4.a",
        "Review flag: right",
    ):
        assert words in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_what_was_missed_and_what_is_not_called_for_is_explained() -> None:
    done = play("1\ne11.65\n2\n7 z7984\n3\n2\n5\n")
    assert done.returncode == 0
    for words in (
        "Missed: primary E11.9",
        "Found: secondary Z79.84",
        "Not called for: E11.65",
        "Not called for: Z79.4",
        "She has never used insulin.",
        "Review flag: not right",
    ):
        assert words in done.stdout


def test_a_code_that_is_not_allowed_is_refused_and_one_that_is_none_takes_no_step() -> None:
    done = play(f"1\nQ99.9\n1\n{'x' * 70}\nq\n")
    assert "Not done: the draft is refused: not among the allowed codes: 'Q99.9'" in done.stdout
    assert "Not done: primary_code" in done.stdout
    assert done.stdout.count("4 steps left") == 2
    assert "Left before the end; nothing is graded." in done.stdout


def test_an_empty_line_goes_back_and_looking_takes_no_step() -> None:
    done = play("1\n\n2\n\n3\n\nn\nc\nd\n?\nnonsense\nq\n")
    assert "4 steps left" not in done.stdout
    assert "One of the numbers or letters above" in done.stdout
    assert done.stdout.count("CHART EXCERPT") == done.stdout.count("ALLOWED CODES") == 2


def test_a_hint_is_told_and_the_secondary_codes_can_be_cleared() -> None:
    done = play("4\n2\n8\n2\n-\nq\n")
    assert "Hint: The encounter is about one chronic disease" in done.stdout
    assert done.stdout.count("secondary Z79.84") == 1
