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
from typing import Any

import numpy as np

from casegen.schemas import InputError

from ..services import load as load_services
from . import ptp
from .dates import is_plain_date
from .model import Part, Refusals, SourceFile, Taken
from .quarter import edition, one_quarter, quarter_told
from .source import Member, lines, members, sources_of

ENDINGS = (".txt", ".tsv")
_CODE = re.compile(r"[0-9A-Z]{5}")
_MOST_HEADER = 60  # lines before the first edit
_MOST_REASONS = 60_000
_MOST_FIELD = 500  # characters
_MOST_EDITS = 10_000_000  # a quarter has 2.5 million
_BOM = "\u00ef\u00bb\u00bf"  # of UTF-8, as Latin-1 reads it
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
        if max(map(len, fields)) > _MOST_FIELD:
            return f"a field of more than {_MOST_FIELD} characters"
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
            if not is_plain_date(text):
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


def _contradiction(a: int, b: int, since: int, until: int) -> str | None:
    """Why an edit of these codes and dates can't be, None if it can."""
    if a == b:
        return "a pair of a code with itself"
    if until < since:
        return f"deleted on {until}, before it is in force on {since}"
    return None


def _is_title(fields: Sequence[str]) -> bool:
    """Whether a line above the first edit belongs to the header: it has neither a code nor a
    date where edits have them."""
    if len(fields) < 3:
        return True
    dated = len(fields) > 3 and fields[3].strip()[:8].isdigit()
    return not dated and not _CODE.fullmatch(fields[0].strip())


def read(paths: Sequence[str], effective: str | None, step: Step) -> Taken:
    """The edits of all files together. ``effective`` names the first day of the quarter where
    the files' names don't tell. ``step`` is told of lines that are done. Raises InputError."""
    found = members(paths, ENDINGS)
    when = _quarter(found, effective)
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
    told = [*reasons, *json.loads(new.data["rationales"][1])]
    if len(set(told)) > _MOST_REASONS or len(old["keys"]) + len(fresh["keys"]) > _MOST_EDITS:
        raise InputError(
            "name", part.edition, "with the new files the set would hold more edits or different "
            "rationales than an edition has"
        )  # fmt: skip
    fresh["reasons"] = fresh["reasons"].astype(np.int64) + len(reasons)
    both = {name: np.concatenate((old[name], fresh[name])) for name in old}
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


def _quarter(found: Sequence[Member], effective: str | None) -> str:
    """The first day of the quarter that all names tell, or else ``effective``. Raises
    InputError."""
    for member in found:
        if member.name.lower().startswith("ccioph"):
            raise InputError(
                "file", member.name, "holds edits for hospitals; those for practitioners are "
                "called ccipra-", path=member.shown,
            )  # fmt: skip
    hint = "the name tells no quarter (ccipra-v302r0 is 2024Q3)"
    return one_quarter([(member, quarter_told(member, effective, hint)) for member in found])


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
                _check_size(columns, member, number)
            if number == 1:
                line = line.removeprefix(_BOM)
            fields = line.rstrip("\r\n").split("\t")
            try:
                a, b, _, since, until, mark, why = fields
                one, two, first, last = codes[a], codes[b], starts[since], ends[until]
                row = (indicators[mark], rationales[why])
            except (KeyError, ValueError):
                if header and _is_title(fields):
                    if number > _MOST_HEADER:
                        break
                    continue
                fault = columns.learn(fields)
                if fault is not None:
                    if line.strip():
                        refusals.add(member.shown, number, fault)
                    continue
                a, b, _, since, until, mark, why = fields
                one, two, first, last = codes[a], codes[b], starts[since], ends[until]
                row = (indicators[mark], rationales[why])
            header = False
            if one == two or last < first:
                refusals.add(member.shown, number, _contradiction(one, two, first, last) or "")
                continue
            add_key(one * ptp.BASE + two)
            add_since(first)
            add_until(last)
            add_mark(row[0])
            add_reason(row[1])
            taken_ += 1
    refused = refusals.count - refused
    if not taken_ or refused > _MOST_REFUSED * (taken_ + refused) + 5:
        told = f"{taken_} taken, {refused} refused"
        mend = "no list of NCCI practitioner edits"
        raise refusals.error("lines", told, mend, member.shown)
    return taken_


def _check_size(columns: _Columns, member: Member, number: int) -> None:
    if len(columns.keys) > _MOST_EDITS:
        told = f"more than {_MOST_EDITS:,} edits, and an edition has a quarter of that"
        raise InputError("lines", number, told, path=member.shown, line=number)


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
    twice = _twice(arrays["keys"][active])
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
    remarks = []
    if twice:
        told = f"{len(twice)} pairs stand there as active twice or in both orders, such as "
        remarks.append(f"{told}{ptp.pair_of(twice[0])}; the stricter indicator holds")
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


def _twice(keys: Any) -> list[int]:
    """Of the sorted keys of active edits, those that stand there twice, or also with their
    codes exchanged (then the one with the lower code first)."""
    repeated = keys[1:][keys[1:] == keys[:-1]]
    first, second = np.divmod(keys, np.uint64(ptp.BASE))
    turned = np.sort(second * np.uint64(ptp.BASE) + first)
    at = np.searchsorted(turned, keys)
    at[at == len(turned)] = 0
    both = keys[(turned[at] == keys) & (first < second)] if len(keys) else keys
    return [int(key) for key in np.unique(np.concatenate((repeated, both)))]


def _among_ours(keys: Any) -> int:
    """How many of the pairs stand between two services of our list."""
    ours = np.array([ptp.number_of(one.code) for one in load_services()], np.uint64)
    column1, column2 = np.divmod(np.unique(keys), np.uint64(ptp.BASE))
    return int((np.isin(column1, ours) & np.isin(column2, ours)).sum())
