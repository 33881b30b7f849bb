"""How a simple reader judges a prescription by the entries and the drug knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from casegen.schemas.rx_case import Component
from casegen.schemas.rx_play import RxObservation
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import Authority, Contraindication, Interaction

from ..case import LOOKED_FOR
from .amounts import amount_in, times_in
from .dosing import Patient, Wrong, dose_wrong, patient_of
from .entries import (
    IMMEDIATE,
    SERIOUS,
    Allergic,
    Taken,
    allergy,
    conditions,
    measures,
    medication,
    pregnancy,
)

_AGAINST = ("contraindicated", "boxed", "avoid")
_REJECTING = ("contraindicated", "avoid")
_ACTING = (*_REJECTING, "adjust", "separate", "limit")
_DEGREES = frozenset("mild moderate severe acute chronic active second- recent".split())
_LOW_ASPIRIN = 325  # mg; what is taken to prevent clots


@dataclass(frozen=True, slots=True)
class Flag:
    """What a reader takes for a finding: the pair, the line that says so, what it means and on
    whose authority. ``rejects``: it speaks against the drug itself."""

    component: Component
    name: str
    line: str
    why: str
    authority: tuple[Authority, ...]
    rejects: bool


@dataclass(frozen=True, slots=True)
class Judgment:
    """What a reader makes of a prescription. ``passed`` holds what it looked at and let pass."""

    dose: Wrong | None
    flags: tuple[Flag, ...]
    passed: tuple[Flag, ...] = field(default=())

    @property
    def recommendation(self) -> str:
        """Reject where something speaks against the drug, modify where it can be mended."""
        if any(one.rejects for one in self.flags) or (self.dose is not None and self.dose.unknown):
            return "reject"
        return "modify" if self.flags or self.dose is not None else "approve"

    def named(self) -> dict[Component, list[str]]:
        """The pairs by component."""
        found: dict[Component, list[str]] = {}
        for one in self.flags:
            found.setdefault(one.component, []).append(one.name)
        return found


def judge(seen: RxObservation) -> Judgment:
    """Judge by what has been read."""
    taken = [one for line in seen.current_medications or () if (one := medication(line))]
    allergic = [entry for line in seen.known_allergies or () if (entry := allergy(line))]
    having = [it for line in seen.medical_conditions or () for it in conditions(line)]
    who = patient_of(seen, having, taken)
    dose = dose_wrong(seen, who)
    drug = load().named(seen.drug_name)
    if drug is None:
        return Judgment(dose, ())
    looked_for = LOOKED_FOR[seen.task]
    flags: list[Flag] = []
    passed: list[Flag] = []
    if "interaction" in looked_for:
        for one in taken:
            flag, holds = _interaction(seen, drug.id, one)
            if flag is not None:
                (flags if holds else passed).append(flag)
    if "allergy" in looked_for:
        for entry in allergic:
            (flags if _conflicts(entry, drug.id) else passed).append(_allergy(entry, drug.id))
    if "contraindication" in looked_for:
        flags += _contraindications(seen, drug.id, who)
    dose = dose or _limited(seen, drug.id, taken)
    return Judgment(dose, tuple(_each_once(flags)), tuple(passed))


def _each_once(flags: list[Flag]) -> Iterator[Flag]:
    told: set[tuple[str, str]] = set()
    for one in flags:
        key = one.component, one.name
        if key not in told:
            told.add(key)
            yield one


def _interaction(seen: RxObservation, drug: str, one: Taken) -> tuple[Flag | None, bool]:
    """The pair with a medication if anything is said of it, and whether it is a finding."""
    rx = load()
    name = f"{one.drug}-{drug}"
    same = set(rx.drugs[drug].duplicate) & set(rx.drugs[one.drug].duplicate)
    shared = set(rx.ingredients(drug)) & set(rx.ingredients(one.drug))
    if same or shared:
        what = f"both are {rx.classes[min(same)].title}" if same else f"both hold {min(shared)}"
        return Flag("interaction", name, one.line, what, (), True), _counts(one)
    rules = [rule for rule in rx.between(drug, one.drug) if _meant(rule, seen, drug, one)]
    if not rules:
        return None, False
    acting = [rule for rule in rules if _acts(rule) and _exceeded(rule, seen, drug, one)]
    rule = (acting or rules)[0]
    rejects = any(found.action in _REJECTING for found in acting)
    flag = Flag("interaction", name, one.line, rule.effect, rule.authority, rejects)
    return flag, bool(acting) and _counts(one)


def _acts(rule: Interaction) -> bool:
    """Whether a rule asks for more than watching, or for the watching of a grave effect."""
    return rule.action in _ACTING or rule.severity == "major"


def _counts(one: Taken) -> bool:
    """Whether a medication is taken now, and reaches the blood."""
    return not one.over and not one.local


def _meant(rule: Interaction, seen: RxObservation, drug: str, one: Taken) -> bool:
    """Whether a rule that is bound to the dose of aspirin, or to a beginning, is meant; others
    are taken as they are."""
    if "begun" in rule.when:
        return seen.new_prescription and drug in rule.when
    if "aspirin" not in (drug, one.drug) or "aspirin" not in rule.when:
        return True
    amount = amount_in(seen.drug_dose) if drug == "aspirin" else one.amount
    low = amount is None or amount.values[0] <= _LOW_ASPIRIN
    return low == ("low-dose" in rule.when)


def _exceeded(rule: Interaction, seen: RxObservation, drug: str, one: Taken) -> bool:
    """Whether the limit of a pair is exceeded; true of rules without one."""
    if rule.action != "limit":
        return True
    return any(
        _above(
            seen, drug, one, limit.drug,
            limit.maximum * 24 / limit.hours if limit.hours else limit.maximum, limit.unit,
        )
        for limit in rule.limits
    )  # fmt: skip


def _above(
    seen: RxObservation, drug: str, one: Taken, limited: str, most: Decimal, unit: str
) -> bool:
    rx = load()
    for name, amount, times in (
        (drug, amount_in(seen.drug_dose), times_in(seen.drug_frequency)),
        (one.drug, one.amount, one.times),
    ):
        values = None if amount is None else amount.in_unit(unit)
        if limited in rx.kin(name) and values is not None and values[0] * (times or 1) > most:
            return True
    return False


def _limited(seen: RxObservation, drug: str, taken: list[Taken]) -> Wrong | None:
    """The dose where it is above the limit of a pair."""
    for one in taken:
        for rule in load().between(drug, one.drug) if _counts(one) else ():
            mine = any(limit.drug in load().kin(drug) for limit in rule.limits)
            if rule.action == "limit" and mine and _exceeded(rule, seen, drug, one):
                return Wrong(f"beside {one.drug}: {rule.management}", rule.authority)
    return None


def _allergy(entry: Allergic, drug: str) -> Flag:
    rules = [rule for one in entry.allergens for rule in load().crossing(one, drug)]
    against = [rule for rule in rules if rule.grade in _AGAINST]
    found = (against or rules)[:1]
    why = found[0].why if found else "it concerns another drug"
    by = found[0].authority if found else ()
    name = f"{entry.name.replace(' ', '_')}-{drug}"
    return Flag("allergy", name, entry.line, why, by, True)


def _conflicts(entry: Allergic, drug: str) -> bool:
    """Whether an entry is an allergy for which an authority speaks against the drug, and no other
    one for it."""
    rx = load()
    reaction = entry.reaction.lower()
    for one in entry.allergens:
        kin = rx.kin(one) if one in rx.drugs else frozenset({one})
        strong = SERIOUS.search(reaction) or "rash" in reaction or "hives" in reaction
        mild = [word for rule in rx.intolerances if rule.drug in kin for word in rule.reactions]
        if not strong and any(word in reaction for word in mild):
            return False
        if one == drug or one in rx.ingredients(drug):
            return True
        for rule in rx.crossing(one, drug):
            if rule.grade in _AGAINST and not rule.disputed and _strong(rule.reaction, reaction):
                return True
    return False


def _strong(wanted: str, reaction: str) -> bool:
    if wanted in ("", reaction):
        return True
    sought = {"immediate": IMMEDIATE, "serious": SERIOUS}.get(wanted)
    return wanted in reaction if sought is None else sought.search(reaction) is not None


def _contraindications(seen: RxObservation, drug: str, who: Patient) -> Iterator[Flag]:
    rx = load()
    lines = seen.medical_conditions or []
    told = measures(lines)
    for rule in rx.drugs[drug].contraindications:
        if (
            rule.grade not in _AGAINST
            or rule.disputed
            or (rule.start and not seen.new_prescription)
        ):
            continue
        if rule.age is not None and not rule.age.holds(who.months):
            continue
        if rule.without and any(
            rule.without in rx.kin(one.drug) for one in who.taken if not one.over
        ):
            continue
        found = _bearing(rule, who, lines, told)
        if found is not None:
            name, line = found
            yield Flag("contraindication", f"{name.replace(' ', '_')}-{drug}", line, rule.effect,
                       rule.authority, True)  # fmt: skip
    yield from _of_age_and_pregnancy(seen, drug, who)


def _bearing(
    rule: Contraindication,
    who: Patient,
    lines: list[str],
    told: dict[str, tuple[Decimal, str]],
) -> tuple[str, str] | None:
    """What of the patient meets a rule, and the line that tells it."""
    if rule.measure is not None:
        if not who.holds(rule.measure):
            return None
        _, line = told.get(rule.measure.name, (None, ""))
        return rule.measure.name, line
    for one in who.conditions:
        if any(_under(own, code) for own in one.codes for code in rule.codes):
            return one.name or rule.name, one.line
    if not rule.codes:
        return None if rule.age is None and not rule.without else (rule.name, "")
    words = [part.strip() for part in rule.name.lower().split(" or ")]
    for line in lines:
        if any(part in line.lower() for part in words if part and part not in _DEGREES):
            return rule.name, line
    return None


def _under(own: str, code: str) -> bool:
    """Whether what a condition is called may be meant by the code of a rule."""
    return own.startswith(code)


def _of_age_and_pregnancy(seen: RxObservation, drug: str, who: Patient) -> Iterator[Flag]:
    rx = load()
    for limit in rx.drugs[drug].pediatric:
        told = " ".join([*(seen.medical_conditions or ()), seen.indication]).lower()
        after = not limit.after or any(part in told for part in limit.after.split(" or "))
        against = limit.grade in _AGAINST and not limit.disputed
        if against and after and limit.age.holds(who.months):
            yield Flag("contraindication", f"age-{drug}", "", limit.effect, limit.authority, True)
    found = pregnancy(seen.medical_conditions or [])
    if found is None:
        return
    weeks, line = found
    for rule in rx.drugs[drug].pregnancy:
        within = rule.weeks is None or weeks is None or rule.weeks.holds(weeks)
        if rule.grade in _AGAINST and not rule.disputed and within:
            yield Flag("contraindication", f"pregnancy-{drug}", line, rule.effect, rule.authority,
                       True)  # fmt: skip
