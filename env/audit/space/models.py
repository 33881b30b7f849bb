"""What goes over the wire."""

from casegen.env.audit.models import (
    MedicalCodingAction,
    MedicalCodingObservation,
    MedicalCodingState,
)

__all__ = ["MedicalCodingAction", "MedicalCodingObservation", "MedicalCodingState"]
