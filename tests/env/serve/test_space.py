"""The folder to deploy holds all that a container needs, and a container built of it plays."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import venv
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import yaml

from casegen.env.packs import shipped

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT / "env" / "serve" / "space"
FULL = os.environ.get("CASEGEN_FULL") == "1"
HEAD = """---
title: {title}
emoji: {emoji}
colorFrom: {first}
colorTo: {last}
sdk: docker
app_port: {port}
pinned: false
tags:
  - openenv
base_path: /web
---
"""


@dataclass(frozen=True)
class Space:
    """The folder of a family: its port, the head of its README, and acts that solve a task."""

    family: str
    port: int
    head: tuple[str, str, str, str]
    pack: str
    task: str
    acts: tuple[dict[str, object], ...]

    @property
    def source(self) -> Path:
        return ROOT / "env" / self.family / "space"


FLAG = {
    "action_type": "flag_error",
    "code": "O80",
    "error_type": "demographic_mismatch",
    "justification": "a male patient",
}
AUDIT = Space(
    "audit",
    7860,
    ("Medical Coding Auditor", "🏥", "blue", "indigo"),
    "audit-bench-v1",
    "easy_demographic",
    ({"action_type": "query_guideline", "code": "O80"}, FLAG, {"action_type": "submit_audit"}),
)
CODING = Space(
    "coding",
    8000,
    ("Medical Coding Assistant", "📋", "green", "blue"),
    "coding-bench-v1",
    "easy_t2dm_followup",
    ({"primary_code": "E11.9"}, {"secondary_codes": ["Z79.84"], "finalize": True}),
)
RX = Space(
    "rx",
    8000,
    ("RxSafe", "💊", "red", "green"),
    "rx-bench-v1",
    "interaction_check_1",
    (
        {"action_type": "request_info", "info_requested": "full_profile"},
        {
            "action_type": "submit",
            "dosage_safe": True,
            "interactions_found": ["warfarin-aspirin"],
            "allergy_conflicts": [],
            "recommendation": "reject",
        },
    ),
)
EACH = pytest.mark.parametrize("space", [AUDIT, CODING, RX], ids=lambda space: space.family)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout, as ``casegen space audit`` builds it."""
    target = tmp_path_factory.mktemp("deploy") / "space"
    done = casegen("space", "audit", "-o", str(target))
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    (found,) = target.glob("casegen-*.whl")
    return found


@pytest.fixture
def folder(space: Space, wheel: Path, tmp_path: Path) -> Path:
    """What ``casegen space`` writes for a family."""
    target = tmp_path / "space"
    done = casegen("space", space.family, "-o", str(target), "--wheel", str(wheel))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return target


