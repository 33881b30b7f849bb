"""Findings that one problem's examination gives as normal and another problem contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from casegen.seeds import data

from ..chart.model import Problem

_SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z(])")


@lru_cache(maxsize=1)
def _findings() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """What is said of each part of the body, and beginnings of codes that speak against it."""
    rows = data.read("normal_findings.yaml")["findings"]
    return tuple((re.compile(row["says"]), tuple(row["codes"])) for row in rows)


@lru_cache(maxsize=4096)
def _touched(base: str) -> frozenset[int]:
    return frozenset(i for i, (_, codes) in enumerate(_findings()) if base.startswith(codes))


def touched(problems: Iterable[Problem]) -> frozenset[int]:
    """The numbers of the findings that these problems speak against."""
    found: frozenset[int] = frozenset()
    for problem in problems:
        if problem.status in ("active", "uncertain"):
            found |= _touched(problem.base)
    return found


def _speaks_of(sentence: str, numbers: Iterable[int]) -> bool:
    text, findings = sentence.lower(), _findings()
    return any(findings[number][0].search(text) for number in numbers)


def without_denials(text: str, problem: Problem, problems: Sequence[Problem]) -> str:
    """``text`` on a problem without sentences on a part of the body that another problem is about
    and this one is not."""
    theirs = touched(one for one in problems if one is not problem) - _touched(problem.base)
    if not theirs or not text:
        return text
    return " ".join(s for s in _SENTENCE.split(text) if not _speaks_of(s, theirs))


def is_denied(sentence: str, problems: Sequence[Problem]) -> bool:
    """Whether a sentence on what is normal speaks of a part that one of the problems is about."""
    return _speaks_of(sentence, touched(problems))
