"""Profile seed: each line of the documented scoring rules and rewards, to the number."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from casegen.env.coding.draft import Draft
from casegen.env.coding.episode import CodingEpisode
from casegen.env.coding.grading import grade
from casegen.schemas.coding_play import CodingAction, CodingObservation, RewardBreakdown

from .conftest import (
    DOCUMENTED,
    EASY,
    FINALIZE,
    HARD,
    HINT,
    MEDIUM,
    Play,
    documented,
    draft,
    final,
    made_up,
)

RIGHT = ("I12.9", "N18.31", "Z79.84")


@dataclass(frozen=True)
class Graded:
    """A draft of the made-up case, and its grade."""

    says: str
    primary: str
    secondary: tuple[str, ...]
    score: float
    review: bool = False


GRADES = [
    Graded("exact primary: 0.60", "E11.22", (), 0.60 + 0.15),
    Graded("an equivalent is exact", "E11.29", (), 0.60 + 0.15),
    Graded("accepted alternate: 0.50", "E11.9", (), 0.50 + 0.15),
    Graded("right family, wrong code: 0.30", "E11.65", (), 0.30 + 0.15),
    Graded("another family: 0", "I10", (), 0.15),
    Graded("a secondary code of the answer is no primary code", "I12.9", (), 0.15),
    Graded("all right: 1.00", "E11.22", RIGHT, 1.00),
    Graded("the order of secondary codes does not count", "E11.22", RIGHT[::-1], 1.00),
    Graded("one secondary of three", "E11.22", ("Z79.84",), 0.60 + 0.25 / 3 + 0.15),
    Graded("two of three", "E11.22", ("Z79.84", "I12.9"), 0.60 + 0.50 / 3 + 0.15),
    Graded(
        "an alternate of a secondary code counts half and is no extra",
        "E11.22",
        ("I12.9", "N18.30", "Z79.84"),
        0.60 + 0.25 * 2.5 / 3 + 0.15,
    ),
    Graded(
        "beside the code itself its alternate is an extra",
        "E11.22",
        (*RIGHT, "N18.30"),
        1.00 - 0.05,
    ),
    Graded("no primary code", "", RIGHT, 0.25 + 0.15),
    Graded("wrong review flag: no 0.15", "E11.22", RIGHT, 0.85, review=True),
    Graded("one extra: -0.05", "E11.22", (*RIGHT, "I10"), 0.95),
    Graded("two extras: -0.10", "E11.22", (*RIGHT, "I10", "Z79.4"), 0.90),
    Graded("three extras: -0.15", "E11.22", (*RIGHT, "I10", "Z79.4", "N18.9"), 0.85),
    Graded("four extras cost as three", "E11.22", (*RIGHT, "I10", "Z79.4", "N18.9", "I12.0"), 0.85),
    Graded("a code named twice is found once, and is an extra", "E11.22", (*RIGHT, "Z79.84"), 0.95),
    Graded("a right code named four times", "E11.22", (*RIGHT, *["I12.9"] * 3), 0.85),
    Graded("the primary code again as secondary is an extra", "E11.22", (*RIGHT, "E11.22"), 0.95),
    Graded(
        "places swapped: family of the primary code is no other's",
        "I12.9",
        ("E11.22", "N18.31", "Z79.84"),
        0.25 * 2 / 3 + 0.15 - 0.05,
    ),
    Graded("extras alone don't go below 0", "I10", ("Z79.4", "N18.9", "I12.0"), 0.0),
    Graded("... nor do they with the wrong flag", "I10", ("Z79.4",), 0.0, review=True),
    Graded("an empty draft: 0", "", (), 0.0),
    Graded("an empty draft with the flag: 0", "", (), 0.0, review=True),
]


@pytest.mark.parametrize("row", GRADES, ids=lambda row: row.says)
def test_a_draft_has_the_documented_grade(row: Graded, play: Play) -> None:
    case = made_up()
    told = grade(case, Draft(row.primary, row.secondary, row.review))
    assert told.score == pytest.approx(row.score)
    act = final(row.primary, *row.secondary, review=row.review)
    last = play(case, [act], "seed")[1]
    assert (last.reward, last.grader_score) == (told.score, told.score)


def test_where_there_is_no_secondary_code_to_find_all_are_found() -> None:
    case = made_up(secondary=False)
    assert grade(case, Draft("E11.22")).score == 1.0
    assert grade(case, Draft("I10")).score == pytest.approx(0.40)
    assert grade(case, Draft("E11.22", ("I10",))).score == pytest.approx(0.95)


def test_where_review_is_needed_the_flag_earns_and_its_absence_costs() -> None:
    case = made_up(review=True)
    assert grade(case, Draft("E11.22", RIGHT, True)).score == 1.0
    assert grade(case, Draft("E11.22", RIGHT)).score == pytest.approx(0.85)
    assert grade(case, Draft("", (), True)).score == 0.0


def test_the_grade_is_in_its_range_and_exact_for_every_draft_of_three_codes() -> None:
    case = made_up()
    codes = [one.code for one in case.allowed]
    for primary in ("", *codes):
        for one in codes:
            for other in codes:
                score = grade(case, Draft(primary, (one, other))).score
                assert 0.0 <= score <= 1.0
                assert score == round(score, 9)


@pytest.mark.parametrize("write", [str.lower, lambda c: c.replace(".", ""), lambda c: f" {c} "])
def test_a_code_is_known_however_it_is_written(write: object, play: Play) -> None:
    act = CodingAction(write("E11.22"), [write(code) for code in RIGHT], finalize=True)  # type: ignore[operator]
    last = play(made_up(), [act], "seed")[1]
    assert last.grader_score == 1.0
    assert last.current_primary_code == "E11.22"
    assert last.current_secondary_codes == list(RIGHT)


@dataclass(frozen=True)
class Paid:
    """The reward of the last of the acts on the made-up case, by its parts."""

    says: str
    acts: tuple[CodingAction, ...]
    parts: RewardBreakdown
    error: str | None = None


def paid(
    delta: float = 0.0,
    hint: float = 0.0,
    outside: float = 0.0,
    loop: float = 0.0,
    timeout: float = 0.0,
) -> RewardBreakdown:
    return RewardBreakdown(
        delta, hint, outside, loop, timeout, delta + hint + outside + loop + timeout
    )


FULL = draft("E11.22", *RIGHT)
PRIMARY = draft("E11.22")
REPEATED, REFUSED, EXHAUSTED = "that draft stood before", "the draft is refused", "no hint is left"
PAID = [
    Paid("the first draft pays its grade", (PRIMARY,), paid(0.75)),
    Paid("a better draft pays what it adds", (PRIMARY, FULL), paid(0.25)),
    Paid("a worse draft pays nothing", (FULL, PRIMARY), paid()),
    Paid("back to the best so far pays nothing", (FULL, PRIMARY, draft("E11.22", "I12.9")), paid()),
    Paid("less than the best pays nothing", (PRIMARY, draft("E11.9"), draft("E11.65")), paid()),
    Paid(
        "a part of a draft keeps the rest",
        (PRIMARY, CodingAction(secondary_codes=list(RIGHT))),
        paid(0.25),
    ),
    Paid(
        "the flag alone keeps the codes",
        (draft("E11.22", *RIGHT, review=True), CodingAction(needs_review=False)),
        paid(0.15),
    ),
    Paid("a hint: -0.05", (HINT,), paid(hint=-0.05)),
    Paid("each hint: -0.05", (HINT, HINT), paid(hint=-0.05)),
    Paid("a hint with a draft", (draft("E11.22", hint=True),), paid(0.75, hint=-0.05)),
    Paid("a hint when none is left: -0.05", (HINT, HINT, HINT, HINT), paid(hint=-0.05), EXHAUSTED),
    Paid("a code outside of the set: -0.10", (draft("E10.9"),), paid(outside=-0.10), REFUSED),
    Paid(
        "each code outside: -0.10", (draft("E10.9", "Z00.00", "I10"),), paid(outside=-0.20), REFUSED
    ),
    Paid(
        "a code outside that is named twice is one",
        (draft("I10", "E10.9", "e109"),),
        paid(outside=-0.10),
        REFUSED,
    ),
    Paid(
        "a refused draft changes nothing",
        (PRIMARY, draft("E11.22", *RIGHT, "E10.9"), FINALIZE),
        paid(),
    ),
    Paid(
        "a refused draft that comes again is refused again",
        (draft("E10.9"), draft("E10.9")),
        paid(outside=-0.10),
        REFUSED,
    ),
    Paid(
        "a refused draft with a hint",
        (draft("E10.9", hint=True),),
        paid(hint=-0.05, outside=-0.10),
        REFUSED,
    ),
    Paid("the same draft again: -0.05", (PRIMARY, PRIMARY), paid(loop=-0.05), REPEATED),
    Paid("... written otherwise", (FULL, draft("e1122", *RIGHT[::-1])), paid(loop=-0.05), REPEATED),
    Paid("a draft of two acts before", (PRIMARY, FULL, PRIMARY), paid(loop=-0.05), REPEATED),
    Paid("the empty draft of the beginning", (draft(),), paid(loop=-0.05), REPEATED),
    Paid("an act that does nothing", (PRIMARY, CodingAction()), paid(loop=-0.05), "nothing to do"),
    Paid(
        "the same draft with a hint",
        (PRIMARY, draft("E11.22", hint=True)),
        paid(hint=-0.05, loop=-0.05),
        REPEATED,
    ),
    Paid("to finalize what stands is no repetition", (FULL, replace(FULL, finalize=True)), paid()),
    Paid(
        "to finalize pays what the last change adds",
        (PRIMARY, replace(FULL, finalize=True)),
        paid(0.25),
    ),
    Paid(
        "to finalize a refused draft grades what stands",
        (PRIMARY, replace(draft("E10.9"), finalize=True)),
        paid(outside=-0.10),
        REFUSED,
    ),
    Paid(
        "to finalize with a hint",
        (FULL, CodingAction(request_hint=True, finalize=True)),
        paid(hint=-0.05),
    ),
    Paid(
        "steps that run out: -0.10",
        (HINT, HINT, HINT, PRIMARY, draft("E11.9"), FULL),
        paid(0.25, timeout=-0.10),
        "steps are used up",
    ),
    Paid(
        "... by a repetition",
        (HINT, HINT, HINT, PRIMARY, FULL, FULL),
        paid(loop=-0.05, timeout=-0.10),
        "steps are used up",
    ),
    Paid(
        "to finalize with the last step is in time",
        (HINT, HINT, HINT, PRIMARY, draft("E11.9"), replace(FULL, finalize=True)),
        paid(0.25),
    ),
]


@pytest.mark.parametrize("row", PAID, ids=lambda row: row.says)
def test_an_act_pays_by_the_documented_parts(row: Paid, play: Play) -> None:
    _, last = play(made_up(), row.acts, "seed")
    parts = last.reward_breakdown
    assert parts is not None
    for name in RewardBreakdown.__slots__:
        assert getattr(parts, name) == pytest.approx(getattr(row.parts, name)), name
    assert last.reward == parts.total
    told = last.last_action_error
    assert (told is None) == (row.error is None), told
    assert row.error is None or row.error in (told or "")


def test_an_empty_list_clears_the_secondary_codes_and_none_keeps_them(play: Play) -> None:
    keep = CodingAction(primary_code="E11.9")
    assert play(made_up(), [FULL, keep], "seed")[1].current_secondary_codes == list(RIGHT)
    clear = CodingAction(secondary_codes=[])
    _, seen = play(made_up(), [FULL, clear], "seed")
    assert (seen.current_primary_code, seen.current_secondary_codes) == ("E11.22", [])


def test_hints_come_in_their_order_and_end(play: Play) -> None:
    case = made_up()
    assert len(case.hints) == 3
    for count in range(5):
        episode, seen = play(case, [HINT] * count, "seed")
        assert seen.revealed_hints == case.hints[:count]
        assert episode.info["hints_remaining"] == max(0, 3 - count)
        assert episode.state.hints_used == min(3, count)


def test_progress_is_the_best_grade_and_the_score_that_of_the_end(play: Play) -> None:
    _, seen = play(made_up(), [FULL, PRIMARY], "seed")
    assert (seen.progress_score, seen.grader_score, seen.done) == (1.0, None, False)
    episode, last = play(made_up(), [FULL, PRIMARY, FINALIZE], "seed")
    assert (last.progress_score, last.done) == (1.0, True)
    assert last.grader_score == pytest.approx(0.75)
    state = episode.state
    assert (state.best_score, state.grader_score) == (1.0, last.grader_score)


def test_feedback_tells_the_grade_in_words_and_names_no_code(play: Play) -> None:
    case = made_up()
    _, seen = play(case, [draft("E11.9", "N18.30", "I10", "Z79.4", review=True)], "seed")
    assert seen.grader_feedback == [
        "Primary code: accepted, but less specific (+0.50).",
        "Secondary codes: 0.5 of 3 found (+0.04).",
        "Review flag: not right (+0.00).",
        "Unsupported secondary codes: 2 (-0.10).",
    ]
    assert play(case, [], "seed")[1].grader_feedback == ["The draft names no code."]


@pytest.mark.parametrize(
    ("task_id", "steps", "primary", "secondary", "review"),
    [
        (EASY, 5, "E11.9", ["Z79.84"], False),
        (MEDIUM, 6, "I12.9", ["N18.30"], False),
        (HARD, 8, "R07.9", ["R94.31"], True),
    ],
)
def test_the_documented_answers_score_one_within_the_documented_attempts(
    task_id: str, steps: int, primary: str, secondary: list[str], review: bool
) -> None:
    episode = CodingEpisode(documented(task_id), "e")
    first = episode.start()
    assert (first.max_steps, first.attempts_remaining) == (steps, steps)
    act = CodingAction(primary, secondary, review, finalize=True)
    last = episode.step(act)
    assert (last.reward, last.done, last.progress_score) == (1.0, True, 1.0)


def test_what_is_not_finalized_ends_with_the_last_attempt_at_its_grade() -> None:
    for task_id in DOCUMENTED:
        episode = CodingEpisode(documented(task_id), "e")
        seen: CodingObservation = episode.start()
        rewards = []
        while not seen.done:
            seen = episode.step(HINT)
            rewards.append(seen.reward)
        assert len(rewards) == seen.max_steps == seen.step_count
        assert rewards == pytest.approx([-0.05] * (len(rewards) - 1) + [-0.15])
        assert (seen.grader_score, seen.attempts_remaining) == (0.0, 0)
