"""Words of an excerpt for a code: each fact on which it rests by its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from casegen.env.writing.words import cited
from casegen.schemas import Fact, Span
from casegen.schemas.coding_case import CodingCase, Review, WrongCode

from .reasons import quote_of

_SIDED = re.compile(r"\b(?:right|left|bilateral(?:ly)?|both)\b", re.I)
_CLAUSE = re.compile(r"[;,] ")
_MOST = 3  # quotations of one code
# What is wrong with codes of these kinds shows in all facts together.
_OF_ALL = ("part_of_combination", "wrong_stage")


def facts_of(case: CodingCase, evidence: Sequence[Span]) -> list[Fact]:
    """The facts of the record that spans state, in its order."""
    places = {(span.start, span.end) for span in evidence}
    return [
        fact for fact in case.record if any((span.start, span.end) in places for span in fact.spans)
    ]


def quotes_of(case: CodingCase, evidence: Sequence[Span], at: int = 0) -> list[str]:
    """Words for a code of the answer. One that stands for several conditions has words for each,
    or the sentence that ties them; one whose side or phase of care counts has words that tell it,
    beside what the encounter was for. ``at`` picks among the words of a single fact."""
    facts = facts_of(case, evidence)
    problems = [fact for fact in facts if fact.kind == "problem"]
    reasons = [fact for fact in facts if fact.term == "reason"]
    ties = [fact for fact in facts if fact.kind == "relation" and fact.term != "reason"]
    if len(problems) < 2 and not reasons and not ties:
        plain = not problems or not {"side", "phase"} & set(problems[0].attributes)
        found = [quote_of(evidence, at) if plain else words_of(problems[0])]
    else:
        found = [quote_of(fact.spans) for fact in reasons[:1]]
        found += [words_of(fact) for fact in ties]
        tied = {about for fact in ties for about in fact.about}
        for fact in problems:
            named = any(span.text in told for span in fact.spans for told in found if told)
            if fact.id in tied and named and "phase" not in fact.attributes:
                continue
            apart = len(problems) > 1 or fact.id in tied
            if apart or not found or not _tells(found[0] or "", fact):
                found.append(words_of(fact))
    return _unlike([one for one in found if one])[:_MOST]


def against(case: CodingCase, wrong: WrongCode) -> list[str]:
    """Words that show a code to be wrong: those that deny it, leave it open or place it in the
    past before those that merely name its neighbor."""
    facts = facts_of(case, wrong.evidence)
    if wrong.kind in _OF_ALL:
        return _unlike([told for fact in facts if (told := words_of(fact))])[:_MOST]
    denials = [fact for fact in facts if fact.kind == "relation" and fact.term != "reason"]
    telling = denials or [fact for fact in facts if fact.status != "active"] or facts
    told = words_of(telling[0]) if telling else quote_of(wrong.evidence)
    return [told] if told else []


def open_words(case: CodingCase, review: Review) -> list[str]:
    """Words that show what the record leaves open."""
    facts = [fact for fact in facts_of(case, review.evidence) if fact.kind == "relation"]
    told = words_of(facts[0]) if facts else quote_of(review.evidence)
    return [told] if told else []


def words_of(fact: Fact) -> str | None:
    """The longest words of a fact, those with its side before others where it has one."""
    spans = fact.spans
    if fact.kind == "relation" and fact.term != "reason":
        return _settling(max((span.text for span in spans), key=len))
    if "phase" not in fact.attributes and "side" in fact.attributes:
        spans = [span for span in spans if _SIDED.search(span.text)] or spans
    return quote_of(spans)


def _settling(text: str) -> str | None:
    """A statement whole, and where it is too long to be quoted its last part, which settles what
    it is about."""
    whole = text.rstrip(".;,")
    parts = [text, *(text[one.end() :] for one in _CLAUSE.finditer(text))]
    fitting = (told for part in parts if whole.endswith(told := cited(part) or "!"))
    return next(fitting, cited(text))


def _tells(quote: str, fact: Fact) -> bool:
    """Whether the words on the reason for an encounter say all that counts of a problem."""
    if "phase" in fact.attributes:
        return False
    return "side" not in fact.attributes or _SIDED.search(quote) is not None


def _unlike(texts: Sequence[str]) -> list[str]:
    """Texts without those that stand within another."""
    kept: list[str] = []
    for text in texts:
        if not any(text.lower() in other.lower() for other in kept):
            kept = [other for other in kept if other.lower() not in text.lower()]
            kept.append(text)
    return kept
