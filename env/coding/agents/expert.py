"""The agent that knows the answer, and comes to it as a coder would, a reason at each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from casegen.schemas.coding_case import CodingCase, GoldCode, Review
from casegen.schemas.coding_play import CodingObservation
from casegen.schemas.pack import Task

from ..case import case_of
from .evidence import open_words, quotes_of
from .near import left_out
from .plan import stages
from .reasons import Reasons, grounds
from .script import Move, Script, Scripted, draft, finalize

_SPACED = 100  # so that what is said at one step differs, too


@dataclass(frozen=True, slots=True)
class Believed:
    """What one takes for the answer: the codes in their order, the labels of wrong ones by code,
    and the label of the review flag where that is passed over."""

    codes: tuple[GoldCode, ...]
    wrong: Mapping[str, str] = field(default_factory=dict)
    review: str | None = None


def expert(task: Task, seed: int) -> Scripted:
    """Drafts the primary code, then the secondary codes as the excerpt tells of them, each with
    the rule that asks for it, sets the flag where the record leaves something open, tells why
    what lies near stays out, and finalizes. It asks for no hint."""
    case = case_of(task)
    return coded(case, Believed(tuple(case.gold())))


def coded(case: CodingCase, believed: Believed) -> Scripted:
    """Codes what is believed in the voice of the expert; a move that brings an error bears its
    label."""
    review = None if believed.review else case.review

    def script(observation: CodingObservation) -> Script:
        reasons = Reasons(observation)
        steps = observation.max_steps - (review is not None)
        codes = {one.code: one for one in believed.codes}
        primary, *secondary = codes
        for stage in stages(primary, secondary, steps):
            step = observation.step_count
            why = [
                _called(reasons, case, step, number, codes[code])
                for number, code in enumerate(stage.added)
            ]
            labels = [believed.wrong[code] for code in stage.added if code in believed.wrong]
            observation = yield Move(stage.act, " ".join(why), labels[0] if labels else None)
        if review is not None:
            words = grounds(review.reason, review.authority, open_words(case, review))
            why = [reasons.say("review", observation.step_count, words)]
            observation = yield Move(draft(needs_review=True), " ".join(why))
        ending = _ending(reasons, case, tuple(codes), review, observation.step_count)
        yield Move(finalize(), ending, believed.review)

    return Scripted(script)


def _called(reasons: Reasons, case: CodingCase, step: int, number: int, gold: GoldCode) -> str:
    """Why a code is called for, the code of that number among those of a step; the first of all
    leads the claim."""
    first = step == 0 and number == 0
    quotes = quotes_of(case, gold.evidence, 0 if first else step)
    words = grounds(gold.reason, gold.authority, quotes)
    topic = "primary" if first else "secondary"
    return reasons.say(topic, _SPACED * step + number, {**reasons.of_code(gold.code), **words})


def reason_section(case: CodingCase) -> str:
    """The section of the guidelines on what goes first."""
    stay = case.encounter.setting == "inpatient" and case.encounter.claim_type == "facility"
    if stay:
        return "II"
    return "IV.N" if case.encounter.setting == "outpatient_surgery" else "IV.G"


def _ending(
    reasons: Reasons, case: CodingCase, codes: Sequence[str], review: Review | None, step: int
) -> str:
    """What the draft holds, what stays out and why, and that nothing is open, where it is so."""
    primary, *secondary = codes
    words = reasons.of_draft(primary, secondary)
    texts = [reasons.say("final" if secondary else "final_alone", step, words)]
    texts += left_out(case, reasons, codes, step)
    if review is None:
        texts.append(reasons.say("settled", step, {}))
    return " ".join(texts)
