"""Reading the notes of the tabular list: which codes a note names, and whom its words reach.

Everything here is pure: text in, values out. The notes are prose with many habits, so the
reading errs to one side on purpose: ``reach`` says ``certain`` or ``no`` only where the words
prove it, and ``conditional`` everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .codes import stem
from .note_words import OPPOSITES, QUALIFIERS, STATUS_WORDS, Phrase, phrase

Reach = Literal["certain", "conditional", "no"]


@dataclass(frozen=True, slots=True)
class Reference:
    """Codes that a note names; stems without dots.

    ``first`` alone is one code with all below it; with ``last`` it's the range from ``first``
    up to and with all below ``last``. ``seventh`` lists the seventh characters to which the
    note is limited ("S02.- with 7th character B"). ``residue`` is a regular expression that a
    full stem must match from its start ("E08-E13 with .21" -> ``.{3}21``).
    """

    first: str
    last: str | None = None
    seventh: str | None = None
    residue: str | None = None


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """One line of a note. ``words`` is the text without its references; ``lead`` the line
    ending in a colon under which it may stand, or ""."""

    text: str
    words: str
    references: tuple[Reference, ...]
    lead: str = ""


_CODE = r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?\.?-?"
_SPAN = rf"({_CODE})(?:\s*(?:-|\bto\b)\s*({_CODE}))?(?![0-9A-Z])"
_ITEM = re.compile(_SPAN, re.ASCII)
_FREE = re.compile(rf"(?<![\w.-]){_SPAN}", re.ASCII)
_GAP = re.compile(r"[\s,;]*(?:(?:and|or)\b)?[\s,;]*")
_GROUP = re.compile(r"\(([^()]*)(?:\)|\}|$)")
_LIMIT = re.compile(r",?\s*with\s+(.+)$")
# Codes that describe instead of naming: a vitamin, "tuberculosis, any type in A15 (J65)"
# (only beside a reference in parentheses), and codes under the note ("for codes G31.0-...").
_NO_CODE = re.compile(r"\bvitamin\s+B12\b|\bfor codes\b[^:]*", re.IGNORECASE)

_ORDINAL = r"(5th|fifth|6th|sixth|7th|seventh)"
_AT = re.compile(rf"^{_ORDINAL}[\s-]+character\s+\.?([0-9A-Z])(?:\s+or\s+([0-9A-Z]))?$")
_FIFTH_TO_SIXTH = re.compile(r"^fifth to sixth characters (\d\d)$")
_INTENT = re.compile(r"^fifth or sixth character (1-4)(?: or (6))?$")
_FINAL = re.compile(r"^final characters? (.+)$")
_SUFFIXES = re.compile(r"^(?:\.\d+-?(?:[\s,.]+|\s+or\s+|-(?=\.))?)+$")
# Seventh characters of open fractures in the categories that tell type I/II from III.
_OPEN_FRACTURE = "BCEFHJMNQR"


def _limit(text: str) -> tuple[str | None, str | None] | None:
    """(seventh, residue) of the words after "with", None where they can't be read."""
    at = _AT.match(text)
    if at:
        chars = at[2] + (at[3] or "")
        place = {"5": 4, "f": 4, "6": 5}.get(at[1][0])
        if at[1] in ("sixth", "6th"):
            place = 5
        elif at[1] in ("seventh", "7th"):
            place = None
        return (chars, None) if place is None else (None, f".{{{place}}}[{chars}]")
    if text == "open fracture 7th character":
        return _OPEN_FRACTURE, None
    both = _FIFTH_TO_SIXTH.match(text)
    if both:
        return None, f".{{4}}{both[1]}"
    intent = _INTENT.match(text)
    if intent:
        # The intent is the last character before the seventh: the sixth, or the fifth where
        # a placeholder fills the sixth.
        chars = f"[1-4{intent[2] or ''}]"
        return None, f".{{4}}(?:{chars}X|[0-9A-Z]{chars})"
    final = _FINAL.match(text)
    if final and re.fullmatch(r"-\d+", final[1]):
        return None, f".*{final[1][1:]}$"
    body = final[1] if final else text
    if _SUFFIXES.match(body):
        return None, ".{3}(?:" + "|".join(re.findall(r"\.(\d+)", body)) + ")"
    return None


def _reference(first: str, last: str | None) -> Reference:
    low = stem(first).rstrip("-")
    high = stem(last).rstrip("-") if last else None
    return Reference(low, high if high != low else None)


