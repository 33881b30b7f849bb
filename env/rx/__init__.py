"""RxSafe: an agent looks into a patient's record and judges a prescription."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from casegen.env.family import AgentMaker, Episode, Family, Kinds
from casegen.schemas.pack import Task
from casegen.schemas.rx_case import RxCase
from casegen.schemas.rx_play import RxAction, RxObservation

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.env.caseform import Fault
    from casegen.env.figures import Figures
    from casegen.env.lessons import Lessons

    from .client import RxSafeEnv
    from .environment import RxSafeEnvironment
    from .models import RxSafeAction, RxSafeObservation, RxSafeState

__all__ = [
    "FAMILY",
    "RxSafeAction",
    "RxSafeEnv",
    "RxSafeEnvironment",
    "RxSafeObservation",
    "RxSafeState",
]
# Where the names that users import stand. They load OpenEnv, so none is loaded before it is wanted.
_NAMES = {
    "RxSafeAction": ".models",
    "RxSafeEnv": ".client",
    "RxSafeEnvironment": ".environment",
    "RxSafeObservation": ".models",
    "RxSafeState": ".models",
}
TASKS = ("dosage_check", "interaction_check", "full_validation")


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_NAMES[name], __name__), name)


def _episode(task: Task, episode_id: str) -> Episode:
    from .episode import RxEpisode

    return RxEpisode(task, episode_id)


def _action(data: Mapping[str, Any]) -> RxAction:
    from .parse import action_from

    return action_from(data)


def _plain(observation: RxObservation) -> dict[str, Any]:
    return {field.name: getattr(observation, field.name) for field in fields(observation)}


def _agents() -> Mapping[str, AgentMaker]:
    agents: Mapping[str, AgentMaker] = import_module(".agents", __package__).AGENTS
    return agents


def _sheet(seen: Mapping[str, Any], console: Console) -> None:
    from .sheet import print_task

    print_task(seen, console)


def _spec(case: RxCase) -> dict[str, Any]:
    return {"task": case.task}


def _faults(case: RxCase) -> Iterator[Fault]:
    from .form import faults

    return faults(case)


def _answer(case: RxCase) -> list[dict[str, Any]]:
    """The dose and the recommendation, and then each finding that is named by a pair."""
    head = {
        "dosage_safe": case.dosage_safe,
        "recommendation": case.recommendation,
        "also_accepted": list(case.also_accepted),
    }
    pairs = [one for one in case.findings if one.component != "dose"]
    return [head, *({"component": one.component, "names": list(one.names)} for one in pairs)]


def _structure(case: RxCase) -> str:
    from casegen.structure import structural_key

    written = case.prescription
    findings = [f"{one.problem}:{'-'.join(one.pair)}" for one in case.findings]
    drug = f"{written.drug} {written.dose} {written.frequency}".casefold()
    return structural_key(case.conditions, [drug, *findings], [])


def _figures() -> Figures:
    from .figures import FIGURES

    return FIGURES


def _lessons() -> Lessons:
    from .lessons import LESSONS

    return LESSONS


def _openenv() -> ModuleType:
    return import_module(".environment", __package__)


def _kind(case: RxCase) -> str:
    return case.task


FAMILY = Family(
    name="rx",
    title="RxSafe",
    generator="rx-v0",
    port=8000,
    packs=("rx-seed-v1", "rx-bench-v1"),
    episode=_episode,
    action=_action,
    plain=_plain,
    agents=_agents,
    openenv=_openenv,
    note=("known_allergies", "current_medications", "medical_conditions"),
    sheet=_sheet,
    spec=_spec,
    faults=_faults,
    answer=_answer,
    structure=_structure,
    figures=_figures,
    lessons=_lessons,
    shares=("safe",),
    kinds=Kinds(TASKS, _kind, "rx-seed-v1"),
    columns={
        "task": "seen",
        "prescription": "seen",
        "allergies": "seen",
        "medications": "seen",
        "conditions_listed": "seen",
        "record": "answer",
        "dosage_safe": "answer",
        "findings": "answer",
        "decoys": "answer",
        "recommendation": "answer",
        "also_accepted": "answer",
        "rationale": "answer",
        "kinds": "answer",
    },
)
