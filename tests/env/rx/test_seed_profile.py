"""The documented grader: each line of its table, and what is paid on the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from casegen.env.rx.grading import WEIGHTS
from casegen.schemas.rx_case import RxTask
from casegen.schemas.rx_play import RxAction

from .conftest import FULL, Play, answer, ask, finding, harmless, made_up, right

SIMVA, COLCHI = "simvastatin-clarithromycin", "colchicine-clarithromycin"
MACRO, QT = "macrolide-clarithromycin", "long_QT_syndrome-clarithromycin"
TASKS: tuple[RxTask, ...] = ("dosage_check", "interaction_check", "full_validation")


def test_the_weights_are_those_of_the_document() -> None:
    assert {task: dict(parts) for task, parts in WEIGHTS.items()} == {
        "dosage_check": {"dosage": 0.50, "recommendation": 0.50},
        "interaction_check": {
            "dosage": 0.20, "interactions": 0.30, "allergies": 0.25, "recommendation": 0.25,
        },
        "full_validation": {
            "dosage": 0.15, "interactions": 0.20, "allergies": 0.15, "contraindications": 0.15,
            "recommendation": 0.20, "investigation": 0.15,
        },
    }  # fmt: skip
    assert all(sum(parts.values()) == pytest.approx(1.0) for parts in WEIGHTS.values())


# The dose alone, of an unsafe one that asks for modify.
DOSAGE = [
    (answer("modify", False), 1.0),
    (answer("reject", False), 0.5 + 0.5 * 0.6),
    (answer("approve", False), 0.5),
    (answer("modify", True), 0.5),
    (answer("approve", True), 0.0),
    (answer(None, False), 0.5),
    (answer("modify", None), 0.5),
    # The task looks for nothing else, so that nothing else is graded.
    (answer("modify", False, ["a-b"], ["c-d"], ["e-f"]), 1.0),
]


@pytest.mark.parametrize(("act", "score"), DOSAGE)
def test_dosage_check(act: RxAction, score: float, play: Play) -> None:
    _, seen = play(made_up("dosage_check"), [act], "seed")
    assert seen.grader_score == pytest.approx(score)


# Dose 0.20, interactions 0.30, allergies 0.25, recommendation 0.25.
INTERACTION = [
    (answer("reject", False, [SIMVA, COLCHI], [MACRO]), 1.0),
    # Some of the interactions.
    (answer("reject", False, [SIMVA], [MACRO]), 0.7 + 0.3 / 2),
    (answer("reject", False, [], [MACRO]), 0.7),
    # A false positive takes 0.1 of its own part alone.
    (answer("reject", False, [SIMVA, COLCHI, "aspirin-clarithromycin"], [MACRO]), 0.7 + 0.3 * 0.9),
    (answer("reject", False, [SIMVA, COLCHI], [MACRO, "penicillin-clarithromycin"]),
     0.75 + 0.25 * 0.9),
    (answer("reject", False, [SIMVA, "a-b", "c-d"], [MACRO]), 0.7 + 0.3 * 0.3),
    # ... and no more than there is.
    (answer("reject", False, [f"drug{n}-clarithromycin" for n in range(12)], [MACRO]), 0.7),
    # One pair that is named twice is one, right or wrong.
    (answer("reject", False, [SIMVA, "Clarithromycin-Simvastatin"], [MACRO]), 0.7 + 0.3 / 2),
    (answer("reject", False, [SIMVA, COLCHI, "a-b", "B-A"], [MACRO]), 0.7 + 0.3 * 0.9),
    # What is tolerated counts neither way.
    (answer("reject", False, [SIMVA, COLCHI, "allopurinol-clarithromycin"], [MACRO]), 1.0),
    # A pair in the field of another part is no finding there.
    (answer("reject", False, [SIMVA, COLCHI, MACRO], []), 0.45 + 0.3 * 0.9),
    # Modify and reject both say that something is wrong.
    (answer("modify", False, [SIMVA, COLCHI], [MACRO]), 0.75 + 0.25 * 0.6),
    # A dangerous prescription that is approved has nothing for the recommendation.
    (answer("approve", False, [SIMVA, COLCHI], [MACRO]), 0.75),
    (answer("approve", True), 0.0),
    # A field that is missing is wrong.
    (answer("reject", False, [SIMVA, COLCHI], [MACRO], missing=["allergy_conflicts"]), 0.75),
    (answer(None, None, missing=["interactions_found", "allergy_conflicts"]), 0.0),
    # Contraindications are not looked for.
    (answer("reject", False, [SIMVA, COLCHI], [MACRO], ["x-y"]), 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("act", "score"), INTERACTION)
def test_interaction_check(act: RxAction, score: float, play: Play) -> None:
    _, seen = play(made_up("interaction_check"), [act], "seed")
    assert seen.grader_score == pytest.approx(score)


# 0.15, 0.20, 0.15, 0.15, 0.20, and 0.15 for what was looked at before.
VALIDATION = [
    ([FULL, answer("reject", False, [SIMVA, COLCHI], [MACRO], [QT])], 1.0),
    ([answer("reject", False, [SIMVA, COLCHI], [MACRO], [QT])], 0.85),
    ([ask("allergies"), answer("reject", False, [SIMVA, COLCHI], [MACRO], [QT])], 0.9),
    ([ask("allergies"), ask("allergies"), answer("reject", False, [SIMVA, COLCHI], [MACRO], [QT])],
     0.9),
    ([ask("allergies"), ask("conditions"), answer("reject", False, [SIMVA, COLCHI], [MACRO], [QT])],
     0.95),
    ([FULL, answer("reject", False, [SIMVA, COLCHI], [MACRO], [])], 0.85),
    ([FULL, answer("reject", False, [SIMVA, COLCHI], [MACRO], [QT, "asthma-clarithromycin"])],
     0.85 + 0.15 * 0.9),
    ([FULL, answer("reject", True, [SIMVA], [MACRO], [QT])], 0.15 + 0.1 + 0.15 + 0.15 + 0.2),
    ([FULL, answer("modify", False, [SIMVA, COLCHI], [MACRO], [QT])], 0.8 + 0.2 * 0.6),
    ([FULL, answer("approve", True)], 0.15),
    ([FULL] * 6, 0.15),
    ([ask("medications")] * 6, 0.05),
]  # fmt: skip


@pytest.mark.parametrize(("acts", "score"), VALIDATION)
def test_full_validation(acts: list[RxAction], score: float, play: Play) -> None:
    _, seen = play(made_up(), acts, "seed")
    assert seen.done
    assert seen.grader_score == pytest.approx(score)


SAFE = [
    ("dosage_check", answer("approve"), 1.0),
    ("dosage_check", answer("reject"), 0.5),
    ("dosage_check", answer("modify", False), 0.0),
    ("interaction_check", answer("approve"), 1.0),
    ("interaction_check", answer("modify"), 0.75),
    ("interaction_check", answer("approve", False), 0.8),
    ("interaction_check", answer("approve", True, ["a-b"]), 0.7 + 0.3 * 0.9),
    ("interaction_check", answer("approve", True, [], ["penicillin-clarithromycin"]),
     0.75 + 0.25 * 0.9),
    ("full_validation", answer("approve"), 0.85),
    ("full_validation", answer("approve", missing=["contraindications_found"]), 0.7),
]  # fmt: skip


@pytest.mark.parametrize(("task", "act", "score"), SAFE)
def test_a_safe_prescription(task: RxTask, act: RxAction, score: float, play: Play) -> None:
    _, seen = play(harmless(task), [act], "seed")
    assert seen.grader_score == pytest.approx(score)


@pytest.mark.parametrize(
    ("acts", "rewards"),
    [
        (["allergies", "medications", "conditions"], [0.05, 0.05, 0.05]),
        (["allergies", "allergies"], [0.05, 0.0]),
        (["full_profile", "allergies", "full_profile"], [0.15, 0.0, 0.0]),
        (["allergies", "full_profile"], [0.05, 0.10]),
        (["Allergies ", "nothing"], [0.05, 0.0]),
    ],
)
def test_each_part_of_the_record_pays_once(
    acts: list[str], rewards: list[float], play: Play
) -> None:
    one = made_up()
    episode, _ = play(one, map(ask, acts), "seed")
    assert episode._ledger.rewards == pytest.approx(rewards)
    assert episode.step(right(one)).reward == pytest.approx(
        0.85 + 0.15 * len(episode._ledger.read) / 3
    )


@pytest.mark.parametrize("task", TASKS)
def test_steps_that_run_out_grade_what_there_is(task: RxTask, play: Play) -> None:
    one = made_up(task)
    _, seen = play(one, [FULL] * one.max_steps, "seed")
    share = 0.15 if task == "full_validation" else 0.0
    assert seen.done and seen.grader_score == pytest.approx(share)
    assert (
        seen.step_count == {"dosage_check": 2, "interaction_check": 4, "full_validation": 6}[task]
    )
    assert "steps are used up" in (seen.last_action_error or "")
    assert seen.score_breakdown is not None
    assert {grade for part, grade in seen.score_breakdown.items() if part != "investigation"} == {0}


def test_what_an_authority_holds_as_right_has_full_credit(play: Play) -> None:
    one = replace(made_up("dosage_check"), also_accepted=["approve"])
    for word, score in (("modify", 1.0), ("approve", 1.0), ("reject", 0.8)):
        _, seen = play(one, [answer(word, False)], "seed")
        assert seen.grader_score == pytest.approx(score)


def test_the_end_tells_what_was_found_and_what_was_missed(play: Play) -> None:
    _, seen = play(made_up(), [FULL, answer("reject", True, [COLCHI], [], [QT])], "seed")
    assert seen.issues_found_correctly == [COLCHI, QT]
    assert seen.issues_missed == ["unsafe dose", SIMVA, MACRO]
    assert seen.score_breakdown == {
        "dosage": 0.0, "interactions": 0.5, "allergies": 0.0, "contraindications": 1.0,
        "recommendation": 1.0, "investigation": 1.0,
    }  # fmt: skip
    assert "Right is reject" in (seen.feedback or "")


def test_an_approved_danger_is_told(play: Play) -> None:
    _, seen = play(made_up(), [answer("approve")], "seed")
    assert "A dangerous prescription was approved." in (seen.feedback or "")
    assert seen.episode_metrics is not None and seen.episode_metrics["approved_dangerous"]


def test_a_name_stands_for_one_finding_alone(play: Play) -> None:
    """Two findings that share a name are both found by two names only."""
    both = [finding("contraindication", "egfr-clarithromycin", "kidney_disease-clarithromycin"),
            finding("contraindication", "severe_kidney_disease-clarithromycin",
                    "kidney_disease-clarithromycin")]  # fmt: skip
    one = replace(made_up(), findings=both, dosage_safe=True)
    for names, recall in (
        (["kidney_disease-clarithromycin"], 0.5),
        (["kidney_disease-clarithromycin", "egfr-clarithromycin"], 1.0),
        (["egfr-clarithromycin", "CKD-clarithromycin"], 1.0),
    ):
        _, seen = play(one, [FULL, answer("reject", True, [], [], names)], "seed")
        assert seen.score_breakdown is not None
        assert seen.score_breakdown["contraindications"] == recall
