"""What the tools have shown so far in an episode, and the lines of it that a reason may cite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from casegen.schemas.play import AuditAction, AuditObservation

# What a service of the physician would say for nothing.
_VALID = "a complete (billable) code, valid on"
_OTHERS = re.compile(r'^  (\S+), Excludes1, (its own|at (.+)): "(.+)"(: .*)?$')


class Tie(NamedTuple):
    """A note of the tabular list that names another code of the claim."""

    place: str  # where it stands, in words: "at F31"
    words: str
    holder: str
    target: str
    reach: str
    kind: str  # as the tool heads it: "Excludes1", "Code also"


class Edit(NamedTuple):
    """An NCCI pair by its look-up."""

    column1: str
    column2: str
    indicator: str  # the line, without its indent


@dataclass(slots=True)
class Shown:
    """The results of an episode, by what was asked."""

    codes: dict[str, str] = field(default_factory=dict)
    pairs: dict[frozenset[str], str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)  # by question
    kept: list[str] = field(default_factory=list)  # extracted words

    def keep(self, act: AuditAction, seen: AuditObservation) -> None:
        """Remember what came of an act."""
        if seen.last_action_error is not None:
            return
        text = seen.tool_result
        if act.code is not None and act.action_type == "query_guideline":
            self.codes[act.code] = text
        elif act.code1 is not None and act.code2 is not None:
            self.pairs[frozenset((act.code1, act.code2))] = text
        elif act.question is not None:
            self.said[act.question] = text
        elif act.evidence_text is not None:
            self.kept.append(act.evidence_text)

    def line(self, code: str, *starts: str) -> str | None:
        """The first line of a look-up that begins with one of ``starts``, its indent left out."""
        for line in self.codes.get(code, "").splitlines():
            bare = line.strip()
            if bare.startswith(starts):
                return bare
        return None

    def title(self, code: str) -> str | None:
        """The title that a look-up gave."""
        lines = self.codes.get(code, "").splitlines()
        for line in lines:
            if line.startswith(f"{code}  "):
                return line.partition("  ")[2].strip()
        return None

    def valid(self, code: str) -> str | None:
        """The words of a look-up that call a diagnosis complete and valid, with the date."""
        found = re.search(re.escape(_VALID) + r" \d{4}-\d\d-\d\d", self.codes.get(code, ""))
        return found.group() if found else None

    def own_rule(self, *codes: str) -> str | None:
        """The rule of the task itself that a look-up told first."""
        texts = [self.codes.get(code, "") for code in codes]
        texts.append(self.pairs.get(frozenset(codes), ""))
        for text in texts:
            if text.startswith("Rule of this task:\n"):
                return text.splitlines()[1]
        return None

    def meaning(self, code: str) -> bool:
        """Whether a look-up told what a code stands for: by its title, as another side or as
        another seventh character of a code with a title."""
        return any(
            code in line and _explains(line, code)
            for text in self.codes.values()
            if code in text
            for line in text.splitlines()
        )

    def lifts(self, one: str, other: str, modifier: str) -> bool:
        """Whether the look-up of a pair counted the modifier among those that may lift it."""
        line = self.pair_line(one, other, "takes modifier 25", "Modifiers that may lift it")
        return line is not None and names_code(line.partition(";")[0], modifier)

    def ties(self, one: str, other: str) -> Iterator[Tie]:
        """The notes between two codes, as the look-ups of either told them."""
        for holder, target in ((one, other), (other, one)):
            yield from _own_ties(self.codes.get(holder, ""), holder, target)
        for code, named in ((one, other), (other, one)):
            for line in self.codes.get(code, "").splitlines():
                found = _OTHERS.match(line)
                if found and found[1] == named:
                    place = f"at {found[3] or named}"
                    reach = (found[5] or "").removeprefix(": ")
                    yield Tie(place, found[4], named, code, reach, "Excludes1")

    def edit(self, one: str, other: str) -> Edit | None:
        """The pair of two services that is in force, if a look-up told of one."""
        text = self.pairs.get(frozenset((one, other)), "")
        found = re.search(
            r"active .*\n  column 1: (\S+)\n  column 2: (\S+), .*\n  (modifier indicator .*)", text
        )
        return Edit(found[1], found[2], found[3]) if found else None

    def pair_line(self, one: str, other: str, *parts: str) -> str | None:
        """The first line of a pair's look-up that holds one of ``parts``."""
        for line in self.pairs.get(frozenset((one, other)), "").splitlines():
            if any(part in line for part in parts):
                return line.strip()
        return None

    def sevenths(self, code: str) -> dict[str, str]:
        """The texts of the seventh characters that a look-up listed, by the code they make."""
        found = re.findall(
            r"^  \w  (.+): (\S+?)(?:  \(this code\))?$", self.codes.get(code, ""), re.MULTILINE
        )
        return {made: text for text, made in found}


def _explains(line: str, code: str) -> bool:
    """Whether a line of a look-up tells what a code stands for."""
    if line.lstrip().startswith(f"{code}  "):
        return True
    if line.startswith("Side: "):
        return f" {code}," in line or line.endswith(f" {code}.")
    if line.startswith("  ") and line.removesuffix("  (this code)").endswith(f": {code}"):
        return True
    before, found, _ = line.partition(f"{code} (")
    return bool(found) and not (before[-1:].isalnum() or before.endswith("."))


def names_code(text: str, code: str) -> bool:
    """Whether a text holds the code, and not as a part of another."""
    return code in text and bool(re.search(rf"(?<![\w.]){re.escape(code)}(?!\.?\w)", text))


def _own_ties(text: str, holder: str, target: str) -> Iterator[Tie]:
    """The notes over ``holder`` of which its own look-up says that they name ``target``."""
    mark = f"names {target} on this claim"
    if mark not in text:
        return
    kind = place = ""
    for line in text.splitlines():
        if not line.startswith("  "):
            kind, _, place = line.removesuffix(":").partition(", ")
        elif mark in line:
            words, _, told = line.strip().rpartition("  [")
            reach = next((one for one in told.rstrip("]").split("; ") if mark in one), "")
            at = f"at {holder}" if place == "its own" else place
            yield Tie(at, words, holder, target, reach.removeprefix(mark).lstrip(": "), kind)
