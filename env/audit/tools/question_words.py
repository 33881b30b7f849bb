"""Reads a question: its sentences, their clauses, and the stems of their words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

# Never keywords, and never counted.
STOP = frozenset(
    """a an the this that these those is are was were be been being am do does did has have had
    what which who whom whose when where why how whether if of in on at to for from by with as it
    its he his him she her hers they their them you your i me my we our us or and but not no yes
    so than then there here can could would should will shall may might must please any some s t
    re ve ll d m o""".split()
)
# A sentence with one of these asks, also without a question mark.
_ASKS = frozenset(
    """what which who whom whose when where why how whether clarify specify confirm tell state
    document indicate say describe provide verify please""".split()
)
# ... and one that begins with one of these.
_VERBS = frozenset(
    """is are was were do does did has have had can could would should will may might am isn wasn
    aren weren doesn don didn hasn haven""".split()
)
# A clause that begins with one of these tells which injury, visit or time is meant.
_ASIDE = frozenset(
    """at during for after since given considering because although while before as with
    without""".split()
)
_SENTENCES = re.compile(r"[?!;\n]+|\.(?=\s|$)")
_CLAUSES = re.compile(
    r"[,:()/|&+]|\s[-–—]+\s|\b(?:and|also|plus|as well as|along with|then|but)\b"
    r"|\b(?=(?:at|during) (?:this|that|the|his|her|their|today)\b)"
    r"|\b(?=(?:for|after|since|because of|given) (?:this|that|the|his|her|their|a|an)\b)"
)
_WORD = re.compile(r"[a-z0-9]+")
_BLANKS = re.compile(r"[^\S\n]+")
_FOLLOW_UP = re.compile(r"\bfollow(?:ed|ing)?[\s-]*ups?\b")
# Idioms in which left and right are no sides.
_IDIOMS = re.compile(
    r"\bleft (?:out|over|off|behind|blank|open|unclear|untreated|unsaid|the)\b"
    r"|\b(?:was|is|are|were|been|be|you|he|she|they|note|chart) left"
    r" (?=(?:it|this|that|undocumented|unspecified)\b)"
    r"|\b(?:all|codes?|coding|diagnosis|claim|note) right\b"
    r"|\bright (?:now|away|after|before|that|codes?|diagnosis|answer|thing|way)\b"
    r"|\b(?:am i|is (?:it|this|that)) right(?= that| in|\s*\?)"
    r"|,\s*right(?=\s*(?:\?|$))"
)
_WHICH = re.compile(r"\b(?:which|what) (\w+)(?: (\w+))?")
# With these left and right are sides, whatever stands behind them.
_SIDES = re.compile(
    r"\b(?:sides?|sided(?:ness)?|laterality|bilateral(?:ly)?|unilateral(?:ly)?|both)\b"
    r"|\bleft\b.*\bright\b|\bright\b.*\bleft\b",
    re.DOTALL,
)
_SIDE = re.compile(r"((?:\b(?:on|to) (?:the|his|her|their) )?)\b(left|right)\b(?=\W+(\w+))?")
# "left-sided" describes; it doesn't ask for a side.
_SIDED = re.compile(r"\b(left|right|one|both|two)[\s-]+sided(?:ness)?\b")


class Word(NamedTuple):
    text: str
    stem: str


class Clause(NamedTuple):
    """``aside``: it begins like what only tells which injury or visit is meant."""

    words: tuple[Word, ...]
    aside: bool


class Sentence(NamedTuple):
    clauses: tuple[Clause, ...]
    asks: bool


def read(question: str, named: frozenset[str] = frozenset()) -> list[Sentence]:
    """The sentences of a question, those without a word left out.

    ``named`` are stems of what the question may be about: "which ear" asks for a side, and
    "the right ear" tells one, where the ear is among them.
    """
    text = _IDIOMS.sub(" ", _plain(question))
    text = _WHICH.sub(lambda found: _asked_side(found, named), text)
    if not _SIDES.search(text):
        text = _SIDE.sub(lambda found: _told_side(found, named), text)
    text = _SIDED.sub(r"\1", text)
    found = []
    start = 0
    for end in _SENTENCES.finditer(text):
        found.append(_sentence(text[start : end.start()], "?" in end.group()))
        start = end.end()
    found.append(_sentence(text[start:], False))
    return [sentence for sentence in found if sentence.clauses]


def _asked_side(found: re.Match[str], named: frozenset[str]) -> str:
    """ "which ear" with the word that it means."""
    said = [stem(word) for word in (found[1], found[2]) if word]
    asks = any(one in _PARTS and one in named for one in said)
    return f"side {found[0]}" if asks else found[0]


def _told_side(found: re.Match[str], named: frozenset[str]) -> str:
    """ "right" where it stands before a part of the body or what is open, or behind "on the"."""
    what = stem(found[3] or "")
    return found[0] if found[1] or what in _PARTS or what in named else " "


def words_of(text: str) -> tuple[Word, ...]:
    """The words that count, with their stems."""
    return tuple(Word(word, stem(word)) for word in _WORD.findall(_plain(text)) if word not in STOP)


def _plain(text: str) -> str:
    """In small letters, without accents of typesetting, hidden characters and the n't of verbs."""
    plain = text.casefold()
    if not text.isascii():
        plain = unicodedata.normalize("NFKC", plain).casefold()
        plain = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    plain = _BLANKS.sub(" ", plain.replace("’", "'").replace("n't", " not"))
    # One word or two, with or without a hyphen: followup is follow-up.
    return _FOLLOW_UP.sub("follow up", plain) if "follow" in plain else plain


