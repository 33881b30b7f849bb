"""What a code keeps a note from saying by the way, so that no sentence contradicts it."""

from __future__ import annotations

from ..chart.model import Problem

LIMB, DEPENDENT, SUBSTANCE, ALLERGY, FAMILY, TOBACCO, UNRELIABLE = 1, 2, 4, 8, 16, 32, 64
# Answers that are remembered.
_FEW = 2048

_PREFIXES = {
    # Absent, artificial and malformed limbs and joints.
    LIMB: ("Z89", "Z96.6", "Z97.1", "Q65", "Q66", "Q68", "Q71", "Q72", "Q73", "Q74"),
    # Dementia, intellectual and developmental disorders: no job, no school told by the way.
    # Nor where a code tells how somebody lives.
    DEPENDENT: (
        "F0",
        "F7",
        "F8",
        "G30",
        "G31",
        "Q90",
        "Q91",
        "Z55",
        "Z56",
        "Z57",
        "Z59",
        "Z60",
        "Z62",
        "Z63",
    ),
    # No word on alcohol.
    SUBSTANCE: (
        *("F10", "F11", "F12", "F13", "F14", "F15", "F16", "F18", "F19"),
        *("K70", "K29.2", "K85.2", "K86.0", "T40", "T51"),
    ),
    # No word on allergies.
    ALLERGY: ("Z88", "Z91.0", "T78", "L23", "L27", "J30"),
    # Dementia, delirium, psychosis, intellectual disability, disturbed consciousness, memory or
    # language: others tell how it has gone.
    UNRELIABLE: (
        *("F0", "F10.12", "F10.23", "F10.26", "F10.27", "F20", "F23", "F25", "F44.0", "F7"),
        *("G30", "G31", "G45.4", "G93.4", "I69.01", "I69.11", "I69.21", "I69.31", "I69.32"),
        *("I69.81", "I69.91", "Q90", "R40", "R41", "R47.0"),
    ),
    # No word on relatives.
    FAMILY: ("Z80", "Z81", "Z82", "Z83", "Z84"),
}
_known: dict[str, int] = {}


def silences(problem: Problem) -> int:
    """The flags of a problem's code and term."""
    base = problem.base
    flags = _known.get(base)
    if flags is None:
        if len(_known) >= _FEW:
            _known.clear()
        flags = sum(flag for flag, prefixes in _PREFIXES.items() if base.startswith(prefixes))
        term = problem.term.lower()
        if "nicotine" in term or "tobacco" in term:
            flags |= TOBACCO
        if base.startswith("S06") and "with loss of consciousness" in term:
            flags |= UNRELIABLE
        _known[base] = flags
    return flags
