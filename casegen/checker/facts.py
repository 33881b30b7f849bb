"""From the record to the codes that it calls for.

A fact counts if it has a span, or if no note comes with the claim; a service, a relation, a
sex or an age only if it is active, so that a service which the record rules out is not
supported. The physician's answers add their attribute to their fact first. A problem that the
tables resolve to one code makes that code expected; one that they resolve to several settles
nothing, unless a guideline does (see ``guided``).
"""

from __future__ import annotations

from casegen.schemas import Fact, Question

from .guided import settle
from .memo import COMPLICATION, DIABETES, HEART, HYPERTENSION, KIDNEY, Icd, Memo
from .model import ClaimView
from .work import Record

_LINKED = KIDNEY | HEART | COMPLICATION

# Guideline I.C.9.a: hypertension with heart failure, with chronic kidney disease (stages 1-4
# and unspecified; stage 5 and end stage), or with both. Keys: heart failure, kidney.
_HYPERTENSIVE = {
    (True, None): "I11.0",
    (False, "early"): "I12.9",
    (False, "late"): "I12.0",
    (True, "early"): "I13.0",
    (True, "late"): "I13.2",
}
_LATE_KIDNEY = frozenset(("N18.5", "N18.6"))

# Other heart conditions that I11 includes when they are due to hypertension (I.C.9.a.1). The
# right pair of codes then also depends on an Excludes note, so the chart has to say.
_HEART = ("I51.4", "I51.5", "I51.7", "I51.89", "I51.9")

# Guideline I.A.15: "with" in a code title links. The titles under E10 and E11 name these
# conditions without saying which of several codes fits; prefix -> the titles' endings.
_WITH_DIABETES = {
    "E16.2": ("649",),
    "G58.9": ("41",),
    "G60.9": ("40", "42"),
    "G62.9": ("40", "42"),
    "H25": ("36",),
    "H26": ("36",),
    "H35.0": ("311", "319"),
    "I70.2": ("51", "52"),
    "I73.9": ("51",),
    "I96": ("52",),
    "K05": ("630",),
    "K31.84": ("43",),
    "L97": ("621", "622"),
    "L98.4": ("622",),
    "M14.6": ("610",),
    "R73.9": ("65",),
}


def read_record(view: ClaimView, memo: Memo, unjudged: list[str]) -> Record | None:
    """The record of a claim, read; None without a record. Appends to ``unjudged``."""
    if view.record is None:
        return None
    answers: dict[str, list[Question]] = {}
    for question in view.questions:
        answers.setdefault(question.fact, []).append(question)
    record = Record({}, {}, {}, [], {}, [], [], [], [], answers)
    named = record.named
    expected = record.expected
    services = record.services
    wordings = memo.facts
    on = view.service_date
    noted = view.noted
    flags = 0
    for fact in view.record:
        if noted and not fact.spans:
            continue
        kind = fact.kind
        if kind == "problem":
            if fact.status != "active":
                record.others.append(fact)
                continue
            attributes = fact.attributes
            if answers and fact.id in answers:
                attributes = answered(record, fact)
            info = wordings[(fact.term, *attributes.items()) if attributes else fact.term]
            if isinstance(info, Icd):
                code = info.code
                if not (info.lo <= on <= info.hi or memo.valid(info, on)):
                    unjudged.append(f'"{fact.term}" is {code} by the tables, not valid on {on}')
                    continue
                flags |= info.flags
                if code in expected:
                    expected[code].append(fact)
                else:
                    expected[code] = [fact]
                    named[code] = info
            elif info.codes:
                flags |= info.flags
                record.unclear.append((fact, info.codes))
            else:
                unjudged.append(f'"{fact.term}" is no wording of the tabular list')
        elif fact.status != "active":
            continue
        elif kind == "service":
            service = memo.label[fact.term]
            if service is None:
                unjudged.append(f'"{fact.term}" is no label of the service list')
            elif service in services:
                services[service].append(fact)
            else:
                services[service] = [fact]
        elif kind == "relation":
            record.relations.append(fact)
        elif kind == "sex":
            record.sex.append(fact)
        elif kind == "age":
            record.age.append(fact)
    if record.others or record.relations or record.unclear:
        flags |= settle(record, view, memo)
    if flags & _LINKED and flags & (HYPERTENSION | DIABETES):
        _link(record, flags)
    for fact, codes in record.unclear:
        for code in codes:
            record.possible.setdefault(code, fact)
    return record


def answered(record: Record, fact: Fact, without: str = "") -> dict[str, str]:
    """The attributes of a fact with the physician's answers, but for the topic ``without``."""
    attributes = dict(fact.attributes)
    for question in record.answers.get(fact.id, ()):
        if question.topic != without:
            attributes[question.attribute] = question.value
    return attributes


def questions_used(record: Record, memo: Memo, facts: list[Fact]) -> list[str]:
    """The topics of the answers without which a fact would name other codes."""
    topics = []
    for fact in facts:
        for question in record.answers.get(fact.id, ()):
            with_it = memo.codes_of(fact.term, answered(record, fact))
            without = memo.codes_of(fact.term, answered(record, fact, question.topic))
            if with_it != without and question.topic not in topics:
                topics.append(question.topic)
    return topics


def ties(relations: list[Fact], term: str, some: list[Fact], others: list[Fact]) -> bool:
    """True if a relation ``term`` names a fact of ``some`` and one of ``others``."""
    for relation in relations:
        if relation.term == term and about_both(relation, some, others):
            return True
    return False


