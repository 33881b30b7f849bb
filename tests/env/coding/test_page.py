"""A coding case as HTML: everything is escaped, and what may be done is offered."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from casegen.env.coding import MedicalCodingEnvironment

from .conftest import EASY

TAGS = {
    "div", "section", "h2", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "p",
    "ul", "li", "small",
}  # fmt: skip
EVIL = "<script>alert('&')</script>\"<img src=x onerror=y>"


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
    observation = environment.begin(**(settings or {"task_id": EASY}))
    for action in actions:
        observation = environment.act(action)
    payload = environment.payload(observation)
    return {**payload["observation"], "reward": payload["reward"], "done": payload["done"]}


def page(told: dict[str, Any]) -> Reader:
    return Reader(MedicalCodingEnvironment().render_web(told))


def test_the_page_shows_the_whole_case() -> None:
    told = seen()
    shown = page(told)
    assert told["encounter_text"] in shown.text
    assert told["objective"] in shown.text
    for code, title in told["code_titles"].items():
        assert code in shown.text
        assert title in shown.text
    assert "0 of 5 steps taken" in shown.text
    assert set(shown.tags) <= TAGS


def test_a_draft_its_score_and_the_hints_are_shown() -> None:
    told = seen({"primary_code": "e11.65", "needs_review": True}, {"request_hint": True})
    shown = page(told).text
    assert "Best score so far: 0.30" in shown
    assert "right family only" in shown
    assert told["revealed_hints"][0] in shown
    assert "needed" in shown


def test_under_strict_no_score_is_shown_before_the_end() -> None:
    codes = seen(seed=3)["allowed_codes"]
    shown = page(seen({"primary_code": codes[0]}, seed=3)).text
    assert "Best score" not in shown
    assert "reward of this act" not in shown


def test_what_an_agent_or_a_note_says_is_text_and_nothing_else() -> None:
    told = seen({"primary_code": EVIL}, {"request_hint": True})
    told |= {"encounter_text": f"before {EVIL} after", "objective": EVIL, "revealed_hints": [EVIL]}
    told |= {"code_titles": {"E11.9": EVIL}, "last_action_error": EVIL}
    told |= {"grader_feedback": [EVIL], "current_primary_code": EVIL}
    shown = page(told)
    assert set(shown.tags) <= TAGS
    assert shown.text.count(EVIL) == 7


def test_each_button_and_the_form_make_acts_that_can_be_carried_out() -> None:
    environment = MedicalCodingEnvironment()
    told = seen()
    for _, action in environment.web_actions(told):
        assert seen(action)["last_action_error"] is None
    (form,) = environment.web_forms(told)
    fields = {field["name"]: field for field in form["fields"]}
    action = {
        **form["action"],
        "primary_code": fields["primary_code"]["options"][4][0],
        "secondary_codes": [fields["secondary_codes"]["options"][-1][0]],
        "needs_review": False,
    }
    after = seen(action, {"finalize": True})
    assert after["grader_score"] == 1.0


def test_the_form_is_filled_in_with_the_draft_as_it_stands() -> None:
    told = seen(
        {"primary_code": "E11.9", "secondary_codes": ["Z79.84", "Z79.4"], "needs_review": True}
    )
    (form,) = MedicalCodingEnvironment().web_forms(told)
    assert {field["name"]: field["value"] for field in form["fields"]} == {
        "primary_code": "E11.9",
        "secondary_codes": ["Z79.84", "Z79.4"],
        "needs_review": True,
    }


def test_after_the_end_the_score_stands_there_and_nothing_is_offered() -> None:
    told = seen({"primary_code": "E11.9", "finalize": True})
    shown = page(told)
    assert f"{told['grader_score']:.3f} of 1" in shown.text
    environment = MedicalCodingEnvironment()
    assert environment.web_actions(told) == []
    assert environment.web_forms(told) == []


@pytest.mark.parametrize("seed", range(15))
def test_any_case_can_be_drawn(seed: int) -> None:
    told = seen(seed=seed)
    shown = page(told)
    assert told["encounter_text"] in shown.text
    assert set(shown.tags) <= TAGS
