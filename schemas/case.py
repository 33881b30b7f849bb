"""The models of an audit case: everything that crosses from the generator to a user.

They are standard dataclasses with slots, so that a case costs little to build; pydantic
compiles validators and JSON Schema from the same definitions (see ``json_schema``).
Dates are ISO strings (``YYYY-MM-DD``), which compare in order of time.
Offsets count Unicode code points of the note, half open.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, MinLen

from .pattern import Pattern

Sex = Literal["female", "male"]
Setting = Literal["office", "emergency", "inpatient", "outpatient_surgery", "telehealth"]
ClaimType = Literal["professional", "facility"]
CodeSystem = Literal["ICD-10-CM", "CPT", "HCPCS"]
Difficulty = Literal["easy", "medium", "hard", "expert"]
Split = Literal["train", "validation", "test"]
ErrorType = Literal[
    "demographic_mismatch",
    "excludes1_conflict",
    "ncci_edit",
    "specificity_error",
    "untraceable_code",
]
FactKind = Literal["sex", "age", "problem", "service", "relation"]
FactStatus = Literal["active", "history", "ruled_out", "uncertain"]
AuthoritySource = Literal["tabular", "guideline", "ncci", "mce", "code_set", "meaning"]

IsoDate = Annotated[str, Pattern(r"^\d{4}-\d{2}-\d{2}$")]
Count = Annotated[int, Ge(0)]
Positive = Annotated[int, Ge(1)]
Text = Annotated[str, MinLen(1)]

# The configuration that pydantic reads; a plain mapping, so that making cases does not need
# to import pydantic.
STRICT: dict[str, Any] = {"extra": "forbid", "strict": True}


@dataclass(slots=True)
class Span:
    """A stretch of the note, ``note[start:end] == text``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    start: Count
    end: Positive
    text: Text


@dataclass(slots=True)
class Fact:
    """One fact that the note states.

    ``kind`` says how to read the rest:

    - ``sex``: ``term`` is ``female`` or ``male``.
    - ``age``: ``term`` is the age in whole years, or in days below one year (``17 d``).
    - ``problem``: ``term`` is official wording of the ICD-10-CM tabular list (a title or an
      inclusion term), never a code; ``attributes`` hold what the note adds: ``side``
      (right, left, bilateral), ``phase`` (active, healing, sequela), ``fracture`` (closed,
      open_1_2, open_3), ``healing`` (routine, delayed, nonunion, malunion), ``seventh``
      (the official text of another seventh character), ``handedness`` (right, left,
      ambidextrous), ``weeks_ago`` (whole weeks since it happened). ``status`` is ``active``,
      ``history`` (over, no longer treated), ``ruled_out``, or ``uncertain`` (probable,
      suspected, likely, to be ruled out).
    - ``service``: ``term`` is the plain label of a service in our list.
    - ``relation``: ``term`` names how the facts in ``about`` stand to each other
      (``unrelated``, ``separate``, ``same``, ``separate_problem``, ``decision_only``;
      ``integral``: the first is a disease, the others its usual symptoms; ``due_to``: the
      first comes from the second; ``minor_trauma``: the first, a fracture, came from a fall
      that would not break a bone without the second; ``found_by``: the first was found by the
      second, a screening; in coding cases alone ``reason``: what the
      encounter was for; ``open_side``, ``conflict_side``: the side is not told, or told in two
      ways; ``side_settled``: one of two entries holds; ``open_workup``: whether the first, a
      diagnosis, explains the others is undecided; ``conflict_diagnosis``: two clinicians
      disagree about the first; ``treatment_unclear``: whether the first, a tumor, is still
      treated).

    A fact without a span is not stated and counts for nothing.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Text
    kind: FactKind
    term: Text
    status: FactStatus
    attributes: dict[str, str]
    about: list[str]
    spans: list[Span]


@dataclass(slots=True)
class Patient:
    """A synthetic patient. ``sex`` is the sex that the chart records."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    name: Text
    mrn: Text
    birth_date: IsoDate
    sex: Sex
    insurance: Text


