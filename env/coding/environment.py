"""The Medical Coding Assistant as an OpenEnv environment."""

from __future__ import annotations

from typing import Any, cast

from casegen.env.openenv.environment import FamilyEnvironment
from casegen.schemas.coding_play import CodingAction, CodingObservation

from . import FAMILY, page
from .client import MedicalCodingAssistantEnv
from .episode import CodingEpisode
from .models import (
    MedicalCodingAction,
    MedicalCodingObservation,
    MedicalCodingState,
    RewardBreakdown,
)


class MedicalCodingEnvironment(FamilyEnvironment):
    """An agent assigns ICD-10-CM codes to a chart excerpt."""

    family = FAMILY
    description = (
        "A coder's desk: assign ICD-10-CM codes of a closed set to a chart excerpt, the reason "
        "for the encounter first, and pass on for review what the record cannot settle."
    )
    action_cls = MedicalCodingAction
    observation_cls = MedicalCodingObservation
    state_cls = MedicalCodingState

    def engine_action(self, action: MedicalCodingAction) -> CodingAction:
        """The engine's act from the model, which holds the same fields."""
        return CodingAction(
            action.primary_code or "",
            action.secondary_codes,
            action.needs_review,
            action.request_hint,
            action.finalize,
        )

    @property
    def metadata(self) -> dict[str, Any]:
        """What each observation tells of its episode; ``info`` as documented."""
        told = super().metadata
        if self._episode is not None:
            told["info"] = cast("CodingEpisode", self._episode).info
        return told

    def _wrapped(self, observation: CodingObservation) -> MedicalCodingObservation:
        wrapped = super()._wrapped(observation)
        if wrapped.reward_breakdown is not None:
            wrapped.reward_breakdown = RewardBreakdown(**wrapped.reward_breakdown)
        return cast("MedicalCodingObservation", wrapped)

    def render_web(self, observation: dict[str, Any]) -> str:
        """The excerpt, the allowed codes, the draft and the score."""
        return page.render(observation)

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The acts that a button can hold."""
        return page.actions(observation)

    def web_forms(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """The draft, which needs choices."""
        return page.forms(observation)


ENVIRONMENT = MedicalCodingEnvironment
CLIENT = MedicalCodingAssistantEnv
