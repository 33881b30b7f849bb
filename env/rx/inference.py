"""A language model plays the three documented tasks on a running server, each with five seeds.

``python -m casegen.env.rx.inference``; see ``casegen.env.inference`` for its environment
variables and for what it prints. The server is named by ``ENV_URL``. A seed draws a scenario of
``rx-seed-v1``; the last ``[END]`` line of a task holds the mean of its five scores.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from casegen.schemas.rx_play import RxAction, RxObservation

from .. import inference
from . import TASKS
from .parse import action_from
from .prompt import prompt

SEEDS = (1, 2, 3, 4, 5)
_OBSERVED = {field.name for field in fields(RxObservation)}


def main(environ: Mapping[str, str] | None = None) -> int:
    """Play all tasks; the exit status is 1 where one could not be played to its end."""
    return inference.main(SCRIPT, environ)


def resets(task: str) -> Sequence[Mapping[str, Any]]:
    """What begins the episodes of a task."""
    return [{"task": task, "seed": seed} for seed in SEEDS]


def spelled(action: RxAction) -> dict[str, Any]:
    """An act as JSON, without what it does not use."""
    given = {field.name: getattr(action, field.name) for field in fields(action)}
    return {name: value for name, value in given.items() if value is not None}


def act_line(action: RxAction) -> str:
    """An act on one line: ``request_info({"info_requested":"allergies"})``."""
    return inference.call_line(*prompt().call_of(spelled(action)))


def _observation(held: Mapping[str, Any]) -> RxObservation:
    return RxObservation(**{name: held[name] for name in _OBSERVED if name in held})


SCRIPT = inference.Script(
    "rx_safe_env",
    "http://localhost:8000",
    TASKS,
    prompt,
    action_from,
    spelled,
    act_line,
    _observation,
    resets,
    ("ENV_URL", "ENV_BASE_URL"),
)


if __name__ == "__main__":
    inference.show_help(SCRIPT, __doc__)
    sys.exit(main())
