"""Play over WebSocket: each connection a session, by the typed client and by hand."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from casegen.env.audit.client import MedicalCodingEnv
from casegen.env.audit.environment import MedicalCodingEnvironment
from casegen.env.audit.models import MedicalCodingAction
from casegen.env.coding.client import MedicalCodingAssistantEnv
from casegen.schemas import InputError

Served = Any  # see conftest.py
Serve = Callable[..., Any]
FULL = os.environ.get("CASEGEN_FULL") == "1"
SUBMIT = {"action_type": "submit_audit"}


@contextlib.contextmanager
def session(served: Served) -> Iterator[Any]:
    """The blocking typed client."""
    client = MedicalCodingEnv(base_url=served.url).sync()
    with client:
        yield client


def script(codes: list[str]) -> list[dict[str, Any]]:
    """Acts that make use of everything."""
    return [
        {"action_type": "query_guideline", "code": codes[0]},
        {"action_type": "query_guideline", "code": "not on the claim"},
        {"action_type": "extract_evidence", "evidence_text": "the"},
        {"action_type": "ask_clarifying_question", "question": "Which side is it?"},
        {
            "action_type": "flag_error",
            "code": codes[-1],
            "error_type": "ncci_edit",
            "justification": "because",
        },
        SUBMIT,
    ]


def test_reward_done_and_metadata_are_the_same_on_both_sides(server: Served) -> None:
    here = MedicalCodingEnvironment()
    with session(server) as there:
        for settings in ({"task_id": "easy_demographic"}, {"seed": 12, "difficulty": "hard"}):
            mine = here.reset(**settings, episode_id="one")
            theirs = there.reset(**settings, episode_id="one")
            for act in [None, *script(list(mine.proposed_codes))]:
                if act is not None:
                    mine = here.step(MedicalCodingAction(**act))
                    theirs = there.step(MedicalCodingAction(**act))
                assert theirs.observation.model_dump() == mine.model_dump()
                assert (theirs.reward, theirs.done) == (mine.reward, mine.done)
                assert theirs.metadata == mine.metadata == theirs.observation.metadata
                assert theirs.metadata["episode_id"] == "one"
            assert theirs.done
            assert there.state().model_dump() == here.state.model_dump()
    rewarded = MedicalCodingEnvironment()
    rewarded.reset(task_id="easy_demographic")
    assert (
        rewarded.step(MedicalCodingAction(action_type="query_guideline", code="O80")).reward == 0.1
    )


def test_the_answer_is_the_one_that_openenv_itself_would_send() -> None:
    from openenv.core.env_server.serialization import serialize_observation

    environment = MedicalCodingEnvironment()
    observation = environment.begin(task_id="easy_demographic", episode_id="one")
    lean = environment.payload(observation)
    stock = serialize_observation(environment.reset(task_id="easy_demographic", episode_id="one"))
    assert lean == stock


def test_over_http_and_over_a_socket_an_episode_goes_the_same_way(server: Served) -> None:
    begun = server.reset(seed=5)
    codes = list(begun["observation"]["proposed_codes"])
    with session(server) as client:
        client.reset(seed=5)
        for act in script(codes):
            body = {"episode_id": begun["episode_id"], "action": act}
            over_http = server.post("/step", json=body).json()
            over_socket = client.step(MedicalCodingAction(**act))
            theirs = over_http["observation"] | {
                "reward": over_http["reward"], "done": over_http["done"]
            }  # fmt: skip
            mine = over_socket.observation.model_dump()
            for seen in (theirs, mine):
                seen.pop("metadata")
            assert theirs == mine


def test_a_step_after_the_end_is_a_clear_error_and_reset_begins_anew(server: Served) -> None:
    with session(server) as client:
        client.reset(task_id="easy_demographic")
        client.step(MedicalCodingAction(**SUBMIT))
        with pytest.raises(RuntimeError, match="is over; reset begins a new one"):
            client.step(MedicalCodingAction(**SUBMIT))
        assert client.reset(task_id="easy_demographic").done is False


def test_before_a_reset_there_is_nothing_to_step(server: Served) -> None:
    with session(server) as client:
        assert client.state().episode_id is None
        with pytest.raises(RuntimeError, match="reset begins one"):
            client.step(MedicalCodingAction(**SUBMIT))


def test_an_idle_session_is_closed_and_says_so(serve: Serve) -> None:
    with serve(session_timeout=0.6) as served, session(served) as client:
        client.reset(seed=3)
        time.sleep(0.3)
        client.step(MedicalCodingAction(action_type="extract_evidence", evidence_text="the"))
        time.sleep(0.4)  # the alarm went off, but there was a message since it was set
        client.step(MedicalCodingAction(action_type="extract_evidence", evidence_text="a"))
        time.sleep(0.9)
        with pytest.raises(RuntimeError, match=r"closed after 0\.6 s without a message"):
            client.step(MedicalCodingAction(**SUBMIT))
        assert client.reset(seed=3).done is False  # in a session of its own


def test_an_idle_session_gives_its_place_up_though_its_connection_stays(serve: Serve) -> None:
    with serve(max_sessions=1, session_timeout=0.6) as served, session(served) as idle:
        idle.reset(seed=3)
        time.sleep(0.9)
        with session(served) as client:
            assert client.reset(seed=3).done is False


def by_hand(served: Served, talk: Callable[[Any], Any], sockets: int = 1) -> Any:
    """What ``talk`` makes of bare sockets."""

    async def all_of_it() -> Any:
        async with contextlib.AsyncExitStack() as stack:
            url = served.url.replace("http", "ws") + "/ws"
            opened = [
                await stack.enter_async_context(connect(url, proxy=None, max_size=None))
                for _ in range(sockets)
            ]
            return await talk(opened[0] if sockets == 1 else opened)

    return asyncio.run(all_of_it())


async def said(socket: Any, message: Any) -> dict[str, Any]:
    """The answer to a message."""
    await socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
    heard: dict[str, Any] = json.loads(await socket.recv())
    return heard


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", "INVALID_JSON"),
        ('{"type": "step", "data": {"x": NaN}}', "INVALID_JSON"),
        ("[1]", "VALIDATION_ERROR"),
        ("null", "VALIDATION_ERROR"),
        ({"type": "dance"}, "UNKNOWN_TYPE"),
        ({"type": ["step"]}, "UNKNOWN_TYPE"),
        ({}, "UNKNOWN_TYPE"),
        ({"type": "step"}, "VALIDATION_ERROR"),
        ({"type": "step", "data": []}, "VALIDATION_ERROR"),
        ({"type": "step", "data": {"action_type": "fly"}}, "VALIDATION_ERROR"),
        ({"type": "step", "data": {"action_type": "query_guideline", "code": 3}}, "VALID"),
        ({"type": "reset", "data": {"seed": "x"}}, "VALIDATION_ERROR"),
        ({"type": "reset", "data": {"self": 1}}, "VALIDATION_ERROR"),
        ({"type": "reset", "data": {"task_id": "nothing"}}, "VALIDATION_ERROR"),
        (b"\xff\xfe", "INVALID_JSON"),
        ("[" * 5000, "INVALID_JSON"),
    ],
)
def test_a_broken_message_is_told_in_one_line_and_costs_nothing(
    server: Served, message: Any, code: str
) -> None:
    async def talk(socket: Any) -> None:
        await said(socket, {"type": "reset", "data": {"seed": 1}})
        heard = await said(socket, message)
        assert heard["type"] == "error"
        assert heard["data"]["code"].startswith(code)
        line = heard["data"]["message"]
        assert line
        assert "\n" not in line
        assert "Traceback" not in line
        state = await said(socket, {"type": "state"})
        assert state["data"]["step_count"] == 0

    by_hand(server, talk)


def test_a_message_that_is_too_long_ends_the_connection(server: Served) -> None:
    async def talk(socket: Any) -> int:
        await socket.send("x" * 70_000)
        with pytest.raises(ConnectionClosed) as ended:
            await socket.recv()
        return 0 if ended.value.rcvd is None else ended.value.rcvd.code

    assert by_hand(server, talk) == 1009


def test_64_sessions_with_mixed_steps_go_as_each_would_alone(server: Served) -> None:
    async def alone(socket: Any, seed: int) -> list[Any]:
        heard = []
        first = await said(socket, {"type": "reset", "data": {"seed": seed}})
        for act in script(list(first["data"]["observation"]["proposed_codes"])):
            heard.append(await said(socket, {"type": "step", "data": act}))
        return [first, *heard]

    async def one_by_one(socket: Any) -> list[Any]:
        return [await alone(socket, seed) for seed in range(64)]

    async def mixed(sockets: list[Any]) -> list[Any]:
        return await asyncio.gather(*(alone(s, seed) for seed, s in enumerate(sockets)))

    def plain(heard: list[Any]) -> str:
        for answers in heard:
            for one in answers:
                one["data"].pop("metadata")
                one["data"]["observation"].pop("metadata")
        return json.dumps(heard)

    assert plain(by_hand(server, mixed, 64)) == plain(by_hand(server, one_by_one))


def test_one_session_too_many_is_refused_and_told_why(serve: Serve) -> None:
    with serve(max_sessions=2) as served, session(served) as one, session(served) as two:
        one.reset(seed=1)
        two.reset(seed=1)
        with (
            session(served) as third,
            pytest.raises(RuntimeError, match=r"all 2 .*--max-sessions.*CAPACITY_REACHED"),
        ):
            third.reset(seed=1)
        one.close()
        with session(served) as fourth:
            assert fourth.reset(seed=1).done is False
        # What is live over WebSocket takes no place of HTTP.
        served.reset(seed=1)


HOLDS = """
import sys, time
from casegen.env.audit.client import MedicalCodingEnv
client = MedicalCodingEnv(base_url=sys.argv[1]).sync()
client.__enter__()
client.reset(seed=1)
print("ready", flush=True)
time.sleep(60)
"""


def test_killing_a_client_frees_its_place(serve: Serve) -> None:
    with serve(max_sessions=1) as served:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDS, served.url], stdout=subprocess.PIPE, text=True
        )
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline().strip() == "ready"
            with session(served) as client, pytest.raises(RuntimeError, match="CAPACITY"):
                client.reset(seed=1)
        finally:
            holder.send_signal(signal.SIGKILL)
            holder.wait(10)
            if holder.stdout is not None:
                holder.stdout.close()
        end = time.monotonic() + 10
        while True:
            try:
                with session(served) as client:
                    client.reset(seed=1)
                return
            except RuntimeError:
                assert time.monotonic() < end, "the place was not freed"
                time.sleep(0.1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory from /proc")
def test_sessions_that_are_opened_and_dropped_leave_nothing_behind(run: Serve) -> None:
    many = 5000 if FULL else 200

    async def drop(served: Served, count: int) -> None:
        url = served.url.replace("http", "ws") + "/ws"
        for number in range(count):
            socket = await connect(url, proxy=None, max_size=None)
            await said(socket, {"type": "reset", "data": {"task_id": "easy_demographic"}})
            if number % 2:
                await socket.close()
            else:
                socket.transport.abort()  # as a client does that dies

    with run("--max-sessions", "8") as served:
        asyncio.run(drop(served, 100))
        before = served.kilobytes()
        asyncio.run(drop(served, many))
        assert served.kilobytes() - before < 8_000
        for _ in range(100):
            told = served.reset(task_id="easy_demographic")
            served.post("/close", json={"episode_id": told["episode_id"]})
        with session(served) as client:
            assert client.reset(seed=2).done is False


def test_a_server_that_is_told_to_end_ends_at_once_and_without_complaint(run: Serve) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with run() as served, session(served) as client:
            client.reset(seed=1)
            served.process.send_signal(number)
            began = time.monotonic()
            assert served.process.wait(15) == 0
            assert time.monotonic() - began < 10
            assert served.process.stderr.read() == ""


def test_a_server_of_another_family_is_told_by_name(server: Served) -> None:
    with (
        MedicalCodingAssistantEnv(base_url=server.url).sync() as client,
        pytest.raises(InputError, match="this server plays audit; casegen serve coding"),
    ):
        client.reset(seed=1)


def test_where_nobody_listens_the_command_of_a_server_is_told() -> None:
    client = MedicalCodingAssistantEnv(base_url="http://127.0.0.1:9").sync()
    with pytest.raises(ConnectionError, match="casegen serve coding starts a server"):
        client.connect()
