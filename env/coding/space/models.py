"""What goes over the wire."""

from casegen.env.coding.models import (
    MedicalCodingAction,
    MedicalCodingObservation,
    MedicalCodingState,
    RewardBreakdown,
)

__all__ = [
    "MedicalCodingAction",
    "MedicalCodingObservation",
    "MedicalCodingState",
    "RewardBreakdown",
]
