"""What a question is about: the fact that the note leaves open, another one, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from textwrap import shorten
from typing import TYPE_CHECKING, NamedTuple

from casegen.lookup.codes import ICD
from casegen.seeds.icd10cm.codes import canonical

from .question_words import stem, words_of
from .source import tables_of

if TYPE_CHECKING:
    from casegen.schemas import Case, Question

_LONGEST = 60  # characters of the words by which an answer names what it is about
_MOST_TITLES = 6  # of codes below what is open: they name its parts
_CASES = 1_024
# Words that name no condition, part of the body or service by themselves. The first row are
# the words of the topics.
_COMMON = """side laterality left right bilateral both unilateral initial subsequent active
    treatment treat treated treating further then yet phase healing heal healed follow up
    followup aftercare routine
    unspecified specified other elsewhere classified type part parts site current present
    patient visit encounter office care seen saw today day date time week month year history
    problem condition disease disorder diagnosis injury affected involved concern body document
    documented record note doctor state clarify confirm tell know question still given give
    first second one two three man woman boy girl male female mr mrs ms now done made check
    examined examination including include included without not due same each ongoing over"""
# What lies in a part of the body, by the word that asks for it.
_WITHIN = {
    "arm": "arm shoulder humerus elbow forearm radius ulna radial wrist biceps triceps",
    "leg": "leg thigh femur knee calf tibia fibula malleolus ankle patella",
    "hand": "hand wrist finger thumb palm metacarpal carpal",
    "foot": "foot toe heel metatarsal tarsal calcaneus",
    "eye": "eye cataract glaucoma retina retinal cornea corneal lens iris macular eyelid vitreous",
    "ear": "ear otitis hearing tympanic eardrum mastoid cochlea",
    "kidney": "kidney renal ureter nephritis hydronephrosis ureteropelvic pyelonephritis",
    "lung": "lung pulmonary bronchus pleural",
    "breast": "breast nipple mammary",
    "hip": "hip femur acetabulum",
    "wrist": "wrist carpal radius",
}
# Of these a visit is one, or isn't; no phase of care is meant.
_NEW = re.compile(r"\b(?:new|established) patients?\b")
_BY_NATURE = frozenset(map(stem, ("injury", "treatment", "treated", "wound", "active")))


class Other(NamedTuple):
    """What else can be named: all ``stems`` by which it is told of, and those ``apart`` from
    sentences that also tell of what is open."""

    apart: frozenset[str]
    stems: frozenset[str]
    visit: bool


class Words(NamedTuple):
    """The stems that name a fact: ``own`` by its words in the note and its official wording,
    ``wide`` also by what ICD-10-CM says over and below it. ``others`` name what else stands in
    the note or on the claim, each by itself."""

    own: frozenset[str]
    wide: frozenset[str]
    others: tuple[Other, ...]


def subject(case: Case, question: Question) -> str:
    """The words by which the note names the open fact: those that tell neither side nor phase
    before others, and not too many."""
    for fact in case.record:
        if fact.id == question.fact:
            told = [span.text for span in fact.spans] or [fact.term]
            plain = [text for text in told if not _telling(text)]
            return shorten((plain or told)[0], _LONGEST, placeholder="...")
    return ""


@lru_cache(maxsize=4_096)
def _telling(text: str) -> bool:
    return any(word.stem in _topical() for word in words_of(text))


@lru_cache(maxsize=1)
def _topical() -> frozenset[str]:
    told = "side left right bilateral initial subsequent active treatment phase healing aftercare"
    return frozenset(map(stem, told.split()))


def without_quotes(text: str, case: Case, questions: Sequence[Question]) -> str:
    """A question without the note's own words of what is open: who quotes "aftercare of a burn"
    and asks for the side doesn't ask for the phase."""
    small = text.casefold()
    for one in questions:
        for fact in case.record:
            for span in fact.spans if fact.id == one.fact else ():
                if span.text.casefold() in small:
                    text = re.sub(re.escape(span.text), "problem", text, flags=re.IGNORECASE)
    return text


