"""``check_ncci_edits``: what the NCCI practitioner tables know of two codes on the claim."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from casegen.lookup.codes import ICD
from casegen.lookup.text import INDICATORS
from casegen.schemas import ClaimLine
from casegen.schemas.pack import Task

from ..case import case_of
from .own_rules import with_own_rules
from .service_text import bare, service_of
from .source import Claim, claim_of, tables_of

if TYPE_CHECKING:
    from casegen.seeds.services import PtpEdit, Services

_TEXTS = 4_096
_STRANGER = "(not in casegen's list of services)"

Member = tuple[str, str, tuple[str, ...]]  # code, system, modifiers


def ncci_text(task: Task, line1: ClaimLine, line2: ClaimLine) -> tuple[str, bool]:
    """What the tables know of the pair, and whether they hold an edit that is in force on the
    date of service: direction, modifier indicator, quarter, deletions, and the modifiers that
    stand on the lines. The rules of the task stand before it.

    Raises InputError where the case goes by imported tables that aren't here.
    """
    official, found = _official(_member(line1), _member(line2), claim_of(case_of(task)))
    return with_own_rules(task.own_rules, official, line1.code, line2.code), found


def _member(line: ClaimLine) -> Member:
    return line.code, line.system, tuple(line.modifiers)


@lru_cache(maxsize=_TEXTS)
def _official(one: Member, other: Member, claim: Claim) -> tuple[str, bool]:
    diagnoses = [code for code, system, _ in (one, other) if system == ICD]
    if diagnoses:
        return "\n".join(_no_services(diagnoses)), False
    services = tables_of(claim.tables, claim.digest)[1]
    a, b = bare(one[0]), bare(other[0])
    active = services.pair(a, b, claim.on)
    return "\n".join(_pair(one, other, claim, services, active)), active is not None


def _no_services(diagnoses: list[str]) -> Iterator[str]:
    yield "NCCI procedure-to-procedure edits pair CPT and HCPCS codes."
    for code in dict.fromkeys(diagnoses):
        yield f"{code} stands on this claim as an {ICD} diagnosis code."


def _pair(
    one: Member, other: Member, claim: Claim, services: Services, active: PtpEdit | None
) -> Iterator[str]:
    a, b = bare(one[0]), bare(other[0])
    for code in dict.fromkeys((a, b)):
        facts = service_of(code, claim.on, claim.tables, claim.digest)
        yield f"{code}  {facts['label'] if facts else _STRANGER}"
    edits = services.pair_any(a, b)
    if a == b:
        yield "A code forms no pair with itself."
    elif not edits:
        yield f"The NCCI practitioner tables at hand ({services.edition}) hold no pair of the two."
        strangers = [code for code in (a, b) if code not in services]
        if strangers:
            told = " and ".join(strangers)
            yield f"They hold pairs among the services of casegen's list, without {told}."
    for edit in edits:
        yield from _edit(edit, services.edition, edit is active or edit == active, claim)
    if edits:
        if active is None:
            yield f"None of these binds services of {claim.on}."
        yield (
            f"The figures are those of {services.edition}; later quarters are not told. "
            + _binds(claim)
        )
        if active is not None and active.indicator == 1:
            yield _lifting(active, services)
    yield from _modifiers(one, other, services)


def _edit(edit: PtpEdit, edition: str, active: bool, claim: Claim) -> Iterator[str]:
    yield f"NCCI practitioner pair ({edition}): {_state(edit, active, claim)}."
    yield f"  column 1: {edit.column1}"
    yield f"  column 2: {edit.column2}, the one that is denied"
    yield f"  modifier indicator {edit.indicator}: {INDICATORS[edit.indicator]}"
    yield f"  reason: {edit.rationale}"


def _lifting(edit: PtpEdit, services: Services) -> str:
    """The modifiers that may lift an edit of indicator 1, be they on the claim or not."""
    if services.takes_25(edit.column2):
        return (
            f"{edit.column2} takes modifier 25, as evaluation and management codes do: on it "
            "25 is the one that may lift the edit (57 where the visit decided on major "
            "surgery); 59 and XE, XP, XS, XU are not for evaluation and management codes "
            "(NCCI Policy Manual, chapter I)."
        )
    told = ", ".join(sorted(services.associated_modifiers()))
    return f"Modifiers that may lift it: {told} (NCCI Policy Manual, chapter I)."


def _state(edit: PtpEdit, active: bool, claim: Claim) -> str:
    if edit.indicator == 9:
        return f"withdrawn, deletion dated {edit.deleted or 'nowhere'}; it never was in force"
    if edit.deleted:
        which = "before" if edit.deleted < claim.on else "not before"
        return f"deleted, in force to {edit.deleted}, which is {which} {claim.day}"
    return f"active in that quarter, applied to {claim.day}" if active else "not in force"


def _binds(claim: Claim) -> str:
    told = "Practitioner pairs bind professional claims; this is "
    return told + ("one." if claim.claim_type == "professional" else "a facility claim.")


def _modifiers(one: Member, other: Member, services: Services) -> Iterator[str]:
    """The modifiers that stand on the lines, and which of them NCCI counts."""
    for code, _, modifiers in (one, other):
        yield f"Modifiers on {bare(code)}: {', '.join(modifiers) if modifiers else 'none'}."
        for modifier in modifiers:
            yield f"  {modifier}: {_counts(modifier, bare(code), services)}"


def _counts(modifier: str, code: str, services: Services) -> str:
    if modifier not in services.associated_modifiers():
        return "none of the NCCI-associated modifiers"
    if modifier == "25" and not services.takes_25(code):
        return f"NCCI-associated on evaluation and management codes, which {code} is not"
    return "an NCCI-associated modifier"
