"""Quarters of the NCCI: their names, and where file names tell them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from casegen.schemas import InputError

from .dates import NCCI_DAY, check_effective
from .source import Member

# CMS counts versions: 30.2 is the third quarter of the year 1994 + 30.
_VERSION = re.compile(r"v(\d{2})([0-3])r\d", re.IGNORECASE)
_QUARTER = re.compile(r"(20\d\d)[-_ ]?q([1-4])", re.IGNORECASE)
_EFFECTIVE = re.compile(r"eff(?:ective)?[-_ ]*(\d{2})[-_/](\d{2})[-_/](20\d\d)", re.IGNORECASE)
_FIRST_VERSION = 1994


def quarter_of(text: str) -> str | None:
    """The first day (ISO) of the quarter that a file name or header tells, None for none.

    ``ccipra-v302r0-f1.txt``, ``medicare-ncci-2024q3-...`` and ``..._Eff_07-01-2024.csv`` all
    mean 2024-07-01.
    """
    found = _VERSION.search(text)
    if found:
        return _first_day(_FIRST_VERSION + int(found[1]), int(found[2]) + 1)
    found = _QUARTER.search(text)
    if found:
        return _first_day(int(found[1]), int(found[2]))
    found = _EFFECTIVE.search(text)
    if found and 1 <= int(found[1]) <= 12:
        return _first_day(int(found[3]), (int(found[1]) + 2) // 3)
    return None


def _first_day(year: int, quarter: int) -> str:
    return f"{year}-{3 * quarter - 2:02d}-01"


def edition(when: str) -> str:
    """How findings cite the quarter that holds an ISO date: ``NCCI 2024Q3``."""
    return f"NCCI {when[:4]}Q{(int(when[5:7]) + 2) // 3}"


def quarter_told(member: Member, effective: str | None, hint: str, header: str = "") -> str:
    """The first day of the quarter of a file: that of its own name, of its archive's or of its
    header, else that which holds ``effective``, else that of the folder. Raises InputError
    where none tells, with the ``hint``, and where ``effective`` is of another quarter."""
    archive = member.path.replace("\\", "/").rpartition("/")[2]
    own = quarter_of(member.name) or quarter_of(archive) or quarter_of(header)
    if effective is not None:
        check_effective(effective, NCCI_DAY, "the NCCI")
        given = _first_day(int(effective[:4]), (int(effective[5:7]) + 2) // 3)
        if own is not None and own != given:
            mend = f"the file says that it is of {edition(own)}; leave the option out"
            raise InputError("--effective", effective, mend, path=member.shown)
        return given
    found = own or quarter_of(member.path)
    if found is None:
        mend = f"{hint}; give --effective, the first day of the quarter"
        raise InputError("file", member.name, mend, path=member.shown)
    return check_effective(found, NCCI_DAY, "the NCCI", "file name")


def one_quarter(told: Sequence[tuple[Member, str]]) -> str:
    """The quarter of all files. Raises InputError where they are of several."""
    first, when = told[0]
    for member, other in told:
        if other != when:
            raise InputError(
                "file", member.name, f"is of {edition(other)}, but {first.shown} of "
                f"{edition(when)}; one quarter makes a table", path=member.shown,
            )  # fmt: skip
    return when
