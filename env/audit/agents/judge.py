"""What an honest reader makes of the tools' answers and of the note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from casegen.env.writing.reading import Reader, sides_near
from casegen.schemas.play import AuditAction, AuditObservation

from .cues import APART, LINKED, UNRELATED, Care, age_told, care_of, sex_told
from .script import flag
from .told import CodeTold, PairTold, fits

# Shares of a title's words that a sentence must hold to speak of it.
_SPEAKS, _MAY_SPEAK = 0.6, 0.4
_DONE = re.compile(
    r"^(?:services?|procedures?|work performed|done today)[^\n]*:?\n((?:.+\n?)+)", re.I | re.M
)


@dataclass(frozen=True, slots=True)
class Suspect:
    """An error that the agent believes in."""

    code: str
    error_type: str
    reason: str
    suggested: str | None = None
    related: str | None = None

    def act(self) -> AuditAction:
        """The flag."""
        return flag(self.code, self.error_type, self.reason, self.suggested, self.related)


def denied(first: str, told: PairTold) -> Suspect:
    """The code that an NCCI edit denies beside the first of its pair."""
    pair = f"NCCI pair {first} with {told.denied}, modifier indicator {told.indicator}"
    reason = f"{pair}: {_unparted(told)}."
    return Suspect(told.denied, "ncci_edit", reason, None, first)


def _unparted(told: PairTold) -> str:
    """Why the edit holds (NCCI policy manual, chapter I, section E: indicators 0 and 1)."""
    if told.indicator == 0:
        return "no modifier can set the two apart"
    if told.modified:
        return "a modifier sets the two apart, but by the note they concern one matter"
    return "a modifier may set the two apart, and none does"


def clash(code: str, other: str) -> Suspect:
    """A diagnosis that an Excludes1 note keeps apart from another."""
    reason = f"An Excludes1 note keeps {code} and {other} apart, and the note "
    return Suspect(code, "excludes1_conflict", reason + "does not set them apart.", None, other)


def other_side(code: str, own: str, side: str, right: str) -> Suspect:
    """A code of another side than the note's."""
    reason = f"The note says {side}, and {code} says {own}."
    return Suspect(code, "specificity_error", reason, right)


