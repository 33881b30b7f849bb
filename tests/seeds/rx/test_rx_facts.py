"""Facts of practice that the drug knowledge must hold (kinds 20 to 26, the documented drugs)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import DoseLimit, Interaction


@pytest.fixture(scope="module")
def rx() -> Rx:
    return load()


def limit(rule: Interaction, drug: str) -> Decimal:
    return next(one.maximum for one in rule.limits if one.drug == drug)


def doses(rx: Rx, drug: str, words: str) -> list[DoseLimit]:
    return [dose for dose in rx.drugs[drug].doses if words in dose.indication]


DOCUMENTED = """warfarin aspirin ibuprofen metformin lisinopril amoxicillin ciprofloxacin
simvastatin sertraline tramadol methotrexate digoxin amiodarone""".split()


def test_the_documented_thirteen_drugs_are_there(rx: Rx) -> None:
    assert set(DOCUMENTED) <= rx.drugs.keys()


@pytest.mark.parametrize(
    "pair",
    """warfarin+aspirin warfarin+ibuprofen warfarin+ciprofloxacin warfarin+amiodarone
    aspirin+methotrexate aspirin+heparin ibuprofen+lisinopril ibuprofen+methotrexate
    ibuprofen+lithium lisinopril+potassium-chloride lisinopril+spironolactone lisinopril+naproxen
    ciprofloxacin+theophylline simvastatin+amiodarone simvastatin+erythromycin sertraline+tramadol
    digoxin+amiodarone digoxin+verapamil""".split(),
)
def test_the_documented_interactions_are_there(rx: Rx, pair: str) -> None:
    a, b = pair.split("+")
    assert rx.between(a, b)
    assert rx.between(a, b) == rx.between(b, a)


def test_the_documented_highest_dose_of_ibuprofen_is_3200_mg(rx: Rx) -> None:
    assert max(d.maximum or 0 for d in doses(rx, "ibuprofen", "by prescription")) == 3200


def test_ciprofloxacin_carries_a_boxed_warning_in_myasthenia_gravis(rx: Rx) -> None:
    for drug in ("ciprofloxacin", "levofloxacin", "moxifloxacin"):
        rules = [r for r in rx.drugs[drug].contraindications if "G70.0" in r.codes]
        assert [rule.grade for rule in rules] == ["boxed"]


def test_methotrexate_for_rheumatoid_arthritis_is_weekly(rx: Rx) -> None:
    (dose,) = doses(rx, "methotrexate", "rheumatoid")
    assert (dose.basis, dose.times) == ("week", (1, 1))
    assert {d.basis for d in rx.drugs["methotrexate"].doses} == {"week"}


def test_acetaminophen_of_two_products_adds_up_to_4_g(rx: Rx) -> None:
    combined, alone = rx.drugs["hydrocodone-acetaminophen"], rx.drugs["acetaminophen"]
    assert "acetaminophen" in combined.ingredients
    assert set(combined.duplicate) & set(alone.duplicate)
    (dose,) = (d for d in combined.doses if d.ingredient == "acetaminophen")
    assert (dose.maximum, dose.unit, dose.basis) == (4000, "mg", "day")
    assert max(d.maximum or 0 for d in alone.doses if d.basis == "day") == 4000


def test_metformin_by_kidney_function_names_egfr(rx: Rx) -> None:
    rules = [r for r in rx.drugs["metformin"].contraindications if r.measure]
    assert all(r.measure and r.measure.name == "eGFR" for r in rules)
    at = lambda value: {  # noqa: E731
        (r.grade, r.start) for r in rules if r.measure and r.measure.range.holds(value)
    }
    assert at(28) == {("contraindicated", False)}
    assert at(40) == {("avoid", True), ("caution", False)}
    assert at(50) == set()


def test_apixaban_in_atrial_fibrillation_is_halved_by_two_of_three(rx: Rx) -> None:
    full, low = doses(rx, "apixaban", "atrial fibrillation")
    assert (full.maximum, full.criteria, full.times) == (10, None, (2, 2))
    assert low.criteria is not None
    assert (low.maximum, low.criteria.need) == (5, 2)
    age, weight, creatinine = low.criteria.of
    assert age.name == "age" and not age.range.holds(80 * 12 - 1) and age.range.holds(80 * 12)
    assert weight.name == "weight" and weight.range.holds(60) and not weight.range.holds(61)
    assert creatinine.range.holds(Decimal("1.5"))
    assert not creatinine.range.holds(Decimal("1.4"))


def test_nitrofurantoin_has_two_limits_that_name_their_source(rx: Rx) -> None:
    label, beers = (r for r in rx.drugs["nitrofurantoin"].contraindications if r.disputed)
    assert label.measure and beers.measure and beers.age and label.age is None
    assert (label.measure.name, label.measure.range.high) == ("CrCl", 60)
    assert (beers.measure.name, beers.measure.range.high) == ("CrCl", 30)
    assert beers.age.low == 65 * 12
    assert [r.authority[0].source for r in (label, beers)] == ["label", "guideline"]


def test_amoxicillin_for_otitis_media_is_90_mg_per_kg_below_40_kg(rx: Rx) -> None:
    (dose,) = doses(rx, "amoxicillin", "otitis media")
    assert (dose.maximum, dose.basis, dose.times) == (90, "kg/day", (2, 2))
    assert dose.weight is not None
    assert dose.weight.holds(12) and not dose.weight.holds(40)
    grown = next(d for d in rx.drugs["amoxicillin"].doses if d.weight and d.weight.low == 40)
    assert (grown.basis, grown.maximum) == ("day", 1750)


@pytest.mark.parametrize("drug", ["codeine", "tramadol"])
def test_codeine_and_tramadol_are_contraindicated_in_children(rx: Rx, drug: str) -> None:
    rules = [r for r in rx.drugs[drug].pediatric if r.grade == "contraindicated"]
    assert {(r.age.high, r.after) for r in rules} == {
        (12 * 12, ""),
        (18 * 12, "tonsillectomy or adenoidectomy"),
    }
    assert all("fda" in {a.source for a in r.authority} for r in rules)


def test_simvastatin_with_amlodipine_stops_at_20_mg(rx: Rx) -> None:
    (rule,) = rx.between("simvastatin", "amlodipine")
    assert (rule.action, limit(rule, "simvastatin")) == ("limit", 20)


def test_simvastatin_and_clarithromycin_are_contraindicated(rx: Rx) -> None:
    assert rx.between("simvastatin", "clarithromycin")[0].severity == "contraindicated"


def test_tizanidine_and_ciprofloxacin_are_contraindicated(rx: Rx) -> None:
    (rule,) = rx.between("ciprofloxacin", "tizanidine")
    assert rule.severity == "contraindicated"


def test_citalopram_stops_at_20_mg_above_60_and_beside_cyp2c19_inhibitors(rx: Rx) -> None:
    low = [d for d in rx.drugs["citalopram"].doses if d.maximum == 20 and d.age]
    old = next(d for d in low if d.age and d.age.low and d.age.low > 18 * 12)
    assert old.age is not None
    assert old.age.holds(61 * 12) and not old.age.holds(60 * 12 + 11)
    (rule,) = rx.between("citalopram", "omeprazole")
    assert limit(rule, "citalopram") == 20


def test_oxycodone_and_alprazolam_fall_under_a_boxed_warning(rx: Rx) -> None:
    rule = rx.between("oxycodone", "alprazolam")[0]
    assert rule.severity == "major"
    assert "boxed warning" in {a.section for a in rule.authority}


def test_a_fentanyl_patch_needs_a_patient_used_to_opioids(rx: Rx) -> None:
    rule = next(r for r in rx.drugs["fentanyl"].contraindications if r.without)
    assert (rule.without, rule.grade) == ("opioid", "contraindicated")


def test_cefazolin_in_penicillin_allergy_is_disputed_by_label_and_guideline(rx: Rx) -> None:
    rules = rx.crossing("penicillin-allergy", "cefazolin")
    assert {(r.grade, r.authority[0].source) for r in rules} == {
        ("contraindicated", "label"),
        ("acceptable", "guideline"),
    }
    assert len({r.disputed for r in rules}) == 1


def test_aminopenicillins_share_side_chains_with_few_cephalosporins(rx: Rx) -> None:
    def relation(drug: str) -> set[str]:
        return {r.relation for r in rx.crossing("amoxicillin", drug) if r.allergen == "amoxicillin"}

    assert relation("cefadroxil") == relation("cefprozil") == {"identical_side_chain"}
    assert relation("cephalexin") == {"similar_side_chain"}
    assert relation("cefazolin") == relation("ceftriaxone") == set()


def test_nausea_with_amoxicillin_is_no_allergy(rx: Rx) -> None:
    kin = rx.kin("amoxicillin")
    assert any("nausea" in one.reactions for one in rx.intolerances if one.drug in kin)


def test_celecoxib_and_furosemide_in_sulfonamide_allergy(rx: Rx) -> None:
    def grades(drug: str) -> dict[str, str]:
        rules = rx.crossing("sulfonamide-antibiotic-allergy", drug)
        return {r.authority[0].source: r.grade for r in rules}

    assert grades("celecoxib")["label"] == "contraindicated"
    assert grades("furosemide") == {"label": "caution", "guideline": "acceptable"}


def test_levothyroxine_in_mg_is_a_unit_trap(rx: Rx) -> None:
    assert ("mg", "mcg") in {(t.written, t.meant) for t in rx.drugs["levothyroxine"].traps}


def test_no_drug_name_is_guessed(rx: Rx) -> None:
    assert rx.named("zocor") is rx.drugs["simvastatin"]
    assert rx.named("  Tylenol ") is rx.drugs["acetaminophen"]
    assert rx.named("Tazocin") is None
    assert rx.named("simvastatine") is None


def test_a_condition_is_found_by_its_synonyms_alone(rx: Rx) -> None:
    found = rx.condition("kidney_disease")
    assert found is not None and found.codes == ("N18", "N19")
    assert rx.condition("kidney diseases") is None
