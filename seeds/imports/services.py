"""The services of our list with imported NCCI tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..services import PtpEdit, Services
from .ptp import OPEN, PtpTable, Row


class ImportedServices(Services):
    """Our services; pairs, medically unlikely edits or both are those of an import.

    Pairs are looked up for any two codes, of our list or not. ``edits`` and ``deleted_pairs``
    list those among our services only.
    """

    __slots__ = ("_mue_edition", "_ptp", "_units", "_window", "lacking")

    def __init__(
        self,
        base: Services,
        ptp: PtpTable | None,
        edition: str,
        units: Mapping[str, int] | None,
        mue_edition: str,
        digest: str,
        lacking: str = "",
    ) -> None:
        # Plain data of our own, so that nothing is shared that could change.
        _, _, services, partners, mue, add_on, retired = base.snapshot()
        ready = Services.from_snapshot(("", "", services, {}, {}, {}, retired))
        super().__init__(
            ready, {} if ptp else partners, mue, add_on, ready.retired_codes(), edition, digest
        )
        self._ptp = ptp
        self._units = units
        self._mue_edition = mue_edition
        self._window: tuple[int, int] | None = None
        self.lacking = lacking

    @property
    def mue_edition(self) -> str:
        """The quarter of the medically unlikely edits."""
        return self._mue_edition

    def mue(self, code: str) -> int | None:
        """The most units of a day; None where the table has no value or 0."""
        return super().mue(code) if self._units is None else self._units.get(code) or None

    def within(self, first: str, last: str) -> Services:
        """See ``Services.within``."""
        if self._ptp is None:
            return self
        found = ImportedServices(
            self, self._ptp, self.edition, self._units, self._mue_edition, self.digest,
            self.lacking,
        )  # fmt: skip
        found._window = (_number(first), _number(last))
        return found

    def day_like(self, on: str) -> str:
        """See ``Services.day_like``. Imported pairs begin and end on many days."""
        return on if self._ptp is not None else super().day_like(on)

    def pair(self, a: str, b: str, on: str) -> PtpEdit | None:
        """The edit in force between ``a`` and ``b`` on an ISO date, whichever is column 1."""
        ptp = self._ptp
        if ptp is None:
            return super().pair(a, b, on)
        rows = ptp.rows(a, b)
        if not rows:
            return None
        first, last = self._window or (_number(on),) * 2
        found = [
            # Not through the whole window: no chart may hold the two.
            row if row.since <= first and last <= row.until else replace(row, indicator=0)
            for row in rows
            if row.indicator != 9 and row.since <= last and first <= row.until
        ]
        if not found:
            return None
        # Where several are in force the stricter holds, whichever code was asked for first.
        return _edit(min(found, key=lambda row: (row.indicator, -row.since, row.column1)), ptp)

    def pair_any(self, a: str, b: str) -> tuple[PtpEdit, ...]:
        """Every edit known between ``a`` and ``b``, deleted ones first, then the active one."""
        ptp = self._ptp
        if ptp is None:
            return super().pair_any(a, b)
        rows = sorted(ptp.rows(a, b), key=lambda row: row.until)
        return tuple(_edit(row, ptp) for row in rows)

    def partners(self, code: str) -> tuple[str, ...]:
        """The codes that have any edit with ``code``, sorted."""
        return super().partners(code) if self._ptp is None else tuple(self._ptp.partners(code))

    def conflicts(self, codes: Iterable[str], on: str) -> tuple[PtpEdit, ...]:
        """The edits in force among ``codes``, in the order of their first members."""
        codes = tuple(codes)
        pairs = ((a, b) for at, a in enumerate(codes) for b in codes[at + 1 :])
        found = (self.pair(a, b, on) for a, b in pairs)
        return tuple(edit for edit in found if edit is not None)

    def _joined(self) -> list[tuple[str, str]]:
        if self._ptp is None:
            return super()._joined()
        return sorted(self._ours())

    def _ours(self) -> Iterator[tuple[str, str]]:
        """The pairs among our services, in both orders."""
        for one in self:
            for other in self.partners(one.code):
                if other in self:
                    yield one.code, other

    def __reduce__(self) -> tuple[Any, ...]:
        """Mapped files don't go to other processes; those load the set by its name."""
        raise TypeError("load the set by its name in the other process")


def _number(day: str) -> int:
    """``2024-07-01`` as 20240701; ISO dates only."""
    return int(day[:4] + day[5:7] + day[8:])


def _iso(number: int) -> str:
    text = f"{number:08d}"
    return f"{text[:4]}-{text[4:6]}-{text[6:]}"


def _edit(row: Row, ptp: PtpTable) -> PtpEdit:
    return PtpEdit(
        row.column1,
        row.column2,
        row.indicator,
        None if row.until == OPEN else _iso(row.until),
        ptp.reasons[row.reason],
        _iso(row.since),
    )
