"""The agent that knows the answer, and flags only what its own steps have shown."""

from __future__ import annotations

from collections.abc import Generator

from casegen.env.audit.tools.subject import subject
from casegen.env.writing.words import cited, named
from casegen.schemas import Decoy, Finding
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

from ..case import case_of
from .grounds import excludes1_tie, flag_reason, table_words, tied
from .oracle import named as named_findings
from .oracle import other_member
from .passages import of_record, telling
from .planning import Proof, planned
from .proposing import justification, proposal
from .quoting import quoted
from .reasons import Reasons
from .script import Move, Script, Scripted, all_looks, ask, check, extract, flag, services, unread
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


def expert(task: Task, seed: int) -> Scripted:
    """Looks each code up, asks the physician or marks the passage that settles a finding, and
    flags it with its reason and authority. Of lines that look wrong and are right it looks at
    what bears them out, as far as steps allow. Of a clean claim it looks at every code."""

    def script(observation: AuditObservation) -> Script:
        case = case_of(task)
        reasons = Reasons(observation, of_record(case))
        proofs = [_proof(task, observation, *item) for item in named_findings(task)]
        for act in planned(observation, proofs) if proofs else all_looks(observation):
            yield from reasons.doing(reasons.look(act))
        for proof in proofs:
            yield from _prove(task, reasons, proof)
        beside = yield from _spare(task, reasons)
        if not beside:
            flagged = {code for proof in proofs for code in proof.finding.accepted_codes}
            beside += reasons.stands(flagged)
        if not proofs and (free := reasons.unexcluded()) is not None:
            beside.append(free)
        yield reasons.hand_in(beside)

    return Scripted(script)


def _prove(task: Task, reasons: Reasons, proof: Proof) -> Script:
    """Settle a finding, and flag it if that went well."""
    finding, settle = proof.finding, proof.settle
    if settle is not None and not _settled(reasons, settle):
        move = settling(reasons, settle, finding.code, finding, table_words(reasons, finding))
        observation = yield from reasons.doing(move)
        if observation.last_action_error is not None:
            return  # not shown, so not flagged
    quote = proof.mark
    if quote is None and (span := telling(case_of(task), finding)) is not None:
        quote = quoted(case_of(task).note, span)
    said = reasons.shown.said.get(settle.question) if settle and settle.question else None
    right = proposal(reasons, finding)
    why = flag_reason(reasons, finding, proof.code, right, quote, said)
    if why is None:
        return
    act = flag(
        proof.code,
        finding.error_type,
        justification(finding, right),
        right,
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
    case = case_of(task)
    flagged = {code for finding in case.findings for code in finding.accepted_codes}
    for decoy in case.decoys:
        if len(told) == MOST_SPARED:
            break
        codes = {decoy.code, decoy.related_code}
        if codes & flagged or codes & set(unread(reasons.seen)):
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


def _proof(task: Task, observation: AuditObservation, finding: Finding, code: str) -> Proof:
    other = other_member(finding, code)
    pair = services(observation)
    looks: list[tuple[str, ...]] = [(code,)]
    if other is not None and code in pair and other in pair:
        looks.insert(0, (code, other))
    elif other is not None:
        looks.append((other,))
    return Proof(finding, code, looks, _settling(task, observation, finding))


def _settling(
    task: Task, observation: AuditObservation, finding: Finding | Decoy
) -> AuditAction | None:
    """The physician is asked where the note leaves it open; elsewhere the note is quoted."""
    for topic in finding.questions:
        for question in case_of(task).questions:
            # By the note's words: the description may be that of a wrong code.
            if question.topic == topic:
                return ask(QUESTIONS[topic].format(subject=subject(case_of(task), question)))
    span = telling(case_of(task), finding)
    return None if span is None else extract(quoted(observation.clinical_note, span))
