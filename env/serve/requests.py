"""What the bodies of requests hold, for the description of the API."""

from __future__ import annotations

from openenv.core.env_server.types import ResetRequest, StepRequest
from pydantic import Field


class PlayReset(ResetRequest):
    """Which task to begin; without anything, a new case."""

    task_id: str | None = Field(default=None, description="A task by its id.")
    task: str | None = Field(
        default=None, description="A kind of task, where there are several; seed draws one of it."
    )
    pack: str | None = Field(default=None, description="A pack of tasks.")
    split: str | None = Field(default=None, description="train, validation, test, or a pack.")
    index: int | None = Field(default=None, ge=0, description="Which task of it.")
    difficulty: str | None = Field(default=None, description="easy, medium, hard or expert.")
    tables: str | None = Field(
        default=None, description="The tables of a generated case: those served, or bundled."
    )
    content_hash: str | None = Field(
        default=None, description="What the case must have; another one is refused."
    )


class PlayStep(StepRequest):
    """One act, and of which episode."""

    episode_id: str | None = Field(
        default=None,
        description="The episode that reset named; else the cookie's, else the only live "
        "episode of the address.",
    )
