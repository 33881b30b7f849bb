"""Look-ups that many prescriptions ask for, remembered."""

from __future__ import annotations

import re
from functools import lru_cache

from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.labels import cited
from casegen.seeds.rx.model import CrossReaction, Drug, Interaction, Notation

_STRENGTH = re.compile(
    r"\s+(\d[\d.,]*(?:\s?/\s?\d[\d.,]*)?(?:\s*(?:mg|mcg|g|units|mEq|%)(?:/\d*\s?mL)?)?)$", re.I
)


@lru_cache(maxsize=100_000)
def between(rx: Rx, a: str, b: str) -> tuple[Interaction, ...]:
    """``rx.between``, the pair asked once, each rule with the labels of the two drugs."""
    return tuple(cited(rx, rule, a, b) for rule in rx.between(a, b))


@lru_cache(maxsize=100_000)
def crossing(rx: Rx, allergen: str, drug: str) -> tuple[CrossReaction, ...]:
    """``rx.crossing``, the pair asked once."""
    return rx.crossing(allergen, drug)


@lru_cache(maxsize=10_000)
def kin(rx: Rx, drug: str) -> frozenset[str]:
    """``rx.kin``, the drug asked once."""
    return rx.kin(drug)


@lru_cache(maxsize=4)
def patterns(rx: Rx) -> tuple[tuple[Notation, re.Pattern[str]], ...]:
    """The notations with their compiled patterns."""
    return tuple((one, re.compile(one.pattern)) for one in rx.notations)


def drug_of(rx: Rx, text: str) -> tuple[Drug | None, str]:
    """The drug that is written, and the strength behind its name (``Norco 5/325``), "" if none.

    A name is known or it is not; none is likened to another.
    """
    drug = rx.named(text)
    if drug is not None:
        return drug, ""
    match = _STRENGTH.search(text)
    if match is None:
        return None, ""
    return rx.named(text[: match.start()]), match[1].strip()