@dataclass(slots=True)
class Encounter:
    """A visit or stay. ``service_date`` is the date of discharge for inpatient stays."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    setting: Setting
    claim_type: ClaimType
    service_date: IsoDate
    admission_date: IsoDate | None
    kind: Text


@dataclass(slots=True)
class ClaimLine:
    """One proposed code. ``line`` counts from 1."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    line: Positive
    code: Text
    system: CodeSystem
    description: Text
    modifiers: list[str]
    units: Positive


@dataclass(slots=True)
class Authority:
    """Who says so: ``reference`` names the place, ``edition`` its release or quarter."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    source: AuthoritySource
    reference: Text
    edition: Text


@dataclass(slots=True)
class Correction:
    """What mends the claim: ``remove`` a line, or ``replace`` its code by ``replacement``,
    or ``add_modifier`` (``replacement`` is the modifier). A code of HCPCS may be replaced by one
    of CPT."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    action: Literal["remove", "replace", "add_modifier"]
    line: Positive
    code: Text
    replacement: str | None


@dataclass(slots=True)
class Finding:
    """One error on the claim.

    ``code`` is the code that is to go or to change; ``accepted_codes`` also names the other
    member of a pair; ``accepted_error_types`` starts with ``error_type``. ``evidence`` holds
    all spans of the facts on which the finding rests, ``questions`` the topics of the
    physician's answers on which it rests.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    error_type: ErrorType
    kind: Text
    line: Positive
    code: Text
    related_code: str | None
    accepted_codes: list[str]
    accepted_error_types: list[ErrorType]
    correction: Correction
    evidence: list[Span]
    questions: list[str]
    key_terms: list[str]
    explanation: Text
    authority: Authority


@dataclass(slots=True)
class Decoy:
    """A line that looks wrong and is right. ``error_type`` is the flag that it tempts to."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    error_type: ErrorType
    kind: Text
    line: Positive
    code: Text
    related_code: str | None
    evidence: list[Span]
    questions: list[str]
    reason: Text
    authority: Authority


@dataclass(slots=True)
class Question:
    """A fact that only the physician can settle, with the fixed answer.

    ``fact`` is the id of the record's fact that the answer completes, ``attribute`` and
    ``value`` what it adds. ``keywords`` are the words by which a question is recognised.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    topic: Text
    keywords: list[str]
    answer: Text
    fact: Text
    attribute: Text
    value: Text


@dataclass(slots=True)
class TablesRef:
    """The reference tables that a case was made and certified with."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    name: Text
    digest: Text


@dataclass(slots=True)
class Case:
    """One audit case: what an agent sees, and what is true.

    ``options`` are the settings of the generator that differ from the default; with family,
    version, split, seed and index they name the case, and ``id`` spells them out.
    ``conditions`` and ``structural_key`` say what the case is made of, without names, dates
    or wording; ``redraws`` gives the reason of each draw that was given up before this one.
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
    claim: list[ClaimLine]
    record: list[Fact]
    questions: list[Question]
    findings: list[Finding]
    decoys: list[Decoy]
    conditions: list[str]
    structural_key: Text
    redraws: list[str]

    def public(self) -> dict[str, Any]:
        """What an agent may see: patient, encounter, note, claim and the step limit.

        Everything else tells of the answer: findings, decoys, record, questions, what the case
        is made of, and the id, from which the whole case can be made again.
        """
        return {
            "max_steps": self.max_steps,
            "patient": asdict(self.patient),
            "encounter": asdict(self.encounter),
            "note": self.note,
            "claim": [asdict(line) for line in self.claim],
        }


def case_id(
    family: str, version: str, split: str, seed: int, index: int, options: dict[str, str]
) -> str:
    """``audit-v0/train/7/42``, with ``?difficulty=hard`` where options differ from the default."""
    name = f"{family}-{version}/{split}/{seed}/{index}"
    if not options:
        return name
    return name + "?" + "&".join(f"{key}={options[key]}" for key in sorted(options))
