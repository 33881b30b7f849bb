"""Excludes1 conflicts between the ICD-10-CM lines of a claim.

A note forbids two codes only for one condition (guideline I.A.12.a), so the record decides:
a conflict is certain where it supports exactly one of the two and the note's words reach.
"""

from __future__ import annotations

from casegen.schemas import Fact

from .facts import about_both, answered, ties
from .memo import Icd, Tied
from .model import ViewLine
from .work import Record, Work


def judge_excludes(work: Work) -> None:
    """Every pair of valid ICD-10-CM lines."""
    lines = work.icd
    categories = work.categories
    tied = work.memo.tied
    one_each = categories.bit_count() == len(lines)
    for place, (line, info) in enumerate(lines, 1):
        # Most codes stand on a claim to which no note could tie them; a category that has notes
        # between its own codes meets itself.
        met = info.mask & categories
        if not met or (one_each and met == info.bit):
            continue
        for other, their in lines[place:]:
            if met & their.bit:
                found = tied[info.code, their.code]
                if found is not None:
                    _judge(work, line, info, other, their, found)


def _judge(
    work: Work,
    line: ViewLine,
    info: Icd,
    other: ViewLine,
    their: Icd,
    found: Tied,
) -> None:
    if line.line in work.replaced or other.line in work.replaced:
        return
    hit = found.hit
    authority = found.authority
    record = work.record
    if record is None:
        pair = _pair(line, other)
        text = f"{pair} stand under an Excludes1 note; the chart decides"
        work.review(other, other.code, "excludes1", text, authority)
        return
    ours = record.expected.get(info.code)
    theirs = record.expected.get(their.code)
    if ours is not None and theirs is not None:
        if not ties(record.relations, "unrelated", ours, theirs):
            pair = _pair(line, other)
            text = f"{pair} are both in the record; an Excludes1 note lets them stand only if"
            work.review(other, other.code, "excludes1", f"{text} unrelated", authority)
        return
    if ours is None and theirs is None:
        pair = _pair(line, other)
        text = f"{pair} stand under an Excludes1 note, and the record supports neither"
        work.review(other, other.code, "excludes1", text, authority)
        return
    if ours is not None:
        kept, kept_line, wrong, wrong_line = info, line, their, other
    else:
        kept, kept_line, wrong, wrong_line = their, other, info, line
    support = record.expected[kept.code]
    denied = [fact for fact in record.others if _names(work, record, fact, wrong.code)]
    if denied and ties(record.relations, "unrelated", support, denied):
        return
    if hit.reach != "certain" or wrong.code in record.possible:
        pair = _pair(line, other)
        text = f"{pair}: whether the Excludes1 note reaches them is for the chart to say"
        work.review(wrong_line, wrong_line.code, "excludes1", text, authority)
        return
    ruled_out = [fact for fact in denied if fact.status == "ruled_out"]
    relations = []
    if ruled_out:
        relations = [fact for fact in record.relations if about_both(fact, support, ruled_out)]
    work.verdict(
        "excludes1_conflict",
        "own_note" if hit.stands_on in (info.code, their.code) else "inherited_note",
        wrong_line,
        authority,
        f"line {wrong_line.line}: {wrong_line.code} cannot stand beside {kept_line.code}, "
        "which is what the record supports",
        related=kept_line.code,
        facts=support + ruled_out + relations,
    )


def _names(work: Work, record: Record, fact: Fact, code: str) -> bool:
    """True if the fact, whatever its status, is one of that code."""
    attributes = fact.attributes
    if fact.id in record.answers:
        attributes = answered(record, fact)
    return code in work.memo.codes_of(fact.term, attributes)


def _pair(line: ViewLine, other: ViewLine) -> str:
    return f"lines {line.line} and {other.line}: {line.code} and {other.code}"
