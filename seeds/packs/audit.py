"""Reads what a documented audit has beside the parts of all families: claim, findings, decoys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casegen.schemas import (
    Authority,
    ClaimLine,
    Correction,
    Decoy,
    Finding,
    Question,
    TableError,
)

from .reading import Reader


def read(reader: Reader) -> dict[str, Any]:
    """The fields of the case. Raises TableError."""
    return _Audit(reader).fields()


class _Audit:
    """Reads one audit."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lines = {line["code"]: at for at, line in enumerate(reader.task["claim"], 1)}

    def fields(self) -> dict[str, Any]:
        task = self._reader.task
        return {
            "claim": [
                ClaimLine(number, line["code"], line["system"], line["description"], [], 1)
                for number, line in enumerate(task["claim"], 1)
            ],
            "questions": [Question(**question) for question in task["questions"]],
            "findings": [self._finding(finding) for finding in task["findings"]],
            "decoys": [self._decoy(decoy) for decoy in task["decoys"]],
        }

    def _finding(self, finding: Mapping[str, Any]) -> Finding:
        code, related = finding["code"], finding.get("related_code")
        mend = finding["correction"]
        return Finding(
            error_type=finding["error_type"],
            kind=finding["kind"],
            line=self._line(code),
            code=code,
            related_code=related,
            accepted_codes=[code] if related is None else [code, related],
            accepted_error_types=[finding["error_type"]],
            correction=Correction(
                mend["action"], self._line(mend["code"]), mend["code"], mend.get("replacement")
            ),
            evidence=self._reader.spans(finding["evidence"]),
            questions=list(finding.get("questions", ())),
            key_terms=list(finding["key_terms"]),
            explanation=finding["explanation"],
            authority=Authority(**finding["authority"]),
        )

    def _decoy(self, decoy: Mapping[str, Any]) -> Decoy:
        return Decoy(
            error_type=decoy["error_type"],
            kind=decoy["kind"],
            line=self._line(decoy["code"]),
            code=decoy["code"],
            related_code=decoy.get("related_code"),
            evidence=self._reader.spans(decoy["evidence"]),
            questions=[],
            reason=decoy["reason"],
            authority=Authority(**decoy["authority"]),
        )

    def _line(self, code: str) -> int:
        if code not in self._lines:
            raise TableError(f"{self._reader.id}: {code} is not on the claim")
        return self._lines[code]
