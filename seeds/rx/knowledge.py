"""The drug knowledge, ready to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from .model import (
    AllergyClass,
    ConditionName,
    CrossReaction,
    Drug,
    DrugClass,
    Interaction,
    Intolerance,
    Notation,
)


@dataclass(frozen=True)
class Rx:
    """All drugs and rules. ``conversions`` maps (from, to) to an exact factor; ``synonyms`` maps
    other names of drugs to ids. Get it from ``load``; it is shared."""

    drugs: Mapping[str, Drug] = field(hash=False)
    classes: Mapping[str, DrugClass] = field(hash=False)
    interactions: tuple[Interaction, ...]
    allergies: tuple[AllergyClass, ...]
    cross: tuple[CrossReaction, ...]
    intolerances: tuple[Intolerance, ...]
    notations: tuple[Notation, ...]
    conversions: Mapping[tuple[str, str], Decimal] = field(hash=False)
    synonyms: Mapping[str, str] = field(hash=False)
    conditions: tuple[ConditionName, ...]

    def __hash__(self) -> int:
        """By identity: it is shared, and a hash of all rules would take longer than a look-up."""
        return id(self)

    @cached_property
    def _names(self) -> dict[str, str]:
        names = {name.casefold(): drug for name, drug in self.synonyms.items()}
        for drug in self.drugs.values():
            names |= {name.casefold(): drug.id for name in (drug.id, *drug.brands)}
            names[drug.id.replace("-", " ")] = drug.id
            names[drug.id.replace("-", "/")] = drug.id
        return names

    @cached_property
    def _conditions(self) -> dict[str, ConditionName]:
        return {
            name.casefold(): one for one in self.conditions for name in (one.name, *one.synonyms)
        }

    @cached_property
    def _by_names(self) -> dict[tuple[str, str], list[int]]:
        """The places of the rules on two names, in either order."""
        found: dict[tuple[str, str], list[int]] = {}
        for place, rule in enumerate(self.interactions):
            for pair in {(rule.a, rule.b), (rule.b, rule.a)}:
                found.setdefault(pair, []).append(place)
        return found

    @cached_property
    def _by_allergen(self) -> dict[str, list[int]]:
        """The places of the cross-reactions with an allergen."""
        found: dict[str, list[int]] = {}
        for place, rule in enumerate(self.cross):
            found.setdefault(rule.allergen, []).append(place)
        return found

    def named(self, name: str) -> Drug | None:
        """The drug of a generic name, brand or synonym, in any case; None for an unknown one.
        Nothing is guessed."""
        found = self._names.get(" ".join(name.split()).casefold())
        return None if found is None else self.drugs[found]

    def condition(self, name: str) -> ConditionName | None:
        """The condition of a name or synonym, in any case, with ``_`` for blanks; else None."""
        return self._conditions.get(" ".join(name.replace("_", " ").split()).casefold())

    def ingredients(self, drug: str) -> tuple[str, ...]:
        """The single drugs in a drug: its ingredients, or itself."""
        return self.drugs[drug].ingredients or (drug,)

    def kin(self, drug: str) -> frozenset[str]:
        """The drug, its ingredients, and all classes of these: what a rule may call it."""
        kin = {drug, *self.drugs[drug].classes}
        for part in self.drugs[drug].ingredients:
            kin |= {part, *(self.drugs[part].classes if part in self.drugs else ())}
        return frozenset(kin)

    def members(self, name: str) -> tuple[str, ...]:
        """The drugs that a drug or class stands for, combinations with it included."""
        return tuple(drug for drug in self.drugs if name in self.kin(drug))

    def between(self, a: str, b: str) -> tuple[Interaction, ...]:
        """The rules on a pair of drugs, those that name the drugs themselves first."""
        one, other = self.kin(a), self.kin(b)
        places = {place for x in one for y in other for place in self._by_names.get((x, y), ())}
        found = [
            rule
            for rule in (self.interactions[place] for place in sorted(places))
            if not (one | other) & set(rule.excluding)
        ]
        return tuple(
            sorted(found, key=lambda rule: sum(n in self.classes for n in (rule.a, rule.b)))
        )

    def crossing(self, allergen: str, drug: str) -> tuple[CrossReaction, ...]:
        """What is said of a drug in an allergy to ``allergen`` (allergy class or drug), those
        rules first that name the drugs themselves."""
        of = {allergen}
        if allergen in self.drugs:
            of |= self.kin(allergen)
            of |= {one.id for one in self.allergies if of & set(one.members)}
        kin = self.kin(drug)
        places = sorted(place for name in of for place in self._by_allergen.get(name, ()))
        found = [rule for rule in map(self.cross.__getitem__, places) if rule.drug in kin]
        return tuple(
            sorted(found, key=lambda r: (r.drug in self.classes) + (r.allergen not in self.drugs))
        )
