"""``casegen push`` against a stand-in of the hub on this machine."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree
from typing import Any

import orjson
import pytest

from casegen.exports.shard import WORK

from .conftest import Exported

TOKEN = "hf_not_a_real_token"
REPO = "someone/audit"
# The library of the hub waits half a minute before it gives up.
AT_ONCE = """
import sys, time
time.sleep = lambda seconds: None
from casegen.cli import main
main(sys.argv[1:])
"""


@dataclass
class Hub:
    """What the stand-in was told: files by name once they are committed."""

    url: str = ""
    repos: dict[str, dict[str, Any]] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    commits: int = 0
    # What fails: a part of a path or a method, and a status, or 0 to break the connection off.
    fault: tuple[str, int] = ("", 0)
    asked: list[str] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    """The part of the hub's interface that an upload uses."""

    hub: Hub

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, data: Any, status: int = 200) -> None:
        body = orjson.dumps(data)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def parse_request(self) -> bool:
        read = super().parse_request()
        where, status = self.hub.fault
        if not (read and where and (where in self.path or where == self.command)):
            return read
        if status:
            self.body()
            self.answer({"error": "the hub has a bad day"}, status)
        self.close_connection = True
        return False

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def allowed(self) -> bool:
        self.hub.asked.append(f"{self.command} {self.path}")
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self.body()
        self.answer({"error": "Invalid username or password."}, 401)
        return False

    def do_GET(self) -> None:
        if not self.allowed():
            return
        if "/tree/" in self.path:
            facts = {"type": "file", "oid": "0", "size": 1}
            self.answer([{**facts, "path": name} for name in self.hub.files])
        else:
            self.answer({"id": REPO, "sha": "0" * 40, "siblings": []})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.hub.blobs[self.path.rpartition("/")[2]] = self.body()
        self.answer({})

    def do_POST(self) -> None:
        if not self.allowed():
            return None
        data = self.body()
        hub = self.hub
        if self.path == "/api/repos/create":
            told = orjson.loads(data)
            name = f"{told['organization']}/{told['name']}"
            if name in hub.repos:
                return self.answer({"url": f"{hub.url}/datasets/{name}", "error": "exists"}, 409)
            hub.repos[name] = told
            return self.answer({"url": f"{hub.url}/datasets/{name}"})
        if self.path == "/api/validate-yaml":
            return self.answer({"errors": [], "warnings": []})
        if "/preupload/" in self.path:
            files = orjson.loads(data)["files"]
            return self.answer({"files": [self.mode(file["path"]) for file in files]})
        if self.path.endswith("/info/lfs/objects/batch"):
            objects = [self.place(one) for one in orjson.loads(data)["objects"]]
            return self.answer({"transfer": "basic", "objects": objects})
        if "/commit/" in self.path:
            return self.commit(data)
        return self.answer({"error": f"no such place: {self.path}"}, 404)

    def mode(self, path: str) -> dict[str, Any]:
        kind = "lfs" if path.endswith(".parquet") else "regular"
        return {"path": path, "uploadMode": kind, "shouldIgnore": False, "oid": None}

    def place(self, one: dict[str, Any]) -> dict[str, Any]:
        return {**one, "actions": {"upload": {"href": f"{self.hub.url}/blob/{one['oid']}"}}}

    def commit(self, data: bytes) -> None:
        hub = self.hub
        for line in map(orjson.loads, data.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                hub.files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                hub.files[value["path"]] = hub.blobs[value["oid"]]
            elif line["key"] == "deletedFile":
                del hub.files[value["path"]]
        hub.commits += 1
        oid = f"{hub.commits:040}"
        url = f"{hub.url}/datasets/{REPO}/commit/{oid}"
        self.answer({"success": True, "commitOid": oid, "commitUrl": url, "hookOutput": ""})


@pytest.fixture
def hub() -> Iterator[Hub]:
    found = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"hub": found}))
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join()


