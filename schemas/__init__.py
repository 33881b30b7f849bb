"""The models of all that crosses a boundary, and the errors that users meet."""

from .case import (
    Authority,
    Case,
    ClaimLine,
    Correction,
    Decoy,
    Encounter,
    Fact,
    Finding,
    Patient,
    Question,
    Span,
    TablesRef,
)
from .errors import CasegenError, CertificationError, InputError, TableError

__all__ = [
    "Authority",
    "Case",
    "CasegenError",
    "CertificationError",
    "ClaimLine",
    "Correction",
    "Decoy",
    "Encounter",
    "Fact",
    "Finding",
    "InputError",
    "Patient",
    "Question",
    "Span",
    "TableError",
    "TablesRef",
]
