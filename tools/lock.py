"""Write ``requirements.lock``: names, versions and hashes of all that the project installs.

``python tools/lock.py`` resolves every extra but training and clusters, with the build tools,
for Python 3.11 to 3.13 on Linux, macOS and Windows, and keeps the versions that stand in the
lock already; ``--upgrade`` takes the newest. The resolver is ``uv``; a scratch environment is
made for it when it is not installed. The file names no index: pip takes the packages from
wherever the user's pip is set up to look, and the hashes say whether they are the right ones.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
LEFT_OUT = {"train", "cluster"}
INSTALLERS = ["pip>=24"]  # so that an environment made without pip gets a known one
HEADER = "# Made by `make lock`; do not edit. Every extra but training and clusters.\n"

_NAME = r"[a-z0-9]+(?:[-_.][a-z0-9]+)*"
_PIN = re.compile(rf"^{_NAME}==[0-9][0-9A-Za-z.+!]*(?: ; [^#\\]+)? \\$")
_HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def find_uv(scratch: Path) -> str:
    """The path of uv: the installed one, or one installed into ``scratch``."""
    found = shutil.which("uv")
    if found:
        return found
    venv.create(scratch, with_pip=True)
    folder = scratch / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([str(folder / "python"), "-m", "pip", "install", "--quiet", "uv"], check=True)
    return str(folder / "uv")


def inputs() -> tuple[list[str], list[str]]:
    """The extras to lock, and what builds and installs the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = sorted(set(project["project"]["optional-dependencies"]) - LEFT_OUT)
    return extras, project["build-system"]["requires"] + INSTALLERS


def check(text: str) -> None:
    """Raise ``SystemExit`` unless each line is a pin or a hash and each pin has a hash."""
    hashes = 1
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if _PIN.match(line):
            if hashes == 0:
                raise SystemExit(f"requirements.lock, line {number}: the pin above has no hash")
            hashes = 0
        elif _HASH.match(line):
            hashes += 1
        else:
            raise SystemExit(f"requirements.lock, line {number}: neither pin nor hash: {line!r}")
    if hashes == 0:
        raise SystemExit("requirements.lock: the last pin has no hash")


def main() -> None:
    """Resolve, check and replace the lock file."""
    parser = argparse.ArgumentParser(description="write requirements.lock")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    options = parser.parse_args()
    extras, build = inputs()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        build_file = scratch / "build.in"
        build_file.write_text("\n".join(build) + "\n", encoding="utf-8")
        result = scratch / "requirements.lock"
        if LOCK.exists() and not options.upgrade:
            shutil.copyfile(LOCK, result)  # uv keeps the versions that it finds here
        command = [find_uv(scratch / "uv"), "pip", "compile", "pyproject.toml", str(build_file)]
        for extra in extras:
            command += ["--extra", extra]
        command += [
            "--universal",
            "--fork-strategy=fewest",
            "--python-version=3.11",
            "--generate-hashes",
            "--no-annotate",
            "--no-header",
            "--no-config",
            "--quiet",
            f"--output-file={result}",
        ]
        # Only the public index may speak: hashes of privately built files would be of no use
        # to others.
        kept = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
        done = subprocess.run(command, cwd=ROOT, env=kept, check=False)
        if done.returncode:
            raise SystemExit(done.returncode)
        text = HEADER + result.read_text(encoding="utf-8")
    check(text)
    waiting = LOCK.with_suffix(".lock.part")
    waiting.write_text(text, encoding="utf-8")
    waiting.replace(LOCK)
    pins = sum("==" in line for line in text.splitlines())
    print(f"requirements.lock: {pins} packages", file=sys.stderr)


if __name__ == "__main__":
    main()
