"""Writes the record of an rx case: a head that is shown at once, and the three lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from casegen.schemas import Span
from casegen.schemas.rx_case import Prescription, RxFact, RxFactKind, RxSource
from casegen.seeds.rx.loader import load

from .doses import Regimen
from .fitting import number
from .kinds.condition import called
from .lines import Pen
from .model import Item, Sketch
from .phrases import generic

_LISTS: tuple[RxSource, ...] = ("allergies", "medications", "conditions")
_SHOWN_BASIS = {1: "day", 7: "week", 30: "month"}


@dataclass(slots=True)
class Page:
    """The record as it is written. ``order`` holds the span of the prescription in the head,
    ``lists`` the spans of the lines by source."""

    text: str
    prescription: Prescription
    facts: list[RxFact]
    order: Span
    lists: dict[RxSource, list[Span]]
    style: str


def prescribe(pen: Pen, number_told: str) -> tuple[Prescription, str]:
    """The prescription, and how its lines read."""
    sketch, lane, said = pen.sketch, pen.lane, pen.said
    regimen = sketch.regimen
    if regimen is None:
        raise ValueError("no dose is settled")
    style = pen.style()
    name = sketch.unknown or sketch.called or _written_name(pen, regimen.form)
    often = sketch.often
    if not often:
        basis = _SHOWN_BASIS[regimen.days]
        needed = sketch.use.needed
        often = pen.how_often(str(regimen.times), basis, style, _night(sketch), needed)
    dose = sketch.dose or dose_of(regimen)
    routes = said.routes.get(regimen.route, {}).get(style, (regimen.route,))
    route = sketch.route_told or lane.pick(routes)
    # The field holds what the knowledge calls the route, or the way it is abbreviated.
    field = route if sketch.route_told or route in ("by mouth", "PO", "orally") else regimen.route
    prescription = Prescription(
        number_told, name, dose, often, field, regimen.form, sketch.indication, sketch.starting
    )
    pattern = lane.pick(said.counted if "tablet" in dose else said.written)
    written = pattern.format(drug=name, form=regimen.form, dose=dose, route=route, often=often)
    return prescription, written


def _night(sketch: Sketch) -> bool:
    regimen = sketch.regimen
    once = regimen is not None and regimen.times == 1 and regimen.days == 1
    return once and bool({"hypnotic", "z-drug", "statin"} & sketch.known.kin[sketch.drug.id])


def _written_name(pen: Pen, form: str) -> str:
    """The name that the prescriber writes: generic, or a brand."""
    sketch = pen.sketch
    name = pen.drug_name(sketch.drug.id, form, brand=pen.level.brand // 2 + 5)
    known = sketch.known.rx.named(name) is sketch.drug
    return name if known and not _misread(name) else generic(sketch.drug)


@lru_cache(maxsize=1_024)
def _misread(name: str) -> bool:
    """Whether a name is on the list of those that are misread (HCTZ): that would be a finding."""
    return any(re.search(one.pattern, f"{name} ") for one in load().notations)


def dose_of(regimen: Regimen) -> str:
    """A dose as it is written. Of a combination the tablets are counted."""
    strength = regimen.strength
    if strength is not None and len(strength.amounts) > 1:
        amounts = "/".join(number(one) for one in strength.amounts)
        if regimen.form.endswith("tablet"):
            count = f"{regimen.pieces} tablet{'s' if regimen.pieces > 1 else ''}"
            return f"{count} of {amounts} {strength.unit}"
        whole = "/".join(number(one * regimen.pieces) for one in strength.amounts)
        return f"{whole} {strength.unit}"
    amount = number(regimen.amount)
    whole, _, rest = amount.partition(".")
    if len(whole) > 4:
        whole = f"{int(whole):,}"
    return f"{whole}{'.' + rest if rest else ''} {regimen.unit}"


def aged(months: int, sex: str) -> tuple[str, str]:
    """Age and sex in words."""
    years = months // 12
    age = f"{years}-year-old" if months >= 24 else f"{months}-month-old"
    grown = {"female": "woman", "male": "man"} if years >= 18 else {"female": "girl", "male": "boy"}
    return age, grown[sex]


def write(pen: Pen, name: str, number_told: str, on: date) -> Page:
    """The record of a sketch."""
    sketch, lane, said = pen.sketch, pen.lane, pen.said
    prescription, written = prescribe(pen, number_told)
    age, who = aged(sketch.months, sketch.sex)
    style = lane.below(len(said.heads))
    new = lane.pick(said.new[sketch.starting])
    head = said.heads[style].format(
        rx=number_told, date=on.isoformat(), name=name, age=f"{age} {who}", written=written,
        why=sketch.indication, new=new, New=new[:1].upper() + new[1:],
    )  # fmt: skip
    both = f"{age} {who}"
    facts = [
        _shown("sex1", "sex", sketch.sex, _at(head, who, both, len(age) + 1)),
        _shown("age1", "age", str(sketch.months), _at(head, age, both, 0)),
    ]
    order = _at(head, written, written, 0)
    parts = [head]
    length = len(head)
    titles = lane.pick(said.sources)
    lists: dict[RxSource, list[Span]] = {}
    for source, title in zip(_LISTS, titles, strict=True):
        opening = f"\n\n{title}"
        parts.append(opening)
        length += len(opening)
        lists[source] = []
        items = lane.shuffled([one for one in sketch.items if one.source == source])
        for item in items:
            text = pen.line(item)
            span = Span(length + 3, length + 3 + len(text), text)
            lists[source].append(span)
            facts.append(_fact(sketch, item, span))
            parts.append(f"\n- {text}")
            length = span.end
        if not items:
            text = lane.pick(said.none) if source == "allergies" else "None"
            parts.append(f"\n- {text}")
            lists[source].append(Span(length + 3, length + 3 + len(text), text))
            length += 3 + len(text)
    return Page("".join(parts) + "\n", prescription, facts, order, lists, f"list-{style + 1}")


def _at(text: str, words: str, around: str, offset: int) -> Span:
    start = text.index(around) + offset
    return Span(start, start + len(words), words)


def _shown(name: str, kind: RxFactKind, term: str, span: Span) -> RxFact:
    """A fact of the head."""
    return RxFact(name, kind, term, "active", {}, "shown", [span])


def _fact(sketch: Sketch, item: Item, span: Span) -> RxFact:
    attributes = dict(item.attributes)
    if item.kind == "condition":
        name = called(sketch.known.rx, item.term)
        if name:
            attributes["name"] = name
    return RxFact(item.id, item.kind, item.term, item.status, attributes, item.source, [span])  # type: ignore[arg-type]
