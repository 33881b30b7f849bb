"""All that a family draws from, loaded once and indexed: tables, knowledge, phrases."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from casegen.schemas import TableError
from casegen.seeds.icd10cm.listing import billable_below
from casegen.seeds.icd10cm.memo import Memo
from casegen.seeds.icd10cm.tail import TailCode
from casegen.seeds.phrases import Entry
from casegen.seeds.services import Service

from .axes import AxisPool
from .chart.bounds import TailBounds
from .chart.guided import Guideline
from .chart.options import Option, Pool, settings_in
from .chart.services import Offers
from .coder import Draft
from .injectors.demographic_mismatch import AGE_GROUPS
from .injectors.slips import neighbour
from .note.banks import Choice, Voice
from .randomness import Lane, running_sums
from .wording import Telling, Wording

if TYPE_CHECKING:
    from casegen.schemas.authority import Editions
    from casegen.seeds.icd10cm.tables import ExcludesHit, Tables
    from casegen.seeds.services import Services

    from .chart.build import Builder
    from .chart.model import Performed
    from .scenarios import DecoyPair, NcciScenario, Pair, QuietPair, Surprising


@dataclass(frozen=True, slots=True)
class Level:
    """One row of the difficulty table; ``totals`` are the running weights of ``errors``,
    ``types`` weighs the types of errors."""

    weight: int
    codes: tuple[int, int]
    errors: tuple[int, ...]
    totals: tuple[int, ...]
    decoys: tuple[int, int]
    ambiguous: int
    max_steps: int
    types: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class EncounterRules:
    """Weights of settings, share of facility claims, length of stays, payers by age."""

    settings: Mapping[str, int]
    inpatient_facility_percent: int
    stay_days: tuple[int, int]
    insurance: Mapping[str, tuple[str, ...]]
    never: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoteStyle:
    """A style of note: the orders of its sections, and its authors' headings by section."""

    name: str
    orders: Sequence[Sequence[str]]
    authors: Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class QuestionForms:
    """Keywords of a topic, and the physician's answers by value."""

    keywords: tuple[str, ...]
    answers: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Ties:
    """Categories as bits, and with which others an Excludes1 note could tie each."""

    bits: Mapping[str, int]
    masks: Mapping[str, int]


