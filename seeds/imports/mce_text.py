"""Reads the text of CMS' "Definitions of Medicare Code Edits" for the edits that the rules use.

Of its chapter 1 the four lists of the age conflict (4.A to 4.D) and the manifestation codes (6)
are taken: a heading that stands alone on its line, then a code without dot, a tab and a
description a line; in the table of contents a tab and a page number follow the heading. The
document holds from the first day of its version; for other edits and times the bundled dated
rows stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from hashlib import sha256

from casegen.schemas import InputError
from casegen.schemas.authority import DATES_EDITION

from ..icd10cm import tables as bundled
from ..icd10cm.codes import canonical
from ..icd10cm.validity import ALWAYS
from .dates import ICD10CM_DAY, check_effective
from .icd10cm import base_edits, window
from .model import Refusals, Taken
from .source import Member, sources_of, text_of

TITLE = "Definitions of Medicare Code Edits"
# Heading without its ages -> edit, and the ages that our rules know it with.
_LISTS = {
    "perinatal/newborn diagnoses": ("newborn", None),
    "pediatric diagnoses": ("pediatric", (0, 17)),
    "maternity diagnoses": ("maternity", (9, 64)),
    "adult diagnoses": ("adult", (15, 124)),
}
_MANIFESTATION = "manifestation code as principal diagnosis"
_REPLACED = frozenset(edit for edit, _ in _LISTS.values()) | {"manifestation"}
_HEAD = re.compile(r"(\d{1,2}|[A-D])\.\s+(.+?)\s*")
_AGES = re.compile(r"\(age (\d+) through (\d+)\)")
_ROW = re.compile(r"([A-Z][0-9A-Z]{2,6})\t.*")
_VERSION = re.compile(r"v(?:ersion)?[ _-]*(\d\d)(?:[._-]?(\d))?(?!\d)", re.IGNORECASE)
_FIRST_VERSION = 1983  # version 43 is that of the fiscal year 2026
# The bundled rows know of changes up to the release of that day.
_KNOWN = "2026-10-01"
_LEAST = 10  # codes of any list


def is_text(member: Member) -> bool:
    """Whether a file is such a document."""
    return TITLE.lower() in text_of(member)[:20_000].lower()


def read(member: Member, paths: Sequence[str], effective: str | None) -> Taken:
    """The bundled dated rows with the edits of the document. Raises InputError."""
    text = text_of(member)
    version, when = _version(member, text)
    if effective is not None:
        when = _within(version, when, effective, member)
    if not when:
        mend = "tells no version (v43); give --effective"
        raise InputError("file", member.name, mend, path=member.shown)
    check_effective(when, ICD10CM_DAY, "ICD-10-CM", "first day")
    refusals = Refusals()
    listed = _listed(text, member, refusals)
    last = ALWAYS[1] if when >= _KNOWN else window(when)[1]
    rows = merged(base_edits(), listed, when, last)
    content = ("code,from,to,edits\n" + "".join(",".join(row) + "\n" for row in rows)).encode()
    edits = {edit: sum(edit in kinds for kinds in listed.values()) for edit in sorted(_REPLACED)}
    name = f"MCE v{version}" if version else "MCE"
    return Taken(
        "mce", name, when, sha256(content).hexdigest(),
        {**edits, "refused": refusals.count}, sources_of(paths), {"rows": ("csv", content)},
        f"mce-{version or when}", {"dates": DATES_EDITION}, refusals,
    )  # fmt: skip


def _within(version: str, when: str, effective: str, member: Member) -> str:
    """The day that a user gives. Raises InputError where no document of that version holds
    then: a version is that of a fiscal year."""
    check_effective(effective, ICD10CM_DAY, "ICD-10-CM")
    year = int(when[:4]) + (when[5:7] != "04") if when else 0
    if year and not f"{year - 1}-10-01" <= effective <= f"{year}-09-30":
        mend = f"the file is version {version}, of the fiscal year {year}; leave the option out"
        raise InputError("--effective", effective, mend, path=member.shown)
    return effective


def _version(member: Member, text: str) -> tuple[str, str]:
    """Version and its first day; empty texts where neither name nor text tells."""
    for told in (member.name, member.path.rpartition("/")[2], text[:5000]):
        found = _VERSION.search(told)
        if found:
            year, spring = _FIRST_VERSION + int(found[1]), found[2] not in (None, "0")
            version = f"{found[1]}.{found[2]}" if found[2] else found[1]
            return version, f"{year}-04-01" if spring else f"{year - 1}-10-01"
    return "", ""


def _listed(text: str, member: Member, refusals: Refusals) -> dict[str, set[str]]:
    """The edits of each listed code. Raises InputError where a list is missing or has other
    ages than the rules know."""
    found: dict[str, set[str]] = {}
    counts = dict.fromkeys(_REPLACED, 0)
    edit: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        head = None if "\t" in line else _HEAD.fullmatch(line)
        if head is not None:
            edit = _edit_of(head[1], head[2], member, number)
            continue
        if edit is None:
            continue
        row = _ROW.fullmatch(line)
        if row is not None:
            found.setdefault(row[1], set()).add(edit)
            counts[edit] += 1
        elif "\t" in line and line.split("\t")[0].strip():
            refusals.add(member.shown, number, "no code and description")
    missing = sorted(edit for edit, count in counts.items() if count < _LEAST)
    if missing:
        mend = "no list of such codes in the layout that CMS publishes"
        raise InputError("lists", ", ".join(missing), mend, path=member.shown)
    return found


def _edit_of(mark: str, title: str, member: Member, line: int) -> str | None:
    """The edit whose list begins with this heading, None for other headings."""
    title = title.lower()
    if mark.isdigit():
        return "manifestation" if title.startswith(_MANIFESTATION) else None
    known = _LISTS.get(title.partition("(")[0].strip())
    if known is None:
        return None
    edit, ages = known
    told = _AGES.search(title)
    if ages is not None and (told is None or (int(told[1]), int(told[2])) != ages):
        mend = f"{edit} edits of ages {ages[0]} to {ages[1]} are needed"
        raise InputError("heading", title, mend, path=member.shown, line=line)
    return edit


def merged(
    base: bytes, listed: Mapping[str, set[str]], when: str, last: str
) -> list[tuple[str, str, str, str]]:
    """Dated rows with the listed edits from ``when`` to ``last``, sorted by code and time."""
    histories: dict[str, list[tuple[str, str, frozenset[str]]]] = {}
    for line in base.decode().splitlines()[1:]:
        code, start, end, edits = line.split(",")
        names = frozenset(filter(None, edits.split("|")))
        histories.setdefault(code.replace(".", ""), []).append((start, end, names))
    ours = bundled.load()
    for stem in listed:
        if stem not in histories:
            start = ALWAYS[0] if ours.billable(stem) else when
            histories[stem] = [(start, ALWAYS[1], frozenset())]
    rows = []
    for stem in sorted(histories):
        new = frozenset(listed.get(stem, ()))
        for row in histories[stem]:
            for first, to, names in _split(*row, new, when, last):
                rows.append((canonical(stem), first, to, "|".join(sorted(names))))
    return rows


def _split(
    start: str, end: str, edits: frozenset[str], new: frozenset[str], when: str, last: str
) -> Iterator[tuple[str, str, frozenset[str]]]:
    """One row, cut where the document begins and ends to hold."""
    changed = (edits - _REPLACED) | new
    if end < when or last < start or changed == edits:
        yield start, end, edits
        return
    if start < when:
        yield start, _shift(when, -1), edits
    yield max(start, when), min(end, last), changed
    if last < end:
        yield _shift(last, 1), end, edits


def _shift(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
