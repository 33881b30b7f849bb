"""The agents that play rx, by name."""

from __future__ import annotations

from collections.abc import Mapping

from casegen.env.family import AgentMaker

from .careless import careless
from .expert import expert
from .noisy import noisy
from .oracle import oracle
from .rules import rules
from .simple import approve, noop, random, spray

AGENTS: Mapping[str, AgentMaker] = {
    "oracle": oracle,
    "expert": expert,
    "careless": careless,
    "rules": rules,
    "noisy": noisy,
    "random": random,
    "noop": noop,
    "spray": spray,
    "approve": approve,
}
