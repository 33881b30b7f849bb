"""Which dose rules bear on a patient, and the doses that are right by all of them.

A dose that is drawn as right lies in the usual range of its use and breaks no rule that holds;
one that is drawn as wrong breaks the rule that binds. How rules are chosen stands in
``DoseLimit``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from casegen.seeds.icd10cm.memo import Memo
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.model import DoseLimit, Drug, Strength
from casegen.seeds.rx.naming import words

from .problems import Problem, Use

DAYS = {"day": 1, "kg/day": 1, "week": 7, "month": 30}
OLD = 60 * 12
_STEP = Decimal(10)
_FEW = Decimal(60)


@dataclass(frozen=True, slots=True)
class Body:
    """What of a patient bears on a dose: completed months, kilograms (None where no case may need
    them), measured values by name."""

    months: int
    weight: Decimal | None
    values: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class Regimen:
    """A dose that a drug is given in. ``amount`` of one administration, in ``unit``, is that of
    the ingredient of which ``row`` speaks; ``times`` in ``days`` days; ``strength`` with its
    ``pieces``, None where the amount is measured out."""

    route: str
    form: str
    strength: Strength | None
    pieces: int
    amount: Decimal
    unit: str
    times: int
    days: int
    row: DoseLimit

    @property
    def total(self) -> Decimal:
        """The amount in ``days`` days."""
        return self.amount * self.times


def holds(row: DoseLimit, body: Body) -> bool:
    """Whether the bounds of a rule hold. Kidneys that nobody measured are normal, so that a rule
    for weak ones does not hold then; no case is drawn where the liver or criteria decide unknown.
    """
    if row.age is not None and not row.age.holds(body.months):
        return False
    if row.weight is not None and (body.weight is None or not row.weight.holds(body.weight)):
        return False
    if row.hepatic:
        return False
    if row.renal is not None:
        value = body.values.get(row.renal.name)
        if value is None:
            return row.renal.range.high is None
        if not row.renal.range.holds(value):
            return False
    if row.criteria is not None:
        met = sum(1 for one in row.criteria.of if _met(one.name, one.range, body))
        return met >= row.criteria.need
    return True


def _met(name: str, bounds: object, body: Body) -> bool:
    value: Decimal | int | None = body.values.get(name)
    if name == "age":
        value = body.months
    elif name == "weight":
        value = body.weight
    return value is not None and bounds.holds(value)  # type: ignore[attr-defined]


def beside(row: DoseLimit) -> bool:
    """Whether a rule stands beside those for an indication: it is bound to kidneys, criteria or
    old age, or gives no usual range."""
    old = row.age is not None and row.age.low is not None and row.age.low >= OLD
    return old or row.usual is None or bool(row.renal or row.criteria or row.hepatic)


def meant(row: DoseLimit, use: Use, problem: Problem) -> bool:
    """Whether a rule is for the use: by its words where the use gives some, else by its codes."""
    if use.indication:
        return row.indication == use.indication
    return bool(row.codes) and problem.code.startswith(row.codes)


def begins(regimen: Regimen, use: Use) -> bool:
    """Whether a new prescription may begin with a dose."""
    least = [one for one in (regimen.row.start, use.begin) if one is not None]
    return not least or regimen.total <= min(least)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that hold for a use: those that say how much is usual, and those beside them."""

    base: tuple[DoseLimit, ...]
    beside: tuple[DoseLimit, ...]

    def on(self, regimen: Regimen) -> tuple[DoseLimit, ...]:
        """All that bind a form by a route, for one span of time."""
        return tuple(
            row
            for row in (*self.base, *self.beside)
            if row.form in ("", regimen.form)
            and row.route in ("", regimen.route)
            and DAYS.get(row.basis) == regimen.days
        )


def rules_of(drug: Drug, use: Use, problem: Problem, body: Body) -> Rules:
    """The rules that hold for a patient. Where some are for the use, those for any use stand
    back, but for the ones beside them."""
    held = [row for row in drug.doses if holds(row, body)]
    own = [row for row in held if row.indication and meant(row, use, problem)]
    base = [row for row in own if row.usual is not None and not beside(row)]
    # A rule bound to kidneys may be the only one that tells how much is usual.
    base = base or [row for row in own if row.usual is not None]
    if not base:
        general = [row for row in held if not row.indication and row.usual is not None]
        base = [row for row in general if not beside(row)] or general
    others = [
        row
        for row in held
        if row not in base and beside(row) and (not row.indication or row in own)
    ]
    return Rules(tuple(base), tuple(others))


