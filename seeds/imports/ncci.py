"""Reads the NCCI procedure-to-procedure edits for practitioners as CMS publishes them.

Text with header lines (copyright, column titles over several lines), then one edit a line, its
fields kept apart by tabs: column 1, column 2, ``*`` if in existence before 1996, effective date
(yyyymmdd), deletion date or ``*``, modifier indicator (0 not allowed, 1 allowed, 9 not
applicable), rationale. The files of one quarter (ccipra-v302r0-f1 to -f4) make one table.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np

from casegen.schemas import InputError

from ..services import load as load_services
from . import ptp
from .model import Part, Refusals, SourceFile, Taken
from .quarter import edition, quarter_of
from .source import Member, lines, members, sources_of

ENDINGS = (".txt", ".tsv")
_CODE = re.compile(r"[0-9A-Z]{5}")
_MOST_HEADER = 60  # lines before the first edit
_MOST_REASONS = 60_000
_MOST_REFUSED = 0.01  # share of the lines; above that the file is something else
_STEP = 50_000
_NEVER = "9999-12-31"  # a day on which no edit is in force that ever was deleted

Step = Callable[[int], None]


class _Columns:
    """The edits read so far, and what their texts stand for."""

    def __init__(self) -> None:
        self.keys, self.since, self.until = array("Q"), array("i"), array("i")
        self.marks, self.reasons = array("B"), array("H")
        self.codes: dict[str, int] = {}
        self.starts: dict[str, int] = {}
        self.ends: dict[str, int] = {"*": ptp.OPEN, "": ptp.OPEN}
        self.indicators = {"0": 0, "1": 1, "9": 9}
        self.rationales: dict[str, int] = {}

    def learn(self, fields: Sequence[str]) -> str | None:
        """Enter new texts of a line; why the line can't be taken, else None."""
        if len(fields) != 7:
            return f"{len(fields)} fields instead of 7"
        for field in (0, 1):
            if not _CODE.fullmatch(fields[field].strip()):
                return f"column {field + 1}: {fields[field][:20]!r} is no code"
            self.codes[fields[field]] = int(fields[field].strip(), 36)
        if fields[2].strip() not in ("", "*"):
            return f"mark of 1996: {fields[2][:20]!r}"
        for field, known in ((3, self.starts), (4, self.ends)):
            text = fields[field].strip()
            if field == 4 and text in ("", "*"):
                known[fields[field]] = ptp.OPEN
                continue
            if not _is_date(text):
                return f"{'effective' if field == 3 else 'deletion'} date: {text[:20]!r}"
            known[fields[field]] = int(text)
        mark = fields[5].strip()
        if mark not in ("0", "1", "9"):
            return f"modifier indicator: {mark[:20]!r} is none of 0, 1, 9"
        self.indicators[fields[5]] = int(mark)
        if fields[6] not in self.rationales:
            if len(self.rationales) >= _MOST_REASONS:
                return "more different rationales than an edition has"
            self.rationales[fields[6]] = len(self.rationales)
        return None


def _is_date(text: str) -> bool:
    try:
        return len(text) == 8 and text.isdigit() and bool(date.fromisoformat(text))
    except ValueError:
        return False


def read(paths: Sequence[str], effective: str | None, step: Step) -> Taken:
    """The edits of all files together. ``effective`` names the first day of the quarter where
    the files' names don't tell. ``step`` is told of lines that are done. Raises InputError."""
    found = members(paths, ENDINGS)
    when = effective or _quarter(found)
    columns, refusals = _Columns(), Refusals()
    for member in found:
        _read_file(member, columns, refusals, step)
    reasons = [" ".join(text.split()).strip('"') for text in columns.rationales]
    found_columns = {
        "keys": np.frombuffer(columns.keys, np.uint64),
        "since": np.frombuffer(columns.since, np.int32),
        "until": np.frombuffer(columns.until, np.int32),
        "marks": np.frombuffer(columns.marks, np.uint8),
        "reasons": np.frombuffer(columns.reasons, np.uint16),
    }
    return taken(found_columns, reasons, when, sources_of(paths), refusals)


def joined(before: Mapping[str, Any], reasons: Sequence[str], part: Part, new: Taken) -> Taken:
    """What was imported before, as the arrays of ``ptp`` and their rationales, and the new
    edits in one table. Raises InputError where the two are of different quarters."""
    if part.effective != new.effective:
        raise InputError(
            "name", part.edition, f"the set holds these; the new files are of {new.edition}: give "
            "another --name, or remove the set first"
        )  # fmt: skip
    old = {name: before[name] for name in ptp.ROLES if name != "back"}
    fresh = {name: np.load(io.BytesIO(new.data[name][1])) for name in old}
    fresh["reasons"] = fresh["reasons"] + np.uint16(len(reasons))
    both = {name: np.concatenate((old[name], fresh[name])) for name in old}
    told = [*reasons, *json.loads(new.data["rationales"][1])]
    known = {one.sha256 for one in new.sources}
    sources = (*(one for one in part.sources if one.sha256 not in known), *new.sources)
    made = taken(both, told, new.effective, sources, new.refusals)
    # Counts are those of all files of the set; the same files once more add nothing.
    held = {one.sha256 for one in part.sources}
    again = all(one.sha256 in held for one in new.sources)
    sums = {
        name: part.counts.get(name, 0) + (0 if again else made.counts[name])
        for name in ("repeated", "refused")
    }
    return replace(made, counts={**made.counts, **sums})


