"""Symptoms, which a patient has or denies: no test confirms or excludes that they are there."""

from __future__ import annotations

# Chapter 18, and symptoms that stand in other chapters: pain of joints, back, muscles and limbs,
# of eye, ear and breast, itching, indigestion, constipation, insomnia, painful periods.
_FELT = (
    "R", "M25.5", "M54", "M79.1", "M79.6", "H57.1", "H92.0", "N64.4", "L29", "K30", "K59.0",
    "G47.0", "N94.4", "N94.5", "N94.6",
)  # fmt: skip


def is_felt(code: str) -> bool:
    """Whether a code names a symptom or a finding of chapter 18, or a complaint like one."""
    return code.startswith(_FELT)
