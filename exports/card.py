"""The dataset card: ``README.md`` with what the hub and ``load_dataset`` read, then prose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

import yaml

from casegen.cli.words import counted
from casegen.env.families import family
from casegen.env.writing.words import listed
from casegen.schemas.authority import (
    DATES_EDITION,
    GUIDELINES_EDITION,
    ICD10CM_EDITION,
    MCE_EDITION,
    NCCI_EDITION,
)

from .formats import row_format
from .formats.cases import family_columns
from .manifest import Manifest, Tally, Total
from .schema_files import schema_file

NAME = "README.md"
LICENCE = "cc-by-4.0"
TAGS = [
    "casegen", "synthetic", "medical", "medical-coding", "icd-10-cm", "claims",
    "reinforcement-learning", "agents",
]  # fmt: skip
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
    (1_000_000_000, "100M<n<1B"),
)
_MOST = "n>1T"
_BUNDLED = (
    ICD10CM_EDITION + " (tabular list)",
    GUIDELINES_EDITION,
    DATES_EDITION,
    MCE_EDITION,
    NCCI_EDITION + " (practitioner pairs, medically unlikely edits, add-on codes)",
)
# What documents the values of a JSON column, where it is not a column of a family.
_SCHEMAS = {
    "patient": "`Patient` of {schemas}",
    "encounter": "`Encounter` of {schemas}",
    "options": "settings of the generator that differ from the default, as text",
    "tables": "`TablesRef` of {schemas}",
    "metrics": "measures of the episode, by name",
    "steps": "a list of `TrajectoryStep` of casegen's `schemas/trajectory.py`",
    "messages": "chat messages: `role`, `content` and, where there are, `tool_calls`",
    "prompt": "chat messages: `role`, `content` and, where there are, `tool_calls`",
    "completion": "one chat message of the assistant",
    "chosen": "one chat message of the assistant",
    "rejected": "one chat message of the assistant",
    "tools": "the acts as functions, each with a JSON Schema of its arguments",
    "reset": "arguments of `casegen.env.tasks.find_task`, which makes the case again",
    "answer": "what reward functions compare with, as a list",
    "observation": "the observation of the family, as its environment gives it",
    "action": "the action of the family: the fields that the agent gave, no other",
    "result": "the fields of the next observation that the act changed",
}


def text(manifest: Manifest) -> str:
    """The whole card."""
    head = yaml.safe_dump(metadata(manifest), sort_keys=False, allow_unicode=True, width=1000)
    body = Template(files(__package__).joinpath("card.txt").read_text(encoding="utf-8"))
    recipe = manifest.recipe
    told = body.substitute(
        title=title(manifest),
        cases=counted(recipe["cases"], "cases"),
        version=manifest.casegen,
        seed=recipe["seed"],
        first=recipe["configs"][0],
        families=_list(f"`{name}`: {family(name).title}" for name in recipe["families"]),
        configs=_table(
            ("configuration", "what it holds", "played by"),
            [
                (f"`{form.name}`", form.about, ", ".join(form.agents) or "nobody")
                for form in map(row_format, recipe["configs"])
            ],
        ),
        rows=_rows(manifest),
        training=_training(recipe["configs"]),
        telling=_telling(recipe["configs"]),
        json_columns=_json_columns(recipe["configs"], recipe["families"]),
        answers=_answers(recipe["configs"], recipe["families"]),
        recipe=manifest_recipe(manifest),
        tables=_tables(manifest),
        agents=_agents(manifest),
    )
    return f"---\n{head}---\n\n{told}"


def title(manifest: Manifest) -> str:
    """The name that people read."""
    names = listed([family(name).title for name in manifest.recipe["families"]])
    return f"casegen: {names}"


def metadata(manifest: Manifest) -> dict[str, Any]:
    """The head of the card, of which the hub and ``load_dataset`` take configurations, features
    and sizes."""
    totals = manifest.totals()
    rows = sum(total.rows for splits in totals.values() for total in splits.values())
    filled = _filled(totals)
    return {
        "pretty_name": title(manifest),
        "license": LICENCE,
        "language": ["en"],
        "multilinguality": ["monolingual"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "task_categories": ["text-generation", "text-classification", "reinforcement-learning"],
        "size_categories": [next((name for most, name in _SIZES if rows < most), _MOST)],
        "tags": TAGS,
        "configs": [
            {
                "config_name": name,
                **({"default": True} if at == 0 else {}),
                "data_files": [
                    {"split": split, "path": f"data/{name}/{split}-*.parquet"} for split in splits
                ],
            }
            for at, (name, splits) in enumerate(filled.items())
        ],
        "dataset_info": [_info(name, splits) for name, splits in filled.items()],
    }


def _filled(totals: dict[str, dict[str, Total]]) -> dict[str, dict[str, Total]]:
    """The splits that have rows, of configurations that have one: ``datasets`` takes no others.
    In a small export no pair may be worth a row."""
    found = {
        name: {split: total for split, total in splits.items() if total.rows}
        for name, splits in totals.items()
    }
    return {name: splits for name, splits in found.items() if splits}


def _info(name: str, splits: dict[str, Total]) -> dict[str, Any]:
    return {
        "config_name": name,
        "features": row_format(name).features()._to_yaml_list(),
        "splits": [
            {"name": split, "num_bytes": total.memory, "num_examples": total.rows}
            for split, total in splits.items()
        ],
        "download_size": sum(total.bytes for total in splits.values()),
        "dataset_size": sum(total.memory for total in splits.values()),
    }


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _rows(manifest: Manifest) -> str:
    totals = manifest.totals()
    splits = [
        name for name in ("train", "validation", "test") if any(name in t for t in totals.values())
    ]
    table = _table(
        ("configuration", *splits, "characters a row, on average"),
        [
            (f"`{name}`", *(f"{found[split].rows:,}" for split in splits), _length(found))
            for name, found in totals.items()
        ],
    )
    if not any(total.rows == 0 for found in totals.values() for total in found.values()):
        return table
    return f"{table}\n\nA split without rows can't be opened, and a larger export has some."


def _length(splits: Mapping[str, Total]) -> str:
    """The mean length of a row, to the nearest hundred; all but a little of it is text."""
    rows = sum(total.rows for total in splits.values())
    if not rows:
        return ""
    return f"{round(sum(total.memory for total in splits.values()) / rows, -2):,.0f}"


# What trains on a configuration: the trainer, and the class of its settings.
_TRAINERS = {
    "sft": ("SFTTrainer", "SFTConfig"),
    "sft_text": ("SFTTrainer", "SFTConfig"),
    "preference": ("DPOTrainer", "DPOConfig"),
    "unpaired": ("KTOTrainer", "KTOConfig"),
}


def _training(configs: Sequence[str]) -> str:
    """How TRL trains on what is here, with rows of any length."""
    names = [name for name in configs if name in _TRAINERS]
    if not names:
        return ""
    trainer, settings = _TRAINERS[names[0]]
    others = [f"`{name}` with `{_TRAINERS[name][0]}`" for name in names[1:]]
    more = f"\n\nLikewise {listed(others)}." if others else ""
    code = _TRAINING.substitute(trainer=trainer, settings=settings, name=names[0])
    return f"{code}{more}\n\n"


_TRAINING = Template("""\
## Train on it with TRL

