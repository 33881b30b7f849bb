"""The condition files say what the tabular list says, and what a chart may hold together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

import pytest

from casegen.seeds import services
from casegen.seeds.conditions import Addition, Condition, Value, load
from casegen.seeds.icd10cm import tables

from .telling import told

CONDITIONS = load()
BY_ID = {one.id: one for one in CONDITIONS}
VALUES = [(one, value) for one in CONDITIONS for value in one.values]
FIRST_DAY, LAST_DAY = "2026-04-01", "2026-09-30"


def where(one: Condition, value: Value) -> str:
    return f"{one.id}.{value.id}"


def each_value(*, sided: bool | None = None) -> Iterator[tuple[str, Value]]:
    for one, value in VALUES:
        if sided is None or bool(value.codes) == sided:
            yield where(one, value), value


@cache
def icd() -> tables.Tables:
    return tables.load()


def said(value: Value, **more: str) -> Mapping[str, str]:
    return {**value.attributes, **more}


def full_codes(value: Value) -> list[str]:
    """All complete codes of a value; the first seventh character stands for the others."""
    codes = [value.code] if value.code else [*value.codes.values()]
    if value.seventh == "none":
        return codes
    return [icd().complete(code, next(iter(icd().sevenths(code)))) for code in codes]


def full_added(one: Addition) -> str:
    return icd().complete(one.code, "A") if one.seventh == "same" else one.code


# What the tabular list says


def test_every_term_names_its_code_alone() -> None:
    wrong = {}
    for name, value in each_value(sided=False):
        if value.seventh == "none" and icd().resolve(value.term, said(value)) != (value.code,):
            wrong[name] = (value.code, icd().resolve(value.term, said(value)))
    assert not wrong, told(
        wrong,
        "term does not lead to code alone (value: code, codes that the tables find)",
        "take the exact title or inclusion term that casegen code CODE prints",
    )


def test_every_term_with_a_side_names_the_code_of_that_side() -> None:
    wrong = {}
    for name, value in each_value(sided=True):
        if value.seventh != "none":
            continue
        for side, code in value.codes.items():
            found = icd().resolve(value.terms.get(side, value.term), said(value, side=side))
            if found != (code,) or icd().laterality(code) != side:
                wrong[name, side] = (code, found, icd().laterality(code))
    assert not wrong, told(
        wrong,
        "term with a side does not lead to the code of that side",
        "give the wording of the side under terms, exactly as casegen code CODE prints it",
    )


def test_terms_of_injuries_name_their_code_with_every_phase() -> None:
    wrong = {}
    for name, value in each_value():
        if value.seventh == "none":
            continue
        codes = value.codes or {None: value.code}
        for side, code in codes.items():
            more = {"side": side} if side else {}
            term = value.terms.get(side, value.term) if side else value.term
            for phase in ("active", "sequela"):
                found = icd().resolve(term, said(value, phase=phase, **more))
                fits = [icd().complete(code, char) for char in icd().sevenths(code)]
                if len(found) != 1 or found[0] not in fits:
                    wrong[name, side, phase] = found
    assert not wrong, told(
        wrong,
        "term of an injury does not lead to its code in a phase of care",
        "take the exact title, and the code without its seventh character",
    )


def test_injuries_and_only_injuries_lack_their_seventh_character() -> None:
    wrong = {}
    for name, value in each_value():
        for code in value.codes.values() if value.codes else [value.code]:
            sevenths = icd().sevenths(code).values()
            fractures = {text for one in sevenths for text in (one.fracture, one.healing)} - {None}
            phases = {one.phase for one in sevenths} - {None}
            if value.seventh == "none":
                right = icd().billable(code)
            else:
                right = not icd().billable(code) and bool(phases)
                right = right and bool(fractures) == (value.seventh == "fracture")
            if not right:
                wrong[name] = code
    assert not wrong, told(
        wrong,
        "code is incomplete without a seventh character to come, or complete with one",
        "for codes with phases of care say seventh: injury or fracture and give the code without "
        "the character; else give the complete code",
    )


def test_every_code_is_valid_through_the_whole_reference_window() -> None:
    codes = {code for _, value in each_value() for code in full_codes(value)}
    codes |= {full_added(one) for _, value in each_value() for one in value.adds}
    wrong = {
        (code, day): icd().status(code, day)
        for code in codes
        for day in (FIRST_DAY, LAST_DAY)
        if icd().status(code, day) != "valid"
    }
    assert not wrong


def test_the_unspecified_code_is_the_sibling_without_a_side() -> None:
    wrong = {}
    for name, value in each_value(sided=True):
        for code in value.codes.values():
            siblings = icd().side_siblings(
                icd().complete(code, "A") if value.seventh != "none" else code
            )
            known = {other[: len(code)] for other in siblings.values()}
            if value.unspecified is not None and value.unspecified not in known:
                wrong[name] = (value.unspecified, siblings)
    assert not wrong, told(
        wrong,
        "unspecified is not the sibling without a side",
        "casegen code CODE prints the other sides",
    )


def test_the_less_specific_code_is_another_billable_code_of_the_category() -> None:
    wrong = {}
    for name, value in each_value():
        if value.less_specific is None:
            continue
        codes = [value.code, *value.codes.values()]
        same = all(code is None or code[:3] == value.less_specific[:3] for code in codes)
        sevenths = icd().sevenths(value.less_specific) if value.seventh != "none" else {"": None}
        complete = all(
            icd().billable(
                icd().complete(value.less_specific, char) if char else value.less_specific
            )
            for char in sevenths
        )
        if not same or not complete or value.less_specific in codes:
            wrong[name] = value.less_specific
    assert not wrong, told(
        wrong,
        "less_specific is not another complete code of the category",
        "take one of the same three characters, or leave it out",
    )


def test_every_added_code_is_named_by_its_term() -> None:
    wrong = {}
    for name, value in each_value():
        for one in value.adds:
            attributes = {"phase": "active"} if one.seventh == "same" else {}
            found = icd().resolve(one.term, attributes)
            if found != (full_added(one),):
                wrong[name, one.code] = found
    assert not wrong, told(
        wrong,
        "term of an added code does not lead to it",
        "take the exact title that casegen code CODE prints",
    )


def test_a_sex_bound_code_stands_only_in_conditions_of_that_sex() -> None:
    wrong = {}
    for one, value in VALUES:
        for code in full_codes(value):
            meaning = icd().sex_by_meaning(code)
            if meaning is not None and one.sex != meaning[0]:
                wrong[where(one, value)] = (code, meaning)
    assert not wrong, told(
        wrong,
        "the meaning of a code leaves one sex",
        "say sex: female or male",
    )


def test_an_age_bound_code_stands_only_in_conditions_of_that_age() -> None:
    wrong = {}
    for one, value in VALUES:
        for code in full_codes(value):
            meaning = icd().age_by_meaning(code)
            if meaning is not None and not meaning[0] <= one.age[0] <= one.age[1] <= meaning[1]:
                wrong[where(one, value)] = (code, one.age, meaning)
    assert not wrong, told(
        wrong,
        "the meaning of a code leaves some ages",
        "narrow age",
    )


def test_every_service_is_one_of_ours() -> None:
    ours = services.load()
    wrong = {
        (name, code)
        for name, value in each_value()
        for code in value.services
        if ours.get(code) is None
    }
    assert not wrong, told(
        wrong,
        "a service is not in the list",
        "add it to seeds/services/services.yaml, or name another",
    )


# What a chart may hold together


def barred(a: Condition, b: Condition) -> bool:
    if "*" in (*a.incompatible, *b.incompatible):
        return b.id not in a.compatible and a.id not in b.compatible
    return b.id in a.incompatible


def may_meet(a: Condition, b: Condition) -> bool:
    return (
        not barred(a, b)
        and not set(a.groups) & set(b.groups)
        and {a.sex, b.sex} != {"female", "male"}
        and a.age[0] <= b.age[1]
        and b.age[0] <= a.age[1]
        and (
            a.age_days is None
            or b.age_days is None
            or (a.age_days[0] <= b.age_days[1] and b.age_days[0] <= a.age_days[1])
        )
    )


def all_codes(one: Condition) -> set[str]:
    codes = {code for value in one.values for code in full_codes(value)}
    return codes | {full_added(added) for value in one.values for added in value.adds}


def test_no_two_conditions_of_a_chart_conflict_by_excludes1() -> None:
    wrong = {}
    for a, b in combinations(CONDITIONS, 2):
        if not may_meet(a, b):
            continue
        for first in all_codes(a):
            for second in all_codes(b):
                if first == second:
                    continue
                hits = [hit for hit in icd().excludes1(first, second) if hit.reach == "certain"]
                if hits:
                    wrong[a.id, b.id, first, second] = hits[0].note
    assert not wrong


def test_no_two_conditions_of_a_chart_bring_the_same_added_code() -> None:
    """A claim holds a code once, so that one line would stand for two facts."""
    brought = {
        one.id: {full_added(added) for value in one.values for added in value.adds}
        for one in CONDITIONS
    }
    wrong = {
        (a.id, b.id): brought[a.id] & brought[b.id]
        for a, b in combinations(CONDITIONS, 2)
        if brought[a.id] & brought[b.id] and may_meet(a, b)
    }
    assert not wrong


def test_no_value_conflicts_with_its_own_additions() -> None:
    wrong = {
        (name, code, full_added(added))
        for name, value in each_value()
        for code in full_codes(value)
        for added in value.adds
        for hit in icd().excludes1(code, full_added(added))
        if hit.reach == "certain"
    }
    assert not wrong


# Subterms of "Diabetes, type 2, with" of the Alphabetic Index, as prefixes of the codes that
# stand for them alone; guideline I.A.15 presumes the link. N18 is left to the coder's rule.
INDEX_WITH_DIABETES = (
    "H25", "H26", "H28", "H40", "H42", "G56", "G57", "G58", "G59", "G60", "G62", "G63", "G51",
    "G90.0", "G99.0", "G70", "K31.84", "I70.2", "I73.9", "I79", "L97", "L98.4", "L89", "L20", "L21",
    "L23", "L24", "L25", "L30", "M86", "M14.6", "E16.2", "R73", "N08", "K05", "B02.2", "I96",
)  # fmt: skip


def test_nothing_that_the_index_lists_under_diabetes_meets_diabetes() -> None:
    diabetes = [one for one in CONDITIONS if any(c[:3] == "E11" for c in all_codes(one))]
    wrong = [
        (one.id, other.id, code)
        for one in diabetes
        for other in CONDITIONS
        if other is not one and may_meet(one, other)
        for code in all_codes(other)
        if code.startswith(INDEX_WITH_DIABETES)
    ]
    assert len(diabetes) > 1 and not wrong


def test_chronic_kidney_disease_meets_only_uncomplicated_diabetes() -> None:
    kidney = [one for one in CONDITIONS if any(c[:3] == "N18" for c in all_codes(one))]
    met = {
        code
        for one in kidney
        for other in CONDITIONS
        if may_meet(one, other)
        for code in all_codes(other)
        if code[:3] in ("E10", "E11", "E13")
    }
    assert met == {"E11.9"}


def test_hypertension_heart_failure_and_kidney_disease_may_meet() -> None:
    for a, b in combinations(("hypertension", "heart_failure", "ckd", "type2_diabetes"), 2):
        assert may_meet(BY_ID[a], BY_ID[b]), (a, b)


@pytest.mark.parametrize("kidney", ["ckd", "ckd_advanced"])
def test_other_anemia_never_meets_kidney_disease(kidney: str) -> None:
    """The index presumes "Anemia, in (due to) (with) chronic kidney disease" (D63.1)."""
    met = {
        code
        for other in CONDITIONS
        if may_meet(BY_ID[kidney], other)
        for code in all_codes(other)
        if code[:3] in ("D50", "D51", "D52", "D53", "D64")
    }
    assert not met


def test_names_of_other_conditions_exist() -> None:
    wrong = {
        (one.id, other)
        for one in CONDITIONS
        for other in (*one.incompatible, *one.compatible, *one.presupposes)
        if other not in BY_ID and other != "*"
    }
    assert not wrong


def test_incompatibility_holds_both_ways() -> None:
    wrong = {
        (one.id, other)
        for one in CONDITIONS
        for other in one.incompatible
        if other in BY_ID and one.id not in BY_ID[other].incompatible
    }
    assert not wrong


def test_what_a_condition_presupposes_can_stand_beside_it() -> None:
    wrong = {
        (one.id, other)
        for one in CONDITIONS
        for other in one.presupposes
        if not may_meet(one, BY_ID[other])
    }
    assert not wrong
