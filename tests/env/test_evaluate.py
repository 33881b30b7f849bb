"""``casegen evaluate``: means, intervals, groups, and what it refuses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

import casegen.cli
from casegen.cli.group import cli
from casegen.env.agents import agent_maker
from casegen.env.evaluate import interval
from casegen.env.families import FAMILIES, family
from casegen.env.packfile import file_bytes, parsed
from casegen.env.packs import build
from casegen.schemas import InputError


@dataclass
class Result:
    """What a command came to."""

    status: int
    out: str
    err: str

    def complaint(self) -> str:
        """The one line that the user sees, after a check that it is all there is."""
        assert (self.status, self.out) == (2, "")
        assert self.err.startswith("casegen: ")
        assert self.err.count("\n") == 1
        return self.err


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``casegen evaluate`` within this process."""
    # The signals of the process belong to pytest.
    monkeypatch.setattr(casegen.cli, "_heed_signals", lambda: None)

    def command(*arguments: object) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            casegen.cli.main(["evaluate", *map(str, arguments)])
        told = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Result(end.value.code, told.out, told.err)

    return command


def told(result: Result) -> list[dict[str, object]]:
    assert (result.status, result.err) == (0, "")
    return [orjson.loads(line) for line in result.out.splitlines()]


# --- the interval


def test_an_interval_holds_its_mean_and_stays_between_zero_and_one() -> None:
    for n in (1, 2, 5, 40, 1000):
        for part in range(11):
            low, high = interval(part / 10, n)
            assert 0.0 <= low <= part / 10 <= high <= 1.0
            assert high - low > 0


def test_an_interval_is_wilsons() -> None:
    # 30 of 100: the published example of the score interval is 0.2189 to 0.3958.
    assert interval(0.3, 100) == pytest.approx((0.21895, 0.39585), abs=1e-4)


def test_more_cases_make_an_interval_narrower() -> None:
    widths = [high - low for low, high in (interval(0.4, n) for n in (10, 100, 1000))]
    assert widths == sorted(widths, reverse=True)


# --- what is printed


def test_one_object_holds_the_figures_of_an_agent(run: Run) -> None:
    [data] = told(run("audit", "--agent", "oracle", "-n", 30, "--seed", 9, "--json"))
    assert data["mean_score"] == 1.0
    low, high = data["interval"]  # type: ignore[misc]
    assert low < high == 1.0
    assert data["n"] == 30
    assert data["agent"] == "oracle"
    assert data["profile"] == "strict"
    assert data["recipe"] == {"split": "train", "seed": 9, "difficulty": None, "n": 30}
    groups = data["by_difficulty"]
    assert isinstance(groups, dict)
    assert sum(group["n"] for group in groups.values()) == 30
    kinds = data["by_error_type"]
    assert isinstance(kinds, dict)
    assert "clean" in kinds


def test_the_same_evaluation_says_the_same(run: Run) -> None:
    asked = ("audit", "--agent", "noisy", "-n", 20, "--json")
    assert run(*asked) == run(*asked)
    assert run(*asked).out != run(*asked, "--agent-seed", 1).out


def test_a_whole_pack_is_played_by_its_own_profile(run: Run) -> None:
    [data] = told(run("audit", "--agent", "noop", "--pack", "audit-seed-v1", "--json"))
    assert (data["n"], data["pack"], data["profile"]) == (5, "audit-seed-v1", "seed")


def test_several_agents_play_the_same_cases_one_row_each(run: Run) -> None:
    many = run("audit", "--agent", "oracle", "--agent", "noop", "-n", 16)
    assert (many.status, many.err) == (0, "")
    rows = [line.split() for line in many.out.splitlines() if line.startswith(("oracle", "noop"))]
    assert [row[0] for row in rows] == ["oracle", "noop", "oracle", "noop"]
    assert (rows[0][1], rows[1][1]) == ("1.000", "0.000")
    assert all(len(line) <= 110 for line in many.out.splitlines())
    assert "…" not in many.out


def test_few_episodes_are_told_one_by_one(run: Run) -> None:
    few = run("audit", "--agent", "oracle", "--agent", "noop", "--pack", "audit-seed-v1")
    rows = [line.split() for line in few.out.splitlines()]
    assert ["easy_demographic", "1.000", "0.090"] in rows
    assert rows[-1][0] == "mean"


def test_a_difficulty_is_played_alone(run: Run) -> None:
    for source in (("-n", 8), ("--pack", "audit-bench-v1")):
        asked = ("audit", "--agent", "noop", "--difficulty", "hard", "--json", *source)
        [data] = told(run(*asked))
        assert list(data["by_difficulty"]) == ["hard"]  # type: ignore[call-overload]


def test_without_the_note_an_honest_agent_earns_less(run: Run) -> None:
    asked = ("audit", "--agent", "rules", "-n", 60, "--json")
    [whole], [blank] = told(run(*asked)), told(run(*asked, "--blank-note"))
    assert blank["blank_note"] is True
    assert float(str(blank["mean_score"])) < float(str(whole["mean_score"])) - 0.2


