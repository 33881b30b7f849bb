"""The models of an rx case: a prescription in a patient's record, and what is true of it.

Like those of ``case``: standard dataclasses with slots. What stands there of notes, spans and
dates holds here too. Numbers of doses are texts, so that they stay exact.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from .case import (
    STRICT,
    Count,
    Difficulty,
    Encounter,
    Patient,
    Positive,
    Span,
    Split,
    TablesRef,
    Text,
)

RxTask = Literal["dosage_check", "interaction_check", "full_validation"]
# Where a line of the record is read: ``shown`` is there from the start, the others are asked for.
RxSource = Literal["shown", "allergies", "medications", "conditions"]
RxFactKind = Literal[
    "sex", "age", "weight", "pregnancy", "allergy", "intolerance", "medication", "condition", "lab"
]
# What a finding is graded as: a field of the answer.
Component = Literal["dose", "interaction", "allergy", "contraindication"]
Problem = Literal[
    "overdose",
    "underdose",
    "frequency",
    "combined_ingredient",
    "unit",
    "notation",
    "unknown_drug",
    "interaction",
    "interaction_dose",
    "class_interaction",
    "duplicate_therapy",
    "allergy",
    "cross_allergy",
    "condition",
    "lab",
    "age",
    "pregnancy",
]
DecoyKind = Literal[
    "intolerance",
    "acceptable_cross",
    "unrelated_allergy",
    "within_limit",
    "high_but_right",
    "watch",
    "disputed",
    "other_route",
    "history",
]
Recommendation = Literal["approve", "modify", "reject"]
RxSeverity = Literal["contraindicated", "major", "moderate"]


@dataclass(slots=True)
class RxAuthority:
    """Who says so: ``reference`` is the drug of a label or the name of a guideline, ``section``
    the place in it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    source: Literal["label", "guideline", "fda"]
    reference: Text
    section: Text


@dataclass(slots=True)
class Prescription:
    """What the prescriber wrote.

    ``drug``, ``dose`` and ``frequency`` stand as written (``Zocor``, ``80 mg``, ``nightly``), so
    do ``route`` and ``form`` ("" where not written). ``indication`` is what it is for, in words,
    "" where none is given. ``starting`` tells a new prescription from one that goes on.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Text
    drug: Text
    dose: Text
    frequency: Text
    route: str
    form: str
    indication: str
    starting: bool


@dataclass(slots=True)
class RxFact:
    """One fact that the record states, in the words of the knowledge.

    ``kind`` says how to read ``term`` and ``attributes``:

    - ``sex``: female or male. ``age``: completed months, as a whole number.
    - ``weight``: kilograms, exact (``12``); the note may tell pounds.
    - ``pregnancy``: completed weeks, "" where they are not told.
    - ``allergy``: the id of an allergy class or of a drug; ``reaction`` as named there.
      ``intolerance``: the same, where the reaction by itself is no allergy.
    - ``medication``: the id of a drug, with ``dose`` and ``unit`` of one administration,
      ``times`` and ``basis`` (day, week), ``route``, ``form``; ``needed`` yes where it is taken
      as needed and at most so often; ``called`` as the list names it, where that is told;
      ``status`` stopped where it is over.
    - ``condition``: the ICD-10-CM code; ``name`` as the knowledge calls it, if it does.
      ``status`` history where it is over.
    - ``lab``: the name of the measure (eGFR, CrCl, creatinine, potassium, QTc); ``value``
      and ``unit``.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Text
    kind: RxFactKind
    term: str
    status: Literal["active", "history", "stopped"]
    attributes: dict[str, str]
    source: RxSource
    spans: list[Span]


@dataclass(slots=True)
class RxFinding:
    """One thing wrong with the prescription.

    ``pair`` is what it is about in ids: the other drug, the allergen or the condition, and the
    prescribed drug; for a dose the drug alone. ``names`` are the ways to name it that the answer
    takes, the usual one first (``warfarin-aspirin``); a dose has none, since ``dosage_safe``
    tells it. ``asks`` is what it asks for by itself. ``disputed`` names the question where
    authorities differ, "" where they do not. ``evidence`` holds the spans on which it rests.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    component: Component
    problem: Problem
    pair: list[str]
    names: list[str]
    severity: RxSeverity
    asks: Literal["modify", "reject"]
    effect: Text
    management: Text
    reason: Text
    authority: list[RxAuthority]
    disputed: str
    evidence: list[Span]


@dataclass(slots=True)
class RxDecoy:
    """What looks wrong and is not: an intolerance, a dose within its limit, a drug that is
    watched and given.

    ``tolerated``: who names it loses nothing, since an authority warns of it (``watch``) or
    authorities differ (``disputed``); otherwise naming it is a false positive.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    kind: DecoyKind
    component: Component
    pair: list[str]
    names: list[str]
    tolerated: bool
    reason: Text
    authority: list[RxAuthority]
    evidence: list[Span]


@dataclass(slots=True)
class RxCase:
    """One rx case: what an agent sees, and what is true.

    ``note`` is the whole record: a head that is shown at once, then one line for each allergy,
    medication and condition (measures and weight stand among the conditions). The three lists
    hold the spans of these lines. ``findings`` are all that is wrong of what ``task`` looks for;
    nothing else is wrong with the prescription. ``recommendation`` follows from them by the
    written rule, ``rationale`` says how; ``also_accepted`` are those that are as right, where
    authorities differ or a grave pair is left to watching. ``kinds`` are the problems and decoys
    in play.
    The other fields are those of ``Case``.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Text
    family: Text
    version: Text
    split: Split
    seed: Count
    index: Count
    options: dict[str, str]
    tables: TablesRef
    difficulty: Difficulty
    max_steps: Positive
    patient: Patient
    encounter: Encounter
    note_style: Text
    note: Text
    task: RxTask
    prescription: Prescription
    allergies: list[Span]
    medications: list[Span]
    conditions_listed: list[Span]
    record: list[RxFact]
    dosage_safe: bool
    findings: list[RxFinding]
    decoys: list[RxDecoy]
    recommendation: Recommendation
    also_accepted: list[Recommendation]
    rationale: Text
    kinds: list[str]
    conditions: list[str]
    structural_key: Text
    redraws: list[str]

    def public(self) -> dict[str, Any]:
        """What an agent sees at once: task, prescription, name, age and sex of the patient and the
        step limit."""
        return {
            "max_steps": self.max_steps,
            "task": self.task,
            "prescription": asdict(self.prescription),
            "patient": {"name": self.patient.name, "sex": self.patient.sex},
        }