def _listed(text: str) -> tuple[Reference, ...]:
    """References of a text that is nothing but a list of them; () for any other text."""
    limit = _LIMIT.search(text)
    seventh = residue = None
    if limit:
        read = _limit(limit[1].strip())
        if read is None:
            return ()
        seventh, residue = read
        text = text[: limit.start()]
    found: list[Reference] = []
    at = _GAP.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        item = _ITEM.match(text, at)
        if not item:
            return ()
        one = _reference(item[1], item[2])
        found.append(Reference(one.first, one.last, seventh, residue))
        gap = _GAP.match(text, item.end())
        end = gap.end() if gap else item.end()
        if end == item.end() and end < len(text):
            return ()
        at = end
    return tuple(found)


def _free(text: str) -> tuple[tuple[Reference, ...], str]:
    """References that stand in running text, and the text without them."""
    masked = _NO_CODE.sub(lambda m: "\0" * len(m[0]), text)
    found: list[Reference] = []
    keep: list[str] = []
    at = 0
    for item in _FREE.finditer(masked):
        one = _reference(item[1], item[2])
        keep.append(text[at : item.start()])
        at = item.end()
        # "C91.0-C95.9 with 5th character 1": the limit ends the text.
        limit = _LIMIT.fullmatch(text[at:].rstrip())
        read = _limit(limit[1].strip()) if limit else None
        if read:
            found.append(Reference(one.first, one.last, *read))
            at = len(text)
        else:
            found.append(one)
    keep.append(text[at:])
    return tuple(found), " ".join(keep)


_POINTER = re.compile(
    r"\s*-?\s*\bsee (?:sub)?categor(?:y|ies)\b|\bany type in A15\b"
    r"|,?\s*(?:\bas\s+)?\b(?:classified|classifiable|specified) (?:to|in)\b"
    r"(?:\s*(?:(?:sub)?categor(?:y|ies)|and|to)\b|\s*,)*\s*(?=$|code\b)"
)
# One of these stands in all that the expression above matches.
_POINTING = ("see", "any type in A15", "classifi", "specified")
_LOOSE_COMMAS = re.compile(r"(?:\s*,)+(?=\s*(?:,|$|with\b))")
_INSTRUCTION = re.compile(
    r"\s*-\s*(?:see\b|code\b|omit\b).*$|(?:,|\s)\s*code to\b.*$", re.IGNORECASE
)


def _words(text: str) -> str:
    if any(word in text for word in _POINTING):
        text = _POINTER.sub(" ", text)
    if "-" in text or "code to" in text.lower():
        text = _INSTRUCTION.sub("", text)
    if "," in text:
        text = _LOOSE_COMMAS.sub(" ", text)
    return " ".join(text.split()).replace(" ,", ",").strip(" -,;")


def parse_note(text: str, lead: str = "") -> ParsedNote:
    """Read one line of a note.

    References stand in parentheses ("(M80.-, M84.4-)", "(S02.- with 7th character B)") or
    bare ("see categories E08-E10, E11, E13"). Text without any has ``references == ()``:
    lead-ins ("meningitis (in):") and instructions ("code to infection"). ``lead`` is the
    lead-in above the line, see ``parse_notes``.
    """
    text = " ".join(text.split())
    found: list[Reference] = []

    def take(group: re.Match[str]) -> str:
        listed = _listed(group[1])
        found.extend(listed)
        return " " if listed else group[0]

    rest = _GROUP.sub(take, text)
    if not found:
        free, rest = _free(rest)
        found.extend(free)
    return ParsedNote(text, _words(rest), tuple(found), lead)


def parse_notes(texts: Sequence[str]) -> tuple[ParsedNote, ...]:
    """Read the lines of one list (all Excludes1 lines of one code, say).

    The list is flat in the source: a line that ends in a colon governs lines after it, and
    nothing marks where it stops. So every later line gets it as ``lead``, up to the next
    lead-in; ``reach`` is careful with such lines.
    """
    lead = ""
    notes: list[ParsedNote] = []
    for text in texts:
        note = parse_note(text, lead)
        if not note.references and note.text.endswith(":"):
            lead = note.text[:-1].strip()
            note = ParsedNote(note.text, note.words, ())
        notes.append(note)
    return tuple(notes)


# Categories whose third character is a letter, and the category that they follow in the
# list. Plain comparison would put C4A behind C49; "C43-C44" means C43, C4A and C44.
_FOLLOWS = {
    "C4A": "C43",
    "C7A": "C75",
    "C7B": "C75",
    "D3A": "D36",
    "I1A": "I16",
    "I5A": "I52",
    "J4A": "J44",
    "M1A": "M08",
    "O9A": "O99",
    "QA0": "Q99",
    "Z3A": "Z36",
}


def place(code_stem: str) -> tuple[str, str, str]:
    """Sort key of a stem in the order of the tabular list."""
    category = code_stem[:3]
    if category.startswith("U"):
        return "~" + category, "", code_stem[3:]  # chapter 22 closes the list
    before = _FOLLOWS.get(category)
    return (before, category, code_stem[3:]) if before else (category, "", code_stem[3:])


