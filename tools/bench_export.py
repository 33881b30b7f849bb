"""What writing a dataset costs beside the bare writing of its rows.

Per configuration, ``python tools/bench_export.py`` prints the seconds that cases and episodes took
within an export, those of the whole export, and those in which pyarrow makes a table of the same
rows as Python objects and writes it as Parquet (values in JSON columns become text, since pyarrow
takes no others). What an export adds to cases and episodes may take twice as long as that. All are
taken in turns, and each figure is the median of its rounds. Seconds are those of the processor, so
that it does not matter what else the machine does.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from casegen.exports import shard
from casegen.exports.arrow import encoding, plain_schema
from casegen.exports.formats import FORMATS, row_format
from casegen.exports.model import Unit
from casegen.exports.plan import pieces
from casegen.exports.recipe import Recipe
from casegen.exports.units import units
from casegen.exports.writer import export

clock = time.perf_counter
ROUNDS = 5
CASES = 400
SEED = 7
BAR = 2.0
HELD = 400


class Played:
    """Stands for the function that makes cases and episodes, and counts the seconds in it. What it
    made is also let go in that time: it holds on to each longer than anyone else."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, *given: Any) -> Iterator[Unit]:
        made = units(*given)
        held: deque[Unit] = deque(maxlen=HELD)
        while True:
            began = clock()
            unit = next(made, None)
            if unit is None:
                held.clear()
            else:
                held.append(unit)
            self.seconds += clock() - began
            if unit is None:
                return
            yield unit


def exported(recipe: Recipe, folder: Path) -> tuple[float, float]:
    """Seconds of cases and episodes, and of the whole export."""
    played = Played()
    shard.units = played  # type: ignore[assignment]
    try:
        began = clock()
        export(recipe, folder, overwrite=folder.exists())
        return played.seconds, clock() - began
    finally:
        shard.units = units


def raw(rows: list[dict[str, Any]], schema: pa.Schema, path: Path) -> float:
    """Seconds in which rows become a table and a file of Parquet."""
    encoded = [(field.name, encoding(field.type)) for field in schema]
    plain = plain_schema(schema)
    began = clock()
    for name, encode in encoded:
        if encode is not None:
            rows = [row if row[name] is None else {**row, name: encode(row[name])} for row in rows]
    pq.write_table(pa.Table.from_pylist(rows, schema=plain), path, compression="zstd")
    return clock() - began


def rows_of(recipe: Recipe) -> list[dict[str, Any]]:
    """The rows of the one configuration of a recipe."""
    form = row_format(recipe.configs[0])
    made = (unit for piece in pieces(recipe) for unit in units(recipe, piece))
    return [row for unit in made for row in form.rows(unit)]


def measure(configs: list[str], cases: int, rounds: int) -> dict[str, dict[str, float]]:
    """The figures of each configuration."""
    recipes = {config: Recipe(cases, SEED, configs=(config,)) for config in configs}
    rows = {config: rows_of(recipe) for config, recipe in recipes.items()}  # and fills caches
    schemas = {config: row_format(config).features().arrow_schema for config in configs}
    found: dict[str, dict[str, list[float]]] = {config: {} for config in configs}
    gc.collect()
    gc.freeze()  # an export has none of these rows to look through
    with tempfile.TemporaryDirectory() as name:
        for _ in range(rounds):
            for config in configs:
                played, whole = exported(recipes[config], Path(name) / config)
                bare = raw(rows[config], schemas[config], Path(name) / "raw.parquet")
                told = {"played": played, "export": whole, "raw": bare}
                told["ratio"] = (whole - played) / bare
                for key, value in told.items():
                    found[config].setdefault(key, []).append(value)
    return {
        config: {"rows": len(rows[config]), **{key: median(all_) for key, all_ in own.items()}}
        for config, own in found.items()
    }


def table(figures: dict[str, dict[str, float]]) -> list[str]:
    """The figures side by side, and whether the bar is met."""
    lines = ["configuration     rows  cases and episodes    export  raw write  ratio"]
    for config, own in figures.items():
        met = "met" if own["ratio"] <= BAR else "MISSED"
        lines.append(
            f"{config:<14}{own['rows']:>8.0f}{own['played']:>18.3f} s{own['export']:>8.3f} s"
            f"{own['raw']:>9.3f} s{own['ratio']:>7.2f}  bar {BAR:g} {met}"
        )
    return lines


def main() -> None:
    """Print the table, or one JSON object with ``--json``."""
    parser = argparse.ArgumentParser(description="what an export adds to cases and episodes")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--config", action="append", choices=list(FORMATS), help="only this one")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    figures = measure(given.config or list(FORMATS), given.cases, given.rounds)
    print(json.dumps(figures) if given.json else "\n".join(table(figures)))


if __name__ == "__main__":
    main()
