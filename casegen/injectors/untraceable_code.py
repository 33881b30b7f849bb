"""Codes that no official code set holds on the date of service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from casegen.schemas import Authority
from casegen.schemas import authority as sources

from ..coder import Draft
from ..randomness import Lane
from .model import Broken, Innocent, Work

if TYPE_CHECKING:
    from ..chart.build import Builder

# Characters that keyboards and scanners confuse.
_CONFUSED = {"0": "O", "O": "0", "1": "I", "I": "1", "5": "S", "S": "5", "8": "B", "B": "8", "2": "Z", "Z": "2"}  # fmt: skip
_METHODS = ("last", "last", "last", "swap", "swap", "swap", "confuse", "retired", "retired", "future")
_LETTERS = "0123456789"
_TRIES = 12


def reserve(builder: Builder, lane: Lane) -> UntraceableCode:
    """Any claim has a line that can be got wrong."""
    return UntraceableCode()


def reserve_decoy(builder: Builder, lane: Lane) -> OddLooking | None:
    """Bring a valid code that looks made up: letters inside, placeholders."""
    world = builder.world
    reason = not any(p.reason for p in builder.problems)
    for _ in range(_TRIES):
        tail = world.odd_tail(lane)
        if tail is None or tail.partners or (reason and tail.stratum not in ("disease", "injury")):
            continue
        problem = builder.admit_tail(tail, reason=reason)
        if problem is not None:
            problem.reserved = True
            return OddLooking(problem.id)
    return None


@dataclass(slots=True)
class OddLooking:
    """The decoy: a valid code with an unusual look."""

    problem: str
    late: ClassVar[bool] = False
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 0

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
    """Breaks one right line of the finished claim; nothing needs to be reserved."""

    late: ClassVar[bool] = True
    lines: ClassVar[int] = 0
    members: ClassVar[int] = 1

    def apply(self, work: Work) -> Broken | None:
        """Replace a code by one that does not exist on the date of service."""
        lane = work.lane
        open_lines = [d for d in work.drafts if not d.taken and d.right == d.code and d.facts]
        for draft in lane.shuffled(open_lines):
            made = _service(draft, work) if draft.service else _diagnosis(draft, work)
            if made is None:
                continue
            wrong, kind = made
            right = draft.code
            draft.description = draft.description or work.world.describe(draft)
            draft.code = wrong
            draft.taken = True
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
        return None


def _authority(kind: str, wrong: str, system: str, work: Work) -> Authority:
    """Who says that the code does not stand: the code set, with its dates."""
    if kind == "retired":
        if system == "ICD-10-CM":
            periods = work.world.tables.validity(wrong)
            return sources.code_retired(system, wrong, periods[-1][1])
        ended = work.world.services.retired(wrong)
        return sources.service_retired(system, wrong, ended or "")
    if kind == "not_yet_valid":
        return sources.code_not_yet_valid(system, wrong, work.world.tables.validity(wrong)[0][0])
    return sources.code_unknown(system, wrong)


def _explain(kind: str, wrong: str, right: str, system: str) -> str:
    why = {
        "never_existed": f"No release of {system} holds {wrong}.",
        "retired": f"{wrong} was a code of {system} and ended before the date of service.",
        "not_yet_valid": f"{wrong} becomes a code of {system} only after the date of service.",
        "other_system": f"{wrong} belongs to another code system than {system}.",
    }[kind]
    return f"{why} The documentation supports {right}."


def _diagnosis(draft: Draft, work: Work) -> tuple[str, str] | None:
    tables = work.world.tables
    lane = work.lane
    code = draft.code
    start = lane.below(len(_METHODS))
    for i in range(len(_METHODS)):
        method = _METHODS[(start + i) % len(_METHODS)]
        if method == "retired":
            parent = tables.parent(code)
            if parent and tables.status(parent, work.date) == "retired":
                return parent, "retired"
        elif method == "future":
            later = work.world.future_children.get(code)
            if later:
                return lane.pick(later), "not_yet_valid"
        else:
            wrong = _misspelt(code, method, lane)
            if wrong and not work.stands(wrong) and tables.status(wrong, work.date) == "unknown":
                return wrong, "never_existed"
    return None


def _misspelt(code: str, method: str, lane: Lane) -> str | None:
    """A slip of the keyboard: the last character, two neighbours, or a confused character."""
    stem = code.replace(".", "")
    if method == "last":
        at = len(stem) - 1
        if stem[at].isalpha() and at == 6:
            at = 5 if stem[5] != "X" else 3
        wrong = stem[:at] + lane.pick(_LETTERS) + stem[at + 1 :]
    elif method == "swap":
        if len(stem) < 4:
            return None
        at = 1 + lane.below(len(stem) - 2)
        wrong = stem[:at] + stem[at + 1] + stem[at] + stem[at + 2 :]
        if wrong[1].isalpha():
            return None
    else:
        places = [i for i, c in enumerate(stem[:6]) if c in _CONFUSED and i > 0]
        if not places:
            return None
        at = lane.pick(places)
        wrong = stem[:at] + _CONFUSED[stem[at]] + stem[at + 1 :]
    if wrong == stem:
        return None
    return wrong if len(wrong) == 3 else f"{wrong[:3]}.{wrong[3:]}"


def _service(draft: Draft, work: Work) -> tuple[str, str] | None:
    """A retired code of the same kind of service, or a code that no shape allows."""
    lane = work.lane
    performed = draft.service
    if performed is None:
        return None
    retired = work.world.retired_services.get(draft.code[:2], ())
    if retired and lane.below(3):
        return lane.pick(retired), "retired"
    places = [i for i, c in enumerate(draft.code) if c in _CONFUSED and i > 0]
    if not places:
        return None
    at = lane.pick(places)
    return draft.code[:at] + _CONFUSED[draft.code[at]] + draft.code[at + 1 :], "never_existed"
