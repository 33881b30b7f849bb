"""What the list of services and the NCCI tables say of a code on the claim, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from casegen.checker.existence import service_shape
from casegen.lookup.codes import ICD, service_facts, system_by_form
from casegen.lookup.ncci import outside

from .source import Claim, tables_of

_FACTS = 1_024  # services whose facts are remembered
_OLDEST = 124
_MOST_PRIMARIES = 20


def service_of(code: str, on: str, name: str, digest: str) -> dict[str, Any] | None:
    """The facts of a service, also of one that only imported NCCI tables hold; None for no
    table. Not to be changed: they are shared, also by dates between which nothing changes."""
    return _facts(code, tables_of(name, digest)[1].day_like(on), name, digest)


@lru_cache(maxsize=_FACTS)
def _facts(code: str, on: str, name: str, digest: str) -> dict[str, Any] | None:
    services = tables_of(name, digest)[1]
    return service_facts(code, on, services) or outside(code, on, services, {})


def bare(code: str) -> str:
    """A service code as the tables have it."""
    return "".join(code.split()).upper()


def service_lines(code: str, system: str, claim: Claim) -> Iterator[str]:
    """What the tables know of the service ``code``, claimed as one of ``system``."""
    code = bare(code)
    facts = service_of(code, claim.on, claim.tables, claim.digest)
    if facts is None:
        yield from _unknown(code, system)
        return
    yield f"{code}  {facts['label']}"
    if facts["system"] != system:
        yield f"{system} has no code {code}; it is one of {facts['system']}."
    if "ended_on" in facts:
        yield from _retired(facts, claim)
        return
    yield from _standing(facts, claim)
    yield from _limits(facts)
    yield from _add_on(facts, claim)
    yield from _edits(code, facts, claim)


def _unknown(code: str, system: str) -> Iterator[str]:
    yield f"{code}  (not in casegen's list of services)"
    if not service_shape(code):
        yield (
            f"No {system} code has the form of {code}: CPT codes have four digits and a digit or "
            "one of F, T, U, A, M; HCPCS codes a letter from A to V and four digits."
        )
        return
    own = system_by_form(code)
    if own != system:
        yield f"{system} has no code {code}; by its form it is one of {own}."
    yield (
        f"The list holds only some codes of {own}; whether {code} is valid, the tables at hand "
        "do not tell."
    )


def _retired(facts: dict[str, Any], claim: Claim) -> Iterator[str]:
    ended = facts["ended_on"]
    if ended <= claim.on:
        yield f"{facts['system']}: retired; no longer valid from {ended} on, so not on {claim.day}."
    else:
        yield f"{facts['system']}: valid on {claim.day}; no longer from {ended} on."
    yield f"Source: {facts['source']}."


def _standing(facts: dict[str, Any], claim: Claim) -> Iterator[str]:
    if facts["status"] == "unknown":
        yield f"{facts['system']}: not in casegen's list; whether it is valid isn't known."
        return
    yield f"{facts['system']}: in casegen's list as valid on {claim.day}."


def _limits(facts: dict[str, Any]) -> Iterator[str]:
    if facts.get("sex"):
        yield f"Sex, by meaning: {facts['sex']} patients."
    low, high = facts.get("age", (0, _OLDEST))
    if (low, high) != (0, _OLDEST):
        if low == high:
            years = f"{low} years" if low else "below one year"
        else:
            years = f"{low} to {high} years" if high < _OLDEST else f"from {low} years on"
        yield f"Age, by meaning: {years}."
    if facts["mue"]:
        yield (
            f"Medically unlikely edit: at most {facts['mue']} units a day "
            f"({facts['mue_edition']}, practitioner claims)."
        )


def _add_on(facts: dict[str, Any], claim: Claim) -> Iterator[str]:
    primaries = facts.get("add_on_to")
    if not primaries:
        return
    more = len(primaries) - _MOST_PRIMARIES
    told = ", ".join(primaries[:_MOST_PRIMARIES]) + (f" and {more} more" if more > 0 else "")
    claimed = {bare(code) for code, _ in claim.lines}
    here = ", ".join(code for code in primaries if code in claimed) or "none"
    yield f"Add-on code, reported beside one of {told}; on this claim: {here}."


def _edits(code: str, facts: dict[str, Any], claim: Claim) -> Iterator[str]:
    """The NCCI pairs with other codes of the claim, and the number of the rest."""
    above, below = facts["column1_of"], facts["column2_of"]
    edition = facts["edition"]
    if not above and not below:
        yield f"NCCI practitioner pairs ({edition}): the tables at hand hold none with it."
        return
    yield (
        f"NCCI practitioner pairs ({edition}, of professional claims): column 1 of {len(above)}, "
        f"column 2 of {len(below)} among the services that casegen lists. "
        "With other codes of this claim:"
    )
    claimed = {bare(other) for other, system in claim.lines if system != ICD}
    here = [(code, other, indicator) for other, indicator in above if other in claimed]
    here += [(other, code, indicator) for other, indicator in below if other in claimed]
    for first, second, indicator in here:
        yield f"  column 1 {first}, column 2 {second}, modifier indicator {indicator}"
    if not here:
        yield "  none"
