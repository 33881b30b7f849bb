"""What the README shows is what the commands print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_every_command_of_the_readme_prints_what_it_says() -> None:
    done = subprocess.run(
        [sys.executable, "tools/readme.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
