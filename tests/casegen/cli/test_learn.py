"""casegen learn: figures, plots, broken rows, and what ends it early."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image

from casegen.cli import learn as command
from casegen.learn import report

from .conftest import Cli

LINE = b"casegen: interrupted; no half-written file is left\n"
WORDS = ("cough", "fever", "pain", "rash", "fall", "wheeze", "cramp")
PLAIN = (
    "rows_total", "rows_warmup", "rows_evaluated", "accuracy", "top5_accuracy",
    "majority_accuracy", "rows_new_code", "codes", "rows_skipped",
)  # fmt: skip


def table(rows: int, head: str = "text,code") -> str:
    """A file in which a word tells the code."""
    told = [head]
    for i in range(rows):
        at = (i * i + i // 3) % len(WORDS)
        told.append(f"{WORDS[at]} since {i % 5} days,R{at:02}.{at}")
    return "\n".join([*told, ""])


def until(told: Callable[[], bool]) -> None:
    """Wait for it, half a minute at most."""
    end = time.monotonic() + 30
    while not told() and time.monotonic() < end:
        time.sleep(0.01)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "diagnoses.csv"
    path.write_text(table(3000))
    return path


def figures(out: str) -> dict[str, str]:
    return dict(line.split(": ") for line in out.splitlines())


def test_it_prints_the_documented_figures_one_a_line(cli: Cli, file: Path) -> None:
    done = cli("learn", "--csv", file, "--warmup", 1000)
    assert (done.status, done.err) == (0, "")
    told = figures(done.out)
    assert tuple(told) == PLAIN
    assert told["rows_total"] == "3000"
    assert told["rows_warmup"] == "1000"
    assert told["rows_evaluated"] == "2000"
    assert float(told["accuracy"]) > 0.95 > 0.3 > float(told["majority_accuracy"])


def test_json_holds_the_same_figures_and_the_curve(cli: Cli, file: Path) -> None:
    plain = figures(cli("learn", "--csv", file).out)
    data = orjson.loads(cli("learn", "--csv", file, "--json").out)
    for name in PLAIN:
        value = data[name]
        assert plain[name] == (f"{value:.4f}" if isinstance(value, float) else str(value))
    assert data["complete"] is True
    assert data["curve"][-1]["rows_evaluated"] == 2000
    assert data["curve"][-1]["accuracy"] == data["accuracy"]


def test_a_file_is_read_alike_plain_packed_and_from_standard_input(
    cli: Cli, file: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "diagnoses.csv.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    plain = cli("learn", "--csv", file).out
    assert cli("learn", "--csv", packed).out == plain
    done = subprocess.run(
        [sys.executable, "-m", "casegen", "learn", "--csv", "-"],
        input=packed.read_bytes(), capture_output=True, check=True,
    )  # fmt: skip
    assert (done.stdout.decode(), done.stderr) == (plain, b"")


def test_the_line_of_the_document_works_with_its_root_changed(cli: Cli, file: Path) -> None:
    module = "casegen.env.coding.simulate_learning"
    done = subprocess.run(
        [sys.executable, "-m", module, "--csv", file, "--warmup", "1000"],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (cli("learn", "--csv", file).out, "")


def test_broken_rows_are_counted_and_the_first_are_named_by_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    broken = ["cough", ",R05.9", "cough,", "cough,R0?", '"cough,R05.9', "a,b,c"]
    path.write_text(table(1200) + "\n".join(broken) + "\n" + table(300, "cough,"))
    done = cli("learn", "--csv", path)
    told = figures(done.out)
    assert done.status == 0
    assert told["rows_total"] == "1507"
    assert told["rows_skipped"] == "7"
    assert told["rows_evaluated"] == "500"
    assert told["skipped_empty_code"] == "2"
    kinds = ("missing_column", "empty_text", "invalid_code", "open_quote", "extra_column")
    assert all(told[f"skipped_{kind}"] == "1" for kind in kinds)
    named = done.err.splitlines()
    assert [line.partition("broken.csv, line ")[2].partition(":")[0] for line in named] == [
        "1202", "1203", "1204", "1205", "1206",
    ]  # fmt: skip
    data = orjson.loads(cli("learn", "--csv", path, "--json").out)
    assert data["skipped"]["empty_code"] == 2
    assert [one["line"] for one in data["first_skipped"]] == [1202, 1203, 1204, 1205, 1206]


def test_fewer_rows_than_the_warmup_leave_nothing_to_tell_of_accuracy(
    cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "few.csv"
    path.write_text(table(10))
    told = figures(cli("learn", "--csv", path).out)
    assert (told["rows_warmup"], told["rows_evaluated"]) == ("10", "0")
    assert told["accuracy"] == "none"
    said = cli("learn", "--csv", path).err
    assert said == "casegen: all 10 rows went into the warm-up of 1,000; lower --warmup\n"
    assert orjson.loads(cli("learn", "--csv", path, "--json").out)["accuracy"] is None
    assert cli("learn", "--csv", path, "--plot", tmp_path / "x.svg").status == 0


def test_columns_delimiter_and_encoding_can_be_named(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "eigene.csv"
    rows = table(1500, "Befund,Schlüssel").replace("cough", "Hüsteln").replace(",", ";")
    path.write_bytes(rows.encode("cp1252"))
    options = ["--text-column", "Befund", "--code-column", "Schlüssel", "--encoding", "cp1252"]
    told = figures(cli("learn", "--csv", path, *options).out)
    assert (told["rows_evaluated"], told["rows_skipped"]) == ("500", "0")


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--warmup", "-1"], "--warmup: -1: a whole number from 0"),
        (["--batch", "0"], "--batch: 0: a whole"),
        (["--plot", "x.pdf"], "name it .svg or .png"),
        (["--plot", "-"], "name a file"),
        (["--plot", "nowhere/x.svg"], "there is no folder"),
        (["--encoding", "klingon"], "no such encoding"),
        (["--encoding", "utf-16"], "no such encoding"),
        (["--encoding", "hex"], "no such encoding"),
        (["--delimiter", '"'], "must be one character"),
        (["--delimiter", "ab"], "must be one character"),
        (["--text-column", "note"], "no such column; there are text, code"),
    ],
)
def test_a_wrong_option_is_one_line(
    cli: Cli, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    options: list[str], part: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert part in cli("learn", "--csv", file, *options).complaint()
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "is empty"),
        (b"text,code\n", "holds a header and no row"),
        (b"text,code\n\n\n", "holds a header and no row"),
        (b"PK\x03\x04", "is a spreadsheet"),
        (b"\x1f\x8bnot gzip", "gzip"),
    ],
)
def test_a_file_without_a_row_is_one_line(cli: Cli, tmp_path: Path, data: bytes, part: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(data)
    assert part in cli("learn", "--csv", path).complaint()


@pytest.mark.parametrize("name", ["sklearn", "PIL"])
def test_a_library_that_is_not_installed_is_named_with_its_extra(
    cli: Cli, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda one: None if one == name else one)
    told = cli("learn", "--csv", file, "--plot", tmp_path / "x.png").complaint()
    assert f"{name}: is not installed; in the clone: pip install '.[learn]'" in told
    if name == "PIL":
        assert cli("learn", "--csv", file, "--plot", tmp_path / "x.svg").status == 0


def test_a_file_that_is_not_there_or_a_folder_is_one_line(cli: Cli, tmp_path: Path) -> None:
    assert "No such file" in cli("learn", "--csv", tmp_path / "none.csv").complaint()
    assert "directory" in cli("learn", "--csv", tmp_path).complaint()


def test_where_no_row_can_be_used_it_says_why(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("text,code\ncough,786.2\nfever,780.6\n")
    done = cli("learn", "--csv", path)
    assert (done.status, done.out) == (2, "")
    assert "no row can be used (invalid_code 2); the first is line 2" in done.err
    assert cli("learn", "--csv", path, "--any-code").status == 0


def test_a_packed_file_that_breaks_off_tells_what_came_before(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "cut.csv.gz"
    packed = gzip.compress(table(200_000).encode())
    path.write_bytes(packed[: len(packed) // 2])
    done = cli("learn", "--csv", path, "--json")
    assert done.status == 2
    data = orjson.loads(done.out)
    assert data["complete"] is False
    assert data["rows_evaluated"] > 10_000
    assert "damaged gzip after line" in done.err


# --- plots


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_plot_is_a_drawing_of_its_kind(
    cli: Cli, file: Path, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"curve.{ending}"
    plain = cli("learn", "--csv", file)
    assert cli("learn", "--csv", file, "--plot", path).out == plain.out
    data = path.read_bytes()
    if ending == "svg":
        text = data.decode()
        assert text.startswith("<svg ")
        assert text.count("<polyline") >= 3
        assert "diagnoses.csv; accuracy 1.0000 after 2,000 rows" in text
    else:
        image = Image.open(io.BytesIO(data))
        assert image.format == "PNG"
        colors = image.convert("RGB").getcolors(1 << 20)
        assert colors is not None
        assert len(colors) > 50
    again = path.read_bytes()
    cli("learn", "--csv", file, "--plot", path)
    assert path.read_bytes() == again


def test_a_name_of_a_file_is_no_markup_in_the_drawing() -> None:
    drawn = report.drawn([], 5, "<script>&.csv", png=False).decode()
    assert "&lt;script&gt;&amp;.csv" in drawn
    assert "<script>" not in drawn


def test_a_terminal_is_shown_the_curve_in_characters(
    cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal:
        """Standard output as it is, but a terminal."""

        def __init__(self) -> None:
            self._stream = sys.stdout

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stream, name)

        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(command, "sys", type("Sys", (), {"stdout": Terminal(), "stderr": None}))
    out = cli("learn", "--csv", file).out
    assert "Accuracy along the stream" in out
    assert "█" in out
    assert max(map(len, out.splitlines())) <= 60 + len("Accuracy along the stream")


# --- the end before the end


def test_ctrl_c_prints_what_was_measured_so_far(
    process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    plot = tmp_path / "curve.svg"
    one = process("learn", "--csv", "-", "--json", "--plot", plot, stdin=subprocess.PIPE)
    assert one.stdin is not None
    # A pipe holds 64 kB: once this is written, most of it has been read.
    one.stdin.write(table(30_000).encode())
    one.stdin.flush()
    one.send_signal(signal.SIGINT)
    out, err = one.communicate(timeout=60)
    assert one.returncode == 2
    assert err == b"casegen: interrupted; no half-written file is left\n"
    data = orjson.loads(out)
    assert data["complete"] is False
    assert data["rows_warmup"] == 1000
    assert data["rows_evaluated"] > 15_000
    assert plot.read_text().startswith("<svg ")
    assert list(tmp_path.iterdir()) == [plot]


@pytest.mark.parametrize("rows", [0, 400])
def test_ctrl_c_before_the_first_batch_says_so_and_leaves_the_older_plot(
    process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path, rows: int
) -> None:
    plot = tmp_path / "curve.svg"
    for before in (None, "an older plot"):
        if before is not None:
            plot.write_text(before)
        one = process("learn", "--csv", "-", "--plot", plot, stdin=subprocess.PIPE)
        assert one.stdin is not None
        one.stdin.write(table(rows).encode())
        one.stdin.flush()
        until(lambda: any(tmp_path.glob(".casegen-*.part")))
        time.sleep(0.5)  # it waits for more rows
        one.send_signal(signal.SIGINT)
        out, err = one.communicate(timeout=60)
        assert (one.returncode, err) == (2, LINE)
        assert out.startswith(b"rows_total: 0\n")
        assert [path.read_text() for path in tmp_path.iterdir()] == [before] * (before is not None)


def test_what_ctrl_c_cut_short_replaces_no_older_plot(
    process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    plot = tmp_path / "curve.svg"
    plot.write_text("an older plot")
    one = process("learn", "--csv", "-", "--plot", plot, stdin=subprocess.PIPE)
    assert one.stdin is not None
    one.stdin.write(table(30_000).encode())
    one.stdin.flush()
    one.send_signal(signal.SIGINT)
    out, err = one.communicate(timeout=60)
    part = tmp_path / "curve.part.svg"
    told = f"casegen: the plot of these rows is in {part}, and {plot} is as it was\n"
    assert (one.returncode, err) == (2, told.encode() + LINE)
    assert out.startswith(b"rows_total: ")
    assert plot.read_text() == "an older plot"
    assert part.read_text().startswith("<svg ")
    assert len(list(tmp_path.iterdir())) == 2


def test_damage_before_the_first_row_leaves_no_plot(cli: Cli, tmp_path: Path) -> None:
    path, plot = tmp_path / "cut.csv.gz", tmp_path / "curve.svg"
    path.write_bytes(gzip.compress(table(400).encode())[:-20])
    plot.write_text("an older plot")
    assert "damaged gzip" in cli("learn", "--csv", path, "--plot", plot).complaint()
    assert plot.read_text() == "an older plot"


def test_a_plot_does_not_replace_the_rows(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "same.svg"
    path.write_text(table(20))
    (tmp_path / "link.svg").symlink_to(path)
    for plot in (path, tmp_path / "link.svg"):
        told = cli("learn", "--csv", path, "--plot", plot).complaint()
        assert f"--plot: '{plot}': is the file of the rows; name another" in told
    assert path.read_text() == table(20)


def test_a_column_that_stands_twice_is_told(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("text,code,code\ncough,R05.9,R50.9\n")
    assert "line 1: header: 'code': stands twice" in cli("learn", "--csv", path).complaint()
    path.write_text("text,code,Code\ncough,R05.9,R50.9\n")
    told = cli("learn", "--csv", path).complaint()
    assert "--code-column: line 1 has several that look like it; say which of code, Code" in told
    assert cli("learn", "--csv", path, "--code-column", "Code").status == 0
    path.write_text("text,code,other,other\ncough,R05.9,a,b\n")
    assert cli("learn", "--csv", path).status == 0


def test_without_standard_output_nothing_is_printed(file: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m casegen learn --csv {file} >&-",
        shell=True, capture_output=True, check=True, env=os.environ,
    )  # fmt: skip
    assert done.stderr == b""


def test_a_reader_that_goes_away_is_no_error(file: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m casegen learn --csv {file} | head -1",
        shell=True, capture_output=True, check=True, env=os.environ,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (b"rows_total: 3000\n", b"")
