"""A drug of the week or month taken daily, a long-acting form twice, one that wears off once.

How often is right stands in the drug's dose rules; that methotrexate is weekly also in ISMP's
list of high-alert medications.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from casegen.seeds.rx.recommending import too_often_effect

from ..doses import DAYS, Regimen, meant, regimens, rules_of
from ..known import Known
from ..model import Opening, Sketch, UnfitError, on_dose

# What has to be there all day: given once, it is not.
_WEARS_OFF = frozenset(("antibiotic", "antiviral", "doac", "antiepileptic"))
_LONG_ACTING = ("extended-release", "sustained-release")
_SPAN = {1: "a day", 7: "a week", 30: "a month"}


def openings(known: Known) -> Iterator[Opening]:
    """Each rule whose number of administrations a prescriber could miss."""
    for drug in known.prescribed:
        one = known.drug(drug)
        for use in known.uses[drug]:
            problem = known.problems[use.problem]
            for row in one.doses:
                if row.times is None or row.basis not in DAYS or row.renal is not None:
                    continue
                if row.usual is None or (row.indication and not meant(row, use, problem)):
                    continue
                if DAYS[row.basis] > 1 and row.times != (1, 1):
                    continue
                if DAYS[row.basis] > 1:
                    # The weekly ones are those that kill, so they come more often.
                    yield Opening(drug, f"{drug}/long", use=use, data=1)
                    yield Opening(drug, f"{drug}/{use.problem}/long", use=use, data=1)
                elif row.times[0] >= 2 and known.kin[drug] & _WEARS_OFF:
                    yield Opening(drug, f"{drug}/once", use=use, data=1)
                elif row.times == (1, 1) and row.form.startswith(_LONG_ACTING):
                    yield Opening(drug, f"{drug}/twice", use=use, data=2)


def join(sketch: Sketch, opening: Opening) -> None:
    """Settle a dose that is right but for how often. Raises UnfitError where none fits."""
    if sketch.fixed or sketch.use is not opening.use:
        raise UnfitError("the dose is settled")
    times = int(opening.data)
    made = regimens(sketch.known.rx, sketch.drug, sketch.use, sketch.condition, sketch.body)
    found = [one for one in made if _wrong(sketch, one, times)]
    if not found:
        raise UnfitError("no frequency is wrong")
    regimen = sketch.lane.pick(found)
    low, high = regimen.row.times or (1, 1)
    count = f"{low} to {high} times" if low != high else "once" if high == 1 else f"{high} times"
    right = f"{count} {_SPAN[regimen.days]}"
    grave = regimen.days > 1
    sketch.regimen, sketch.fixed = replace(regimen, times=times, days=1), True
    on_dose(
        sketch, "frequency", "major" if grave else "moderate",
        _effect(sketch, regimen, times), right,
        f"{'once' if times == 1 else 'twice'} a day; {right}", regimen.row.authority,
    )  # fmt: skip


def _effect(sketch: Sketch, regimen: Regimen, times: int) -> str:
    """What a dose does that is given too often or too seldom."""
    if regimen.days > 1 or times > regimen.times:
        return too_often_effect(sketch.drug.id)
    return "too seldom, so the effect wears off between the doses"


def _wrong(sketch: Sketch, one: Regimen, times: int) -> bool:
    """Whether so many times a day breaks the rules on frequency and no others."""
    if one.days > 1:
        return True
    if times == 2 and not one.form.startswith(_LONG_ACTING):
        return False
    rules = rules_of(sketch.drug, sketch.use, sketch.condition, sketch.body)
    rows = rules.on(one)
    outside = [r.times is not None and not r.times[0] <= times <= r.times[1] for r in rows]
    if not outside or not all(outside):
        return False
    # Twice a day the long-acting form still gives no more than is allowed.
    return times == 1 or all(r.maximum is None or one.amount * 2 <= r.maximum for r in rows)
