"""What a language model is told of a coding case, and how it may act."""

from __future__ import annotations

from casegen.schemas.coding_play import CodingAction, CodingObservation

from ..prompt import Act, Prompt

SYSTEM = """\
You assign ICD-10-CM codes to an excerpt of a chart. You are given the excerpt, an objective and \
a closed set of allowed codes with their official titles. Choose the primary code, all secondary \
codes that the record calls for, and say whether a human coder has to review the chart.

How to code:
- The primary code is the reason for the encounter, unless the classification puts another first: \
the etiology before its manifestation, chapter 15 in pregnancy, what a note says to code first, a \
poisoning before its effects.
- Code what the record states, as finely as it states it: side, stage, phase of care, type. Do \
not code what is ruled out or over, nor symptoms that belong to an established diagnosis.
- A diagnosis that is only probable, suspected or to be ruled out is coded as if it existed after \
an inpatient stay that a facility bills; elsewhere the symptoms are coded.
- Some conditions are told together by one code, such as hypertension with chronic kidney \
disease. Where a note asks for an additional code, add it.
- Ask for review where the record itself cannot settle the coding: clinicians contradict each \
other, a fact that decides is missing, a work-up is unresolved. An uncertain diagnosis that the \
guidelines settle needs no review.

Do one act at a time. Each act takes one of {steps} steps. Name allowed codes alone: a draft with \
another is refused. Each code that is not called for costs, as does a hint and a draft that is \
handed in again. Finalize when the draft is complete; what is not finalized by the last step is \
graded as it stands."""

_DRAFT = ("primary_code", "secondary_codes", "needs_review")
ACTS = (
    Act(
        "submit_draft",
        (),
        "Put codes and the review flag into the draft; what is left out stays as it is.",
        optional=_DRAFT,
        fixed={},
    ),
    Act("request_hint", (), "Ask for the next hint. It costs.", fixed={"request_hint": True}),
    Act(
        "finalize",
        (),
        "End the episode with the draft, changed first if codes or the flag are given.",
        optional=_DRAFT,
        ends=True,
        fixed={"finalize": True},
    ),
)
FIELDS = {
    "primary_code": "The primary code, one of those allowed.",
    "secondary_codes": "All secondary codes, of those allowed; an empty list for none.",
    "needs_review": "Whether a human coder has to review the chart.",
}


def prompt() -> Prompt:
    """What a language model needs for a coding case."""
    return Prompt(SYSTEM, ACTS, FIELDS, {}, CodingAction, as_text, result_text)


def as_text(observation: CodingObservation) -> str:
    """The first observation of a coding case as a model reads it."""
    lines = [
        f"Coding {observation.task_id} ({observation.difficulty}), {observation.max_steps} steps.",
        "",
        f"Objective: {observation.objective}",
        "",
        "Chart excerpt:",
        observation.encounter_text,
        "",
        "Allowed codes:",
        *(f"{code}: {title}" for code, title in observation.code_titles.items()),
    ]
    return "\n".join(lines)


def result_text(observation: CodingObservation) -> str:
    """What came of the last act, as a model reads it."""
    lines = []
    if observation.last_action_error:
        lines.append(f"Error: {observation.last_action_error}")
    lines += [f"Hint {number}: {hint}" for number, hint in enumerate(observation.revealed_hints, 1)]
    if observation.progress_score is not None:
        lines.append(f"Best score so far: {observation.progress_score:.2f}")
    lines += observation.grader_feedback or []
    left, most = observation.attempts_remaining, observation.max_steps
    lines.append(f"[{left} of {most} steps left; {_draft(observation)}]")
    return "\n".join(lines)


def _draft(observation: CodingObservation) -> str:
    primary, secondary = observation.current_primary_code, observation.current_secondary_codes
    if not primary and not secondary:
        told = "draft empty"
    else:
        told = f"draft: primary {primary or 'none'}, secondary {', '.join(secondary) or 'none'}"
    return told + (", review needed" if observation.current_needs_review else "")
