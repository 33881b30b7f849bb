"""The wheel holds every room and every data file once, and works away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("schemas", "seeds", "env", "exports")
UNPACKED = {".md", ".pyc"}  # texts for readers of the checkout, and caches
DEPLOYED = "space"  # folders of what is deployed, which come with their texts
RUNS_ELSEWHERE = {"PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True)
class Built:
    """What one build of the checkout left."""

    sdist: Path
    from_sdist: Path
    from_checkout: Path


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel; its other packages are those of this run."""

    folder: Path
    elsewhere: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        scripts = self.folder / ("Scripts" if os.name == "nt" else "bin")
        return subprocess.run(
            [str(scripts / command[0]), *command[1:]],
            cwd=self.elsewhere,
            env=os.environ | RUNS_ELSEWHERE,
            capture_output=True,
            text=True,
            check=False,
        )


def files_of_the_rooms() -> set[str]:
    """The names that the files of the checkout must have in a wheel."""
    names = set()
    for room in ("casegen", *ROOMS):
        folder = ROOT / room
        for path in folder.rglob("*"):
            inside = path.relative_to(folder)
            deployed = path.suffix == ".md" and DEPLOYED in inside.parts
            if not path.is_file() or (path.suffix in UNPACKED and not deployed):
                continue
            if room == "casegen" and inside.parts[0] in ROOMS:
                continue  # reached through the link; counted in its own room
            prefix = "casegen" if room == "casegen" else f"casegen/{room}"
            names.add(f"{prefix}/{inside.as_posix()}")
    return names


def contents(wheel: Path) -> dict[str, bytes]:
    """The wheel's files without its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name
        }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    source = tmp_path_factory.mktemp("source") / "casegen"
    source.mkdir()
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy2(path, source / path.name)
    for room in ("casegen", *ROOMS):
        shutil.copytree(
            ROOT / room,
            source / room,
            symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    out = tmp_path_factory.mktemp("dist")
    for kind, folder in ((("--sdist", "--wheel"), "checkout"), ((), "sdist")):
        done = subprocess.run(
            [sys.executable, "-m", "build", "--no-isolation", *kind]
            + ["--outdir", str(out / folder), str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        for leftover in ("build", "casegen.egg-info"):
            shutil.rmtree(source / leftover, ignore_errors=True)
    (sdist,) = (out / "checkout").glob("*.tar.gz")
    (from_checkout,) = (out / "checkout").glob("*.whl")
    (from_sdist,) = (out / "sdist").glob("*.whl")
    return Built(sdist, from_sdist, from_checkout)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, with_pip=False)
    home = Installed(folder, tmp_path_factory.mktemp("elsewhere"))
    python = "python.exe" if os.name == "nt" else "python"
    asked = home.run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    site = Path(asked.stdout.strip())
    # A .pth file adds folders without reading the .pth files in them, so the editable install
    # of the checkout stays out of sight.
    ours = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "dependencies.pth").write_text("\n".join(sorted(ours)) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(folder), "install"]
        + ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
        + ["--ignore-installed", str(built.from_checkout)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return home


def test_every_file_of_every_room_is_in_the_wheel_once(built: Built) -> None:
    with zipfile.ZipFile(built.from_checkout) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert len(names) == len(set(names))
    assert set(names) == files_of_the_rooms()


def test_the_wheel_tells_type_checkers_that_it_is_typed(built: Built) -> None:
    assert "casegen/py.typed" in contents(built.from_checkout)


def test_a_wheel_made_from_the_sdist_is_the_same(built: Built) -> None:
    assert contents(built.from_sdist) == contents(built.from_checkout)


def test_wheel_and_sdist_carry_license_and_notice(built: Built) -> None:
    with zipfile.ZipFile(built.from_checkout) as archive:
        inside = {Path(name).name for name in archive.namelist() if ".dist-info/" in name}
    assert {"LICENSE", "NOTICE"} <= inside
    with tarfile.open(built.sdist) as archive:
        inside = {Path(name).name for name in archive.getnames()}
    assert {"LICENSE", "NOTICE", "CHANGELOG.md", "pyproject.toml"} <= inside


def test_the_rooms_are_imported_from_the_wheel(installed: Installed) -> None:
    done = installed.run(
        "python",
        "-c",
        "import casegen, casegen.schemas, casegen.seeds, casegen.env, casegen.exports;"
        "print(casegen.__file__, casegen.seeds.__file__, sep='\\n')",
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        assert Path(line).is_relative_to(installed.folder)


def test_the_command_runs_from_the_wheel(installed: Installed) -> None:
    done = installed.run("casegen", "--help")
    assert done.returncode == 0, done.stderr
    assert "generate" in done.stdout


def test_the_command_line_loads_neither_datasets_nor_openenv(installed: Installed) -> None:
    done = installed.run(
        "python", "-c", "import sys, casegen.cli; print({'datasets', 'openenv'} & {*sys.modules})"
    )
    assert (done.returncode, done.stdout.strip()) == (0, "set()"), done.stderr


def test_the_wheel_generates_the_same_cases_as_the_checkout(installed: Installed) -> None:
    command = ["generate", "audit", "-n", "3", "--seed", "7", "-o", "-"]
    there = installed.run("casegen", *command)
    assert there.returncode == 0, there.stderr
    here = subprocess.run(
        [sys.executable, "-m", "casegen", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert here.returncode == 0, here.stderr
    assert there.stdout.count("\n") == 3
    assert there.stdout == here.stdout
