"""Reads the tabular list of ICD-10-CM of another release, as CDC/NCHS publishes it (XML)."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from casegen.schemas import InputError, TableError

from ..icd10cm import tables as bundled
from ..icd10cm.codes import canonical
from ..icd10cm.compile import DATA, EDITS_FILE, compile_tables, read_edits
from ..icd10cm.listing import chapter_codes
from ..icd10cm.tables import Tables
from ..icd10cm.validity import ALWAYS
from ..icd10cm.xml import parse_tabular
from .dates import ICD10CM_DAY, check_effective
from .model import Taken
from .source import Member, members, sources_of, whole

ENDINGS = (".xml",)
_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH = re.compile(rf"({'|'.join(_MONTHS)})[-_ ]?(?:\d\d?[-_ ])?(20\d\d)", re.IGNORECASE)
_NAMED_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_YEAR = re.compile(rb"<version>\s*(20\d\d)\s*</version>")
CHAPTERS = range(1, 23)


def read(paths: Sequence[str], effective: str | None, edits: bytes | None) -> Taken:
    """The list in the files; it is compiled once, to see that it can be. ``effective`` is the
    day from which it holds, where the name doesn't tell; ``edits`` the dated rows of the set
    (None: the bundled ones). Raises InputError."""
    member, content = _tabular(members(paths, ENDINGS))
    if effective is not None:
        check_effective(effective, ICD10CM_DAY, "ICD-10-CM")
    when = _agreed(member, effective) or _effective(member, content)
    check_effective(when, ICD10CM_DAY, "ICD-10-CM", "release")
    base = base_edits() if edits is None else edits
    new = compiled(content, base, when, member.shown)
    old = bundled.load()
    dates, remarks = own_dates(new, old, when)
    if dates:
        new = compiled(content, with_dates(base, dates), when, member.shown)
    remarks += unlisted(new, when)
    ours, theirs = set(all_codes(new)), set(all_codes(old))
    counts = {
        "codes": len(ours),
        "not_bundled": len(ours - theirs),
        "only_bundled": len(theirs - ours),
        "other_title": sum(old.title(c) != new.title(c) for c in ours & theirs),
        "refused": 0,
    }
    first, last = window(when)
    return Taken(
        "icd10cm", label(when), when, sha256(content + when.encode() + dates).hexdigest(), counts,
        sources_of(paths), {"tabular": ("xml", content), "dates": ("csv", dates)},
        f"icd-{when[:7]}", {"first": first, "last": last}, remarks=remarks,
    )  # fmt: skip


def _tabular(found: Sequence[Member]) -> tuple[Member, bytes]:
    """The one file that is a tabular list: a published archive also holds the index."""
    lists = []
    for member in found:
        content = whole(member)
        if b"<ICD10CM.tabular" in _beginning(content):
            lists.append((member, content))
    if len(lists) == 1:
        return lists[0]
    names = ", ".join(member.shown for member, _ in lists or [(one, b"") for one in found])
    told = "more than one tabular list" if lists else "no tabular list of ICD-10-CM (XML)"
    raise InputError("file", names, told)


def _beginning(content: bytes) -> bytes:
    """The first lines of a file, in ASCII also where it is written in UTF-16."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content[:8192].decode("utf-16", "replace").encode("ascii", "replace")
    return content[:4096]


def _agreed(member: Member, effective: str | None) -> str | None:
    """The day that a user gives. Raises InputError where the name tells another month."""
    told = _by_name(member)
    if effective is not None and told is not None and told[:7] != effective[:7]:
        mend = f"the name says that the list is of {told[:7]}; leave the option out"
        raise InputError("--effective", effective, mend, path=member.shown)
    return effective


def _by_name(member: Member) -> str | None:
    """The day that the name of a list or of its archive tells."""
    for text in (member.name, member.path.rpartition("/")[2]):
        found = _MONTH.search(text)
        if found:
            return f"{found[2]}-{_MONTHS.index(found[1].lower()) + 1:02d}-01"
    return None


def _effective(member: Member, content: bytes) -> str:
    """The day from which the list holds, by the month in its name, or else by the fiscal year
    that name and content tell alike: the content of April's list tells the year as October's
    does. Raises InputError where that leaves it open."""
    names = (member.name, member.path.rpartition("/")[2])
    month = _by_name(member)
    if month is not None:
        return month
    year = _YEAR.search(_beginning(content))
    told = {int(found) for text in names for found in _NAMED_YEAR.findall(text)}
    if year is None or told != {int(year[1])}:
        raise InputError(
            "file", member.name, "the name tells neither month nor fiscal year of the release "
            "(icd10cm-tabular-April-1-2026.xml, icd10cm_tabular_2026.xml); give --effective, the "
            "first day on which the list holds", path=member.shown,
        )  # fmt: skip
    return f"{int(year[1]) - 1}-10-01"


