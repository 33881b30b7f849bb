"""``unpaired``: single turns with a label, as many that are sound as that hold a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from ..columns import features_of, head, head_features, messages_feature
from ..judged import judged
from ..messages import messages, tools_of, turn
from ..model import RowFormat, Unit
from .sft import EXPERT, faultless

if TYPE_CHECKING:
    from datasets import Features

# Who speaks like whom.
_VOICES = {EXPERT: EXPERT, "careless": EXPERT, "noisy": "rules", "rules": "rules"}
_ASK = "ask_clarifying_question"


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
    voice, about the same code or of the same type of error if there is one. A mistake that has
    none is left out, but for questions, of which those that have to be asked are rare."""
    sound, wrong = _turns(unit)
    for number, (kind, one) in enumerate(wrong):
        alike = sound.get(kind, [])
        near = [_near(one.step.action, other.step.action) for other in alike]
        most = max(near, default=0)
        if most:
            nearest = [other for other, how in zip(alike, near, strict=True) if how == most]
            picked = nearest[_drawn(unit, number) % len(nearest)]
            # Two agents may take the same turn.
            why = picked.step.rationale
            sound[kind] = [other for other in alike if other.step.rationale != why]
            yield _row(picked)
        if most or kind[0] == _ASK:
            yield _row(one)
    for (act, _), turns in sound.items():
        if act == _ASK or (act.startswith("submit_") and not unit.task.case.findings):
            for other in turns:
                if other.episode.agent == EXPERT:
                    yield _row(other)


def _turns(unit: Unit) -> tuple[dict[_Kind, list[_Turn]], list[tuple[_Kind, _Turn]]]:
    """The sound turns of a case by kind, and those that hold a mistake."""
    sound: dict[_Kind, list[_Turn]] = {}
    wrong: list[tuple[_Kind, _Turn]] = []
    for agent, voice in _VOICES.items():
        episode = unit.episodes.get(agent)
        if episode is None or (agent == EXPERT and faultless(unit) is None):
            continue
        for at, step in enumerate(episode.steps):
            found = judged(unit.task.case, episode, step)
            if found is not None:
                kind = step.action["action_type"], voice
                made = _Turn(episode, at, step, found.mistake)
                if found.sound:
                    sound.setdefault(kind, []).append(made)
                else:
                    wrong.append((kind, made))
    return sound, wrong


def _near(act: dict[str, Any], other: dict[str, Any]) -> int:
    """How near two acts of a kind are: those about one code before others. 0 for two flags that
    have nothing in common."""
    if act["action_type"] != "flag_error":
        return 1 + ("code" in act and act["code"] == other["code"])
    if act["code"] in (other["code"], other.get("related_code")):
        return 2
    same = act["error_type"] == other["error_type"] and _section(act) == _section(other)
    return int(same)


def _section(act: dict[str, Any]) -> str:
    """The section of the guidelines on which a flag rests, if it names one."""
    told: str = act["justification"].rpartition("Authority: ")[2]
    return told if told.startswith("section ") else ""


def _drawn(unit: Unit, number: int) -> int:
    digest = blake2b(f"{unit.task.case.id}#{number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest)


def _row(one: _Turn) -> dict[str, Any]:
    episode, at = one.episode, one.at
    return {
        **head(episode, f"{episode.id}/{at}"),
        "prompt": messages(episode, at),
        "completion": [turn(one.step)],
        "tools": tools_of(episode.family),
        "label": one.mistake is None,
        "mistake": one.mistake,
    }


FORMAT = RowFormat(
    name="unpaired",
    about="Single turns with a label: sound ones, and mistakes, of agents that speak alike.",
    features=features,
    agents=tuple(_VOICES),
    rows=rows,
)
