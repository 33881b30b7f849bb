"""The Medical Coding Assistant as a package to deploy: client and models."""

from casegen.env.coding.client import MedicalCodingAssistantEnv
from casegen.env.coding.models import (
    MedicalCodingAction,
    MedicalCodingObservation,
    MedicalCodingState,
    RewardBreakdown,
)

__all__ = [
    "MedicalCodingAction",
    "MedicalCodingAssistantEnv",
    "MedicalCodingObservation",
    "MedicalCodingState",
    "RewardBreakdown",
]
