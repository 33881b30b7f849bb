"""How many episodes a second the written agents play: ``python tools/bench_rollout.py``.

Each round plays each agent on cases of its own that nothing has seen before, so that no memory
of a case flatters it; only what repeats in a stream of cases repeats here. Making the cases is
not counted. The processor's time counts, and wall time stands beside it, since the machine may
be busy. Two yardsticks run in the same rounds: a fixed loop of plain Python, and orjson's dump
of the very trajectories that were played. ``--memory 20000`` plays so many episodes besides and
tells at intervals what memory the process holds.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

AGENTS = ("expert", "rules", "noisy", "tables", "oracle", "random")
ROUNDS = 5
CASES = 200  # that an agent plays in a round
SEED = 23
BAR = 300.0  # episodes a second and core
_LOOP = 200_000
_RARELY = 100_000  # objects between two searches for cycles, as in the commands
_TELLINGS = 10  # of the memory


def loop() -> float:
    """Seconds of the processor for a fixed piece of plain Python."""
    began = time.process_time()
    words: dict[int, str] = {}
    for at in range(_LOOP):
        words[at & 1023] = f"{at}"
    return time.process_time() - began


def players() -> Callable[[str, int, int], Iterator[Callable[[], Any]]]:
    """Gives the episodes of an agent on the cases from a place on, each to be played."""
    import casegen
    from casegen.env.tasks import generated_id
    from casegen.exports.rollout import rollout
    from casegen.exports.units import episode_seed
    from casegen.schemas.pack import Task

    generator = casegen.make("audit-v0", seed=SEED)

    def episodes(agent: str, start: int, count: int) -> Iterator[Callable[[], Any]]:
        for case in generator.cases(start, count):
            task = Task(generated_id(case), "audit", "strict", case)
            seed = episode_seed(case.id, agent)
            yield lambda task=task, seed=seed: rollout(task, agent, seed)

    return episodes


def measure(agents: Sequence[str], rounds: int, cases: int) -> dict[str, Any]:
    """Figures by agent, and the yardsticks."""
    import orjson

    episodes = players()
    turns: dict[str, list[tuple[float, float, float]]] = {agent: [] for agent in agents}
    steps = dict.fromkeys(agents, 0)
    loops = []
    at = 0
    for _ in range(rounds):
        for agent in agents:
            loops.append(loop())
            own = wall = dump = 0.0
            for play in episodes(agent, at, cases):
                wall -= time.perf_counter()
                own -= time.process_time()
                trajectory = play()
                done = time.process_time()
                own += done
                wall += time.perf_counter()
                orjson.dumps(trajectory)
                dump += time.process_time() - done
                steps[agent] += len(trajectory.steps)
            at += cases
            turns[agent].append((own, wall, dump))
    return {
        "machine": {"python": platform.python_version(), "cores": os.cpu_count()},
        "loop_ms": median(loops) * 1e3,
        "cases_a_round": cases,
        "agents": {
            agent: {
                "episodes_per_second": cases / median(own for own, _, _ in found),
                "least": cases / max(own for own, _, _ in found),
                "most": cases / min(own for own, _, _ in found),
                "first_round": cases / found[0][0],
                "by_wall_time": cases / median(wall for _, wall, _ in found),
                "steps_per_episode": steps[agent] / (rounds * cases),
                "dumps_per_episode": median(own / dump for own, _, dump in found),
                "loops_per_episode": median(own for own, _, _ in found) / cases / median(loops),
            }
            for agent, found in turns.items()
        },
    }


def engine(rounds: int, cases: int) -> dict[str, float]:
    """Steps a second of the episodes alone, on new cases: each code is looked up, and in."""
    import casegen
    from casegen.env.audit.episode import AuditEpisode
    from casegen.env.tasks import generated_id
    from casegen.schemas.pack import Task
    from casegen.schemas.play import AuditAction

    generator = casegen.make("audit-v0", seed=SEED + 1)
    rates = []
    for turn in range(rounds):
        steps, own = 0, 0.0
        for case in generator.cases(turn * cases, cases):
            episode = AuditEpisode(Task(generated_id(case), "audit", "strict", case), "bench")
            acts = [AuditAction("query_guideline", code=line.code) for line in case.claim]
            acts = [*acts[: case.max_steps - 1], AuditAction("submit_audit")]
            own -= time.process_time()
            episode.start()
            for act in acts:
                episode.step(act)
            own += time.process_time()
            steps += len(acts)
        rates.append(steps / own)
    return {"median": median(rates), "least": min(rates), "most": max(rates)}


def memory(agents: Sequence[str], count: int) -> list[tuple[int, float]]:
    """Megabytes that the process holds after so many episodes, the agents taking turns."""
    episodes = players()
    every = max(1, count // _TELLINGS)
    told = []
    for done in range(0, count, every):
        agent = agents[done // every % len(agents)]
        for play in episodes(agent, done, min(every, count - done)):
            play()
        told.append((min(done + every, count), resident()))
    return told


def resident() -> float:
    """Megabytes of memory that this process holds now; NaN where the system does not tell."""
    status = Path("/proc/self/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else float("nan")


def table(figures: dict[str, Any]) -> Iterator[str]:
    """The figures, and whether the bar is met."""
    machine = figures["machine"]
    yield (
        f"Python {machine['python']}, {machine['cores']} cores; "
        f"yardstick loop {figures['loop_ms']:.1f} ms"
    )
    yield ""
    yield "episodes a second of the processor, each on a new case"
    heads = ("median", "least", "most", "first", "wall", "steps", "dumps", "loops")
    yield f"{'':8}" + "".join(f"{head:>8}" for head in heads)
    for agent, one in figures["agents"].items():
        rate = one["episodes_per_second"]
        yield (
            f"{agent:8}{rate:8.0f}{one['least']:8.0f}{one['most']:8.0f}{one['first_round']:8.0f}"
            f"{one['by_wall_time']:8.0f}{one['steps_per_episode']:8.1f}"
            f"{one['dumps_per_episode']:8.1f}{one['loops_per_episode']:8.3f}"
            f"   bar {BAR:.0f} {'met' if rate >= BAR else 'MISSED'}"
        )
    alone = figures["engine"]
    yield (
        f"steps a second of the engine alone: {alone['median']:,.0f} "
        f"({alone['least']:,.0f} to {alone['most']:,.0f})"
    )
    yield ""
    yield "first: the first round, in which nearly all codes are new; dumps and loops: the time of"
    yield "an episode in orjson dumps of its trajectory and in yardstick loops"
    if "memory" in figures:
        yield ""
        yield from (f"{done:8,} episodes {held:8.1f} MB" for done, held in figures["memory"])


def main() -> None:
    """Print the table, or one JSON object with ``--json``."""
    parser = argparse.ArgumentParser(description="episodes a second of the written agents")
    parser.add_argument("-n", type=int, default=CASES, help="cases an agent and a round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--agents", default=",".join(AGENTS), help="names with commas")
    parser.add_argument("--memory", type=int, default=0, help="episodes to watch memory over")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    gc.set_threshold(_RARELY)
    agents = options.agents.split(",")
    figures = measure(agents, options.rounds, options.n)
    figures["engine"] = engine(options.rounds, options.n)
    if options.memory:
        figures["memory"] = memory(agents, options.memory)
    print(json.dumps(figures) if options.json else "\n".join(table(figures)))


if __name__ == "__main__":
    main()