def range_of(row: DoseLimit, body: Body) -> tuple[Decimal, Decimal, Decimal | None] | None:
    """The usual range and the maximum of a rule as amounts of the patient, None where the rule
    needs a weight that there is not."""
    if row.usual is None:
        return None
    low, high = row.usual
    most = row.maximum
    if row.basis.startswith("kg"):
        if body.weight is None:
            return None
        low, high = low * body.weight, high * body.weight
        most = None if most is None else most * body.weight
        if row.cap is not None:
            low, high = min(low, row.cap), min(high, row.cap)
            most = row.cap if most is None else min(most, row.cap)
    return low, high, most


def maximum_of(row: DoseLimit, body: Body) -> Decimal | None:
    """The maximum of a rule as an amount of the patient, None where it gives none."""
    if row.maximum is None:
        return row.cap
    if not row.basis.startswith("kg"):
        return row.maximum
    if body.weight is None:
        return None
    most = row.maximum * body.weight
    return most if row.cap is None else min(most, row.cap)


def share(drug: Drug, regimen: Regimen, row: DoseLimit) -> Decimal:
    """What one administration gives of the ingredient of which a rule speaks."""
    strength = regimen.strength
    if strength is None or len(strength.amounts) < 2:
        return regimen.amount
    return strength.amounts[place_of(drug, row)] * regimen.pieces


def lowest(
    drug: Drug, regimen: Regimen, rules: Rules, body: Body
) -> tuple[Decimal, DoseLimit] | None:
    """The maximum that a dose exceeds most, or comes nearest to, with its rule; None where no
    rule gives one."""
    found = [
        (share(drug, regimen, row) * regimen.times / most, most, row)
        for row in rules.on(regimen)
        if (most := maximum_of(row, body)) is not None
    ]
    if not found:
        return None
    _, most, row = max(found, key=lambda one: one[0])
    return most, row


def right(drug: Drug, regimen: Regimen, rules: Rules, body: Body) -> bool:
    """Whether a dose breaks no rule that holds."""
    for row in rules.on(regimen):
        if row.unit != regimen.unit:
            return False
        one = share(drug, regimen, row)
        total = one * regimen.times
        most = maximum_of(row, body)
        if most is not None and total > most:
            return False
        if row.single is not None and one > row.single:
            return False
        if row.times is not None and not row.times[0] <= regimen.times <= row.times[1]:
            return False
        amounts = range_of(row, body)
        if amounts is not None and total < amounts[0]:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Bounds:
    """At which months the dose rules of a drug change, and what else they ask for."""

    months: tuple[int, ...]
    weight: bool
    measures: tuple[str, ...]


@lru_cache(maxsize=1_024)
def _bounds(drug: Drug) -> _Bounds:
    months: set[int] = set()
    measures: set[str] = set()
    weight = False
    for row in drug.doses:
        if row.age is not None:
            months |= {int(end) for end in (row.age.low, row.age.high) if end is not None}
        weight = weight or row.weight is not None or row.basis.startswith("kg")
        measures |= {row.renal.name} if row.renal is not None else set()
        if row.criteria is not None:
            measures |= {one.name for one in row.criteria.of}
            months |= {
                int(end)
                for one in row.criteria.of
                for end in (one.range.low, one.range.high)
                if one.name == "age" and end is not None
            }
    return _Bounds(tuple(sorted(months)), weight or "weight" in measures, tuple(sorted(measures)))


_MADE: Memo[tuple[object, ...], tuple[Regimen, ...]] = Memo(8_192)


def regimens(rx: Rx, drug: Drug, use: Use, problem: Problem, body: Body) -> tuple[Regimen, ...]:
    """The ordinary doses of a drug for a use that are right for the patient."""
    bounds = _bounds(drug)
    key = (
        drug.id, use, bisect_right(bounds.months, body.months),
        body.weight if bounds.weight else None, *map(body.values.get, bounds.measures),
    )  # fmt: skip
    found = _MADE.get(key)
    if found is None:
        found = _MADE.keep(key, tuple(_regimens(rx, drug, use, problem, body)))
    return found


def _regimens(rx: Rx, drug: Drug, use: Use, problem: Problem, body: Body) -> list[Regimen]:
    rules = rules_of(drug, use, problem, body)
    if any(row.disputed for row in rules.beside):
        return []  # authorities differ on it
    found: dict[tuple[str, Decimal, int], Regimen] = {}
    for row in rules.base:
        amounts = range_of(row, body)
        if row.basis not in DAYS or amounts is None:
            continue
        low = amounts[0] if use.least is None else max(amounts[0], use.least)
        top = amounts[1] if use.top is None else min(amounts[1], use.top)
        made = _measured if row.basis == "kg/day" else _pieced
        for one in made(rx, drug, use, row, low, top):
            if low <= one.total <= top and right(drug, one, rules, body):
                found.setdefault((one.form, one.amount, one.times), one)
    return list(found.values())