def test_the_scores_of_all_episodes_are_told_by_task(run: Run) -> None:
    [data] = told(run("audit", "--agent", "noisy", "--pack", "audit-bench-v1", "-n", 20, "--json"))
    scores = data["scores"]
    assert isinstance(scores, list)
    assert [task for task, _ in scores] == [f"audit-bench-v1/{at}" for at in range(20)]
    mean = sum(score for _, score in scores) / 20
    assert data["mean_score"] == pytest.approx(mean, abs=1e-6)
    assert (data["complete"], data["failed"], data["first"]) == (True, 0, 20)


@pytest.mark.parametrize(
    ("arguments", "heading"),
    [
        (("-n", 1), "1 episode: split train, seed 0, profile strict"),
        (
            ("--pack", "audit-bench-v1", "-n", 2, "--difficulty", "hard"),
            "2 episodes: pack audit-bench-v1, hard, first 2, profile strict",
        ),
        (
            ("-n", 2, "--seed", 4, "--difficulty", "easy", "--blank-note"),
            "2 episodes: split train, seed 4, easy, profile strict, without the note",
        ),
        (("--pack", "audit-seed-v1"), "5 episodes: pack audit-seed-v1, profile seed"),
    ],
)
def test_the_heading_says_what_was_played(
    run: Run, arguments: tuple[object, ...], heading: str
) -> None:
    assert run("audit", "--agent", "noop", *arguments).out.split("\n")[0] == heading


def own_pack(path: Path) -> dict[str, Any]:
    """A pack file with a recipe, written to ``path``."""
    part = {"seed": 5, "difficulty": "easy", "clean": 0, "count": 3}
    recipe = {"generator": "audit-v0", "split": "test", "parts": [part]}
    head = {"name": "mine", "family": "audit", "profile": "strict"}
    data: dict[str, Any] = orjson.loads(
        file_bytes(build(parsed({**head, "recipe": recipe}, "mine")))
    )
    path.write_bytes(orjson.dumps(data))
    return data


def test_a_pack_file_is_told_by_its_name_and_hash(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    right = own_pack(path)["sha256"]
    heading = run("audit", "--agent", "noop", "--pack", path).out.split("\n")[0]
    assert heading == f"3 episodes: pack mine ({right[:12]}), profile strict"
    [data] = told(run("audit", "--agent", "noop", "--pack", path, "--json"))
    assert (data["pack"], data["sha256"]) == ("mine", right)


def test_a_pack_file_that_is_not_what_its_hash_says_is_not_played(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    data = own_pack(path)
    data["recipe"]["parts"][0]["seed"] = 6
    path.write_bytes(orjson.dumps(data))
    told_of = run("audit", "--agent", "noop", "--pack", path, "-n", 1).complaint()
    assert "mine.json: sha256: " in told_of


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("lab", "--agent", "noop"), "FAMILY"),
        (("audit", "--agent", "nobody"), "--agent"),
        (("audit", "--agent", "noop", "-n", "0"), "-n"),
        (("audit", "--agent", "noop", "--seed", "-1"), "--seed"),
        (("audit", "--agent", "noop", "--split", "bench"), "--split"),
        (("audit", "--agent", "noop", "--split", "audit-bench-v1"), "--split"),
        (("audit", "--agent", "noop", "--jobs", "0"), "--jobs"),
        (("audit", "--agent", "noop", "--difficulty", "mild"), "--difficulty"),
        (("audit", "--agent", "noop", "--pack", "nothing"), "--pack"),
        (("audit", "--agent", "noop", "--pack", "audit-seed-v1", "--seed", "1"), "--seed"),
        (("audit", "--agent", "noop", "--pack", "audit-seed-v1", "-n", "6"), "-n"),
    ],
)
def test_bad_input_is_one_line_that_names_the_option(
    run: Run, arguments: tuple[str, ...], field: str
) -> None:
    assert f" {field}: " in run(*arguments).complaint()


def test_an_evaluation_needs_an_agent(run: Run) -> None:
    assert "--agent" in run("audit").complaint()


def test_an_unknown_agent_is_told_which_there_are() -> None:
    with pytest.raises(InputError, match="oracle, expert, careless, rules"):
        agent_maker(family("audit"), "nobody")


@pytest.mark.parametrize("columns", ["40", "60", "80", ""])
def test_no_figure_is_cut_however_narrow_the_place(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    result = run("audit", "--agent", "oracle", "--agent", "noop", "-n", "40")
    assert "…" not in result.out
    head = next(line for line in result.out.splitlines() if line.startswith("agent"))
    assert head.split()[-2:] == ["prec.", "recall"]
    assert "0.912-1.000" in result.out


@pytest.mark.parametrize("command", ["evaluate", "rollout"])
def test_help_names_the_agents_of_every_family(command: str) -> None:
    done = CliRunner().invoke(cli, [command, "--help"])
    words = set(re.findall(r"[a-z]+", done.output))
    for name in FAMILIES:
        assert set(family(name).agents()) <= words
