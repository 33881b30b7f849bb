"""Diagnoses that do not go together, or not in that order: open points, never errors.

Sides and phases of one condition, links that the guidelines presume (only without a record:
with one ``facts`` applies them), and codes that never stand first.
"""

from __future__ import annotations

from itertools import combinations

from casegen.schemas import authority as sources

from .memo import ICD, Icd
from .model import ViewLine
from .work import Work

SEQUENCE = (
    "the order of the diagnoses, but for external causes, manifestations, pregnancy, sepsis, "
    "screening and the harm of drugs"
)
_EXTERNAL = frozenset("VWXY")  # chapter 20, V00-Y99
_PRESUMED = {"I10": "I.C.9.a", "E10.9": "I.A.15", "E11.9": "I.A.15"}
_WITH_HYPERTENSION = frozenset(("N18", "I50", "I11", "I12", "I13"))
_WITH_DIABETES = frozenset(("N18",))


def judge_sequence(work: Work) -> None:
    """The first diagnosis of the claim is no external cause and no manifestation."""
    if not work.icd:
        return
    if len(work.icd) > 1:
        work.report.unjudged.append(SEQUENCE)
    line, info = work.icd[0]
    code = info.code
    if code[0] in _EXTERNAL:
        section = "I.C.20.a.6"
        text = "an external cause and never the first diagnosis"
    elif "manifestation" in work.memo.edits(info, work.view.service_date):
        section = "I.A.13"
        text = "a manifestation; the code of the underlying disease goes first"
    else:
        return
    if work.in_verdict(line):
        return
    if any(b.system == ICD and b.line.line < line.line for b in work.broken):
        return
    text = f"line {line.line}: {line.code} is {text}"
    work.remark(line, line.code, "sequence", text, sources.guideline(section))


def judge_together(work: Work) -> None:
    """Two codes of one category that name sides or phases of one condition."""
    lines = work.icd
    # A bit for each line: no two are of one category. (One that the tables no longer have has
    # no bit, and the lines are looked at.)
    if work.categories.bit_count() == len(lines):
        return
    heads: dict[str, list[tuple[ViewLine, Icd]]] = {}
    for line, info in lines:
        heads.setdefault(info.head, []).append((line, info))
    for group in heads.values():
        for (line, info), (other, their) in combinations(group, 2):
            found = _phases(work, info, their) or _sides(work, info, their)
            if found is None or work.in_verdict(line) or work.in_verdict(other):
                continue
            kind, section, text = found
            text = f"lines {line.line} and {other.line}: {line.code} and {other.code} {text}"
            work.remark(other, other.code, kind, text, sources.guideline(section))


def _phases(work: Work, info: Icd, their: Icd) -> tuple[str, str, str] | None:
    # Two accidents may have one external cause and stand at different phases of care.
    if len(info.stem) != 7 or info.stem[:6] != their.stem[:6] or info.code[0] in _EXTERNAL:
        return None
    ours, theirs = work.memo.tables.seventh(info.code), work.memo.tables.seventh(their.code)
    # A fetus, a stage or a time of day may differ between two lines; the phase may not.
    if ours is None or theirs is None or not (ours.phase and theirs.phase):
        return None
    return "phases", "I.A.5", "are one condition with two seventh characters"


def _sides(work: Work, info: Icd, their: Icd) -> tuple[str, str, str] | None:
    siblings = work.memo.tables.side_siblings(info.code)
    side = _side_of(siblings, info.code)
    other = _side_of(siblings, their.code)
    if not side or not other or side == other:
        return None
    pair = {side, other}
    if "unspecified" in pair:
        return "sides", "I.B.13", "leave the side of one condition open and name it"
    if "bilateral" in pair:
        return "sides", "I.B.13", "name both sides of one condition and one of them"
    both = siblings.get("bilateral")
    if both is None or not work.memo.valid(work.memo.icd[both], work.view.service_date):
        return None
    return "sides", "I.B.13", f"are the two sides of one condition; {both} names both"


def _side_of(siblings: dict[str, str], code: str) -> str:
    return next((side for side, sibling in siblings.items() if sibling == code), "")


def judge_links(work: Work) -> None:
    """Without a record: codes that the guidelines join unless the chart says unrelated."""
    lines = work.icd
    for line, info in lines:
        code = info.code
        section = _PRESUMED.get(code)
        if section is None:
            continue
        linked = _WITH_HYPERTENSION if code == "I10" else _WITH_DIABETES
        others = [other.code for other, their in lines if their.head in linked]
        if others and not work.in_verdict(line):
            text = f"line {line.line}: {line.code} beside {', '.join(others)}: the guidelines "
            text += "presume that they are linked, which another code says, unless the chart "
            text += "calls them unrelated"
            work.remark(line, line.code, "link presumed", text, sources.guideline(section))
