"""Generated cases are such as a pharmacist may meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

import casegen
from casegen.rx.belongs import FIBRILLATION
from casegen.rx.certify import certify
from casegen.rx.draw import shelf
from casegen.rx.kinds import SPARED, WRONG
from casegen.rx.known import known
from casegen.schemas import CertificationError, RxCase
from casegen.seeds.rx.loader import load

COUNT = 700


@pytest.fixture(scope="module")
def cases() -> list[RxCase]:
    return list(casegen.make("rx-v0", seed=31).cases(0, COUNT))


def terms(case: RxCase, kind: str) -> list[str]:
    return [one.term for one in case.record if one.kind == kind and one.status == "active"]


def age(case: RxCase) -> int:
    return int(terms(case, "age")[0])


def of_drug(cases: list[RxCase], *drugs: str) -> Iterator[RxCase]:
    for case in cases:
        drug = load().named(case.prescription.drug)
        if drug is not None and drug.id in drugs:
            yield case


def drawn(*drugs: str, count: int) -> list[RxCase]:
    """Cases that prescribe one of the drugs."""
    return list(of_drug(list(casegen.make("rx-v0", seed=32).cases(0, count)), *drugs))


def test_only_women_of_fertile_age_are_pregnant() -> None:
    seen = 0
    for case in casegen.make("rx-v0", seed=77).cases(0, 1000):
        if terms(case, "pregnancy"):
            seen += 1
            assert terms(case, "sex") == ["female"], case.id
            assert 15 <= age(case) // 12 <= 50, case.id
    assert seen > 10


@pytest.mark.parametrize(("kind", "term"), [("sex", "male"), ("age", "940")])
def test_the_certifier_refuses_a_pregnancy_that_there_is_not(
    cases: list[RxCase], kind: str, term: str
) -> None:
    case = next(case for case in cases if terms(case, "pregnancy"))
    record = [replace(one, term=term) if one.kind == kind else one for one in case.record]
    with pytest.raises(CertificationError, match="pregnancy"):
        certify(replace(case, record=record))


def test_a_high_dose_that_is_right_is_given_as_the_label_divides_it(cases: list[RxCase]) -> None:
    for case in cases:
        if "high_but_right" in case.kinds:
            once = (case.prescription.drug, case.prescription.dose)
            assert once not in {("eplerenone", "100 mg"), ("celecoxib", "400 mg")}, case.id


def test_triptans_are_taken_as_needed() -> None:
    seen = drawn("sumatriptan", "rizatriptan", count=1500)
    assert seen
    for case in seen:
        often = case.prescription.frequency
        assert "as needed" in often or "PRN" in often, case.id


def test_dofetilide_goes_on_in_persistent_fibrillation() -> None:
    seen = drawn("dofetilide", "sotalol", count=1500)
    assert seen
    for case in seen:
        assert not case.prescription.starting, case.id
    ill = {one for case in of_drug(seen, "dofetilide") for one in case.conditions}
    assert "condition.persistent_af" in ill
    assert "condition.paroxysmal_af" not in ill


def test_no_drug_of_a_fixed_combination_stands_alone() -> None:
    uses = known().uses
    assert "h_pylori" not in {use.problem for use in uses["amoxicillin"]}
    assert not any(
        known().problems[use.problem].code.startswith("A15")
        for drug in ("rifampin", "isoniazid")
        for use in uses[drug]
    )


def test_what_belongs_to_a_condition_stands_in_the_record(cases: list[RxCase]) -> None:
    kin = known().kin
    seen: Counter[str] = Counter()
    for case in cases:
        drug = load().named(case.prescription.drug)
        taken = [*terms(case, "medication"), *([drug.id] if drug else [])]
        kinds = {kind for one in taken for kind in kin[one]}
        ill = {one.removeprefix("condition.") for one in case.conditions}
        if ill & FIBRILLATION and age(case) >= 65 * 12:
            seen["fibrillation"] += 1
            assert "anticoagulant" in kinds, case.id
        if "asthma" in ill:
            seen["asthma"] += 1
            assert "inhaled-corticosteroid" in kinds, case.id
    assert min(seen["fibrillation"], seen["asthma"]) > 3


def test_albuterol_is_inhaled_as_needed(cases: list[RxCase]) -> None:
    for case in cases:
        for one in case.record:
            if one.kind == "medication" and one.term == "albuterol":
                assert one.attributes["needed"] == "yes", case.id
                assert "every 12" not in one.spans[0].text


def test_an_ingredient_of_two_products_is_one_thing_to_mend(cases: list[RxCase]) -> None:
    seen = 0
    for case in cases:
        both = [one for one in case.findings if one.problem == "combined_ingredient"]
        if not both:
            continue
        seen += 1
        assert {one.component for one in both} == {"dose", "interaction"}
        assert {(one.severity, one.asks) for one in both} == {("major", "modify")}
        assert all("from" in one.reason and " a day; " in one.reason for one in both)
        assert not any(one.problem == "duplicate_therapy" for one in case.findings)
    assert seen > 3


def test_two_brands_are_both_named() -> None:
    kind = next(one for one in WRONG if one.name == "duplicate_therapy")
    openings = shelf(kind).groups
    assert any(one.data == one.drug for group in openings for one in group)
    rx, seen = load(), 0
    for case in casegen.make("rx-v0", seed=5).cases(0, 600):
        for one in case.findings:
            if "are both" in one.reason:
                seen += 1
                mine, its = one.reason.partition(" are both ")[0].split(" and ")
                assert its == case.prescription.drug != mine
                assert rx.named(mine) is rx.named(its)
                assert mine in one.evidence[0].text
    assert seen


def test_a_dose_by_weight_is_wrong_by_a_tenth_at_least() -> None:
    for case in casegen.make("rx-v0", seed=33).cases(0, 600):
        for one in case.findings:
            assert not any(
                len(word.partition(".")[2]) > 3 and word.replace(".", "").isdigit()
                for word in one.reason.split()
            ), one.reason


def test_kinds_keep_their_openings() -> None:
    for kind in (*WRONG, *SPARED):
        assert shelf(kind).groups, kind.name
