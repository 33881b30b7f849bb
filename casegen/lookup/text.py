"""What is known of a code, or of a pair, as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

LAST_DAY = "2027-03-31"  # the last day of the dated rows: what ends there has no known end
INDICATORS = {
    0: "no modifier allows both",
    1: "a modifier allows both where the record bears it out",
    9: "no edit",
}
STATUS = {
    "valid": "valid",
    "incomplete": "incomplete, no code to report",
    "retired": "retired",
    "not_yet_valid": "not yet valid",
}
REACH = {
    "certain": "its words reach the code",
    "conditional": "whether its words reach the code, the chart decides",
    "no": "its words do not reach the code",
}
NOTE_KINDS = {
    "inclusion_term": "Inclusion terms", "includes": "Includes", "excludes1": "Excludes1",
    "excludes2": "Excludes2", "code_first": "Code first", "use_additional": "Use additional code",
    "code_also": "Code also", "note": "Notes",
}  # fmt: skip
_MOST_BELOW = 40
_MOST_PAIRS = 400


def single_lines(facts: dict[str, Any], width: int | None) -> list[str]:
    """One code. ``width`` None leaves lines whole."""
    if facts["system"] == "ICD-10-CM":
        lines = list(_diagnosis(facts))
    else:
        lines = list(_service(facts))
    also = facts.get("also")
    if also:
        lines += ["", "The same characters are also a service:", "", *_service(also)]
    return list(_wrapped(lines, width))


def pair_lines(facts: dict[str, Any], width: int | None) -> list[str]:
    """What ties two codes."""
    lines = []
    states = facts.get("status", ("valid", "valid"))
    for code, title, status in zip(facts["codes"], facts["titles"], states, strict=True):
        state = "" if status == "valid" else f" ({STATUS[status]} on {facts['date']})"
        lines.append(f"{code}  {title or _untitled(status)}{state}")
    lines.append("")
    if facts["kind"] == "mixed":
        lines.append("A diagnosis and a service: no Excludes note and no NCCI pair ties them.")
    elif facts["kind"] == "services":
        lines += _ncci(facts)
    else:
        lines += _ties(facts)
    return list(_wrapped(lines, width))


def _untitled(status: str) -> str:
    """What stands in the place of a title that the list doesn't have."""
    return "no such complete code" if status == "incomplete" else "not in the tabular list"


def _diagnosis(facts: dict[str, Any]) -> Iterator[str]:
    code = facts["code"]
    yield f"{code}  {facts['title'] or _untitled(facts['status'])}"
    state = STATUS[facts["status"]]
    if not facts["title"] and facts["status"] == "valid":
        state = "valid by the dated rows alone"
    yield f"  {facts['release']}, on {facts['date']}: {state}"
    if facts.get("meant"):
        yield f"  complete, with placeholders: {facts['meant']}"
    for begin, end in facts["valid"]:
        yield f"  valid from {begin} " + ("on" if end >= LAST_DAY else f"to {end}")
    if not facts["valid"]:
        yield "  never was a complete code"
    if facts["mce_edits"]:
        yield f"  MCE edits: {', '.join(facts['mce_edits'])}"
    if facts.get("sex"):
        yield f"  sex: {facts['sex']['sex']}, by {facts['sex']['words']}"
    if facts.get("age"):
        age = facts["age"]
        yield f"  age: {age['from']} to {age['to']} years, by {age['words']}"
    others = {side: c for side, c in facts.get("sides", {}).items() if c != code}
    if others:
        yield f"  other sides: {', '.join(f'{side} {c}' for side, c in others.items())}"
    if facts.get("above"):
        yield from ("", "Above")
        for row in facts["above"]:
            yield f"  {row['code']}  {row['title']}"
    below = facts.get("below", ())
    if below:
        yield from ("", "Divides into")
        for row in below[:_MOST_BELOW]:
            yield f"  {row['code']}  {row['title']}"
        if len(below) > _MOST_BELOW:
            yield f"  and {len(below) - _MOST_BELOW} more"
    if facts.get("sevenths"):
        yield from ("", "Seventh character")
        for char, text in facts["sevenths"].items():
            yield f"  {char}  {text}"
    yield from _notes(facts.get("notes", ()), code)


