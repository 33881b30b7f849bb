"""Excludes1 conflicts between the ICD-10-CM lines of a claim.

A note forbids two codes only for one condition (guideline I.A.12.a), so the record decides:
a conflict is certain where it supports exactly one of the two and the note's words reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas import Fact
from casegen.schemas import authority as sources

from .facts import answered, ties
from .memo import Icd, Record, Work
from .model import ViewLine

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.conflicts import ExcludesHit


def judge_excludes(work: Work) -> None:
    """Every pair of valid ICD-10-CM lines."""
    lines = work.icd
    memo = work.memo
    bits = 0
    met = False
    for _, info in lines:
        met = met or bool(info.mask & (bits | info.bit))
        bits |= info.bit
    if not met:
        return
    for i, (line, info) in enumerate(lines):
        a = info.code
        mask = info.mask
        for j in range(i + 1, len(lines)):
            other, their = lines[j]
            if not mask & their.bit:
                continue
            hits = memo.excludes1(a, their.code)
            if hits:
                _judge(work, line, info, other, their, hits)


def _judge(
    work: Work,
    line: ViewLine,
    info: Icd,
    other: ViewLine,
    their: Icd,
    hits: tuple[ExcludesHit, ...],
) -> None:
    hit = strongest(hits)
    if hit is None or line.line in work.replaced or other.line in work.replaced:
        return
    authority = sources.tabular_excludes1(hit.stands_on, hit.note)
    pair = f"lines {line.line} and {other.line}: {line.code} and {other.code}"
    record = work.record
    if record is None:
        text = f"{pair} stand under an Excludes1 note; the chart decides"
        work.review(other, other.code, "excludes1", text, authority)
        return
    ours = record.expected.get(info.code)
    theirs = record.expected.get(their.code)
    if ours is not None and theirs is not None:
        if not ties(record.relations, "unrelated", ours, theirs):
            text = f"{pair} are both in the record; an Excludes1 note lets them stand only if"
            work.review(other, other.code, "excludes1", f"{text} unrelated", authority)
        return
    if ours is None and theirs is None:
        text = f"{pair} stand under an Excludes1 note, and the record supports neither"
        work.review(other, other.code, "excludes1", text, authority)
        return
    if ours is not None:
        kept, kept_line, wrong, wrong_line = info, line, their, other
    else:
        kept, kept_line, wrong, wrong_line = their, other, info, line
    support = record.expected[kept.code]
    denied = [fact for fact in record.others if _names(work, record, fact, wrong.code)]
    if ties(record.relations, "unrelated", support, denied):
        return
    if hit.reach != "certain" or wrong.code in record.possible:
        text = f"{pair}: whether the Excludes1 note reaches them is for the chart to say"
        work.review(wrong_line, wrong_line.code, "excludes1", text, authority)
        return
    ruled_out = [fact for fact in denied if fact.status == "ruled_out"]
    relations = [
        fact
        for fact in record.relations
        if any(f.id in fact.about for f in support) and any(f.id in fact.about for f in ruled_out)
    ]
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


def strongest(hits: tuple[ExcludesHit, ...]) -> ExcludesHit | None:
    """The note to cite: one that is certain, then one on a code itself, then the one that
    stands on the longest code (a block or chapter last), then the one whose holder sorts
    first, so that the order of the lines doesn't matter. None if no note reaches."""
    reaching = [hit for hit in hits if hit.reach != "no"]
    return min(reaching, key=_rank) if reaching else None


def _rank(hit: ExcludesHit) -> tuple[bool, bool, int, str]:
    return (
        hit.reach != "certain",
        hit.stands_on != hit.holder,
        -place_rank(hit.stands_on),
        hit.holder,
    )


def place_rank(stands_on: str) -> int:
    """How narrow the place of a note is: the length of a code, 0 for a block, -1 for a
    chapter."""
    if "chapter" in stands_on:
        return -1
    if "-" in stands_on or stands_on.startswith("block"):
        return 0
    return len(stands_on)


def _names(work: Work, record: Record, fact: Fact, code: str) -> bool:
    """True if the fact, whatever its status, is one of that code."""
    attributes = answered(record, fact)
    key: object = (fact.term, *attributes.items()) if attributes else fact.term
    known = work.memo.facts.get(key)
    if known is None:
        known = work.memo.resolve(key, fact.term, attributes)
    return code in known.codes