class Judge:
    """Holds what was told of codes (``told``) and pairs (``pairs``), and compares with the note.

    What registration wrote of sex and age may be a slip, so that the note must say the same;
    ``trusting`` takes its word for it, and what tables make likely for true.
    """

    def __init__(self, seen: AuditObservation, trusting: bool = False) -> None:
        self.seen = seen
        self.trusting = trusting
        self.told: dict[str, CodeTold] = {}
        self.pairs: dict[tuple[str, str], PairTold] = {}
        self.titles = {code: said["description"] for code, said in seen.proposed_codes.items()}
        self.reader = Reader(seen.clinical_note, self.titles.values())

    def names(self, code: str) -> tuple[str, ...]:
        """All names that are known of a code."""
        told = self.told.get(code)
        return tuple(dict.fromkeys((self.titles[code], *(told.names if told else ()))))

    def pairs_to_check(self, services: list[str]) -> list[tuple[str, str]]:
        """The pairs of services that the tables name; all pairs of codes not looked up."""
        named = [pair for told in self.told.values() for pair in told.pairs]
        rest = [code for code in services if code not in self.told]
        named += [(one, other) for one in rest for other in services if one != other]
        unique = {frozenset(pair): pair for pair in named if set(pair) <= set(services)}
        return list(unique.values())

    # --- what is suspected

    def suspects(self) -> list[Suspect]:
        """One suspect a code at most, the surest rules first."""
        found: dict[str, Suspect] = {}
        for rule in (self._gone, self._patient, self._pair, self._clash, self._lacking):
            for suspect in rule():
                if suspect.code not in found:
                    found[suspect.code] = suspect
        return list(found.values())

    def _gone(self) -> Iterator[Suspect]:
        for code, told in self.told.items():
            if told.gone is not None:
                yield Suspect(code, "untraceable_code", f"{code} is not a valid code: {told.gone}.")
            elif told.incomplete:
                reason = f"{code} is incomplete and so not billable."
                yield Suspect(code, "specificity_error", reason)

    def _patient(self) -> Iterator[Suspect]:
        patient, note = self.seen.patient_demographics, self.seen.clinical_note
        for code, told in self.told.items():
            # Last of all the note is asked, which takes longest.
            if (
                told.sex is not None
                and told.sex != patient["sex"]
                and (self.trusting or sex_told(note) == patient["sex"])
            ):
                reason = f"{code} is for {told.sex} patients; the patient is {patient['sex']}."
                yield Suspect(code, "demographic_mismatch", reason)
            for ages in told.ages:
                if not fits(ages, patient) and (self.trusting or age_told(note)):
                    reason = f"{code} fits ages {ages[0]} to {ages[1]}, not {patient['age']}."
                    yield Suspect(code, "demographic_mismatch", reason)

    def _pair(self) -> Iterator[Suspect]:
        for (one, other), told in self.pairs.items():
            if not told.binds or told.indicator == 9:
                continue
            first = other if told.denied == one else one
            if told.indicator == 1 and told.modified and not self._linked():
                continue
            yield denied(first, told)

    def _linked(self) -> bool:
        """Whether the note says of its services that they concern one matter."""
        done = _DONE.search(self.seen.clinical_note)
        told = done[1] if done else ""
        return bool(LINKED.search(told)) and not APART.search(told)

    def _clash(self) -> Iterator[Suspect]:
        done: set[frozenset[str]] = set()
        for code, told in self.told.items():
            ruled = [one for one in self.titles if "Excludes1" in told.rule and one in told.rule]
            for other in (*told.clashes, *ruled):
                pair = frozenset((code, other))
                if other not in self.titles or other == code or pair in done:
                    continue
                done.add(pair)
                if self._clashing(code, other):
                    yield clash(code, other)

    def _clashing(self, code: str, other: str) -> bool:
        """Whether the note speaks of two diagnoses without a word that sets them apart. Without
        a note every pair that a certain Excludes1 note reaches is flagged, though more of
        them stand rightly than wrongly."""
        if self.trusting:
            return True
        about = self.reader.about(self.names(code) + self.names(other), _MAY_SPEAK)
        return bool(about) and not any(UNRELATED.search(sentence) for sentence in about)

    def _lacking(self) -> Iterator[Suspect]:
        for code, told in self.told.items():
            if told.external:
                continue
            yield from self._side(code, told)
            yield from self._care(code, told)

    def _side(self, code: str, told: CodeTold) -> Iterator[Suspect]:
        if told.side is None:
            return
        if self.trusting and told.side == "unspecified":
            reason = f"{code} leaves the side open, and other codes tell it."
            yield Suspect(code, "specificity_error", reason)
        sides = self._sides_told(code)
        if len(sides) == 1 and told.side not in sides:
            side = next(iter(sides))
            if side in told.sides:
                yield other_side(code, told.side, side, told.sides[side])

    def _sides_told(self, code: str) -> set[str]:
        names = self.names(code)
        about = self.reader.about(names, _SPEAKS)
        sides = [sides_near(sentence, names) for sentence in about]
        return set().union(*sides)

    def _care_told(self, code: str) -> Care:
        """What the note says of the care, from the sentences about a code."""
        told = [care_of(sentence) for sentence in self.reader.about(self.names(code), _SPEAKS)]
        return Care(*(next((x for x in column if x), None) for column in zip(*told, strict=True))) \
            if told else Care(None, None, None)  # fmt: skip

    def _care(self, code: str, told: CodeTold) -> Iterator[Suspect]:
        own = told.seventh
        if own is None or not any("initial encounter" in text for text in told.sevenths):
            return
        care = self._care_told(code)
        phase = "active" if "initial" in own else "healing" if "subsequent" in own else None
        wrong = None
        if phase is not None and care.phase is not None and care.phase != phase:
            wrong = f"the note tells of {care.phase} care, and {code} is of {own}"
        elif phase == "healing" and care.healing and _other(care.healing, own, _HEALS):
            wrong = f"the note tells of {care.healing} healing, and {code} is of {own}"
        elif care.opened and _other(care.opened, own.lower(), _OPEN):
            wrong = f"the note tells of a fracture that is {care.opened}; {code} is of {own}"
        if wrong is not None:
            yield Suspect(code, "specificity_error", wrong[0].upper() + wrong[1:] + ".")


_HEALS = ("nonunion", "malunion", "delayed", "routine")
_OPEN = ("closed", "open", "type i or ii", "iiia")


def _other(said: str, own: str, words: tuple[str, ...]) -> bool:
    """Whether the text of a seventh character has one of ``words``, but not what was said."""
    return said not in own and any(word in own for word in words)
