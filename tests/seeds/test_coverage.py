"""The codes to which conditions lead are those that professional coders give.

``frequency.csv`` holds, of the codes that coders gave in 354 hospital charts, those to which our
conditions lead, with the number of charts; ``TOTAL`` counts all codes of all charts.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from casegen.seeds.conditions import load
from casegen.seeds.icd10cm import Tables
from casegen.seeds.icd10cm import load as load_tables

TOTAL = 4734
# Combinations that the coder makes of conditions (guidelines I.C.4.a and I.C.9.a).
LINKED = frozenset(("I11.0", "I12.0", "I12.9", "I13.0", "I13.2", "E10.22", "E11.22"))


def leads(tables: Tables) -> Iterator[str]:
    for condition in load():
        for value in condition.values:
            for code in [value.code] if value.code else list(value.codes.values()):
                if value.seventh == "none":
                    yield code
                else:
                    yield from (tables.complete(code, char) for char in tables.sevenths(code))
            yield from (add.code for add in value.adds)


def test_seven_of_ten_codes_that_coders_gave_can_be_drawn_from_conditions() -> None:
    with (Path(__file__).parent / "frequency.csv").open(encoding="utf-8", newline="") as file:
        charts = {row["code"]: int(row["charts"]) for row in csv.DictReader(file)}
    reached = LINKED.union(leads(load_tables()))
    assert sum(count for code, count in charts.items() if code in reached) >= 0.70 * TOTAL


def test_conditions_stand_in_eighteen_chapters_or_more() -> None:
    tables = load_tables()
    chapters = {
        tables.chapter(code)
        for condition in load()
        for value in condition.values
        for code in ([value.code] if value.code else value.codes.values())
    }
    assert len(load()) >= 120
    assert len(chapters) >= 18
