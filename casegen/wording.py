"""How a problem is said: the compiled sentences of one condition value or tail code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .templates import Compiled, compile_bank

Bank = tuple[tuple[Compiled, ...], tuple[Compiled, ...]]
EMPTY: Bank = ((), ())


@dataclass(frozen=True, slots=True)
class Wording:
    """Banks of one problem; each holds the sentences for women and those for men.

    Empty banks fall back to the neutral ones of the phrase files, by stratum.
    """

    names: Bank
    story: Bank = EMPTY
    background: Bank = EMPTY
    exam: Bank = EMPTY
    results: Bank = EMPTY
    plan: Bank = EMPTY
    drugs: tuple[str, ...] = ()
    stratum: str = "disease"


def compile_wording(
    names: Sequence[str],
    *,
    story: Sequence[str] = (),
    background: Sequence[str] = (),
    exam: Sequence[str] = (),
    results: Sequence[str] = (),
    plan: Sequence[str] = (),
    drugs: Sequence[str] = (),
    stratum: str = "disease",
) -> Wording:
    """Compile the banks of one problem."""
    return Wording(
        compile_bank(names),
        compile_bank(story),
        compile_bank(background),
        compile_bank(exam),
        compile_bank(results),
        compile_bank(plan),
        tuple(drugs),
        stratum,
    )


def plain_wording(names: Sequence[str], stratum: str) -> Wording:
    """The wording of a tail code, whose names hold no slots."""
    bank = tuple(names)
    return Wording((bank, bank), stratum=stratum)
