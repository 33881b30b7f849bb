"""Words of notes and titles of the tabular list, reduced so that they can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """A wording as sets of reduced words.

    ``positive`` words are said; ``denied`` holds the denied things, each a set of words
    ("without perforation or abscess" -> {perforation}, {abscess}), ``negative`` all their
    words. ``head`` holds the positive words before the first "due to", "with", "in" ...,
    which is ``opener``; ``joined`` the neighbours of "and", "or" and listing commas, and
    ``before`` the positive words in front of the first of them.
    ``fragment``: the wording starts with a preposition ("in diabetes") and only completes
    another.
    """

    positive: frozenset[str]
    negative: frozenset[str]
    denied: tuple[frozenset[str], ...]
    head: frozenset[str]
    opener: str
    joined: tuple[tuple[str, str], ...]
    before: frozenset[str]
    fragment: bool


# Titles with one of these aren't a kind of the disease that they name.
STATUS_WORDS = frozenset(
    "history encounter screening sequela carrier exposure contact suspected observation "
    "resistance underdosing poisoning adverse absence aftercare presence donor counseling "
    "vaccination immunization".split()
)

# Words that only qualify: alone they complete the condition that the note stands on.
QUALIFIERS = frozenset(
    "acute chronic subacute congenital acquired traumatic nontraumatic psychogenic "
    "postprocedural postoperative newborn obstetric obstetrical puerperal hereditary familial "
    "secondary primary gonococcal tuberculous syphilitic meningococcal amebic influenzal viral "
    "bacterial senile neurogenic specified unspecified other recurrent juvenile infantile "
    "idiopathic drug alcohol pulmonary cerebral coronary portal mesenteric upper lower".split()
)

# Opposites: a note that says the first never means a title that only says the second.
_PAIRS = (
    ("acute", "chronic"),
    ("open", "closed"),
    ("congenital", "acquired"),
    ("traumatic", "nontraumatic"),
    ("male", "female"),
    ("benign", "malignant"),
)
OPPOSITES = _PAIRS + tuple((b, a) for a, b in _PAIRS)

_SYNONYMS = {
    "hemorrhage": "bleeding",
    "hemorrhagic": "bleeding",
    "diabetic": "diabetes",
    "neonatal": "newborn",
    "nos": "unspecified",
    "sequelae": "sequela",
    "retardation": "disability",
}
# A word that says another as well: ketoacidosis is an acidosis, not the other way round.
_ALSO = {"ketoacidosis": "acidosis"}

_FILLERS = frozenset(
    "the a an of in on by to for at as due is are and or with without any from into during "
    "complicating following causing associated resulting mellitus than through".split()
)
_OPENS_TAIL = frozenset(
    "in due with complicating following causing associated resulting from during".split()
)
_FRAGMENTS = frozenset("in due with without following as from complicating by during".split())
_NEGATES = frozenset("without not no except excluding nor never".split())

_ENCLOSED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_IDLE = re.compile(
    r",?\s*\bnot elsewhere classified\b|,?\s*\bnec\b|\bclassified elsewhere\b"
    r"|\bnot specified as\b[^,]*|\b(?:initial|subsequent) encounter\b",
)
_EITHER = re.compile(r"\b(?:with or without|with/without|with and without)\b[^,]*")
_TOKEN = re.compile(r"and/or|[^\W_]+|[,;/]")


def _reduce(word: str) -> str:
    word = _SYNONYMS.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and word[-2] not in "siu":
        word = word[:-1]
    return _SYNONYMS.get(word, word)


def _of_the_whole(tokens: list[str], at: int) -> bool:
    """Whether "unspecified" says that of the whole condition ("Anemia, unspecified"), not of a
    side or trimester ("unspecified hand")."""
    if at == 0 or at == len(tokens) - 1:
        return True
    return tokens[at - 1] == "," and tokens[at + 1] in (",", "with", "without", "organism")


def phrase(text: str) -> Phrase:
    """Reduce a wording. What stands in parentheses is optional in the classification
    (nonessential modifiers, guideline I.A.7) and what stands in brackets repeats in
    other words, so neither counts."""
    low = _ENCLOSED.sub(" ", text.lower()).replace("'s", "").replace("\u2019s", "")
    low = _EITHER.sub(" ", _IDLE.sub(" ", low)).replace("other than", "except")
    low = low.replace("associated with", "associated").replace("without mention of", "without")
    tokens = _TOKEN.findall(low)
    commas_join = "and" in tokens or "or" in tokens or "and/or" in tokens
    positive: set[str] = set()
    denied: list[set[str]] = []
    head: set[str] = set()
    joined: list[tuple[str, str]] = []
    before: frozenset[str] | None = None
    denies = once = False
    opener = last = join = ""
    for at, token in enumerate(tokens):
        if token in (",", ";"):
            denies = False
            join = join or (last if commas_join else "")
            continue
        if token in ("and", "or", "and/or", "/"):
            join = join or last
            if denies:
                denied.append(set())
            continue
        if token in _NEGATES or token == "non":
            denies, once = token != "non", token == "non"
            denied.append(set())
            opener = opener or "without"
            continue
        if token == "with":
            denies = False
        if token in _OPENS_TAIL:
            opener = opener or token
        if token in _FILLERS:
            continue
        word = _reduce(token)
        if word == "unspecified" and not _of_the_whole(tokens, at):
            continue
        if join:
            if not denies:
                joined.append((join, word))
                before = frozenset(positive - {join}) if before is None else before
            join = ""
        last = word
        if denies or once:
            once = False
            denied[-1].add(word)
            continue
        said = {word, _ALSO.get(word, word)}
        positive |= said
        if not opener:
            head |= said
    return Phrase(
        frozenset(positive),
        frozenset().union(*denied),
        tuple(frozenset(one) for one in denied if one),
        frozenset(head),
        opener,
        tuple(joined),
        before or frozenset(),
        bool(tokens) and tokens[0] in _FRAGMENTS,
    )
