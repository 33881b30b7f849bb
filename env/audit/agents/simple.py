"""Agents that know nothing: what they earn shows what an environment gives away."""

from __future__ import annotations

from casegen.randomness import Lane
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditAction, AuditObservation

from ..acts import ERROR_TYPES
from .script import Script, Scripted, ask, check, extract, flag, query, services, submit

_REASON = "This code is in error."
# The errors that a code may have by its system: no diagnosis stands in an NCCI pair, and
# no service under an Excludes note.
_LIKELY = {
    "ICD-10-CM": (
        "specificity_error", "demographic_mismatch", "untraceable_code", "excludes1_conflict",
    ),
}  # fmt: skip
_LIKELY_SERVICE = ("ncci_edit", "untraceable_code", "demographic_mismatch")


class _Noop:
    def act(self, observation: AuditObservation) -> AuditAction:
        return submit()


def noop(task: Task, seed: int) -> _Noop:
    """Hands in an empty draft at once."""
    return _Noop()


def spray(task: Task, seed: int) -> Scripted:
    """Flags every code with every likely type until one step is left."""
    return Scripted(_spray)


def _spray(observation: AuditObservation) -> Script:
    for code, facts in observation.proposed_codes.items():
        for kind in _LIKELY.get(facts["code_type"], _LIKELY_SERVICE):
            if observation.step_count >= observation.max_steps - 1:
                return
            observation = yield flag(code, kind, _REASON)


class _Random:
    """Draws each act from those that could be carried out; one in eight hands in."""

    def __init__(self, seed: int) -> None:
        self._lane = Lane((), ("agent/random", seed, 0), "acts")

    def act(self, observation: AuditObservation) -> AuditAction:
        if observation.step_count >= observation.max_steps - 1 or self._lane.chance(1, 8):
            return submit()
        acts = [self._flag(observation), self._question(), self._passage(observation)]
        acts += [self._query(observation), self._pair(observation)]
        return self._lane.pick([act for act in acts if act is not None] or [submit()])

    def _flag(self, observation: AuditObservation) -> AuditAction | None:
        taken = {(entry["code"], entry["error_type"]) for entry in observation.draft_report}
        free = [
            (code, kind)
            for code in observation.proposed_codes
            for kind in ERROR_TYPES
            if (code, kind) not in taken
        ]
        return flag(*self._lane.pick(free), _REASON) if free else None

    def _query(self, observation: AuditObservation) -> AuditAction | None:
        left = [
            code for code in observation.proposed_codes if code not in observation.codes_queried
        ]
        return query(self._lane.pick(left)) if left else None

    def _pair(self, observation: AuditObservation) -> AuditAction | None:
        codes = services(observation)
        left = [
            (one, other)
            for at, one in enumerate(codes)
            for other in codes[at + 1 :]
            if f"{one}|{other}" not in observation.pairs_checked
        ]
        return check(*self._lane.pick(left)) if left else None

    def _question(self) -> AuditAction:
        about = self._lane.pick(("the side", "the phase of care", "the history", "the tests"))
        return ask(f"Could you tell more about {about}?")

    def _passage(self, observation: AuditObservation) -> AuditAction | None:
        lines = [line for line in observation.clinical_note.splitlines() if line.strip()]
        left = [line for line in lines if line not in observation.extracted_evidence]
        return extract(self._lane.pick(left)) if left else None


def random(task: Task, seed: int) -> _Random:
    """Acts at random, drawn from its seed."""
    return _Random(seed)