def times_of(row: DoseLimit, use: Use) -> Sequence[int]:
    """How often a dose of a rule may be given in its span of time."""
    low, high = row.times or (1, 2)
    if DAYS.get(row.basis, 1) > 1:
        return (low,)  # a weekly or monthly dose is one; a rule may also speak of daily ones
    if use.times:
        low, high = row.times or (1, 6)
        return [times for times in use.times if low <= times <= high]
    return range(low, max(low, min(high, 4)) + 1)


def route_of(drug: Drug, row: DoseLimit) -> str:
    """The route of a rule, or the first of the drug."""
    return row.route or drug.routes[0]


def place_of(drug: Drug, row: DoseLimit) -> int:
    """Which of the ingredients a rule speaks of, from 0."""
    return drug.ingredients.index(row.ingredient) if row.ingredient in drug.ingredients else 0


def strengths_of(drug: Drug, row: DoseLimit, use: Use) -> Iterator[Strength]:
    """The marketed strengths that a rule and a use admit."""
    pourable = row.route in ("subcutaneous", "intravenous") or drug.routes[0] != "oral"
    for one in drug.strengths:
        if row.form and one.form != row.form:
            continue
        if use.form and one.form != use.form:
            continue
        if one.per is None or pourable:
            yield one


def _pieced(
    rx: Rx, drug: Drug, use: Use, row: DoseLimit, low: Decimal, top: Decimal
) -> Iterator[Regimen]:
    place = place_of(drug, row)
    made = list(strengths_of(drug, row, use))
    for strength in made:
        amount = strength.amounts[place]
        largest = max(one.amounts[place] for one in made if one.form == strength.form)
        if strength.unit != row.unit:
            factor = rx.conversions.get((strength.unit, row.unit))
            if factor is None:
                continue
            amount, largest = amount * factor, largest * factor
        # Two pieces are taken where no single one holds as much.
        for pieces in use.pieces or ((1,) if amount * 2 <= largest else (1, 2)):
            for times in times_of(row, use):
                if low <= amount * pieces * times <= top:
                    yield Regimen(
                        route_of(drug, row), strength.form, strength, pieces, amount * pieces,
                        row.unit, times, DAYS[row.basis], row,
                    )  # fmt: skip


def _measured(
    rx: Rx, drug: Drug, use: Use, row: DoseLimit, low: Decimal, top: Decimal
) -> Iterator[Regimen]:
    """Doses by weight: a volume of the liquid, or what the pen delivers."""
    liquid = next((one for one in drug.strengths if one.per is not None), None)
    if liquid is None or liquid.unit != row.unit:
        return
    step = _STEP if low >= _FEW and row.unit == "mg" else Decimal(1)
    for times in times_of(row, use):
        for share in (low, (low + top) / 2, top):
            amount = (share / times // step) * step
            if amount > 0 and low <= amount * times <= top:
                yield Regimen(
                    route_of(drug, row), liquid.form, None, 1, amount, row.unit, times, 1, row
                )


def told(rx: Rx, drug: Drug, use: Use, problem: Problem) -> list[str]:
    """How a prescriber may name what the drug is for, so that the rules for the use are meant and
    no others; empty where no name would do that."""
    own = [row for row in drug.doses if row.indication and meant(row, use, problem)]
    if not own:
        return [name for name in problem.names if not _hit(rx, name, drug)]
    meanings = {row.indication for row in own}
    names = [*use.says] or [own[0].indication, *problem.names]
    for one in rx.conditions:
        codes = [code for code in one.codes if problem.code.startswith(code)]
        coded = any(code.startswith(row.codes) for code in codes for row in own if row.codes)
        if coded and not use.says:
            names.append(one.name)
    found = [name for name in dict.fromkeys(names) if _hit(rx, name, drug) == meanings]
    # Who prescribes names one thing and not the heading of the label.
    return [name for name in found if " or " not in name] or found


def _hit(rx: Rx, name: str, drug: Drug) -> set[str]:
    """The indications of a drug's rules that a name means best: by name or code before by words
    that one of them holds of the other."""
    condition = rx.condition(name)
    codes = condition.codes if condition is not None else ()
    mine = f" {words(name)} "
    found: dict[str, int] = {}
    for row in drug.doses:
        if not row.indication:
            continue
        theirs = f" {words(row.indication)} "
        if mine == theirs or any(
            a.startswith(b) or b.startswith(a) for a in codes for b in row.codes
        ):
            found[row.indication] = 2
        elif mine in theirs or theirs in mine:
            found.setdefault(row.indication, 1)
    best = max(found.values(), default=0)
    return {indication for indication, how in found.items() if how == best}
