"""NCCI procedure-to-procedure pairs between the services of a professional claim.

Column 2 is what is denied. Indicator 0 allows both never; indicator 1 allows both with an
NCCI-associated modifier on either code, if the chart tells of separate services (CMS Change
Request 11168 lets 59 and X{EPSU} stand on either code; 25 belongs on an E/M code).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas import Fact
from casegen.schemas import authority as sources

from .memo import Memo, Svc
from .model import ViewLine
from .work import Record, Work

if TYPE_CHECKING:
    from casegen.seeds.services import PtpEdit

SEPARATE = ("separate", "separate_problem")
TOGETHER = ("same", "decision_only")


def judge_ncci(work: Work) -> None:
    """Every pair of known services."""
    lines = work.svc
    view = work.view
    if view.claim_type != "professional":
        work.report.unjudged.append(
            "NCCI pairs and units (MUE): the figures are those of professional claims, "
            "so they are not applied to this facility claim"
        )
        return
    if len(lines) == 1:
        return
    if work.memo.services.lacking:
        work.report.unjudged.append(work.memo.services.lacking)
    if len({svc.code for _, svc in lines}) < len(lines):
        _judge_repeated(work)
        return
    pair = work.memo.services.pair
    on = view.service_date
    for place, (line, svc) in enumerate(lines, 1):
        partners = svc.partners
        if not partners:
            continue
        a = svc.code
        for other, their in lines[place:]:
            if their.code in partners:
                edit = pair(a, their.code, on)
                if edit is None:
                    continue
                if edit.column1 == a:
                    _judge(work, edit, line, svc, other, their)
                else:
                    _judge(work, edit, other, their, line, svc)


def _judge_repeated(work: Work) -> None:
    """The same where a service stands on several lines: equal lines are judged as one, and a
    pair denies each line of its column 2 once."""
    memo = work.memo
    on = work.view.service_date
    equal: dict[tuple[str, tuple[str, ...]], list[tuple[ViewLine, Svc]]] = {}
    for line, svc in work.svc:
        equal.setdefault((svc.code, tuple(line.modifiers)), []).append((line, svc))
    groups = list(equal.values())
    denied: set[tuple[str, int]] = set()
    verdicts = work.report.verdicts
    for i, group in enumerate(groups):
        for other in groups[i + 1 :]:
            a, b = group[0][1].code, other[0][1].code
            edit = memo.services.pair(a, b, on)
            if edit is None:
                continue
            one, two = (group, other) if edit.column1 == a else (other, group)
            line1, svc1 = one[0]
            for line2, svc2 in two:
                if (edit.column1, line2.line) in denied:
                    continue
                count = len(verdicts)
                _judge(work, edit, line1, svc1, line2, svc2)
                if len(verdicts) == count:
                    break
                denied.add((edit.column1, line2.line))


def _judge(
    work: Work, edit: PtpEdit, line1: ViewLine, svc1: Svc, line2: ViewLine, svc2: Svc
) -> None:
    """One pair, column 1 first."""
    if edit.indicator not in (0, 1):
        return
    record = work.record
    authority = sources.ncci_pair(edit.column1, edit.column2, edit.indicator)
    pair = f"lines {line1.line} and {line2.line}: {line1.code} and {line2.code}"
    facts, justified, contradicted = _chart(work.memo, record, svc1, svc2)
    if edit.indicator == 0:
        kind = "indicator_0"
        text = f"{pair} are never paid together; {line2.code} is part of {line1.code}"
    else:
        modified = bypasses(work.memo, line1, svc1) or bypasses(work.memo, line2, svc2)
        if record is None and modified:
            text = f"{pair} are paid together only if the chart tells of separate services"
            work.review(line2, line2.code, "ncci", text, authority)
            return
        if contradicted:
            text = f"{pair}: the record calls the services both separate and one"
            work.review(line2, line2.code, "ncci", text, authority)
            return
        if modified and justified:
            return
        if justified:
            work.verdict(
                "ncci_edit",
                "missing_modifier",
                line2,
                authority,
                f"{pair} were separate services by the record; the modifier is missing",
                related=line1.code,
                modifier="25" if svc2.em else "59",
                facts=facts,
            )
            return
        if modified:
            kind = "unjustified_modifier"
            text = f"{pair}: the record tells of no separate services that justify the modifier"
        else:
            kind = "bundled"
            text = f"{pair}: {line2.code} is part of {line1.code}"
    work.verdict("ncci_edit", kind, line2, authority, text, related=line1.code, facts=facts)


def bundled(work: Work, code: str) -> bool:
    """True if an unbilled service of the record is part of a billed one, so that the claim is
    right without it: a pair denies it, and the record tells of no separate services."""
    view = work.view
    memo = work.memo
    ours = memo.svc[code]
    if view.claim_type != "professional" or ours is None:
        return False
    for _, svc in work.svc:
        if code not in svc.partners:
            continue
        edit = memo.services.pair(svc.code, code, view.service_date)
        if edit is None or edit.column2 != code or edit.indicator not in (0, 1):
            continue
        _, justified, contradicted = _chart(memo, work.record, svc, ours)
        if edit.indicator == 0 or not justified or contradicted:
            return True
    return False


def bypasses(memo: Memo, line: ViewLine, svc: Svc) -> bool:
    """True if a modifier of the line can lift a pair with indicator 1."""
    if not line.modifiers:
        return False
    associated = memo.services.associated_modifiers()
    return any(m in associated and (m != "25" or svc.em) for m in line.modifiers)


def _chart(
    memo: Memo, record: Record | None, svc1: Svc, svc2: Svc
) -> tuple[list[Fact], bool, bool]:
    """The facts about a pair; whether they tell of separate services; whether they also
    tell the contrary."""
    if record is None:
        return [], False, False
    one = record.services.get(svc1.code, [])
    two = record.services.get(svc2.code, [])
    facts = one + two
    separate = together = False
    for relation in record.relations:
        first = _mentions(memo, relation, one, svc1.code)
        second = _mentions(memo, relation, two, svc2.code)
        if not (first or second) or _mentions_third(memo, record, relation, (svc1, svc2)):
            continue
        facts = [*facts, relation]
        if first and second and relation.term in SEPARATE:
            separate = True
        elif relation.term in TOGETHER:
            together = True
    return facts, separate, separate and together


def _mentions(memo: Memo, relation: Fact, facts: list[Fact], code: str) -> bool:
    if any(fact.id in relation.about for fact in facts):
        return True
    label = relation.attributes.get("service")
    return label is not None and memo.label[label] == code


def _mentions_third(memo: Memo, record: Record, relation: Fact, pair: tuple[Svc, Svc]) -> bool:
    """True if the relation names a service outside the pair, and so another pair."""
    codes = {svc.code for svc in pair}
    label = relation.attributes.get("service")
    if label is not None and memo.label[label] not in codes:
        return True
    return any(
        fact.id in relation.about
        for code, facts in record.services.items()
        if code not in codes
        for fact in facts
    )
