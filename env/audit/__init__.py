"""The Medical Coding Auditor: an agent audits a proposed claim against the note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any

from casegen.env.family import AgentMaker, Episode, Family
from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.env.caseform import Fault
    from casegen.env.figures import Figures
    from casegen.env.lessons import Lessons

_SEEN = tuple(field.name for field in fields(AuditObservation))
_seen_of = attrgetter(*_SEEN)


def _episode(task: Task, episode_id: str) -> Episode:
    from .episode import AuditEpisode

    return AuditEpisode(task, episode_id)


def _action(data: Mapping[str, Any]) -> AuditAction:
    from .parse import action_from

    return action_from(data)


def _plain(observation: AuditObservation) -> dict[str, Any]:
    return dict(zip(_SEEN, _seen_of(observation), strict=True))


def _agents() -> Mapping[str, AgentMaker]:
    agents: Mapping[str, AgentMaker] = import_module(".agents", __package__).AGENTS
    return agents


def _sheet(seen: Mapping[str, Any], console: Console) -> None:
    from .sheet import print_task

    print_task(seen, console)


def _spec(case: Case) -> dict[str, Any]:
    return {"codes": len(case.claim)}


def _faults(case: Case) -> Iterator[Fault]:
    from .form import faults

    return faults(case)


def _answer(case: Case) -> list[dict[str, Any]]:
    """The errors of a claim, as a report would name them."""
    from .ledger import mended

    return [
        {
            "code": finding.code,
            "error_type": finding.error_type,
            "accepted_codes": list(finding.accepted_codes),
            "accepted_error_types": list(finding.accepted_error_types),
            "suggested": mended(finding.correction),
        }
        for finding in case.findings
    ]


def _structure(case: Case) -> str:
    from casegen.structure import structural_key

    return structural_key(case.conditions, [line.code for line in case.claim], case.findings)


def _figures() -> Figures:
    from .figures import FIGURES

    return FIGURES


def _lessons() -> Lessons:
    from .lessons import LESSONS

    return LESSONS


def _openenv() -> ModuleType:
    return import_module(".environment", __package__)


FAMILY = Family(
    name="audit",
    title="Medical Coding Auditor",
    generator="audit-v0",
    port=7860,
    packs=("audit-seed-v1", "audit-bench-v1"),
    episode=_episode,
    action=_action,
    plain=_plain,
    agents=_agents,
    openenv=_openenv,
    note=("clinical_note",),
    sheet=_sheet,
    spec=_spec,
    faults=_faults,
    answer=_answer,
    structure=_structure,
    figures=_figures,
    lessons=_lessons,
    shares=("clean",),
    columns={
        "claim": "seen",
        "record": "answer",
        "questions": "answer",
        "findings": "answer",
        "decoys": "answer",
    },
)
