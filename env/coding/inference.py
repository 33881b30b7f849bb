"""A language model plays the three documented tasks on a running server.

``python -m casegen.env.coding.inference``; see ``casegen.env.inference`` for its environment
variables and for what it prints.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from casegen.schemas.coding_play import CodingAction, CodingObservation, RewardBreakdown

from .. import inference
from .parse import action_from
from .prompt import prompt

TASKS = ("easy_t2dm_followup", "medium_hypertensive_ckd", "hard_chest_pain_review")
_OBSERVED = {field.name for field in fields(CodingObservation)}


def main(environ: Mapping[str, str] | None = None) -> int:
    """Play all tasks; the exit status is 1 where one could not be played to its end."""
    return inference.main(SCRIPT, environ)


def spelled(action: CodingAction) -> dict[str, Any]:
    """An act as JSON, without what it does not use."""
    return {
        field.name: getattr(action, field.name)
        for field in fields(action)
        if getattr(action, field.name) != field.default
    }


def act_line(action: CodingAction) -> str:
    """An act on one line: ``finalize({"primary_code":"E11.9"})``."""
    return inference.call_line(*prompt().call_of(spelled(action)))


def _observation(held: Mapping[str, Any]) -> CodingObservation:
    seen = CodingObservation(**{name: held[name] for name in _OBSERVED if name in held})
    paid: Any = held.get("reward_breakdown")
    if paid is not None:
        seen.reward_breakdown = RewardBreakdown(**paid)
    return seen


SCRIPT = inference.Script(
    "medical_coding_assistant",
    "http://localhost:8000",
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
