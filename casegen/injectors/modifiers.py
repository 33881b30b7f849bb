"""Modifiers that a claim carries and its record does not bear out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..randomness import Lane

if TYPE_CHECKING:
    from casegen.seeds.scenarios.ncci import Variant

    from ..scenarios import NcciScenario

# Modifiers that say of a separate service in what it is separate (CMS, X{EPSU}).
_SEPARATE = ("59", "XS", "XE", "XU")
_UNEARNED = ("59", "59", "XS")


def unearned(scenario: NcciScenario, variant: Variant, lane: Lane) -> str | None:
    """The modifier that the record does not bear out: 59 is used as well as its precise kin,
    those first that the same pair may rightly have."""
    if variant.modifier != "59":
        return variant.modifier
    rightly = tuple(m for right in scenario.right for m in right.modifiers_ok if m in _SEPARATE)
    return lane.pick(rightly or _UNEARNED)
