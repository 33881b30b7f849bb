"""The physician answers what is asked, one thing at a time, and nothing to who asks for all."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest

import casegen
from casegen.env.audit.tools.physician import AGAIN, NOTHING, ONE_THING, Answer, answer
from casegen.env.audit.tools.subject import subject
from casegen.schemas import Case, Question
from casegen.schemas.pack import Task
from casegen.seeds import data

TOPICS = ("side", "phase")
ANSWERS = {"side": "It is the left side.", "phase": "Active treatment is over."}

SIDE = (
    "Which side is affected?",
    "What side was the fracture on?",
    "which SIDE",
    "Side?",
    "Laterality?",
    "What is the laterality of the injury?",
    "Could you clarify the laterality, please?",
    "Please specify the laterality of the shoulder problem.",
    "Left or right?",
    "Is it left, right or bilateral?",
    "Left, right, or both sides?",
    "Is it the left knee or the right knee?",
    "Was it the left or the right wrist that was injured?",
    "Was it the left knee?",
    "Is the right ear affected?",
    "Is the elbow pain on the right?",
    "Is this condition bilateral?",
    "Are both sides involved?",
    "On which side of the body is the cataract?",
    "Does the patient have the disease on one side or on both sides?",
    "Can you confirm whether the osteoarthritis is left-sided or right-sided?",
    "Is it right-sided?",
    "The note doesn't say which side the ulcer is on. Which one is it?",
    "The note does not state laterality. Is the hip on the left or the right?",
    "You wrote 'tennis elbow'; is that the left elbow or the right one?",
    "Doctor, the side isn't documented - could you state it?",
    "I can't tell whether the left or right eye was treated; which was it?",
    "Please document the side of the fracture for the record.",
    "Sorry to trouble you: what's the affected side?",
    "During this visit, which side was examined?",
    "For the subsequent encounter of this fracture, which side is it?",
    "Is the healing fracture on the left or the right side?",
    "At this follow-up visit, was the left or the right ankle seen?",
    "Was the initial visit for the right or the left wrist?",
    "Is the problem unilateral or bilateral?",
    "Which side's shoulder hurts?",
)
PHASE = (
    "Is this an initial or a subsequent encounter?",
    "Was this the initial encounter for the injury?",
    "Is this a subsequent visit?",
    "Which phase of care was this?",
    "What phase of treatment is the patient in?",
    "Phase of care?",
    "Is the patient still receiving active treatment?",
    "Was active treatment given at this encounter?",
    "Is the injury still being actively treated?",
    "Has the active treatment ended?",
    "Is this a follow-up visit for the injury?",
    "Is it followup care?",
    "Was this a follow up?",
    "Is the fracture healing?",
    "Had the wound healed by then, or was it treated further?",
    "Is she in the healing phase?",
    "Please clarify the phase of care for the sprain.",
    "Please confirm whether this is initial or subsequent care.",
    "Could you tell me if active treatment of the burn is over?",
    "Was the encounter for active treatment or for routine healing?",
    "Is this the initial visit for the left wrist fracture?",
    "Is this initial or subsequent treatment of the right knee?",
    "Is the left-sided fracture in its healing phase?",
    "Was this right knee injury treated as an initial or a subsequent encounter?",
    "Given the left wrist fracture, is the care initial or subsequent?",
    "The note says left ankle sprain. Is this the initial encounter?",
    "The 7th character depends on it: initial or subsequent?",
    "Doctor, isn't this a subsequent encounter?",
    "What's the phase?",
    "PHASE OF CARE, PLEASE?",
    "I need to know whether treatment is still active.",
    "Is the patient, who broke the right hip, in the healing phase?",
    "Initially seen for this injury, or subsequently?",
)
ELSEWHERE = (
    "What medications does the patient take?",
    "Is the patient diabetic?",
    "What did the chest film show?",
    "Is there anything else that you would like to add?",
    "What is the plan?",
    "What is the treatment plan?",
    "Is the patient's diabetes under treatment?",
    "Was anything left out of the note?",
    "Is the code right?",
    "Am I right that the patient smokes?",
    "You saw her in May, right?",
    "What should we do right now?",
    "Who is the referring doctor?",
    "How old is the patient?",
    "Does the patient have active asthma?",
    "The?",
    "What is it?",
    "???",
    "12345",
)
ATTACKS = (
    "side laterality left right phase initial subsequent",
    "side laterality left right bilateral",
    "initial subsequent active treatment phase healing follow-up",
    "side phase",
    "side, phase",
    "side/phase?",
    "side and phase?",
    "laterality phase?",
    "left right initial subsequent?",
    "left right bilateral initial subsequent healing?",
    "Which side and which phase?",
    "Which side? Which phase?",
    "What side is it, and is it initial or subsequent?",
    "Is it left or right, initial or subsequent?",
    "Is it left or right? Is it initial or subsequent?",
    "Please clarify laterality or phase of care.",
    "Please clarify laterality and phase of care.",
    "Please clarify laterality, phase, and anything else.",
    "Please state the side as well as the phase.",
    "Please give the side, also the phase.",
    "Tell me the side plus the phase of treatment.",
    "Tell me the side; then tell me the phase.",
    "Tell me: side? phase?",
    "What is the side\nWhat is the phase",
    "Which side was it - and which phase of care?",
    "Which side (and phase) was treated?",
    "Could you clarify the laterality (left, right) or encounter type (initial, subsequent)?",
    "Could you specify left vs right and initial vs subsequent?",
    "Please confirm side/laterality/left/right/phase/initial/subsequent.",
    "I need laterality, phase, side, follow-up, initial, subsequent, left, right. Which?",
    "Is the side or the phase documented?",
    "Does the note lack the side or the phase?",
    "Is the laterality or the healing phase missing?",
    "Side? Laterality? Left? Right? Phase? Initial? Subsequent? Healing?",
    "SIDE PHASE?",
    "s\u200bide and ph\u200base?",
    "What are the laterality and the phase?",
    "Which side, which phase, which treatment?",
    "Left or right & initial or subsequent?",
    "What are side + phase?",
    "Is this bilateral or subsequent, left or initial?",
    "Whether laterality, whether phase.",
    "First the side, second the phase, please?",
    "Are the side of the injury and the phase of its treatment known to you?",
    "What about laterality or initial or subsequent encounter?",
    "For side: left or right? For phase: initial or subsequent?",
    "side " * 61,
    "Which side is it? " + "x" * 400,
    "left right " * 20 + "?",
)  # fmt: skip


INJURIES = re.compile(r"wound|fractur|injur|burn|sprain|lacerat|broke|cast\b|splint|scald|strain")
PARTS = re.compile(r"\b(?:eye|knee|hip|wrist|elbow|shoulder|ankle|ear)")


@pytest.fixture(scope="module")
def case() -> Case:
    """A case that speaks of none of the injuries in the questions, so that they name its own
    open problem and no other."""
    for case in casegen.make("audit-v0", seed=11).cases(0, 200):
        words = " ".join([case.note, *(line.description for line in case.claim)]).lower()
        problems = " ".join(fact.term.lower() for fact in case.record)
        own = any(f.id == "p1" for f in case.record)
        if own and not INJURIES.search(words) and not PARTS.search(problems):
            return case
    raise AssertionError("every case speaks of an injury")


def question(topic: str) -> Question:
    keywords = data.read("questions.yaml")[topic]["keywords"]
    return Question(topic, list(keywords), ANSWERS[topic], "p1", topic, "left")


def task(case: Case, *topics: str | Question) -> Task:
    questions = [question(one) if isinstance(one, str) else one for one in topics]
    return Task("t", "audit", "strict", replace(case, questions=questions))


def every_task(case: Case) -> list[Task]:
    """Tasks whose physician knows of no topic, of one, or of both, in either order."""
    sets = [set_ for size in range(3) for set_ in combinations(TOPICS, size)]
    return [task(case, *topics) for topics in [*sets, TOPICS[::-1]]]


def said(case: Case, topic: str) -> str:
    """The answer, with the words by which the note names the open problem."""
    words = subject(case, question(topic))
    assert words in case.note
    return f"About '{words}': {ANSWERS[topic][0].lower()}{ANSWERS[topic][1:]}"


def test_there_are_enough_wordings_to_tell() -> None:
    assert len(SIDE) + len(PHASE) >= 60
    assert len(ATTACKS) >= 40


@pytest.mark.parametrize(
    ("topic", "text"), [*(("side", q) for q in SIDE), *(("phase", q) for q in PHASE)]
)
def test_an_honest_question_is_answered(topic: str, text: str, case: Case) -> None:
    assert answer(task(case, topic), text) == Answer(topic, said(case, topic))
    assert answer(task(case, *TOPICS), text) == Answer(topic, said(case, topic))


@pytest.mark.parametrize(
    ("topic", "text"), [*(("phase", q) for q in SIDE), *(("side", q) for q in PHASE)]
)
def test_a_question_is_not_answered_with_another_topic(topic: str, text: str, case: Case) -> None:
    assert answer(task(case, topic), text) == Answer(None, NOTHING)


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_no_topic_is_about_gets_no_answer(text: str, case: Case) -> None:
    assert answer(task(case, *TOPICS), text) == Answer(None, NOTHING)


@pytest.mark.parametrize("text", ATTACKS)
def test_who_asks_for_everything_is_refused_whatever_the_physician_knows(
    text: str, case: Case
) -> None:
    for one in every_task(case):
        told = answer(one, text)
        assert told.refused
        assert told.topic is None
        assert told.why
        assert not any(words[3:] in told.text for words in ANSWERS.values())


def test_the_physician_never_tells_by_a_refusal_what_he_knows(case: Case) -> None:
    for text in ATTACKS:
        assert len({answer(one, text).text for one in every_task(case)}) == 1


def test_no_question_is_answered_with_whatever_the_case_holds(case: Case) -> None:
    for text in (*SIDE, *PHASE, *ELSEWHERE, *ATTACKS):
        got = {answer(one, text).topic for one in every_task(case)} - {None}
        assert len(got) <= 1, text


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_that_was_answered_is_repeated(topic: str, case: Case) -> None:
    text = SIDE[0] if topic == "side" else PHASE[0]
    assert answer(task(case, *TOPICS), text, [topic]) == Answer(topic, AGAIN, False, AGAIN)
    other = next(one for one in TOPICS if one != topic)
    assert answer(task(case, *TOPICS), text, [other]).text == said(case, topic)


@pytest.mark.parametrize("text", [q for pair in zip(SIDE, PHASE, strict=False) for q in pair][:40])
def test_case_and_blanks_make_no_difference(text: str, case: Case) -> None:
    plain = answer(task(case, *TOPICS), text)
    for other in (text.upper(), text.lower(), f"  {text}  ", text.replace(" ", "   ")):
        if len(other) <= 400:
            assert answer(task(case, *TOPICS), other) == plain


def own(topic: str, *keywords: str) -> Question:
    return Question(topic, list(keywords), f"About {topic}.", "p1", "side", "left")


ASTHMA = own("asthma_status", "asthma", "superseded", "current diagnosis", "the", "what")
FRACTURE = own("fracture_visit", "initial", "follow-up", "7th character", "encounter type")


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Was the asthma superseded by COPD?", "asthma_status"),
        ("What is the current diagnosis?", "asthma_status"),
        ("Is the diagnosis current?", None),  # the two words must stand side by side
        ("What is the matter?", None),  # what and the are no keywords
        ("Does the patient still have asthma?", "asthma_status"),
        ("Was this a follow-up visit?", "fracture_visit"),
        ("Was this the initial encounter or a subsequent one?", "fracture_visit"),
        ("Which encounter type is it?", "fracture_visit"),
        ("Which 7th character applies?", "fracture_visit"),
        ("Does he take insulin?", None),
    ],
)
def test_the_topics_of_a_pack_are_found_by_their_own_keywords(
    text: str, topic: str | None, case: Case
) -> None:
    told = answer(task(case, ASTHMA, FRACTURE), text)
    assert told.topic == topic
    assert told.text == (NOTHING if topic is None else f"About {topic}.")


def test_topics_of_a_pack_are_asked_for_one_by_one(case: Case) -> None:
    told = answer(
        task(case, ASTHMA, FRACTURE), "Is the asthma current, and which encounter type is it?"
    )
    assert (told.text, told.refused) == (ONE_THING, True)


def test_the_value_of_an_answer_changes_nothing_before_it_is_given(case: Case) -> None:
    one = task(case, "side")
    other = task(case, replace(question("side"), answer="It is the right side.", value="right"))
    for text in (*PHASE, *ELSEWHERE, *ATTACKS):
        assert answer(one, text) == answer(other, text)
