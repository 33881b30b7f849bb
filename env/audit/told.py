"""What is wrong and what is right with an act of an audit, for a reader who has the record.

Reasons rest on the claim, the note and the tables: none is a message of the environment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from casegen.env.writing.words import cited, listed, named
from casegen.schemas import Case, Decoy, Fact, Finding, Question
from casegen.schemas.authority import guideline

from .agents.cues import care_of
from .agents.expert import QUESTIONS
from .agents.passages import of_record, telling
from .agents.quoting import quoted
from .ledger import names_error, unnamed
from .tools.subject import subject

Act = Mapping[str, Any]
_LONGEST_HEADING = 60
# Turns of phrase of findings that rest on an answer, and what is said where nobody asked for it.
_UNASKED = {
    "than the physician's answer": "than the physician would document, who was not asked",
    "the physician's answer makes": "the answer of the physician, who was not asked, would make",
}
_TOPICS = {"side": "side", "phase": "phase of care"}
_SIDED = re.compile(r"\b(?:right|left|bilateral(?:ly)?|both)\b", re.I)
_TELLS: Mapping[str, Callable[[str], bool]] = {
    "side": lambda text: _SIDED.search(text) is not None,
    "phase": lambda text: care_of(text).phase is not None,
}
_RULES = {
    "side": f"The code takes the side that is documented ({named(guideline('I.B.13'))})",
    "phase": "The seventh character follows the care that is documented",
}


def why_wrong(case: Case, seen: Mapping[str, Any], act: Act, complaint: str | None) -> str:
    """What is wrong with an act, in sentences."""
    kind, code = act["action_type"], act.get("code")
    if kind.startswith("submit_"):
        return _unflagged(case, seen)
    if kind == "flag_error":
        return _wrong_flag(case, act, seen)
    if kind == "ask_clarifying_question":
        return _needless(case, act["question"])
    if kind == "query_guideline" and code in seen["codes_queried"]:
        return (
            f"{code} was looked up before, and what the tables say of it stands above; a second "
            "look shows nothing new and takes a step."
        )
    if complaint is not None:
        return f"it can't be carried out: {complaint}."
    return "it leaves too few steps for the errors that are still to be flagged."


def why_right(case: Case, seen: Mapping[str, Any], act: Act) -> str:
    """What is right with a sound act, in sentences."""
    kind = act["action_type"]
    if kind.startswith("submit_"):
        return _all_flagged(case)
    if kind == "flag_error":
        about = next(f for f in case.findings if names_error(f, act["code"], act["error_type"]))
        return f"{act['code']} is in error: {_explained(case, about, seen)}"
    if kind == "query_guideline":
        line = next((one.line for one in case.claim if one.code == act["code"]), None)
        return (
            f"{act['code']} on line {line} has not been looked up yet, and whether it stands "
            "rests on what the tables say of it."
        )
    if kind == "check_ncci_edits":
        return (
            f"the pair {act['code1']} and {act['code2']} has not been checked yet, and the NCCI "
            "edit says whether both may be billed."
        )
    if kind == "ask_clarifying_question":
        return _open(case, act["question"])
    return (
        f'the words "{cited(act["evidence_text"])}" bear on a line, and a reviewer can trace them.'
    )


def _explained(case: Case, finding: Finding, seen: Mapping[str, Any]) -> str:
    """Why a finding is one, with its authority and words of the note. Of an answer that nobody
    asked for it is said that it was not asked for."""
    why = finding.explanation.rstrip(".")
    if finding.questions and not _answered(case, finding, seen):
        for answered, unasked in _UNASKED.items():
            why = why.replace(answered, unasked)
    told = f"{why} ({named(finding.authority)})."
    quote = _quote(case, finding)
    return f'{told} The note has "{quote}".' if quote else told


def _answered(case: Case, finding: Finding, seen: Mapping[str, Any]) -> bool:
    """Whether the physician was asked for what a finding rests on."""
    asked = seen.get("clarifications_asked", ())
    return {_topic(case, question) for question in asked} >= set(finding.questions)


def _topic(case: Case, question: str) -> str | None:
    """The topic of a question that the note leaves open, in the words of the written agents."""
    for one in case.questions:
        form = QUESTIONS.get(one.topic)
        if form is not None and form.format(subject=subject(case, one)) == question:
            return one.topic
    return None


def _quote(case: Case, about: Finding | Decoy) -> str | None:
    """The words of the note that say most, so many that they say something by themselves."""
    span = telling(case, about)
    return cited(quoted(case.note, span)) if span is not None else None


def _unflagged(case: Case, seen: Mapping[str, Any]) -> str:
    left = unnamed(case, seen["draft_report"])
    told = " ".join(f"{one.code} ({one.error_type}): {_explained(case, one, seen)}" for one in left)
    return f"it hands in, and errors are not flagged. {told}"


def _all_flagged(case: Case) -> str:
    if not case.findings:
        return "no line of the claim is in error: each agrees with the record and the tables."
    flags = [f"{one.code} ({one.error_type})" for one in case.findings]
    return f"each error of the claim is flagged, and nothing else: {listed(flags)}."


def _wrong_flag(case: Case, act: Act, seen: Mapping[str, Any]) -> str:
    code, kind = act["code"], act["error_type"]
    if code not in {line.code for line in case.claim}:
        return f"{code} is not on the claim; its lines hold {_lines(case)}."
    about = [f for f in case.findings if code in f.accepted_codes]
    if not about:
        return f"{code} is right and was flagged. {_standing(case, act)}".strip()
    told = " ".join(f"It is {one.error_type}: {_explained(case, one, seen)}" for one in about)
    return f"{code} is in error, but not of the type {kind}. {told}"


def _lines(case: Case) -> str:
    return listed(list(dict.fromkeys(line.code for line in case.claim))) or "no code"


def _standing(case: Case, act: Act) -> str:
    """Why a line that was flagged stands."""
    code, related = act["code"], act.get("related_code")
    decoys = [one for one in case.decoys if code in (one.code, one.related_code)]
    decoys.sort(key=lambda one: related not in (one.code, one.related_code))
    if decoys and decoys[0].error_type == act["error_type"]:
        return _borne_out(case, decoys[0])
    title = next(line.description for line in case.claim if line.code == code)
    quote = cited(of_record(case)(code))
    if quote is None:
        return f"Nothing in the record or the tables speaks against {code}, {title}."
    return f'The note has "{quote}", which is what {code}, {title}, says.'


def _borne_out(case: Case, decoy: Decoy) -> str:
    quote = _quote(case, decoy)
    told = f"{decoy.reason.rstrip('.')} ({named(decoy.authority)})."
    return f'{told} The note has "{quote}".' if quote else told


def _asked(case: Case, question: str) -> tuple[str, Fact] | None:
    """The topic that a question asks for, and the fact that it is about."""
    for topic, form in QUESTIONS.items():
        for fact in case.record:
            if topic in fact.attributes and fact.spans:
                about = subject(case, Question(topic, [], "", fact.id, topic, ""))
                if form.format(subject=about) == question:
                    return topic, fact
    return None


def _needless(case: Case, question: str) -> str:
    """What the note already says, and where."""
    found = _asked(case, question)
    if found is None:
        return "the note leaves nothing open that the question asks for."
    topic, fact = found
    texts = sorted(fact.spans, key=lambda one: (not _TELLS[topic](one.text), -len(one.text)))
    place = heading(case.note, texts[0].start)
    where = f' under "{place}"' if place else ""
    return (
        f'the {_TOPICS[topic]} is documented: the note says "{cited(texts[0].text)}"{where}. '
        f"{_RULES[topic]}, so that nothing is left for the physician to add."
    )


def _open(case: Case, question: str) -> str:
    topic = _topic(case, question)
    if topic is not None:
        finding = next((f for f in case.findings if topic in f.questions), None)
        rule = f" ({named(finding.authority)})" if finding else ""
        return (
            f"the note leaves the {_TOPICS[topic]} open, and only the physician can "
            f"document it{rule}."
        )
    return "the note leaves it open, and only the physician can document it."


def heading(note: str, at: int) -> str | None:
    """The heading under which a place of a note stands, or the one that begins its line."""
    lines = note[:at].split("\n")
    label, colon, _ = lines[-1].partition(": ")
    if colon and len(label) <= _LONGEST_HEADING and label[:1].isupper() and "." not in label:
        return label
    for line in reversed(lines[:-1]):
        bare = line.strip()
        if bare and len(bare) <= _LONGEST_HEADING and bare[0].isupper() and bare[-1] not in ".!?;,":
            return bare.rstrip(":")
    return None
