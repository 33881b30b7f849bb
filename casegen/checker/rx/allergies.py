"""Allergies: to the drug itself, to its class, or to one that shares its side chain."""

from __future__ import annotations

from casegen.schemas.rx_case import Problem
from casegen.seeds.rx.model import Authority, CrossReaction
from casegen.seeds.rx.naming import allergy_names, words
from casegen.seeds.rx.recommending import asks_for

from .lookup import crossing, kin
from .model import Verdict, Watch, Work, cite, known
from .patient import Allergy

FORBIDS = ("contraindicated", "boxed", "avoid")
# Which histories count as which reaction, after the terms of the Drug Allergy 2022 Practice
# Parameter Update: immediate ones (urticaria, angioedema, bronchospasm, anaphylaxis) and severe
# cutaneous ones.
_ANAPHYLAXIS = ("anaphylaxis", "anaphylactic", "anaphylactic shock")
_IMMEDIATE = (*_ANAPHYLAXIS, "hives", "urticaria", "angioedema", "bronchospasm", "wheezing",
              "throat swelling", "facial swelling", "swelling of the face", "lip swelling",
              "immediate")  # fmt: skip
_SERIOUS = (*_ANAPHYLAXIS, "angioedema", "bronchospasm", "throat swelling", "stevens johnson",
            "sjs", "toxic epidermal necrolysis", "dress", "serious")  # fmt: skip
REACTIONS: dict[str, tuple[str, ...]] = {
    "anaphylaxis": _ANAPHYLAXIS,
    "immediate": _IMMEDIATE,
    "serious": _SERIOUS,
    "angioedema": ("angioedema", "throat swelling", "facial swelling", "swelling of the face",
                   "lip swelling", "tongue swelling"),
}  # fmt: skip


def _had(reaction: str, needed: str) -> bool | None:
    """Whether the history is the one that a rule needs; None where no reaction is told."""
    if not needed:
        return True
    told = words(reaction)
    if not told or told == "unknown":
        return None
    if needed == "not anaphylactic":
        return not _had(reaction, "anaphylaxis")
    return any(word in told for word in REACTIONS.get(needed, (words(needed),)))


def find(work: Work) -> None:
    """Judge the prescribed drug by each entry of the allergy list."""
    for one in work.patient.allergies:
        _judge(work, one)


def _judge(work: Work, one: Allergy) -> None:
    rules = crossing(work.rx, one.allergen, work.drug.id)
    own = _own(work, one.allergen)
    if not rules and own is None:
        return
    intolerance = _intolerance(work, one)
    if one.tolerable or intolerance is not None:
        by = intolerance or _by(list(rules))
        _watch(
            work, one, "intolerance", False, f"{one.reaction or 'the reaction'} is no allergy", by
        )
        return
    told = [(rule, _had(one.reaction, rule.reaction)) for rule in rules]
    _cross(work, one, told, own)


def _own(work: Work, allergen: str) -> tuple[Authority, ...] | None:
    """Who says that the drug is the allergen itself, holds it, or is of its class; else None."""
    rx, drug = work.rx, work.drug.id
    if allergen in rx.drugs:
        mine, theirs = set(rx.ingredients(drug)), set(rx.ingredients(allergen))
        if drug == allergen or mine & theirs:
            return (Authority("label", drug, _hypersensitivity(work)),)
        return None
    group = next((group for group in rx.allergies if group.id == allergen), None)
    if group is not None and set(group.members) & kin(rx, drug):
        return group.authority
    return (
        (Authority("label", drug, _hypersensitivity(work)),) if allergen in kin(rx, drug) else None
    )


def _hypersensitivity(work: Work) -> str:
    """Where the label of a drug lists its contraindications: section 4, or the heading of an
    older label."""
    told = [rule.authority for rule in work.drug.contraindications]
    told += [rule.authority for rule in work.drug.doses]
    sections = [by.section for authority in told for by in authority if by.source == "label"]
    older = any(one and not one[0].isdigit() and one != "boxed warning" for one in sections)
    return "contraindications" if older else "4"


