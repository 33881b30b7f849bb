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
# Tables alone settle a pair of indicator 0, and one without a modifier, and where one with a
# modifier is mostly wrong they settle that, too. So many in a hundred of the draws of each are
# taken; three in five pairs with a modifier are wrong then.
_NEVER_TOGETHER, _WITHOUT, _WITH = 4, 5, 40


def wrong_variant(scenario: NcciScenario, lane: Lane) -> Variant | None:
    """A way in which column 2 of a pair is billed wrongly; None where another pair is to be
    drawn."""
    if not scenario.wrong:
        return None
    variant: Variant = lane.pick(scenario.wrong)
    if scenario.indicator == 0:
        return variant if lane.below(100) < _NEVER_TOGETHER else None
    return variant if lane.below(100) < (_WITH if variant.modifier else _WITHOUT) else None


def unearned(scenario: NcciScenario, variant: Variant, lane: Lane) -> str | None:
    """The modifier that the record does not bear out: 59 is used as well as its precise kin,
    those first that the same pair may rightly have."""
    if variant.modifier != "59":
        return variant.modifier
    rightly = tuple(m for right in scenario.right for m in right.modifiers_ok if m in _SEPARATE)
    return lane.pick(rightly or _UNEARNED)
