"""The Medical Coding Auditor as a package to deploy: client and models."""

from casegen.env.audit.client import MedicalCodingEnv
from casegen.env.audit.models import (
    MedicalCodingAction,
    MedicalCodingObservation,
    MedicalCodingState,
)

__all__ = [
    "MedicalCodingAction",
    "MedicalCodingEnv",
    "MedicalCodingObservation",
    "MedicalCodingState",
]
