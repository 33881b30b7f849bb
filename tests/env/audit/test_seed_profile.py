"""Profile seed: each row of the documented reward table and of its grader, on a documented task."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from casegen.env.audit.episode import AuditEpisode
from casegen.env.tasks import find_task
from casegen.schemas.play import AuditAction, AuditObservation

EASY, NCCI, EXCLUDES = "easy_demographic", "medium_ncci_conflict", "medium_excludes1"
HARD, EXPERT = "hard_specificity_untraceable", "expert_multi_error"
TASKS = (EASY, NCCI, EXCLUDES, HARD, EXPERT)


def query(code: str) -> AuditAction:
    return AuditAction("query_guideline", code=code)


def check(one: str, two: str) -> AuditAction:
    return AuditAction("check_ncci_edits", code1=one, code2=two)


def flag(code: str, kind: str, why: str = "It looks wrong to me.") -> AuditAction:
    return AuditAction("flag_error", code=code, error_type=kind, justification=why)


def ask(question: str) -> AuditAction:
    return AuditAction("ask_clarifying_question", question=question)


def extract(text: str) -> AuditAction:
    return AuditAction("extract_evidence", evidence_text=text)


SUBMIT = AuditAction("submit_audit")
ASTHMA = ask("Does she still have asthma?")
TERM = "This is a maternity code."


@dataclass(frozen=True)
class Row:
    """The reward of the last of the acts on a task."""

    says: str
    task: str
    acts: tuple[AuditAction, ...]
    reward: float


ROWS = [
    Row("query, valid code, first", EASY, (query("O80"),), 0.10),
    Row("query, code outside the claim", EASY, (query("E10.9"),), -0.50),
    Row("query, code queried before", EASY, (query("O80"), query("o80")), -0.10),
    Row("pair, first check, no edit", NCCI, (check("93306", "99213"),), 0.05),
    Row("pair, first check, edit found", NCCI, (check("93306", "93307"),), 0.10),
    Row("pair, the other way round", NCCI, (check("93307", "93306"),), 0.10),
    Row("pair, a code outside the claim", NCCI, (check("93306", "93308"),), -0.50),
    Row("question, relevant", EXCLUDES, (ASTHMA,), 0.15),
    Row("question, irrelevant", EXCLUDES, (ask("What did she have for lunch?"),), -0.10),
    Row("question, repeated", EXCLUDES, (ASTHMA, ask("Is there asthma?")), -0.10),
    Row("span that is expected", EASY, (extract("normal male genitalia"),), 0.05),
    Row("span that is irrelevant", EASY, (extract("Never smoked; a beer"),), 0.00),
    Row("span that the note lacks", EASY, (extract("abnormal female genitalia"),), -0.05),
    Row(
        "an expected span pays once, however it is cut",
        EASY,
        (extract("normal male genitalia"), extract("GU: normal male genitalia")),
        0.00,
    ),
    Row(
        "the code alone is no key term",
        EASY,
        (query("O80"), flag("O80", "demographic_mismatch", "O80")),
        0.20 + 0.05,
    ),
    Row(
        "right flag, conflict, investigated",
        NCCI,
        (check("93306", "93307"), flag("93306", "ncci_edit")),
        0.30 * 1.2 + 0.05,
    ),
    Row(
        "right flag, conflict of diagnoses, investigated",
        EXCLUDES,
        (query("J45.20"), query("J44.1"), flag("J44.1", "excludes1_conflict")),
        0.30 * 1.2 + 0.05,
    ),
    Row(
        "right flag, demographic, investigated",
        EASY,
        (query("O80"), flag("O80", "demographic_mismatch")),
        0.20 + 0.05,
    ),
    Row(
        "right flag, specificity, investigated",
        HARD,
        (query("S52.501A"), flag("S52.501A", "specificity_error")),
        0.20 * 1.5 + 0.05,
    ),
    Row(
        "right flag, untraceable, investigated",
        HARD,
        (query("Z99.999"), flag("Z99.999", "untraceable_code")),
        0.20 * 1.3 + 0.05,
    ),
    Row(
        "right flag, with evidence before",
        EASY,
        (extract("normal male genitalia"), query("O80"), flag("O80", "demographic_mismatch")),
        0.20 + 0.05 + 0.05,
    ),
    Row(
        "right flag, key terms",
        EASY,
        (query("O80"), flag("O80", "demographic_mismatch", TERM)),
        0.20 + 0.05 + 0.05,
    ),
    Row(
        "right flag, all additions",
        EASY,
        (
            extract("normal male genitalia"),
            query("O80"),
            flag("O80", "demographic_mismatch", TERM),
        ),
        0.20 + 0.15,
    ),
    Row("right flag, not investigated", EASY, (flag("O80", "demographic_mismatch"),), 0.20 - 0.05),
    Row("wrong type, close miss", NCCI, (flag("93306", "excludes1_conflict"),), -0.05),
    Row("wrong type, close miss the other way", EXCLUDES, (flag("J44.1", "ncci_edit"),), -0.05),
    Row("wrong type, far miss", EASY, (flag("O80", "untraceable_code"),), -0.10),
    Row("wrong type is not paid for care", EASY, (query("O80"), flag("O80", "ncci_edit")), -0.10),
    Row("false positive", EXCLUDES, (flag("Z87.891", "excludes1_conflict"),), -0.20),
    Row("flag on a code outside the claim", EASY, (flag("O81", "demographic_mismatch"),), -0.50),
    Row("the other member names a pair, too", NCCI, (flag("93307", "ncci_edit"),), 0.36 - 0.05),
    Row(
        "a pair is named once",
        NCCI,
        (flag("93307", "ncci_edit"), flag("93306", "ncci_edit")),
        -0.20,
    ),
    Row(
        "a flag in place of another",
        EASY,
        (flag("O80", "ncci_edit"), flag("O80", "demographic_mismatch")),
        -0.20,
    ),
    Row(
        "the same flag again",
        EASY,
        (flag("O80", "demographic_mismatch"), flag("o80", "demographic_mismatch")),
        0.0,
    ),
    Row("a field is missing", EASY, (AuditAction("query_guideline"),), 0.0),
    # The grader: score of the draft, false positives, efficiency, thoroughness.
    Row("nothing flagged", EASY, (SUBMIT,), 0.1 * 9 / 10),
    Row("full credit", EASY, (flag("O80", "demographic_mismatch"), SUBMIT), 1.0),
    Row(
        "full credit of one finding of two, by rarity",
        HARD,
        (flag("S52.501A", "specificity_error"), SUBMIT),
        1.5 / 2.8 + 0.1 * 18 / 20,
    ),
    Row("far miss: 0.40", EASY, (flag("O80", "ncci_edit"), SUBMIT), 0.40 + 0.1 * 8 / 10),
    Row(
        "close miss: 0.55",
        NCCI,
        (flag("93306", "excludes1_conflict"), SUBMIT),
        0.55 + 0.1 * 13 / 15,
    ),
    Row(
        "misses of two, by rarity",
        EXPERT,
        (flag("E10.9", "ncci_edit"), flag("93306", "specificity_error"), SUBMIT),
        (0.55 * 1.2 + 0.40 * 1.2) / 2.4 + 0.1 * 22 / 25,
    ),
    Row(
        "a false positive takes 0.15",
        HARD,
        (flag("S52.501A", "specificity_error"), flag("Z99.999", "ncci_edit"), SUBMIT),
        (1.5 + 0.40 * 1.3) / 2.8 + 0.1 * 17 / 20,
    ),
    Row(
        "two false positives take 0.30",
        EXPERT,
        (
            flag("E10.9", "excludes1_conflict"),
            flag("99214", "ncci_edit"),
            flag("M79.621", "specificity_error"),
            SUBMIT,
        ),
        0.5 - 0.30 + 0.1 * 21 / 25,
    ),
    Row(
        "a replaced flag is a false positive",
        EASY,
        (flag("O80", "ncci_edit"), flag("O80", "demographic_mismatch"), SUBMIT),
        1 - 0.15 + 0.1 * 7 / 10,
    ),
    Row(
        "all codes looked at: 0.05",
        EASY,
        (query("O80"), query("E11.9"), query("Z00.00"), SUBMIT),
        0.05 + 0.1 * 6 / 10,
    ),
    Row(
        "a checked pair is looked at",
        NCCI,
        (check("93306", "93307"), query("99213"), SUBMIT),
        0.05 + 0.1 * 12 / 15,
    ),
    Row("the score is at least 0", EASY, (flag("E11.9", "ncci_edit"), SUBMIT), 0.0),
]


def play(task: str, acts: tuple[AuditAction, ...]) -> tuple[AuditEpisode, AuditObservation]:
    episode = AuditEpisode(find_task("audit", task_id=task), "e")
    seen = episode.start()
    for act in acts:
        seen = episode.step(act)
    return episode, seen


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.task}: {row.says}")
def test_a_row_pays_to_the_number(row: Row) -> None:
    assert play(row.task, row.acts)[1].reward == pytest.approx(row.reward)


def test_steps_that_run_out_grade_the_draft_without_efficiency() -> None:
    fill = [query("O80")] * 8
    _, last = play(EASY, (flag("O80", "demographic_mismatch"), query("E11.9"), *fill))
    assert last.done
    assert last.grader_score == 1.0
    assert last.reward == pytest.approx(-0.10 + 1.0)
    _, last = play(EASY, tuple([query("O80")] * 10))
    assert last.grader_score == 0.0


def test_each_task_can_be_solved_in_full() -> None:
    for task in TASKS:
        case = find_task("audit", task_id=task).case
        acts = [query(line.code) for line in case.claim]
        acts += [flag(f.code, f.error_type, f.key_terms[0]) for f in case.findings]
        assert play(task, (*acts, SUBMIT))[1].grader_score == 1.0


def test_every_text_before_the_end_is_the_same_whatever_the_answer() -> None:
    """Under this profile rewards tell; nothing else does."""
    from dataclasses import replace

    for task_id in TASKS:
        task = find_task("audit", task_id=task_id)
        other = replace(task, case=replace(task.case, findings=[], decoys=[]))
        codes = [line.code for line in task.case.claim]
        acts = [*map(query, codes), *(flag(code, "ncci_edit") for code in codes)]
        told = []
        for one in (task, other):
            episode = AuditEpisode(one, "e")
            seen = [episode.start(), *map(episode.step, acts)]
            told.append([replace(each, reward=0.0) for each in seen])
        assert told[0] == told[1]


def test_a_question_pays_once_for_each_thing_that_can_be_asked() -> None:
    """No wording draws more than the physician's topics hold."""
    case = find_task("audit", task_id=EXPERT).case
    words = {word for question in case.questions for word in question.keywords}
    episode = AuditEpisode(find_task("audit", task_id=EXPERT), "e")
    seen = episode.start()
    paid = 0
    for word in sorted(words):
        if seen.done:
            break
        seen = episode.step(ask(f"What about the {word}?"))
        paid += seen.reward == pytest.approx(0.15)
    assert paid <= len(case.questions)
