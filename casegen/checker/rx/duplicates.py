"""The same therapy twice: one drug under two names, one ingredient in two products, or two drugs
of a class of which one is enough."""

from __future__ import annotations

from casegen.schemas.rx_case import RxAuthority
from casegen.seeds.rx.naming import interaction_names
from casegen.seeds.rx.recommending import asks_for

from .model import Verdict, Work, known
from .patient import LOCAL, Medication

# Federal rules on drug utilization review name therapeutic duplication first among the problems
# for which a pharmacist screens a prescription.
AUTHORITY = RxAuthority(
    "guideline", "42 CFR 456.705 (prospective drug review)", "(b)(1) therapeutic duplication"
)


def find(work: Work) -> None:
    """Judge the prescribed drug beside each medication that acts in the whole body as it does.

    A prescription that goes on for a listed drug is that drug, not a second one.
    """
    if work.route in LOCAL and not set(work.drug.routes) <= LOCAL:
        return
    for one in work.patient.medications:
        if one.local or (one.drug.id == work.drug.id and not work.written.starting):
            continue
        pair = [one.drug.id, work.drug.id]
        if any(f.problem == "duplicate_therapy" and f.pair == pair for f in work.findings):
            continue  # it is listed twice
        shared, both = _shared(work, one)
        if shared:
            _add(work, one, shared, both)


def _shared(work: Work, one: Medication) -> tuple[str, str]:
    """What two drugs share, in words; "" if nothing."""
    rx = work.rx
    if one.drug.id == work.drug.id:
        return one.drug.id, f"are both {one.drug.id}"
    parts = set(rx.ingredients(work.drug.id)) & set(rx.ingredients(one.drug.id))
    if parts:
        return min(parts), f"both hold {min(parts)}"
    classes = sorted(set(work.drug.duplicate) & set(one.drug.duplicate))
    if classes:
        title = rx.classes[classes[0]].title
        return title, f"are each a kind of {title}"
    return "", ""


def _together(work: Work, one: Medication) -> Verdict | None:
    """The finding that an ingredient of both exceeds its highest dose, if there is one."""
    for found in work.findings:
        of_both = found.problem == "combined_ingredient" and found.component == "dose"
        if of_both and one.id in found.evidence:
            return found
    return None


def _add(work: Work, one: Medication, shared: str, both: str) -> None:
    pair = [one.drug.id, work.drug.id]
    sum_of = _together(work, one)
    beside = next(
        (v for v in work.findings if v.component == "interaction" and v.pair == pair), None
    )
    names = interaction_names(work.rx, one.drug.id, work.drug.id)
    said = f"{one.drug.id} and {work.drug.id}"
    if both.startswith(("are both", "both hold")):
        said = f"{one.called} and {work.written.drug}"  # two brands show no common word
    effect, reason = f"{shared} twice", f"{said} {both}"
    verdict = Verdict(
        "interaction", "duplicate_therapy", pair, names, "moderate",
        asks_for("interaction", "duplicate_therapy"), effect, "give one of them", reason,
        [AUTHORITY], "", known([one.id]),
    )  # fmt: skip
    if sum_of is not None:  # what both hold is too much together, and that can be lowered
        verdict.problem, verdict.severity = "combined_ingredient", sum_of.severity
        verdict.asks = asks_for("interaction", "combined_ingredient")
        verdict.effect, verdict.management = sum_of.effect, sum_of.management
        verdict.reason = f"{reason}: {sum_of.reason}"
        verdict.authority = [*sum_of.authority, AUTHORITY]
    if beside is not None:  # one pair is one finding, with all that speaks against it
        verdict.severity = beside.severity
        if beside.asks == "reject":
            verdict.asks = beside.asks
        verdict.names = list(dict.fromkeys([*names, *beside.names]))
        verdict.authority = [*beside.authority, AUTHORITY]
        verdict.effect = f"{beside.effect}; {effect}"
        verdict.management = beside.management
        verdict.disputed = beside.disputed
        work.findings.remove(beside)
    work.watches = [w for w in work.watches if w.component != "interaction" or w.pair != pair]
    work.findings.append(verdict)
