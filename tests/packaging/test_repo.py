"""What must hold of the files of the repository, whatever they say."""

from __future__ import annotations

import ast
import re
import runpy
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
LINKS = ("env", "exports", "schemas", "seeds")
ROOMS = ("casegen", *LINKS)

# What each room may import: nothing travels back.
MAY_IMPORT = {
    "schemas": {"schemas"},
    "seeds": {"schemas", "seeds"},
    "casegen": {"schemas", "seeds", "casegen"},
    "env": {"schemas", "seeds", "casegen", "env"},
    "exports": {"schemas", "seeds", "casegen", "env", "exports"},
}

MOST_LINES = 400
LONGER: dict[str, str] = {}  # path -> why it is one thing


def git(*arguments: str) -> str | None:
    """What git prints, or None where there is no git or no checkout of it."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        return None
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


@cache
def files() -> tuple[Path, ...]:
    """The files that are or would be committed; a link counts as a file."""
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is not None:
        paths = [ROOT / name for name in sorted(set(listed.split("\0"))) if name]
    else:
        folders = [ROOT / name for name in (*ROOMS, "tests", "tools", ".ci")]
        paths = sorted(
            path
            for path in [*ROOT.iterdir(), *(p for folder in folders for p in folder.rglob("*"))]
            if "__pycache__" not in path.parts
        )
    return tuple(path for path in paths if path.is_symlink() or path.is_file())


def texts() -> Iterator[tuple[str, str]]:
    """Path and text of each file that is text."""
    for path in files():
        if path.is_symlink():
            continue
        data = path.read_bytes()
        if b"\0" not in data[:8000]:
            yield path.relative_to(ROOT).as_posix(), data.decode("utf-8")


def modules() -> Iterator[tuple[str, Path]]:
    """Room and path of each Python file of the package, links not followed."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if room != "casegen" or path.relative_to(ROOT / room).parts[0] not in LINKS:
                yield room, path


