"""What is known of a drug, of a pair of drugs, of an allergy and of a way to write a dose.

The data stand in the YAML files beside this module; lists become tuples, numbers exact decimals.
Every rule names its authority. Where two authorities differ, each has a rule of its own, and the
rules share a word in ``disputed``; an answer then names both.

``id`` of a drug is its generic name in small letters; a combination joins its ingredients by
hyphens. Classes are declared in ``classes.yaml``; a drug belongs to those that it lists, a
combination also to those of its ingredients.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Source = Literal["label", "guideline", "fda"]
# What the authority says: ``contraindicated``: it forbids by that word; ``boxed``: a boxed warning
# speaks against it; ``avoid``: it says not to use or not recommended; ``caution``: it warns, asks
# for monitoring or for a lower dose; ``acceptable``: it says that the drug may be given.
Grade = Literal["contraindicated", "boxed", "avoid", "caution", "acceptable"]
# Of an interaction. ``contraindicated``: a label forbids the pair by that word; ``major``: a boxed
# warning, or the label says avoid, not recommended or gives a dose that may not be exceeded, or
# the effect may kill; ``moderate``: monitor, adjust or separate.
Severity = Literal["contraindicated", "major", "moderate"]
Action = Literal["contraindicated", "avoid", "limit", "adjust", "separate", "monitor"]
Basis = Literal["day", "kg/day", "week", "kg/week", "month", "dose", "kg/dose", "course"]
Relation = Literal["same_class", "identical_side_chain", "similar_side_chain", "unlike_side_chain",
                   "shared_structure", "shared_mechanism"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Authority:
    """Who says so.

    ``label``: US prescribing information; ``reference`` is the drug, ``section`` the number of
    the section (4, 7, 8.1), ``boxed warning``, or the heading, where labels of the drug differ
    in form or only the older form is at hand. ``fda``: a communication of the FDA or a table that
    it keeps. ``guideline``: a named guideline, criteria or list with its edition.
    """

    source: Source
    reference: str
    section: str


@dataclass(frozen=True, slots=True)
class Range:
    """From ``low`` to ``high``; None is open. ``low_in`` and ``high_in``: the bound counts."""

    low: Decimal | None
    high: Decimal | None
    low_in: bool
    high_in: bool

    def holds(self, value: Decimal | int) -> bool:
        """Whether ``value`` lies within."""
        if self.low is not None and (value < self.low or (value == self.low and not self.low_in)):
            return False
        return self.high is None or value < self.high or (value == self.high and self.high_in)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measured value within bounds, e.g. CrCl below 30 mL/min. ``age`` counts months."""

    name: str
    unit: str
    range: Range


@dataclass(frozen=True, slots=True)
class Criteria:
    """At least ``need`` of the measures hold."""

    need: int
    of: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Strength:
    """A marketed strength. ``amounts`` has one number for each ingredient, all in ``unit``;
    ``per`` is the volume in mL that holds them, or None for a piece (tablet, patch, puff)."""

    form: str
    amounts: tuple[Decimal, ...]
    unit: str
    per: Decimal | None


