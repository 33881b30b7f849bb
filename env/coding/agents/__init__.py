"""The agents that play coding, by name."""

from __future__ import annotations

from collections.abc import Mapping

from casegen.env.family import AgentMaker

from .oracle import oracle
from .simple import first, noop, random, spray

AGENTS: Mapping[str, AgentMaker] = {
    "oracle": oracle,
    "random": random,
    "noop": noop,
    "spray": spray,
    "first": first,
}
