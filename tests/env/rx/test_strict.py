"""The profile for training: one reward, at the end, for what reading alone can earn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from casegen.env.rx.profiles.strict import chance_level
from casegen.schemas.rx_case import RxCase, RxTask
from casegen.schemas.rx_play import RxAction

from .conftest import FULL, Play, answer, ask, case, decoy, harmless, made_up, right

SIMVA, COLCHI = "simvastatin-clarithromycin", "colchicine-clarithromycin"
MACRO, QT = "macrolide-clarithromycin", "long_QT_syndrome-clarithromycin"
# The made-up case has five items and nine entries: one allergy, three medications, five conditions.
B = 5 / 10


def score(play: Play, one: RxCase, *acts: RxAction) -> float:
    _, seen = play(one, acts)
    assert seen.done and seen.grader_score is not None
    return seen.grader_score


def worth(found: int, right_: int, flags: int, b: float = B) -> float:
    return found / 5 * max(0.0, (right_ / flags - b) / (1 - b))


def test_the_chance_is_items_over_entries_and_the_dose_and_one_half_at_most() -> None:
    assert chance_level(made_up()) == B
    assert chance_level(made_up("dosage_check")) == 1 / 10
    few = replace(made_up(), conditions_listed=[], medications=[])
    assert chance_level(few) == 0.5


DANGEROUS = [
    (answer("reject", False, [SIMVA, COLCHI], [MACRO], [QT]), 1.0),
    (answer("modify", False, [SIMVA, COLCHI], [MACRO], [QT]), 0.6),
    (answer("approve", False, [SIMVA, COLCHI], [MACRO], [QT]), 0.0),
    (answer(None, False, [SIMVA, COLCHI], [MACRO], [QT]), 0.0),
    (answer("reject", True, [SIMVA, COLCHI], [MACRO], [QT]), worth(4, 4, 4)),
    (answer("reject", None, [SIMVA, COLCHI], [MACRO], [QT]), worth(4, 4, 4)),
    (answer("reject", False, [SIMVA], [MACRO], []), worth(3, 3, 3)),
    (answer("reject", False, [SIMVA, "a-b"], [MACRO], []), worth(3, 3, 4)),
    (answer("reject", False, [SIMVA, "a-b", "b-a"], [MACRO], []), worth(3, 3, 4)),
    (answer("reject", False, [SIMVA, "a-b", "c-d"], [MACRO], []), worth(3, 3, 5)),
    (answer("reject", False, [SIMVA], [], ["a-b"]), worth(2, 2, 3)),
    (answer("reject", True), 0.0),
    (answer("reject", False, [SIMVA, "allopurinol-clarithromycin"], [MACRO]), worth(3, 3, 3)),
    (answer("reject", False, [SIMVA], [MACRO, "penicillin-clarithromycin"]), worth(3, 3, 4)),
]


@pytest.mark.parametrize(("act", "expected"), DANGEROUS)
def test_a_dangerous_prescription(act: RxAction, expected: float, play: Play) -> None:
    assert score(play, made_up(), act) == pytest.approx(expected)


SAFE = [
    ([FULL, answer("approve")], 1.0),
    ([answer("approve")], 0.0),
    ([ask("allergies"), answer("approve")], 1 / 3),
    ([ask("allergies"), ask("conditions"), answer("approve")], 2 / 3),
    ([FULL, answer("modify")], 0.0),
    ([FULL, answer("reject")], 0.0),
    ([FULL, answer(None)], 0.0),
    ([FULL, answer("approve", False)], 0.5),
    ([FULL, answer("approve", None)], 0.5),
    ([FULL, answer("approve", True, ["a-b"])], 0.5),
    ([FULL, answer("approve", True, ["a-b"], ["c-d"])], 0.0),
    ([FULL, answer("approve", False, ["a-b"], ["c-d"])], 0.0),
    ([FULL, answer("approve", True, ["allopurinol-clarithromycin"])], 1.0),
    ([FULL, answer("approve", True, [], ["penicillin-clarithromycin"])], 0.5),
    ([FULL, answer("approve", missing=["interactions_found"])], 0.5),
    ([FULL, answer("approve", missing=["interactions_found", "allergy_conflicts"])], 0.0),
]


@pytest.mark.parametrize(("acts", "expected"), SAFE)
def test_a_safe_prescription(acts: list[RxAction], expected: float, play: Play) -> None:
    assert score(play, harmless(), *acts) == pytest.approx(expected)


def test_a_field_that_is_missing_is_wrong_where_nothing_is_to_be_found(play: Play) -> None:
    one = made_up()
    none = replace(one, findings=[f for f in one.findings if f.component != "allergy"])
    told = answer("reject", False, [SIMVA, COLCHI], [], [QT])
    left = answer("reject", False, [SIMVA, COLCHI], [], [QT], missing=["allergy_conflicts"])
    assert score(play, none, told) == 1.0
    assert score(play, none, left) == pytest.approx((4 / 5 - 4 / 10) / (1 - 4 / 10))


def test_a_field_that_the_task_does_not_look_for_may_be_missing(play: Play) -> None:
    one = made_up("interaction_check")
    told = answer("reject", False, [SIMVA, COLCHI], [MACRO], missing=["contraindications_found"])
    assert score(play, one, told) == 1.0
    assert score(play, made_up("dosage_check"), RxAction("submit", dosage_safe=False,
                 recommendation="modify")) == 1.0  # fmt: skip


def test_pairs_that_the_task_does_not_look_for_are_flags_all_the_same(play: Play) -> None:
    """Else who calls everything wrong would earn where the dose alone is looked for."""
    one = made_up("dosage_check")
    sprayed = answer("modify", False, ["a-b", "c-d"], ["e-f"])
    assert score(play, one, sprayed) == pytest.approx((1 / 4 - 1 / 10) / (1 - 1 / 10))


def test_acts_that_can_not_be_carried_out_cost_up_to_a_fifth(play: Play) -> None:
    one = replace(made_up(), max_steps=20)
    for bad, share in ((1, 0.98), (5, 0.90), (10, 0.80), (15, 0.80)):
        acts = [ask("everything")] * bad
        assert score(play, one, *acts, right(one)) == pytest.approx(share)
    assert score(play, one, RxAction("submit", recommendation="perhaps"), right(one)) == 0.98


def test_looking_twice_costs_nothing_but_the_step(play: Play) -> None:
    one = made_up()
    assert score(play, one, FULL, FULL, ask("allergies"), right(one)) == 1.0


@pytest.mark.parametrize("task", ["dosage_check", "interaction_check", "full_validation"])
def test_all_rewards_are_nothing_but_the_last_and_their_sum_is_the_score(
    task: RxTask, play: Play
) -> None:
    for one in (made_up(task), harmless(task)):
        acts = [FULL] * (one.max_steps - 1)
        episode, seen = play(one, [*acts, right(one)])
        assert episode._ledger.rewards == [0.0] * len(acts) + [1.0]
        assert episode.state.total_reward == seen.grader_score == seen.reward == 1.0


def test_what_was_not_submitted_earns_nothing(play: Play) -> None:
    for one in (made_up(), harmless()):
        _, seen = play(one, [FULL] * one.max_steps)
        assert (seen.done, seen.grader_score, seen.reward) == (True, 0.0, 0.0)


def test_where_authorities_differ_either_recommendation_is_right(play: Play) -> None:
    disputed = replace(
        harmless(),
        also_accepted=["reject"],
        decoys=[decoy("allergy", "penicillin-clarithromycin", tolerated=True)],
    )
    named = answer("reject", True, [], ["penicillin-clarithromycin"])
    assert score(play, disputed, FULL, named) == 1.0
    assert score(play, disputed, FULL, answer("approve")) == 1.0
    assert score(play, disputed, FULL, answer("modify")) == 0.0


@pytest.mark.parametrize(
    "name",
    [
        "warfarin-aspirin", "aspirin-warfarin", "WARFARIN-Aspirin", "Coumadin-aspirin",
        "aspirin - warfarin", "warfarin_sodium-ASA", "Jantoven-acetylsalicylic_acid",
    ],
)  # fmt: skip
def test_pairs_compare_without_order_case_and_brand(name: str, play: Play) -> None:
    one = case("interaction_check_1")
    assert score(play, one, answer("reject", True, [name])) == 1.0


@pytest.mark.parametrize(
    "name", ["warfarin", "aspirin", "", "-", "warfarin-", "warfrin-aspirin", "warfarin-aspirins",
             "warfarin-aspirin-ibuprofen", "warfarin-ibuprofen"],
)  # fmt: skip
def test_nothing_is_guessed(name: str, play: Play) -> None:
    one = case("interaction_check_1")
    assert score(play, one, answer("reject", True, [name])) == 0.0


@pytest.mark.parametrize(
    ("task_id", "field", "name"),
    [
        ("full_validation_2", "contraindications", "CKD-Glucophage"),
        ("full_validation_2", "contraindications", "metformin-chronic kidney disease"),
        ("full_validation_1", "contraindications", "MG-cipro"),
        ("interaction_check_3", "allergies", "PCN-Amoxil"),
        ("interaction_check_4", "allergies", "NSAIDs-Motrin"),
        ("full_validation_6", "contraindications", "Pregnancy-Zestril"),
    ],
)
def test_the_documented_synonyms_name_a_finding(
    task_id: str, field: str, name: str, play: Play
) -> None:
    _, seen = play(case(task_id), [answer("reject", **{field: [name]})])
    assert seen.issues_found_correctly and len(seen.issues_found_correctly) == 1