def _intolerance(work: Work, one: Allergy) -> tuple[Authority, ...] | None:
    """Who says that the reaction by itself is no allergy."""
    told = words(one.reaction)
    if not told:
        return None
    rx = work.rx
    names = {one.allergen}
    if one.allergen in rx.drugs:
        names |= kin(rx, one.allergen)
    for group in rx.allergies:
        if group.id == one.allergen:
            names |= set(group.members)
    for rule in rx.intolerances:
        if rule.drug in names and told in [words(reaction) for reaction in rule.reactions]:
            return rule.authority
    return None


def _cross(
    work: Work,
    one: Allergy,
    told: list[tuple[CrossReaction, bool | None]],
    own: tuple[Authority, ...] | None,
) -> None:
    drug_itself = own is not None and (
        one.allergen in work.rx.drugs or one.allergen in work.rx.classes
    )
    if drug_itself and own is not None:
        _add(work, one, "allergy", "it is the drug itself", "contraindicated", own)
        return
    if not told and own is not None:
        _add(work, one, "allergy", "it is of that class", "contraindicated", own)
        return
    groups: dict[str, list[CrossReaction]] = {}
    for rule, had in told:
        # Where authorities differ, a history that is not told leaves both standing.
        if had or (had is None and rule.disputed and rule.grade in FORBIDS):
            groups.setdefault(rule.disputed, []).append(rule)
    against: list[CrossReaction] = []
    differ: list[CrossReaction] = []
    milder: list[CrossReaction] = []
    for disputed, rules in groups.items():
        strict = [rule for rule in rules if rule.grade in FORBIDS]
        if not strict:
            milder += rules
        elif disputed and len(strict) < len(rules):
            differ += rules
        else:
            against += strict
    if against:
        problem: Problem = "allergy" if own is not None else "cross_allergy"
        grade = min((rule.grade for rule in against), key=FORBIDS.index)
        _add(work, one, problem, against[0].why, grade, _by(against), against[0])
        return
    if differ:
        strict = [rule for rule in differ if rule.grade in FORBIDS]
        _watch(work, one, "disputed", True, strict[0].why, _by(differ), "reject")
        return
    if any(had is None and rule.grade in FORBIDS for rule, had in told):
        work.leave("allergy", f"{one.allergen} and {work.drug.id}", "no reaction is told", False)
    rules = milder or [rule for rule, _ in told]
    grades = {rule.grade for rule in milder}
    kind = "disputed" if len(grades) > 1 else "watch" if "caution" in grades else "acceptable_cross"
    _watch(work, one, kind, True, rules[0].why, _by(rules))


def _by(rules: list[CrossReaction]) -> tuple[Authority, ...]:
    return tuple(by for rule in rules for by in rule.authority)


def _names(work: Work, one: Allergy, rule: CrossReaction | None = None) -> list[str]:
    names = allergy_names(work.rx, one.allergen, work.drug.id)
    if rule is not None and rule.allergen != one.allergen:
        names += allergy_names(work.rx, rule.allergen, work.drug.id)
    return list(dict.fromkeys(names))


def _add(
    work: Work,
    one: Allergy,
    problem: Problem,
    why: str,
    grade: str,
    by: tuple[Authority, ...],
    rule: CrossReaction | None = None,
) -> None:
    reaction = f" ({one.reaction})" if one.reaction else ""
    work.findings.append(
        Verdict(
            "allergy", problem, [one.allergen, work.drug.id], _names(work, one, rule),
            "contraindicated" if grade == "contraindicated" else "major",
            asks_for("allergy", problem), f"allergic reaction{reaction}", "choose another drug",
            f"allergy to {one.allergen}{reaction}: {why}", cite(by),
            rule.disputed if rule is not None else "", known([one.id]),
        )
    )  # fmt: skip


def _watch(
    work: Work,
    one: Allergy,
    kind: str,
    tolerated: bool,
    why: str,
    by: tuple[Authority, ...],
    also: str = "",
) -> None:
    work.watches.append(
        Watch(
            kind, "allergy", [one.allergen, work.drug.id], _names(work, one), tolerated,  # type: ignore[arg-type]
            why, cite(by), known([one.id]), also,  # type: ignore[arg-type]
        )
    )  # fmt: skip