Rows are longer than the 1,024 tokens to which TRL cuts them by default: of those nothing would be
left to learn from. So give `max_length=None`, or one that fits your rows and memory.

```python
from datasets import load_dataset
from trl import $settings, $trainer

trainer = $trainer(
    model="Qwen/Qwen3-0.6B",
    args=$settings(output_dir="trained", max_length=None),
    train_dataset=load_dataset("PATH_OR_REPO", "$name", split="train"),
)
trainer.train()
```""")


# How the rows of configurations that compare turns are to be read.
_TOLD = {
    "preference": """\
## How to read a pair

The turns `chosen` and `rejected` stand in the same place, after the messages of `prompt`: same
case, same look-ups, same draft. Each holds a reason and one act. What sets them apart is told in
the row itself:

- `why_chosen` says why the chosen act is right: the code or line, the reason, the rule with its
  section or table, and the words of the record on which it rests.
- `why_rejected` names the kind of the mistake, then what is wrong in the same terms, and what is
  called for instead. The kinds: of an audit `false_alarm` (a line that is right is flagged),
  `wrong_type` (an error is flagged as one of another type), `wrong_phase`, `invented_code` (a code
  that is not on the claim), `missed_error` (the audit ends and an error is not flagged),
  `repeated_look` and `needless_question` (the step shows nothing new); of coding the kinds of
  wrong codes in `wrong` of `cases`, `less_specific`, `order_swapped` (another code goes first),
  `ruled_out_coded`, `review_missed` and `review_wrong` (the flag for review).
- `score_chosen` and `score_rejected` are the best scores that can still be reached after either.