def words_for(case: Case, question: Question) -> Words:
    """The words of an open fact and of all else that a question could name."""
    facts = tuple(
        [
            (tuple([span.text for span in fact.spans]), fact.id)
            for fact in case.record
            if fact.kind == "problem"
        ]
    )
    lines = tuple([(line.code, line.system, line.description) for line in case.claim])
    term = next((fact.term for fact in case.record if fact.id == question.fact), "")
    return _words(facts, lines, question.fact, term, case.tables.name, case.tables.digest)


def asks_of_other(text: str, words: Words, topic: str) -> bool:
    """Whether a question names another condition, part of the body or service, and not the open
    one. What the two share names neither."""
    asked = content(text)
    named = asked & words.wide
    # Each phase is one of an injury and its treatment, whichever that is; a visit isn't.
    by_nature = topic == "phase" and not _BY_NATURE.isdisjoint(w.stem for w in words_of(text))
    if topic == "phase" and not named and not by_nature and _NEW.search(text.lower()):
        return True
    return any(
        (asked & one.apart) - words.own and not named - one.stems and not (one.visit and by_nature)
        for one in words.others
    )


def names(text: str, words: Words) -> bool:
    """Whether a question names the open fact."""
    return bool(content(text) & words.wide)


@lru_cache(maxsize=16_384)
def content(text: str) -> frozenset[str]:
    """The stems of a text that can name something."""
    return frozenset(word.stem for word in words_of(text)) - _common()


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    return frozenset(map(stem, _COMMON.split()))


@lru_cache(maxsize=1)
def _wholes() -> dict[str, frozenset[str]]:
    return {stem(whole): frozenset(map(stem, parts.split())) for whole, parts in _WITHIN.items()}


def _with_wholes(stems: frozenset[str]) -> frozenset[str]:
    """With the larger parts of the body in which a named one lies."""
    return stems | {whole for whole, parts in _wholes().items() if stems & parts}


_Told = tuple[tuple[str, ...], str]


@lru_cache(maxsize=_CASES)
def _words(
    facts: tuple[_Told, ...],
    lines: tuple[tuple[str, str, str], ...],
    open_id: str,
    term: str,
    name: str,
    digest: str,
) -> Words:
    tables = tables_of(name, digest)[0]
    spans = next((told for told, fact_id in facts if fact_id == open_id), ())
    own = content(term).union(*map(content, spans))
    codes = tables.resolve(term, {}) if term else ()
    categories = dict.fromkeys(code[:3] for code in codes)
    above = [tables.title(head) for head in (*categories, *codes[:_MOST_TITLES])]
    others: dict[Other, None] = {}
    for told, fact_id in facts:
        if fact_id != open_id:
            others[_told_of(told, spans)] = None
    for code, system, description in lines:
        if system != ICD or canonical(code)[:3] not in categories:
            stems = _stems(description)
            others[Other(stems, stems, system != ICD and "visit" in description)] = None
    elsewhere = frozenset().union(*(one.apart for one in others))
    wide = own | ((_with_wholes(own) | frozenset().union(*map(content, above))) - elsewhere)
    return Words(own, wide, tuple(others))


def _told_of(told: tuple[str, ...], spans: tuple[str, ...]) -> Other:
    """Another problem by the note's words alone: its official wording could be an answer."""
    apart = [_stems(text) for text in told if not _holds(text, spans)]
    return Other(frozenset().union(*apart), frozenset().union(*map(_stems, told)), False)


@lru_cache(maxsize=16_384)
def _stems(text: str) -> frozenset[str]:
    return _with_wholes(content(text))


def _holds(text: str, spans: tuple[str, ...]) -> bool:
    held = content(text)
    return any(content(span) <= held for span in spans)