def _notes(notes: Sequence[dict[str, Any]], code: str) -> Iterator[str]:
    """The notes by kind and place, own ones first."""
    for kind, heading in NOTE_KINDS.items():
        place = None
        for note in notes:
            if note["kind"] != kind:
                continue
            if note["stands_on"] != place:
                place = note["stands_on"]
                yield ""
                yield heading if place == code else f"{heading}, at {place}"
            yield f"  {note['text']}"


def _service(facts: dict[str, Any]) -> Iterator[str]:
    yield f"{facts['code']}  {facts['label']}"
    if "ended_on" in facts:
        yield f"  {facts['system']}, no longer valid from {facts['ended_on']} on"
        yield f"  source: {facts['source']}"
        return
    if facts["status"] == "unknown":
        yield f"  {facts['system']}, not in casegen's list; whether it is valid isn't known"
        yield from _edits_of(facts)
        return
    if facts.get("descriptor"):
        yield f"  your CPT text: {facts['descriptor']}"
    yield f"  {facts['system']}, {facts['category']}; settings: {', '.join(facts['settings'])}"
    if facts["sex"]:
        yield f"  sex: {facts['sex']}"
    low, high = facts["age"]
    if (low, high) != (0, 124):
        yield f"  age: {low} to {high} years" if high < 124 else f"  age: from {low} years"
    if facts["add_on_to"]:
        yield f"  add-on code to {', '.join(facts['add_on_to'])}"
    yield from _edits_of(facts)


def _edits_of(facts: dict[str, Any]) -> Iterator[str]:
    """The medically unlikely edit and the pairs of a service."""
    if facts["mue"]:
        yield f"  medically unlikely edit: {facts['mue']} a day ({facts['mue_edition']})"
    for side, words in (("column1_of", "denies"), ("column2_of", "is denied beside")):
        if facts[side]:
            shown = facts[side][:_MOST_PAIRS]
            told = ", ".join(f"{code} ({indicator})" for code, indicator in shown)
            if len(facts[side]) > len(shown):
                told += f" and {len(facts[side]) - len(shown)} more"
            yield ""
            yield f"NCCI pairs, {facts['edition']}, modifier indicator in brackets: {words}"
            yield f"  {told}"


def _ncci(facts: dict[str, Any]) -> Iterator[str]:
    one, two = facts["codes"]
    if not facts["ncci_all"]:
        yield f"No NCCI practitioner pair of {one} and {two} ({facts['edition']})."
    for edit in facts["ncci_all"]:
        state = f"deleted on {edit['deleted']}" if edit["deleted"] else "active"
        yield f"NCCI practitioner pair ({facts['edition']}), {state}"
        yield f"  column 1: {edit['column1']}"
        yield f"  column 2: {edit['column2']}, the one that is denied"
        yield f"  modifier indicator {edit['indicator']}: {INDICATORS[edit['indicator']]}"
        yield f"  reason: {edit['rationale']}"
    if facts["ncci_all"] and facts["ncci_active"] is None:
        yield f"No edit binds them on {facts['date']}."


def _ties(facts: dict[str, Any]) -> Iterator[str]:
    found = False
    for kind, name in (("excludes1", "Excludes1"), ("excludes2", "Excludes2")):
        for hit in facts[kind]:
            found = True
            own = hit["stands_on"] == hit["holder"]
            whose = "its own" if own else f"that {hit['holder']} inherits"
            yield f"{name} note at {hit['stands_on']}, {whose}"
            yield f"  {hit['note']}"
            told = REACH[hit["reach"]] if kind == "excludes1" else "both may be coded"
            yield f"  names {hit['target']}; {told}"
    for note in facts["code_also"]:
        found = True
        yield f"{NOTE_KINDS[note['kind']]} note at {note['stands_on']}"
        yield f"  {note['text']}"
    if not found:
        yield "No Excludes1, Excludes2, code first, use additional or code also note ties them."
    if facts["excludes1"]:
        yield ""
        yield "An Excludes1 pair may stand where the two are unrelated (guideline I.A.12.a)."


def _wrapped(lines: Sequence[str], width: int | None) -> Iterator[str]:
    """Long lines broken at ``width``, the rest of each set in."""
    for line in lines:
        if width is None or len(line) <= width:
            yield line
        else:
            indent = " " * (len(line) - len(line.lstrip(" ")) + 4)
            yield from textwrap.wrap(
                line, max(width, 40), subsequent_indent=indent, break_on_hyphens=False
            )
