"""The figures of a report, gathered from the files of an export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from casegen.config import DIFFICULTIES

from ..finished import need_intact
from ..manifest import FileEntry, Manifest, PieceEntry
from .read import rows
from .views import Series, view

# Figures of the cases are counted on this many of them, evenly spread, where there are more.
MOST_CASES = 20_000
BINS = 20  # of scores, from 0 to 1
WORDS = 50  # the width of a bin of note lengths
_ALL = ("difficulty", "setting", "note")


@dataclass(slots=True)
class Counted:
    """How often each thing was counted."""

    series: Series
    counts: Counter[str] = field(default_factory=Counter)

    def ordered(self) -> list[tuple[str, int]]:
        """Names and counts, in the order in which they are shown."""
        if self.series.by_name:
            return sorted(self.counts.items())
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))


@dataclass(slots=True)
class FamilyFigures:
    """The figures of the cases of one family. ``words`` counts notes by the lower end of their
    bin; ``remark`` is what to know of the figures, if anything."""

    family: str
    remark: str = ""
    cases: int = 0
    counted: int = 0
    difficulty: Counter[str] = field(default_factory=Counter)
    setting: Counter[str] = field(default_factory=Counter)
    words: Counter[int] = field(default_factory=Counter)
    series: dict[str, Counted] = field(default_factory=dict)


@dataclass(slots=True)
class AgentFigures:
    """How one agent played. ``means`` by difficulty and ``all``, as (episodes, mean score);
    ``scores`` counts episodes by bin, ``mistakes`` labelled acts."""

    agent: str
    means: dict[str, tuple[int, float]]
    scores: list[int] = field(default_factory=lambda: [0] * BINS)
    steps: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Figures:
    """All figures. ``rows`` by configuration and split; ``agents`` over all cases, and
    ``agents_of`` over those of each family."""

    rows: dict[str, dict[str, int]]
    families: list[FamilyFigures]
    agents: list[AgentFigures]
    agents_of: dict[str, list[AgentFigures]]

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "rows": self.rows,
            "families": {one.family: _plain_family(one) for one in self.families},
            "agents": _plain_agents(self.agents),
            **(
                {"agents_of": {name: _plain_agents(own) for name, own in self.agents_of.items()}}
                if len(self.agents_of) > 1
                else {}
            ),
        }


def _plain_family(one: FamilyFigures) -> dict[str, Any]:
    return {
        "cases": one.cases,
        "counted": one.counted,
        "remark": one.remark,
        "difficulty": {name: one.difficulty[name] for name in DIFFICULTIES},
        "setting": dict(one.setting.most_common()),
        "note_words": {str(low): one.words[low] for low in sorted(one.words)},
        **{name: dict(counted.ordered()) for name, counted in one.series.items()},
    }


def _plain_agents(agents: list[AgentFigures]) -> dict[str, Any]:
    return {one.agent: _plain_agent(one) for one in agents}


def _plain_agent(one: AgentFigures) -> dict[str, Any]:
    means = {
        name: {"episodes": episodes, "mean_score": round(mean, 6)}
        for name, (episodes, mean) in one.means.items()
    }
    return {
        "by_difficulty": means,
        "scores": one.scores,
        "mean_steps": round(one.steps / max(1, sum(one.scores)), 3),
        "mistakes": dict(one.mistakes.most_common()),
    }


def gather(folder: Path, manifest: Manifest, told: Callable[[int], None]) -> Figures:
    """The figures of an export; ``told`` hears of files as they are done. Raises InputError."""
    for file in manifest.files():  # of those that are not read only the rows are told
        need_intact(folder, file, whole=False)
    totals = manifest.totals()
    counts = {
        config: {split: total.rows for split, total in splits.items()}
        for config, splits in totals.items()
    }
    families = [
        _family(folder, manifest, name, told)
        for name in manifest.recipe["families"]
        if "cases" in totals
    ]
    agents = _agents(folder, manifest, told)
    return Figures(counts, families, _together(manifest, agents), agents)


def _family(
    folder: Path, manifest: Manifest, name: str, told: Callable[[int], None]
) -> FamilyFigures:
    shown = view(name)
    pieces = [piece for piece in manifest.pieces if piece.family == name and "cases" in piece.files]
    total = sum(piece.files["cases"].rows for piece in pieces)
    found = FamilyFigures(name, shown.remark(manifest.tables[name]), total)
    found.series = {one.name: Counted(one) for one in shown.series}
    columns = tuple(dict.fromkeys((*_ALL, *shown.columns)))
    step = -(-found.cases // MOST_CASES) or 1
    start = 0
    for piece in pieces:
        size = piece.files["cases"].rows
        wanted = range(-start % step, size, step)
        start += size
        for row in rows(folder, piece.files["cases"], columns, wanted):
            found.counted += 1
            found.difficulty[row["difficulty"]] += 1
            found.setting[row["setting"]] += 1
            found.words[len(row["note"].split()) // WORDS * WORDS] += 1
            for series, label in shown.counted(row):
                found.series[series].counts[label] += 1
        told(1)
    return found


def _agents(
    folder: Path, manifest: Manifest, told: Callable[[int], None]
) -> dict[str, list[AgentFigures]]:
    """The figures of the agents by family."""
    found = {name: _unread(manifest, name) for name in manifest.recipe["families"]}
    for file in _files(manifest.pieces, "trajectories"):
        for row in rows(folder, file, ("family", "agent", "score", "num_steps")):
            one = found[row["family"]][row["agent"]]
            one.scores[min(BINS - 1, int(row["score"] * BINS))] += 1
            one.steps += row["num_steps"]
        told(1)
    for file in _files(manifest.pieces, "steps"):
        for row in rows(folder, file, ("family", "agent", "mistake")):
            if row["mistake"] is not None:
                found[row["family"]][row["agent"]].mistakes[row["mistake"]] += 1
        told(1)
    return {name: list(own.values()) for name, own in found.items()}


def _unread(manifest: Manifest, family: str | None) -> dict[str, AgentFigures]:
    """The agents of a family, or of all, with their mean scores alone."""
    return {
        agent: AgentFigures(
            agent,
            {name: (tally.episodes, tally.score) for name, tally in own.items()},
        )
        for agent, own in manifest.scores(family).items()
    }


def _together(manifest: Manifest, by_family: dict[str, list[AgentFigures]]) -> list[AgentFigures]:
    """The figures of the agents over the cases of all families."""
    found = _unread(manifest, None)
    for own in by_family.values():
        for part in own:
            one = found[part.agent]
            one.scores = [a + b for a, b in zip(one.scores, part.scores, strict=True)]
            one.steps += part.steps
            one.mistakes += part.mistakes
    return list(found.values())


def _files(pieces: list[PieceEntry], config: str) -> Iterator[FileEntry]:
    for piece in pieces:
        if config in piece.files:
            yield piece.files[config]
