"""Symptoms that belong to a disease, and codes that overlook a guideline: from data files."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import authority as sources
from casegen.schemas.coding_case import WrongKind

from ..model import Candidate, Given, Work


def symptoms(work: Work, given: Given) -> Iterator[Candidate]:
    """Symptoms that go with a disease as a rule (guideline I.B.5), and of which the record does
    not tell."""
    right = given.code
    stay = work.drawn.chart.encounter.setting == "inpatient"
    for start, codes in work.known.symptoms.get(right[:3], ()):
        if right.startswith(start):
            for code in work.lane.shuffled(codes):
                if not _tells_of(work, code):
                    yield Candidate(
                        code, "not_documented", right,
                        f"The record does not tell of it, though it often goes with {right}.",
                        sources.guideline("III" if stay else "IV.J"),
                    )  # fmt: skip


def _tells_of(work: Work, code: str) -> bool:
    """Whether a text on one of the patient's problems may tell of a symptom."""
    patterns = [how for start, how in work.known.told.items() if code.startswith(start)]
    return any(how.search(text) for how in patterns for text in work.texts())


def overlooked(work: Work, given: Given) -> Iterator[Candidate]:
    """What somebody codes who does not know the guideline."""
    right = given.code
    for start, row in work.known.tempting.get(right[:3], ()):
        if right.startswith(start):
            kind: WrongKind = row.kind  # type: ignore[assignment]
            facts = () if kind == "not_documented" else given.facts
            if kind == "history":
                facts = [*given.facts, *given.also]
            section = sources.guideline(row.section)
            yield Candidate(row.wrong, kind, right, row.why, section, facts)


def drug_turned(work: Work, given: Given) -> Iterator[Candidate]:
    """The same drug taken otherwise than the record says: adverse effect, poisoning,
    underdosing (guideline I.C.19.e.5)."""
    code = given.code
    if not "T36" <= code[:3] <= "T50" or len(code) != 8:
        return
    stem = code.replace(".", "")
    at = 5 if stem[5] != "X" else 4
    for char in work.lane.shuffled("123456"):
        other = stem[:at] + char + stem[at + 1 :]
        if char != stem[at]:
            yield Candidate(
                f"{other[:3]}.{other[3:]}", "wrong_type", code,
                "The record tells otherwise how the drug was taken, or with what intent.",
                sources.guideline("I.C.19.e.5"), given.facts,
            )  # fmt: skip
