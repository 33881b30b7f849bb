"""What an honest reader makes of an excerpt: which of the allowed codes it calls for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from casegen.schemas.coding_play import CodingObservation

from .mentions import Excerpt, Mention, Sentence, excerpt_of, sides_of
from .rivals import combined, first_of, one_of_each, without_integral
from .titles import Title, title_of

# Shares of a title's words that a sentence must hold to speak of it, and what a word is worth
# that the excerpt lacks.
LEAST, _MISSING = 0.6, 1.5
# Why a code that the excerpt speaks of is not taken.
RULED, OVER, NOT_OVER = "it is ruled out", "it is over", "it is not over"
UNSURE = "it is uncertain, and this is no inpatient stay that a facility bills"
INTEGRAL = "it belongs to an established diagnosis"
# Turns of phrase by which a chart leaves a coding question to others.
REVIEW = re.compile(
    r"\boutstanding\b|(?<!or )\bpending\b|\bawait|\bunresolved\b|\bundecided\b|\bdisagree"
    r"|\bcontradict(?:s|ory|ion)|\b(?:entries|notes|statements) conflict|\bopinions\b.*\bdiffer"
    r"|(?:^|[;,:] )whether\b|\bin dispute\b|\bnot agreed on\b|\bin question\b|\bleft open\b"
    r"|\b(?:is to|has to|must) be excluded\b|\bquestion (?:to the attending )?is out\b"
    r"|\byet to (?:say|decide|be asked|be told)\b|\bto be clarified\b"
    r"|\bha(?:s|ve) not (?:said|spoken|decided|been (?:reached|asked)|given an opinion)\b"
    r"|\bis for the \w+ to say\b|\bthe cause is open\b|\b(?:stays|remains) open\b"
    r"|\bnot (?:yet )?(?:back|reported|cleared up|corrected|resolved)\b|\bneither was corrected\b"
    r"|\bwork-up is half done\b|\bstill to be done\b|\bno diagnosis stands\b|\bnobody has\b"
    r"|\bcan't be told from\b|\bnot to be found\b|\bleft out of\b"
    r"|\banswer is not there\b|\bno letter (?:\w+ )*tells\b|\bis so until\b"
    r"|\bhas not come\b(?! back)"
    r"|\bboth (?:stand|entries)\b|\bone (?:entry|physician|note)\b.*\b(?:an)?other\b",
    re.I,
)
# Turns of phrase that settle what the same sentence leaves open.
_SETTLED = re.compile(
    r"\bit is(?: not)? there\b|\b(?:is back|has come)\b(?! with it or| in without| and excludes no)"
    r"|\bnow (?:it has|an image)\b|\bhas (?:said|settled|answered) (?!neither)|\bhave answered\b"
    r"|\bhas settled\b|\bsays th(?:e|at)\b|\bbears it out\b|\bas (?:told|it stands) here\b"
    r"|\brules? it out\b|\bit is against\b|\bagainst it\b|\bwithout it\.|\bis clear of it\b"
    r"|\bis not, for\b|\bdoes say\b|\bit does not\.|\bnot (?:present|to be there|shown it)\b"
    r"|\byes to the one\b|\bother gave way\b|\bwas changed and withdrawn\b|\blatter was, and\b"
    r"|\bletter was withdrawn\b|\bit is over\b|\bit goes on\.|\bthat it goes on\b|: treatment\."
    r"|\bis under treatment\.|\btreats it\.|\bnor is there doubt\b|\bhas been ruled out\b"
    r"|\bis excluded\b|\bit is\.|\bcleared up, as\b|\bone (?:that|was)\b.*\bwas corrected\.",
    re.I,
)
_NO_REVIEW = re.compile(
    r"\b(?:nothing|no one|none|not|never|without) (?:\w+ )?(?:contradict|conflict)"
    r"|\bno question was left open\b",
    re.I,
)


@dataclass(slots=True)
class Choice:
    """A code that the agent believes in: the sentence for it, how well that fits, and the words
    by which the excerpt speaks of it."""

    title: Title
    sentence: Sentence
    worth: float
    words: frozenset[str]

    @property
    def code(self) -> str:
        return self.title.code


class Passed(NamedTuple):
    """Why a code that the excerpt speaks of was not taken, and the sentence that says so."""

    why: str
    sentence: Sentence


@dataclass(slots=True)
class Judgment:
    """The codes in their order, the flag, and what was passed over with the reason why."""

    codes: list[Choice]
    review: Sentence | None
    passed: dict[str, Passed] = field(default_factory=dict)

    @property
    def primary(self) -> str:
        return self.codes[0].code if self.codes else ""

    @property
    def secondary(self) -> list[str]:
        return [one.code for one in self.codes[1:]]


def judge(seen: CodingObservation) -> Judgment:
    """The codes that the excerpt calls for, as far as plain rules go."""
    excerpt = excerpt_of(seen.encounter_text)
    titles = [title_of(code, title) for code, title in seen.code_titles.items()]
    passed: dict[str, Passed] = {}
    found = [one for title in titles if (one := _choice(excerpt, title, passed)) is not None]
    found = one_of_each(found)
    found = combined(found, titles)
    found, symptoms = without_integral(found)
    passed |= {one.code: Passed(INTEGRAL, one.sentence) for one in symptoms}
    found = first_of(found, excerpt)
    return Judgment(found, review_of(excerpt), passed)


def review_of(excerpt: Excerpt) -> Sentence | None:
    """The sentence that leaves the coding open, if one does."""
    for one in excerpt.sentences:
        if REVIEW.search(_NO_REVIEW.sub("", one.text)) and not _SETTLED.search(one.text):
            return one
    return None


def _choice(excerpt: Excerpt, title: Title, passed: dict[str, Passed]) -> Choice | None:
    """The code, if the excerpt states it."""
    if title.drugs:
        return _use(excerpt, title)
    worth, mentions = _worth(excerpt, title)
    if not mentions or worth <= 0:
        return None
    for one in mentions:
        why = _against(excerpt, title, one.sentence)
        if why is None:
            return Choice(title, one.sentence, worth, title.words)
        passed[title.code] = Passed(why, one.sentence)
    return None


def _use(excerpt: Excerpt, title: Title) -> Choice | None:
    for one in excerpt.sentences:
        if title.drugs & (one.words - one.denied):
            return Choice(title, one, 1.0, title.drugs)
    return None


def _worth(excerpt: Excerpt, title: Title) -> tuple[float, list[Mention]]:
    """What the words of a title are worth, and the sentences that speak of its first part."""
    held = missing = 0.0
    mentions: list[Mention] = []
    for number, part in enumerate(title.parts):
        found = excerpt.mentions(part, LEAST if number == 0 else 0.34)
        if number == 0:
            if not found:
                return 0.0, []
            most = found[0].held
            mentions = [one for one in found if one.held == most] + found
        held += found[0].held if found else 0
        missing += len(part) - (found[0].held if found else 0)
    worth = held - _MISSING * missing
    if any(excerpt.holds(word) for word in title.absent):
        worth -= 1
    elif title.absent:
        worth += 0.5
    if title.other:
        worth -= 0.5
    return worth + _fit(title, mentions), mentions


def _fit(title: Title, mentions: Iterable[Mention]) -> float:
    """How well the side and the phase of care of a title fit the sentences about it."""
    fit = 0.0
    sides = frozenset[str]().union(*(sides_of(one.sentence) for one in mentions))
    if title.side:
        fit += 2.0 if title.side in sides and len(sides) == 1 else -3.0 if sides else -1.0
    text = " ".join(one.sentence.text.lower() for one in mentions)
    if title.seventh:
        fit += _phase(title.seventh, text)
    return fit


_HEALING = re.compile(
    r"\bheal|\baftercare\b|\bfollow-?up\b|\brecover|\bmend|\bcast (?:is )?off\b|\bunit(?:ed|ing)\b"
)
_ACTIVE = re.compile(
    r"\bactive(?:ly)?\b|\bfirst (?:and active )?(?:care|treatment|time)\b|\bnew\b"
    r"|\bno treatment before\b"
)


def _phase(seventh: str, text: str) -> float:
    healing, active = bool(_HEALING.search(text)), bool(_ACTIVE.search(text))
    fit = 0.0
    if "initial" in seventh:
        fit += 1.0 if active or not healing else -1.0
    elif "subsequent" in seventh:
        fit += 1.0 if healing and not active else -1.0
    else:
        fit += 1.0 if "sequela" in text or "late effect" in text else -2.0
    if "open fracture" in seventh:
        fit += 0.5 if re.search(r"\bopen\b", text) else -1.0
    for word in ("delayed", "nonunion", "malunion"):
        if word in seventh:
            fit += 1.0 if word in text else -1.0
    return fit


def _against(excerpt: Excerpt, title: Title, sentence: Sentence) -> str | None:
    """Why a sentence about a condition does not make it one to code."""
    if sentence.ruled_out:
        return RULED
    if title.past:
        return None if sentence.past or title.code[0] == "Z" else NOT_OVER
    if sentence.past:
        return OVER
    if sentence.uncertain and not excerpt.stay:
        return UNSURE
    return None
