"""Whose label an interaction cites.

A rule on a class names the labels of some members, for what the labels of all say. Of a pair it
cites the labels of the two drugs, and never that of a third one.
"""

from __future__ import annotations

from dataclasses import replace

from .knowledge import Rx
from .model import Authority, Interaction

# Numbered sections (21 CFR 201.57) and the headings of older labels (21 CFR 201.80).
_OLDER = {"2": "dosage and administration", "4": "contraindications", "5": "warnings",
          "7": "precautions"}  # fmt: skip
_NUMBERED = {"dosage and administration": "2", "contraindications": "4", "warnings": "5",
             "precautions": "7", "drug interactions": "7"}  # fmt: skip


def cited(rx: Rx, rule: Interaction, a: str, b: str) -> Interaction:
    """``rule`` with the authorities that speak of the drugs ``a`` and ``b``: where none of its
    labels is of one of them, the label of the one that belongs to the class."""
    if not (rule.a in rx.classes or rule.b in rx.classes):
        return rule
    own = {a, b, *rx.ingredients(a), *rx.ingredients(b)}
    kept = tuple(
        by
        for by in rule.authority
        if by.source != "label" or (drug := _drug(rx, by.reference)) is None or drug in own
    )
    if kept:
        return rule if len(kept) == len(rule.authority) else replace(rule, authority=kept)
    found: dict[Authority, None] = {}
    for by in rule.authority:
        for one in _members(rx, rule, _drug(rx, by.reference) or "", a, b):
            found[Authority("label", one, _section(rx, one, by.section))] = None
    return replace(rule, authority=tuple(found)) if found else rule


def _drug(rx: Rx, reference: str) -> str | None:
    """The drug whose label a reference names (``tadalafil tablets of 20 mg``)."""
    words = reference.split()
    for count in range(len(words), 0, -1):
        drug = rx.named(" ".join(words[:count]))
        if drug is not None:
            return drug.id
    return None


def _members(rx: Rx, rule: Interaction, cited_drug: str, a: str, b: str) -> list[str]:
    """Those of a pair that stand for the class of which the label cited speaks."""
    kin = rx.kin(cited_drug) if cited_drug in rx.drugs else frozenset()
    found = []
    for name in (rule.a, rule.b):
        if name in rx.classes and name in kin:
            found += [drug for drug in (a, b) if name in rx.kin(drug)]
    return found[:1] or [drug for drug in (a, b) if {rule.a, rule.b} & rx.kin(drug)][:1]


def _section(rx: Rx, drug: str, section: str) -> str:
    """Where the label of ``drug`` has what another has in ``section``: labels are numbered or, of
    the older form, have headings."""
    numbered = _is_numbered(rx, drug)
    if numbered is None or section == "boxed warning":
        return section
    if numbered:
        return _NUMBERED.get(section, section)
    return _OLDER.get(section.partition(".")[0], section)


def _is_numbered(rx: Rx, drug: str) -> bool | None:
    """Whether the label of a drug has numbered sections, as its own rules cite it; None where
    none does."""
    one = rx.drugs[drug]
    told = [rule.authority for rule in one.doses]
    told += [rule.authority for rule in one.contraindications]
    told += [rule.authority for rule in one.pregnancy]
    sections = [
        by.section
        for authority in told
        for by in authority
        if by.source == "label" and by.reference == drug and by.section != "boxed warning"
    ]
    return any(text[:1].isdigit() for text in sections) if sections else None
