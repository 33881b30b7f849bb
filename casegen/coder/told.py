"""What guidelines make of one problem and of how sure the provider is.

Each function takes a problem as the chart has it and answers with the code that it is billed
by, or with None where it is told and not coded.
"""

from __future__ import annotations

from ..chart.model import Problem

# Personal history in the place of a tumour that was removed and is treated no more
# (guideline I.C.2.m), and of a stroke without deficit (I.C.9.d.3).
_HISTORY = {
    "C50": "Z85.3",
    "C61": "Z85.46",
    "C18": "Z85.038",
    "C34": "Z85.118",
    "C64": "Z85.528",
    "I63": "Z86.73",
}
_OLD_INFARCTION = "I25.2"
_ACUTE_WEEKS = 4

# Coded only where confirmed, in a hospital too: guidelines I.C.1.a.1 (HIV), I.C.1.f.1 (Zika),
# I.C.1.g.1.a (COVID-19).
_CONFIRMED_ONLY = ("B20", "U07.1", "A92.5")
_IDENTIFIED_FLU = ("J09.X", "J10.")


def of_uncertain(code: str, stay: bool) -> str | None:
    """The code of a diagnosis that is probable, suspected or to be ruled out.

    ``stay``: the hospital's own claim of an inpatient stay, which codes it as if established
    (II.H, III.C); nobody else does (IV.H). A suspected influenza of an identified virus is
    coded as one of an unidentified virus (I.C.10.c).
    """
    if not stay or code.startswith(_CONFIRMED_ONLY):
        return None
    if code.startswith(_IDENTIFIED_FLU):
        return f"J11.{code[4:]}"
    return code


def of_history(problem: Problem, code: str) -> str | None:
    """The code of what is over, None where there is none to report (IV.J). An infarction counts
    as acute for four weeks (I.C.9.e.1)."""
    head = code[:3]
    if head == "I21":
        weeks = int(problem.attributes["weeks_ago"])
        return code if weeks <= _ACUTE_WEEKS else _OLD_INFARCTION
    return _HISTORY.get(head)


def of_paralysis(problem: Problem) -> str:
    """I69.351-I69.354 by affected side and hand.

    Where the hand is not told, the right side counts as the dominant one and the left as the
    other; both hands alike make either side dominant (I.C.6.a).
    """
    side = problem.attributes["side"]
    hand = problem.attributes.get("handedness", "right")
    dominant = hand in (side, "ambidextrous")
    place = {"right": (1, 3), "left": (2, 4)}[side][0 if dominant else 1]
    return f"I69.35{place}"


def of_pregnancy(base: str, weeks: int) -> str:
    """``base`` with the character of the trimester: under 14 weeks, 14 to under 28, from 28 on
    (tabular list, chapter 15; I.C.15.a.3)."""
    trimester = 1 if weeks < 14 else 2 if weeks < 28 else 3
    stem = base.replace(".", "") + str(trimester)
    return f"{stem[:3]}.{stem[3:]}"
