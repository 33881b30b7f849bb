"""The page: figures, plots and sample cases in one HTML file that asks for no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from casegen.cli.words import counted as number_of
from casegen.config import DIFFICULTIES
from casegen.env.families import family as family_of
from casegen.env.openenv.html import table, words

from ..card import title
from ..formats import row_format
from ..manifest import Manifest
from .figures import BINS, WORDS, AgentFigures, FamilyFigures, Figures
from .plots import bars, grouped, histogram
from .samples import Sample
from .text import part
from .views import view

_MOST_BARS = 24


def html(manifest: Manifest, figures: Figures, shown: Sequence[Sample]) -> str:
    """The whole page."""
    web = files(__package__).joinpath("web")
    body = Template(web.joinpath("page.html").read_text(encoding="utf-8"))
    return body.substitute(
        title=escape(title(manifest)),
        style=web.joinpath("style.css").read_text(encoding="utf-8"),
        script=web.joinpath("page.js").read_text(encoding="utf-8"),
        about=escape(_about(manifest)),
        tiles=_tiles(figures),
        rows=_rows(figures),
        families=_families(figures.families),
        agents=_by_family(figures),
        samples=_samples(shown),
    )


def _about(manifest: Manifest) -> str:
    recipe = manifest.recipe
    told = f"{number_of(recipe['cases'], 'cases')} from seed {recipe['seed']}"
    told += f", casegen {manifest.casegen}"
    imported = recipe["options"].get("tables")
    return told if imported is None else f"{told}, imported tables {imported}"


def _tiles(figures: Figures) -> str:
    cases = sum(one.cases for one in figures.families)
    total = sum(count for splits in figures.rows.values() for count in splits.values())
    told = [("cases", f"{cases:,}")] if cases else []
    told += [("rows", f"{total:,}"), ("configurations", str(len(figures.rows)))]
    episodes = sum(one.means["all"][0] for one in figures.agents)
    if episodes:
        told.append(("episodes", f"{episodes:,}"))
    inner = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in told)
    return f'<dl class="tiles">{inner}</dl>'


def _rows(figures: Figures) -> str:
    splits = list(dict.fromkeys(split for own in figures.rows.values() for split in own))
    head = ("configuration", *splits, "what it holds")
    body = (
        (name, *(f"{own.get(split, 0):,}" for split in splits), row_format(name).about)
        for name, own in figures.rows.items()
    )
    return table(head, body)


def _families(families: Sequence[FamilyFigures]) -> str:
    if not families:
        return '<p class="soft">The export holds no cases to count (configuration cases).</p>'
    return "".join(_family(one, len(families) > 1) for one in families)


def _family(one: FamilyFigures, named: bool) -> str:
    """The plots of one family."""
    levels = [(name, one.difficulty[name]) for name in DIFFICULTIES if one.difficulty[name]]
    settings = [(words(name), count) for name, count in one.setting.most_common()]
    low, high = min(one.words, default=0), max(one.words, default=0)
    lengths = [(str(at), one.words[at]) for at in range(low, high + WORDS, WORDS)]
    plots = [
        _figure("Difficulty", "cases", bars("Difficulty", levels)),
        _figure("Setting", "cases", bars("Setting", settings)),
    ]
    for counted in one.series.values():
        found, rest = counted.ordered(), 0
        if len(found) > _MOST_BARS and not counted.series.by_name:
            rest = sum(count for _, count in found[_MOST_BARS:])
            found = [*found[:_MOST_BARS], (f"{len(found) - _MOST_BARS} more", rest)]
        plots.append(
            _figure(counted.series.title, counted.series.noun, bars(counted.series.title, found))
        )
    plots.insert(
        2,
        _figure(
            "Length of notes",
            "cases",
            histogram("Length of notes", lengths, str(high + WORDS), "words"),
        ),
    )
    heading = f"<h2>{escape(family_of(one.family).title)}</h2>" if named else ""
    told = [one.remark] if one.remark else []
    if one.counted < one.cases:
        told.append(f"Counted on {one.counted:,} of {one.cases:,} cases, evenly spread.")
    note = "".join(f'<p class="soft">{escape(line)}</p>' for line in told)
    return f'{heading}{note}<div class="plots">{"".join(plots)}</div>'


def _figure(heading: str, noun: str, plot: str) -> str:
    if not plot:
        return ""
    return (
        f"<figure><figcaption><h3>{escape(heading)}</h3> "
        f'<span class="soft">{escape(noun)}</span></figcaption>{plot}</figure>'
    )


def _by_family(figures: Figures) -> str:
    """How the agents played, each family by itself."""
    if len(figures.agents_of) == 1 or not figures.agents:
        return _agents(figures.agents)
    return "".join(
        f'<h3 class="of">{escape(family_of(name).title)}</h3>{_agents(agents)}'
        for name, agents in figures.agents_of.items()
    )


def _agents(agents: Sequence[AgentFigures]) -> str:
    if not agents:
        return '<p class="soft">Nobody played these cases.</p>'
    names = [one.agent for one in agents]
    levels = [name for name in (*DIFFICULTIES, "all") if any(name in one.means for one in agents)]
    groups = {
        level: {one.agent: one.means[level][1] for one in agents if level in one.means}
        for level in levels
    }
    plots = [_figure("Mean score", "by difficulty", grouped("Mean score", groups, names))]
    for one in agents:
        if sum(one.scores):
            bins = [(f"{at / BINS:g}", count) for at, count in enumerate(one.scores)]
            caption = f"{sum(one.scores):,} episodes, {one.steps / sum(one.scores):.1f} steps each"
            plot = histogram(f"Scores of {one.agent}", bins, "1", "score", 110)
            plots.append(_figure(f"Scores of {one.agent}", caption, plot))
        if one.mistakes:
            counts = [(words(name), count) for name, count in one.mistakes.most_common()]
            plots.append(
                _figure(
                    f"Mistakes of {one.agent}", "acts", bars(f"Mistakes of {one.agent}", counts)
                )
            )
    return f'<div class="plots">{"".join(plots)}</div>'


# --- the browser of cases


def _samples(shown: Sequence[Sample]) -> str:
    if not shown:
        return '<p class="soft">The export holds no cases to show (configuration cases).</p>'
    labels = list(dict.fromkeys(label for one in shown for label in _labels(one)))
    levels = [name for name in DIFFICULTIES if any(one.row["difficulty"] == name for one in shown)]
    options = "".join(
        f'<option value="case-{at}">{escape(_name(one))}</option>' for at, one in enumerate(shown)
    )
    return (
        '<form class="pick" id="pick" hidden>'
        f"{_select('level', 'Difficulty', levels)}{_select('label', 'Kind', labels)}"
        f'<label>Case <select id="case">{options}</select></label>'
        '<button type="button" id="before">Previous</button>'
        '<button type="button" id="after">Next</button>'
        '<span id="place" role="status"></span></form>'
        + "".join(_article(at, one) for at, one in enumerate(shown))
    )


def _labels(one: Sample) -> list[str]:
    return view(one.row["family"]).labels(one.row)


def _name(one: Sample) -> str:
    return f"{one.row['id']} · {one.row['difficulty']} · {', '.join(_labels(one))}"


def _select(name: str, label: str, values: Iterable[str]) -> str:
    options = "".join(f'<option value="{escape(one)}">{escape(one)}</option>' for one in values)
    chosen = f'<option value="">all</option>{options}'
    return f'<label>{label} <select id="{name}">{chosen}</select></label>'


def _article(at: int, one: Sample) -> str:
    labels = _labels(one)
    return (
        f'<article class="case" id="case-{at}" data-level="{escape(one.row["difficulty"])}" '
        f'data-labels="{escape("|".join(labels))}" tabindex="-1" aria-labelledby="h-case-{at}">'
        f'<h3 id="h-case-{at}">{escape(one.row["id"])}</h3>'
        f'<p class="soft">{escape(one.row["difficulty"])}, {escape(", ".join(labels))}</p>'
        f"{view(one.row['family']).case(one.row)}{_episodes(one)}</article>"
    )


def _episodes(one: Sample) -> str:
    if not one.episodes:
        return ""
    parts = []
    for agent, episode in one.episodes.items():
        end = "handed in" if episode["terminated"] else "ran out of steps"
        told = f"{agent}: score {episode['score']:.3f}, {episode['num_steps']} steps, {end}"
        items = "".join(_step(step, one.row["family"]) for step in episode["steps"])
        parts.append(
            f'<details class="episode" data-agent="{escape(agent)}">'
            f"<summary>{escape(told)}</summary><ol>{items}</ol></details>"
        )
    return part("episodes", "What the agents did", "".join(parts))


def _step(step: Mapping[str, Any], family: str) -> str:
    shown = view(family)
    result, failed = shown.result(step["result"])
    parts = [f'<p class="act">{escape(shown.act(step["action"]))}</p>']
    if step.get("rationale"):
        parts.insert(0, f'<p class="why">{escape(step["rationale"])}</p>')
    if step.get("mistake"):
        parts.append(f'<p class="wrong">Mistake: {escape(words(step["mistake"]))}</p>')
    if result:
        kind = "wrong" if failed else "came"
        parts.append(f'<div class="text {kind}" tabindex="0">{escape(result)}</div>')
    if step["reward"]:
        parts.append(f'<p class="soft">Reward {step["reward"]:.3f}</p>')
    return f"<li>{''.join(parts)}</li>"
