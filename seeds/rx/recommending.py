"""What findings on a prescription ask for. This is the written rule of ``recommendation``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Asks = Literal["modify", "reject"]

RULE = """\
reject, where any finding asks for it: a drug that nobody knows; an interaction that is
contraindicated or to be avoided; a duplicate of a therapy; an allergy; a contraindication.
modify, where all findings can be mended in the prescription: a dose too high or too low, a wrong
frequency, an ingredient of which two products together give too much (the dose and the pair), a
wrong unit or error-prone notation; an interaction with a dose limit, or whose dose or time is to
be adjusted; a major interaction that the label leaves to close watching, since somebody has to
ask whether both are needed. Then reject, until that has been asked, is as right.
approve, where there is no finding."""

_REJECTED = {"unknown_drug", "duplicate_therapy"}
_FORBIDDEN = {"contraindicated", "avoid"}


# What a drug does that is given too often, where its label names it (bupropion: section 5,
# seizures depend on the dose; methotrexate: boxed warning and dosage, daily in place of weekly
# doses have killed).
_TOO_OFTEN = {"bupropion": "seizures", "methotrexate": "fatal toxicity"}


def too_often_effect(drug: str) -> str:
    """What is to be feared of a drug that is given more often than it should be."""
    told = _TOO_OFTEN.get(drug)
    return f"too frequent: {told}" if told else "too frequent, so it may do harm"


def asks_for(component: str, problem: str, action: str = "") -> Asks:
    """What one finding asks for. ``action`` is that of the rule of an interaction."""
    if component in ("allergy", "contraindication") or problem in _REJECTED:
        return "reject"
    if component == "interaction" and action in _FORBIDDEN:
        return "reject"
    return "modify"


def recommend(asked: Iterable[Asks]) -> Literal["approve", "modify", "reject"]:
    """What all findings together ask for."""
    asked = set(asked)
    return "reject" if "reject" in asked else "modify" if asked else "approve"
