"""The agent that knows the answer, and flags only what its own steps have shown."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten

from casegen.schemas import Finding, Span
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

from .oracle import named, other_member
from .script import Script, Scripted, ask, check, each, extract, flag, looks, query, services

# Honest questions by topic: each names what is open and what it is about.
QUESTIONS = {
    "side": "Which side does {subject} concern?",
    "phase": "Which phase of care was this visit for {subject}?",
}
_LONGEST_SUBJECT = 80
# Characters of a quotation that needs no words around it, and of one that has them at most.
_SHORT, _PHRASE = 25, 60


@dataclass(slots=True)
class _Proof:
    """A finding, and the acts that show it: looks at its codes, then what settles it."""

    finding: Finding
    code: str
    looks: list[AuditAction]
    settle: AuditAction | None

    def cost(self) -> int:
        """Steps, the flag's own among them."""
        return len(self.looks) + (self.settle is not None) + 1


def expert(task: Task, seed: int) -> Scripted:
    """Looks each code up, asks the physician or marks the passage that settles a finding, and
    flags it with its reason and authority. Of a clean claim it looks at every code."""

    def script(observation: AuditObservation) -> Script:
        steps = observation.max_steps - 1
        if not task.case.findings:
            yield from each(looks(observation, observation.max_steps))
            return
        proofs = [_proof(task, observation, *item) for item in named(task)]
        _trim(proofs, steps)
        rest = steps - sum(map(_Proof.cost, proofs))
        yield from each(_planned(observation, proofs, rest))
        done: set[str] = set()
        for proof in proofs:
            if proof.settle is not None and (said := _said(proof.settle)) not in done:
                observation = yield proof.settle
                if observation.last_action_error is not None:
                    continue  # not shown, so not flagged
                done.add(said)
            yield flag(
                proof.code,
                proof.finding.error_type,
                reason(proof.finding),
                proof.finding.correction.replacement,
                other_member(proof.finding, proof.code),
            )

    return Scripted(script)


def reason(finding: Finding) -> str:
    """Why a finding is one, and on whose authority."""
    authority = finding.authority
    return f"{finding.explanation} Authority: {authority.reference} ({authority.edition})."


def _proof(task: Task, observation: AuditObservation, finding: Finding, code: str) -> _Proof:
    other = other_member(finding, code)
    pair = services(observation)
    if other is not None and code in pair and other in pair:
        acts = [check(code, other), query(code)]
    else:
        acts = [query(code)] + ([query(other)] if other is not None else [])
    return _Proof(finding, code, acts, _settling(observation, finding))


def _settling(observation: AuditObservation, finding: Finding) -> AuditAction | None:
    """The physician is asked where the note leaves it open; elsewhere the note is quoted."""
    for topic in finding.questions:
        told = observation.proposed_codes.get(finding.code, {}).get("description", finding.code)
        first = told.partition(",")[0]
        first = (first[:1].lower() + first[1:]).removeprefix("unspecified ")
        subject = shorten(first, _LONGEST_SUBJECT, placeholder="")
        return ask(QUESTIONS[topic].format(subject=subject))
    if not finding.evidence:
        return None
    longest = max(finding.evidence, key=lambda span: span.end - span.start)
    return extract(quoted(observation.clinical_note, longest))


def quoted(note: str, span: Span) -> str:
    """The words of a span; a short one with whole words of its line around it, so that it can
    be found again and says something by itself."""
    start, end = span.start, span.end
    first = note.rfind("\n", 0, start) + 1
    last = note.find("\n", end)
    last = len(note) if last < 0 else last
    while end - start < _SHORT:
        after = note.find(" ", end + 1, last)
        before = note.rfind(" ", first, max(first, start - 1))
        wider = (max(before, first - 1) + 1 if start > first else start, end)
        if wider[0] == start:
            wider = (start, last if after < 0 else after)
        if wider == (start, end) or wider[1] - wider[0] > _PHRASE:
            break
        start, end = wider
    return note[start:end].strip()


def _said(act: AuditAction) -> str:
    return act.question or act.evidence_text or ""


def _trim(proofs: list[_Proof], steps: int) -> None:
    """Give up second looks, then quotations, until all findings can be flagged."""
    while sum(map(_Proof.cost, proofs)) > steps:
        longest = max(proofs, key=_Proof.cost)
        if len(longest.looks) > 1:
            longest.looks.pop()
        elif longest.settle is not None and longest.settle.evidence_text is not None:
            longest.settle = None
        else:
            return


def _planned(observation: AuditObservation, proofs: list[_Proof], rest: int) -> list[AuditAction]:
    """The looks of all proofs and, as steps allow, at the other codes; in the claim's order,
    pairs behind single codes."""
    wanted = [look for proof in proofs for look in proof.looks]
    queried = {look.code for look in wanted if look.code is not None}
    pairs: dict[frozenset[str | None], AuditAction] = {}
    for look in wanted:
        if look.code is None:
            pairs.setdefault(frozenset((look.code1, look.code2)), look)
    rest += len(wanted) - len(queried) - len(pairs)  # looks that two proofs share
    paired = {code for pair in pairs for code in pair}
    for code in observation.proposed_codes:
        if rest > 0 and code not in queried and code not in paired:
            queried.add(code)
            rest -= 1
    return [query(code) for code in observation.proposed_codes if code in queried] + list(
        pairs.values()
    )
