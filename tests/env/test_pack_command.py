"""``casegen pack``: what it prints, writes and refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest

import casegen
import casegen.cli
from casegen.env.packs import pack
from casegen.schemas.serial import case_line
from casegen.seeds.packs import PACKS, path_of


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
    """Run ``casegen pack`` within this process."""
    # The signals of the process belong to pytest.
    monkeypatch.setattr(casegen.cli, "_heed_signals", lambda: None)

    def command(*arguments: object) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            casegen.cli.main(["pack", *map(str, arguments)])
        told = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Result(end.value.code, told.out, told.err)

    return command


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.json"
    part = {"seed": 5, "difficulty": "easy", "clean": 0, "count": 3}
    parts = {"generator": "audit-v0", "split": "test", "parts": [part]}
    head = {"name": "mine", "family": "audit", "profile": "strict"}
    path.write_bytes(orjson.dumps({**head, "recipe": parts}))
    return path


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    made = casegen.make("audit-v0", seed=8).cases(0, 3)
    path.write_bytes(b"".join(case_line(case) for case in made))
    return path


def test_the_shipped_packs_are_listed_with_size_rewards_and_hash(run: Run) -> None:
    told = run("list")
    assert (told.status, told.err) == (0, "")
    for name in PACKS:
        assert name in told.out
        assert pack(name).sha256 in told.out
    heads = [orjson.loads(line) for line in run("list", "--json").out.splitlines()]
    assert [(head["name"], head["tasks"], head["profile"]) for head in heads] == [
        ("audit-seed-v1", 5, "seed"),
        ("audit-bench-v1", 200, "strict"),
        ("coding-seed-v1", 3, "seed"),
        ("coding-bench-v1", 200, "strict"),
        ("rx-seed-v1", 22, "seed"),
        ("rx-bench-v1", 200, "strict"),
    ]


def test_a_recipe_is_built_into_a_pack_that_holds(run: Run, recipe: Path, tmp_path: Path) -> None:
    thin, thick = tmp_path / "thin.json", tmp_path / "thick.json.gz"
    assert run("build", recipe, "-o", thin).status == 0
    assert run("build", recipe, "--whole", "-o", thick).status == 0
    assert pack(str(thin)).sha256 == pack(str(thick)).sha256
    for path in (thin, thick):
        told = run("verify", path)
        assert (told.status, told.out) == (0, "mine: 3 tasks as recorded, 3 cases certified\n")
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "recipe.json", "thick.json.gz", "thin.json",
    ]  # fmt: skip


def test_the_same_recipe_is_built_to_the_same_bytes(run: Run, recipe: Path) -> None:
    assert run("build", recipe).out == run("build", recipe).out


def test_a_built_pack_may_be_built_again(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "again.json"
    assert run("build", path_of("audit-bench-v1"), "-o", out).status == 0
    assert out.read_bytes() == path_of("audit-bench-v1").read_bytes()


def test_a_file_of_cases_is_built_into_a_pack(run: Run, cases: Path, tmp_path: Path) -> None:
    out = tmp_path / "own.json"
    built = run("build", "--cases", cases, "--profile", "seed", "--name", "own", "-o", out)
    assert (built.status, built.out) == (0, "")
    assert built.err.startswith("casegen: own with 3 tasks in ")
    found = pack(str(out))
    assert (found.name, found.profile, len(found)) == ("own", "seed", 3)
    told = orjson.loads(run("verify", out, "--json").out)
    assert (told["valid"], told["tasks"], told["certified"]) == (True, 3, 3)


def test_a_pack_does_not_replace_the_cases_that_it_is_built_of(
    run: Run, cases: Path, tmp_path: Path
) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(cases.read_bytes())
    told = run("build", "--cases", path, "--name", "mine", "-o", path).complaint()
    assert f"-o: '{path}': is the file of the cases; name another" in told
    assert path.read_bytes() == cases.read_bytes()


def test_a_pack_that_does_not_hold_is_told_in_one_line_and_in_json(
    run: Run, recipe: Path, tmp_path: Path
) -> None:
    path = tmp_path / "pack.json"
    run("build", recipe, "-o", path)
    data = orjson.loads(path.read_bytes())
    path.write_bytes(orjson.dumps({**data, "version": "2"}))
    assert "pack.json: sha256: " in run("verify", path).complaint()
    told = run("verify", path, "--json")
    assert told.status == 2
    found = orjson.loads(told.out)
    assert (found["valid"], found["field"]) == (False, "sha256")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("build",), "RECIPE"),
        (("build", "{recipe}", "--cases", "{cases}"), "RECIPE"),
        (("build", "--cases", "{cases}"), "--name"),
        (("build", "--cases", "{cases}", "--name", "a b"), "--name"),
        (("build", "--cases", "{cases}", "--name", "test"), "--name"),
        (("build", "--cases", "{cases}", "--name", "a", "--profile", "soft"), "--profile"),
        (("build", "{recipe}", "--name", "a"), "--name"),
        (("build", "{recipe}", "-o", "{folder}/pack.yaml"), "name it .json or .json.gz"),
        (("build", "{recipe}", "-o", "{folder}/none/pack.json"), "-o: "),
        (("build", "missing.json"), "missing.json"),
        (("build", "{cases}"), "cases.jsonl"),
        (("build", "--cases", "{recipe}", "--name", "a"), "recipe.json, line 1"),
        (("verify", "{recipe}"), "recipe.json: tables"),
        (("verify", "audit-bench-v2"), "audit-bench-v1"),
        (("show", "audit-bench-v1#200"), "from 0 to 199"),
        (("show", "audit-bench-v1#x"), "after # stands a number"),
        (("show", "nowhere"), "audit-bench-v1"),
        (("fold",), "fold"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_nothing_is_left(
    run: Run, recipe: Path, cases: Path, tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    before = sorted(tmp_path.iterdir())
    given = [one.format(recipe=recipe, cases=cases, folder=tmp_path) for one in arguments]
    assert named in run(*given).complaint()
    assert sorted(tmp_path.iterdir()) == before


def test_a_task_is_shown_as_an_agent_sees_it(run: Run) -> None:
    told = run("show", "audit-seed-v1#3")
    assert told.status == 0
    for shown in ("hard_specificity_untraceable", "28", "healing routinely", "Z99.999", "20 steps"):
        assert shown in told.out
    assert "specificity_error" not in told.out
    assert "S52.501D" not in told.out


@pytest.mark.parametrize("place", ["audit-bench-v1#17", "audit-bench-v1/17"])
def test_a_task_is_shown_in_json_without_its_answer(run: Run, place: str) -> None:
    seen = orjson.loads(run("show", place, "--json").out)
    case = pack("audit-bench-v1").task(17).case
    assert seen["task_id"] == "audit-bench-v1/17"
    assert seen["clinical_note"] == case.note
    assert "findings" not in seen
    assert case.id not in str(seen)


def test_with_answers_the_rules_of_a_task_are_shown_too(run: Run) -> None:
    told = run("show", "medium_excludes1", "--answers")
    assert told.status == 0
    for shown in ("excludes1_conflict", "Rule of this task, J44.1|J45.20", "Beside the tables"):
        assert shown in told.out
    found = orjson.loads(run("show", "medium_excludes1", "--answers", "--json").out)
    assert found["own_rules"] == pack("audit-seed-v1").task_by_id("medium_excludes1").own_rules
    assert found["case"]["findings"][0]["code"] == "J44.1"


def test_help_lists_what_there_is_to_do(run: Run) -> None:
    told = run("--help")
    assert told.status == 0
    for name in ("list", "build", "verify", "show"):
        assert name in told.out


def test_a_task_of_an_own_pack_is_shown_by_its_id(run: Run, cases: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    run("build", "--cases", cases, "--name", "own", "-o", path)
    data = orjson.loads(path.read_bytes())
    for one, name in zip(data["cases"], ("ward#a/x", "ward-b/x", "ward-b/y"), strict=True):
        one["id"] = name
    path.write_bytes(orjson.dumps(data))
    run("build", path, "-o", path)
    for place, name in (
        ("", "ward#a/x"), ("#1", "ward-b/x"), ("#ward#a/x", "ward#a/x"),
        ("#ward-b/x", "ward-b/x"), ("#y", "ward-b/y"),
    ):  # fmt: skip
        assert orjson.loads(run("show", f"{path}{place}", "--json").out)["task_id"] == name
    for wrong in ("#x", "#z", "#"):
        assert "the id of a task" in run("show", f"{path}{wrong}").complaint()
    assert "from 0 to 2" in run("show", f"{path}#3").complaint()


def test_tasks_written_by_hand_are_said_to_be_checked_for_their_form(run: Run) -> None:
    told = run("verify", "audit-seed-v1")
    assert told.out == (
        "audit-seed-v1: 5 tasks as recorded, 5 written by hand and checked for form and spans\n"
    )
    found = orjson.loads(run("verify", "audit-seed-v1", "--json").out)
    assert (found["certified"], found["by_hand"]) == (0, 5)


def test_the_recipe_that_the_help_shows_can_be_built(run: Run, tmp_path: Path) -> None:
    text = run("build", "--help").out
    shown = text[text.index("{") : text.rindex("}") + 1]
    path = tmp_path / "recipe.json"
    path.write_text(shown, encoding="utf-8")
    assert orjson.loads(run("build", path).out)["name"] == "mine"
