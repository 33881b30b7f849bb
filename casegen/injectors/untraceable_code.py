"""Codes that no official code set holds on the date of service.

Kinds: never existed (a slip of the pen that leads to no code), retired, not yet valid, a code
of another system. A wrong code looks like a real code as far as possible, so that only the
code set tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import Authority
from casegen.schemas import authority as sources
from casegen.seeds.icd10cm.codes import canonical
from casegen.seeds.icd10cm.listing import billable_below, future_codes
from casegen.seeds.icd10cm.tail import TailCode
from casegen.seeds.services import Service, Services

from ..coder import Draft
from ..randomness import Lane
from .model import Broken, Innocent, Work, takes_more
from .slips import slips_of

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

    from ..chart.build import Builder

# Letters that look like digits.
_LETTERS = {"0": "O", "1": "I", "5": "S", "8": "B", "2": "Z"}
# Screening and diagnostic mammograms: the codes that Medicare used until the end of 2017
# (CMS Transmittal 3844, change request 10181).
_FORMERLY = {"77065": ("G0206",), "77066": ("G0204",), "77067": ("G0202",)}
# Of 40 errors so many want one of these kinds; the rest are slips.
_KINDS = ("retired",) * 5 + ("not_yet_valid",) + ("other_system",) * 3
# Other injectors keep most injuries and neoplasms to themselves, and a wrong code that is never
# one would tell; of 40 errors so many bring one for a slip.
_BROUGHT = 3
_STRATA = ("injury", "injury", "neoplasm")
# How often a line is chosen, by its letter, so that wrong codes begin like right ones: some
# letters other errors mostly take first. Made by ``tools/slips.py``.
_WEIGHTS = {
    "A": 8, "B": 7, "C": 10, "D": 3, "E": 4, "F": 9, "G": 9, "H": 16, "I": 13, "J": 8, "K": 5,
    "L": 12, "M": 12, "N": 34, "O": 2, "P": 1, "Q": 7, "R": 7, "S": 19, "T": 25, "U": 97, "V": 8,
    "W": 9, "X": 10, "Y": 5, "Z": 2,
}  # fmt: skip
# Few CPT and HCPCS codes are known to be wrong; used often, they would be known by heart.
_SERVICE_WEIGHT = 2
# One slip of so many puts a letter for a digit: nothing real looks like that.
_LETTER_ONCE = 60
_SERVICE_LETTER_ONCE = 20
_TRIES = 12


def reserve(builder: Builder, lane: Lane) -> UntraceableCode:
    """Any claim has a line that can be got wrong. Codes that gave way to others or will, and
    injuries and neoplasms, which other injectors mostly keep to themselves, are brought."""
    drawn = lane.below(40)
    kind = _KINDS[drawn] if drawn < len(_KINDS) else "never_existed"
    problem = None
    if not takes_more(builder):
        pass
    elif kind in ("retired", "not_yet_valid"):
        problem = _dated(builder, lane, kind)
    elif drawn >= 40 - _BROUGHT:
        problem = _brought(builder, lane)
    return UntraceableCode(kind, problem)


def _dated(builder: Builder, lane: Lane, kind: str) -> str | None:
    """Bring a problem whose code follows a retired one, or precedes one to come."""
    tables = builder.world.tables
    categories = superseded(tables) if kind == "retired" else coming_categories(tables)
    for _ in range(_TRIES if categories else 0):
        right = lane.pick(lane.pick(categories))
        if kind == "retired":
            right = lane.pick(billable_below(tables, right))
        problem = _admit(builder, tables.tail_of(right))
        if problem is not None:
            return problem
    return None


def _brought(builder: Builder, lane: Lane) -> str | None:
    """Bring an injury or a neoplasm."""
    tables = builder.world.tables
    for _ in range(_TRIES):
        stratum = lane.pick(_STRATA)
        problem = _admit(builder, tables.tail(stratum, lane.below(tables.tail_count(stratum))))
        if problem is not None:
            return problem
    return None


def _admit(builder: Builder, tail: TailCode | None) -> str | None:
    """Reserve a code of the long tail, if it can join the chart; the id of the problem."""
    reason = not builder.reason
    if tail is None or tail.partners or (reason and tail.stratum not in ("disease", "injury")):
        return None
    problem = builder.admit_tail(tail, reason=reason)
    if problem is None:
        return None
    problem.reserved = True
    return problem.id


@lru_cache(maxsize=2)
def superseded(tables: Tables) -> list[list[str]]:
    """Codes that ended before the encounter window and are now divided, by category."""
    first = tables.window[0]
    ended = (
        canonical(stem) for stem, history in tables.store.histories() if history[-1][1] < first
    )
    return _by_category(code for code in ended if billable_below(tables, code))


def _by_category(codes: Iterable[str]) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for code in sorted(codes):
        found.setdefault(code[:3], []).append(code)
    return list(found.values())


@lru_cache(maxsize=2)
def coming(tables: Tables) -> dict[str, tuple[str, ...]]:
    """Codes that begin after the encounter window, by the complete codes that stand for the
    same or for neighbouring conditions until then: those that they divide, and those of
    their subcategory."""
    found: dict[str, list[str]] = {}
    last = tables.window[1]
    for later in future_codes(tables, last):
        for now in billable_below(tables, later[:5]):
            alike = len(now) == len(later) and (len(now) < 8 or now[-1] == later[-1])
            if (alike or later.startswith(now)) and tables.status(now, last) == "valid":
                found.setdefault(now, []).append(later)
    return {code: tuple(found[code]) for code in sorted(found)}


@lru_cache(maxsize=2)
def coming_categories(tables: Tables) -> list[list[str]]:
    """The codes of ``coming`` by category."""
    return _by_category(coming(tables))


def reserve_decoy(builder: Builder, lane: Lane) -> OddLooking | None:
    """Bring a valid code that looks made up: letters inside, placeholders."""
    world = builder.world
    if not takes_more(builder):
        return None
    for _ in range(_TRIES):
        problem = _admit(builder, world.odd_tail(lane))
        if problem is not None:
            return OddLooking(problem)
    return None


@dataclass(slots=True)
class OddLooking:
    """The decoy: a valid code with an unusual look."""

    problem: str
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 0
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Innocent | None:
        """Nothing is broken; the line is named as a decoy."""
        draft = work.of_problem(self.problem)
        if draft is None:
            return None
        draft.taken = True
        tables = work.world.tables
        return Innocent(
            "untraceable_code",
            "odd_but_valid",
            draft,
            None,
            [self.problem],
            [],
            f"{draft.code} is a valid code on the date of service ({tables.title(draft.code)}).",
            sources.code_valid("ICD-10-CM", draft.code),
        )


@dataclass(slots=True)
class UntraceableCode:
    """Breaks one right line of the finished claim. ``kind`` is what is wanted; ``problem``
    names the line that was reserved for it, if any was."""

    kind: str
    problem: str | None = None
    late: ClassVar[bool] = True
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 1
    spare: ClassVar[bool] = True

    def apply(self, work: Work) -> Broken | None:
        """Replace a code by one that does not exist on the date of service."""
        lane = work.lane
        reserved = self.problem and work.of_problem(self.problem)
        if reserved:
            open_lines = [reserved]
        else:
            # Beside a service that is told and not billed the claim would not say which was meant.
            told = any(not performed.billed for performed in work.chart.services)
            open_lines = [
                d
                for d in work.drafts
                if not d.taken and d.right == d.code and d.facts and not (told and d.service)
            ]
        while open_lines:
            draft = lane.weighted(open_lines, list(accumulate(map(_weight, open_lines))))
            open_lines.remove(draft)
            if draft.service is None:
                made = _diagnosis(draft, self.kind, work)
            else:
                made = _service(draft, work)
            if made is not None:
                return _break(draft, *made, work)
        return None


def _weight(draft: Draft) -> int:
    return _SERVICE_WEIGHT if draft.service else _WEIGHTS[draft.code[0]]


def _break(draft: Draft, wrong: str, kind: str, work: Work) -> Broken:
    right = draft.code
    draft.code = wrong
    draft.taken = True
    # Somebody meant a code like the right one and described that: a title of other things would
    # tell without a code set, and that of the right code would hand over the correction.
    if draft.system != "ICD-10-CM":
        draft.system = "HCPCS" if wrong[0].isalpha() else "CPT"
        draft.description = work.world.neighbour_label(wrong)
    else:
        draft.description = work.world.neighbour_title(wrong, right)
    system = draft.system
    return Broken(
        "untraceable_code",
        kind,
        draft,
        None,
        ["untraceable_code"],
        "replace",
        right,
        draft.facts,
        [],
        [wrong, "not a valid code"],
        _explain(kind, wrong, right, system),
        _authority(kind, wrong, system, work),
    )


def _authority(kind: str, wrong: str, system: str, work: Work) -> Authority:
    """Who says that the code does not stand: the code set, with its dates."""
    tables = work.world.tables
    if kind == "retired" and system == "ICD-10-CM":
        return sources.code_retired(system, wrong, tables.validity(wrong)[-1][1])
    if kind == "retired":
        return sources.service_retired(system, wrong, work.world.services.retired(wrong) or "")
    if kind == "not_yet_valid":
        return sources.code_not_yet_valid(system, wrong, tables.validity(wrong)[0][0])
    if kind == "other_system":
        other = "HCPCS" if wrong[0].isalpha() else "CPT"
        return sources.code_of_other_system(system, canonical(wrong), other)
    return sources.code_unknown(system, wrong)


def _explain(kind: str, wrong: str, right: str, system: str) -> str:
    if kind == "never_existed":
        why = f"No release of {system} holds {wrong}."
    elif kind == "retired":
        why = f"{wrong} was a code of {system} and ended before the date of service."
    elif kind == "not_yet_valid":
        why = f"{wrong} becomes a code of {system} only after the date of service."
    else:
        why = f"{wrong} belongs to another code system than {system}."
    return f"{why} The documentation supports {right}."


def _diagnosis(draft: Draft, wanted: str, work: Work) -> tuple[str, str] | None:
    """A wrong code for a diagnosis, and its kind: the wanted one where the code allows it."""
    tables = work.world.tables
    lane = work.lane
    code = draft.code
    if wanted == "retired":
        parent = tables.parent(code)
        if parent and tables.status(parent, work.date) == "retired":
            return parent, wanted
    elif wanted == "not_yet_valid":
        later = coming(tables).get(code)
        if later:
            return lane.pick(later), wanted
    elif wanted == "other_system":
        service = _about(code, work)
        if service is not None:
            return service, wanted
    if not lane.below(_LETTER_ONCE):
        wrong = _lettered(code, lane)
        if wrong and tables.status(wrong, work.date) == "unknown":
            return wrong, "never_existed"
    slips, totals = slips_of(tables, code)
    for _ in range(_TRIES if slips else 0):
        wrong = lane.weighted(slips, totals)
        if tables.status(wrong, work.date) == "unknown" and not work.stands(wrong):
            return wrong, "never_existed"
    return None


def _lettered(code: str, lane: Lane) -> str | None:
    """A code with a letter where a digit that looks like it should stand, after the first."""
    places = [i for i, char in enumerate(code) if i > 0 and char in _LETTERS]
    if not places:
        return None
    at = lane.pick(places)
    return code[:at] + _LETTERS[code[at]] + code[at + 1 :]


def _about(code: str, work: Work) -> str | None:
    """The code of a service that is done for this diagnosis and whose number no diagnosis has."""
    tables = work.world.tables
    sex, years = work.chart.patient.sex, work.chart.years
    by_prefix = _by_prefix(work.world.services)
    fitting = {
        s.code
        for cut in range(1, len(code) + 1)
        for s in by_prefix.get(code[:cut], ())
        if s.suits_sex in (None, sex) and s.suits[0] <= years <= s.suits[1]
    }
    for service in work.lane.shuffled(sorted(fitting)):
        if tables.status(canonical(service), work.date) == "unknown" and not work.stands(service):
            return service
    return None


@lru_cache(maxsize=2)
def _by_prefix(services: Services) -> dict[str, list[Service]]:
    """Services by the beginnings of the codes for which they are done."""
    found: dict[str, list[Service]] = {}
    for service in services:
        for prefix in service.conditions:
            if prefix:
                found.setdefault(prefix, []).append(service)
    return found


def _service(draft: Draft, work: Work) -> tuple[str, str] | None:
    """A retired code of the same kind of service, or seldom one that no shape allows."""
    lane = work.lane
    code = draft.code
    retired = work.world.retired_services.get(code[:2], ())
    kin = [c for c in retired if c[:4] == code[:4] and c < code]
    kin = kin or [c for c in retired if c[:3] == code[:3]]
    kin += _FORMERLY.get(code, ())
    if kin:
        return lane.pick(kin), "retired"
    wrong = None if lane.below(_SERVICE_LETTER_ONCE) else _lettered(code, lane)
    return (wrong, "never_existed") if wrong else None
