"""Install the extra ``train`` into the environment of the project, beside what the lock pins.

``python tools/train_env.py`` is run by the Python of that environment. It takes the versions of
``requirements-train.txt``, which are those that the tests were run with, and holds all else to
the lock. PyTorch is the reason why the lock leaves this extra out: it is some hundred megabytes,
and its builds for the CPU and for graphics cards share one version. pip takes the build that its
indexes offer; a ``+cpu`` build is preferred where one is.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
WANTED = ROOT / "requirements-train.txt"
_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*==.*?) \\$", re.MULTILINE)


def constraints(lock: str) -> str:
    """The pins of the lock without their hashes, as constraints."""
    return "\n".join(_PIN.findall(lock)) + "\n"


def main() -> None:
    """Install; the status is pip's."""
    with tempfile.TemporaryDirectory() as name:
        held = Path(name) / "constraints.txt"
        held.write_text(constraints(LOCK.read_text(encoding="utf-8")), encoding="utf-8")
        print("Installing the extra train (PyTorch and TRL)", file=sys.stderr)
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install"]
        command += ["--quiet", "--quiet", "--constraint", str(held), "--requirement", str(WANTED)]
        raise SystemExit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
