"""An audit as HTML: everything is escaped, and what may be done is offered."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from casegen.env.audit.environment import MedicalCodingEnvironment
from casegen.env.openenv.html import marked

TAGS = {
    "div", "section", "h2", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "p",
    "mark", "ul", "li", "small",
}  # fmt: skip


class Reader(HTMLParser):
    """The elements and the text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert self.open == [], "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def seen(*actions: dict[str, Any], **settings: Any) -> dict[str, Any]:
    """The observation after some acts, as the page gets it."""
    environment = MedicalCodingEnvironment()
    observation = environment.begin(**(settings or {"task_id": "easy_demographic"}))
    for action in actions:
        observation = environment.act(action)
    payload = environment.payload(observation)
    return {**payload["observation"], "reward": payload["reward"], "done": payload["done"]}


def page(told: dict[str, Any]) -> Reader:
    """The page of an observation."""
    html = MedicalCodingEnvironment().render_web(told)
    assert html is not None
    return Reader(html)


def test_the_page_shows_the_whole_case() -> None:
    told = seen()
    shown = page(told)
    assert told["clinical_note"] in shown.text
    for code, about in told["proposed_codes"].items():
        assert code in shown.text
        assert about["description"] in shown.text
    assert "0 of 10 steps taken" in shown.text
    assert set(shown.tags) <= TAGS


EVIL = "<script>alert('&')</script>\"<img src=x onerror=y>"


def test_what_an_agent_or_a_note_says_is_text_and_nothing_else() -> None:
    told = seen(
        {
            "action_type": "flag_error",
            "code": "O80",
            "error_type": "demographic_mismatch",
            "justification": EVIL,
            "suggested_code": "<b>x</b>",
        },
        {"action_type": "ask_clarifying_question", "question": EVIL},
        {"action_type": "query_guideline", "code": EVIL},
    )
    told["clinical_note"] = f"before {EVIL} after"
    told["extracted_evidence"] = [EVIL]
    told["tool_result"] = EVIL
    told["patient_demographics"] = {**told["patient_demographics"], "mrn": EVIL}
    shown = page(told)
    assert set(shown.tags) <= TAGS
    assert shown.text.count(EVIL) >= 5


def test_extracted_words_are_marked_where_they_stand() -> None:
    assert marked("abcdef", ["cd"]) == "ab<mark>cd</mark>ef"
    assert marked("abcdef", ["bc", "cd", "f"]) == "a<mark>bcd</mark>e<mark>f</mark>"
    assert marked("a<b>", ["<b"]) == "a<mark>&lt;b</mark>&gt;"
    assert marked("abc", ["", "x"]) == "abc"
    assert marked("", ["x"]) == ""


def test_each_button_is_an_act_that_can_be_carried_out() -> None:
    environment = MedicalCodingEnvironment()
    told = seen(task_id="expert_multi_error")
    offered = environment.web_actions(told)
    assert len(offered) == 6 + 3 + 1  # codes, pairs of services, submit
    assert len({label for label, _ in offered}) == len(offered)
    for _, action in offered:
        assert seen(action, task_id="expert_multi_error")["last_action_error"] is None


def test_what_was_looked_up_is_not_offered_again() -> None:
    environment = MedicalCodingEnvironment()
    told = seen(
        {"action_type": "query_guideline", "code": "e109"},
        {"action_type": "check_ncci_edits", "code1": "93308", "code2": "93306"},
        task_id="expert_multi_error",
    )
    labels = [label for label, _ in environment.web_actions(told)]
    assert "Look up E10.9" not in labels
    assert "Look up E11.9" in labels
    assert "Check 93306 with 93308" not in labels
    assert "Check 93306 with 99214" in labels


def test_each_form_can_be_filled_from_its_lists() -> None:
    environment = MedicalCodingEnvironment()
    told = seen(task_id="expert_multi_error")
    forms = {form["action"]["action_type"]: form for form in environment.web_forms(told)}
    assert set(forms) == {
        "flag_error", "check_ncci_edits", "extract_evidence", "ask_clarifying_question"
    }  # fmt: skip
    filled = {"justification": "because", "question": "Which type?", "evidence_text": "diabetes"}
    for form in forms.values():
        action = dict(form["action"])
        for number, field in enumerate(form["fields"]):
            if field["kind"] == "select":
                action[field["name"]] = field["options"][number % len(field["options"])][0]
            elif field["required"]:
                action[field["name"]] = filled[field["name"]]
        after = seen(action, task_id="expert_multi_error")
        told_wrong = after["last_action_error"]
        assert told_wrong is None or action["action_type"] in (
            "ask_clarifying_question", "extract_evidence"
        ), told_wrong  # fmt: skip


def test_after_the_end_the_score_stands_there_and_nothing_is_offered() -> None:
    told = seen({"action_type": "submit_audit"})
    shown = page(told)
    assert "Score" in shown.text
    assert f"{told['grader_score']:.3f} of 1" in shown.text
    environment = MedicalCodingEnvironment()
    assert environment.web_actions(told) == []
    assert environment.web_forms(told) == []


@pytest.mark.parametrize("seed", range(25))
def test_any_case_can_be_drawn(seed: int) -> None:
    told = seen(seed=seed)
    shown = page(told)
    assert told["clinical_note"] in shown.text
    assert set(shown.tags) <= TAGS
