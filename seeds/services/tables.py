"""Look-up of services and of the NCCI tables among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .model import EM, PtpEdit, Retired, Service

# column 1, column 2, indicator, deleted ("" = active), rationale
RawEdit = tuple[str, str, int, str, str]

# NCCI Policy Manual, chapter I, section E: the modifiers that may lift an edit of indicator 1.
_ANATOMIC = (
    "E1 E2 E3 E4 FA F1 F2 F3 F4 F5 F6 F7 F8 F9 TA T1 T2 T3 T4 T5 T6 T7 T8 T9 LT RT LC LD LM RC RI"
)
_GLOBAL_SURGERY = "24 25 57 58 78 79"
_OTHER = "27 59 91 XE XS XP XU"
_ASSOCIATED = frozenset(f"{_ANATOMIC} {_GLOBAL_SURGERY} {_OTHER}".split())
# CMS CR 11168: from 2019-07-01 these count on either code of the pair.
_BYPASS = frozenset({"59", "XE", "XS", "XP", "XU"})
EM_MODIFIER = "25"
_LAST_DAY = "9999-12-31"


class Services:
    """The services of our list and the NCCI practitioner tables among them.

    ``edition`` names the quarter of the NCCI figures; whether an edit still stands in a
    later quarter isn't known here. ``digest`` is the SHA-256 of the data files.
    """

    # What to say of pairs that this table may lack; of the bundled one there is nothing to say.
    lacking = ""
    __slots__ = (
        "_add_on", "_by_label", "_edits", "_mue", "_order", "_partners", "_retired",
        "_services", "_settled", "digest", "edition", "get",
    )  # fmt: skip

    def __init__(
        self,
        services: Iterable[Service],
        partners: Mapping[str, Mapping[str, tuple[RawEdit, ...]]],
        mue: Mapping[str, int],
        add_on: Mapping[str, tuple[str, ...]],
        retired: Iterable[Retired],
        edition: str,
        digest: str,
    ) -> None:
        self._order = tuple(services)
        self._services = {one.code: one for one in self._order}
        self._by_label = {one.label: one for one in self._order}
        self._partners = partners
        self._edits: dict[RawEdit, PtpEdit] = {}
        self._settled: str | None = None  # the date of the last change, once it was asked for
        self._mue = mue
        self._add_on = add_on
        self._retired = {one.code: one for one in retired}
        self.edition = edition
        self.digest = digest
        # `get(code) -> Service | None`: the dictionary's own method, for speed.
        self.get = self._services.get

    def __iter__(self) -> Any:
        """The services in the order of the file."""
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, code: object) -> bool:
        return code in self._services

    def by_label(self, label: str) -> Service | None:
        """The service with this plain label."""
        return self._by_label.get(label)

    def pair(self, a: str, b: str, on: str) -> PtpEdit | None:
        """The edit in force between ``a`` and ``b``, whichever is column 1, on an ISO date.

        None for pairs without an edit, for indicator 9 and for edits deleted before ``on``.
        A date before the start of an active edit isn't recognised: the tables lack starts.
        """
        row = self._partners.get(a)
        if row is None:
            return None
        edits = row.get(b)
        if edits is None:
            return None
        for raw in edits:  # deleted ones first, by date; then the active one
            if raw[2] != 9 and (not raw[3] or on <= raw[3]):
                return self._edit(raw)
        return None

    def day_like(self, on: str) -> str:
        """An ISO date on which the pairs and the retired codes are those of ``on``: one day
        stands for all after the last change that is known."""
        if self._settled is None:
            deleted = (raw[3] for row in self._partners.values() for edits in row.values()
                       for raw in edits)  # fmt: skip
            ended = (one.ended_on for one in self._retired.values())
            self._settled = max((*deleted, *ended), default="")
        return _LAST_DAY if on > self._settled else on

    def within(self, first: str, last: str) -> Services:
        """The services as charts are drawn with: a pair with an edit in force on any day of the
        window counts as one. The bundled pairs don't change after their quarter."""
        return self

    def pair_any(self, a: str, b: str) -> tuple[PtpEdit, ...]:
        """Every edit known between ``a`` and ``b``, deleted ones and indicator 9 included."""
        return tuple(self._edit(raw) for raw in self._partners.get(a, {}).get(b, ()))

    def partners(self, code: str) -> tuple[str, ...]:
        """The codes that have any edit with ``code``, sorted."""
        return tuple(sorted(self._partners.get(code, ())))

    def conflicts(self, codes: Iterable[str], on: str) -> tuple[PtpEdit, ...]:
        """The edits in force among ``codes``, in the order of their first members."""
        codes = tuple(codes)
        found = []
        for at, a in enumerate(codes):
            row = self._partners.get(a)
            if row is not None:
                for b in codes[at + 1 :]:
                    if b in row:
                        edit = self.pair(a, b, on)
                        if edit is not None:
                            found.append(edit)
        return tuple(found)

    def edits(self, on: str) -> tuple[PtpEdit, ...]:
        """Every edit in force on an ISO date, sorted by column 1 and column 2."""
        return tuple(
            edit
            for a, b in self._joined()
            if (edit := self.pair(a, b, on)) is not None and edit.column1 == a
        )

    def deleted_pairs(self, on: str) -> tuple[PtpEdit, ...]:
        """The last known edit of every pair that has none in force on ``on``, sorted."""
        return tuple(
            self.pair_any(a, b)[-1]
            for a, b in self._joined()
            if a < b and self.pair(a, b, on) is None
        )

    def _joined(self) -> list[tuple[str, str]]:
        return sorted((a, b) for a, row in self._partners.items() for b in row)

    @property
    def mue_edition(self) -> str:
        """The quarter of the medically unlikely edits."""
        return self.edition

    def mue(self, code: str) -> int | None:
        """The most units of a day; None where unknown.

        Also None where the table says 0: that tells that Medicare doesn't pay for the code
        (preventive visits, refraction), not that a unit on another payer's claim is too many.
        """
        return self._mue.get(code) or None

    def primaries(self, add_on: str) -> tuple[str, ...]:
        """The codes of which one must stand beside this add-on code; () for others."""
        return self._add_on.get(add_on, ())

    def retired(self, code: str) -> str | None:
        """The first date on which a once valid code no longer was; None if not known to be."""
        one = self._retired.get(code)
        return None if one is None else one.ended_on

    def retired_codes(self) -> tuple[Retired, ...]:
        """All codes known to be retired, with plain labels and sources."""
        return tuple(self._retired.values())

    @staticmethod
    def associated_modifiers() -> frozenset[str]:
        """The modifiers that may lift an edit of indicator 1 (NCCI Policy Manual, ch. I)."""
        return _ASSOCIATED

    @staticmethod
    def bypass_modifiers() -> frozenset[str]:
        """59 and X{EPSU}: distinct services, on either code since 2019-07-01 (CR 11168)."""
        return _BYPASS

    def takes_25(self, code: str) -> bool:
        """Whether modifier 25 belongs on this code: E/M services and eye examinations."""
        one = self._services.get(code)
        return one is not None and one.takes_25

    def _edit(self, raw: RawEdit) -> PtpEdit:
        edit = self._edits.get(raw)
        if edit is None:
            edit = PtpEdit(raw[0], raw[1], raw[2], raw[3] or None, raw[4])
            self._edits[raw] = edit
        return edit

    def snapshot(self) -> tuple[Any, ...]:
        """All of it as plain tuples and dictionaries, fit for ``marshal``."""
        services = tuple(
            (*one[:8], None if one.em is None else tuple(one.em), *one[9:]) for one in self._order
        )
        return (
            self.edition,
            self.digest,
            services,
            {code: dict(row) for code, row in self._partners.items()},
            dict(self._mue),
            dict(self._add_on),
            tuple(tuple(one) for one in self._retired.values()),
        )

    @classmethod
    def from_snapshot(cls, data: tuple[Any, ...]) -> Services:
        """The inverse of ``snapshot``."""
        edition, digest, services, partners, mue, add_on, retired = data
        return cls(
            (
                Service._make((*row[:8], None if row[8] is None else EM._make(row[8]), *row[9:]))
                for row in services
            ),
            partners,
            mue,
            add_on,
            (Retired._make(row) for row in retired),
            edition,
            digest,
        )
