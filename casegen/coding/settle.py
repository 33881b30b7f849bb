"""What was open once and has been settled: told in the words of what is open, so that these words
alone tell nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..axes import SIDE_WORD
from ..chart.guided import join_guideline
from ..chart.model import Problem, Statement
from ..felt import is_felt
from ..randomness import Lane
from .twins import SHARES

if TYPE_CHECKING:
    from ..chart.build import Builder
    from .known import Known

_TRIES = 3
# Per cent of the settled sides that no entry had named at first.
_SUPPLIED = 45
# Diseases, of which a work-up may have been outstanding (chapters 1 to 14, without injuries).
_DISEASES = tuple("ABCDEFGHIJKLMN")


def settled_later(builder: Builder, lane: Lane, known: Known) -> list[str]:
    """Bring the twin of an open chart into an empty chart; its kind, or none where none fits."""
    for _ in range(_TRIES):
        kind = lane.pick(SHARES)
        if join_guideline(builder, lane, [known.settled[kind]]) is not None:
            return [kind]
    return []


def confirm(builder: Builder, lane: Lane, aired: list[Problem]) -> None:
    """Tell of a disease that it was in question and that the work-up has confirmed it."""
    fitting = [
        p for p in aired
        if p.base.startswith(_DISEASES) and not p.reserved and "phase" not in p.attributes
        and not is_felt(p.base)
    ]  # fmt: skip
    if fitting:
        problem = lane.pick(fitting)
        builder.statements.append(
            Statement(
                builder.next_id("r"), "told", [problem.id], "", {"a": problem.id},
                bank="confirmed",
            )
        )  # fmt: skip


def settle_side(builder: Builder, lane: Lane, aired: list[Problem]) -> bool:
    """Tell of an entry with the wrong side that the provider has set right, if a problem has
    one: there nothing is open."""
    fitting = [p for p in aired if p.tells_side and p.side != "bilateral" and not p.reserved]
    if not fitting:
        return False
    problem = lane.pick(fitting)
    # That it was left out can be told only where the name does not tell it.
    supplied = lane.below(100) < _SUPPLIED and leaves_side_out(problem)
    bank, place = ("side_supplied", "bare") if supplied else ("side_settled", "a")
    builder.statements.append(
        Statement(
            builder.next_id("r"), "side_settled", [problem.id], "", {place: problem.id}, bank=bank
        )
    )
    return True


def leaves_side_out(problem: Problem) -> bool:
    """Whether all names of a problem can be said without right and left."""
    return not any(SIDE_WORD.search(n) for n in problem.wording.telling(0, "").names)