def about_both(relation: Fact, some: list[Fact], others: list[Fact]) -> bool:
    """True if the relation names a fact of ``some`` and one of ``others``."""
    about = relation.about
    return any(f.id in about for f in some) and any(f.id in about for f in others)


def _under(record: Record, prefixes: str | tuple[str, ...]) -> list[tuple[Fact, tuple[str, ...]]]:
    """Active facts with a code under one of the prefixes, and those codes."""
    found: list[tuple[Fact, tuple[str, ...]]] = [
        (fact, (code,))
        for code, facts in record.expected.items()
        if code.startswith(prefixes)
        for fact in facts
    ]
    for fact, codes in record.unclear:
        some = tuple(code for code in codes if code.startswith(prefixes))
        if some:
            found.append((fact, some))
    return found


def _link(record: Record, flags: int) -> None:
    """Apply the links that the guidelines assume unless the chart unties the two."""
    expected = record.expected
    renamed: dict[str, tuple[str, list[Fact]]] = {}
    unsettled: dict[str, tuple[str, ...]] = {}
    kidneys = _under(record, "N18") if flags & KIDNEY else []
    base = expected.get("I10")
    if base is not None:
        hearts = _under(record, ("I50", *_HEART)) if flags & HEART else []
        if kidneys or hearts:
            _link_hypertension(record, base, kidneys, hearts, renamed, unsettled)
    if flags & DIABETES and flags & (KIDNEY | COMPLICATION):
        for kind in ("E11", "E10"):
            _link_diabetes(record, kind, kidneys, flags, renamed, unsettled)
    if not renamed and not unsettled:
        return
    rebuilt: dict[str, list[Fact]] = {}
    for code, facts in expected.items():
        if code in unsettled:
            record.unclear.extend((fact, unsettled[code]) for fact in facts)
            continue
        target, support = renamed.get(code, (code, facts))
        if target == code or not target.startswith("+"):
            rebuilt[target] = rebuilt.get(target, []) + support
        else:
            rebuilt[code] = rebuilt.get(code, []) + facts
            rebuilt[target[1:]] = rebuilt.get(target[1:], []) + support
    record.expected = rebuilt


def _tied(
    record: Record, base: list[Fact], found: list[tuple[Fact, tuple[str, ...]]]
) -> list[tuple[Fact, tuple[str, ...]]]:
    """Those of ``found`` that no relation ``unrelated`` unties from ``base``."""
    relations = record.relations
    if not relations or not found:
        return found
    return [pair for pair in found if not ties(relations, "unrelated", base, [pair[0]])]


def _link_hypertension(
    record: Record,
    base: list[Fact],
    kidneys: list[tuple[Fact, tuple[str, ...]]],
    hearts: list[tuple[Fact, tuple[str, ...]]],
    renamed: dict[str, tuple[str, list[Fact]]],
    unsettled: dict[str, tuple[str, ...]],
) -> None:
    hearts = _tied(record, base, hearts)
    failing = [pair for pair in hearts if pair[1][0].startswith("I50")]
    kidney = _tied(record, base, kidneys)
    stages = {"late" if code in _LATE_KIDNEY else "early" for _, codes in kidney for code in codes}
    if len(stages) == 2 and any(len(codes) > 1 for _, codes in kidney):
        unsettled["I10"] = ("I13.0", "I13.2") if failing else ("I12.0", "I12.9")
        return
    stage = "late" if "late" in stages else "early" if stages else None
    if hearts and not failing:
        unsettled["I10"] = ("I10", "I11.9", "I12.9", "I12.0", "I13.10", "I13.11")
        return
    target = _HYPERTENSIVE.get((bool(failing), stage))
    if target is not None:
        renamed["I10"] = (target, base + [fact for fact, _ in failing + kidney])


def _link_diabetes(
    record: Record,
    kind: str,
    kidneys: list[tuple[Fact, tuple[str, ...]]],
    flags: int,
    renamed: dict[str, tuple[str, list[Fact]]],
    unsettled: dict[str, tuple[str, ...]],
) -> None:
    """Chronic kidney disease makes E11.9 E11.22 (E10 alike), and joins E11.22 to other
    complications; a further condition that the titles under E11 name leaves E11.9 open."""
    codes = [code for code in record.expected if code.startswith(kind)]
    if not codes:
        return
    plain = f"{kind}.9"
    for code in codes:
        if code not in (plain, f"{kind}.A"):
            continue
        base = record.expected[code]
        endings: tuple[str, ...] = ()
        if flags & COMPLICATION:
            for prefix, titles in _WITH_DIABETES.items():
                if _tied(record, base, _under(record, prefix)):
                    endings += titles
        if code != plain and _tied(record, base, kidneys):
            endings += ("22",)
        if endings:
            unsettled[code] = (code, *(f"{kind}.{ending}" for ending in endings))
    if unsettled.keys() & set(codes) or any(code.startswith(f"{kind}.2") for code in codes):
        return
    code = plain if plain in codes else codes[0]
    base = record.expected[code]
    kidney = _tied(record, base, kidneys)
    if kidney:
        support = base + [fact for fact, _ in kidney]
        # A leading plus: the code stays and the link adds one.
        renamed[code] = (f"{kind}.22" if code == plain else f"+{kind}.22", support)
