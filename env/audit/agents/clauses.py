"""The voice of the written agents: it speaks in the clauses of ``clauses.yaml``."""

from __future__ import annotations

from pathlib import Path

from casegen.env.writing.voice import Voice
from casegen.schemas.play import AuditObservation

_FILE = Path(__file__).with_name("clauses.yaml")


def voice_of(seen: AuditObservation) -> Voice:
    """The voice for a case, which chooses its forms by what an agent sees of it."""
    codes = " ".join(seen.proposed_codes)
    return Voice(f"{seen.patient_demographics['mrn']}\n{codes}\n{seen.clinical_note}", _FILE)
