"""The kinds of rx cases: what may be wrong with a prescription, and what only looks so.

Each kind names the openings in which it may come about and joins a sketch by one of them: it
adds the facts of the record on which it rests, and its finding or decoy, derived from the
knowledge of drugs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from casegen.schemas.rx_case import Component

from ..known import Known
from ..model import Opening, Sketch
from . import (
    age,
    allergy,
    condition,
    cross_allowed,
    disputed,
    duplicate_therapy,
    frequency,
    high_but_right,
    history,
    interaction,
    interaction_dose,
    intolerance,
    lab,
    notation,
    other_route,
    overdose,
    pregnancy,
    underdose,
    unit,
    unknown_drug,
    unrelated_allergy,
    watch,
    within_limit,
)
from . import combined_ingredient as combined


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind: its name, the component it is of (of a combined ingredient the interaction that it
    brings with it), how often it is drawn, and how it comes about."""

    name: str
    component: Component
    weight: int
    openings: Callable[[Known], Iterator[Opening]]
    join: Callable[[Sketch, Opening], None]


WRONG = (
    Kind("overdose", "dose", 20, overdose.openings, overdose.join),
    Kind("underdose", "dose", 8, underdose.openings, underdose.join),
    Kind("frequency", "dose", 9, frequency.openings, frequency.join),
    Kind("unit", "dose", 6, unit.openings, unit.join),
    Kind("notation", "dose", 7, notation.openings, notation.join),
    Kind("unknown_drug", "dose", 5, unknown_drug.openings, unknown_drug.join),
    Kind("combined_ingredient", "interaction", 9, combined.openings, combined.join),
    Kind("interaction", "interaction", 16, interaction.openings, interaction.join),
    Kind("class_interaction", "interaction", 14, interaction.class_openings, interaction.join),
    Kind("interaction_dose", "interaction", 12, interaction_dose.openings, interaction_dose.join),
    Kind("duplicate_therapy", "interaction", 9, duplicate_therapy.openings, duplicate_therapy.join),
    Kind("allergy", "allergy", 11, allergy.openings, allergy.join),
    Kind("cross_allergy", "allergy", 11, allergy.cross_openings, allergy.join),
    Kind("condition", "contraindication", 24, condition.openings, condition.join),
    Kind("lab", "contraindication", 17, lab.openings, lab.join),
    Kind("age", "contraindication", 9, age.openings, age.join),
    Kind("pregnancy", "contraindication", 15, pregnancy.openings, pregnancy.join),
)  # fmt: skip
SPARED = (
    Kind("high_but_right", "dose", 14, high_but_right.openings, high_but_right.join),
    Kind("intolerance", "allergy", 12, intolerance.openings, intolerance.join),
    Kind("acceptable_cross", "allergy", 12, cross_allowed.openings, cross_allowed.join),
    Kind("disputed", "allergy", 9, cross_allowed.disputed_openings, cross_allowed.join),
    Kind("unrelated_allergy", "allergy", 10, unrelated_allergy.openings, unrelated_allergy.join),
    Kind("within_limit", "interaction", 12, within_limit.openings, within_limit.join),
    Kind("watch", "interaction", 12, watch.openings, watch.join),
    Kind("watch", "contraindication", 8, watch.condition_openings, watch.condition_join),
    Kind("disputed", "contraindication", 8, disputed.openings, disputed.join),
    Kind("other_route", "interaction", 8, other_route.openings, other_route.join),
    Kind("history", "interaction", 11, history.openings, history.join),
)  # fmt: skip
