"""How well agents play: mean scores with their intervals, by difficulty and by kind of case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from casegen.randomness import digest_int
from casegen.schemas.case import Difficulty
from casegen.schemas.pack import Task

from .agents import Outcome, play
from .family import Agent, AgentMaker, Family
from .figures import Counts, Figures
from .openai_endpoint import EndpointError, NoEndpointError

# So few episodes are also told one by one.
FEW = 12
# So many failures in a row, and an agent's evaluation ends.
ROW = 3
# The quantile of the normal distribution for 95 %.
_Z = 1.959963984540054
_ORDER: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert")


@dataclass(frozen=True, slots=True)
class Played:
    """One episode of an evaluation: the task's kinds, and what became of it."""

    task_id: str
    difficulty: Difficulty
    kinds: frozenset[str]
    counts: Counts
    figures: Figures
    outcome: Outcome
    index: int = 0
    side: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """The scores of some episodes."""

    n: int
    mean_score: float
    interval: tuple[float, float]

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "n": self.n,
            "mean_score": round(self.mean_score, 6),
            "interval": [round(end, 6) for end in self.interval],
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How one agent played.

    ``by_kind`` counts an episode under each kind of its case (in an audit each type of error on
    the claim), and under a name of its own where there is none; ``figures`` says what kinds are.
    Precision is the share of what was named (flags, codes) that was right and recall the share
    of what was to be named that was found, each over all episodes together; they are 1 where
    nothing was named, or nothing was to be found. ``unfinished`` counts the episodes that
    the agent did not end, ``refused`` its acts that were none, and ``complaint`` is what the last
    of them was told. ``failed`` counts the episodes that could not be played on, with score 0,
    and ``failure`` says why of the last. ``scores`` holds each task's id and score, in the order
    of the tasks. ``by_side`` is empty for families without sides; see ``figures``.
    """

    agent: str
    all: Group
    by_difficulty: dict[str, Group]
    by_kind: dict[str, Group]
    mean_steps: float
    precision: float
    recall: float
    unfinished: int
    refused: int
    figures: Figures
    complaint: str = ""
    failed: int = 0
    failure: str = ""
    scores: tuple[tuple[str, float], ...] = ()
    by_side: dict[str, Group] = field(default_factory=dict)

    @property
    def headline(self) -> float:
        """The figure by which agents are compared: the mean score, or where a family has sides
        the mean of their means."""
        means = [one.mean_score for one in self.by_side.values()]
        return sum(means) / len(means) if means else self.all.mean_score

    @property
    def by_task(self) -> dict[str, float]:
        """The scores of up to twelve episodes, by the id of the task; of more, nothing."""
        return dict(self.scores) if len(self.scores) <= FEW else {}

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "agent": self.agent,
            **self.all.plain(),
            "by_difficulty": {name: group.plain() for name, group in self.by_difficulty.items()},
            f"by_{self.figures.group}": {n: group.plain() for n, group in self.by_kind.items()},
            **self._sides(),
            "mean_steps": round(self.mean_steps, 3),
            f"{self.figures.noun}_precision": round(self.precision, 6),
            f"{self.figures.noun}_recall": round(self.recall, 6),
            "unfinished": self.unfinished,
            "refused": self.refused,
            "failed": self.failed,
            "scores": [[task, score] for task, score in self.scores],
            **({"by_task": self.by_task} if self.by_task else {}),
        }

    def _sides(self) -> dict[str, Any]:
        if not self.by_side:
            return {}
        sides = {name: group.plain() for name, group in self.by_side.items()}
        return {"headline": round(self.headline, 6), "by_side": sides}


class WithoutNote:
    """An agent that is shown no note; ``fields`` of an observation hold it."""

    def __init__(self, agent: Agent, fields: tuple[str, ...] = ("clinical_note",)) -> None:
        self._agent = agent
        self._fields = fields

    def act(self, observation: Any) -> Any:
        """What the agent does without a look at the note: texts and lists are empty."""
        told = {name: getattr(observation, name) for name in self._fields}
        empty = {name: type(value)() for name, value in told.items() if value is not None}
        return self._agent.act(replace(observation, **empty))


def episodes(
    family: Family,
    maker: AgentMaker,
    tasks: Iterable[Task],
    seed: int = 0,
    *,
    blank_note: bool = False,
    jobs: int = 1,
) -> Iterator[Played]:
    """Play each task with an agent of its own, seeded by ``seed`` and the task's id.

    With several ``jobs`` so many episodes are played at a time, and come in the order in which
    they end; ``index`` tells their place. An episode in which the agent's endpoint fails counts
    as failed. Raises NoEndpointError where the endpoint never was one.
    """

    figures = family.figures()

    def one(index: int, task: Task) -> Played:
        agent = maker(task, digest_int(f"agent/{seed}/{task.id}"))
        if blank_note:
            agent = WithoutNote(agent, family.note)
        try:
            outcome = play(family.episode(task, f"evaluate/{task.id}"), agent)
        except NoEndpointError:
            raise
        except EndpointError as error:
            outcome = Outcome(0.0, (), 0, False, failure=str(error))
        case = task.case
        kinds, counts = frozenset(figures.kinds(case)), figures.counts(case, outcome.metrics)
        side = "" if figures.side is None else figures.side(case)
        return Played(task.id, case.difficulty, kinds, counts, figures, outcome, index, side)

    if jobs > 1:
        return _at_a_time(jobs, one, tasks)
    return (one(index, task) for index, task in enumerate(tasks))


def _at_a_time(
    jobs: int, one: Callable[[int, Task], Played], tasks: Iterable[Task]
) -> Iterator[Played]:
    """What ``one`` makes of each task, in threads. They are daemons: who interrupts, or has seen
    enough, does not wait for the answers that are under way."""
    waiting = list(enumerate(tasks))
    count = len(waiting)
    waiting.reverse()
    lock, enough = Lock(), Event()
    ended: SimpleQueue[Played | BaseException] = SimpleQueue()

    def work() -> None:
        while not enough.is_set():
            with lock:
                if not waiting:
                    return
                index, task = waiting.pop()
            try:
                ended.put(one(index, task))
            except BaseException as error:  # the main thread raises it
                ended.put(error)
                return

    for _ in range(min(jobs, count)):
        Thread(target=work, daemon=True).start()
    try:
        for _ in range(count):
            came = ended.get()
            if isinstance(came, BaseException):
                raise came
            yield came
    finally:
        enough.set()


def until_failing(played: Iterable[Played]) -> Iterator[Played]:
    """The episodes up to the third failure in a row."""
    row = 0
    for one in played:
        yield one
        row = row + 1 if one.outcome.failure else 0
        if row == ROW:
            return


def summary(agent: str, played: Sequence[Played]) -> Evaluation:
    """The figures of at least one episode, in whatever order they were played."""
    played = sorted(played, key=lambda one: one.index)
    figures = played[0].figures
    kinds = sorted({kind for one in played for kind in one.kinds})
    by_kind = {kind: [one for one in played if kind in one.kinds] for kind in kinds}
    by_kind[figures.none] = [one for one in played if not one.kinds]
    by_level = {level: [one for one in played if one.difficulty == level] for level in _ORDER}
    sides = {side: [one for one in played if one.side == side] for side in _sides_of(played)}
    counts = [one.counts for one in played]
    named, right = sum(one.named for one in counts), sum(one.right for one in counts)
    wanted, found = sum(one.wanted for one in counts), sum(one.found for one in counts)
    return Evaluation(
        agent,
        group(played),
        {name: group(some) for name, some in by_level.items() if some},
        {name: group(some) for name, some in by_kind.items() if some},
        sum(one.outcome.steps for one in played) / len(played),
        right / named if named else 1.0,
        found / wanted if wanted else 1.0,
        sum(not one.outcome.done and not one.outcome.failure for one in played),
        sum(one.outcome.refused for one in played),
        figures,
        next((one.outcome.complaint for one in reversed(played) if one.outcome.complaint), ""),
        sum(bool(one.outcome.failure) for one in played),
        next((one.outcome.failure for one in reversed(played) if one.outcome.failure), ""),
        tuple((one.task_id, one.outcome.score) for one in played),
        {name: group(some) for name, some in sides.items()},
    )


def _sides_of(played: Sequence[Played]) -> list[str]:
    return sorted({one.side for one in played if one.side})


def group(played: Sequence[Played]) -> Group:
    """Number, mean and interval of the scores."""
    scores = [one.outcome.score for one in played]
    mean = sum(scores) / len(scores)
    return Group(len(scores), mean, interval(mean, len(scores)))


def interval(mean: float, n: int) -> tuple[float, float]:
    """A 95 % interval for the mean of ``n`` scores that lie in [0, 1].

    Wilson's score interval with the mean in place of a proportion. Among values in [0, 1] with
    one mean those of 0 and 1 alone vary most, so that it is never too narrow; it stays within
    [0, 1], has a width where all scores are equal, and draws nothing at random.
    """
    square = _Z * _Z
    middle = (mean + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * (mean * (1 - mean) / n + square / (4 * n * n)) ** 0.5
    # At the ends the bound is the end itself; rounding must not pass it.
    return max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half))