So a chosen turn is not the better worded one. Both speak alike and quote what stands in the
prompt; the rejected one draws the wrong conclusion, or acts where nothing is to be done.
""",
    "unpaired": """\
## How to read a single turn

`label` is True for a turn that is sound and False for one with a mistake, which `mistake` names,
by the kinds that `preference` has (of audits also `wrong_member`: of a pair the code that stays is
flagged). A draft with several faults bears the name of the first: a wrong code by its kind before
one that says too little, before the order, before the flag for review. No turn of a case stands
twice.
""",
}


def _telling(configs: Sequence[str]) -> str:
    """How to read pairs and single turns, where there are."""
    return "".join(f"{told}\n" for name, told in _TOLD.items() if name in configs)


def _json_columns(configs: Sequence[str], families: Sequence[str]) -> str:
    """Which columns hold JSON, and what documents them."""
    from datasets import Json, List, Value

    own = {*family_columns("seen"), *family_columns("answer")}
    every = listed([f"`{schema_file(name)}`" for name in families]) or ""
    found = []
    for config in configs:
        for column, feature in row_format(config).features().items():
            if feature == Json() or feature == List(Json()):
                kind = "parsed"
            elif feature == Value("string") and column in _SCHEMAS:
                kind = "as text"
            else:
                continue
            told = _SCHEMAS.get(column)
            if told is not None:
                told = told.format(schemas=every)
            elif column in own:
                told = _of_case(column, families)
            found.append((f"`{config}`", f"`{column}`", kind, told or "see the configuration"))
    return _table(("configuration", "column", "read", "schema"), found)


def _of_case(column: str, families: Sequence[str]) -> str:
    """The schemas of the families here whose cases have a field."""
    names = (name for name in families if column in family(name).columns)
    there = listed([f"`{schema_file(name)}`" for name in names])
    if there is None:
        return "of a family that is not here; null"
    return f"the field of that name of the case, in {there}"


def _answers(configs: Sequence[str], families: Sequence[str]) -> str:
    if "cases" not in configs:
        return ""
    hidden = "; ".join(f"of `{name}` in {_hidden(name)}" for name in families)
    return (
        f"In `cases` the answer stands in `conditions` and `structural_key`, and {hidden}. `id`, "
        "`seed` and `index` name the recipe of a case, from which anyone makes the answer again: "
        "an agent must not see them. A column that only another family has is null."
    )


def _hidden(name: str) -> str:
    """The columns of a family that tell the answer."""
    columns = family(name).columns
    return ", ".join(f"`{column}`" for column, kind in columns.items() if kind == "answer")


def manifest_recipe(manifest: Manifest) -> str:
    """The command that makes the export again."""
    recipe = manifest.recipe
    words = ["casegen export out", f"--cases {recipe['cases']}", f"--seed {recipe['seed']}"]
    words += [f"--family {name}" for name in recipe["families"]]
    words += [f"--config {name}" for name in recipe["configs"]]
    words += [f"--{name} {value}" for name, value in recipe["options"].items()]
    words.append(f"--shard-cases {recipe['shard']}")
    return " \\\n    ".join(words)


def _tables(manifest: Manifest) -> str:
    lines = [
        f"`{name}`: tables `{ref.name}`, SHA-256 `{ref.digest}`"
        for name, ref in manifest.tables.items()
    ]
    if "tables" in manifest.recipe["options"]:
        lines.append("The tables were imported by the user; findings cite their editions.")
    else:
        lines += _BUNDLED
    return _list(lines)


def _agents(manifest: Manifest) -> str:
    if not manifest.scores():
        return "Nobody played these cases: no configuration here is made of episodes."
    told = "Mean score from 0 to 1, over the cases of this export, by difficulty:"
    families = manifest.recipe["families"]
    if len(families) == 1:
        return f"{told}\n\n{_scores(manifest.scores())}"
    tables = (f"`{name}`:\n\n{_scores(manifest.scores(name))}" for name in families)
    return "\n\n".join((told, *tables))


def _scores(scores: Mapping[str, Mapping[str, Tally]]) -> str:
    """A row for each agent."""
    levels = [
        name
        for name in ("easy", "medium", "hard", "expert", "all")
        if any(name in own for own in scores.values())
    ]
    rows = [
        (
            f"`{agent}`",
            f"{own['all'].episodes:,}",
            *(f"{own[name].score:.3f}" if name in own else "" for name in levels),
        )
        for agent, own in scores.items()
    ]
    return _table(("agent", "episodes", *levels), rows)
