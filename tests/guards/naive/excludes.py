"""Excludes1 notes, read for their numbers: which codes a note names, own and inherited."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from .tabular import complete_codes, entries, words

CODE = r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?"
# "I05-I09", "P28.3- - P28.4-", "S06.1- to S06.6-"; but "I69.81- I69.91-" names two.
BETWEEN = r"(?:\.?-?\s+-\s*|\.?-?-|\.?-?\s+to\s+)"
NAMED = re.compile(rf"\b({CODE})(?![0-9A-Za-z])(?:{BETWEEN}({CODE})(?![0-9A-Za-z]))?")
BRACKETS = re.compile(r"\([^()]*\)")
# What may follow the number: "with 7th character B", "with fifth character 2", "with .44",
# "with final characters -23", "with fifth to sixth characters 51".
LETTER = re.compile(r"with (?:7th|seventh) character ([A-Z0-9])\b")
FIFTH = re.compile(r"with (?:5th|fifth)[ -]character \.?(\d)")
FIFTH_SIXTH = re.compile(r"with fifth to sixth characters (\d\d)")
FINAL = re.compile(r"with final characters -(\d+)")
DECIMALS = re.compile(r"with \.(\d+)-?(?:-?\.(\d+))?")
SMALL = frozenset("a an and as at by due for from in not of on or other the to unspecified".split())

Test = Callable[[str], bool]


def _narrowing(text: str) -> Test:
    tests: list[Test] = []
    if found := LETTER.search(text):
        letter = found[1]
        tests.append(lambda stem: len(stem) == 7 and stem[6] == letter)
    elif "with open fracture 7th character" in text:
        tests.append(lambda stem: "open" in (complete_codes()[stem].seventh or ""))
    if found := FIFTH_SIXTH.search(text):
        both = found[1]
        tests.append(lambda stem: stem[4:6] == both)
    elif found := FIFTH.search(text):
        digit = found[1]
        tests.append(lambda stem: stem[4:5] == digit)
    if found := FINAL.search(text):
        final = found[1]
        tests.append(lambda stem: stem.endswith(final))
    elif found := DECIMALS.search(text):
        first, last = found[1], found[2] or found[1]
        tests.append(lambda stem: first <= stem[3 : 3 + len(first)] <= last)
    return lambda stem: all(test(stem) for test in tests)


@cache
def _spans(note: str) -> tuple[tuple[str, str], ...]:
    """(first, last) beginnings that a note names; equal where it names one code or category."""
    spans = []
    brackets = " ".join(part for part in BRACKETS.findall(note) if NAMED.search(part))
    # Numbers stand in brackets; only where none do, they stand in the sentence.
    for found in NAMED.finditer(brackets or note):
        first = found[1].replace(".", "")
        last = (found[2] or found[1]).replace(".", "")
        # A vitamin or an antigen may look like a category that isn't there.
        if first[:3] in entries() or found[2]:
            spans.append((first, last))
    return tuple(spans)


@cache
def _narrow(note: str) -> Test:
    return _narrowing(note)


@cache
def names(note: str, stem: str) -> bool:
    """Whether an Excludes1 note names a code by number."""
    hit = any(_between(stem, first, last) for first, last in _spans(note))
    return hit and _narrow(note)(stem)


def _between(stem: str, first: str, last: str) -> bool:
    """Whether a code lies in a range; D3A stands before D37 in the list, not behind D39."""
    if len(first) == len(last) == 3 and first != last:
        place = _places()
        return place.get(first, 0) <= place[stem[:3]] <= place.get(last, -1)
    return first <= stem[: len(first)] and stem[: len(last)] <= last


@cache
def _places() -> dict[str, int]:
    """Category -> its place in the order of the file."""
    return {stem: i for i, stem in enumerate(entries()) if len(stem) == 3}


@cache
def denied(note: str, stem: str) -> bool:
    """Whether a title denies what the note's words ask for, or the other way round: a note on
    "diverticular disease with hemorrhage" doesn't reach a title "... without bleeding"."""
    asks, spares = _with_and_without(BRACKETS.sub(" ", note))
    has, lacks = _with_and_without(complete_codes()[stem].entry.title)
    return bool(asks & lacks or spares & has)


def _with_and_without(text: str) -> tuple[set[str], set[str]]:
    """The words after each "with" and after each "without"."""
    found: dict[str, set[str]] = {"": set(), "with": set(), "without": set()}
    now = ""
    for word in words(text).replace("bleeding", "hemorrhage").split():
        if word in ("with", "without"):
            now = word
        else:
            found[now].add(word)
    return found["with"] - SMALL, found["without"] - SMALL


@cache
def _holding(stem: str) -> tuple[str, ...]:
    return tuple(n for entry in complete_codes()[stem].entry.line() for n in entry.excludes1)


@cache
def conflict(a: str, b: str) -> str | None:
    """An Excludes1 note between two complete codes, in whichever direction, or None."""
    if a > b:
        return conflict(b, a)
    for holder, other in ((a, b), (b, a)):
        for note in _holding(holder):
            if names(note, other) and not denied(note, other):
                return note
    return None
