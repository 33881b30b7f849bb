"""What written agents say of their acts is true, and rests on what was shown before."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from casegen.env.audit.agents.grounds import differing
from casegen.env.audit.agents.quoting import lonely_brackets
from casegen.env.codes import fold
from casegen.env.tasks import find_task
from casegen.exports.messages import opening, result_text
from casegen.exports.rollout import rollout
from casegen.schemas.trajectory import Trajectory, TrajectoryStep

from .played import WRITTEN, documented, played, task, tasks

QUOTED = re.compile(r'"([^"]+)"')
SAID = re.compile(r'physician (?:says|stated|told me) "([^"]+)"')
FORBIDDEN = re.compile(
    r"the answer|answer key|ground truth|\binjected|\bfindings? sa|decoy|the solution|oracle", re.I
)
CODE = re.compile(r"\b(?:[A-Z]\d[A-Z0-9](?:\.[A-Z0-9]{1,4})?|[A-Z]\d{4}|\d{5}|\d{4}[A-Z])\b")
AUTHORITY = {
    "demographic_mismatch": r"the meaning of \S+|MCE age conflict edit|guideline I\.|rule of this",
    "excludes1_conflict": r"Excludes1 note at .* I\.A\.12\.a|[Rr]ule of this task",
    "ncci_edit": r"NCCI 2024Q3, practitioner pair, column 1|[Rr]ule of this task",
    "specificity_error": r"guideline I\.[ABC]\.\d+",
    "untraceable_code": r"the code set, ",
}


def flags(episode: Trajectory) -> Iterator[tuple[int, TrajectoryStep]]:
    for at, step in enumerate(episode.steps):
        if step.action["action_type"] == "flag_error":
            yield at, step


def known(episode: Trajectory, at: int) -> str:
    """All that the agent could have read before the step."""
    first = episode.steps[0].observation
    texts = [message["content"] for message in opening("audit", first)]
    texts += [result_text("audit", step) for step in episode.steps[:at]]
    return "\n".join(texts)


def shown(steps: list[TrajectoryStep]) -> list[str]:
    """What look-ups, pair checks and the physician told; for a passage its words."""
    return [
        step.action.get("evidence_text") or step.result["tool_result"]
        for step in steps
        if step.action["action_type"] not in ("flag_error", "submit_audit")
        and step.result["last_action_error"] is None
    ]


def grounds(step: TrajectoryStep) -> list[str]:
    """What a reason puts in quotation marks."""
    return QUOTED.findall(step.rationale or "")


def supported(step: TrajectoryStep, before: list[TrajectoryStep]) -> bool:
    """Whether earlier steps show the ground of a flag: a look-up of its code or of its pair holds
    words that the reason cites, and if it cites the physician, so do the physician's."""
    code = step.action["code"]
    codes = {code, step.action.get("related_code")} - {None}
    looks = [
        one
        for one in before
        if codes & {one.action.get(name) for name in ("code", "code1", "code2")}
        and one.action["action_type"] in ("query_guideline", "check_ncci_edits")
    ]
    cited = grounds(step)
    table = any(words in text for text in shown(looks) for words in cited)
    asked = [one for one in before if one.action["action_type"] == "ask_clarifying_question"]
    said = SAID.search(step.rationale or "")
    return table and (said is None or any(said[1] in text for text in shown(asked)))


def test_every_flag_of_the_expert_rests_on_an_earlier_step() -> None:
    count = 0
    for one in (*tasks(), *documented()):
        episode = played(one, "expert")
        for at, step in flags(episode):
            assert supported(step, episode.steps[:at]), (one.case.id, step.rationale)
            count += 1
    assert count > 100


def test_without_the_step_that_shows_its_ground_a_reason_is_unsupported() -> None:
    removed: Counter[str] = Counter()
    for one in (*tasks(), *documented()):
        episode = played(one, "expert")
        for at, step in flags(episode):
            before = episode.steps[:at]
            codes = {step.action["code"], step.action.get("related_code")}
            looked = [
                s
                for s in before
                if codes & {s.action.get(name) for name in ("code", "code1", "code2")}
                and s.action["action_type"] != "flag_error"
                and any(words in s.result["tool_result"] for words in grounds(step))
            ]
            assert looked
            assert not supported(step, [s for s in before if s not in looked])
            removed[looked[0].action["action_type"]] += 1
            asked = [s for s in before if s.action["action_type"] == "ask_clarifying_question"]
            if SAID.search(step.rationale or ""):
                assert not supported(step, [s for s in before if s not in asked])
                removed["ask_clarifying_question"] += 1
    assert set(removed) == {"query_guideline", "check_ncci_edits", "ask_clarifying_question"}


@pytest.mark.parametrize("agent", WRITTEN)
def test_what_stands_in_quotation_marks_was_read_before_word_for_word(agent: str) -> None:
    for one in (*tasks()[:80], *documented()):
        episode = played(one, agent)
        for at, step in enumerate(episode.steps):
            text = known(episode, at)
            for words in grounds(step):
                assert words in text, (one.case.id, at, words)


def test_a_reason_of_the_expert_names_no_code_that_it_could_not_have_read() -> None:
    for one in tasks():
        episode = played(one, "expert")
        for at, step in enumerate(episode.steps):
            read = {fold(code) for code in CODE.findall(known(episode, at))}
            told = {fold(code) for code in CODE.findall(step.rationale or "")}
            assert told <= read, (one.case.id, at, told - read)


