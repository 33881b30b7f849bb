"""A rollout of TRL's GRPO trainer plays an audit by calling methods. No trainer is needed here."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest

from casegen.env.audit.prompt import prompt
from casegen.env.errors import EpisodeClosedError, EpisodeOverError
from casegen.env.tasks import find_task
from casegen.env.trl import TrlEnvironment, environment_factory
from casegen.schemas import InputError

ROW = {"split": "train", "seed": 7, "index": 3}


def methods(environment: TrlEnvironment) -> dict[str, Callable[..., Any]]:
    """The tools that the trainer takes: the public methods, as it looks for them."""
    found = inspect.getmembers(type(environment), predicate=inspect.isfunction)
    names = [name for name, _ in found if not name.startswith("_")]
    return {name: getattr(environment, name) for name in names if name not in _NO_TOOLS}


_NO_TOOLS = ("reset", "get_reward")


@pytest.fixture
def audit() -> Any:
    return environment_factory("audit")()


def test_the_tools_are_the_acts_with_their_fields_and_words(audit: TrlEnvironment) -> None:
    tools = methods(audit)
    acts = {act.name: act for act in prompt().acts}
    assert set(tools) == set(acts)
    for name, method in tools.items():
        parameters = inspect.signature(method).parameters
        required = [key for key, one in parameters.items() if one.default is one.empty]
        assert tuple(required) == acts[name].required
        assert tuple(parameters) == acts[name].fields
        told = " ".join((method.__doc__ or "").split())
        assert told.startswith(acts[name].title)
        for field in acts[name].fields:
            assert f"{field}: {prompt().fields[field].rstrip('.')}" in told


def test_each_argument_has_the_type_of_its_field(audit: TrlEnvironment) -> None:
    fields = get_type_hints(prompt().model)
    for method in methods(audit).values():
        hints = get_type_hints(method)
        assert hints.pop("return") is str
        for field, hint in hints.items():
            kinds = {kind for kind in get_args(hint) or (hint,) if kind is not NoneType}
            if field == "error_type":
                assert kinds == set(prompt().enums["error_type"])
            elif field == "report":
                assert hint == list[dict[str, str]]
            else:
                assert kinds == {kind for kind in get_args(fields[field]) if kind is not NoneType}


def test_the_right_flags_earn_the_whole_score(audit: Any) -> None:
    case = find_task("audit", **ROW).case
    assert audit.reset(**ROW)
    for finding in case.findings:
        told = audit.flag_error(finding.code, finding.error_type, "the tables say so")
        assert f"{finding.code} {finding.error_type}" in told
        assert audit.get_reward() == 0.0
    audit.submit_audit()
    assert audit.get_reward() == 1.0


def test_a_whole_report_earns_it_in_one_act(audit: Any) -> None:
    case = find_task("audit", **ROW).case
    audit.reset(**ROW)
    audit.submit_report([{"code": f.code, "error_type": f.error_type} for f in case.findings])
    assert audit.get_reward() == 1.0


def test_an_episode_that_is_not_handed_in_earns_nothing(audit: Any) -> None:
    case = find_task("audit", **ROW).case
    assert audit.get_reward() == 0.0
    audit.reset(**ROW)
    audit.flag_error(case.findings[0].code, case.findings[0].error_type, "so it is")
    assert audit.get_reward() == 0.0


def test_a_reset_begins_anew(audit: Any) -> None:
    case = find_task("audit", **ROW).case
    first = audit.reset(**ROW)
    audit.submit_report([{"code": f.code, "error_type": f.error_type} for f in case.findings])
    assert audit.reset(**ROW) == first
    assert audit.get_reward() == 0.0
    assert "draft empty" in audit.query_guideline(case.claim[0].code)


def test_the_case_is_told_unless_the_prompt_holds_it(audit: Any) -> None:
    told = audit.reset(**ROW)
    case = find_task("audit", **ROW).case
    assert case.note in told
    assert case.id not in told
    user = {"role": "user", "content": f"Here it is.\n{told}"}
    assert audit.reset(prompt=[user], **ROW) is None
    empty = {"role": "user", "content": ""}
    assert audit.reset(prompt=[empty], **ROW) == told
    parts = {"role": "user", "content": [{"type": "text", "text": "Audit this."}]}
    assert audit.reset(prompt=[parts], **ROW) == f"\n\n{told}"


def test_a_row_of_prompts_names_its_case(audit: Any) -> None:
    told = audit.reset(**ROW)
    row = {
        "id": "x", "family": "audit", "split": "test", "seed": 1, "difficulty": "easy",
        "reset": {**ROW, "difficulty": None}, "answer": [{"code": "A00.0"}],
    }  # fmt: skip
    assert audit.reset(**row) == told
    assert "easy_demographic" in audit.reset(task_id="easy_demographic")
    assert "audit-bench-v1/17" in audit.reset(pack="audit-bench-v1", index=17)


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"prompt": "x"}, "reset"),
        ({"split": "train"}, "reset"),
        ({"reset": "train/7/3"}, "reset"),
        ({"reset": {"seed": 1, "clean": "0.5"}}, "reset.clean"),
        ({"reset": {"seed": 1, "tables": "nope"}}, "tables"),
        ({"content_hash": "0" * 64, **ROW}, "content_hash"),
        ({"family": "lab", **ROW}, "family"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_row_that_names_no_case_is_refused(audit: Any, row: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as wrong:
        audit.reset(**row)
    assert wrong.value.field == field
    assert audit.get_reward() == 0.0


def test_what_can_t_be_carried_out_is_told_to_the_model(audit: Any) -> None:
    audit.reset(**ROW)
    assert audit.query_guideline("Q99.99").startswith("Error: ")
    with pytest.raises(InputError):  # the trainer tells the model what was raised
        audit.query_guideline(5)
    audit.submit_audit()
    with pytest.raises(EpisodeOverError):
        audit.submit_audit()


def test_an_act_before_the_first_reset_is_refused(audit: Any) -> None:
    with pytest.raises(EpisodeClosedError):
        audit.submit_audit()


def test_two_environments_share_nothing_and_a_factory_travels() -> None:
    factory = pickle.loads(pickle.dumps(environment_factory("audit")))
    one, other = factory(), factory()
    one.reset(**ROW)
    other.reset(**ROW)
    one.submit_audit()
    assert "draft empty" in other.query_guideline("I10")


def test_a_row_of_another_family_says_how_to_leave_such_rows_out(audit: Any) -> None:
    with pytest.raises(InputError, match="filter the rows by family, or export with --family aud"):
        audit.reset(**{"family": "coding", **ROW})


def test_an_unknown_family_is_told() -> None:
    with pytest.raises(InputError):
        environment_factory("dentistry")


def test_an_environment_in_process_needs_neither_trainer_nor_server() -> None:
    script = """
import sys
from casegen.env.trl import environment_factory
environment_factory("audit")().reset(seed=1)
heavy = ("trl", "torch", "transformers", "openenv", "fastapi")
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
