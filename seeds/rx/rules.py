"""Makes the models from rows of the drug files."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from .model import (
    AllergyClass,
    ConditionName,
    Contraindication,
    CrossReaction,
    DoseLimit,
    Drug,
    DrugClass,
    Interaction,
    Intolerance,
    Notation,
    PairLimit,
    PediatricLimit,
    PregnancyLimit,
    UnitTrap,
)
from .reading import UNITS, Row, decimal

GRADES = ("contraindicated", "boxed", "avoid", "caution", "acceptable")
SEVERITIES = ("contraindicated", "major", "moderate")
ACTIONS = ("contraindicated", "avoid", "limit", "adjust", "separate", "monitor")
BASES = ("day", "kg/day", "week", "kg/week", "month", "dose", "kg/dose", "course")
RELATIONS = ("same_class", "identical_side_chain", "similar_side_chain", "unlike_side_chain",
             "shared_structure", "shared_mechanism")  # fmt: skip
ROUTES = ("oral", "intravenous", "intramuscular", "subcutaneous", "transdermal", "inhaled",
          "nasal", "sublingual", "rectal", "topical", "ophthalmic", "vaginal")  # fmt: skip

DRUG = frozenset(
    "id brands ingredients class route forms duplicate doses contra pregnancy pediatric traps "
    "high_alert".split()
)
PAIR = frozenset("a b excluding severity action limits effect manage when disputed by".split())
_DOSE = frozenset(
    "ingredient for codes route form age weight renal hepatic criteria usual max single start cap "
    "unit basis times note disputed by".split()
)
_CONTRA = frozenset(
    "name codes measure age without sex for asks start grade effect disputed by".split()
)
_PREGNANCY = frozenset("weeks grade effect disputed by".split())
_PEDIATRIC = frozenset("age after grade effect disputed by".split())
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def _id(row: Row) -> str:
    found = row.text("id")
    if not _ID.fullmatch(found):
        raise row.fail("id", f"{found!r} must be small letters joined by hyphens")
    return found


def classes(row: Row) -> dict[str, DrugClass]:
    found: dict[str, DrugClass] = {}
    for one in row.rows("classes", ("id", "title", "names", "by"), 1):
        by = one.authority() if "by" in one.data else ()
        made = DrugClass(_id(one), one.text("title"), one.texts("names"), by)
        if made.id in found:
            raise one.fail("id", f"{made.id} stands there twice")
        found[made.id] = made
    return found


def drug(row: Row, file: str) -> Drug:
    name = _id(row)
    row.where = f"{file}: {name}"
    ingredients = row.texts("ingredients")
    routes = row.texts("route", 1)
    if not set(routes) <= set(ROUTES):
        raise row.fail("route", f"is none of {', '.join(ROUTES)}")
    doses = tuple(_dose(name, ingredients, one) for one in row.rows("doses", _DOSE))
    contra = tuple(_contra(name, one) for one in row.rows("contra", _CONTRA))
    for one in contra:
        if one.indication and all(dose.indication != one.indication for dose in doses):
            raise row.fail("for", f"{one.indication!r} is that of no dose")
    return Drug(
        id=name,
        brands=row.texts("brands"),
        ingredients=ingredients,
        classes=row.texts("class", 1),
        routes=routes,
        strengths=row.strengths("forms", max(1, len(ingredients))),
        duplicate=row.texts("duplicate"),
        doses=doses,
        contraindications=contra,
        pregnancy=tuple(_pregnancy(name, one) for one in row.rows("pregnancy", _PREGNANCY)),
        pediatric=tuple(_pediatric(name, one) for one in row.rows("pediatric", _PEDIATRIC)),
        traps=tuple(_trap(name, one) for one in row.rows("traps", ("written", "meant", "by"))),
        high_alert=row.authority(name, "high_alert") if "high_alert" in row.data else (),
        file=file,
    )


def _dose(name: str, ingredients: tuple[str, ...], row: Row) -> DoseLimit:
    ingredient = row.text("ingredient", "")
    if (ingredient or ingredients) and ingredient not in (*ingredients, name):
        raise row.fail("ingredient", f"must be one of {', '.join(ingredients)}")
    hepatic = row.texts("hepatic")
    if not set(hepatic) <= {"A", "B", "C"}:
        raise row.fail("hepatic", "must hold Child-Pugh classes A, B, C")
    usual, maximum, single = row.span("usual"), row.number("max"), row.number("single")
    if usual is None and maximum is None and single is None:
        raise row.fail("max", "a dose needs usual, max or single")
    if usual is not None and maximum is not None and usual[1] > maximum:
        raise row.fail("max", f"{maximum} is less than the usual {usual[1]}")
    return DoseLimit(
        drug=name,
        ingredient=ingredient,
        indication=row.text("for", ""),
        codes=row.codes("codes"),
        route=row.word("route", ("", *ROUTES), ""),
        form=row.text("form", ""),
        age=row.age("age"),
        weight=row.range("weight"),
        renal=row.measure("renal"),
        hepatic=hepatic,
        criteria=row.criteria("criteria"),
        usual=usual,
        maximum=maximum,
        single=single,
        start=_start(row, maximum),
        cap=row.number("cap"),
        unit=row.word("unit", UNITS),
        basis=row.word("basis", BASES, "day"),
        times=row.whole_span("times"),
        note=row.text("note", ""),
        disputed=row.text("disputed", ""),
        authority=row.authority(name),
    )


def _start(row: Row, maximum: Decimal | None) -> Decimal | None:
    """The highest first dose, below the highest of all."""
    start = row.number("start")
    if start is not None and maximum is not None and start >= maximum:
        raise row.fail("start", f"{start} is not less than the maximum {maximum}")
    return start


def _contra(name: str, row: Row) -> Contraindication:
    codes, measure, age = row.codes("codes"), row.measure("measure"), row.age("age")
    without = row.text("without", "")
    if not codes and measure is None and age is None and not without:
        raise row.fail("codes", "needs codes, a measure, an age or a class that is absent")
    return Contraindication(
        drug=name,
        name=row.text("name"),
        codes=codes,
        measure=measure,
        age=age,
        without=without,
        sex=row.word("sex", ("", "female", "male"), ""),
        indication=row.text("for", ""),
        asks=row.text("asks", ""),
        start=row.flag("start"),
        grade=row.word("grade", GRADES),
        effect=row.text("effect"),
        disputed=row.text("disputed", ""),
        authority=row.authority(name),
    )


def _pregnancy(name: str, row: Row) -> PregnancyLimit:
    return PregnancyLimit(
        drug=name,
        weeks=row.range("weeks"),
        grade=row.word("grade", GRADES),
        effect=row.text("effect"),
        disputed=row.text("disputed", ""),
        authority=row.authority(name),
    )


def _pediatric(name: str, row: Row) -> PediatricLimit:
    age = row.age("age")
    if age is None:
        raise row.fail("age", "is missing")
    return PediatricLimit(
        drug=name,
        age=age,
        after=row.text("after", ""),
        grade=row.word("grade", GRADES),
        effect=row.text("effect"),
        disputed=row.text("disputed", ""),
        authority=row.authority(name),
    )


def _trap(name: str, row: Row) -> UnitTrap:
    return UnitTrap(name, row.text("written"), row.word("meant", UNITS), row.authority(name))


def interaction(row: Row) -> Interaction:
    a, b = row.text("a"), row.text("b")
    row.where = f"{row.where.partition(':')[0]}: {a} + {b}"
    severity, action = row.word("severity", SEVERITIES), row.word("action", ACTIONS)
    if (severity == "contraindicated") != (action == "contraindicated"):
        raise row.fail("action", "contraindicated needs both severity and action")
    if action == "avoid" and severity != "major":
        raise row.fail("severity", "of a pair to avoid is major")
    limits = tuple(map(_limit, row.rows("limits", ("drug", "max", "unit", "basis", "hours"))))
    if (action == "limit") != bool(limits):
        raise row.fail("limits", "a limit stands beside the action limit, and only there")
    return Interaction(
        a=a,
        b=b,
        excluding=row.texts("excluding"),
        severity=severity,
        action=action,
        limits=limits,
        effect=row.text("effect"),
        management=row.text("manage"),
        when=row.text("when", ""),
        disputed=row.text("disputed", ""),
        authority=row.authority(),
    )


def _limit(row: Row) -> PairLimit:
    maximum = row.number("max")
    if maximum is None:
        raise row.fail("max", "is missing")
    unit: str = row.word("unit", UNITS, "mg")
    hours = row.number("hours") or 0
    if hours % 24 or (hours and "basis" in row.data):
        raise row.fail("hours", "must be whole days, and stands in place of the basis")
    basis: Any = row.word("basis", BASES, "day")
    return PairLimit(row.text("drug"), maximum, unit, basis, int(hours))


def allergy_classes(row: Row) -> tuple[AllergyClass, ...]:
    return tuple(
        AllergyClass(
            id=_id(one),
            title=one.text("title"),
            names=one.texts("names"),
            members=one.texts("members", 1),
            authority=one.authority(),
        )
        for one in row.rows("classes", ("id", "title", "names", "members", "by"), 1)
    )


def cross_reactions(row: Row) -> tuple[CrossReaction, ...]:
    """A row may name several drugs (a list); each makes a rule."""
    fields = ("allergen", "drug", "relation", "reaction", "grade", "why", "disputed", "by")
    found: list[CrossReaction] = []
    for one in row.rows("cross", fields, 1):
        named = one.data.get("drug")
        drugs = one.texts("drug", 1) if isinstance(named, list) else (one.text("drug"),)
        for drug in drugs:
            found.append(
                CrossReaction(
                    allergen=one.text("allergen"),
                    drug=drug,
                    relation=one.word("relation", RELATIONS),
                    reaction=one.text("reaction", ""),
                    grade=one.word("grade", GRADES),
                    why=one.text("why"),
                    disputed=one.text("disputed", ""),
                    authority=one.authority(drug),
                )
            )
    return tuple(found)


def intolerances(row: Row) -> tuple[Intolerance, ...]:
    return tuple(
        Intolerance(one.text("drug"), one.texts("reactions", 1), one.authority())
        for one in row.rows("intolerances", ("drug", "reactions", "by"))
    )


def notations(row: Row) -> tuple[Notation, ...]:
    found: list[Notation] = []
    fields = ("id", "pattern", "examples", "clean", "misread", "instead", "by")
    for one in row.rows("notations", fields, 1):
        pattern = one.text("pattern")
        try:
            sought = re.compile(pattern)
        except re.error as error:
            raise one.fail("pattern", f"is no regular expression: {error}") from None
        examples, clean = one.texts("examples", 1), one.texts("clean", 1)
        for text in examples:
            if not sought.search(text):
                raise one.fail("examples", f"the pattern does not find {text!r}")
        for text in clean:
            if sought.search(text):
                raise one.fail("clean", f"the pattern finds {text!r}")
        by = one.authority()
        misread, instead = one.text("misread"), one.text("instead")
        found.append(Notation(_id(one), pattern, examples, clean, misread, instead, by))
    return tuple(found)


def conversions(row: Row) -> dict[tuple[str, str], Decimal]:
    found: dict[tuple[str, str], Decimal] = {}
    for one in row.rows("conversions", ("from", "to", "factor"), 1):
        factor: Any = decimal(one.data.get("factor"))
        if not factor:
            raise one.fail("factor", "must be a number above 0")
        found[one.text("from"), one.text("to")] = factor
    return found


def drug_synonyms(row: Row) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in row.rows("drugs", ("id", "names"), 1):
        for name in one.texts("names", 1):
            if name.casefold() in found:
                raise one.fail("names", f"{name} stands there twice")
            found[name.casefold()] = one.text("id")
    return found


def condition_names(row: Row) -> tuple[ConditionName, ...]:
    found: list[ConditionName] = []
    taken: set[str] = set()
    for one in row.rows("conditions", ("name", "synonyms", "codes"), 1):
        made = ConditionName(one.text("name"), one.texts("synonyms"), one.codes("codes"))
        for name in (made.name, *made.synonyms):
            if name.casefold() in taken:
                raise one.fail("synonyms", f"{name} stands there twice")
            taken.add(name.casefold())
        if not made.codes:
            raise one.fail("codes", "is empty")
        found.append(made)
    return tuple(found)
