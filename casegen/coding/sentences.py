"""What a coding case says beside its note: objective, hints, and why somebody has to look."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.schemas import Authority
from casegen.schemas import authority as sources
from casegen.schemas.coding_case import ReviewKind
from casegen.seeds import coding

from ..randomness import Lane
from .model import Given, Work

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@lru_cache(maxsize=1)
def _sentences() -> dict[str, Any]:
    return coding.read("sentences.yaml")


def objective_of(work: Work, lane: Lane) -> str:
    """What is asked for; nothing of the answer."""
    stay = work.drawn.chart.encounter.setting == "inpatient"
    told: str = lane.pick(_sentences()["objectives"]["inpatient" if stay else "elsewhere"])
    return told


def hints_of(work: Work, review: bool) -> list[str]:
    """Three hints, the broadest first."""
    hints = _sentences()["hints"]
    first = work.given[0]
    count = len(work.given) - 1
    more = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    codes = "code belongs" if count == 1 else "codes belong"
    chapter = _chapter(work.world.tables, first)
    return [
        hints["count"].format(more=more, codes=codes),
        hints["chapter"].format(chapter=chapter),
        hints["open"] if review else _rule(first.authority),
    ]


def _rule(authority: Authority) -> str:
    """The hint on the rule for the first code; a note would name codes."""
    hints = _sentences()["hints"]
    told: str = hints["rule" if authority.source == "guideline" else "note"]
    return told.format(rule=authority.reference)


def _chapter(tables: Tables, first: Given) -> str:
    title = tables.title(f"chapter:{tables.chapter(first.code)}")
    return title.partition("(")[0].strip().lower()


def review_reason(kind: ReviewKind) -> str:
    """Why somebody has to look."""
    told: str = _sentences()["reviews"][kind]["why"]
    return told


def review_authority(kind: ReviewKind) -> Authority:
    """The guideline section that says so."""
    return sources.guideline(_sentences()["reviews"][kind]["section"])
