"""Prompts for online training, and their reward function."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from casegen.env.audit.ledger import mended
from casegen.env.families import family
from casegen.env.tasks import find_task
from casegen.exports.formats import row_format
from casegen.exports.model import Unit
from casegen.exports.replay import play_acts
from casegen.exports.rewards import audit_reward
from casegen.schemas import InputError
from casegen.schemas.pack import Task
from casegen.schemas.serial import content_hash

from .played import documented, task, tasks


def row(one: Task) -> dict[str, Any]:
    (found,) = row_format("prompts").rows(Unit(one, content_hash(one.case), {}))
    return found


def sample() -> tuple[Task, ...]:
    return (
        *tasks()[:20],
        task(0, "hard"),
        task(1, "easy", "validation"),
        task(2, None, "test"),
        *documented(),
    )


def reward(one: Task, completion: Any) -> float:
    found = row(one)
    (score,) = audit_reward(
        completions=[completion], answer=[found["answer"]], reset=[found["reset"]], prompts=[""]
    )
    return score


def report(one: Task) -> list[dict[str, str]]:
    return [{"code": f.code, "error_type": f.error_type} for f in one.case.findings]


def call(name: str, **arguments: Any) -> list[dict[str, Any]]:
    function = {"name": name, "arguments": arguments}
    calls = [{"type": "function", "function": function}]
    return [{"role": "assistant", "content": "", "tool_calls": calls}]


def test_reset_recreates_exactly_that_case() -> None:
    for one in sample():
        found = row(one)
        again = find_task(found["family"], **found["reset"])
        assert again.id == one.id
        assert content_hash(again.case) == found["content_hash"] == content_hash(one.case)


def test_the_prompt_is_what_the_environment_shows_and_tells_nothing_of_the_answer() -> None:
    for one in sample():
        found = row(one)
        system, user = found["prompt"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert str(one.case.max_steps) in system["content"]
        for finding in one.case.findings:
            assert finding.explanation not in user["content"]
        assert [tool["function"]["name"] for tool in found["tools"]][-1] == "submit_report"


def test_the_answer_lists_each_error_with_what_is_accepted_for_it() -> None:
    for one in sample():
        for told, finding in zip(row(one)["answer"], one.case.findings, strict=True):
            assert told["code"] in told["accepted_codes"]
            assert told["error_type"] == told["accepted_error_types"][0]
            assert told["suggested"] == mended(finding.correction)


def test_a_right_report_earns_one_as_call_as_json_and_as_several_flags() -> None:
    for one in tasks()[:25]:
        errors = report(one)
        assert reward(one, call("submit_report", report=errors)) == 1.0
        text = orjson.dumps({"action_type": "submit_report", "report": errors}).decode()
        assert reward(one, f"I reviewed the claim.\n```json\n{text}\n```") == 1.0
        assert reward(one, orjson.dumps({"report": errors}).decode()) == 1.0
        flags = [m for e in errors for m in call("flag_error", **e, justification="so")]
        assert reward(one, [*flags, *call("submit_audit")]) == 1.0


def test_the_last_report_outside_of_thoughts_counts() -> None:
    one = next(one for one in tasks() if one.case.findings)
    right, wrong = orjson.dumps({"report": report(one)}).decode(), '{"report": []}'
    assert reward(one, f"<think>Perhaps {wrong}</think>{right}") == 1.0
    assert reward(one, f"Perhaps {wrong}? No:\n{right}") == 1.0
    assert reward(one, f"{right}\nNo, all is well: {wrong}") == 0.0
    assert reward(one, f"Perhaps {wrong}</think>{right}") == 1.0
    assert reward(one, f"<think>It must be {right}") == 0.0
    assert reward(one, f"{right} which holds {{}} or [1, 2].") == 1.0


def test_a_bare_list_of_errors_is_a_report() -> None:
    for one in tasks()[:10]:
        assert reward(one, orjson.dumps(report(one)).decode()) == 1.0
        assert reward(one, orjson.dumps(row(one)["answer"]).decode()) == 1.0


def test_a_row_of_another_family_is_refused_by_name() -> None:
    found = row(tasks()[0])
    told = {"answer": [found["answer"]], "reset": [found["reset"]], "family": ["coding"]}
    with pytest.raises(InputError, match="this row is of family coding; use coding_reward"):
        audit_reward(completions=[""], **told)


def test_a_wrong_report_earns_what_the_environment_pays() -> None:
    for one in (case for case in tasks()[:40] if case.case.findings):
        line = one.case.claim[0]
        for errors in ([], [{"code": line.code, "error_type": "ncci_edit"}], report(one) * 2):
            whole = [{"justification": "", **error} for error in errors]
            acts = [{"action_type": "submit_report", "report": whole}]
            assert reward(one, call("submit_report", report=errors)) == play_acts(one, acts)[1]


def test_on_a_clean_claim_silence_earns_one_and_each_false_alarm_costs_half() -> None:
    clean = next(one for one in tasks() if not one.case.findings)
    errors = [
        {"code": line.code, "error_type": "untraceable_code"} for line in clean.case.claim[:2]
    ]
    scores = [reward(clean, call("submit_report", report=errors[:n])) for n in range(3)]
    assert scores == [1.0, 0.5, 0.0]


@pytest.mark.parametrize(
    "completion",
    [
        "",
        "All is well.",
        "{}",
        '{"report": "none"}',
        '{"report": ["F32.1"]}',
        '{"report": [{"code": 7, "error_type": "ncci_edit"}]}',
        [],
        [{"role": "assistant", "content": None}],
        [{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "query"}}]}],
    ],
)
def test_what_holds_no_report_earns_nothing_and_raises_nothing(completion: Any) -> None:
    assert reward(task(0), completion) == 0.0


def test_naming_every_code_with_every_type_earns_nothing() -> None:
    kinds = {f.error_type for one in tasks() for f in one.case.findings}
    for one in (case for case in tasks()[:25] if case.case.findings):
        codes = {line.code for line in one.case.claim}
        spray = [{"code": code, "error_type": kind} for code in codes for kind in sorted(kinds)]
        assert reward(one, call("submit_report", report=spray[:60])) < 0.1


def test_an_answer_of_another_case_is_refused() -> None:
    mine, other = row(tasks()[0]), row(tasks()[1])
    assert mine["answer"] != other["answer"]
    with pytest.raises(InputError, match="answer"):
        audit_reward(completions=[""], answer=[other["answer"]], reset=[mine["reset"]])


def test_the_reset_goes_through_the_familys_own_names() -> None:
    assert set(row(task(0))["reset"]) == {"split", "seed", "index"}
    assert set(row(task(0, "hard"))["reset"]) == {"split", "seed", "index", "difficulty"}
    assert row(documented()[0])["reset"] == {"task_id": documented()[0].id}
    assert family(row(task(0))["family"]).name == "audit"
