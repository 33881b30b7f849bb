"""Tasks to play: the documented ones, and one made up for the grader."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

import pytest

import casegen
from casegen.env.coding.episode import CodingEpisode
from casegen.env.tasks import find_task
from casegen.schemas import Authority
from casegen.schemas.coding_case import AllowedCode, CodingCase, GoldCode
from casegen.schemas.coding_play import CodingAction, CodingObservation
from casegen.schemas.pack import Task
from casegen.schemas.play import Profile

from ..serve.conftest import coding_server

__all__ = ["coding_server"]
Play = Callable[..., tuple[CodingEpisode, CodingObservation]]

EASY, MEDIUM, HARD = "easy_t2dm_followup", "medium_hypertensive_ckd", "hard_chest_pain_review"
DOCUMENTED = (EASY, MEDIUM, HARD)
WHY = Authority("guideline", "section I.B.2, level of detail in coding", "FY 2026")
# Twelve codes of which four are the answer: one in three.
ALLOWED = (
    "E11.22", "E11.29", "E11.65", "E11.9", "I10", "I12.0", "I12.9", "N18.30", "N18.31", "N18.9",
    "Z79.4", "Z79.84",
)  # fmt: skip


def documented(task_id: str) -> Task:
    return find_task("coding", task_id=task_id)


def gold(code: str, equivalents: Iterable[str] = (), alternates: Iterable[str] = ()) -> GoldCode:
    return GoldCode(code, "It is so.", WHY, [], list(equivalents), list(alternates))


def made_up(*, review: bool = False, secondary: bool = True) -> CodingCase:
    """A case with equivalents and alternates, and three secondary codes or none.

    E11.29 is as good as the primary code E11.22 and E11.9 is accepted for half; N18.30 is accepted
    for N18.31. It is not medicine but a grader's exercise.
    """
    case = documented(MEDIUM).case
    assert isinstance(case, CodingCase)
    others = [gold("I12.9"), gold("N18.31", (), ["N18.30"]), gold("Z79.84")]
    return replace(
        case,
        max_steps=6,
        allowed=[AllowedCode(code, f"Title of {code}") for code in ALLOWED],
        primary=gold("E11.22", ["E11.29"], ["E11.9"]),
        secondary=others if secondary else [],
        needs_review=review,
        review=None,
        wrong=[],
    )


def task_of(case: CodingCase, profile: Profile = "strict") -> Task:
    return Task("some-task", "coding", profile, case)


def draft(
    primary: str = "",
    *secondary: str,
    review: bool | None = None,
    hint: bool = False,
    final: bool = False,
) -> CodingAction:
    """A whole draft: without secondary codes it has none."""
    return CodingAction(primary, list(secondary), review, hint, final)


def final(primary: str = "", *secondary: str, review: bool | None = None) -> CodingAction:
    return draft(primary, *secondary, review=review, final=True)


HINT = CodingAction(request_hint=True)
FINALIZE = CodingAction(finalize=True)


@lru_cache(maxsize=1)
def drawn() -> tuple[CodingCase, ...]:
    return tuple(casegen.make("coding-v0", seed=404).cases(0, 60))


@pytest.fixture(scope="session")
def cases() -> tuple[CodingCase, ...]:
    """Generated cases, and the documented ones."""
    found = [documented(task_id).case for task_id in DOCUMENTED]
    return (*drawn(), *(case for case in found if isinstance(case, CodingCase)))


@pytest.fixture(scope="session")
def play() -> Play:
    """Plays acts on a case until it is over; the last observation is that of the end."""

    def run(
        case: CodingCase, acts: Iterable[CodingAction], profile: Profile = "strict"
    ) -> tuple[CodingEpisode, CodingObservation]:
        episode = CodingEpisode(task_of(case, profile), "e1")
        seen = episode.start()
        for act in acts:
            seen = episode.step(act)
            if seen.done:
                break
        return episode, seen

    return run
