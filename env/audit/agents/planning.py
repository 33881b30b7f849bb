"""How the agent that knows the answer spends its steps: on what shows the findings, and on a look
at every line of the claim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from casegen.schemas import Finding
from casegen.schemas.play import AuditAction, AuditObservation

from .script import check, query, services

Look = tuple[str, ...]  # at one code, or at the two of a pair


@dataclass(slots=True)
class Proof:
    """A finding and the code by which it is flagged; the looks that show it, of which the first
    shows its ground; and the act that settles it, a question or a passage to be marked."""

    finding: Finding
    code: str
    looks: list[Look]
    settle: AuditAction | None

    @property
    def mark(self) -> str | None:
        """The passage to be marked, if there is one."""
        return self.settle.evidence_text if self.settle is not None else None

    @property
    def question(self) -> str | None:
        """The question to the physician, if there is one."""
        return self.settle.question if self.settle is not None else None


def planned(observation: AuditObservation, proofs: list[Proof]) -> list[AuditAction]:
    """The looks that the steps allow, in the claim's order, pairs behind single codes.

    Where steps are short these are given up, one by one: looks at a code whose pair is looked up
    as well; looks at single services, two of which make a pair; passages to be marked (the flag
    quotes them all the same, but its ``settle`` is taken away); and the last lines of the claim.
    """
    claim = list(observation.proposed_codes)
    first = _unlike(proof.looks[0] for proof in proofs)
    covered = {code for look in first for code in look}
    more = dict.fromkeys(code for proof in proofs for look in proof.looks[1:] for code in look)
    again = [code for code in more if code in covered and (code,) not in first]
    rest = [code for code in dict.fromkeys((*more, *claim)) if code not in covered]
    marks = list(dict.fromkeys(proof.mark for proof in proofs if proof.mark is not None))
    questions = {proof.question for proof in proofs if proof.question is not None}

    steps = observation.max_steps - 1 - len(proofs) - len(questions)
    short = len(first) + len(again) + len(rest) + len(marks) - steps
    while short > 0 and again:
        again.pop()
        short -= 1
    loose = [code for code in services(observation) if code in rest]
    joined: list[Look] = []
    while short > 0 and len(loose) > 1:
        joined.append((loose.pop(0), loose.pop(0)))
        rest = [code for code in rest if code not in joined[-1]]
        short -= 1
    while short > 0 and marks:
        given_up = marks.pop()
        for proof in proofs:
            if proof.mark == given_up:
                proof.settle = None
        short -= 1
    if short > 0:
        rest = rest[: max(0, len(rest) - short)]

    single = {look[0] for look in first if len(look) == 1}.union(again, rest)
    pairs = [look for look in first if len(look) == 2] + joined
    return [query(code) for code in claim if code in single] + [check(*pair) for pair in pairs]


def _unlike(looks: Iterable[Look]) -> list[Look]:
    """Looks without those that come again; a pair has no order."""
    found: dict[frozenset[str], Look] = {}
    for look in looks:
        found.setdefault(frozenset(look), look)
    return list(found.values())
