"""An rx case as HTML: everything is escaped, and what may be done is offered."""

from __future__ import annotations

from typing import Any

from casegen.env.rx import RxSafeEnvironment

from ..coding.test_page import EVIL, TAGS, Reader
from .conftest import CIPRO, WARFARIN, case


def seen(*actions: dict[str, Any], **settings: Any) -> dict[str, Any]:
    """The observation after some acts, as the page gets it."""
    environment = RxSafeEnvironment()
    observation = environment.begin(**(settings or {"task_id": CIPRO}))
    for action in actions:
        observation = environment.act(action)
    payload = environment.payload(observation)
    return {**payload["observation"], "reward": payload["reward"], "done": payload["done"]}


def page(told: dict[str, Any]) -> Reader:
    return Reader(RxSafeEnvironment().render_web(told))


def ask(what: str) -> dict[str, Any]:
    return {"action_type": "request_info", "info_requested": what}


def test_the_page_shows_the_prescription_and_the_record_as_far_as_it_was_asked_for() -> None:
    told = page(seen())
    assert "Cipro 500 mg tablet oral BID" in told.text
    assert "Margarethe Koenig, 66 years old, female" in told.text
    assert told.text.count("not asked for yet") == 3
    after = page(seen(ask("conditions")))
    assert "Myasthenia gravis, seropositive" in after.text
    assert "warfarin" not in after.text
    assert set(after.tags) <= TAGS


def test_buttons_ask_for_what_is_still_hidden() -> None:
    environment = RxSafeEnvironment()
    names = [label for label, _ in environment.web_actions(seen())]
    assert names == ["Ask for allergies", "Ask for medications", "Ask for conditions",
                     "Ask for all of it"]  # fmt: skip
    left = environment.web_actions(seen(ask("allergies"), ask("medications")))
    assert left == [("Ask for conditions", ask("conditions"))]
    assert environment.web_actions(seen(ask("full_profile"))) == []


def test_the_form_holds_the_fields_of_the_task() -> None:
    environment = RxSafeEnvironment()
    fields = {
        task_id: [one["name"] for one in environment.web_forms(seen(task_id=task_id))[0]["fields"]]
        for task_id in ("dosage_check_5", WARFARIN, CIPRO)
    }
    always = ["dosage_safe", "recommendation", "reasoning"]
    pairs = ["interactions_found", "allergy_conflicts", "contraindications_found"]
    assert fields == {
        "dosage_check_5": always,
        WARFARIN: [always[0], *pairs[:2], *always[1:]],
        CIPRO: [always[0], *pairs, *always[1:]],
    }
    (form,) = environment.web_forms(seen())
    kinds = {one["name"]: one["kind"] for one in form["fields"]}
    assert kinds["interactions_found"] == "lines"
    assert form["action"] == {"action_type": "submit"}


def test_at_the_end_the_grade_is_shown_and_nothing_is_offered() -> None:
    environment = RxSafeEnvironment()
    told = seen({"action_type": "submit", "dosage_safe": True, "recommendation": "approve"})
    shown = page(told)
    assert "A dangerous prescription was approved." in shown.text
    assert "myasthenia_gravis-ciprofloxacin" in shown.text
    assert environment.web_actions(told) == environment.web_forms(told) == []


def test_all_text_is_escaped() -> None:
    told = seen(ask("full_profile"))
    bad: dict[str, Any] = {
        name: EVIL if isinstance(value, str) and name not in ("task", "difficulty") else value
        for name, value in told.items()
    }
    bad |= {"known_allergies": [EVIL], "medical_conditions": [EVIL], "last_action_error": EVIL}
    shown = page(bad)
    assert set(shown.tags) <= TAGS
    assert EVIL in shown.text


def test_the_documented_scenarios_can_be_chosen_one_by_one() -> None:
    labels = [one["label"] for one in RxSafeEnvironment().web_choices()]
    assert WARFARIN in labels
    assert sum(not label.startswith("a new case") for label in labels) == 22
    assert case(WARFARIN).prescription.drug == "aspirin"
