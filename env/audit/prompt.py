"""What a language model is told of an audit, and how it may act."""

from __future__ import annotations

from typing import Any

from casegen.schemas.case import ErrorType
from casegen.schemas.play import AuditObservation

from ..prompt import Act, Prompt

SYSTEM = """\
You audit proposed medical claims before they are billed. You are given a clinical note, facts \
about the patient and the encounter, and the claim by line. Find every error on the claim, and \
leave alone what is right: some claims hold no error, and some codes look wrong and are right.

Kinds of error:
- demographic_mismatch: the code does not fit the patient's sex or age.
- excludes1_conflict: two diagnoses that an Excludes1 note keeps apart, where the record makes \
them one condition. An Excludes2 note is no conflict, nor are two conditions that the record \
calls unrelated.
- ncci_edit: two procedures that an NCCI edit keeps apart. Indicator 0: never both. Indicator 1: \
both only with a modifier that the record bears out. A deleted edit counts for nothing.
- specificity_error: the code says less or other than the record: side, phase of care (active \
treatment is A, care while healing is D), healing, kind of fracture, a detail, or it is \
incomplete.
- untraceable_code: no such code on the date of service (never existed, retired, not yet valid, \
of another code system).

Do one act at a time. Each act takes one of {steps} steps. Look codes up and check pairs of \
procedures before you flag. If the note leaves a side or a phase of care open, ask the physician \
about it. Do not repeat an act, and name only codes of the claim. A wrong flag costs more than a \
look-up. When all codes are reviewed, hand the audit in; what is not handed in by the last step \
is graded as it stands."""

_CODE = "A code of the claim, as it stands there."
ACTS = (
    Act("query_guideline", ("code",), "Look up what the official tables say of a code."),
    Act("check_ncci_edits", ("code1", "code2"), "Look up the NCCI edit of two procedure codes."),
    Act(
        "flag_error",
        ("code", "error_type", "justification"),
        "Put an error into the draft report.",
        optional=("suggested_code", "related_code"),
    ),
    Act("ask_clarifying_question", ("question",), "Ask the physician one short question."),
    Act("extract_evidence", ("evidence_text",), "Mark a passage of the note, word for word."),
    Act("submit_audit", (), "Hand in the draft report. This ends the audit.", ends=True),
    Act(
        "submit_report",
        ("report",),
        "Hand in a whole report in one act. This ends the audit.",
        ends=True,
    ),
)
FIELDS = {
    "code": _CODE,
    "code1": _CODE,
    "code2": "Another code of the claim.",
    "error_type": "The kind of error.",
    "justification": "Why, in one or two sentences, with the words of the rule or of the note.",
    "suggested_code": "What should stand on the claim instead, if anything: a code, or the line's "
    "own with the modifier that it lacks (code-modifier).",
    "related_code": "The other code of a pair.",
    "question": "A question about what the note leaves open.",
    "evidence_text": "A passage of the note, copied exactly.",
    "report": "All errors of the claim.",
}


def prompt() -> Prompt:
    """What a language model needs for an audit."""
    from casegen.schemas.play import AuditAction

    enums = {"error_type": list(ErrorType.__args__)}  # type: ignore[attr-defined]
    return Prompt(SYSTEM, ACTS, FIELDS, enums, AuditAction, as_text, result_text)


def as_text(observation: AuditObservation) -> str:
    """The first observation of an audit as a model reads it."""
    lines = [
        f"Audit {observation.task_id} ({observation.difficulty}), {observation.max_steps} steps.",
        "",
        f"Patient: {_pairs(observation.patient_demographics)}",
        f"Encounter: {_pairs(observation.encounter)}",
        "",
        "Proposed claim:",
        *map(_claim_line, claim_lines(observation)),
        "",
        "Clinical note:",
        observation.clinical_note,
    ]
    if observation.tool_result:
        lines += ["", observation.tool_result]
    return "\n".join(lines)


def result_text(observation: AuditObservation) -> str:
    """What came of the last act, as a model reads it."""
    lines = []
    if observation.last_action_error:
        lines.append(f"Error: {observation.last_action_error}")
    if observation.tool_result:
        lines.append(observation.tool_result)
    left = observation.max_steps - observation.step_count
    lines.append(f"[{left} of {observation.max_steps} steps left{_draft(observation)}]")
    return "\n".join(lines)


def claim_lines(observation: AuditObservation) -> list[dict[str, Any]]:
    """The claim by line, each with its description."""
    told = observation.proposed_codes
    return [
        {**line, "description": told.get(line["code"], {}).get("description", "")}
        for line in observation.claim_lines
    ]


def _claim_line(line: dict[str, Any]) -> str:
    modifiers = "".join(f"-{modifier}" for modifier in line.get("modifiers") or ())
    units = f" x{line['units']}" if line.get("units", 1) != 1 else ""
    code = f"{line['code']}{modifiers}{units} ({line['code_type']})"
    return f"{line['line']}. {code}: {line['description']}"


def _pairs(facts: dict[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in facts.items() if value is not None
    )


def _draft(observation: AuditObservation) -> str:
    flags = [f"{entry['code']} {entry['error_type']}" for entry in observation.draft_report]
    return f"; draft: {', '.join(flags)}" if flags else "; draft empty"
