"""What a seventh character says, read from its official text.

The tabular list prints 15 different sets of seventh characters. Three kinds of them speak of
the encounter (phase of care, with fracture type and healing); the others speak of the fetus,
the eye, the stage of glaucoma or macular degeneration, tophi, or the time of a coma scale:
there phase, fracture and healing are None and the text alone counts.
"""

from __future__ import annotations

from dataclasses import dataclass

# Guideline I.C.19.a: A (B, C) is active treatment, D and the letters after it routine care
# during healing or recovery, S a sequela.
_PHASES = (
    ("initial encounter", "active"),
    ("subsequent encounter", "healing"),
    ("sequela", "sequela"),
)
# The longer text stands first. "open" alone is an open fracture in a category that doesn't ask
# for the type (S02, S12, S22, S32, S42, S62, S92, S99).
_FRACTURES = (
    ("open fracture type IIIA, IIIB, or IIIC", "open_3"),
    ("open fracture type I or II", "open_1_2"),
    ("open fracture", "open"),
    ("closed fracture", "closed"),
)
_HEALINGS = ("routine", "delayed", "nonunion", "malunion")
# Texts to take when the note is silent: the list itself provides them for that.
# "not applicable or unspecified" is also the one for a single fetus (note at O31 and others).
_SILENT = frozenset(
    {"not applicable or unspecified", "stage unspecified", "unspecified time", "unspecified eye"}
)
_SIDES = {
    "right eye": "right",
    "left eye": "left",
    "bilateral": "bilateral",
    "unspecified eye": "unspecified",
}


@dataclass(frozen=True, slots=True)
class Seventh:
    """A seventh character and what its text says.

    ``phase``: active, healing, sequela. ``fracture``: closed, open_1_2, open_3, or ``open``
    where the category doesn't ask for the type. ``healing``: routine, delayed, nonunion,
    malunion. None where the text doesn't say.
    """

    char: str
    text: str
    phase: str | None
    fracture: str | None
    healing: str | None


def read_seventh(char: str, text: str) -> Seventh:
    """Read one official text, e.g. ``("K", "subsequent encounter for fracture with nonunion")``."""
    phase = next((name for start, name in _PHASES if text.startswith(start)), None)
    fracture = healing = None
    if phase is not None:
        fracture = next((name for words, name in _FRACTURES if words in text), None)
        if phase == "healing":
            healing = next((name for name in _HEALINGS if f"with {name}" in text), None)
    return Seventh(char, text, phase, fracture, healing)


def side_of(text: str) -> str | None:
    """The side that a seventh character stands for (diabetic retinopathy), else None."""
    return _SIDES.get(text)


def for_silence(text: str) -> bool:
    """Whether the text is the one to take when the note says nothing of this axis."""
    return text in _SILENT
