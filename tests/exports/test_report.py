"""A report tells what an export holds, on one page that needs no other."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest

from casegen.env.families import FAMILIES
from casegen.exports.manifest import NAME
from casegen.exports.recipe import Recipe
from casegen.exports.report import figures as report_figures
from casegen.exports.report.plots import bars, histogram
from casegen.exports.report.text import Mark, marked
from casegen.exports.report.views import view
from casegen.exports.shard import WORK
from casegen.exports.writer import export

from .conftest import Cli, Exported


def table(folder: Path, config: str) -> list[dict[str, Any]]:
    """All rows of a configuration as they lie in the files."""
    paths = sorted((folder / "data" / config).glob("*.parquet"))
    return [row for path in paths for row in pq.read_table(path).to_pylist()]


def of_family(exported: Exported, family: str) -> list[dict[str, Any]]:
    """The cases of a family."""
    return [row for row in table(exported.folder, "cases") if row["family"] == family]


class Tags(HTMLParser):
    """The elements of a page, and whether each was closed in its turn."""

    VOID = frozenset({"meta", "link", "rect", "line"})

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def told(exported: Exported, cli: Cli, tmp_path: Path) -> tuple[dict[str, Any], str]:
    """The figures and the page of a small export."""
    page = tmp_path / "page.html"
    result = cli("report", exported.folder, "-o", page, "--json")
    assert (result.status, result.err) == (0, "")
    return json.loads(result.out), page.read_text(encoding="utf-8")


def test_the_figures_of_the_cases_are_those_of_the_rows(
    exported: Exported, told: tuple[dict[str, Any], str]
) -> None:
    cases = of_family(exported, "audit")
    mine = told[0]["families"]["audit"]
    assert mine["cases"] == mine["counted"] == len(cases) == 30
    assert +Counter(mine["difficulty"]) == Counter(row["difficulty"] for row in cases)
    assert mine["setting"] == Counter(row["setting"] for row in cases)
    found = [finding for row in cases for finding in orjson.loads(row["findings"])]
    assert sum(mine["error_type"].values()) == sum(mine["kind"].values()) == len(found)
    assert mine["error_type"]["NCCI edit"] == sum(f["error_type"] == "ncci_edit" for f in found)
    lines = [line for row in cases for line in orjson.loads(row["claim"])]
    assert sum(mine["chapter"].values()) == len(lines)
    assert mine["chapter"]["services, CPT"] == sum(line["system"] == "CPT" for line in lines)
    longest = max(len(row["note"].split()) for row in cases)
    assert max(map(int, mine["note_words"])) == longest // 50 * 50


def test_the_figures_of_coding_are_those_of_the_rows(
    exported: Exported, told: tuple[dict[str, Any], str]
) -> None:
    cases = of_family(exported, "coding")
    mine = told[0]["families"]["coding"]
    assert mine["cases"] == len(cases) == 30
    codes = [1 + len(orjson.loads(row["secondary"])) for row in cases]
    assert mine["codes"] == {f"{number:02}": codes.count(number) for number in sorted({*codes})}
    assert sum(mine["chapter"].values()) == sum(mine["authority"].values()) == sum(codes)
    assert sum(mine["wrong"].values()) == sum(len(orjson.loads(row["wrong"])) for row in cases)
    assert sum(mine["review"].values()) == len(cases)


def test_each_familys_agents_are_told_by_themselves(
    exported: Exported, told: tuple[dict[str, Any], str]
) -> None:
    figures, page = told
    assert set(figures["agents_of"]) == set(exported.recipe.families)
    for family, agents in figures["agents_of"].items():
        scores = exported.manifest.scores(family)
        assert {name: sum(one["scores"]) for name, one in agents.items()} == {
            name: own["all"].episodes for name, own in scores.items()
        }
    for name, one in figures["agents"].items():
        parts = [own[name] for own in figures["agents_of"].values() if name in own]
        assert one["scores"] == [
            sum(bins) for bins in zip(*(p["scores"] for p in parts), strict=True)
        ]
    assert "Medical Coding Assistant</h3>" in page


def test_the_figures_of_the_agents_are_those_of_the_rows(
    exported: Exported, told: tuple[dict[str, Any], str]
) -> None:
    episodes = table(exported.folder, "trajectories")
    mistakes = Counter(
        (row["agent"], row["mistake"]) for row in table(exported.folder, "steps") if row["mistake"]
    )
    assert set(told[0]["agents"]) == {row["agent"] for row in episodes}
    for agent, mine in told[0]["agents"].items():
        own = [row for row in episodes if row["agent"] == agent]
        assert sum(mine["scores"]) == len(own)
        mean = sum(row["score"] for row in own) / len(own)
        assert mine["by_difficulty"]["all"]["mean_score"] == pytest.approx(mean, abs=1e-5)
        steps = sum(row["num_steps"] for row in own) / len(own)
        assert mine["mean_steps"] == pytest.approx(steps, abs=1e-2)
        assert mine["mistakes"] == {kind: n for (who, kind), n in mistakes.items() if who == agent}


def test_the_page_asks_for_nothing_and_is_well_formed(told: tuple[dict[str, Any], str]) -> None:
    page = told[1]
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    for tag, attributes in tags.found:
        for name in ("src", "href", "action", "data", "poster", "srcset", "xlink:href"):
            value = attributes.get(name)
            assert value is None or value.startswith("#") or value == "data:,", (tag, value)
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"https?:|url\(|@import", page)
    ids = [attributes["id"] for _, attributes in tags.found if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_page_shows_cases_of_every_difficulty_with_their_episodes(
    told: tuple[dict[str, Any], str],
) -> None:
    tags = Tags()
    tags.feed(told[1])
    shown = [attributes for tag, attributes in tags.found if tag == "article"]
    assert 16 < len(shown) <= 16 * len(FAMILIES)  # so many a family, where there are
    assert {one["data-level"] for one in shown} == {"easy", "medium", "hard", "expert"}
    played = [attributes for tag, attributes in tags.found if tag == "details"]
    agents = set(told[0]["agents"])
    assert len(played) == len(shown) * len(agents)
    assert {one["data-agent"] for one in played} == agents
    assert '<mark class="evidence"' in told[1]


def test_the_same_export_gives_the_same_page(
    exported: Exported, cli: Cli, told: tuple[dict[str, Any], str]
) -> None:
    assert cli("report", exported.folder, "-o", "-").out == told[1]


def test_without_a_name_the_page_lies_beside_the_data(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(Recipe(4, 7, configs=("cases",), shares=(1, 0, 0)), folder)
    result = cli("report", folder)
    assert (result.status, result.out) == (0, "")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("<article") == 4
    assert "Nobody played these cases" in page


def test_an_export_without_cases_still_gets_a_page(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(Recipe(3, 7, configs=("prompts",), shares=(1, 0, 0)), folder)
    result = cli("report", folder, "--json")
    assert json.loads(result.out)["families"] == {}
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "holds no cases to count" in page
    assert "holds no cases to show" in page


def test_of_many_cases_an_even_part_is_counted(
    exported: Exported, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_figures, "MOST_CASES", 20)
    page = tmp_path / "page.html"
    mine = json.loads(cli("report", exported.folder, "-o", page, "--json").out)
    for family in FAMILIES:
        assert mine["families"][family]["cases"] == 30
        assert mine["families"][family]["counted"] == 15
    assert page.read_text(encoding="utf-8").count("Counted on 15 of 30 cases") == len(FAMILIES)


def test_no_name_of_a_plot_is_cut_off() -> None:
    long = "03 D50-D89 Diseases of the blood and blood-forming organs and certain disorders"
    drawn = bars("Chapters", [(long, 3), ("02 C00-D49 Neoplasms", 2)])
    assert "…" not in drawn
    for kind in ("wide", "narrow"):
        (svg,) = re.findall(rf'<svg class="{kind}".*?</svg>', drawn)
        texts = re.findall(r'<text class="over"[^>]*>([^<]*)</text>', svg)
        told = " ".join(texts).replace("- ", "-")  # a line may end with a hyphen
        assert told == f"{long} 02 C00-D49 Neoplasms"


def test_a_histogram_says_how_high_its_columns_are() -> None:
    drawn = histogram("Lengths", [("0", 3), ("50", 1200)], "100", "words")
    assert drawn.count(">1,200</text>") == drawn.count(">100</text>") == 2


def test_what_a_note_holds_is_text_and_never_markup() -> None:
    note = 'a <b>bold</b> "word" & more'
    span = note.index("<b>"), note.index("</b>") + 4
    shown = marked(note, [Mark(*span, "evidence", 'says "<x>"', "1")])
    assert "<b>" not in shown
    assert "&lt;b&gt;bold&lt;/b&gt;" in shown
    assert 'title="says &quot;&lt;x&gt;&quot;"' in shown
    assert "&quot;word&quot; &amp; more" in shown


def test_marks_that_overlap_become_one_that_names_both() -> None:
    marks = [
        Mark(0, 5, "decoy", "b"),
        Mark(3, 8, "evidence", "a", "1"),
        Mark(6, 9, "evidence", "c", "2"),
    ]
    shown = marked("0123456789", marks)
    assert shown.count("<mark") == 1
    assert '<mark class="evidence" title="b; a; c">' in shown
    assert "1,2</sup>012345678</mark>9" in shown


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-o", "page.pdf"), "-o: 'page.pdf': the report is a page: name it .html"),
        (("--output", ""), "--output: '': names no file"),
        (("-o", "-", "--json"), "--json"),
    ],
)
def test_what_is_asked_wrongly_is_told(
    exported: Exported, cli: Cli, options: tuple[str, ...], told: str
) -> None:
    assert told in cli("report", exported.folder, *options).complaint()


def test_a_folder_without_an_export_is_told(cli: Cli, tmp_path: Path) -> None:
    assert "holds no manifest.json" in cli("report", tmp_path).complaint()


def test_a_damaged_file_is_named_and_no_page_is_left(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(Recipe(4, 7, families=("audit",), configs=("cases",), shares=(1, 0, 0)), folder)
    (path,) = (folder / "data" / "cases").glob("*.parquet")
    whole = path.read_bytes()
    name = path.relative_to(folder).as_posix()
    mend = "casegen export --resume makes it again"
    # Cut short, empty, and one bit turned of which Arrow says nothing.
    for damage in (whole[:500], b"", whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
        path.write_bytes(damage)
        told = cli("report", folder).complaint()
        assert told == f"casegen: {folder}: shard: '{name}': is damaged; {mend}\n"
    path.unlink()
    told = cli("report", folder).complaint()
    assert told == f"casegen: {folder}: shard: '{name}': is missing; {mend}\n"
    assert not (folder / "report.html").exists()


def test_an_export_that_is_not_finished_is_told(
    exported: Exported, cli: Cli, tmp_path: Path
) -> None:
    out = shutil.copytree(exported.folder, tmp_path / "out")
    (out / WORK).mkdir()
    assert f"DIR: '{out}': is not finished" in cli("report", out).complaint()


@pytest.mark.parametrize("field", ["configs", "families", "seed", "shard"])
def test_a_manifest_whose_recipe_is_none_is_told(
    exported: Exported, cli: Cli, tmp_path: Path, field: str
) -> None:
    out = shutil.copytree(exported.folder, tmp_path / "out")
    data = orjson.loads((out / NAME).read_bytes())
    data["recipe"][field] = None
    (out / NAME).write_bytes(orjson.dumps(data))
    assert f"{out / NAME}: recipe." in cli("report", out).complaint()


def test_a_family_of_which_the_report_knows_nothing_is_shown_plainly() -> None:
    plain = view("dentistry")
    assert "a &lt;note&gt;" in plain.case({"note": "a <note>"})
    assert plain.act({"action_type": "drill", "tooth": 3, "why": "decay"}) == (
        "drill: tooth 3, why decay"
    )
    assert plain.result({"tool_result": "done"}) == ("done", False)
    assert plain.result({"tool_result": "", "last_action_error": "no tooth 3"}) == (
        "no tooth 3",
        True,
    )
