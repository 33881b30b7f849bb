"""Whether somebody has to look at a coding case does not follow from the words of its note.

A learner of single words (naive Bayes over the words that a note holds) ranks notes that it has not
seen; the share of pairs, one case to look at and one not, that it ranks right is the area under its
curve.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter

import pytest

import casegen

FULL = os.environ.get("CASEGEN_FULL") == "1"
LEARNT, TRIED = (4_000, 2_000) if FULL else (1_200, 600)
AT_MOST = 0.75
RARE = 3
WORD = re.compile(r"[a-z']+")


def notes(split: str, count: int) -> list[tuple[frozenset[str], bool]]:
    return [
        (frozenset(WORD.findall(case.note.lower())), case.needs_review)
        for case in casegen.make("coding-v0", seed=7, split=split).cases(0, count)
    ]


def weights(learnt: list[tuple[frozenset[str], bool]]) -> dict[str, float]:
    """What a word says for the flag: the logarithm of its odds among notes with it."""
    held: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    size = Counter(flag for _, flag in learnt)
    for words, flag in learnt:
        held[flag].update(words)
    common = held[True] + held[False]
    return {
        word: math.log((held[True][word] + 0.5) / (size[True] + 1))
        - math.log((held[False][word] + 0.5) / (size[False] + 1))
        for word, often in common.items()
        if often >= RARE
    }


def area(scores: list[tuple[float, bool]]) -> float:
    ranked = sorted(scores)
    flagged = sum(flag for _, flag in ranked)
    places = sum(at for at, (_, flag) in enumerate(ranked, 1) if flag)
    pairs = flagged * (len(ranked) - flagged)
    return (places - flagged * (flagged + 1) / 2) / pairs


def test_the_flag_does_not_follow_from_single_words(capsys: pytest.CaptureFixture[str]) -> None:
    told = weights(notes("train", LEARNT))
    tried = notes("test", TRIED)
    scores = [(sum(told.get(word, 0.0) for word in words), flag) for words, flag in tried]
    found = area(scores)
    with capsys.disabled():
        print(f"\nflag by single words: area under the curve {found:.3f}")
    assert found <= AT_MOST
