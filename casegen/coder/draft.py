"""A claim line under construction, with the facts that ask for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from casegen.schemas.case import CodeSystem

from ..chart.model import Performed, Problem


@dataclass(slots=True)
class Draft:
    """One line of the claim.

    ``facts`` are the ids of the facts that call for the code (two for a combination code);
    ``right`` is the code of the right claim, or None for a line that an injector put in.
    ``taken`` marks lines on which a finding or a decoy rests, so that no second injector
    chooses them.
    """

    code: str
    system: CodeSystem
    facts: list[str]
    problem: Problem | None = None
    service: Performed | None = None
    modifiers: list[str] = field(default_factory=list)
    units: int = 1
    right: str | None = None
    taken: bool = False
    added: bool = False
    description: str | None = None
    line: int = 0
