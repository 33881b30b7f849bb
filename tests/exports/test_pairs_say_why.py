"""The words of a turn rest on what was asked, and bear the act out."""

from __future__ import annotations

import re
from typing import Any

import casegen
from casegen.env.audit.told import why_wrong
from casegen.env.coding.agents.rivals import names_reason
from casegen.env.tasks import find_task
from casegen.exports.rollout import rollout
from casegen.schemas import Case

SUBMIT = {"action_type": "submit_audit"}
CASES = 60


def unflagged(case: Case, asked: list[str]) -> str:
    seen: dict[str, Any] = {"draft_report": [], "clarifications_asked": asked}
    return why_wrong(case, seen, SUBMIT, None)


def rationales(name: str) -> list[str]:
    found = []
    for index in range(CASES):
        task = find_task(name, split="train", seed=611, index=index)
        found += [step.rationale or "" for step in rollout(task, "rules", 1).steps]
    return found


def test_no_answer_of_the_physician_is_cited_that_nobody_asked_for() -> None:
    seen = 0
    for case in casegen.make("audit-v0", seed=611).cases(0, 300):
        if any(finding.questions for finding in case.findings):
            seen += 1
            told = unflagged(case, [])
            assert "who was not asked" in told
            assert "the physician's answer" not in told
    assert seen >= 5


def test_a_flag_of_a_pair_says_why_a_modifier_does_not_part_it() -> None:
    told = [text for text in rationales("audit") if "NCCI pair" in text and "I flag" in text]
    assert told
    for text in told:
        assert re.search(r"modifier indicator [01]: (?:no|a) modifier", text), text


def test_what_goes_first_by_its_sentence_quotes_the_sentence_on_the_reason() -> None:
    told = [text for text in rationales("coding") if "encounter was for" in text]
    assert len(told) >= 5
    for text in told:
        assert any(names_reason(quote) for quote in re.findall(r'"([^"]*)"', text)), text


def test_an_age_has_its_article() -> None:
    texts = [text for name in ("audit", "coding") for text in rationales(name)]
    for text in texts:
        assert not re.search(r"\ba (?:8|11|18|8\d)-|\ban (?:[1-79]|1[02-79]|[2-79]\d)-", text), text
