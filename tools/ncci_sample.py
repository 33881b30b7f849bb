"""Writes NCCI practitioner files of any size in the published layout, for tests and measures.

    python tools/ncci_sample.py FOLDER [PAIRS]

The bundled pairs stand among made-up ones of made-up codes; a full set has some 2.5 million, of
which 1.7 million are active. The same numbers give the same files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from casegen.seeds.services import load

FULL = 2_500_000
FILES = 4
HEADER = (
    "CPT only copyright American Medical Association. All rights reserved.\t\t\t\t\t\t\r\n"
    "Column1/Column2 Edits\t\t\t\t\t\t\r\n"
    "Column 1\tColumn 2\t*=in existence\tEffective\tDeletion\tModifier\tPTP Edit Rationale\r\n"
    "\t\tprior to 1996\tDate\tDate\t0=not allowed\t\r\n"
    "\t\t\t\t*=no data\t1=allowed\t\r\n"
    "\t\t\t\t\t9=not applicable\t\r\n"
)
_REASONS = (
    "Misuse of Column Two code with Column One code", "More extensive procedure",
    "Standards of medical / surgical practice", "CPT Manual or CMS manual coding instruction",
    "Mutually exclusive procedures", "Sequential procedure",
)  # fmt: skip
_STARTS = ("19960101", "20021001", "20100101", "20170701", "20240701")


def bundled() -> Iterator[str]:
    """The lines of the pairs that come with casegen."""
    services = load()
    seen = set()
    for one in services:
        for other in services.partners(one.code):
            for edit in services.pair_any(one.code, other):
                if (edit.column1, edit.column2, edit.deleted) not in seen:
                    seen.add((edit.column1, edit.column2, edit.deleted))
                    end = (edit.deleted or "*").replace("-", "")
                    start = "19960101"
                    yield (
                        f"{edit.column1}\t{edit.column2}\t\t{start}\t{end}\t{edit.indicator}\t"
                        f"{edit.rationale}\r\n"
                    )


def made_up(count: int) -> Iterator[str]:
    """Lines of pairs of codes that no service of ours has."""
    partners = 200
    for number in range(count):
        first, second = divmod(number, partners)
        old = number % 25 >= 17
        # A deletion date equal to the start, with indicator 9, is an edit that never applied.
        end = "*" if not old else "20191231" if number % 3 else "19960101"
        mark = "9" if end == "19960101" else str(number % 2)
        before = "*" if number % 7 == 0 else ""
        start = "19960101" if end == "19960101" else _STARTS[number % (3 if old else 5)]
        yield (
            f"{_code(first)}\t{_code(20_000 + (first * 7 + second * 13) % 13_000)}\t{before}\t"
            f"{start}\t{end}\t{mark}\t{_REASONS[number % len(_REASONS)]}\r\n"
        )


def _code(number: int) -> str:
    """A made-up code: ``Y`` and four digits, then ``Z`` and four, ``W``, ..."""
    return f"{'YZWXVUS'[number // 10_000]}{number % 10_000:04d}"


def write(folder: Path, pairs: int = FULL) -> list[Path]:
    """Write the files of a quarter (2024Q3) with about so many pairs; their paths."""
    lines = [*bundled()]
    each = max(1, (pairs - len(lines)) // FILES)
    paths = []
    source = made_up(max(0, pairs - len(lines)))
    for number in range(1, FILES + 1):
        path = folder / f"ccipra-v302r0-f{number}.TXT"
        with path.open("w", encoding="cp1252", newline="") as file:
            file.write(HEADER)
            if number == 1:
                file.writelines(lines)
            left = each if number < FILES else pairs
            for line in source:
                file.write(line)
                left -= 1
                if not left:
                    break
        paths.append(path)
    return paths


if __name__ == "__main__":
    for path in write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else FULL):
        print(path)