def _sentence(text: str, marked: bool) -> Sentence:
    clauses = []
    all_words = _WORD.findall(text)
    for part in _CLAUSES.split(text):
        words = words_of(part)
        if words:
            heads = _WORD.findall(part)
            aside = heads[0] in _ASIDE and "or" not in heads and _ASKS.isdisjoint(heads)
            clauses.append(Clause(words, aside))
    if not all_words:
        return Sentence((), False)
    asks = not _ASKS.isdisjoint(all_words) or all_words[0] in _VERBS or "or" in all_words
    return Sentence(tuple(clauses), marked or asks)


@lru_cache(maxsize=4_096)
def stem(word: str) -> str:
    """A word without the endings of plurals, verbs and adverbs: sides, sided and side agree."""
    for ending, put, least in _endings().get(word[-1:], ()):
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: len(word) - len(ending)] + put
            break
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsaeiou":
        word = word[:-1]
    return word


@lru_cache(maxsize=1)
def _endings() -> dict[str, list[tuple[str, str, int]]]:
    """By their last letter."""
    found: dict[str, list[tuple[str, str, int]]] = {}
    for row in _ENDINGS:
        found.setdefault(row[0][-1], []).append(row)
    return found


# The longest first; ``least`` letters must remain before the ending.
_ENDINGS = (
    ("ations", "", 4), ("ation", "", 4), ("ments", "", 4), ("ment", "", 4), ("ities", "ity", 3),
    ("iness", "y", 3), ("ness", "", 4), ("ingly", "", 4), ("ings", "", 3), ("edly", "", 3),
    ("ies", "y", 2), ("ing", "", 3), ("ally", "al", 3), ("ely", "", 3), ("ly", "", 4),
    ("sses", "ss", 2), ("shes", "sh", 2), ("ches", "ch", 2), ("xes", "x", 2), ("ed", "", 3),
    ("ss", "ss", 1), ("us", "us", 1), ("is", "is", 1), ("s", "", 3),
)  # fmt: skip

_PARTS = frozenset(
    map(
        stem,
        """eye ear knee hip wrist shoulder elbow ankle foot feet hand finger thumb toe breast
        kidney lung leg arm forearm thigh calf heel clavicle collarbone femur tibia fibula
        humerus radius ulna rib ovary testis testicle eyelid cheek jaw ureter groin limb flank
        palm buttock scapula patella upper lower""".split(),
    )
)