@pytest.mark.parametrize("agent", WRITTEN)
def test_no_bracket_is_left_open_in_what_is_quoted(agent: str) -> None:
    for one in (*tasks(), *documented()):
        for step in played(one, agent).steps:
            for words in (*grounds(step), step.action.get("evidence_text") or ""):
                assert not lonely_brackets(words), (one.case.id, words)


def test_the_justification_cites_what_was_read_and_the_reason_the_same_words() -> None:
    cited = 0
    for one in tasks():
        episode = played(one, "expert")
        for at, step in flags(episode):
            for words in QUOTED.findall(step.action["justification"]):
                assert words in known(episode, at), (one.case.id, words)
                assert words[:150] in (step.rationale or "")
                cited += 1
    assert cited > 20


def test_of_two_lines_of_a_note_that_name_a_code_both_cite_the_same() -> None:
    one = find_task("audit", seed=7, index=17)
    episode = rollout(one, "expert", 0)
    (step,) = (step for _, step in flags(episode) if step.action["code"] == "N87.0")
    words = "dysplasia (mild) (moderate) of cervix uteri (histologically confirmed) (N87.-)"
    assert f'"{words}"' in step.action["justification"]
    assert f'"{words}"' in (step.rationale or "")


@pytest.mark.parametrize("agent", WRITTEN)
def test_before_it_is_looked_up_a_code_is_what_the_claim_calls_it(agent: str) -> None:
    """It may be a code of something else, or none."""
    count = 0
    for one in tasks():
        titles = {line.code: line.description for line in one.case.claim}
        for step in played(one, agent).steps:
            why = step.rationale or ""
            if step.action["action_type"] != "query_guideline":
                continue
            title = titles[step.action["code"]]
            before, _, behind = why.partition(title)
            assert behind, (one.case.id, why)
            own = before.rpartition(". ")[2] + behind.partition(". ")[0]
            assert re.search(r"\bclaim|described there as|billed as", own), why
            count += 1
    assert count > 500


@pytest.mark.parametrize("agent", WRITTEN)
def test_a_reason_never_speaks_of_an_answer_key(agent: str) -> None:
    for one in (*tasks(), *documented()):
        for step in played(one, agent).steps:
            plain = QUOTED.sub("", step.rationale or "")
            assert not FORBIDDEN.search(plain), plain


def test_each_flag_of_the_expert_names_its_authority() -> None:
    for one in (*tasks(), *documented()):
        for _, step in flags(played(one, "expert")):
            wanted = AUTHORITY[step.action["error_type"]] + "|[Rr]ule of this task|own rule"
            assert re.search(wanted, step.rationale or ""), step.rationale


def test_a_flag_tells_the_code_its_words_of_the_note_and_the_proposal() -> None:
    quoting = total = 0
    for one in tasks():
        note = one.case.note
        for _, step in flags(played(one, "expert")):
            assert step.action["code"] in step.rationale or "column" in step.rationale
            total += 1
            said = SAID.search(step.rationale) is not None
            quoting += said or any(words in note for words in grounds(step))
    assert quoting >= 0.98 * total


def test_of_a_trimester_that_differs_both_are_told() -> None:
    """Reported: "second trimester ... that differs", and not from what."""
    told = differing(
        "detail", "Diseases complicating pregnancy, second trimester", "28 weeks 2 days"
    )
    assert "says second trimester" in told
    assert "28 weeks lie in the third one, from 28 weeks 0 days on" in told
    assert "the second one" in differing("detail", "first trimester", "at 14 weeks 0 days")
    assert "the first one" in differing("detail", "third trimester", "13 weeks 6 days")


def test_few_turns_share_their_text_with_another_case() -> None:
    cases: dict[str, set[str]] = defaultdict(set)
    turns: list[str] = []
    for one in tasks():
        for step in played(one, "expert").steps:
            cases[step.rationale or ""].add(one.case.id)
            turns.append(step.rationale or "")
    shared = sum(len(cases[text]) > 1 for text in turns)
    assert shared <= 0.02 * len(turns)


def test_a_clean_claim_is_handed_in_with_what_was_looked_up() -> None:
    clean = [one for one in tasks() if not one.case.findings]
    assert len(clean) > 5
    for one in clean:
        if len(one.case.claim) >= one.case.max_steps:
            continue  # the last step goes to the last look
        last = played(one, "expert").steps[-1]
        for line in one.case.claim:
            assert line.code in (last.rationale or "")


def test_a_line_that_looks_wrong_is_told_to_stand_only_if_it_is_not_flagged() -> None:
    for one in tasks():
        episode = played(one, "expert")
        flagged = {step.action["code"] for _, step in flags(episode)}
        told = episode.steps[-1].rationale or ""
        for code in re.findall(r"(\S+) stays\b", told):
            assert code not in flagged


def test_forms_are_chosen_by_case_and_step() -> None:
    openings = Counter(
        " ".join((step.rationale or "").split()[:2])
        for one in tasks()[:60]
        for step in played(one, "expert").steps
    )
    assert len(openings) > 40
    again = rollout(task(3), "expert", 9)
    assert [step.rationale for step in again.steps] == [
        step.rationale for step in played(task(3), "expert").steps
    ]
