"""What a tool has told, read back from its text: an agent has nothing else to go by."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

Ages = tuple[int, int]

_OLDEST = 124
_HEAD = 4  # lines in which a text says what a code is worth
_SEX = re.compile(r"^Sex, by meaning: (female|male) patients", re.MULTILINE)
_AGE = re.compile(
    r"^Age, by meaning: (?:from (?P<least>\d+) years on|(?P<below>below one year)"
    r"|(?P<low>\d+) to (?P<high>\d+) years|(?P<only>\d+) years)",
    re.MULTILINE,
)
_EDIT_AGE = re.compile(
    r"^  age conflict.*\(ages (\d+) to (\d+) on admission\).*, on this date$", re.M
)
_EDIT_BINDS = re.compile(r"^Medicare Code Editor \(.*this is one\):$", re.MULTILINE)
_SIDE = re.compile(r"^Side: (?P<own>[a-z ]+); other sides: (?P<others>.*)\.$", re.MULTILINE)
_SEVENTH = re.compile(r"^  (\w)  (.+): (\S+)(  \(this code\))?$", re.MULTILINE)
_CLASH = re.compile(r"^Excludes1, .*?(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"names (\S+) on this claim: its words reach the code")
_NAMED_BY = re.compile(r'^  (\S+), Excludes1, .*": its words reach the code$', re.MULTILINE)
# Words of a text, the whole of what it says there, and why a code is none.
_GONE = tuple(
    (words, re.compile(told, re.MULTILINE), why)
    for words, told, why in (
        (" holds ", r"^No release of \S+ from .* holds ", "no release of the code set holds it"),
        (": retired; ", ": retired; ", "it was retired before the date of service"),
        (
            ": not yet valid on ", ": not yet valid on ",
            "it was not yet valid on the date of service",
        ),
        (
            " code has the form of ", r"^No \S+ code has the form of ",
            "no code of that system has its form",
        ),
        (" has no code ", r"^\S+ has no code \S+; ", "it belongs to another code system"),
    )
)  # fmt: skip
_TERMS = re.compile(r"^Inclusion terms, its own:\n((?:  .*\n?)+)", re.MULTILINE)
_PAIR = re.compile(r"column 1 (\S+), column 2 (\S+), modifier indicator (\d)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CodeTold:
    """What a query told of a code.

    ``gone`` says why it is no code (None where it is one), ``incomplete`` that it is a part of
    one. ``clashes`` are the codes of the claim from which an Excludes1 note keeps it apart for
    certain; ``pairs`` the NCCI pairs with other codes of the claim; ``seventh`` the text of its
    own seventh character, ``sevenths`` those that it could have; ``external`` a code for a
    cause, and ``rule`` what the task itself rules.
    """

    names: tuple[str, ...] = ()
    gone: str | None = None
    incomplete: bool = False
    sex: str | None = None
    ages: tuple[Ages, ...] = ()
    side: str | None = None
    sides: dict[str, str] = field(default_factory=dict)
    seventh: str | None = None
    sevenths: dict[str, str] = field(default_factory=dict)
    clashes: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    external: bool = False
    rule: str = ""


@dataclass(frozen=True, slots=True)
class PairTold:
    """What a check told of two services; ``modified`` by a modifier that NCCI counts."""

    binds: bool
    denied: str = ""
    indicator: int = 9
    modified: bool = False


@lru_cache(maxsize=4_096)
def code_told(text: str) -> CodeTold:
    """Reads the answer to ``query_guideline``. Not to be changed: it is shared."""
    rule, text = _parts(text)
    first = text.partition("\n")[0]
    names = [first.partition("  ")[2]] if "  " in first else []
    # A look for a few words spares most texts the patterns, which take longer.
    for block in _TERMS.findall(text) if "Inclusion terms, its own" in text else ():
        names += [line.strip() for line in block.splitlines()]
    own, sides = _sides(text)
    sevenths = _SEVENTH.findall(text) if "Seventh characters:" in text else []
    sex = _SEX.search(text) if "Sex, by meaning:" in text else None
    clashes: list[str] = []
    if "its words reach the code" in text:
        clashes = [code for part in _CLASH.findall(text) for code in _NAMED.findall(part)]
        clashes += _NAMED_BY.findall(text)
    pairs = _PAIR.findall(text) if "column 1" in text else []
    return CodeTold(
        tuple([name for name in names if name]),
        _gone(text),
        ": not complete, and so not billable" in text,
        sex[1] if sex else None,
        tuple(_ages(text)),
        own,
        sides,
        next((told for _, told, _, this in sevenths if this), None) if sevenths else None,
        {told: code for _, told, code, _ in sevenths},
        tuple(dict.fromkeys(clashes)),
        tuple([(one, two) for one, two, _ in pairs]),
        "chapter 20 " in text,
        rule,
    )


@lru_cache(maxsize=4_096)
def pair_told(text: str) -> PairTold:
    """Reads the answer to ``check_ncci_edits``."""
    text = _parts(text)[1]
    active = re.search(
        r"^NCCI practitioner pair \(.*\): active .*\n  column 1: (\S+)\n  column 2: (\S+), .*\n"
        r"  modifier indicator (\d)",
        text,
        re.MULTILINE,
    )
    if active is None or "this is a facility claim" in text:
        return PairTold(False)
    modified = re.search(r"^  \w\w: an NCCI-associated modifier$", text, re.MULTILINE)
    return PairTold(True, active[2], int(active[3]), modified is not None)


def _parts(text: str) -> tuple[str, str]:
    """What the task itself rules, told first where it does, and what the tables tell."""
    if not text.startswith("Rule of this task:"):
        return "", text
    rule, _, tables = text.partition("Official tables:\n")
    return rule, tables


def fits(ages: Ages, demographics: dict[str, Any]) -> bool:
    """Whether a patient is of these ages."""
    return ages[0] <= demographics["age"] <= ages[1]


def _gone(text: str) -> str | None:
    head = "\n".join(text.split("\n", _HEAD)[:_HEAD])
    for words, told, why in _GONE:
        if words in head and told.search(head) is not None:
            return why
    return None


def _ages(text: str) -> list[Ages]:
    ages = []
    meant = _AGE.search(text) if "Age, by meaning:" in text else None
    if meant:
        least, low, high, only = meant["least"], meant["low"], meant["high"], meant["only"]
        if least:
            ages.append((int(least), _OLDEST))
        elif low:
            ages.append((int(low), int(high)))
        else:
            ages.append((int(only or 0), int(only or 0)))
    if "this is one):" in text and _EDIT_BINDS.search(text):
        ages += [(int(low), int(high)) for low, high in _EDIT_AGE.findall(text)]
    return ages


def _sides(text: str) -> tuple[str | None, dict[str, str]]:
    told = _SIDE.search(text) if "\nSide: " in text else None
    if told is None:
        return None, {}
    pairs = [other.rsplit(" ", 1) for other in told["others"].split(", ")]
    return told["own"], dict(pairs)
