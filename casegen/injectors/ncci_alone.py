"""A service of an NCCI scenario done by itself: a right line, with no pair beside it.

Without these the codes of column 2 that no ordinary chart bills would stand on wrong lines
alone, and whoever knew them would need no note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..randomness import Lane
from .ncci_edit import bring, enters, narrow

if TYPE_CHECKING:
    from ..chart.build import Builder
    from ..scenarios import NcciScenario

_TRIES = 3


def bring_alone(builder: Builder, lane: Lane) -> None:
    """Bring the problem of a scenario and one of its services, column 2 more often; nothing
    where the chart takes none."""
    world = builder.world
    for _ in range(_TRIES):
        scenario: NcciScenario = lane.pick(world.ncci)
        service = world.service(scenario.column2 if lane.below(4) else scenario.column1)
        if service.needs_primary or service.companions or service.em is not None:
            continue
        # A service that needs another diagnosis than its partner is not for this chart.
        if scenario.second is not None or not enters(builder, scenario):
            continue
        if not bring(builder, scenario.problem, scenario.phase):
            continue
        fits = tuple(prefix for prefix in service.conditions if prefix)
        if fits and not any(code.startswith(fits) for code in builder.codes):
            continue
        if builder.frame.mask & scenario.mask and builder.admit_service(service) is not None:
            narrow(builder, scenario)
            return
