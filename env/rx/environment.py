"""RxSafe as an OpenEnv environment."""

from __future__ import annotations

from typing import Any

from casegen.env.openenv.environment import FamilyEnvironment
from casegen.schemas.rx_play import RxAction

from . import FAMILY, page
from .client import RxSafeEnv
from .models import RxSafeAction, RxSafeObservation, RxSafeState


class RxSafeEnvironment(FamilyEnvironment):
    """An agent looks into a patient's record and judges a prescription."""

    family = FAMILY
    description = (
        "A pharmacist's desk: look into a patient's record, find what is wrong with the "
        "prescription (dose, interactions, allergies, contraindications), and approve, modify or "
        "reject it."
    )
    action_cls = RxSafeAction
    observation_cls = RxSafeObservation
    state_cls = RxSafeState

    def engine_action(self, action: RxSafeAction) -> RxAction:
        """The engine's act from the model, which holds the same fields."""
        return RxAction(
            action.action_type,
            action.info_requested,
            action.dosage_safe,
            action.interactions_found,
            action.allergy_conflicts,
            action.contraindications_found,
            action.recommendation,
            action.reasoning,
        )

    def render_web(self, observation: dict[str, Any]) -> str:
        """The prescription, the record as far as it is shown, and the score."""
        return page.render(observation)

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The acts that a button can hold."""
        return page.actions(observation)

    def web_forms(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """The answer, which needs words."""
        return page.forms(observation)


ENVIRONMENT = RxSafeEnvironment
CLIENT = RxSafeEnv
