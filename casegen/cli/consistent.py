"""Whether the parts of a case fit one another, its spans the note and its words the tables:
what no schema can say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from casegen.schemas import InputError, Span
from casegen.schemas.anycase import AnyCase
from casegen.schemas.case import case_id

from ..audit import LAST_INDEX
from ..checker import read_claim
from ..config import config_from_options
from ..families import CONFIGS, FAMILIES
from .family import family
from .where import Where

if TYPE_CHECKING:
    from casegen.schemas import Case, CodingCase, Fact
    from casegen.schemas.rx_case import RxFact
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

# What `read_claim` calls the parts of a claim, and where a case holds them.
_PLACES = {"service_date": "encounter.service_date", "admission_date": "encounter.admission_date",
           "setting": "encounter.setting", "claim_type": "encounter.claim_type"}  # fmt: skip


def consistent(case: AnyCase, where: Where, tables: Tables, services: Services) -> None:
    """Raise InputError, by ``where``, for the first part of the case that does not fit."""
    version = FAMILIES[case.family].rpartition("-")[2]
    if case.version != version:
        where.fail("version", case.version, f"must be {version}")
    told = case_id(case.family, case.version, case.split, case.seed, case.index, case.options)
    if case.id != told:
        where.fail("id", case.id, f"must be {told} by its own fields")
    if case.index >= LAST_INDEX:
        where.fail("index", case.index, "must be below 2**63")
    try:
        config_from_options(case.options, CONFIGS[FAMILIES[case.family]])
    except InputError as error:
        where.fail(error.field, error.value, error.mend)
    own = family(case.family)
    steps = own.steps()[case.difficulty]
    if case.max_steps != steps:
        where.fail("max_steps", case.max_steps, f"must be {steps} for {case.difficulty}")
    if not re.fullmatch("[0-9a-f]{32}", case.structural_key):
        where.fail("structural_key", case.structural_key, "must be 32 hexadecimal digits")
    own.consistent(case, where, tables, services)


def readable(
    case: Case | CodingCase, lines: list[dict[str, Any]], holder: str, where: Where
) -> None:
    """Raise InputError, by ``where``, unless patient, dates, facts and ``lines`` (which stand in
    the field ``holder``) are such as the checker takes from anyone. (What relations do to them is
    for the checker itself.)"""
    encounter = case.encounter
    claim = {
        "patient": {"sex": case.patient.sex, "birth_date": case.patient.birth_date},
        "service_date": encounter.service_date,
        "admission_date": encounter.admission_date,
        "setting": encounter.setting,
        "claim_type": encounter.claim_type,
        "lines": lines,
        "record": [
            {"id": fact.id, "kind": fact.kind, "term": fact.term, "attributes": fact.attributes}
            if fact.kind != "relation"
            else {"id": fact.id, "kind": "problem", "term": fact.term}
            for fact in case.record
        ],
    }
    try:
        read_claim(claim, where.path)
    except InputError as error:
        head = error.field.partition("[")[0]
        place = holder if head == "lines" else _PLACES.get(head, head)
        where.fail(place + error.field[len(head) :], error.value, error.mend)


def read_so(case: AnyCase, holders: Iterable[tuple[str, list[Span]]], where: Where) -> None:
    """Raise InputError, by ``where``, for a span that the note does not bear out: those of the
    record, and those of ``holders``, each with its place."""
    facts: Sequence[Fact | RxFact] = case.record
    record = [(f"record[{i}].spans", fact.spans) for i, fact in enumerate(facts)]
    for place, spans in (*record, *holders):
        for number, span in enumerate(spans):
            if case.note[span.start : span.end] != span.text:
                told = f"the note does not read so at {span.start}:{span.end}"
                where.fail(f"{place}[{number}]", span.text, told)


def facts_fit(case: Case | CodingCase, where: Where) -> None:
    """Raise InputError, by ``where``, for facts of the record that do not fit one another."""
    facts = {fact.id for fact in case.record}
    for number, fact in enumerate(case.record):
        for other in fact.about:
            if other not in facts or other == fact.id:
                where.fail(f"record[{number}].about", other, "no other fact of the record")
        if len(set(fact.about)) < len(fact.about):
            where.fail(f"record[{number}].about", fact.about, "names a fact twice")
    for kind in ("sex", "age"):
        stated = [fact.term for fact in case.record if fact.kind == kind and fact.spans]
        if len(stated) != 1:
            where.fail("record", stated, f"must state the {kind} of the patient once")


def stated(case: AnyCase, where: Where) -> None:
    """Raise InputError, by ``where``, for a fact that the note does not state. The checker passes
    over such a fact; that no answer falls with it makes it no part of the record."""
    facts: Sequence[Fact | RxFact] = case.record
    for number, fact in enumerate(facts):
        if not fact.spans:
            where.fail(f"record[{number}].spans", [], "the note must state every fact")