def imported(room: str, path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of each of our modules that a file imports."""
    inside = path.relative_to(ROOT / room).parent.parts
    package = ["casegen", *(() if room == "casegen" else (room,)), *inside]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "casegen":
                yield node.lineno, name


# --- links


@pytest.mark.parametrize("room", LINKS)
def test_a_room_is_reached_through_a_relative_link(room: str) -> None:
    assert (ROOT / "casegen" / room).readlink() == Path(f"../{room}")
    assert (ROOT / room / "__init__.py").is_file()


def test_the_links_are_committed_as_links() -> None:
    staged = git("ls-files", "--stage", "casegen")
    if staged is None:
        pytest.skip("needs git and a checkout")
    links = {line.split("\t")[1] for line in staged.splitlines() if line.startswith("120000 ")}
    assert links == {f"casegen/{room}" for room in LINKS}


def test_git_does_not_ignore_a_room() -> None:
    held = {path.relative_to(ROOT).parts[0] for path in files()}
    assert set(ROOMS) <= held


# --- names that belong to one machine


def test_no_file_names_an_absolute_path_of_a_machine() -> None:
    homes = "|".join(("work", "root", "home", "opt", "tmp", "farm", "Users"))
    path = re.compile(rf"(?<![\w.)\]}}/-])/(?:{homes})/[\w.]|[A-Z]:\\Users\\")
    assert [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if path.search(line)
    ] == []


def test_no_file_names_the_host_of_a_registry() -> None:
    parts = (("pypi", "org"), ("python" + "hosted", "org"), ("npmjs", "org"), ("debian", "org"))
    hosts = re.compile("|".join(r"\.".join(part) for part in parts))
    assert [
        f"{name}:{number}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if hosts.search(line)
    ] == []


# --- the lock


def lock_text() -> str:
    return (ROOT / "requirements.lock").read_text(encoding="utf-8")


def pins() -> dict[str, list[tuple[Version, Marker | None]]]:
    """Pinned versions by name, each with the marker under which it holds."""
    found: dict[str, list[tuple[Version, Marker | None]]] = {}
    for line in lock_text().splitlines():
        if "==" in line and not line.startswith((" ", "#")):
            pin = Requirement(line.rstrip(" \\"))
            (specifier,) = pin.specifier
            found.setdefault(canonicalize_name(pin.name), []).append(
                (Version(specifier.version), pin.marker)
            )
    return found


def test_each_line_of_the_lock_is_a_pin_or_its_hash_and_nothing_else() -> None:
    runpy.run_path(str(ROOT / "tools" / "lock.py"))["check"](lock_text())


def test_the_lock_names_no_address() -> None:
    assert re.search(r"://|(?m:^\s*-)(?!-hash=)|@", lock_text()) is None


@pytest.mark.parametrize("broken", ["a==1 \\\n", "a==1\n", "--find-links=x\n", "a @ file:b\n"])
def test_a_lock_with_a_pin_without_hash_or_with_an_option_is_refused(broken: str) -> None:
    with pytest.raises(SystemExit):
        runpy.run_path(str(ROOT / "tools" / "lock.py"))["check"](broken)


def test_the_lock_meets_every_requirement_but_training_and_clusters() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for extra, requirements in project["project"]["optional-dependencies"].items():
        if extra not in ("train", "cluster"):
            wanted += requirements
    held = pins()
    unmet = []
    for text in wanted:
        requirement = Requirement(text)
        versions = held.get(canonicalize_name(requirement.name), [])
        if not versions or not all(v in requirement.specifier for v, _ in versions):
            unmet.append(text)
    assert unmet == []


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_on_each_system_a_package_has_at_most_one_pinned_version(python: str, system: str) -> None:
    here = {"python_version": python, "python_full_version": f"{python}.9", "sys_platform": system}
    for name, versions in pins().items():
        holding = [v for v, marker in versions if marker is None or marker.evaluate(here)]
        assert len(holding) <= 1, name


def test_nothing_in_the_lock_needs_a_graphics_card_or_a_cluster() -> None:
    heavy = re.compile(r"^(torch|triton|nvidia|cuda|cupy|jax|tensorflow|ray|dask)\b")
    assert [name for name in pins() if heavy.match(name)] == []


# --- the code


def test_no_python_file_is_longer_than_one_thing() -> None:
    long = {
        name: lines
        for name, text in texts()
        if name.endswith(".py") and (lines := text.count("\n")) > MOST_LINES
    }
    assert {name: n for name, n in long.items() if name not in LONGER} == {}
    assert set(LONGER) <= set(long), "listed as longer, and is not"


def test_a_room_imports_only_what_stands_before_it() -> None:
    wrong = []
    for room, path in modules():
        for line, name in imported(room, path):
            second = name.split(".")[1] if "." in name else ""
            target = second if second in LINKS else "casegen"
            if target not in MAY_IMPORT[room]:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {name}")
    assert wrong == []


def test_the_checker_imports_only_the_models_and_the_tables() -> None:
    allowed = ("casegen.checker", "casegen.schemas", "casegen.seeds")
    checked = 0
    wrong = []
    for room, path in modules():
        if room == "casegen" and path.is_relative_to(ROOT / "casegen" / "checker"):
            checked += 1
            wrong += [
                f"{path.relative_to(ROOT)}:{line}: {name}"
                for line, name in imported(room, path)
                if not any(name == a or name.startswith(f"{a}.") for a in allowed)
            ]
    assert checked > 0
    assert wrong == []


def test_an_assert_stands_only_in_tests() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for _, path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert)
    ] == []


def test_the_type_check_sees_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from mypy.find_sources import create_source_list
    from mypy.options import Options

    monkeypatch.chdir(ROOT)
    sources = create_source_list(["casegen"], Options())
    seen = {Path(source.path).resolve() for source in sources if source.path}
    assert seen == {path.resolve() for _, path in modules()}
    names = {source.module for source in sources}
    assert {"casegen.schemas", "casegen.seeds", "casegen.env", "casegen.exports"} <= names
