"""The typed client of an audit server."""

from __future__ import annotations

from typing import Any

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient

from .models import MedicalCodingAction, MedicalCodingObservation, MedicalCodingState


class MedicalCodingEnv(
    EnvClient[MedicalCodingAction, MedicalCodingObservation, MedicalCodingState]
):
    """Plays over a WebSocket; each client is a session of its own.

    ``MedicalCodingEnv(base_url="http://127.0.0.1:7860").sync()`` gives the blocking one.
    Reward, done and metadata are those that the server's environment gave.
    """

    def _step_payload(self, action: MedicalCodingAction) -> dict[str, Any]:
        return action.model_dump(exclude_none=True, exclude_defaults=True)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[MedicalCodingObservation]:
        told = dict(payload["observation"])
        told |= {"reward": payload.get("reward"), "done": payload.get("done", False)}
        observation = MedicalCodingObservation.model_validate(told)
        return StepResult(
            observation=observation,
            reward=payload.get("reward"),
            done=observation.done,
            metadata=payload.get("metadata", observation.metadata),
        )

    def _parse_state(self, payload: dict[str, Any]) -> MedicalCodingState:
        return MedicalCodingState.model_validate(payload)