def _quarter(found: Sequence[Member]) -> str:
    """The first day of the quarter that all names tell. Raises InputError."""
    told: dict[str, str] = {}
    for member in found:
        if member.name.lower().startswith("ccioph"):
            raise InputError(
                "file", member.shown, "holds edits for hospitals; those for practitioners are "
                "called ccipra-"
            )  # fmt: skip
        when = quarter_of(member.name) or quarter_of(member.path)
        if when is None:
            raise InputError(
                "file", member.shown, "the name tells no quarter (ccipra-v302r0 is 2024Q3); give "
                "--effective, the first day of the quarter"
            )  # fmt: skip
        told[when] = member.shown
    if len(told) > 1:
        (one, first), (two, second) = list(told.items())[:2]
        mend = f"is of {edition(two)}, but {first} of {edition(one)}; one quarter makes a table"
        raise InputError("file", second, mend)
    return next(iter(told))


def _read_file(member: Member, columns: _Columns, refusals: Refusals, step: Step) -> int:
    """Enter the edits of one file; how many there are. Raises InputError where it isn't such
    a file."""
    codes, starts, ends = columns.codes, columns.starts, columns.ends
    indicators, rationales = columns.indicators, columns.rationales
    add_key, add_since, add_until = columns.keys.append, columns.since.append, columns.until.append
    add_mark, add_reason = columns.marks.append, columns.reasons.append
    taken_, refused, header = 0, refusals.count, True
    with lines(member) as text:
        for number, line in enumerate(text, 1):
            if number % _STEP == 0:
                step(_STEP)
            fields = line.rstrip("\r\n").split("\t")
            try:
                a, b, _, since, until, mark, why = fields
                row = (codes[a] * ptp.BASE + codes[b], starts[since], ends[until],
                       indicators[mark], rationales[why])  # fmt: skip
            except (KeyError, ValueError):
                if header and not (len(fields) > 2 and _CODE.fullmatch(fields[0].strip())):
                    if number > _MOST_HEADER:
                        break
                    continue
                fault = columns.learn(fields)
                if fault is not None:
                    if line.strip():
                        refusals.add(member.shown, number, fault)
                    continue
                a, b, _, since, until, mark, why = fields
                row = (codes[a] * ptp.BASE + codes[b], starts[since], ends[until],
                       indicators[mark], rationales[why])  # fmt: skip
            header = False
            add_key(row[0])
            add_since(row[1])
            add_until(row[2])
            add_mark(row[3])
            add_reason(row[4])
            taken_ += 1
    refused = refusals.count - refused
    if not taken_ or refused > _MOST_REFUSED * (taken_ + refused) + 5:
        first = refusals.first[0] if refusals.first else None
        told = f"; line {first.line}: {first.reason}" if first else ""
        raise InputError(
            "file", member.shown, f"no list of NCCI practitioner edits: {taken_} lines are such, "
            f"{refused} are not{told}"
        )  # fmt: skip
    return taken_


def taken(
    columns: Mapping[str, Any],
    reasons: Sequence[str],
    when: str,
    sources: tuple[SourceFile, ...],
    refusals: Refusals,
) -> Taken:
    """The part that holds these edits, whatever their order."""
    # Rationales by alphabet, so that the same edits have the same digest however they came.
    order = sorted(set(reasons))
    place = {text: number for number, text in enumerate(order)}
    renumbered = np.array([place[text] for text in reasons], np.uint16)
    arrays = ptp.arranged({**columns, "reasons": renumbered[columns["reasons"]]})
    active = (arrays["until"] == ptp.OPEN) & (arrays["marks"] != 9)
    repeated = np.unique(arrays["keys"][active], return_counts=True)[1]
    twice = int((repeated > 1).sum())
    counts = {
        "pairs": len(arrays["keys"]),
        "active": int(active.sum()),
        "deleted": int((arrays["until"] != ptp.OPEN).sum()),
        "column_1_codes": len(np.unique(arrays["keys"] // np.uint64(ptp.BASE))),
        "repeated": len(columns["keys"]) - len(arrays["keys"]),
        "refused": refusals.count,
    }
    total = hashlib.sha256()
    data: dict[str, tuple[str, Any]] = {}
    for name, column in arrays.items():
        total.update(column.tobytes())
        data[name] = ("npy", ptp.packed(column))
    listed = json.dumps(order, ensure_ascii=False).encode()
    total.update(listed)
    data["rationales"] = ("json", listed)
    remarks = [f"{twice} pairs stand there as active twice"] if twice else []
    ours, bundled = _among_ours(arrays["keys"][active]), len(load_services().edits(_NEVER))
    if ours < bundled:
        remarks.append(
            f"active pairs among casegen's services: {ours:,}; the bundled table, in whose place "
            f"they stand, has {bundled:,}, and what is not here is not judged"
        )
    return Taken(
        "ncci", edition(when), when, total.hexdigest(), counts, sources, data,
        edition(when).partition(" ")[2].lower(), {"ours": str(ours), "bundled": str(bundled)},
        refusals, tuple(remarks),
    )  # fmt: skip


def _among_ours(keys: Any) -> int:
    """How many of the pairs stand between two services of our list."""
    ours = np.array([ptp.number_of(one.code) for one in load_services()], np.uint64)
    column1, column2 = np.divmod(np.unique(keys), np.uint64(ptp.BASE))
    return int((np.isin(column1, ours) & np.isin(column2, ours)).sum())
