"""What became of one act, told to the profile that rewards it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from casegen.schemas import Span
from casegen.schemas.play import ActionType

from .ledger import Flag

Verdict = Literal[
    "done",  # query, report and submission, carried out
    "edit",  # a pair with an edit in force
    "no_edit",  # a pair without
    "answered",  # the physician had an answer
    "unanswered",  # ... and had none
    "extracted",  # the words stand in the note
    "absent",  # ... and don't
    "flagged",  # a new flag
    "replaced",  # a flag in place of another on its code
    "repeat",  # done before
    "foreign",  # a code that is not on the claim
    "unusable",  # a field is missing or can't be used
]
INVALID: frozenset[Verdict] = frozenset({"absent", "repeat", "foreign", "unusable"})


@dataclass(frozen=True, slots=True)
class Event:
    """``flag`` and ``span`` are what a flag or an extraction put into the ledger."""

    act: ActionType
    verdict: Verdict
    text: str
    error: str | None = None
    flag: Flag | None = None
    span: Span | None = None
