"""Writes one line for each fact of the lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from ..randomness import Lane
from .fitting import number
from .model import ADULT, Item, Sketch
from .phrases import Phrases, brands, generic, phrases, shortened

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

    from .levels import Level

_SHORT_TERM = frozenset(("antibiotic", "antiviral", "antiemetic"))
_MONTHS_A_YEAR = 12


@dataclass(slots=True)
class Pen:
    """Who writes: the style of the case, and the day on which it is written."""

    sketch: Sketch
    level: Level
    lane: Lane
    on: date
    tables: Tables

    @property
    def said(self) -> Phrases:
        """The wording."""
        return phrases()

    def terse(self) -> bool:
        """Whether the next words are shortened."""
        return self.lane.below(100) < self.level.terse

    def style(self) -> str:
        """The style of the next words."""
        return "terse" if self.terse() else "plain"

    def line(self, item: Item) -> str:
        """The line that tells a fact."""
        match item.form:
            case "local":
                return item.words
            case "medication" | "stopped":
                return self._medication(item)
            case "allergy" | "intolerance":
                return self._allergy(item)
            case "condition":
                return self._condition(item)
            case "lab":
                return self._lab(item)
            case "weight":
                return self._weight(item)
        pattern = self.lane.pick(self.said.lines["pregnancy"][self.style()])
        return self._put(pattern, item, {"weeks": item.term})

    # -- slots ----------------------------------------------------------------------------

    def _put(self, pattern: str, item: Item, slots: dict[str, str]) -> str:
        """A pattern with its slots filled; dates are drawn where it asks for them."""
        lane = self.lane
        if "{year}" in pattern or "{month}" in pattern or "{yy}" in pattern:
            days = item.days or self._days_ago(item)
            then = self.on - timedelta(days=days)
            slots |= {"year": f"{then.year}", "month": f"{then:%Y-%m}", "yy": f"{then:%y}"}
        if "{date}" in pattern:
            days = item.days or lane.between(2, 75)
            slots["date"] = (self.on - timedelta(days=days)).isoformat()
        if "{recent}" in pattern:
            slots["recent"] = (self.on - timedelta(days=lane.below(9))).isoformat()
        if "{clinic}" in pattern:
            slots["clinic"] = lane.pick(self.said.clinics)
        return pattern.format(**slots)

    def _days_ago(self, item: Item) -> int:
        """How long something has lasted: up to twelve years, since the age at which people get
        it and never since before birth."""
        months = self.sketch.months
        first = 24
        problem = self.sketch.known.problems.get(item.problem)
        if problem is not None:
            first = problem.ages[0] * _MONTHS_A_YEAR
        most = max(40, min(12 * 365, (months - first) * 30))
        return self.lane.between(31, most)

    def _acute(self, code: str) -> bool:
        return code.startswith(self.said.acute)

    # -- lines ----------------------------------------------------------------------------

    def drug_name(self, drug_id: str, form: str, *, brand: int) -> str:
        """A drug by its generic name, a brand or a short name."""
        sketch, lane = self.sketch, self.lane
        drug = sketch.known.drug(drug_id)
        sold = brands(drug, form)
        if sold and lane.below(100) < brand:
            return lane.pick(sold)
        short = shortened(sketch.known, drug)
        if short and self.terse():
            return lane.pick(short)
        return generic(drug)

    def how_often(
        self, times: str, basis: str, style: str, night: bool = False, needed: bool = False
    ) -> str:
        """A frequency in words; ``needed``: as needed, and at most so often."""
        key = f"needed{times}" if needed else "night" if night else f"{basis}{times}"
        return self.lane.pick(self.said.often[key][style])

    def _medication(self, item: Item) -> str:
        told, style = item.attributes, self.style()
        known = self.sketch.known
        name = item.called or self.drug_name(item.term, told["form"], brand=self.level.brand)
        item.called = name
        unit = told["unit"]
        dose = f"{told['dose']} {unit}"
        if "strength" in told:
            dose = (
                f"{told['dose']} {'tablet' if told['dose'] == '1' else unit} of {told['strength']}"
            )
        short = bool(_SHORT_TERM & known.kin[item.term]) and item.form != "stopped"
        table = self.said.undated if short else self.said.lines
        patterns = table["stopped" if item.form == "stopped" else "medication"][style]
        if "strength" in told:
            patterns = [one for one in patterns if "{form}" not in one]
        pattern = self.lane.pick(patterns)
        slots = {
            "drug": name, "dose": dose, "form": told["form"],
            "route": self.lane.pick(self.said.routes[told["route"]][style]),
            "often": self.how_often(
                told["times"], told["basis"], style, self._night(item.term), "needed" in told
            ),
            "for": self._called(item.problem, style) if item.problem else "",
        }  # fmt: skip
        return _upper(self._put(pattern, item, slots), pattern)

    def _night(self, drug: str) -> bool:
        return bool({"hypnotic", "z-drug"} & self.sketch.known.kin[drug])

    def _called(self, problem: str, style: str) -> str:
        one = self.sketch.known.problems[problem]
        return self.lane.pick(one.terse if style == "terse" else one.names)

    def _allergy(self, item: Item) -> str:
        style, lane, rx = self.style(), self.lane, self.sketch.known.rx
        if item.term in rx.drugs:
            drug = rx.drugs[item.term]
            allergen = self.drug_name(
                item.term, drug.strengths[0].form, brand=self.level.brand // 2
            )
        else:
            names = next(one.names for one in rx.allergies if one.id == item.term)
            allergen = lane.pick(names) if style == "terse" else names[0]
        reaction = item.attributes["reaction"]
        known = self.said.reactions.get(reaction)
        told = lane.pick(known[style]) if known is not None else reaction
        pattern = lane.pick(self.said.lines[item.form][style])
        slots = {"allergen": allergen, "reaction": told}
        return _upper(self._put(pattern, item, slots), pattern)

    def _condition(self, item: Item) -> str:
        style, lane = self.style(), self.lane
        kind = "acute" if self._acute(item.term) else "condition"
        coded = lane.below(100) < self.level.coded
        pattern = lane.pick(self.said.lines[kind]["coded" if coded else style])
        name = self._called(item.problem, "plain" if coded else style)
        slots = {
            "name": name, "Name": _capital(name), "code": item.term,
            "title": self.tables.title(item.term),
        }  # fmt: skip
        return self._put(pattern, item, slots)

    def _lab(self, item: Item) -> str:
        pattern = self.lane.pick(self.said.lines["lab"][self.style()])
        slots = {
            "measure": item.term, "value": item.attributes["value"], "unit": item.attributes["unit"]
        }  # fmt: skip
        item.days = self.lane.between(1, 60)
        item.attributes["date"] = (self.on - timedelta(days=item.days)).isoformat()
        return _upper(self._put(pattern, item, slots), pattern)

    def _weight(self, item: Item) -> str:
        pounds = self.sketch.pounds
        item.days = self.lane.between(0, 14) if self.sketch.months < ADULT else 0
        item.days = item.days or self.lane.between(1, 40)
        if pounds is not None:
            pattern = self.lane.pick(self.said.lines["weight"]["lb"])
            return self._put(pattern, item, {"lb": str(pounds)})
        pattern = self.lane.pick(self.said.lines["weight"]["kg"])
        return self._put(pattern, item, {"kg": number(Decimal(item.term))})


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _upper(text: str, pattern: str) -> str:
    """A line that begins with a slot keeps its case: drugs are written in small letters."""
    return text if pattern.startswith("{") else _capital(text)
