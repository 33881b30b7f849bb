"""What an honest reader says of what it finds, mistaken or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from casegen.schemas.rx_play import RxObservation

from .judge import Flag, Judgment
from .reasons import Reasons, clause, named, quoted
from .script import Move, Script, ask, requests, submit

_MOST_PASSED = 2


@dataclass(frozen=True, slots=True)
class Said:
    """A judgment to be told. ``mistake`` labels the error that was made in it, ``recommendation``
    stands in the place of the one that follows, ``unread`` sources are not asked for."""

    judgment: Judgment
    mistake: str | None = None
    recommendation: str | None = None
    unread: tuple[str, ...] = field(default=())


def told(observation: RxObservation, decide: Callable[[RxObservation], Said]) -> Script:
    """Read the record, decide, and tell."""
    reasons = Reasons(observation)
    seen = observation
    for source in requests(observation.max_steps):
        seen = yield Move(ask(source), reasons.asking(source, seen))
    yield answer(reasons, seen, decide(seen))


def answer(reasons: Reasons, seen: RxObservation, said: Said) -> Move:
    """The answer with its reasons."""
    judgment = said.judgment
    word = said.recommendation or judgment.recommendation
    texts = []
    if judgment.dose is None:
        texts.append(reasons.say("dose_right", 0, {}))
    else:
        words = {"because": judgment.dose.why, "authority": named(judgment.dose.authority)}
        texts.append(reasons.say("dose_wrong", 0, words))
    texts += [_flag(reasons, f"found_{one.component}", number, one) for number, one in
              enumerate(judgment.flags, 1)]  # fmt: skip
    if not judgment.flags:
        texts.append(reasons.say("nothing", 0, {}))
    texts += [_flag(reasons, "found_passed", number, one) for number, one in
              enumerate(judgment.passed[:_MOST_PASSED], 1)]  # fmt: skip
    texts.append(reasons.say(word, 0, {}))
    why = " ".join(texts)
    act = submit(seen.task, judgment.dose is None, judgment.named(), word, why)
    return Move(act, why, said.mistake)


def _flag(reasons: Reasons, topic: str, number: int, one: Flag) -> str:
    words = {
        "quote": quoted([one.line]),
        "because": clause(one.why) or None,
        "effect": one.why or None,
        "authority": named(one.authority),
        "pair": one.name,
    }
    return reasons.say(topic, number, words)
