"""What exports need to know of a family's acts to teach by them: which are right, which are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

Act = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lessons:
    """How turns of a family are judged. Acts are plain values, as trajectories hold them.

    - ``verdicts``: the names of the acts that say what the answer is; the others look something up.
    - ``mistake(case, label, act, seen)``: the label of a typed act that an agent got wrong on
      purpose, None where it happens to be right; ``seen`` is the plain observation before it.
    - ``same(act)``: what an act does, without the words that say why: equal for two that do the
      same.
    - ``place(expert, act)``: where in the expert's history an act would stand.
    - ``reachable(task, expert, at, act)``: the best score after the expert's first ``at`` acts and
      then ``act``.
    - ``why(case, step, score, best)``: what is wrong with an act after which ``score`` can be
      reached, while the expert's leads to ``best``; None where nothing surely is.
    """

    verdicts: frozenset[str]
    mistake: Callable[[Any, str, Any, Mapping[str, Any]], str | None]
    same: Callable[[Act], object]
    place: Callable[[Trajectory, Act], int]
    reachable: Callable[[Task, Trajectory, int, Act], float]
    why: Callable[[Any, TrajectoryStep, float, float], str | None]
