"""The Medical Coding Auditor as an OpenEnv environment."""

from __future__ import annotations

from typing import Any

from casegen.env.openenv.environment import FamilyEnvironment
from casegen.schemas.play import AuditAction, ReportedError

from . import FAMILY, page
from .client import MedicalCodingEnv
from .models import MedicalCodingAction, MedicalCodingObservation, MedicalCodingState


class MedicalCodingEnvironment(FamilyEnvironment):
    """An agent audits a proposed claim against a clinical note."""

    family = FAMILY
    description = (
        "A hospital's review before billing: audit proposed ICD-10-CM and CPT codes against the "
        "clinical note, flag what is wrong and say why."
    )
    action_cls = MedicalCodingAction
    observation_cls = MedicalCodingObservation
    state_cls = MedicalCodingState

    def engine_action(self, action: MedicalCodingAction) -> AuditAction:
        """The engine's act from the model, which holds the same fields."""
        report = action.report
        return AuditAction(
            action.action_type,
            action.code,
            action.code1,
            action.code2,
            action.error_type,
            action.justification,
            action.suggested_code,
            action.related_code,
            action.question,
            action.evidence_text,
            None
            if report is None
            else [
                ReportedError(
                    entry.code,
                    entry.error_type,
                    entry.justification,
                    entry.suggested_code,
                    entry.related_code,
                )
                for entry in report
            ],
        )

    def render_web(self, observation: dict[str, Any]) -> str:
        """The note with the extracted words marked, the claim, the draft and the score."""
        return page.render(observation)

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The acts that a button can hold."""
        return page.actions(observation)

    def web_forms(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """The acts that need words or a choice."""
        return page.forms(observation)


ENVIRONMENT = MedicalCodingEnvironment
CLIENT = MedicalCodingEnv