def covers(reference: Reference, code_stem: str) -> bool:
    """Whether ``reference`` names the code with this full stem (``S02122B``), by its number
    alone: "E87.2-" covers E87.2 and all below, "J00-J22" all from J00 to the end of J22."""
    if reference.last is None:
        if not code_stem.startswith(reference.first):
            return False
    else:
        here = place(code_stem)
        if here < place(reference.first):
            return False
        if here > place(reference.last) and not code_stem.startswith(reference.last):
            return False
    if reference.seventh is not None and (
        len(code_stem) != 7 or code_stem[6] not in reference.seventh
    ):
        return False
    return reference.residue is None or re.match(reference.residue, code_stem) is not None


_phrase = lru_cache(maxsize=2048)(phrase)


def reach(note: ParsedNote, titles: Sequence[str]) -> Reach:
    """Whether the words of ``note`` describe the target code wholly, perhaps, or not at all.

    ``titles`` are official titles only: the target's full title first, then those of its
    ancestors up to the node that the note names (all that lie within the reference). Don't
    add inclusion terms: they may be one example of many (guideline I.A.11), and
    a note on the example doesn't bind the whole code.

    ``certain``: the words equal one of the titles, or every one of their content words
    stands, unnegated as in the note, in the titles: then the target is a kind of what the
    note says. A word that a title offers as one of several ("skull and facial bones";
    "and" means and/or, guideline I.A.14) doesn't count. ``no``: a title denies a word of the
    note ("without bleeding"), or says its opposite. ``conditional``: all else; the
    chart has to decide.
    """
    said = _phrase(note.words)
    target = [_phrase(title) for title in titles]
    if not said.positive or not target:
        return "conditional"
    if _denied(said, target):
        return "no"
    if said.fragment or said.positive <= QUALIFIERS:
        return "conditional"
    if note.lead and not _free_standing(note.lead):
        lead = _phrase(note.lead)
        if not _described(lead, target):
            return "conditional"
    return "certain" if _described(said, target) else "conditional"


def _free_standing(lead: str) -> bool:
    """Lead-ins whose lines are complete by themselves: examples of what the code isn't for
    ("urinary tract infection of specified site, such as:")."""
    return lead.endswith("such as") and ("site" in lead or "underlying conditions" in lead)


def _described(said: Phrase, target: Sequence[Phrase]) -> bool:
    if any(_same(said, one) for one in target):
        return True
    positive: set[str] = set()
    heads: set[str] = set()
    negative: set[str] = set()
    for one in target:
        sure = one.positive
        if not all(a in said.positive and b in said.positive for a, b in one.joined):
            # "neoplasm of bone and cartilage": a neoplasm for sure, of which of the two is open.
            sure = one.before
        positive |= sure
        heads |= one.head & sure
        negative |= one.negative
    if not said.positive <= positive or not said.negative <= negative:
        return False
    if not said.head & heads:
        return False
    # "Family history of X", "sequelae of X" are no kinds of X.
    return not any((one.positive & STATUS_WORDS) - said.positive for one in target)


def _same(said: Phrase, title: Phrase) -> bool:
    if said.negative != title.negative:
        return False
    bare = said.positive - {"unspecified"}
    return said.positive == title.positive or (
        "unspecified" in said.positive and bool(bare) and bare == title.positive
    )


def _denied(said: Phrase, target: Sequence[Phrase]) -> bool:
    positive = frozenset().union(*(one.positive for one in target))
    # One of several that the note lists may be denied without harm to the others.
    listed = {word for pair in said.joined for word in pair}
    for one in target:
        for thing in one.denied:
            if thing <= said.positive and not thing & positive and not thing & listed:
                return True
            if thing == {"complication"} and _complication(said, positive):
                return True
    negative = frozenset().union(*(one.negative for one in target))
    for thing in said.denied:
        if thing <= positive and not thing & (said.positive | negative):
            return True
    own = target[0]
    return any(
        a in said.positive
        and b not in said.positive
        and b in own.positive
        and said.positive - positive == {a}
        for a, b in OPPOSITES
    )


def _complication(said: Phrase, positive: frozenset[str]) -> bool:
    """Whether the note means a complication of the disease that ``positive`` names: "coma in
    diabetes", "shock complicating abortion", "diabetic acidosis with ketoacidosis"."""
    tail = said.positive - said.head
    if said.opener == "with":
        return bool(said.head & positive) and bool(tail) and not tail & positive
    if said.opener in ("in", "complicating", "following"):
        return bool(tail & positive) and bool(said.head) and not said.head & positive
    return False
