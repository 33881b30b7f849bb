"""The agent that investigates like the expert and judges wrongly at places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from casegen.env.audit.tools.subject import subject
from casegen.env.writing.words import cited
from casegen.randomness import Lane
from casegen.schemas import Finding, Question
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

from ..case import case_of
from ..ledger import unnamed
from .expert import MOST_SPARED, QUESTIONS, expert, settling
from .grounds import confused, flag_reason, taken_for
from .misread import documented, misread, other_types, standing, swapped
from .passages import of_record, telling
from .proposing import justification, proposal
from .quoting import quoted
from .reasons import Reasons
from .script import Move, Script, Scripted, ask, flag, query
from .standing import standing_reason

_MOST_ALARMS = 2
# Kinds of errors of which one reminds of the other.
_LIKE = {
    "incomplete": "detail",
    "unspecified": "detail",
    "healing": "phase",
    "fracture_type": "phase",
    "own_note": "inherited_note",
    "indicator_0": "unjustified_modifier",
    "bundled": "unjustified_modifier",
    "missing_modifier": "unjustified_modifier",
}
_LOOKED = 3  # looks before one is repeated


@dataclass(frozen=True, slots=True)
class Slips:
    """How often, in per cent, it errs.

    Of each finding: it is passed over, and the audit is handed in without it (``missed``, and
    ``only_missed`` where there is no other); another type than its own is named (by its type); the
    member of its pair that stays is named (``wrong_member``); a line that is right is flagged
    before it (``false_alarm``, and ``last_alarm`` where no error is left). After each act: a code
    is looked up once more (``repeated_look``), the physician is asked what the note tells
    (``needless_question``).
    """

    untraceable_code: int = 40
    demographic_mismatch: int = 40
    specificity_error: int = 25
    excludes1_conflict: int = 20
    ncci_edit: int = 15
    wrong_member: int = 25
    missed: int = 25
    only_missed: int = 10
    false_alarm: int = 30
    last_alarm: int = 32
    repeated_look: int = 3
    needless_question: int = 3


def careless(task: Task, seed: int, slips: Slips | None = None) -> Scripted:
    """``expert`` with the errors of ``Slips``, drawn from the seed and labelled.

    It looks at the same, speaks in the same voice and quotes what stands there. What it makes of
    that is wrong.
    """
    return Scripted(_Careless(task, seed, slips or Slips()).script)


class _Careless:
    """One episode: the expert's moves with slips in their place and in between."""

    def __init__(self, task: Task, seed: int, slips: Slips) -> None:
        self._case = case_of(task)
        self._lane = Lane((), ("agent/careless", seed, 0), "slips")
        self._slips = slips
        self._model = expert(task, seed)
        self._met = 0  # findings that the expert has come to
        self._passed: list[Finding] = []
        self._alarms = 0
        self._repeated = self._asked = False

    def script(self, observation: AuditObservation) -> Script:
        """Follow the expert, who is told what came of its own acts and sees all else as it is."""
        reasons = Reasons(observation, of_record(self._case))
        heard = observation
        while True:
            act = self._model.act(heard)
            move: Move | None = Move(act, self._model.why)
            if act.action_type == "flag_error":
                yield from self._before(reasons)
                move = self._instead(reasons, act)
            elif act.action_type == "submit_audit" and self._passed:
                told = [self._model.why or "", *map(partial(self._stands, reasons), self._passed)]
                move = Move(act, " ".join(told), "missed_error")
            heard = reasons.seen if move is None else (yield from reasons.doing(move))
            for slip in self._between(reasons):
                seen = yield from reasons.doing(slip)
                text, error = heard.tool_result, heard.last_action_error
                heard = replace(seen, tool_result=text, last_action_error=error)

    # --- in place of a flag, or before it

    def _before(self, reasons: Reasons) -> Script:
        """Another flag, on a line that is right."""
        if self._has_steps(reasons) and self._lane.chance(self._slips.false_alarm, 100):
            alarm = self._alarm(reasons)
            if alarm is not None:
                yield from reasons.doing(alarm)

    def _instead(self, reasons: Reasons, act: AuditAction) -> Move | None:
        """The expert's flag, or what is done in its place; None where that is nothing."""
        finding = self._finding(act)
        self._met += 1
        slips, lane, total = self._slips, self._lane, len(self._case.findings)
        if lane.chance(slips.missed if total > 1 else slips.only_missed, 100):
            self._passed.append(finding)
            return self._hand_in(reasons) if self._met == total else None
        if lane.chance(getattr(slips, finding.error_type), 100):
            kind = taken_for(finding)
            if kind in other_types(self._case, finding.code, finding.error_type):
                why = confused(self._model.why or "", finding, kind)
                return Move(replace(act, error_type=kind), why, "wrong_type")
        if act.code == finding.code and lane.chance(slips.wrong_member, 100):
            other = self._of_pair(reasons, finding, act)
            if other is not None:
                return other
        return Move(act, self._model.why)

    def _finding(self, act: AuditAction) -> Finding:
        return next(
            f
            for f in self._case.findings
            if act.code in f.accepted_codes and act.error_type == f.error_type
        )

    def _hand_in(self, reasons: Reasons) -> Move:
        """The end without what was passed over."""
        beside = [*map(partial(self._stands, reasons), self._passed), *self._beside(reasons)]
        if not reasons.seen.draft_report and (free := reasons.unexcluded()) is not None:
            beside.append(free)
        return reasons.hand_in(beside)._replace(mistake="missed_error")

    def _stands(self, reasons: Reasons, finding: Finding) -> str:
        """Why the line of a finding is thought to stand."""
        span = telling(self._case, finding)
        said = next(iter(reasons.shown.said.values()), None) if finding.questions else None
        why = standing_reason(reasons, standing(finding), span.text if span else None, said)
        if why is not None:
            return why
        quote = cited(reasons.quote(finding.code))
        words = {**reasons.of_code(finding.code), "quote": quote}
        return reasons.say("stands_line" if quote else "stands_bare", words)

    def _beside(self, reasons: Reasons) -> list[str]:
        """What the expert would say of other lines at the end."""
        told: list[str] = []
        for decoy in self._case.decoys:
            span = telling(self._case, decoy)
            why = standing_reason(reasons, decoy, span.text if span else None, None)
            if why is not None and len(told) < MOST_SPARED:
                told.append(why)
        return told

    def _of_pair(self, reasons: Reasons, finding: Finding, act: AuditAction) -> Move | None:
        """A flag on the member of a pair that stays."""
        other = swapped(finding)
        if other is None:
            return None
        span = telling(self._case, finding)
        right = proposal(reasons, other)
        quote = quoted(self._case.note, span) if span else None
        why = flag_reason(reasons, other, other.code, right, quote, None)
        wrong = replace(act, code=other.code, related_code=other.related_code)
        return None if why is None else Move(wrong, why, "wrong_member")

    # --- in between

    def _between(self, reasons: Reasons) -> Iterator[Move]:
        """What is done before the expert's next move; one step is kept for the end."""
        slips = self._slips
        for rate, slip in (
            (slips.last_alarm if self._none_left(reasons) else 0, self._alarm),
            (slips.repeated_look, self._again),
            (slips.needless_question, self._needless),
        ):
            if self._has_steps(reasons) and self._lane.chance(rate, 100):
                move = slip(reasons)
                if move is not None:
                    yield move

    @staticmethod
    def _has_steps(reasons: Reasons) -> bool:
        seen = reasons.seen
        return not seen.done and seen.step_count < seen.max_steps - 1

    def _none_left(self, reasons: Reasons) -> bool:
        """Whether all has been looked at and no error is left to be flagged."""
        seen = reasons.seen
        if not self._case.findings:
            return len(seen.codes_queried) == len(seen.proposed_codes)
        return not unnamed(self._case, seen.draft_report)

    def _alarm(self, reasons: Reasons) -> Move | None:
        """A flag on a line that is right."""
        if self._alarms == _MOST_ALARMS:
            return None
        believed = misread(self._case, reasons)
        if not believed:
            return None
        # Who has met with one kind of error sees more of it.
        met = {_LIKE.get(finding.kind, finding.kind) for finding in self._case.findings}
        types = {finding.error_type for finding in self._case.findings}
        alike = [one for one in believed if one.kind in met]
        alike = alike or [one for one in believed if one.error_type in types] or believed
        kinds: dict[str, list[Finding]] = {}
        for one in alike:
            kinds.setdefault(one.kind, []).append(one)
        error = self._lane.pick(kinds[self._lane.pick(list(kinds))])
        code = error.code
        right = proposal(reasons, error)
        why = flag_reason(reasons, error, code, right, reasons.quote(code), None)
        if why is None:
            return None
        self._alarms += 1
        told = justification(error, right)
        act = flag(code, error.error_type, told, right, error.related_code)
        return Move(act, why, "false_alarm")

    def _again(self, reasons: Reasons) -> Move | None:
        """A look at a code that was looked up before."""
        looked = reasons.seen.codes_queried
        if self._repeated or len(looked) < _LOOKED:
            return None
        self._repeated = True
        return reasons.look(query(self._lane.pick(looked)))._replace(mistake="repeated_look")

    def _needless(self, reasons: Reasons) -> Move | None:
        """A question that the note answers."""
        if self._asked:
            return None
        told = [one for one in documented(self._case, reasons) if one.code in reasons.shown.codes]
        if not told:
            return None
        self._asked = True
        one = self._lane.pick(told)
        topic = one.about.questions[0]
        about = subject(self._case, Question(topic, [], "", one.fact, topic, ""))
        act = ask(QUESTIONS[topic].format(subject=about))
        move = settling(reasons, act, one.code, one.about, one.shown)
        return move._replace(mistake="needless_question")
