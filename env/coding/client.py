"""The typed client of a coding server."""

from __future__ import annotations

from casegen.env.openenv.client import FamilyClient

from .models import MedicalCodingAction, MedicalCodingObservation, MedicalCodingState


class MedicalCodingAssistantEnv(
    FamilyClient[MedicalCodingAction, MedicalCodingObservation, MedicalCodingState]
):
    """``MedicalCodingAssistantEnv(base_url="http://127.0.0.1:8000").sync()`` gives the blocking
    one."""

    family_name = "coding"
    observation_cls = MedicalCodingObservation
    state_cls = MedicalCodingState
