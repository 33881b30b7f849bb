"""Reads the dated rows of the Medicare Code Editor: validity and edits of each code by time.

A CSV file with the columns code, from, to, edits; the edits of a row are joined by ``|``. A code
that was valid all the time without edits needs no row, so the table must be whole: it takes the
place of the bundled one, which tells of codes from 2015 on. The text of CMS' "Definitions of
Medicare Code Edits" is taken as well, see ``mce_text``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from hashlib import sha256

from casegen.schemas import InputError

from ..icd10cm.codes import canonical
from ..icd10cm.validity import ALWAYS
from . import mce_text
from .dates import FIRST_YEAR, ICD10CM_DAY, LAST_YEAR, check_effective, is_date
from .model import Refusals, Taken
from .source import Member, members, sources_of, text_of

ENDINGS = (".csv", ".txt")
FIELDS = ["code", "from", "to", "edits"]
# As in the bundled table; what the rules don't use is kept and shown.
NAMES = frozenset(
    "adult clintrial delout diabtypeI ecodepdx female male manifestation maternity ncov6 ncov7 "
    "ncov_z302 newborn pediatric qadm reqsdx unacceptable unspecified wrngproc".split()
)
# No patient is in two groups of ages, or of both sexes; no man is pregnant.
_EXCLUSIVE = (
    frozenset(("newborn", "pediatric", "maternity", "adult")),
    frozenset(("female", "male")),
    frozenset(("maternity", "male")),
)
_CODE = re.compile(r"[A-Z][0-9A-Z]{2}(?:\.?[0-9A-Z]{1,4})?")
_MOST_REFUSED = 0.01
_LEAST = 10_000  # codes; the bundled table has rows of 23,940

Row = tuple[str, str, str, str]


def read(paths: Sequence[str], effective: str | None) -> Taken:
    """The rows of all files. Raises InputError."""
    refusals = Refusals()
    rows: dict[str, list[Row]] = {}
    found = members(paths, ENDINGS)
    if len(found) == 1 and mce_text.is_text(found[0]):
        return mce_text.read(found[0], paths, effective)
    for member in found:
        _enter(member, rows, refusals)
    if effective is not None:
        check_effective(effective, ICD10CM_DAY, "ICD-10-CM")
    if len(rows) < _LEAST:
        mend = f"has rows of {len(rows)} codes; the whole table, which is needed, has over {_LEAST}"
        raise InputError("codes", len(rows), mend, path=found[0].shown)
    first = min(row[1] for found in rows.values() for row in found)
    last = max(row[2] for found in rows.values() for row in found)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    for code in sorted(rows):
        writer.writerows(_clipped(sorted(rows[code]), last))
    content = text.getvalue().encode()
    counts = {
        "codes": len(rows),
        "rows": sum(map(len, rows.values())),
        "with_edits": sum(any(row[3] for row in found) for found in rows.values()),
        "refused": refusals.count,
    }
    span = f"{first} to {last}"
    return Taken(
        "mce", f"MCE, dated rows {span}", effective or "", sha256(content).hexdigest(), counts,
        sources_of(paths), {"rows": ("csv", content)}, f"mce-{last}",
        {"dates": f"ICD-10-CM validity dates, {span}"}, refusals,
    )  # fmt: skip


def _enter(member: Member, rows: dict[str, list[Row]], refusals: Refusals) -> None:
    """Enter the rows of one file. Raises InputError where it isn't such a file."""
    reader = csv.reader(io.StringIO(text_of(member), newline=""))
    count, refused = 0, refusals.count
    try:
        titles = next(reader, None)
        if titles != FIELDS:
            mend = f"its first line must be {','.join(FIELDS)}"
            raise InputError("titles", ",".join(titles or ()), mend, path=member.shown, line=1)
        for fields in reader:
            if not fields:
                continue
            fault = _fault(fields, rows)
            if fault is not None:
                refusals.add(member.shown, reader.line_num, fault)
                continue
            code = canonical(fields[0])
            edits = "|".join(dict.fromkeys(filter(None, fields[3].split("|"))))
            rows.setdefault(code, []).append((code, fields[1], fields[2], edits))
            count += 1
    except csv.Error as error:
        raise InputError(
            "row", reader.line_num, f"no CSV: {error}", path=member.shown, line=reader.line_num
        ) from None
    refused = refusals.count - refused
    if not count or refused > _MOST_REFUSED * (count + refused):
        told = f"{count} right, {refused} wrong"
        raise refusals.error("rows", told, "no dated rows", member.shown)


def _fault(fields: Sequence[str], rows: dict[str, list[Row]]) -> str | None:
    """Why a row can't be taken, None if it can."""
    if len(fields) != len(FIELDS):
        return f"{len(fields)} fields instead of {len(FIELDS)}"
    code, start, end, edits = fields
    if not _CODE.fullmatch(code.strip().upper()):
        return f"code: {code[:20]!r}"
    for name, text in (("from", start), ("to", end)):
        if not is_date(text):
            return (
                f"{name}: {text[:20]!r} is no date such as 2024-10-01, {FIRST_YEAR} to {LAST_YEAR}"
            )
    if start > end:
        return f"from {start} is after to {end}"
    unknown = sorted(set(filter(None, edits.split("|"))) - NAMES)
    if unknown:
        return f"edits: {unknown[0][:20]!r} is none of {', '.join(sorted(NAMES))}"
    for group in _EXCLUSIVE:
        several = sorted(group.intersection(edits.split("|")))
        if len(several) > 1:
            return f"edits: {several[0]} and {several[1]} exclude each other"
    for _, first, last, _ in rows.get(canonical(code), ()):
        if first <= end and start <= last:
            return f"{code}: the time overlaps with another row, {first} to {last}"
    return None


def _clipped(rows: Sequence[Row], last: str) -> list[Row]:
    """The rows within the time that the tables speak of. What lasts to the last day of the
    file has no known end, and so lasts to the last day of ours."""
    found = []
    for code, start, end, edits in rows:
        end = ALWAYS[1] if end == last else min(end, ALWAYS[1])
        if start <= end:
            found.append((code, start, end, edits))
    return found
