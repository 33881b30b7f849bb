"""The order of the diagnoses where the list or a guideline sets it: open points, never errors.

Only codes that the record supports are looked at: a wrong one has no right place.
"""

from __future__ import annotations

from casegen.schemas import Fact
from casegen.schemas import authority as sources

from .memo import ICD, Icd
from .model import ViewLine
from .work import Record, Work

# Categories with codes that the notes "code first" at N18 and I50 name (tabular list); which
# codes these are is asked of the tables.
_JOINED = {
    "N18": frozenset(("E08", "E09", "E10", "E11", "E13", "I12", "I13")),
    "I50": frozenset(("I09", "I11", "I13", "I97", "O08", "O75")),
}
Placed = list[tuple[ViewLine, Icd]]


def judge_order(work: Work) -> None:
    """Lines that stand before one that goes first."""
    record = work.record
    relations = [] if record is None else _tying(record)
    if not relations and not any(info.ordered for _, info in work.icd):
        return
    placed = [
        (line, info)
        for line, info in work.icd
        if (record is None or info.code in record.expected) and not work.in_verdict(line)
    ]
    if not placed:
        return
    _pregnancy(work, placed)
    _manifestations(work, placed)
    _never_first(work, placed)
    for relation in relations:
        _tied(work, placed, relation)


def _tying(record: Record) -> list[Fact]:
    """The relations that set an order."""
    return [r for r in record.relations if r.term in _TIED and len(r.about) > 1]


def _remark(work: Work, line: ViewLine, section: str, text: str) -> None:
    told = f"line {line.line}: {line.code} {text}"
    work.remark(line, line.code, "sequence", told, sources.guideline(section))


def _pregnancy(work: Work, placed: Placed) -> None:
    """Codes of chapter 15 go before those of other chapters (I.C.15.a.1); O94 follows the
    sequela (I.C.15.p)."""
    other: ViewLine | None = None
    for line, info in placed:
        if not info.code.startswith("O") or info.head == "O94":
            other = other or line
        elif other is not None:
            _remark(work, other, "I.C.15.a.1", f"stands before {info.code} of chapter 15")
            return


def _manifestations(work: Work, placed: Placed) -> None:
    """A manifestation follows one of the codes that its note "code first" names (I.A.13); the
    stage of kidney disease and the type of heart failure follow every one (I.C.4.a, I.C.9.a)."""
    # A note that stands on the other code says the opposite.
    on = work.view.service_date
    tables = work.memo.tables
    for at, (line, info) in enumerate(placed):
        if not info.ordered:
            continue
        heads = _JOINED.get(info.head)
        every = heads is not None
        if not every and (not at or "manifestation" not in tables.edits(info.code, on)):
            continue
        causes = [
            place
            for place, (_, other) in enumerate(placed)
            if place != at
            and (heads is None or other.head in heads)
            and any(
                note.kind == "code_first" and not other.code.startswith(note.stands_on)
                for note in tables.code_also(info.code, other.code)
            )
        ]
        if not causes:
            continue
        late = max(causes) if every else min(causes)
        if late > at and (every or not _unplaced_before(work, placed, line)):
            _remark(work, line, "I.A.13", f"stands before {placed[late][1].code}, which goes first")


def _unplaced_before(work: Work, placed: Placed, line: ViewLine) -> bool:
    """Whether a wrong code goes before, which may stand for the cause."""
    right = {other.line for other, _ in placed}
    return any(
        other.line < line.line and other.line not in right
        for other in (*(one for one, _ in work.icd), *(one.line for one in work.broken))
    )


def _never_first(work: Work, placed: Placed) -> None:
    """Severe sepsis, an adverse effect and underdosing never come first; severe sepsis follows
    the infection (I.C.1.d.3, I.C.19.e.5)."""
    line, info = placed[0]
    if _behind_a_wrong_one(work, line):
        pass
    elif info.head == "R65" and info.code.startswith("R65.2"):
        _remark(work, line, "I.C.1.d.3", "is never first; the infection is")
    elif _drug(info) in ("5", "6"):
        section = "I.C.19.e.5.a" if _drug(info) == "5" else "I.C.19.e.5.c"
        _remark(work, line, section, "tells of a drug and is never first")
    infections = [at for at, (_, other) in enumerate(placed) if other.head in ("A40", "A41")]
    for at, (line, info) in enumerate(placed):
        if at and info.code.startswith("R65.2") and infections and min(infections) > at:
            _remark(work, line, "I.C.1.d.3", "stands before the infection")


def _behind_a_wrong_one(work: Work, line: ViewLine) -> bool:
    """Whether a code goes before that has no right place: then this one may be the first."""
    wrong = any(b.system == ICD and b.line.line < line.line for b in work.broken)
    return wrong or work.icd[0][0] is not line


def _drug(info: Icd) -> str:
    """The character that says poisoning (1-4), adverse effect (5) or underdosing (6), "" of
    another code."""
    if "T36" <= info.head <= "T50" and len(info.stem) == 7:
        five, six = info.stem[4], info.stem[5]
        return five if six == "X" else six
    return ""


def _tied(work: Work, placed: Placed, relation: Fact) -> None:
    first, second = (_of_fact(work, placed, about) for about in relation.about[:2])
    if first is None or second is None:
        return
    # What the relation names first, a finding or an effect, and what it names second.
    effect, cause = placed[first], placed[second]
    drug = _drug(cause[1])
    if relation.term == "found_by":
        if first < second:
            _remark(work, effect[0], "I.C.21.c.5", f"stands before the screening {cause[1].code}")
    elif drug in ("1", "2", "3", "4"):
        if first < second:
            _remark(work, effect[0], "I.C.19.e.5.b", f"stands before the poisoning {cause[1].code}")
    elif drug:
        if second < first:
            section = "I.C.19.e.5.a" if drug == "5" else "I.C.19.e.5.c"
            _remark(work, cause[0], section, f"stands before {effect[1].code}, which goes first")
    elif cause[1].head[0] == "S" and cause[1].code[-1] == "S":
        if second < first:
            _remark(work, cause[0], "I.B.10", f"stands before {effect[1].code}, which it has left")
    elif cause[1].head in ("A40", "A41"):
        severe = next((at for at, (_, i) in enumerate(placed) if i.code[:5] == "R65.2"), second)
        if first < max(second, severe):
            _remark(work, effect[0], "I.C.1.d.3", "stands before the sepsis that brought it")


def _of_fact(work: Work, placed: Placed, fact_id: str) -> int | None:
    """Where the code stands that a fact calls for by itself."""
    record = work.record
    if record is None:
        return None
    for at, (_, info) in enumerate(placed):
        if record.expected[info.code][0].id == fact_id:
            return at
    return None


_TIED = frozenset(("found_by", "due_to"))