def casegen(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line."""
    return subprocess.run(
        [sys.executable, "-m", "casegen", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@EACH
def test_the_readme_begins_with_the_documented_block(space: Space) -> None:
    title, emoji, first, last = space.head
    head = HEAD.format(title=title, emoji=emoji, first=first, last=last, port=space.port)
    assert (space.source / "README.md").read_text(encoding="utf-8").startswith(head)


def test_the_requirements_are_those_of_the_lock() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "space_requirements.py"))
    text = (SHARED / "requirements.txt").read_text(encoding="utf-8")
    assert text == tool["requirements"]()
    assert {"openenv", "fastapi", "uvicorn", "pydantic", "orjson", "click"} <= tool["closure"]()
    assert not {"pytest", "mypy", "datasets", "selenium"} & tool["closure"]()
    assert re.search(r"://|(?m:^\s*-)(?!-hash=)|@", text) is None


@EACH
def test_its_python_files_import_the_family_and_nothing_else(space: Space) -> None:
    for path in space.source.rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(("import ", "from ")):
                ours = f"from casegen.env.{space.family}"
                assert line.startswith(ours), f"{path.name}: {line}"


@EACH
def test_openenv_accepts_the_manifest(space: Space, folder: Path) -> None:
    command = str(Path(sys.executable).parent / "openenv")
    if not Path(command).exists():
        command = shutil.which("openenv") or pytest.skip("needs the command openenv")
    done = subprocess.run(
        [command, "validate", str(folder), "--level", "static", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["verdict"] == "pass"
    told = yaml.safe_load((folder / "openenv.yaml").read_text(encoding="utf-8"))
    assert told["validation"]["reward"]["range"] == [0.0, 1.0]
    assert told["port"] == space.port


@EACH
def test_the_declared_pack_pays_what_the_manifest_states(space: Space) -> None:
    text = (space.source / "openenv.yaml").read_text(encoding="utf-8")
    told = yaml.safe_load(text)["validation"]
    (name, count), *others = told["capabilities"]["declared_task_count"].items()
    assert name == space.pack
    declared = shipped(name)
    assert (len(declared), others) == (count, [])
    assert (declared.profile, told["reward"]["range"]) == ("strict", [0.0, 1.0])


@EACH
def test_the_container_runs_as_nobody_special_and_is_watched(space: Space) -> None:
    lines = (space.source / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER (?!root)\w+$", lines, re.M)
    assert re.search(r"^HEALTHCHECK .*CMD ", lines, re.M)
    assert f"EXPOSE {space.port}" in lines
    assert "ENABLE_WEB_INTERFACE=true" in lines


def test_the_documented_place_of_the_dockerfile_of_coding_holds_the_same() -> None:
    """The document builds by server/Dockerfile, and a Space by that of the folder itself."""
    one, other = (CODING.source / name for name in ("Dockerfile", "server/Dockerfile"))
    assert one.read_bytes() == other.read_bytes()


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    done = casegen("space", "audit", "-o", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("casegen: -o: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("lab", "-o", "out"), "FAMILY"),
        (("audit", "-o", "no/such/folder/out"), "-o"),
        (("audit", "-o", "out", "--wheel", "no.whl"), "--wheel"),
        (("audit", "-o", "out", "--wheel", "pyproject.toml"), "--wheel"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(arguments: tuple[str, ...], field: str) -> None:
    done = casegen("space", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"casegen: {field}: .*\n", done.stderr)
    assert not (ROOT / "out").exists() or not list((ROOT / "out").glob(".out*"))


@dataclass
class Image:
    """A Dockerfile's steps, carried out in a folder in place of a container.

    Paths below /app lie in the folder, ``pip`` and ``python`` are those of a fresh environment.
    Left out is what needs another user.
    """

    context: Path
    root: Path
    scripts: Path
    port: int
    surroundings: dict[str, str] = field(default_factory=dict)
    workdir: Path = Path()
    command: list[str] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)

    def build(self) -> None:
        """Carry out each step."""
        text = (self.context / "Dockerfile").read_text(encoding="utf-8")
        for line in text.replace("\\\n", " ").splitlines():
            word, _, rest = line.partition(" ")
            if not word or word.startswith("#"):
                continue
            getattr(self, f"_{word.lower()}")(rest.strip())

    def environment(self) -> dict[str, str]:
        """What a process in the container sees."""
        return {"PATH": f"{self.scripts}:/usr/bin:/bin", **self.surroundings}

    def _from(self, rest: str) -> None:
        assert re.fullmatch(r"python:3\.1[1-3]-slim", rest)

    def _env(self, rest: str) -> None:
        name, _, value = rest.partition("=")
        self.surroundings[name] = value.replace("/app", str(self.root))

    def _workdir(self, rest: str) -> None:
        assert rest == "/app"
        self.workdir = self.root

    def _copy(self, rest: str) -> None:
        *sources, target = rest.split()
        assert target == "./"
        for source in sources:
            found = list(self.context.glob(source)) if source != "." else [self.context]
            assert found, source
            for path in found:
                if path.is_dir():
                    shutil.copytree(path, self.workdir, dirs_exist_ok=True)
                else:
                    shutil.copy2(path, self.workdir)

    def _run(self, rest: str) -> None:
        if rest.startswith("useradd"):
            (self.workdir / "cache").mkdir()
            return
        if "requirements.txt" in rest and not FULL:
            # Takes a minute and the network; the packages of this run stand in.
            self._stand_in()
            return
        done = subprocess.run(
            ["/bin/sh", "-c", rest],
            cwd=self.workdir,
            env=self.environment() | _pip_settings(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self.ran.append(rest)

    def _stand_in(self) -> None:
        ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
        site = subprocess.check_output([self.scripts / "python", "-c", ask], text=True).strip()
        # A .pth file adds folders without reading the .pth files in them, so the editable
        # install of the checkout stays out of sight.
        ours = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        ours |= {str(path) for path in map(Path, sys.path) if path.name == "site-packages"}
        (Path(site) / "stand_in.pth").write_text("\n".join(sorted(ours)) + "\n", encoding="utf-8")

    def _user(self, rest: str) -> None:
        assert rest != "root"

    def _expose(self, rest: str) -> None:
        assert rest == str(self.port)

    def _healthcheck(self, rest: str) -> None:
        self.health = json.loads(rest.partition("CMD ")[2])

    def _cmd(self, rest: str) -> None:
        self.command = json.loads(rest)


def _pip_settings() -> dict[str, str]:
    """Where pip was set up to look, and nothing else of ours."""
    kept = {k: v for k, v in os.environ.items() if k.startswith("PIP_") or k == "HOME"}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the steps are those of Linux")
@EACH
def test_the_steps_of_the_dockerfile_make_a_server_that_plays(
    space: Space, folder: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    app = tmp_path / "app"
    app.mkdir()
    image = Image(folder, app, tmp_path / "venv" / "bin", space.port)
    image.build()
    assert any("casegen-*.whl" in step for step in image.ran)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [port if word == str(space.port) else word for word in image.command]
    command = ["127.0.0.1" if word == "0.0.0.0" else word for word in command]
    assert "0.0.0.0" in image.command
    process = subprocess.Popen(
        [str(image.scripts / command[0]), *command[1:]],
        cwd=app,
        env=image.environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _await(url, process)
        health = [word.replace(str(space.port), port) for word in image.health]
        subprocess.run(health, env=image.environment(), check=True)
        assert "<title>" in httpx.get(url, follow_redirects=True).text
        with httpx.Client(base_url=url, timeout=20) as client:
            told = client.post("/reset", json={"task_id": space.task}).json()
            for action in space.acts:
                told = client.post("/step", json={"action": action}).json()
            assert told["done"] is True
            assert told["observation"]["grader_score"] > 0.9
        where = "import casegen; print(casegen.__file__)"
        inside = subprocess.check_output(
            [image.scripts / "python", "-c", where], cwd=app, env=image.environment(), text=True
        )
        assert Path(inside.strip()).is_relative_to(tmp_path / "venv")
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait(20)
        if process.stderr is not None:
            process.stderr.close()


def _await(url: str, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 90
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(f"{url}/health").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    heard = process.stderr.read() if process.poll() is not None and process.stderr else ""
    raise AssertionError(f"the server did not come up: {heard}")
