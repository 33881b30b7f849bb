"""Does the record support the code, or a more exact one of the same category?"""

from __future__ import annotations

from casegen.schemas import authority as sources

from .facts import questions_used
from .matching import assign
from .memo import Icd
from .work import Work


def judge_support(work: Work) -> None:
    """Valid ICD-10-CM lines that the record doesn't support, against the expected codes of
    their category that no line brings."""
    record = work.record
    if record is None:
        return
    expected = record.expected
    replaced = work.replaced
    open_lines = []
    for line, info in work.icd:
        if info.code not in expected and line.line not in replaced:
            open_lines.append((line, info))
    if not open_lines:
        return
    pool = work.unbilled()
    if not pool and not record.possible:
        return
    stems = {}
    for line, info in open_lines:
        fact = record.possible.get(info.code)
        if fact is None:
            stems[line.line] = info.stem
        else:
            text = f'line {line.line}: "{fact.term}" in the record names several codes'
            text += f"; {line.code} is one of them"
            work.review(line, line.code, "record does not settle", text)
    mended = assign(stems, pool, fits=_same_category)
    for line, info in open_lines:
        right = mended.get(line.line)
        if right is None:
            continue
        kind = kind_of(work, info, right)
        facts = expected[right]
        work.verdict(
            "specificity_error",
            kind,
            line,
            sources.specificity(
                kind,
                work.memo.tables.chapter(right),
                right,
                side=kind == "unspecified" and _side_is_open(work, info.code, right),
            ),
            f"line {line.line}: {line.code} differs from the record in {_WORDS[kind]}; "
            f"the record calls for {right}",
            replacement=right,
            facts=facts,
            questions=questions_used(record, work.memo, facts),
        )


_WORDS = {
    "phase": "the phase of care",
    "healing": "how the fracture heals",
    "fracture_type": "the type of fracture",
    "laterality": "the side",
    "unspecified": "leaving open what the record states",
    "detail": "the detail",
}


def _same_category(claimed: str, right: str) -> bool:
    return claimed[:3] == right[:3]


def _side_is_open(work: Work, claimed: str, right: str) -> bool:
    """Whether the claimed code is silent on the side and the right one is not."""
    side = work.memo.tables.laterality
    return side(claimed) == "unspecified" and side(right) not in (None, "unspecified")


def kind_of(work: Work, claimed: Icd, right: str) -> str:
    """In what the claimed code and the right one differ: phase, healing, fracture_type,
    laterality, unspecified or detail, in that order of precedence."""
    tables = work.memo.tables
    code = claimed.code
    ours = tables.seventh(code)
    theirs = tables.seventh(right)
    if ours is not None and theirs is not None and ours.char != theirs.char:
        if ours.phase != theirs.phase and ours.phase and theirs.phase:
            return "phase"
        if ours.healing != theirs.healing and ours.healing and theirs.healing:
            return "healing"
        if ours.fracture != theirs.fracture and ours.fracture and theirs.fracture:
            return "fracture_type"
    side = tables.laterality(code)
    other = tables.laterality(right)
    if side is not None and other is not None and side != other:
        return "unspecified" if side == "unspecified" else "laterality"
    if code[3:] == ".9":
        return "unspecified"
    # A code that was valid on an earlier date may be gone from the list.
    if tables.exists(code) and "unspecified" in tables.title(code).lower():
        return "unspecified"
    return "detail"
