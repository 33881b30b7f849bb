"""The physician tells what was left open, and nothing of what the note tells already."""

from __future__ import annotations

from dataclasses import replace

import pytest

import casegen
from casegen.env.audit.tools.physician import WHICH, Answer, answer
from casegen.env.audit.tools.subject import Words, content, subject, words_for
from casegen.schemas import Case, Fact, Question, Span
from casegen.schemas.pack import Task
from casegen.seeds import data

NAMING = {
    "side": (
        "Which side is the {}?",
        "Is the {} left or right?",
        "Which side does {} concern?",
        "Was it the left or the right side: {}?",
    ),
    "phase": (
        "Which phase of care was this for {}?",
        "Is this the initial or a subsequent encounter for {}?",
        "Is this a follow-up visit for {}?",
    ),
}
VAGUE = {
    "side": ("Which side is affected?", "Left or right?", "Please clarify the laterality."),
    "phase": ("Which phase of care was this?", "Is this an initial or a subsequent encounter?"),
}
IDLE = (
    "Is all of that right?",
    "Is line 1 right?",
    "Is the claim right?",
    "Which code is right?",
    "Is the first diagnosis on the claim right?",
    "Are these codes all right, doctor?",
    "Is the patient all right?",
    "Did you get the dose right?",
    "Is anything left?",
    "What is left to do?",
    "When was she left?",
    "Was the visit an initial visit for the new patient?",
    "Was this a subsequent visit of an established patient?",
)


@pytest.fixture(scope="module")
def case() -> Case:
    return casegen.make("audit-v0", seed=11)[0]


def question(topic: str, fact: str = "p1", said: str = "It is the left side.") -> Question:
    return Question(
        topic, list(data.read("questions.yaml")[topic]["keywords"]), said, fact, topic, "left"
    )


@pytest.fixture(scope="module")
def opened() -> list[tuple[Task, Question, Words]]:
    """Two hundred facts that generated notes leave open."""
    found: list[tuple[Task, Question, Words]] = []
    seed = 0
    while len(found) < 200:
        case = casegen.make("audit-v0", seed=seed, difficulty=("hard", "expert")[seed % 2])[0]
        seed += 1
        found += [
            (Task("t", "audit", "strict", case), q, words_for(case, q)) for q in case.questions
        ]
    return found


def fact_of(case: Case, fact_id: str) -> Fact:
    return next(fact for fact in case.record if fact.id == fact_id)


def test_a_question_about_the_open_fact_in_the_words_of_the_note_is_answered(
    opened: list[tuple[Task, Question, Words]],
) -> None:
    for one, question, _ in opened:
        for span in fact_of(one.case, question.fact).spans:
            for form in NAMING[question.topic]:
                told = answer(one, form.format(span.text))
                assert told.topic == question.topic, form.format(span.text)


def test_a_question_that_names_nothing_is_answered_with_what_it_is_about(
    opened: list[tuple[Task, Question, Words]],
) -> None:
    for one, question, _ in opened:
        for text in VAGUE[question.topic]:
            told = answer(one, text)
            assert told.topic == question.topic
            assert told.text.startswith(f"About '{subject(one.case, question)}': ")
            assert told.text.lower().endswith(question.answer.lower())


def test_a_question_about_another_problem_of_the_note_never_draws_the_answer(
    opened: list[tuple[Task, Question, Words]],
) -> None:
    asked = 0
    for one, question, words in opened:
        for fact in one.case.record:
            if fact.id == question.fact or fact.kind != "problem":
                continue
            for name in [span.text for span in fact.spans if len(span.text) < 80]:
                if content(name) <= words.own:
                    continue  # in such words the open one is meant as well
                asked += 1
                for form in NAMING[question.topic]:
                    told = answer(one, form.format(name))
                    assert told.topic is None, form.format(name)
    assert asked > 1_000


def test_what_draws_an_answer_shows_no_wording_or_status_of_the_record(
    opened: list[tuple[Task, Question, Words]],
) -> None:
    for one, question, _ in opened[:50]:
        record = [
            fact
            if fact.id == question.fact
            else replace(fact, term="hidden", status="active", attributes={}, about=[])
            for fact in one.case.record
            if fact.kind != "service"
        ]
        other = replace(one, case=replace(one.case, record=record))
        for fact in one.case.record:
            for form in NAMING[question.topic]:
                text = form.format(fact.term)
                assert answer(one, text) == answer(other, text)


def test_a_question_about_another_line_never_draws_the_answer(
    opened: list[tuple[Task, Question, Words]],
) -> None:
    for one, question, words in opened:
        for line in one.case.claim:
            named = content(line.description)
            # A line of the same category may be the open problem's own.
            if line.system == "ICD-10-CM" and named & words.wide:
                continue
            for form in NAMING[question.topic]:
                if named - words.own:
                    assert answer(one, form.format(line.description)).topic is None


@pytest.mark.parametrize("text", IDLE)
def test_right_and_left_and_a_first_visit_ask_for_nothing(
    text: str, opened: list[tuple[Task, Question, Words]], case: Case
) -> None:
    both = replace(case, questions=[question("side"), question("phase")])
    assert answer(Task("t", "audit", "strict", both), text).topic is None
    for one, _, _ in opened:
        assert answer(one, text).topic is None


def cataract_and_breast(case: Case, fact: str) -> Task:
    """A note with a left cataract and a lump of the breast."""
    said = {
        "c": ("Combined forms of age-related cataract", "left combined senile cataract"),
        "b": ("Unspecified lump in breast", "lump of the breast"),
        "h": ("Unspecified fracture of the lower end of radius", "fracture of the distal radius"),
    }
    facts = [
        Fact(name, "problem", term, "active", {}, [], [Span(0, 1, words)])
        for name, (term, words) in said.items()
    ]
    open_one = question("side", fact)
    return Task("t", "audit", "strict", replace(case, record=facts, claim=[], questions=[open_one]))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Which side is the cataract?", "c"),
        ("Which eye was it?", "c"),
        ("Is the right eye affected?", "c"),
        ("Which breast is it?", "b"),
        ("Is the lump in the right breast?", "b"),
        ("Which side is the lump on?", "b"),
        ("Which arm was it?", "h"),
        ("What wrist did she break?", "h"),
        ("Is it the left radius?", "h"),
        ("Which side is affected?", "cbh"),
        ("Left or right?", "cbh"),
        ("Which kidney was it?", ""),
        ("Which note was it?", ""),
    ],
)
def test_who_names_a_part_of_the_body_means_what_lies_there(
    text: str, drawn: str, case: Case
) -> None:
    for fact in "cbh":
        told = answer(cataract_and_breast(case, fact), text)
        assert (told.topic == "side") == (fact in drawn), (fact, told)
        if told.topic:
            assert told.text.endswith("it is the left side.")


def test_of_two_open_facts_the_physician_asks_which_is_meant(case: Case) -> None:
    one = cataract_and_breast(case, "c")
    more = [*one.case.questions, question("side", "b", "The right.")]
    both = replace(one, case=replace(one.case, questions=more))
    assert answer(both, "Which side is affected?") == Answer(None, WHICH)
    assert answer(both, "Which side is the lump?").text == "About 'lump of the breast': the right."
    assert answer(both, "Which side is the cataract?").text.endswith(": it is the left side.")
