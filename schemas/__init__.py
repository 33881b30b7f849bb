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
from .coding_case import AllowedCode, CodingCase, GoldCode, Review, WrongCode
from .errors import CasegenError, CertificationError, InputError, TableError
from .rx_case import RxCase

__all__ = [
    "AllowedCode",
    "Authority",
    "Case",
    "CasegenError",
    "CertificationError",
    "ClaimLine",
    "CodingCase",
    "Correction",
    "Decoy",
    "Encounter",
    "Fact",
    "Finding",
    "GoldCode",
    "InputError",
    "Patient",
    "Question",
    "Review",
    "RxCase",
    "Span",
    "TableError",
    "TablesRef",
    "WrongCode",
]
