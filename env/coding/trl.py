"""The acts of coding as the tools of TRL's ``GRPOTrainer``.

Signatures and docstrings are what the model is shown; the words are those of ``prompt.py``.
"""

from __future__ import annotations

from ..trl import TrlEnvironment


class MedicalCodingAssistantTools(TrlEnvironment):
    """A chart excerpt to be coded."""

    _family_name = "coding"

    def submit_draft(
        self,
        primary_code: str | None = None,
        secondary_codes: list[str] | None = None,
        needs_review: bool | None = None,
    ) -> str:
        """Put codes and the review flag into the draft; what is left out stays as it is.

        Args:
            primary_code: The primary code, one of those allowed.
            secondary_codes: All secondary codes, of those allowed; an empty list for none.
            needs_review: Whether a human coder has to review the chart.

        Returns:
            The draft.
        """
        return self._act(
            "submit_draft",
            primary_code=primary_code,
            secondary_codes=secondary_codes,
            needs_review=needs_review,
        )

    def request_hint(self) -> str:
        """Ask for the next hint. It costs.

        Returns:
            The hints so far.
        """
        return self._act("request_hint")

    def finalize(
        self,
        primary_code: str | None = None,
        secondary_codes: list[str] | None = None,
        needs_review: bool | None = None,
    ) -> str:
        """End the episode with the draft, changed first if codes or the flag are given.

        Args:
            primary_code: The primary code, one of those allowed.
            secondary_codes: All secondary codes, of those allowed; an empty list for none.
            needs_review: Whether a human coder has to review the chart.

        Returns:
            That the episode is over.
        """
        return self._act(
            "finalize",
            primary_code=primary_code,
            secondary_codes=secondary_codes,
            needs_review=needs_review,
        )


ENVIRONMENT = MedicalCodingAssistantTools
