"""A language model plays the five documented tasks on a running server.

``python -m casegen.env.audit.inference``; see ``casegen.env.inference`` for its environment
variables and for what it prints.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from casegen.schemas.play import AuditAction, AuditObservation

from .. import inference
from .parse import action_from
from .prompt import prompt

TASKS = (
    "easy_demographic",
    "medium_ncci_conflict",
    "medium_excludes1",
    "hard_specificity_untraceable",
    "expert_multi_error",
)
_OBSERVED = {field.name for field in fields(AuditObservation)}


def main(environ: Mapping[str, str] | None = None) -> int:
    """Play all tasks; the exit status is 1 where one could not be played to its end."""
    return inference.main(SCRIPT, environ)


def spelled(action: AuditAction) -> dict[str, Any]:
    """An act as JSON, without what it does not use."""
    told: dict[str, Any] = {}
    for field in fields(action):
        value = getattr(action, field.name)
        if value is not None:
            told[field.name] = value
    if action.report is not None:
        told["report"] = [
            {f.name: getattr(entry, f.name) for f in fields(entry)} for entry in action.report
        ]
    return told


def act_line(action: AuditAction) -> str:
    """An act on one line: ``query_guideline({"code":"O80"})``."""
    told = spelled(action)
    return inference.call_line(told.pop("action_type"), told)


def _observation(held: Mapping[str, Any]) -> AuditObservation:
    return AuditObservation(**{name: held[name] for name in _OBSERVED if name in held})


SCRIPT = inference.Script(
    "medical_coding",
    "http://localhost:7860",
    TASKS,
    prompt,
    action_from,
    spelled,
    act_line,
    _observation,
)


if __name__ == "__main__":
    inference.show_help(SCRIPT, __doc__)
    sys.exit(main())
