"""No sentence that may stand in any note praises how a patient keeps to the treatment: another one
of the same note may tell that it is not kept to (Z91.1-, underdosing)."""

from __future__ import annotations

import re

from casegen.seeds import phrases
from casegen.seeds.conditions import load as load_conditions

PRAISE = re.compile(
    r"\bsticks to\b|\baccepts advice\b|\bkeeps (?:all )?(?:\w+ )?appointments\b|\bas prescribed\b"
    r"|\bwithout fail\b|\bnever misse[sd]\b|\bno (?:missed doses|dose missed)\b|\bmisses no dose\b"
    r"|\btakes (?:every|all) doses?\b|\brarely misses\b|\bfaithfully\b|\badherent to\b",
    re.IGNORECASE,
)


def test_no_shared_phrase_praises_adherence() -> None:
    found = phrases.load()
    wrong = {
        name: half
        for name, entries in found.banks.items()
        for entry in entries
        for clause in entry.clauses
        for half in clause
        if PRAISE.search(half)
    }
    wrong |= {
        code: text for code, texts in found.adds.items() for text in texts if PRAISE.search(text)
    }
    assert not wrong


def test_no_text_of_a_condition_praises_adherence() -> None:
    wrong = [
        (f"{condition.id}.{value.id}", text)
        for condition in load_conditions()
        for value in condition.values
        for part in ("names", "story", "background", "exam", "results", "plan")
        for text in getattr(value, part)
        if PRAISE.search(text)
    ]
    assert not wrong