@dataclass(frozen=True, slots=True)
class DoseLimit:
    """How much of a drug (of one ``ingredient`` of a combination) is usual and how much allowed.

    All bounds that are set must hold for the patient: ``indication`` ("" for any; ``codes`` are
    its ICD-10-CM prefixes, where it has some), ``route`` and ``form`` ("" for any), ``age`` in
    completed months, ``weight`` in kg, ``renal``, ``hepatic`` (Child-Pugh class A, B or C:
    mild, moderate, severe), ``criteria``. A bounded limit stands beside the general one; of all
    that hold the lowest ``maximum`` binds, but one for a stated indication goes before one
    without, unless that one is for impaired kidney or liver (``renal`` or ``hepatic`` set), which
    binds beside it. Kidney function that nobody measured counts as normal. ``usual`` (lowest and
    highest that the authority gives, doses to start, to titrate and for the frail included: only
    less than the lowest is too little), ``maximum`` and ``single`` (one dose) are in ``unit``;
    usual and maximum are for ``basis``. A dose to be taken once only, such as a loading dose, is
    judged by ``single`` where there is one. ``start``: the most that a new prescription may begin
    with, for ``basis``. ``cap``: highest dose a day, in ``unit``, where the
    basis is by weight. ``times``: fewest and most administrations a day (a week or month where
    the basis says so). None: the authority gives none.
    """

    drug: str
    ingredient: str
    indication: str
    codes: tuple[str, ...]
    route: str
    form: str
    age: Range | None
    weight: Range | None
    renal: Measure | None
    hepatic: tuple[str, ...]
    criteria: Criteria | None
    usual: tuple[Decimal, Decimal] | None
    maximum: Decimal | None
    single: Decimal | None
    start: Decimal | None
    cap: Decimal | None
    unit: str
    basis: Basis
    times: tuple[int, int] | None
    note: str
    disputed: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class Contraindication:
    """When a drug may not be used. All that is set must hold: a diagnosis whose code begins with
    one of ``codes``, a ``measure``, an ``age`` (months), no drug of the class ``without`` among
    the medications, the ``sex``, and that the drug is prescribed for ``indication`` (that of
    one of its dose limits; where none is told, the conditions of the record tell). ``start``: it
    holds for starting only. ``asks``: what decides and no record tells ("" for nothing), so that
    it is left open."""

    drug: str
    name: str
    codes: tuple[str, ...]
    measure: Measure | None
    age: Range | None
    without: str
    sex: str
    indication: str
    asks: str
    start: bool
    grade: Grade
    effect: str
    disputed: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class PregnancyLimit:
    """``weeks``: completed weeks of gestation in which it holds, None for all of pregnancy."""

    drug: str
    weeks: Range | None
    grade: Grade
    effect: str
    disputed: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class PediatricLimit:
    """``age`` in months; ``after``: the circumstance to which it is bound ("" for any)."""

    drug: str
    age: Range
    after: str
    grade: Grade
    effect: str
    disputed: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class UnitTrap:
    """A number that is a usual dose in ``meant`` but is ``written`` with another unit (100 mg of
    levothyroxine). A dose that is right when converted (0.1 mg) is no error."""

    drug: str
    written: str
    meant: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class Drug:
    """A drug with all that its own file says. ``duplicate``: classes of which one drug is enough.
    ``high_alert``: who lists it as such, () where nobody does."""

    id: str
    brands: tuple[str, ...]
    ingredients: tuple[str, ...]
    classes: tuple[str, ...]
    routes: tuple[str, ...]
    strengths: tuple[Strength, ...]
    duplicate: tuple[str, ...]
    doses: tuple[DoseLimit, ...]
    contraindications: tuple[Contraindication, ...]
    pregnancy: tuple[PregnancyLimit, ...]
    pediatric: tuple[PediatricLimit, ...]
    traps: tuple[UnitTrap, ...]
    high_alert: tuple[Authority, ...]
    file: str

    def __hash__(self) -> int:
        """By its id, which is one drug's alone."""
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class DrugClass:
    """A class that rules speak of. ``names``: other names. Property classes (enzyme inhibitors)
    have the ``authority`` that lists their members, others may have none."""

    id: str
    title: str
    names: tuple[str, ...]
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class PairLimit:
    """Beside the partner no more than ``maximum`` of ``drug`` in ``unit`` a ``basis``, or in
    ``hours`` where the label counts so (whole days; 0: it does not)."""

    drug: str
    maximum: Decimal
    unit: str
    basis: Basis
    hours: int = 0


@dataclass(frozen=True, slots=True)
class Interaction:
    """``a`` and ``b`` are drugs or classes, in no order; members of a class that ``excluding``
    names are not meant. ``when``: a circumstance to which the rule is bound ("" for none)."""

    a: str
    b: str
    excluding: tuple[str, ...]
    severity: Severity
    action: Action
    limits: tuple[PairLimit, ...]
    effect: str
    management: str
    when: str
    disputed: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class AllergyClass:
    """What an allergy list may name: ``names`` as written, ``members`` drugs or drug classes."""

    id: str
    title: str
    names: tuple[str, ...]
    members: tuple[str, ...]
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class CrossReaction:
    """An allergy to ``allergen`` (allergy class or drug) and what it means for ``drug`` (drug or
    drug class). ``reaction``: which history it needs ("" for any allergic one)."""

    allergen: str
    drug: str
    relation: Relation
    reaction: str
    grade: Grade
    why: str
    disputed: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class Intolerance:
    """A reaction to a drug or class that by itself is no allergy."""

    drug: str
    reactions: tuple[str, ...]
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class Notation:
    """A way to write a dose that is misread. ``pattern`` is a regular expression that finds it,
    ``examples`` are found by it, ``clean`` are not."""

    id: str
    pattern: str
    examples: tuple[str, ...]
    clean: tuple[str, ...]
    misread: str
    instead: str
    authority: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class ConditionName:
    """What a list of conditions may say, and the ICD-10-CM prefixes that it means."""

    name: str
    synonyms: tuple[str, ...]
    codes: tuple[str, ...]