def label(when: str) -> str:
    """How findings cite a release: ``ICD-10-CM April 2025``."""
    return f"ICD-10-CM {_MONTHS[int(when[5:7]) - 1].capitalize()} {when[:4]}"


def window(when: str) -> tuple[str, str]:
    """First and last day for which a release surely holds: the next may come in April or
    October."""
    year, month = int(when[:4]), int(when[5:7])
    if 4 <= month < 10:
        return when, f"{year}-09-30"
    return when, f"{year if month < 4 else year + 1}-03-31"


def base_edits() -> bytes:
    """The bundled dated rows."""
    return read_edits(DATA / EDITS_FILE)


def compiled(content: bytes, edits: bytes, when: str, shown: str) -> Tables:
    """The tables of a list. Raises InputError where it can't be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tabular.xml"
        path.write_bytes(content)
        try:
            _check_chapters(path)
            return Tables(compile_tables(path, edits, when))
        except TableError as error:
            told = str(error).removeprefix(f"{path}: ")
            if "no code of it is valid" in told:
                told += f" on {when}, from which the list is taken to hold (see --effective)"
            raise InputError("file", shown, told) from None
        except (KeyError, ValueError, IndexError) as error:
            told = (
                f"not a list that can be used: something that others refer to is missing ({error})"
            )
            raise InputError("file", shown, told) from None


def _check_chapters(path: Path) -> None:
    """Raise TableError for a list that isn't whole: casegen asks for codes of all chapters."""
    nodes = parse_tabular(path)
    found = {stem.partition(":")[2] for stem in nodes if stem.startswith("chapter:")}
    odd = sorted(found ^ {str(number) for number in CHAPTERS}, key=int)
    if odd:
        how = "has one more" if odd[0] in found else "lacks chapter"
        raise TableError(f"{path}: a list has chapters 1 to {CHAPTERS[-1]}; this {how}: {odd[0]}")


def all_codes(tables: Tables) -> list[str]:
    """Every complete code of a list, in its order."""
    chapters = (n for n in CHAPTERS if f"chapter:{n}" in tables.store.index)
    return [code for chapter in chapters for code in chapter_codes(tables, chapter)]


def own_dates(new: Tables, old: Tables, when: str) -> tuple[bytes, tuple[str, ...]]:
    """Dated rows (without heading) for codes of which neither the dated rows nor the bundled
    list know, and rows without a beginning for those that a later list has no more; and what a
    user should know.

    A code without rows counts as valid all the time, which is right only for codes that both
    lists have.
    """
    later = when > old.window[0]
    first, last = window(when)
    ours, theirs = set(all_codes(new)), set(all_codes(old))
    fresh = sorted(code for code in ours - theirs if not old.validity(code))
    rows = [(code, first, ALWAYS[1] if later else last, "") for code in fresh]
    gone = sorted(code for code in theirs - ours if new.status(code, when) != "retired")
    if later:
        rows += [(code, "", _day_before(when), "") for code in gone]
    else:
        gone = [code for code in gone if not new.store.history(code.replace(".", ""))]
    told = []
    if fresh:
        told.append(f"{len(fresh)} codes, such as {fresh[0]}, have no dates; taken as valid from "
                    f"{first} {'on' if later else f'to {last}'}")  # fmt: skip
    if gone:
        how = f"taken as ended on {_day_before(when)}" if later else "not in this list"
        told.append(f"{len(gone)} bundled codes without an end, such as {gone[0]}, are {how}")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode(), tuple(told)


def unlisted(tables: Tables, when: str) -> tuple[str, ...]:
    """What to say of codes that the dated rows call valid on a day of the list that lacks them;
    nothing where there are none."""
    found = sorted(
        stem
        for stem, history in tables.store.histories()
        if any(start <= when <= end for start, end, _ in history) and not tables.billable(stem)
    )
    if not found:
        return ()
    told = f"{len(found)} codes, such as {canonical(found[0])}, are valid on {when} by the dated "
    return (f"{told}rows, and not in the list",)


def with_dates(edits: bytes, dates: bytes) -> bytes:
    """Dated rows, with the rows of ``own_dates`` for codes that they don't know; codes that the
    list dropped end, whatever the rows say of the time after."""
    if not dates:
        return edits
    told = [row.split(",") for row in dates.decode().splitlines()]
    ended = {code: end for code, start, end, _ in told if not start}
    heading, *lines = edits.decode().splitlines()
    known = set()
    found = [heading]
    for line in lines:
        code, start, end, names = line.split(",")
        known.add(code)
        if code in ended:
            if start > ended[code]:
                continue
            line = f"{code},{start},{min(end, ended[code])},{names}"
        found.append(line)
    for code, start, end, names in told:
        if code not in known:
            found.append(f"{code},{start or ALWAYS[0]},{end},{names}")
    return ("\n".join(found) + "\n").encode()


def _day_before(day: str) -> str:
    from datetime import date, timedelta

    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
