"""``unpaired``: single turns with a label, as many that are sound as that hold a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from casegen.env.families import family
from casegen.env.lessons import Lessons
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from ..columns import features_of, head, head_features, messages_feature
from ..messages import messages, prompt_of, tools_of, turn_of
from ..model import RowFormat, Unit
from .sft import EXPERT, faultless

if TYPE_CHECKING:
    from datasets import Features

# Those who play for these rows; of each family those whose turns teach.
_AGENTS = (EXPERT, "careless", "noisy", "rules")


class _Turn(NamedTuple):
    """A step of an episode, and what is wrong with it, if anything is."""

    episode: Trajectory
    at: int
    step: TrajectoryStep
    mistake: str | None


# The kind of an act, and who speaks like the one who does it.
_Kind = tuple[str, str]


def features() -> Features:
    """The features. ``mistake`` names what is wrong with a turn of the label False."""
    from datasets import Value

    kind = messages_feature()
    own = {"prompt": kind, "completion": kind, "tools": kind}
    return features_of(head_features(), own, {"label": Value("bool"), "mistake": Value("string")})


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """Turns with a mistake, and beside each a sound one of the same kind of act in the same
    voice, the nearest to it that there is. A mistake that has none is left out, but for acts that
    the family lets stand alone."""
    lessons, case = family(unit.task.family).lessons(), unit.task.case
    sound, wrong = _turns(lessons, unit)
    for number, (kind, one) in enumerate(wrong):
        alike = sound.get(kind, [])
        near = [lessons.near(one.step.action, other.step.action) for other in alike]
        most = max(near, default=0)
        if most:
            nearest = [other for other, how in zip(alike, near, strict=True) if how == most]
            picked = nearest[_drawn(unit, number) % len(nearest)]
            # Two agents may take the same turn.
            why = picked.step.rationale
            sound[kind] = [other for other in alike if other.step.rationale != why]
            yield _row(picked)
        if most or lessons.alone(kind[0], None):
            yield _row(one)
    for (act, _), turns in sound.items():
        if lessons.alone(act, case):
            for other in turns:
                if other.episode.agent == EXPERT:
                    yield _row(other)


def _turns(
    lessons: Lessons, unit: Unit
) -> tuple[dict[_Kind, list[_Turn]], list[tuple[_Kind, _Turn]]]:
    """The sound turns of a case by kind, and those that hold a mistake."""
    name_of = prompt_of(unit.task.family).name_of
    sound: dict[_Kind, list[_Turn]] = {}
    wrong: list[tuple[_Kind, _Turn]] = []
    told: set[tuple[str | None, str]] = set()  # two agents may make the same mistake
    for agent, voice in lessons.voices.items():
        episode = unit.episodes.get(agent)
        if episode is None or (agent == EXPERT and faultless(unit) is None):
            continue
        for at, step in enumerate(episode.steps):
            found = lessons.judged(unit.task.case, episode, step)
            if found is not None:
                kind = name_of(step.action), voice
                made = _Turn(episode, at, step, found.mistake)
                if found.sound:
                    sound.setdefault(kind, []).append(made)
                elif (said := (step.rationale, repr(step.action))) not in told:
                    told.add(said)
                    wrong.append((kind, made))
    return sound, wrong


def _drawn(unit: Unit, number: int) -> int:
    digest = blake2b(f"{unit.task.case.id}#{number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest)


def _row(one: _Turn) -> dict[str, Any]:
    episode, at = one.episode, one.at
    return {
        **head(episode, f"{episode.id}/{at}"),
        "prompt": messages(episode, at),
        "completion": [turn_of(episode, at)],
        "tools": tools_of(episode.family),
        "label": one.mistake is None,
        "mistake": one.mistake,
    }


FORMAT = RowFormat(
    name="unpaired",
    about="Single turns with a label: sound ones, and mistakes, of agents that speak alike.",
    features=features,
    agents=_AGENTS,
    rows=rows,
)
