"""What a second reader found in the labels on pairs of drugs, allergies and names of conditions."""

from __future__ import annotations

import pytest

from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.loader import load


@pytest.fixture(scope="module")
def rx() -> Rx:
    return load()


def actions(rx: Rx, pair: str) -> set[str]:
    a, b = pair.split("+")
    return {rule.action for rule in rx.between(a, b)}


@pytest.mark.parametrize("drug", ["aspirin", "ibuprofen", "ciprofloxacin", "metronidazole"])
def test_no_label_forbids_warfarin_beside_what_calls_for_a_look_at_the_inr(
    rx: Rx, drug: str
) -> None:
    assert actions(rx, f"warfarin+{drug}") <= {"monitor", "adjust"}


@pytest.mark.parametrize(
    "pair",
    """atorvastatin+posaconazole lovastatin+voriconazole ketoconazole+methadone
    dronedarone+cyclosporine dronedarone+flecainide buspirone+linezolid phenelzine+pseudoephedrine
    phenelzine+dextromethorphan ritonavir+amiodarone nirmatrelvir-ritonavir+amiodarone
    alprazolam+posaconazole""".split(),
)
def test_what_a_label_forbids_is_contraindicated(rx: Rx, pair: str) -> None:
    assert actions(rx, pair) == {"contraindicated"}


def test_colchicine_with_clarithromycin_is_forbidden_in_kidney_or_liver_disease_alone(
    rx: Rx,
) -> None:
    by_case = {rule.when: rule.severity for rule in rx.between("colchicine", "clarithromycin")}
    assert by_case == {"": "major", "renal or hepatic impairment": "contraindicated"}


@pytest.mark.parametrize("drug", ["paroxetine", "bupropion", "itraconazole"])
def test_aripiprazole_is_not_halved_beside_an_antidepressant_for_depression(
    rx: Rx, drug: str
) -> None:
    (rule,) = (r for r in rx.between("aripiprazole", drug) if r.action == "adjust")
    assert rule.when == "not beside an antidepressant for major depression"


def test_calcium_keeps_ciprofloxacin_from_being_absorbed_and_bismuth_does_not(rx: Rx) -> None:
    assert actions(rx, "ciprofloxacin+calcium-carbonate") == {"separate"}
    assert rx.between("ciprofloxacin", "bismuth-subsalicylate") == ()
    assert rx.between("moxifloxacin", "calcium-carbonate") == ()
    assert actions(rx, "levofloxacin+ferrous-sulfate") == {"separate"}


def test_an_inhaled_anticholinergic_may_stand_beside_an_opioid(rx: Rx) -> None:
    assert rx.between("tiotropium", "oxycodone") == ()


def test_a_penicillin_may_stand_beside_doxycycline(rx: Rx) -> None:
    assert rx.between("amoxicillin-clavulanate", "doxycycline") == ()


def test_the_label_of_cefepime_forbids_it_after_an_immediate_reaction_to_a_penicillin(
    rx: Rx,
) -> None:
    for drug, reaction in (("cefepime", "immediate"), ("cefuroxime", "")):
        grades = {
            r.authority[0].source: (r.grade, r.reaction)
            for r in rx.crossing("penicillin-allergy", drug)
        }
        assert grades == {"label": ("contraindicated", reaction), "guideline": ("acceptable", "")}


def test_a_side_chain_shared_with_amoxicillin_counts_after_an_immediate_reaction(rx: Rx) -> None:
    rules = {(r.grade, r.reaction) for r in rx.crossing("amoxicillin", "cephalexin")}
    assert ("avoid", "immediate") in rules
    assert ("acceptable", "not anaphylactic") in rules


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("kidney failure", ("N19",)),
        ("renal insufficiency", ("N28.9",)),
        ("duodenal ulcer", ("K26",)),
        ("seizures", ("R56.9",)),
        ("OSA", ("G47.33",)),
        ("Addison disease", ("E27.1",)),
        ("G6PD deficiency", ("D55.0", "D75.A")),
    ],
)
def test_a_name_of_a_condition_means_no_other_codes_than_the_index_gives(
    rx: Rx, name: str, codes: tuple[str, ...]
) -> None:
    found = rx.condition(name)
    assert found is not None and found.codes == codes
