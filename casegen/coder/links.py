"""Combination codes for conditions that the classification assumes to be linked.

Sources: ICD-10-CM Official Guidelines, I.A.15 ("with"), I.C.4.a (diabetes), I.C.9.a.1-3
(hypertension with heart disease, with chronic kidney disease, with both).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

LATE_KIDNEY = frozenset(("N18.5", "N18.6"))


@dataclass(frozen=True, slots=True)
class Link:
    """Problems (by position) that one combination code stands for.

    ``replaces`` is the position of the problem whose own code gives way; ``members`` are all
    positions on which the combination rests.
    """

    code: str
    replaces: int
    members: tuple[int, ...]


def assumed_links(
    codes: Sequence[str], untied: Callable[[int, int], bool] | None = None
) -> list[Link]:
    """The combination codes that the given codes of one chart call for; ``untied`` tells of two
    positions whether the provider calls them unrelated (guideline I.A.15)."""
    hypertension = kidney = heart = diabetes = -1
    for at, code in enumerate(codes):
        head = code[:3]
        if code == "I10":
            hypertension = at
        elif head == "N18":
            kidney = at
        elif head == "I50":
            heart = at
        elif code in ("E11.9", "E10.9"):
            diabetes = at
    links: list[Link] = []
    with_diabetes = kidney
    if untied is not None:
        if diabetes >= 0 and kidney >= 0 and untied(diabetes, kidney):
            with_diabetes = -1
        if hypertension >= 0 and kidney >= 0 and untied(hypertension, kidney):
            kidney = -1
        if hypertension >= 0 and heart >= 0 and untied(hypertension, heart):
            heart = -1
    if hypertension >= 0 and (kidney >= 0 or heart >= 0):
        late = kidney >= 0 and codes[kidney] in LATE_KIDNEY
        if heart < 0:
            code = "I12.0" if late else "I12.9"
            members: tuple[int, ...] = (hypertension, kidney)
        elif kidney < 0:
            code = "I11.0"
            members = (hypertension, heart)
        else:
            code = "I13.2" if late else "I13.0"
            members = (hypertension, heart, kidney)
        links.append(Link(code, hypertension, members))
    if diabetes >= 0 and with_diabetes >= 0:
        links.append(Link(f"{codes[diabetes][:3]}.22", diabetes, (diabetes, with_diabetes)))
    return links
