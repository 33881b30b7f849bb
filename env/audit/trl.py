"""The acts of an audit as the tools of TRL's ``GRPOTrainer``.

Signatures and docstrings are what the model is shown; the words are those of ``prompt.py``.
"""

from __future__ import annotations

from casegen.schemas.case import ErrorType

from ..trl import TrlEnvironment


class MedicalCodingTools(TrlEnvironment):
    """A claim under audit."""

    _family_name = "audit"

    def query_guideline(self, code: str) -> str:
        """Look up what the official tables say of a code.

        Args:
            code: A code of the claim, as it stands there.

        Returns:
            What the tables say.
        """
        return self._act("query_guideline", code=code)

    def check_ncci_edits(self, code1: str, code2: str) -> str:
        """Look up the NCCI edit of two procedure codes.

        Args:
            code1: A code of the claim, as it stands there.
            code2: Another code of the claim.

        Returns:
            The edit, if there is one.
        """
        return self._act("check_ncci_edits", code1=code1, code2=code2)

    def flag_error(
        self,
        code: str,
        error_type: ErrorType,
        justification: str,
        suggested_code: str | None = None,
        related_code: str | None = None,
    ) -> str:
        """Put an error into the draft report.

        Args:
            code: A code of the claim, as it stands there.
            error_type: The kind of error.
            justification: Why, in one or two sentences, with the words of the rule or of the note.
            suggested_code: What should stand on the claim instead, if anything: a code, or the
                line's own with the modifier that it lacks (code-modifier).
            related_code: The other code of a pair.

        Returns:
            The draft.
        """
        return self._act(
            "flag_error",
            code=code,
            error_type=error_type,
            justification=justification,
            suggested_code=suggested_code,
            related_code=related_code,
        )

    def ask_clarifying_question(self, question: str) -> str:
        """Ask the physician one short question.

        Args:
            question: A question about what the note leaves open.

        Returns:
            The answer.
        """
        return self._act("ask_clarifying_question", question=question)

    def extract_evidence(self, evidence_text: str) -> str:
        """Mark a passage of the note, word for word.

        Args:
            evidence_text: A passage of the note, copied exactly.

        Returns:
            Whether the note holds it.
        """
        return self._act("extract_evidence", evidence_text=evidence_text)

    def submit_audit(self) -> str:
        """Hand in the draft report. This ends the audit.

        Returns:
            That the audit is over.
        """
        return self._act("submit_audit")

    def submit_report(self, report: list[dict[str, str]]) -> str:
        """Hand in a whole report in one act. This ends the audit.

        Args:
            report: All errors of the claim, each with code, error_type and justification and, if
                any, suggested_code and related_code.

        Returns:
            That the audit is over.
        """
        return self._act("submit_report", report=report)


ENVIRONMENT = MedicalCodingTools
