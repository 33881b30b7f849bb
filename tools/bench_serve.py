"""How fast a server plays, beside the server of OpenEnv's own template.

``python tools/bench_serve.py`` runs ``openenv init`` in a scratch folder, serves its
environment as its own ``main`` does and ours as ``casegen serve`` does, in short
turns, and prints steps a second over one WebSocket and over 32 and the middle of the ratios of
all turns. The steps of the engine alone stand beside them. Both clients speak JSON over bare
sockets, so that it is the servers that are measured.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parent.parent
TURNS = 15
TEMPLATE = "yardstick_env"
EPISODE = 20  # steps between two resets; the case allows 25
TASK = "expert_multi_error"
START = 60.0  # seconds that a server has to come up
QUERY = {"type": "step", "data": {"action_type": "query_guideline", "code": "?"}}
ECHO = {"type": "step", "data": {"message": "look this code up"}}


def engine(steps: int) -> float:
    """Steps a second without a server."""
    from casegen.env.families import family
    from casegen.env.tasks import find_task
    from casegen.schemas.play import AuditAction

    audit = family("audit")
    task = find_task("audit", task_id=TASK)
    action = AuditAction("query_guideline", code=task.case.claim[0].code)
    done = 0
    episode = audit.episode(task, "bench")
    episode.start()
    began = time.perf_counter()
    while done < steps:
        done += 1
        if episode.step(action).done:
            episode.start()
    return steps / (time.perf_counter() - began)


@contextlib.contextmanager
def served(command: list[str], folder: Path) -> Iterator[int]:
    """A server in a process of its own; its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, *command, "--port", str(port)],
            cwd=folder,
            env=os.environ | {"ENABLE_WEB_INTERFACE": "false"},
            stdout=log,
            stderr=log,
        )
        try:
            _await(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(20)


def _await(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise SystemExit("a server did not come up")


async def steps_over(port: int, sockets: int, steps: int, message: Mapping[str, object]) -> float:
    """Steps a second over so many sockets at once."""
    async with contextlib.AsyncExitStack() as stack:
        url = f"ws://127.0.0.1:{port}/ws"
        opened = [
            await stack.enter_async_context(connect(url, max_size=None, proxy=None))
            for _ in range(sockets)
        ]
        began = time.perf_counter()
        await asyncio.gather(*(_steps(link, steps // sockets, message) for link in opened))
        return (steps // sockets) * sockets / (time.perf_counter() - began)


async def _steps(link: ClientConnection, steps: int, message: Mapping[str, object]) -> None:
    reset = orjson.dumps({"type": "reset", "data": {"task_id": TASK}}).decode()
    step = ""
    left = 0
    for _ in range(steps):
        if left == 0:
            await link.send(reset)
            told = orjson.loads(await link.recv())["data"]["observation"]
            # Both converse alike: the template, whose episodes have no end, resets as often.
            left = EPISODE
            line = told.get("claim_lines", [{"code": ""}])[0]["code"]
            step = orjson.dumps(message).decode().replace("?", line)
        await link.send(step)
        heard = orjson.loads(await link.recv())
        if heard["type"] != "observation":
            raise SystemExit(f"no observation: {heard}")
        left -= 1


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="steps a second, beside OpenEnv's template")
    parser.add_argument("-n", type=int, default=24_000, help="steps a measurement")
    options = parser.parse_args()
    print(f"engine alone: {engine(options.n):,.0f} steps/s")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        openenv = str(Path(sys.executable).parent / "openenv")
        subprocess.run([openenv, "init", TEMPLATE], cwd=folder, check=True, capture_output=True)
        app = folder / TEMPLATE / "server" / "app.py"
        text = app.read_text(encoding="utf-8")
        app.write_text(
            re.sub(r"max_concurrent_envs=\d+", "max_concurrent_envs=64", text), encoding="utf-8"
        )
        servers = {
            "template": (["-m", f"{TEMPLATE}.server.app", "--host", "127.0.0.1"], ECHO),
            "casegen": (
                [
                    "-c",
                    "from casegen.env.commands.serve import command as c; c()",
                    "audit",
                    "--no-web",
                ],
                QUERY,
            ),
        }
        with contextlib.ExitStack() as stack:
            ports = {
                name: stack.enter_context(served(command, folder))
                for name, (command, _) in servers.items()
            }
            for sockets in (1, 32):
                # In short turns, so that whatever else the machine does falls on both.
                found: dict[str, list[float]] = {name: [] for name in servers}
                for _ in range(TURNS + 1):
                    for name, (_, message) in servers.items():
                        run = steps_over(ports[name], sockets, options.n // TURNS, message)
                        found[name].append(asyncio.run(run))
                # The first turn warms the servers up.
                ours, theirs = found["casegen"][1:], found["template"][1:]
                ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
                print(
                    f"over {sockets:2} sockets: casegen {statistics.median(ours):,.0f} steps/s, "
                    f"template {statistics.median(theirs):,.0f}, ratio {ratio:.2f}"
                )


if __name__ == "__main__":
    main()
