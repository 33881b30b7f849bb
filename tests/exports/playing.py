"""Episodes for tests of the writer: a few fixed acts in the real engine, and JSON that is
easily damaged on its way through Parquet."""

from __future__ import annotations

import os
import signal
from typing import Any

from casegen.env.families import family
from casegen.schemas.pack import Task
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

TRICKY: dict[str, Any] = {
    "nothing": {},
    "no list": [],
    "null": None,
    "within": [None, {}, [[]], {"deeper": {"deepest": []}}],
    "text": 'quote " backslash \\ slash / \\" line\nnul \u0000 é 漢字 😀 \u2028',
    "looks like a number": "0.35",
    "looks like JSON": '{"a": 0.6}',
    "largest": 2**64 - 1,
    "smallest": -(2**63),
    "beyond doubles": 2**53 + 1,
    "tenths": [place / 10 for place in range(30)],
    "hundredths": [0.35, 0.55, 0.0003, -0.15, 1e-05],
    "": "empty key",
}


def audit_acts(seen: dict[str, Any]) -> list[dict[str, Any]]:
    codes = list(seen["proposed_codes"])
    return [
        {"action_type": "query_guideline", "code": codes[0]},
        {"action_type": "check_ncci_edits", "code1": codes[0], "code2": codes[-1]},
        {"action_type": "submit_audit"},
    ]


def coding_acts(seen: dict[str, Any]) -> list[dict[str, Any]]:
    code, *others = seen["allowed_codes"]
    return [
        {"request_hint": True},
        {"primary_code": code, "secondary_codes": others[:1]},
        {"finalize": True},
    ]


def rx_acts(seen: dict[str, Any]) -> list[dict[str, Any]]:
    pair = f"warfarin-{seen['drug_name']}"
    return [
        {"action_type": "request_info", "info_requested": "full_profile"},
        {
            "action_type": "submit",
            "dosage_safe": False,
            "interactions_found": [pair],
            "allergy_conflicts": [],
            "recommendation": "reject",
        },
    ]


# What is done in a case, by family; the last act ends it.
ACTS = {"audit": audit_acts, "coding": coding_acts, "rx": rx_acts}


def rollout(task: Task, agent: str, seed: int) -> Trajectory:
    """An agent that asks for a code or two and hands in; a random one runs out of nothing."""
    played = family(task.family)
    episode = played.episode(task, f"{task.case.id}#{agent}")
    seen = played.plain(episode.start())
    acts = ACTS[task.family](seen)
    if agent == "random":
        del acts[-1]
    steps = []
    total = 0.0
    for act in acts:
        after = played.plain(episode.step(played.action(act)))
        changed = {name: after[name] for name in after if after[name] != seen[name]}
        changed["tricky"] = TRICKY
        done = bool(after["done"])
        mistake = "missed_error" if agent == "noisy" else None
        steps.append(TrajectoryStep(seen, act, after["reward"], done, changed, None, mistake))
        total += after["reward"]
        seen = after
    case = task.case
    score = seen["grader_score"] if seen["done"] else 0.0
    return Trajectory(
        id=f"{case.id}#{agent}",
        family=task.family,
        task_id=task.id,
        case_id=case.id,
        content_hash="0" * 64,
        split=case.split,
        difficulty=case.difficulty,
        profile=task.profile,
        pack=task.pack,
        agent=agent,
        seed=seed,
        score=score,
        total_reward=total,
        terminated=bool(seen["done"]),
        truncated=not seen["done"],
        steps=steps,
        metrics={"third": 1 / 3, "sevenths": 5 / 7, **TRICKY},
    )


def dies(task: Task, agent: str, seed: int) -> Trajectory:
    """An agent that the system kills, as it does where memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
    return rollout(task, agent, seed)
