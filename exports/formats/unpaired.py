"""``unpaired``: single turns with a label, good ones of the expert and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from casegen.env.families import family
from casegen.schemas.trajectory import Trajectory

from ..columns import features_of, head, head_features, messages_feature
from ..messages import messages, prompt_of, tools_of, turn
from ..model import RowFormat, Unit
from .sft import EXPERT, faultless

if TYPE_CHECKING:
    from datasets import Features

NOISY = "noisy"


def features() -> Features:
    """The features. ``mistake`` names what is wrong with a turn of the label False."""
    from datasets import Value

    kind = messages_feature()
    own = {"prompt": kind, "completion": kind, "tools": kind}
    return features_of(head_features(), own, {"label": Value("bool"), "mistake": Value("string")})


def rows(unit: Unit) -> Iterator[dict[str, Any]]:
    """The expert's verdicts and one of its looks as good turns; labelled mistakes as bad."""
    expert = faultless(unit)
    if expert is not None:
        for at in _chosen(expert):
            yield _row(expert, at, None)
    noisy = unit.episodes.get(NOISY)
    if noisy is not None:
        for at, step in enumerate(noisy.steps):
            if step.mistake is not None:
                yield _row(noisy, at, step.mistake)


def _chosen(episode: Trajectory) -> list[int]:
    """All acts that say what the answer is, and one other that a hash picks."""
    deciding = family(episode.family).lessons().verdicts
    prompt = prompt_of(episode.family)
    kinds = [prompt.call_of(step.action)[0] for step in episode.steps]
    verdicts = [at for at, kind in enumerate(kinds) if kind in deciding]
    others = [at for at, kind in enumerate(kinds) if kind not in deciding]
    if others:
        drawn = blake2b(episode.content_hash.encode(), digest_size=8).digest()
        verdicts.append(others[int.from_bytes(drawn) % len(others)])
    return sorted(verdicts)


def _row(episode: Trajectory, at: int, mistake: str | None) -> dict[str, Any]:
    return {
        **head(episode, f"{episode.id}/{at}"),
        "prompt": messages(episode, at),
        "completion": [turn(episode.family, episode.steps[at])],
        "tools": tools_of(episode.family),
        "label": mistake is None,
        "mistake": mistake,
    }


FORMAT = RowFormat(
    name="unpaired",
    about="Single turns with a label: sound ones of the expert, and labelled mistakes.",
    features=features,
    agents=(EXPERT, NOISY),
    rows=rows,
)
