"""Why a written agent does what it does: a sentence or two for each act, in plain words.

A reason uses nothing but the observation, what the tools have shown before in the episode and
words of the note. What it puts in quotation marks stands there word for word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence

from casegen.env.writing.words import cited, listed
from casegen.schemas.play import AuditAction, AuditObservation
from casegen.templates import article_of

from .clauses import voice_of
from .script import Move, submit, unread
from .shown import Shown

# What the authority of a flag is where an agent goes by its kind alone.
BY_KIND = {
    "demographic_mismatch": "the meaning of the code",
    "excludes1_conflict": "the Excludes1 note and guideline I.A.12.a",
    "ncci_edit": "the NCCI practitioner pair",
    "specificity_error": "guidelines I.B.2, I.B.13 and I.C.19.a",
    "untraceable_code": "the code set and its validity dates",
}
Words = dict[str, str | None]


class Reasons:
    """Says why, and remembers what was shown. ``quote`` finds words of the note for a code."""

    def __init__(self, seen: AuditObservation, quote: Callable[[str], str | None]) -> None:
        self.seen = seen
        self.shown = Shown()
        self.quote = quote
        self._voice = voice_of(seen)
        self._lines = {line["code"]: str(line["line"]) for line in reversed(seen.claim_lines)}
        self.date = seen.encounter["service_date"]
        self.patient = patient(seen)
        told = seen.patient_demographics
        self._age = int(told.get("age_days", told.get("age", 0)))

    def doing(self, move: Move) -> Generator[Move, AuditObservation, AuditObservation]:
        """Do it, and remember what came of it."""
        seen = yield move
        self.shown.keep(move.act, seen)
        self.seen = seen
        return seen

    def say(self, topic: str, words: Mapping[str, str | None]) -> str:
        """The text of a topic at this step."""
        return self._voice.say(topic, self.seen.step_count, words)

    def of_code(self, code: str) -> Words:
        """What may always be said of a code of the claim."""
        told = self.seen.proposed_codes.get(code)
        return {
            "code": code,
            "line": self._lines.get(code),
            "title": told["description"] if told else None,
            "date": self.date,
            "patient": self.patient,
            "a_patient": f"{article_of(self._age)} {self.patient}",
        }

    def has_read(self, code: str) -> bool:
        """Whether it was read so far what a code stands for: on the claim or in a look-up. That a
        code was named somewhere is not enough."""
        return code in self.seen.proposed_codes or self.shown.meaning(code)

    # --- by act

    def look(self, act: AuditAction) -> Move:
        """A look at a code or a pair."""
        if act.code is not None:
            told = self.seen.proposed_codes[act.code]
            kind = "diagnosis" if told["code_type"] == "ICD-10-CM" else "service"
            words = {**self.of_code(act.code), "quote": cited(self.quote(act.code))}
            return Move(act, self.say(f"look_{kind}", words))
        code, other = act.code1 or "", act.code2 or ""
        words = {**self.of_code(code), "other": other}
        words["shown"] = self._pair_told(code, other)
        words["quote"] = cited(self.quote(code))
        return Move(act, self.say("pair", words))

    def _pair_told(self, code: str, other: str) -> str | None:
        """The line of a look-up that names the pair."""
        return self.shown.line(
            code, f"column 1 {code}, column 2 {other},", f"column 1 {other}, column 2 {code},"
        )

    def hand_in(self, beside: Sequence[str] = ()) -> Move:
        """The end: what is flagged, what was looked at and what was not, and ``beside`` why other
        lines stand."""
        seen = self.seen
        flags = [f"{entry['code']} ({entry['error_type']})" for entry in seen.draft_report]
        pairs = [" with ".join(pair.split("|")) for pair in seen.pairs_checked]
        words: Words = {
            "date": self.date,
            "patient": self.patient,
            "flags": listed(flags),
            "seen": listed([*seen.codes_queried, *pairs]),
            "valid": self._all_valid(),
        }
        left = listed([f"{code} on line {self._lines[code]}" for code in unread(seen)])
        # The end itself takes a step.
        words["skipped" if seen.step_count < seen.max_steps - 1 else "unread"] = left
        topic = "hand_in" if flags else "hand_in_part" if left else "hand_in_clean"
        texts = [self.say(topic, words)]
        return Move(submit(), " ".join([*texts, *beside]).strip())

    def _all_valid(self) -> str | None:
        """A diagnosis, if the look-up of each called it valid and there are two or more."""
        codes = [
            code
            for code, told in self.seen.proposed_codes.items()
            if told["code_type"] == "ICD-10-CM"
        ]
        if len(codes) < 2 or not all(map(self.shown.valid, codes)):
            return None
        return codes[self.seen.step_count % len(codes)]

    def stands(self, flagged: Collection[str]) -> list[str]:
        """A sentence on a line that was looked up and is not flagged, if the note speaks of one:
        one of them by the step."""
        free = [code for code in self.shown.codes if code not in flagged]
        at = self.seen.step_count % len(free) if free else 0
        for code in free[at:] + free[:at]:
            if quote := cited(self.quote(code)):
                return [self.say("stands_line", {**self.of_code(code), "quote": quote})]
        return []

    def unexcluded(self) -> str | None:
        """A sentence where no look-up told of an Excludes1 note that reaches another code."""
        if not self.shown.codes or any("its words reach" in t for t in self.shown.codes.values()):
            return None
        return self.say("stands_free", {})


def patient(seen: AuditObservation) -> str:
    """The patient in words: ``47-year-old male patient``."""
    told = seen.patient_demographics
    if "age_days" in told:
        return f"{told['age_days']}-day-old {told['sex']} patient"
    return f"{told['age']}-year-old {told['sex']} patient"
