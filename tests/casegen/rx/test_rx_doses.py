"""Ordinary doses are right by the rules of the drug, and for the patient."""

from __future__ import annotations

from decimal import Decimal

import pytest

from casegen.rx.doses import Body, regimens, rules_of, told
from casegen.rx.draw import _years
from casegen.rx.known import known
from casegen.rx.problems import Use

ADULT = 45 * 12


def use(drug: str, problem: str) -> Use:
    found = known().use_of(drug, problem)
    assert found is not None
    return found


def amounts(drug: str, problem: str, body: Body) -> set[tuple[str, int]]:
    one = known()
    made = regimens(one.rx, one.drug(drug), use(drug, problem), one.problems[problem], body)
    return {(f"{each.amount.normalize():f} {each.unit}", each.times) for each in made}


def test_a_usual_dose_is_one_of_the_strengths_that_are_made() -> None:
    assert amounts("simvastatin", "hyperlipidemia", Body(ADULT, None, {})) <= {
        ("5 mg", 1), ("10 mg", 1), ("20 mg", 1), ("40 mg", 1)
    }  # fmt: skip


def test_methotrexate_is_drawn_by_the_week() -> None:
    one = known()
    problem = one.problems["rheumatoid_arthritis"]
    made = regimens(
        one.rx, one.drug("methotrexate"), use("methotrexate", problem.id), problem,
        Body(ADULT, None, {}),
    )  # fmt: skip
    assert made
    assert {(each.times, each.days) for each in made} == {(1, 7)}
    assert all(Decimal("7.5") <= each.total <= 25 for each in made)


def test_citalopram_above_sixty_stops_at_20_mg() -> None:
    young = amounts("citalopram", "depression", Body(59 * 12, None, {}))
    old = amounts("citalopram", "depression", Body(61 * 12, None, {}))
    assert ("40 mg", 1) in young
    assert ("40 mg", 1) not in old
    assert ("20 mg", 1) in old


def test_weak_kidneys_lower_a_dose() -> None:
    well = amounts("gabapentin", "epilepsy", Body(ADULT, None, {"CrCl": Decimal(90)}))
    weak = amounts("gabapentin", "epilepsy", Body(ADULT, None, {"CrCl": Decimal(20)}))
    assert ("600 mg", 3) in well
    assert ("600 mg", 3) not in weak


def test_a_child_with_otitis_takes_80_to_90_mg_a_kilogram() -> None:
    one = known()
    problem = one.problems["otitis_media"]
    body = Body(30, Decimal(12), {})
    made = regimens(
        one.rx, one.drug("amoxicillin"), use("amoxicillin", "otitis_media"), problem, body
    )
    assert made
    assert all(80 * 12 <= each.total <= 90 * 12 and each.times == 2 for each in made)


def test_apixaban_is_halved_for_two_of_three() -> None:
    one = known()
    problem = one.problems["atrial_fibrillation"]
    drug = one.drug("apixaban")
    old = Body(82 * 12, Decimal(55), {"creatinine": Decimal("1.0")})
    rules = rules_of(drug, use("apixaban", problem.id), problem, old)
    assert min(row.maximum for row in (*rules.base, *rules.beside) if row.maximum) == 5


@pytest.mark.parametrize("drug", sorted(known().prescribed))
def test_each_use_has_a_name_and_an_ordinary_dose_at_some_age(drug: str) -> None:
    one = known()
    for each in one.uses[drug]:
        problem = one.problems[each.problem]
        assert told(one.rx, one.drug(drug), each, problem), each
        assert _years(drug, each, 12, 93 * 12, False), each
