"""Tasks to play: generated cases, and small changes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import pytest

import casegen
from casegen.env.audit.episode import AuditEpisode
from casegen.schemas import Case
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation, Profile

Play = Callable[..., tuple[AuditEpisode, AuditObservation]]


@lru_cache(maxsize=1)
def drawn() -> tuple[Case, ...]:
    return tuple(casegen.make("audit-v0", seed=404).cases(0, 300))


def task_of(case: Case, profile: Profile = "strict") -> Task:
    return Task("some-task", "audit", profile, case)


@pytest.fixture(scope="session")
def cases() -> tuple[Case, ...]:
    return drawn()


@pytest.fixture(scope="session")
def erring(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(case for case in cases if case.findings)


@pytest.fixture(scope="session")
def clean(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(case for case in cases if not case.findings)


@pytest.fixture(scope="session")
def play() -> Play:
    """Plays acts on a case until it is over; the last observation is that of the end."""

    def run(
        case: Case, acts: Iterable[AuditAction], profile: Profile = "strict"
    ) -> tuple[AuditEpisode, AuditObservation]:
        episode = AuditEpisode(task_of(case, profile), "e1")
        seen = episode.start()
        for act in acts:
            seen = episode.step(act)
            if seen.done:
                break
        return episode, seen

    return run
