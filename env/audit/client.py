"""The typed client of an audit server."""

from __future__ import annotations

from casegen.env.openenv.client import FamilyClient

from .models import MedicalCodingAction, MedicalCodingObservation, MedicalCodingState


class MedicalCodingEnv(
    FamilyClient[MedicalCodingAction, MedicalCodingObservation, MedicalCodingState]
):
    """``MedicalCodingEnv(base_url="http://127.0.0.1:7860").sync()`` gives the blocking one."""

    family_name = "audit"
    observation_cls = MedicalCodingObservation
    state_cls = MedicalCodingState
