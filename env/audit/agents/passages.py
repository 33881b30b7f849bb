"""The words of a note that an agent quotes: of the record where it knows it, else of its lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from casegen.env.writing.reading import Reader, terms
from casegen.schemas import Case, Decoy, Finding, Span

_LEAST = 0.6  # of the words of a title, for a sentence to be quoted with it
_FACT = 1.1  # the same of a fact, whose words and those of the title are counted both ways
_FIRST = frozenset({"demographic_mismatch", "excludes1_conflict"})
_PROBLEM, _SERVICE = ("problem",), ("service",)


def of_record(case: Case) -> Callable[[str], str | None]:
    """Finds for a code of the claim the words of the note whose fact is nearest to its title."""
    lines = {line.code: line for line in case.claim}
    facts = [fact for fact in case.record if fact.spans and fact.kind in ("problem", "service")]

    def quote(code: str) -> str | None:
        line = lines.get(code)
        if line is None:
            return None
        kinds = _PROBLEM if line.system == "ICD-10-CM" else _SERVICE
        best = max(
            (fact for fact in facts if fact.kind in kinds),
            key=lambda fact: _near(line.description, fact.term),
            default=None,
        )
        if best is None or _near(line.description, best.term) < _FACT:
            return None
        return max((span.text for span in best.spans), key=len)

    return quote


@lru_cache(maxsize=16_384)
def _near(title: str, term: str) -> float:
    """The share of a term's words that a title has, and what of both they share."""
    one, other = terms(title), terms(term)
    shared = len(one & other)
    return shared / len(other) + shared / len(one | other) if shared else 0.0


def _least_like(case: Case, about: Finding | Decoy) -> list[Span]:
    """The spans of the condition that the title of a line is furthest from, where there are two."""
    places = {(span.start, span.end) for span in about.evidence}
    title = next((line.description for line in case.claim if line.code == about.code), "")
    found = [
        (fact, [span for span in fact.spans if (span.start, span.end) in places])
        for fact in case.record
        if fact.kind == "problem"
    ]
    found = [(fact, spans) for fact, spans in found if spans]
    if len(found) < 2:
        return []
    return min(found, key=lambda one: _near(title, one[0].term))[1]


def of_reader(reader: Reader, titles: Mapping[str, str]) -> Callable[[str], str | None]:
    """Finds for a code the first sentence of the note that speaks of its title."""

    def quote(code: str) -> str | None:
        found = reader.about((titles[code],), _LEAST)
        return found[0] if found else None

    return quote


def telling(case: Case, about: Finding | Decoy) -> Span | None:
    """The span of evidence that says most: that of a relation between facts; else the first of
    those for a patient or for one of two conditions; of several conditions of which a code says
    too little or something else that which is least like its title; elsewhere the longest."""
    evidence = about.evidence
    if about.kind == "detail":
        evidence = _least_like(case, about) or evidence
    if not evidence:
        return None
    relations = (fact for fact in case.record if fact.kind == "relation")
    places = {(span.start, span.end) for fact in relations for span in fact.spans}
    related = [span for span in evidence if (span.start, span.end) in places]
    if not related and about.error_type in _FIRST:
        return evidence[0]
    return max(related or evidence, key=lambda span: span.end - span.start)
