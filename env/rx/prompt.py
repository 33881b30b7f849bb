"""What a language model is told of an rx case, and how it may act."""

from __future__ import annotations

from casegen.schemas.rx_play import RxAction, RxObservation

from ..prompt import Act, Prompt
from .acts import RECOMMENDATIONS, REQUESTS
from .written import Fields, looked_for, patient, prescription, record

SYSTEM = """\
You are a pharmacist who validates a prescription before it is dispensed. You see the patient's \
name, age and sex and the prescription. The record (allergies, current medications, conditions \
with measures) is told when you ask for it. Look first, then submit your findings and one \
recommendation.

How to judge:
- dosage_safe: whether the dose as written is right for this patient with all that is known: \
highest and lowest usual dose by indication, age, weight, kidney and liver function, how often it \
is given, the same ingredient in other medications, the limit beside another drug, the unit, and \
error-prone notation. Of a drug that does not exist no dose is safe.
- interactions_found: pairs that a label forbids, says to avoid, limits (if the limit is \
exceeded), to adjust or to separate, and two drugs of which one is enough. Stopped medications do \
not count; what is only to be watched is no finding.
- allergy_conflicts: allergies, cross-reactions included, for which an authority says \
contraindicated or avoid. An intolerance is no allergy.
- contraindications_found: conditions, measured values, age or pregnancy for which the label or a \
guideline says contraindicated or avoid.
- recommendation: reject for a drug that does not exist, a pair that is forbidden or to be \
avoided, a duplicate, an allergy or a contraindication; modify where a dose, its unit or an \
adjustment mends it; approve where nothing is found.

A pair is written A-B: warfarin-aspirin, penicillin-amoxicillin, kidney_disease-metformin; for a \
measure egfr-metformin, for age or pregnancy age-tramadol or pregnancy-warfarin. Give an empty \
list where there is nothing; a field that is left out is wrong, and so is each pair that is none.

Do one act at a time. Each act takes one of {steps} steps, and what was not submitted by the last \
step counts for nothing."""

ACTS = (
    Act(
        "request_info",
        ("info_requested",),
        "See a part of the record: allergies, medications, conditions, or full_profile for all.",
    ),
    Act(
        "submit",
        ("dosage_safe", "recommendation"),
        "Submit the answer. It ends the episode.",
        optional=(
            "interactions_found", "allergy_conflicts", "contraindications_found", "reasoning",
        ),
        ends=True,
    ),
)  # fmt: skip
FIELDS = {
    "info_requested": "The part of the record to see.",
    "dosage_safe": "Whether the dose as written is right for this patient.",
    "interactions_found": "Interacting pairs, such as warfarin-aspirin; an empty list for none.",
    "allergy_conflicts": "Such as penicillin-amoxicillin; an empty list for none.",
    "contraindications_found": "Such as kidney_disease-metformin; an empty list for none.",
    "recommendation": "What to do with the prescription.",
    "reasoning": "Why, in a few sentences.",
}
ENUMS = {"info_requested": list(REQUESTS), "recommendation": list(RECOMMENDATIONS)}


def prompt() -> Prompt:
    """What a language model needs for an rx case."""
    return Prompt(SYSTEM, ACTS, FIELDS, ENUMS, RxAction, as_text, result_text)


def as_text(observation: RxObservation) -> str:
    """The first observation of an rx case as a model reads it."""
    seen = Fields(observation)
    task = observation.task
    lines = [
        f"Case {observation.task_id} ({observation.difficulty}), {observation.max_steps} steps.",
        f"Task: {task}. Look for: {looked_for(task)}.",
        f"Patient: {patient(seen)}.",
        f"Prescription {prescription(seen)}.",
    ]
    return "\n".join(lines)


def result_text(observation: RxObservation) -> str:
    """What came of the last act, as a model reads it."""
    lines = []
    if observation.last_action_error:
        lines.append(f"Error: {observation.last_action_error}")
    if not observation.done:
        lines += record(Fields(observation))
    elif observation.feedback:
        lines.append(observation.feedback)
    left, most = observation.steps_remaining, observation.max_steps
    lines.append(f"[{left} of {most} steps left{'; the episode is over' * observation.done}]")
    return "\n".join(lines)
