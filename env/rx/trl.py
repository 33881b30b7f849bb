"""The acts of rx as the tools of TRL's ``GRPOTrainer``.

Signatures and docstrings are what the model is shown; the words are those of ``prompt.py``.
"""

from __future__ import annotations

from ..trl import TrlEnvironment


class RxSafeTools(TrlEnvironment):
    """A prescription to be validated."""

    _family_name = "rx"

    def request_info(self, info_requested: str) -> str:
        """See a part of the record: allergies, medications, conditions, or full_profile for all.

        Args:
            info_requested: The part of the record to see. One of allergies, medications,
                conditions, full_profile.

        Returns:
            The record as far as it was asked for.
        """
        return self._act("request_info", info_requested=info_requested)

    def submit(
        self,
        dosage_safe: bool,
        recommendation: str,
        interactions_found: list[str] | None = None,
        allergy_conflicts: list[str] | None = None,
        contraindications_found: list[str] | None = None,
        reasoning: str | None = None,
    ) -> str:
        """Submit the answer. It ends the episode.

        Args:
            dosage_safe: Whether the dose as written is right for this patient.
            recommendation: What to do with the prescription. One of approve, modify, reject.
            interactions_found: Interacting pairs, such as warfarin-aspirin; an empty list for none.
            allergy_conflicts: Such as penicillin-amoxicillin; an empty list for none.
            contraindications_found: Such as kidney_disease-metformin; an empty list for none.
            reasoning: Why, in a few sentences.

        Returns:
            That the episode is over.
        """
        return self._act(
            "submit",
            dosage_safe=dosage_safe,
            recommendation=recommendation,
            interactions_found=interactions_found,
            allergy_conflicts=allergy_conflicts,
            contraindications_found=contraindications_found,
            reasoning=reasoning,
        )


ENVIRONMENT = RxSafeTools
