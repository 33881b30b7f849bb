"""What an honest reader says of the codes that it drafts, mistaken or not."""

from __future__ import annotations

from dataclasses import dataclass, field

from casegen.env.writing.words import cited
from casegen.schemas.coding_play import CodingObservation

from .judge import Judgment
from .plan import Stage, stages
from .reasons import Reasons
from .rivals import names_reason
from .script import Move, Script, draft, finalize


@dataclass(slots=True)
class Told:
    """A judgment put into drafts, each with words for it. A set error is told in the same words
    as what is right, so that it shows only to who reads the excerpt.

    ``wrong`` labels the codes that were taken by a set error, ``primary`` the error by which the
    first code was chosen, ``flag`` that of the review flag.
    """

    seen: CodingObservation
    judgment: Judgment
    wrong: dict[str, str] = field(default_factory=dict)
    primary: str | None = None
    flag: str | None = None

    def script(self) -> Script:
        """The drafts, then the end."""
        judgment, seen = self.judgment, self.seen
        reasons = Reasons(seen)
        review = judgment.review is not None or self.flag == "review_wrong"
        flagged = review and self.flag != "review_missed"
        steps = seen.max_steps - flagged
        for stage in stages(judgment.primary, judgment.secondary, steps):
            seen = yield self._move(reasons, stage, seen.step_count)
        if flagged:
            why = reasons.say("found_review", seen.step_count, {"quote": self._open()})
            seen = yield Move(draft(needs_review=True), why, self.flag)
        yield self._end(reasons, seen.step_count, flagged)

    def _open(self) -> str | None:
        """The words that are taken for an open point: where there is none, those that sound most
        like one."""
        found = self.judgment
        sentences = [one.sentence for one in found.passed.values()]
        sentences += [one.sentence for one in found.codes]
        sentences.sort(key=lambda one: (not one.uncertain, not one.past, not one.ruled_out))
        point = found.review or next(iter(sentences), None)
        return cited(point.text) if point is not None else None

    def _move(self, reasons: Reasons, stage: Stage, step: int) -> Move:
        found = {one.code: one for one in self.judgment.codes}
        texts, mistake = [], self.primary if stage.act.primary_code else None
        for number, code in enumerate(stage.added):
            words = {**reasons.of_code(code), "quote": cited(found[code].sentence.text)}
            label = self.wrong.get(code) or (self.primary if stage.act.primary_code else None)
            leads = code == stage.act.primary_code and names_reason(found[code].sentence.text)
            topic = "found_first" if leads else "found"
            texts.append(reasons.say(topic, step * 100 + number, words))
            mistake = mistake or label
        return Move(stage.act, " ".join(texts), mistake)

    def _end(self, reasons: Reasons, step: int, flagged: bool) -> Move:
        judgment = self.judgment
        words = reasons.of_draft(judgment.primary, judgment.secondary)
        topic = "found_final" if judgment.secondary else "found_final_alone"
        text = reasons.say(topic if judgment.primary else "found_final_none", step, words)
        missed = self.flag if self.flag == "review_missed" else None
        if not flagged:
            text = f"{text} {reasons.say('found_settled', step, {})}"
        return Move(finalize(), text, missed)
