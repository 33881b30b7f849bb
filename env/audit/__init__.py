"""The Medical Coding Auditor: an agent audits a proposed claim against the note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from types import ModuleType
from typing import Any

from casegen.env.family import AgentMaker, Episode, Family
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation


def _episode(task: Task, episode_id: str) -> Episode:
    from .episode import AuditEpisode

    return AuditEpisode(task, episode_id)


def _action(data: Mapping[str, Any]) -> AuditAction:
    from .parse import action_from

    return action_from(data)


def _plain(observation: AuditObservation) -> dict[str, Any]:
    return {field.name: getattr(observation, field.name) for field in fields(observation)}


def _agents() -> Mapping[str, AgentMaker]:
    agents: Mapping[str, AgentMaker] = import_module(".agents", __package__).AGENTS
    return agents


def _outlook(task: Task, seen: Mapping[str, Any], action: AuditAction) -> tuple[float, str | None]:
    from .outlook import outlook

    return outlook(task, seen, action)


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
    outlook=_outlook,
    openenv=_openenv,
    columns={
        "claim": "seen",
        "record": "answer",
        "questions": "answer",
        "findings": "answer",
        "decoys": "answer",
    },
)
