"""The honest agent: it reads observations and what tools tell, and goes by simple rules."""

from __future__ import annotations

from collections.abc import Generator

from casegen.schemas.pack import Task
from casegen.schemas.play import AuditObservation

from ...evaluate import WithoutNote
from .judge import Judge, Suspect
from .passages import of_reader
from .reasons import BY_KIND, Reasons
from .script import Move, Script, Scripted, check, query, services
from .told import code_told, pair_told

# Yields looks, and returns what it suspects.
Investigation = Generator[Move, AuditObservation, list[Suspect]]
# Steps that are kept for flags and the end.
_KEPT = 0.25


def rules(task: Task, seed: int) -> Scripted:
    """Looks up every code and the pairs that the tables name, compares with the note, flags."""
    return Scripted(audit)


def tables(task: Task, seed: int) -> WithoutNote:
    """The same agent without a look at the note, with full trust in what registration wrote of
    sex and age, and with a flag wherever tables alone make an error likely."""
    return WithoutNote(Scripted(_trusting))


def _trusting(observation: AuditObservation) -> Script:
    return audit(observation, trusting=True)


def audit(observation: AuditObservation, trusting: bool = False) -> Script:
    """The script of an honest audit."""
    judge = Judge(observation, trusting)
    reasons = Reasons(observation, of_reader(judge.reader, judge.titles))
    suspects = yield from investigate(judge, reasons)
    for suspect in suspects:
        yield from reasons.doing(suspected(reasons, suspect))
    yield reasons.hand_in()


def suspected(reasons: Reasons, suspect: Suspect) -> Move:
    """A flag with its reason and the authority of its kind."""
    words = {
        "code": suspect.code,
        "reason": suspect.reason,
        "authority": BY_KIND[suspect.error_type],
    }
    return Move(suspect.act(), reasons.say("suspect", words))


def investigate(judge: Judge, reasons: Reasons) -> Investigation:
    """Look codes up and check pairs; what it makes of that. It asks the physician nothing."""
    observation = reasons.seen
    keep = 1 + round(_KEPT * observation.max_steps)
    codes = list(observation.proposed_codes)
    for code in codes:
        if observation.max_steps - observation.step_count <= keep:
            break
        observation = yield from reasons.doing(reasons.look(query(code)))
        judge.told[code] = code_told(observation.tool_result)
    for one, other in judge.pairs_to_check(services(observation)):
        if observation.max_steps - observation.step_count <= keep - 1:
            break
        observation = yield from reasons.doing(reasons.look(check(one, other)))
        judge.pairs[one, other] = pair_told(observation.tool_result)
    return judge.suspects()