def push(hub: Hub, home: Path, *arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command with nothing of this user's login."""
    given = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "HF_HOME": str(home),
        "HF_ENDPOINT": hub.url,
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_XET": "1",
        "HF_TOKEN": TOKEN,
        **more,
    }
    return subprocess.run(
        [sys.executable, "-c", AT_ONCE, "push", *map(str, arguments)],
        env=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.startswith("casegen: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_all_files_arrive_in_one_commit_and_old_shards_go(
    exported: Exported, hub: Hub, tmp_path: Path
) -> None:
    hub.files = {"data/cases/train-00000-of-00009.parquet": b"old", ".gitattributes": b"kept"}
    done = push(hub, tmp_path, exported.folder, REPO, "--private", "--json")
    assert done.returncode == 0, done.stderr
    told = orjson.loads(done.stdout)
    assert hub.repos[REPO]["type"] == "dataset"
    assert hub.repos[REPO]["visibility"] == "private"
    assert hub.commits == 1
    assert told["commit"].startswith(hub.url)
    wanted = {
        path.relative_to(exported.folder).as_posix(): path.read_bytes()
        for path in exported.folder.rglob("*")
        if path.is_file()
    }
    assert hub.files == {**wanted, ".gitattributes": b"kept"}
    assert sorted(told["files"]) == sorted(wanted)
    assert all(sha256(data).hexdigest() == oid for oid, data in hub.blobs.items())
    again = push(hub, tmp_path, exported.folder, REPO)
    assert again.returncode == 0, again.stderr
    assert set(hub.files) == {*wanted, ".gitattributes"}


def test_a_dry_run_asks_nothing_of_the_hub(exported: Exported, hub: Hub, tmp_path: Path) -> None:
    done = push(hub, tmp_path, exported.folder, REPO, "--dry-run")
    assert done.returncode == 0, done.stderr
    files = sum(path.is_file() for path in exported.folder.rglob("*"))
    assert done.stdout.startswith(f"{files} files")
    assert "would be uploaded" in done.stdout
    assert done.stderr == "casegen: the token would come from HF_TOKEN\n"
    assert hub.asked == []


def test_a_wrong_token_is_told_in_one_line(exported: Exported, hub: Hub, tmp_path: Path) -> None:
    done = push(hub, tmp_path, exported.folder, REPO, HF_TOKEN="wrong")
    told = complaint(done)
    assert told.startswith("casegen: HF_TOKEN: ")
    assert "refused (401): Invalid username or password.; set HF_TOKEN to one that" in told
    assert hub.files == {}
    assert TOKEN not in done.stderr


def test_without_a_token_nothing_is_uploaded(exported: Exported, hub: Hub, tmp_path: Path) -> None:
    for token in ("", "t\u00f6ken"):
        told = complaint(push(hub, tmp_path, exported.folder, REPO, HF_TOKEN=token))
        assert told.startswith("casegen: HF_TOKEN: ")
        assert "set HF_TOKEN to one that may write, or log in with hf auth" in told
    assert hub.files == {}


@pytest.mark.parametrize(
    ("where", "status", "told"),
    [
        ("/api/repos/create", 500, "refused (500): the hub has a bad day; try again later"),
        ("/api/repos/create", 404, "refused (404): the hub has a bad day; name a user or an"),
        ("/preupload/", 429, "refused (429): the hub has a bad day; try again later"),
        ("PUT", 500, "refused (500): the hub has a bad day; try again later"),
        ("PUT", 403, "refused (403): the hub has a bad day; the token must be allowed to write"),
        ("PUT", 0, "can't be reached: "),
        ("/commit/", 503, "refused (503): the hub has a bad day; try again later"),
        ("/commit/", 0, "can't be reached: "),
    ],
)
def test_a_hub_that_fails_midway_is_told_in_one_line(
    exported: Exported, hub: Hub, tmp_path: Path, where: str, status: int, told: str
) -> None:
    hub.fault = (where, status)
    said = complaint(push(hub, tmp_path, exported.folder, REPO))
    assert said.startswith(f"casegen: REPO: '{REPO}': {hub.url} ")
    assert told in said
    assert hub.commits == 0


def test_a_push_that_failed_goes_through_when_it_is_tried_again(
    exported: Exported, hub: Hub, tmp_path: Path
) -> None:
    hub.fault = ("/commit/", 500)
    complaint(push(hub, tmp_path, exported.folder, REPO))
    assert hub.files == {}
    hub.fault = ("", 0)
    done = push(hub, tmp_path, exported.folder, REPO)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(hub.files) == sum(path.is_file() for path in exported.folder.rglob("*"))


def test_a_hub_that_is_not_there_is_told(exported: Exported, hub: Hub, tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:1"
    told = complaint(push(hub, tmp_path, exported.folder, REPO, HF_ENDPOINT=nowhere))
    assert f"{nowhere} can't be reached" in told


@pytest.mark.parametrize("address", ["nonsense", "ftp://hub", "http://[::bad", "https://"])
def test_an_address_that_is_none_is_told(
    exported: Exported, hub: Hub, tmp_path: Path, address: str
) -> None:
    told = complaint(push(hub, tmp_path, exported.folder, REPO, HF_ENDPOINT=address))
    assert told.startswith(f"casegen: HF_ENDPOINT: '{address}': the address of a hub")


def test_offline_mode_is_respected(exported: Exported, hub: Hub, tmp_path: Path) -> None:
    told = complaint(push(hub, tmp_path, exported.folder, REPO, HF_HUB_OFFLINE="1"))
    assert "HF_HUB_OFFLINE" in told
    assert hub.asked == []


@pytest.mark.parametrize("repo", ["", "a/b/c", "a b", "../x", "-x/y"])
def test_a_name_that_is_no_repository_is_refused(
    exported: Exported, hub: Hub, tmp_path: Path, repo: str
) -> None:
    assert "REPO" in complaint(push(hub, tmp_path, "--", exported.folder, repo))
    assert hub.asked == []


def test_a_damaged_missing_or_strange_shard_is_named_and_nothing_is_uploaded(
    exported: Exported, hub: Hub, tmp_path: Path
) -> None:
    out = copytree(exported.folder, tmp_path / "out")
    path = next((out / "data" / "steps").glob("*.parquet"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    name = path.relative_to(out).as_posix()
    assert f"{out}: shard: '{name}': is damaged; casegen export" in complaint(
        push(hub, tmp_path, out, REPO)
    )
    path.unlink()
    assert f"{name}': is missing; casegen export" in complaint(push(hub, tmp_path, out, REPO))
    path.write_bytes(whole)
    strange = path.with_name("train-00000-of-99999.parquet")
    strange.write_bytes(whole)
    assert "is not of this export" in complaint(push(hub, tmp_path, out, REPO))
    strange.unlink()
    (out / WORK).mkdir()
    assert "is not finished" in complaint(push(hub, tmp_path, out, REPO))
    assert hub.asked == []
