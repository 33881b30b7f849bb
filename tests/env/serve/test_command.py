"""``casegen serve`` says in one line what it can't do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

Served = Any  # see conftest.py


def casegen(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line."""
    return subprocess.run(
        [sys.executable, "-m", "casegen", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("lab",), "FAMILY: 'lab'"),
        (("audit", "--pack", "no-such-pack"), "--pack: 'no-such-pack'"),
        (("audit", "--pack", "no-such-file.json"), "--pack: 'no-such-file.json'"),
        (("audit", "--allowed-host", "http://x"), "--allowed-host: 'http://x'"),
        (("audit", "--host", "no.such.host.invalid"), "--host: 'no.such.host.invalid'"),
        (("audit", "--host", "192.0.2.1"), "--port: 7860: can't be had"),
        (("audit", "--port", "99999"), "--port: 99999: a whole number from 0 to 65535"),
        (("audit", "--max-sessions", "0"), "--max-sessions: 0: a whole number from 1"),
        (("audit", "--session-timeout", "nan"), "--session-timeout: nan: seconds, more than 0"),
        (("audit", "--session-timeout", "0"), "--session-timeout: 0.0: seconds, more than 0"),
        (
            ("audit", "--max-message-bytes", "10"),
            "--max-message-bytes: 10: a whole number from 1024",
        ),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], field: str) -> None:
    done = casegen("serve", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"casegen: {field}")
    assert done.stderr.count("\n") == 1


def test_a_port_in_use_is_one_line(server: Served) -> None:
    port = server.url.rpartition(":")[2]
    done = casegen("serve", "audit", "--port", port)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"casegen: --port: {port}: can't be had .*\n", done.stderr)


def test_without_the_extra_it_says_what_to_install() -> None:
    script = (
        "import sys; sys.modules['openenv'] = None\n"
        "from casegen.cli import main\n"
        "main(['serve', 'audit'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install '.[openenv]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_names_the_options_without_loading_a_server() -> None:
    script = (
        "import sys\n"
        "from casegen.cli import main\n"
        "try:\n"
        "    main(['serve', '--help'])\n"
        "finally:\n"
        "    loaded = {'openenv', 'gradio', 'fastapi', 'uvicorn', 'pydantic'} & {*sys.modules}\n"
        "    print('loaded', sorted(loaded))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for option in ("--host", "--port", "--max-sessions", "--session-timeout", "--no-web", "--pack"):
        assert option in done.stdout
    assert "loaded []" in done.stdout


def test_the_folder_to_deploy_is_written_without_the_extra(tmp_path: Path) -> None:
    wheel = tmp_path / "casegen-0.0-py3-none-any.whl"
    wheel.write_bytes(b"")
    for name in ("audit", "coding", "rx"):
        script = (
            "import sys; sys.modules['openenv'] = None\n"
            "from casegen.cli import main\n"
            f"main(['space', {name!r}, '-o', {str(tmp_path / name)!r}, '--wheel', {str(wheel)!r}])"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name / "Dockerfile").is_file()
