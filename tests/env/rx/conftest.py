"""Tasks to play: the documented ones, and one made up for the grader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

import casegen
from casegen.env.packs import pack
from casegen.env.rx.case import FIELDS
from casegen.env.rx.episode import RxEpisode
from casegen.env.tasks import find_task
from casegen.schemas.pack import Task
from casegen.schemas.play import Profile
from casegen.schemas.rx_case import (
    Component,
    RxAuthority,
    RxCase,
    RxDecoy,
    RxFinding,
    RxTask,
)
from casegen.schemas.rx_play import RxAction, RxObservation

from ..serve.conftest import running

Play = Callable[..., tuple[RxEpisode, RxObservation]]

PACK = "rx-seed-v1"
DOCUMENTED = tuple(task.id for task in pack(PACK))
WARFARIN, SAFE = "interaction_check_1", "interaction_check_8"
CASCADE, CIPRO = "full_validation_7", "full_validation_1"
WHY = [RxAuthority("label", "warfarin", "7")]


def documented(task_id: str) -> Task:
    return find_task("rx", task_id=task_id)


def case(task_id: str) -> RxCase:
    found = documented(task_id).case
    assert isinstance(found, RxCase)
    return found


def finding(component: Component, *names: str, asks: Any = "reject") -> RxFinding:
    problem: Any = {"dose": "overdose", "contraindication": "condition"}.get(component, component)
    pair = names[0].split("-") if names else ["clarithromycin"]
    return RxFinding(component, problem, pair, list(names), "major", asks, "harm", "mend it",
                     "It is so.", WHY, "", [])  # fmt: skip


def decoy(component: Component, *names: str, tolerated: bool) -> RxDecoy:
    kind: Any = "watch" if tolerated else "intolerance"
    pair = names[0].split("-")
    return RxDecoy(kind, component, pair, list(names), tolerated, "It is not.", WHY, [])


def made_up(task: RxTask = "full_validation", *, unsafe: bool = True) -> RxCase:
    """A case with an unsafe dose, two interactions, an allergy and a contraindication, as far as
    the task looks for them; one pair is tolerated. It is not medicine but a grader's exercise."""
    found = [finding("dose", asks="modify")] if unsafe else []
    decoys = []
    if task != "dosage_check":
        found += [finding("interaction", "simvastatin-clarithromycin", "statin-clarithromycin"),
                  finding("interaction", "colchicine-clarithromycin", asks="modify"),
                  finding("allergy", "macrolide-clarithromycin")]  # fmt: skip
        decoys = [decoy("interaction", "allopurinol-clarithromycin", tolerated=True),
                  decoy("allergy", "penicillin-clarithromycin", tolerated=False)]  # fmt: skip
    if task == "full_validation":
        found.append(finding("contraindication", "long_QT_syndrome-clarithromycin"))
    asks: Any = "reject" if any(one.asks == "reject" for one in found) else "modify"
    steps = {"dosage_check": 2, "interaction_check": 4, "full_validation": 6}
    return replace(
        case(CASCADE),
        task=task,
        max_steps=steps[task],
        dosage_safe=not unsafe,
        findings=found,
        decoys=decoys,
        recommendation=asks if found else "approve",
    )


def harmless(task: RxTask = "full_validation") -> RxCase:
    """The same with nothing wrong, and a decoy of each kind."""
    made = made_up(task)
    return replace(made, findings=[], dosage_safe=True, recommendation="approve")


def task_of(one: RxCase, profile: Profile = "strict") -> Task:
    return Task("some-task", "rx", profile, one)


def ask(what: str) -> RxAction:
    return RxAction("request_info", what)


def answer(
    word: str | None,
    safe: bool | None = True,
    interactions: list[str] | None = None,
    allergies: list[str] | None = None,
    contraindications: list[str] | None = None,
    *,
    missing: Iterable[str] = (),
) -> RxAction:
    """An answer; what is not given is an empty list, unless it is ``missing``."""
    given: dict[str, Any] = {
        "interactions_found": interactions or [],
        "allergy_conflicts": allergies or [],
        "contraindications_found": contraindications or [],
    }
    given = {name: value for name, value in given.items() if name not in missing}
    return RxAction("submit", dosage_safe=safe, recommendation=word, **given)


def right(one: RxCase, word: str | None = None) -> RxAction:
    """The right answer, with another recommendation if one is given."""
    names = {
        field: [found.names[0] for found in one.findings if found.component == part]
        for part, field in FIELDS.items()
    }
    return RxAction(
        "submit", dosage_safe=one.dosage_safe, recommendation=word or one.recommendation, **names
    )  # type: ignore[arg-type]


FULL = ask("full_profile")


@lru_cache(maxsize=1)
def every_case() -> tuple[RxCase, ...]:
    """The documented cases, and generated ones."""
    drawn = casegen.make("rx-v0", seed=404).cases(0, 60)
    return (*(case(task_id) for task_id in DOCUMENTED), *drawn)


@pytest.fixture(scope="session")
def cases() -> tuple[RxCase, ...]:
    return every_case()


@pytest.fixture(scope="session")
def play() -> Play:
    """Plays acts on a case until it is over; the last observation is that of the end."""

    def run(
        one: RxCase, acts: Iterable[RxAction], profile: Profile = "strict"
    ) -> tuple[RxEpisode, RxObservation]:
        episode = RxEpisode(task_of(one, profile), "e1")
        seen = episode.start()
        for act in acts:
            seen = episode.step(act)
            if seen.done:
                break
        return episode, seen

    return run


@pytest.fixture(scope="module")
def rx_server() -> Iterator[Any]:
    """A server of rx as it comes."""
    with running(family="rx") as served:
        yield served
