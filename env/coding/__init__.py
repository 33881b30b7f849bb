"""The Medical Coding Assistant: an agent assigns ICD-10-CM codes to a chart excerpt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from casegen.env.family import AgentMaker, Episode, Family
from casegen.schemas.coding_case import CodingCase
from casegen.schemas.coding_play import CodingAction, CodingObservation
from casegen.schemas.pack import Task

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.env.caseform import Fault
    from casegen.env.figures import Figures
    from casegen.env.lessons import Lessons

    from .client import MedicalCodingAssistantEnv
    from .environment import MedicalCodingEnvironment
    from .models import (
        MedicalCodingAction,
        MedicalCodingObservation,
        MedicalCodingState,
        RewardBreakdown,
    )

__all__ = [
    "FAMILY",
    "MedicalCodingAction",
    "MedicalCodingAssistantEnv",
    "MedicalCodingEnvironment",
    "MedicalCodingObservation",
    "MedicalCodingState",
    "RewardBreakdown",
]
# Where the documented names stand. They load OpenEnv, so none is loaded before it is wanted.
_NAMES = {
    "MedicalCodingAction": ".models",
    "MedicalCodingAssistantEnv": ".client",
    "MedicalCodingEnvironment": ".environment",
    "MedicalCodingObservation": ".models",
    "MedicalCodingState": ".models",
    "RewardBreakdown": ".models",
}


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_NAMES[name], __name__), name)


def _episode(task: Task, episode_id: str) -> Episode:
    from .episode import CodingEpisode

    return CodingEpisode(task, episode_id)


def _action(data: Mapping[str, Any]) -> CodingAction:
    from .parse import action_from

    return action_from(data)


def _plain(observation: CodingObservation) -> dict[str, Any]:
    told = {field.name: getattr(observation, field.name) for field in fields(observation)}
    if observation.reward_breakdown is not None:
        told["reward_breakdown"] = asdict(observation.reward_breakdown)
    return told


def _agents() -> Mapping[str, AgentMaker]:
    agents: Mapping[str, AgentMaker] = import_module(".agents", __package__).AGENTS
    return agents


def _sheet(seen: Mapping[str, Any], console: Console) -> None:
    from .sheet import print_task

    print_task(seen, console)


def _spec(case: CodingCase) -> dict[str, Any]:
    return {"codes": len(case.allowed)}


def _faults(case: CodingCase) -> Iterator[Fault]:
    from .form import faults

    return faults(case)


def _answer(case: CodingCase) -> list[dict[str, Any]]:
    """The codes of the answer, the primary first, and then the review flag."""
    codes = [
        {
            "code": gold.code,
            "primary": gold is case.primary,
            "equivalents": list(gold.equivalents),
            "alternates": list(gold.alternates),
        }
        for gold in case.gold()
    ]
    return [*codes, {"needs_review": case.needs_review}]


def _structure(case: CodingCase) -> str:
    from casegen.structure import structural_key

    return structural_key(case.conditions, [one.code for one in case.gold()], [])


def _figures() -> Figures:
    from .figures import FIGURES

    return FIGURES


def _lessons() -> Lessons:
    from .lessons import LESSONS

    return LESSONS


def _openenv() -> ModuleType:
    return import_module(".environment", __package__)


FAMILY = Family(
    name="coding",
    title="Medical Coding Assistant",
    generator="coding-v0",
    port=8000,
    packs=("coding-seed-v1", "coding-bench-v1"),
    episode=_episode,
    action=_action,
    plain=_plain,
    agents=_agents,
    openenv=_openenv,
    note=("encounter_text",),
    sheet=_sheet,
    spec=_spec,
    faults=_faults,
    answer=_answer,
    structure=_structure,
    figures=_figures,
    lessons=_lessons,
    shares=("review",),
    columns={
        "objective": "seen",
        "allowed": "seen",
        "hints": "answer",
        "record": "answer",
        "primary": "answer",
        "secondary": "answer",
        "needs_review": "answer",
        "review": "answer",
        "wrong": "answer",
        "kinds": "answer",
    },
)
