"""Profile strict: the formula of the score, and what does not pay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import pytest

from casegen.env.coding.draft import Draft
from casegen.env.coding.profiles.strict import answer
from casegen.schemas.coding_play import CodingAction

from .conftest import DOCUMENTED, FINALIZE, HINT, Play, documented, draft, final, made_up

RIGHT = ("I12.9", "N18.31", "Z79.84")
B = 4 / 12  # of twelve allowed codes four are the answer


def worth(recall: float, right: float, named: int) -> float:
    return recall * max(0.0, (right / named - B) / (1 - B))


@dataclass(frozen=True)
class Row:
    """A draft of the made-up case, and what its codes are worth."""

    says: str
    primary: str
    secondary: tuple[str, ...]
    score: float


ROWS = [
    Row("the whole answer", "E11.22", RIGHT, 1.0),
    Row("in another order", "E11.22", RIGHT[::-1], 1.0),
    Row("an equivalent counts as the code", "E11.29", RIGHT, 1.0),
    Row("the primary code alone: 0.6", "E11.22", (), worth(0.6, 1, 1)),
    Row("all but the primary code: 0.4", "", RIGHT, worth(0.4, 3, 3)),
    Row("one secondary code missing", "E11.22", RIGHT[:2], worth(0.6 + 0.4 * 2 / 3, 3, 3)),
    Row("an alternate of the primary code: one half", "E11.9", RIGHT, worth(0.7, 3.5, 4)),
    Row(
        "an alternate of a secondary code: one half",
        "E11.22",
        ("I12.9", "N18.30", "Z79.84"),
        worth(0.6 + 0.4 * 2.5 / 3, 3.5, 4),
    ),
    Row("the family alone: nothing", "E11.65", (), 0.0),
    Row("the family beside right codes: nothing", "E11.65", RIGHT, worth(0.4, 3, 4)),
    Row(
        "right codes in the wrong place: one half each",
        "I12.9",
        ("E11.22", "N18.31", "Z79.84"),
        worth(0.6 / 2 + 0.4 * 2.5 / 3, 3, 4),
    ),
    Row("an alternate in the wrong place: a quarter", "", ("E11.9",), worth(0.6 / 4, 0.25, 1)),
    Row("one wrong code", "E11.22", (*RIGHT, "I10"), worth(1.0, 4, 5)),
    Row("three wrong codes", "E11.22", (*RIGHT, "I10", "Z79.4", "N18.9"), worth(1.0, 4, 7)),
    Row("a code named twice counts once, and costs", "E11.22", (*RIGHT, "I12.9"), worth(1.0, 4, 5)),
    Row("the primary code again as secondary", "E11.22", (*RIGHT, "E11.22"), worth(1.0, 4, 5)),
    Row("a code and its alternate", "E11.22", (*RIGHT, "N18.30"), worth(1.0, 4, 5)),
    Row("a code and its equivalent", "E11.22", (*RIGHT, "E11.29"), worth(1.0, 4, 5)),
    Row("nothing right", "I10", ("Z79.4",), 0.0),
    Row("an empty draft", "", (), 0.0),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.says)
def test_a_draft_is_worth_what_the_formula_says(row: Row, play: Play) -> None:
    case = made_up()
    last = play(case, [final(row.primary, *row.secondary)])[1]
    assert last.reward == last.grader_score == pytest.approx(row.score)


def test_without_secondary_codes_the_primary_code_is_all_of_the_recall(play: Play) -> None:
    case = made_up(secondary=False)
    b = 1 / 12
    assert play(case, [final("E11.22")])[1].reward == 1.0
    assert play(case, [final("E11.9")])[1].reward == pytest.approx(0.5 * (0.5 - b) / (1 - b))
    two = play(case, [final("E11.22", "I10")])[1].reward
    assert two == pytest.approx((0.5 - b) / (1 - b))


def test_a_wrong_review_flag_takes_a_fifth(play: Play) -> None:
    for needed, given in product((False, True), (False, True)):
        last = play(made_up(review=needed), [final("E11.22", *RIGHT, review=given)])[1]
        assert last.reward == pytest.approx(1.0 if needed == given else 0.8)


def test_each_hint_takes_a_twentieth_of_what_is_left(play: Play) -> None:
    for count in range(4):
        last = play(made_up(), [*[HINT] * count, final("E11.22", *RIGHT)])[1]
        assert last.reward == pytest.approx(0.95**count)


def test_a_hint_that_is_not_there_is_a_mistake_and_no_hint(play: Play) -> None:
    last = play(made_up(), [*[HINT] * 5, final("E11.22", *RIGHT)])[1]
    assert last.reward == pytest.approx(0.95**3 * (1 - 2 * 0.02))


@pytest.mark.parametrize(
    "mistake",
    [
        draft("E10.9"),
        draft("E11.22", "E10.9", "Z00.00", "nonsense"),
        draft(),
        CodingAction(),
        CodingAction(needs_review=False),
    ],
)
def test_mistakes_cost_two_hundredths_each_and_twenty_at_most(
    mistake: CodingAction, play: Play
) -> None:
    case = replace(made_up(), max_steps=20)
    for count in (1, 5, 12):
        last = play(case, [*[mistake] * count, final("E11.22", *RIGHT)])[1]
        assert last.reward == pytest.approx(1 - min(0.2, 0.02 * count))
        assert last.episode_metrics is not None
        assert last.episode_metrics["invalid_acts"] == count


def test_nothing_pays_or_tells_before_the_end(play: Play) -> None:
    acts = [draft("E11.22"), HINT, draft("I10"), draft("E10.9"), draft("E11.22", *RIGHT)]
    for count in range(len(acts) + 1):
        episode, seen = play(made_up(), acts[:count])
        assert (seen.done, seen.reward, seen.grader_score) == (False, 0.0, None)
        assert seen.progress_score is seen.grader_feedback is seen.reward_breakdown is None
        assert seen.episode_metrics is None
        assert (episode.state.best_score, episode.state.grader_score) == (None, None)
        told = episode.info
        assert told["reward_breakdown"] is told["grader_score"] is None


def test_at_the_end_the_score_is_told_and_the_rewards_add_up_to_it(play: Play) -> None:
    episode, last = play(made_up(), [draft("E11.22"), HINT, final("E11.22", "I12.9", "I10")])
    score = last.grader_score
    assert score is not None and 0 < score < 1
    assert last.reward == episode.state.total_reward == last.progress_score == score
    assert last.reward_breakdown is not None
    assert last.reward_breakdown.total == score
    assert episode.info["grader_score"] == score
    assert last.grader_feedback is not None
    assert last.grader_feedback[1] == "Secondary codes: credit 1 of 3."


def test_when_the_steps_run_out_the_draft_is_graded(play: Play) -> None:
    acts = [draft("E11.22", *RIGHT), HINT, HINT, HINT, HINT, HINT]
    _, last = play(made_up(), acts)
    assert (last.done, last.step_count) == (True, 6)
    assert last.reward == pytest.approx(0.95**3 * (1 - 2 * 0.02))


def test_the_last_draft_counts_and_not_the_best(play: Play) -> None:
    acts = [draft("E11.22", *RIGHT), draft("I10"), FINALIZE]
    assert play(made_up(), acts)[1].reward == 0.0


# --- what does not pay


def test_every_code_at_once_pays_nothing_whichever_stands_first(play: Play) -> None:
    for case in (made_up(), *(documented(task_id).case for task_id in DOCUMENTED)):
        codes = [one.code for one in case.allowed]
        for first in codes:
            rest = [code for code in codes if code != first]
            for secondary in (rest, codes, codes * 2):
                last = play(case, [final(first, *secondary)])[1]
                assert last.reward == pytest.approx(0.0, abs=1e-9)
        assert play(case, [final("", *codes)])[1].reward == 0.0


def test_a_guess_of_codes_pays_little_on_average() -> None:
    """Any share of the allowed codes, drawn blindly, is worth next to nothing."""
    case = made_up()
    codes = [one.code for one in case.allowed]
    worths = [answer(case, Draft(one, ())) for one in codes]
    assert sum(worths) / len(worths) <= 0.15
    pairs = [answer(case, Draft(one, (two,))) for one in codes for two in codes if one != two]
    assert sum(pairs) / len(pairs) <= 0.10


def test_padding_a_wrong_draft_with_copies_never_helps() -> None:
    case = made_up()
    codes = [one.code for one in case.allowed]
    for primary in codes:
        for other in codes:
            once = answer(case, Draft(primary, (other,)))
            for copies in (2, 3, 50):
                assert answer(case, Draft(primary, (other,) * copies)) <= once + 1e-12
                assert answer(case, Draft(primary, (other, *[primary] * copies))) <= once + 1e-12


def test_no_draft_but_the_answer_scores_one() -> None:
    case = made_up()
    codes = [one.code for one in case.allowed]
    whole = {"E11.22", "E11.29"}
    for primary in ("", *codes):
        for secondary in product(codes, repeat=3):
            score = answer(case, Draft(primary, secondary))
            assert 0.0 <= score <= 1.0
            right = primary in whole and sorted(secondary) == sorted(RIGHT)
            assert (score == 1.0) == right


def test_finalizing_at_once_pays_nothing(play: Play) -> None:
    for review in (None, False, True):
        assert play(made_up(), [CodingAction(needs_review=review, finalize=True)])[1].reward == 0.0
