"""A drug that nobody knows has no dose, and nothing of it can be judged."""

from __future__ import annotations

from casegen.schemas.rx_case import Prescription, RxAuthority
from casegen.seeds.rx.recommending import asks_for

from .model import Verdict

_AUTHORITY = RxAuthority(
    "guideline",
    "ISMP list of confused drug names",
    "a name is not taken for another that looks or sounds like it",
)


def unknown_drug(written: Prescription) -> Verdict:
    """The one finding on an unknown drug. It is likened to no other."""
    return Verdict(
        "dose", "unknown_drug", [written.drug], [], "major",
        asks_for("dose", "unknown_drug"), "no dose can be right for a drug that nobody knows",
        "ask the prescriber which drug is meant",
        f"{written.drug} is no generic name, brand or synonym that the knowledge holds",
        [_AUTHORITY], "", [],
    )  # fmt: skip