@dataclass(slots=True)
class World:
    """What one split draws from; splits share the tables.

    ``services`` are as charts are drawn with them, ``judged_by`` as the checker asks them by
    date; both are one object but for imported tables. ``left_out`` counts what of our
    knowledge imported tables don't bear out, ``editions`` is what findings cite for them.
    """

    split: str
    tables: Tables
    services: Services
    judged_by: Services
    editions: Editions | None
    left_out: Mapping[str, int]
    difficulties: Mapping[str, Level]
    encounters: EncounterRules
    questions: Mapping[str, QuestionForms]
    names: tuple[tuple[str, ...], tuple[str, ...]]
    last_names: tuple[str, ...]
    banks: Mapping[str, tuple[Entry, ...]]
    # By drug, those that no list names beside it.
    drugs_apart: Mapping[str, frozenset[str]]
    styles: Mapping[str, Sequence[NoteStyle]]
    reasons: Mapping[str, Pool]
    backgrounds: Pool
    companions: Pool
    by_condition: Mapping[str, Sequence[Option]]
    barred_by: Mapping[str, tuple[str, ...]]
    exams: Sequence[Option]
    exam_codes: Sequence[str]
    axis_pools: Mapping[str, Sequence[Option]]
    axis_codes: Mapping[str, Sequence[AxisPool]]
    pairs: Sequence[Pair]
    decoy_pairs: Sequence[DecoyPair]
    ncci: Sequence[NcciScenario]
    quiet_pairs: Sequence[QuietPair]
    # Guided charts, a list a kind.
    guidelines: Sequence[Sequence[Guideline]]
    rivals: Sequence[tuple[str, str]]
    foreign_sex: Mapping[str, Sequence[Sequence[str]]]
    age_codes: Mapping[str, Sequence[Sequence[str]]]
    surprises: Sequence[Surprising]
    odd_codes: Sequence[str]
    future_children: Mapping[str, Sequence[str]]
    retired_services: Mapping[str, Sequence[str]]
    visit_services: Mapping[str, Sequence[Service]]
    other_services: Mapping[str, Mapping[str, Sequence[Service]]]
    ties: Ties
    # By category: prefixes of codes, and of those that no chart holds beside them.
    apart: Mapping[str, Sequence[tuple[tuple[str, ...], tuple[str, ...]]]]
    # Ages, in years, at which some phrase begins or ceases to fit; sorted.
    ages: Sequence[int]
    tail_percent: int = 62
    _choices: dict[tuple[str, int, tuple[int, ...]], Choice] = field(default_factory=dict)
    _voices: dict[tuple[int, bool, int, str], Voice] = field(default_factory=dict)
    _clashes: Memo[tuple[str, str], bool] = field(default_factory=lambda: Memo(1_024))
    _says: dict[tuple[str, str, int, bool], Telling] = field(default_factory=dict)
    _kinds: dict[str, frozenset[str]] = field(default_factory=dict)
    _odds: dict[int, tuple[Sequence[str], Sequence[int]]] = field(default_factory=dict, init=False)
    tail_bounds: TailBounds = field(init=False)
    offers: Offers = field(init=False)

    def __post_init__(self) -> None:
        self.tail_bounds = TailBounds(self.tables)
        self.offers = Offers(self.visit_services, self.other_services)

    # -- look-up ------------------------------------------------------------------------

    def clash(self, a: str, b: str) -> bool:
        """Whether any Excludes1 note ties two codes by number, whatever its words."""
        known = self._clashes.get((a, b))
        if known is None:
            known = self._clashes.keep((a, b), self.tables.kept_apart(a, b))
        return known

    def leading_hit(self, hits: Sequence[ExcludesHit]) -> ExcludesHit:
        """The note that a finding cites: certain before conditional, a code's own note before
        an inherited one, then the one on the longest code, then the one whose holder sorts
        first."""

        def rank(hit: ExcludesHit) -> tuple[bool, bool, int, str]:
            place = hit.stands_on
            wide = 1 if "chapter" in place else 0 if "-" in place or " " in place else -len(place)
            return hit.reach != "certain", place != hit.holder, wide, hit.holder

        return min((hit for hit in hits if hit.reach != "no"), key=rank, default=hits[0])

    def fracture_kinds(self, base: str) -> frozenset[str]:
        """The types of fracture that the seventh characters of a code tell apart."""
        known = self._kinds.get(base)
        if known is None:
            found = {s.fracture for s in self.tables.sevenths(base).values() if s.fracture}
            known = self._kinds[base] = frozenset(found)
        return known

    def healing_kinds(self, base: str) -> frozenset[str]:
        """The courses of healing that the seventh characters of a code tell apart."""
        key = f"{base}~"
        known = self._kinds.get(key)
        if known is None:
            found = {s.healing for s in self.tables.sevenths(base).values() if s.healing}
            known = self._kinds[key] = frozenset(found)
        return known

    def neighbour_title(self, wrong: str, right: str = "") -> str:
        """What stands beside a code that is none: its own title where it has one, else that of
        a complete code near the right one (near itself where none is given), though never of
        the right one: that would hand over the correction."""
        tables = self.tables
        if tables.exists(wrong):
            return tables.title(wrong)
        return tables.title(neighbour(tables, wrong, right) or (right or "R69")[:3])

    def neighbour_label(self, wrong: str) -> str:
        """The label of a retired service, else of the service next to the code in our list."""
        for one in self.services.retired_codes():
            if one.code == wrong:
                return one.label
        codes = sorted(one.code for one in self.services)
        at = min(bisect_right(codes, wrong), len(codes) - 1)
        return self.service(codes[at]).label

    def describe(self, draft: Draft) -> str:
        """The description of a line: the official title, or our plain label of a service."""
        if draft.service is not None:
            return draft.service.service.label
        return self.tables.title(draft.code)

    def service(self, code: str) -> Service:
        """A service of our list. Raises TableError for another code."""
        service = self.services.get(code)
        if service is None:
            raise TableError(f"{code} is no service of our list")
        return service

    # -- saying -------------------------------------------------------------------------

    def voice(self, years: int, newborn: bool, sex: int, setting: str) -> Voice:
        """The phrases that fit one kind of patient in one setting."""
        band = bisect_right(self.ages, years)
        key = (band, newborn, sex, setting)
        voice = self._voices.get(key)
        if voice is None:
            voice = Voice(self.banks, self._choices, years, newborn, sex, setting)
            self._voices[key] = voice
        return voice

    def says(self, performed: Performed, sex: int, busy: bool = False) -> Telling:
        """The sentences that state a service: its own, or the one that a scenario gave it;
        for a ``busy`` day those that do not count minutes."""
        service, side = performed.service, performed.side
        key = (performed.says or service.code, side, sex, busy)
        telling = self._says.get(key)
        if telling is None:
            texts = [performed.says] if performed.says else self._own_says(service, busy)
            telling = self._says[key] = Telling(Wording(texts), sex, side)
        return telling

    @staticmethod
    def _own_says(service: Service, busy: bool) -> list[str]:
        # Sentences with numbers come in several renderings.
        texts = [text for text in service.says for _ in range(6 if "{n:" in text else 1)]
        timeless = [text for text in texts if "minute" not in text]
        return timeless if busy and timeless else texts

    def plain_name(self, service: Service) -> str | None:
        """A service as a noun phrase within a sentence."""
        label = service.label.split(",")[0].split("(")[0].strip()
        return label[:1].lower() + label[1:] if label else None

    def separate_sentence(self, builder: Builder, lane: Lane) -> str:
        """A sentence with {service}: other problems were evaluated beside it."""
        frame = builder.frame
        voice = self.voice(frame.high, False, frame.sex if frame.sex != 2 else 0, "office")
        return voice.need("em_separate").sentence(lane.draw() << 16 | lane.draw())

    # -- drawing ------------------------------------------------------------------------

    def age_pool(self, years: int, lane: Lane) -> tuple[Sequence[str], str, int, int]:
        """Codes of one category and an age group of the Medicare Code Editor that leaves this
        age out."""
        groups = [g for g, (low, high) in AGE_GROUPS.items() if not low <= years <= high]
        group = lane.pick(groups)
        low, high = AGE_GROUPS[group]
        return lane.pick(self.age_codes[group]), group, low, high

    def odd_tail(self, lane: Lane) -> TailCode | None:
        """A code of the long tail that looks made up."""
        return self.tables.tail_of(lane.pick(self.odd_codes)) if self.odd_codes else None

    def tail_below(self, stem: str, lane: Lane) -> TailCode | None:
        """A right code of the long tail at or below a code."""
        below = billable_below(self.tables, stem)
        if not below:
            return None
        return self.tables.tail_of(below[lane.below(len(below))])

    def setting_odds(self, mask: int) -> tuple[Sequence[str], Sequence[int]]:
        """The settings whose bits are set, and the running sums of their weights."""
        found = self._odds.get(mask)
        if found is None:
            names = settings_in(mask)
            found = names, running_sums([self.encounters.settings[name] for name in names])
            self._odds[mask] = found
        return found

    @staticmethod
    @lru_cache(maxsize=512)
    def ordinal(iso: str) -> int:
        """The day number of an ISO date."""
        return date.fromisoformat(iso).toordinal()

    @staticmethod
    def iso(ordinal: int) -> str:
        """The ISO date of a day number."""
        return date.fromordinal(ordinal).isoformat()
