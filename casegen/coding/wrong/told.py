"""Codes of what the note tells of and nobody codes: parts of combinations, symptoms of a disease,
what is uncertain, over or ruled out."""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import authority as sources

from ...chart.model import Problem, Statement
from ...coder.diagnoses import problem_code
from ...coder.links import assumed_links
from ..model import Candidate, Given, Work

_PARTS = {
    "E1": "I.C.4.a", "I10": "I.C.9.a", "M81": "I.C.13.d.2", "S": "I.C.13.d.2",
}  # fmt: skip
# What is coded only where it is confirmed, in a hospital too.
_CONFIRMED = {
    "B20": "I.C.1.a.1",
    "A92.5": "I.C.1.f.1",
    "U07.1": "I.C.1.g.1.a",
    "J09": "I.C.10.c",
    "J10": "I.C.10.c",
}
_PRESUMED = ("I10", "E10.9", "E11.9")
_OVER = {"C": "I.C.2.m", "I63": "I.C.9.d.3", "I21": "I.C.9.e.1"}


def uncoded(work: Work) -> Iterator[Candidate]:
    """The codes that the facts of the record name by themselves and that are not billed."""
    right = {given.code for given in work.given}
    for problem in work.drawn.chart.problems:
        code = problem_code(problem)
        if code in right or not work.world.tables.billable(code):
            continue
        found = _candidate(work, problem, code)
        if found is not None:
            yield found


def presumed(work: Work, given: Given) -> Iterator[Candidate]:
    """The combination that the classification would presume if the provider had not called the
    two conditions unrelated (guideline I.A.15)."""
    if given.code not in _PRESUMED or len(given.facts) > 1:
        return
    for statement in work.drawn.chart.statements:
        if statement.term == "unrelated" and given.facts[0] in statement.about:
            for link in assumed_links([one.code for one in work.given]):
                if work.given[link.replaces] is given:
                    yield Candidate(
                        link.code, "wrong_type", given.code,
                        "It presumes a link that the provider denies.",
                        sources.guideline("I.A.15"), [*given.facts, statement.id],
                    )  # fmt: skip


def _candidate(work: Work, problem: Problem, code: str) -> Candidate | None:
    stay = work.drawn.chart.encounter.setting == "inpatient"
    about = [s for s in work.drawn.chart.statements if problem.id in s.about]
    if problem.status == "ruled_out":
        return _ruled_out(work, problem, code, stay, about)
    facts = [problem.id, *(s.id for s in about)]
    if problem.status == "uncertain":
        return _uncertain(work, code, facts, stay)
    if problem.status == "history":
        section = _first(_OVER, code) or ("III" if stay else "IV.J")
        why = "The condition is over and is not coded as present."
        return Candidate(code, "history", None, why, sources.guideline(section), facts)
    return _part(work, problem, code) or _symptom(work, problem, code, about)


def _ruled_out(
    work: Work, problem: Problem, code: str, stay: bool, about: list[Statement]
) -> Candidate:
    for statement in about:
        if statement.term == "same":
            kept = next(one for one in statement.about if one != problem.id)
            given = next((g for g in work.given if g.facts[:1] == [kept]), None)
            hits = work.world.tables.excludes1(given.code, code) if given is not None else ()
            if given is None or not hits:
                continue
            hit = work.world.leading_hit(hits)
            return Candidate(
                code, "excludes1", given.code,
                f"The record rules it out, and a note keeps it apart from {given.code}.",
                sources.tabular_excludes1(hit.stands_on, hit.note),
                [*given.facts, problem.id, statement.id],
            )  # fmt: skip
    facts = [problem.id, *(s.id for s in about)]
    return Candidate(
        code, "ruled_out", None, "The record says that the condition is not present.",
        sources.guideline("III" if stay else "IV.J"), facts,
    )  # fmt: skip


def _uncertain(work: Work, code: str, facts: list[str], stay: bool) -> Candidate:
    opened = work.drawn.open
    section, why = "IV.H", "The diagnosis is not established, and outside a hospital not coded."
    if stay:
        section = _first(_CONFIRMED, code) or "II.H"
        why = "It is coded only where it is confirmed."
    elif opened is not None and opened.kind == "conflict_diagnosis":
        section, why = "I.B.14", "Clinicians disagree about it, and nobody has settled it."
    return Candidate(code, "uncertain", None, why, sources.guideline(section), facts)


def _part(work: Work, problem: Problem, code: str) -> Candidate | None:
    for given in work.given:
        if problem.id in given.facts and len(given.facts) > 1:
            section = _first(_PARTS, code) or "I.B.9"
            return Candidate(
                code, "part_of_combination", given.code,
                f"{given.code} stands for it together with another fact of the record.",
                sources.guideline(section), [*given.facts, *given.also],
            )  # fmt: skip
    return None


def _symptom(work: Work, problem: Problem, code: str, about: list[Statement]) -> Candidate | None:
    for statement in about:
        if statement.term == "integral" and problem.id in statement.about[1:]:
            return Candidate(
                code, "integral_symptom", None,
                "It belongs to a disease that is coded itself.",
                sources.guideline("I.B.5"), [problem.id, statement.id],
            )  # fmt: skip
        if statement.term == "treatment_unclear":
            # Nobody could call its codes wrong, nor those of what it would be if it were over.
            work.taken.add(code)
    return None


def _first(sections: dict[str, str], code: str) -> str | None:
    return next((s for start, s in sections.items() if code.startswith(start)), None)
