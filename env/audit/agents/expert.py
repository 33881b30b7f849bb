"""The agent that knows the answer, and flags only what its own steps have shown."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from casegen.env.audit.tools.subject import subject
from casegen.schemas import Decoy, Finding, Span
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

from .grounds import excludes1_tie, flag_reason, table_words, tied
from .oracle import named as named_findings
from .oracle import other_member
from .passages import of_record, telling
from .reasons import Reasons, cited, named
from .script import Move, Script, Scripted, ask, check, extract, flag, looks, query, services
from .standing import standing_reason

# Honest questions by topic: each names what is open and what it is about.
QUESTIONS = {
    "side": "Which side does {subject} concern?",
    "phase": "Which phase of care was this visit for {subject}?",
}
# Lines that look wrong and are right: so many are looked into, and what is of these kinds is
# settled by a question or a passage.
MOST_SPARED = 2
_LOOKED_INTO = frozenset(
    {
        "unrelated", "does_not_reach", "justified_modifier", "active_treatment",
        "physician_laterality", "physician_phase",
    }
)  # fmt: skip
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
    flags it with its reason and authority. Of lines that look wrong and are right it looks at
    what bears them out, as far as steps allow. Of a clean claim it looks at every code."""

    def script(observation: AuditObservation) -> Script:
        case = task.case
        reasons = Reasons(observation, of_record(case))
        proofs = [_proof(task, observation, *item) for item in named_findings(task)]
        steps = observation.max_steps - 1
        if proofs:
            _trim(proofs, steps)
            planned = _planned(observation, proofs, steps - sum(map(_Proof.cost, proofs)))
        else:
            planned = looks(observation, observation.max_steps)
        for act in planned:
            yield from reasons.doing(reasons.look(act))
        for proof in proofs:
            yield from _prove(task, reasons, proof)
        beside = yield from _spare(task, reasons)
        if not proofs and (free := reasons.unexcluded()) is not None:
            beside.append(free)
        yield reasons.hand_in(beside)

    return Scripted(script)


def _prove(task: Task, reasons: Reasons, proof: _Proof) -> Script:
    """Settle a finding, and flag it if that went well."""
    finding, settle = proof.finding, proof.settle
    if settle is not None and not _settled(reasons, settle):
        move = settling(reasons, settle, finding.code, finding, table_words(reasons, finding))
        observation = yield from reasons.doing(move)
        if observation.last_action_error is not None:
            return  # not shown, so not flagged
    span = telling(task.case, finding)
    quote = span.text if span is not None else None
    if settle is not None and settle.evidence_text is not None:
        quote = settle.evidence_text
    said = reasons.shown.said.get(settle.question) if settle and settle.question else None
    why = flag_reason(reasons, finding, proof.code, quote, said)
    if why is None:
        return
    act = flag(
        proof.code,
        finding.error_type,
        reason(finding),
        finding.correction.replacement,
        other_member(finding, proof.code),
    )
    yield from reasons.doing(Move(act, why))


def _settled(reasons: Reasons, act: AuditAction) -> bool:
    return act.question in reasons.shown.said or act.evidence_text in reasons.shown.kept


def settling(
    reasons: Reasons,
    act: AuditAction,
    code: str,
    about: Finding | Decoy,
    shown: str | None,
) -> Move:
    """A question or a marked passage, and what it is for."""
    words = {**reasons.of_code(code), "authority": named(about.authority), "shown": shown}
    if act.question is not None:
        words["open"] = {"side": "side", "phase": "phase of care"}.get(about.questions[0])
        words["quote"] = cited(max((s.text for s in about.evidence), key=len, default=None))
        return Move(act, reasons.say("ask", words))
    words["quote"] = cited(act.evidence_text)
    tie = None
    if about.error_type == "excludes1_conflict" and about.related_code is not None:
        tie = excludes1_tie(reasons, code, about.related_code, about.authority.reference)
    if tie is None:
        return Move(act, reasons.say("mark", words))
    told = reasons.say("mark_tie", tied(tie))
    return Move(act, f"{told} {reasons.say('mark_tied', words)}")


def _spare(task: Task, reasons: Reasons) -> Generator[Move, AuditObservation, list[str]]:
    """Look at what bears out lines that look wrong, and tell why they stand."""
    told: list[str] = []
    case = task.case
    flagged = {code for finding in case.findings for code in finding.accepted_codes}
    for decoy in case.decoys:
        if len(told) == MOST_SPARED:
            break
        codes = {decoy.code, decoy.related_code}
        if codes & flagged:
            continue
        pair = services(reasons.seen)
        wanted: list[Move] = []
        other = decoy.related_code
        if other in pair and decoy.code in pair and frozenset(codes) not in reasons.shown.pairs:
            wanted.append(reasons.look(check(decoy.code, other or "")))
        act = _settling(task, reasons.seen, decoy)
        if act is not None and not _settled(reasons, act) and decoy.kind in _LOOKED_INTO:
            wanted.append(Move(act))
        for move in wanted:
            if reasons.seen.step_count >= reasons.seen.max_steps - 1:
                break
            if move.why is None:
                shown = reasons.shown.title(decoy.code)
                move = settling(reasons, move.act, decoy.code, decoy, shown)
            yield from reasons.doing(move)
        span = telling(case, decoy)
        said = reasons.shown.said.get(act.question) if act and act.question else None
        why = standing_reason(reasons, decoy, span.text if span else None, said)
        if why is not None:
            told.append(why)
    return told


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
    return _Proof(finding, code, acts, _settling(task, observation, finding))


def _settling(
    task: Task, observation: AuditObservation, finding: Finding | Decoy
) -> AuditAction | None:
    """The physician is asked where the note leaves it open; elsewhere the note is quoted."""
    for topic in finding.questions:
        for question in task.case.questions:
            # By the note's words: the description may be that of a wrong code.
            if question.topic == topic:
                return ask(QUESTIONS[topic].format(subject=subject(task.case, question)))
    span = telling(task.case, finding)
    return None if span is None else extract(quoted(observation.clinical_note, span))


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
