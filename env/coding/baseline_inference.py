"""The reference baseline of the documented tasks, and a language model in its place.

``python -m casegen.env.coding.baseline_inference --mode heuristic`` plays the three documented
tasks in process with the honest agent ``rules``, which reads the excerpt and the titles, and
prints the score of each. ``--mode llm`` lets a model play them on a running server; see
``casegen.env.coding.inference``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from casegen.schemas import CasegenError

from ..agents import play
from ..tasks import find_task
from . import FAMILY, inference
from .agents import AGENTS
from .inference import TASKS

AGENT = "rules"


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Play all documented tasks; the exit status."""
    parser = argparse.ArgumentParser(
        prog="baseline_inference", description="Play the documented tasks of medical coding."
    )
    parser.add_argument(
        "--mode",
        choices=("heuristic", "llm"),
        default="heuristic",
        help="heuristic: plain rules, offline (default); llm: a model behind an OpenAI-compatible "
        "endpoint, on a running server",
    )
    mode = parser.parse_args(argv).mode
    return heuristic() if mode == "heuristic" else inference.main(environ)


def heuristic() -> int:
    """Play with plain rules, and print the score of each task and their mean."""
    scores = []
    try:
        for task_id in TASKS:
            task = find_task("coding", task_id=task_id)
            outcome = play(FAMILY.episode(task, "baseline"), AGENTS[AGENT](task, 0))
            scores.append(outcome.score)
            print(f"{task.case.difficulty}: {outcome.score:.2f}", flush=True)
    except CasegenError as error:
        print(f"baseline_inference: {error}", file=sys.stderr)
        return 2
    print(f"macro average: {sum(scores) / len(scores):.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
