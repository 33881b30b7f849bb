"""The five documented tasks: their values, and what the official tables say to them."""

from __future__ import annotations

import re
from datetime import date

import pytest

from casegen.certify import view_of
from casegen.checker import check
from casegen.conform import conform
from casegen.env.audit.tools.physician import answer
from casegen.env.packs import pack
from casegen.knowledge import reference
from casegen.schemas.case import Case
from casegen.schemas.pack import Task

# As the document has them: difficulty, age, sex, codes, answers and step limit.
DOCUMENTED = {
    "easy_demographic": (
        "easy",
        (34, "male"),
        {"O80", "E11.9", "Z00.00"},
        {"O80": "demographic_mismatch"},
        10,
    ),
    "medium_ncci_conflict": (
        "medium",
        (67, "female"),
        {"93306", "93307", "99213"},
        {"93306": "ncci_edit"},
        15,
    ),
    "medium_excludes1": (
        "medium",
        (58, "female"),
        {"J44.1", "J45.20", "Z87.891"},
        {"J44.1": "excludes1_conflict"},
        15,
    ),
    "hard_specificity_untraceable": (
        "hard",
        (28, "male"),
        {"S52.501A", "Z99.999"},
        {"S52.501A": "specificity_error", "Z99.999": "untraceable_code"},
        20,
    ),
    "expert_multi_error": (
        "expert",
        (65, "male"),
        {"E10.9", "E11.9", "93306", "93308", "99214", "M79.621"},
        {"E10.9": "excludes1_conflict", "93306": "ncci_edit"},
        25,
    ),
}
# The traps: right codes that must not be flagged.
VALID = {
    "easy_demographic": ("E11.9", "Z00.00"),
    "medium_ncci_conflict": ("99213",),
    "medium_excludes1": ("Z87.891",),
    "hard_specificity_untraceable": (),
    "expert_multi_error": ("99214", "M79.621"),
}
EVERY = pytest.mark.parametrize("task_id", DOCUMENTED)


def task(task_id: str) -> Task:
    return pack("audit-seed-v1").task_by_id(task_id)


def age(case: Case) -> int:
    born = date.fromisoformat(case.patient.birth_date)
    seen = date.fromisoformat(case.encounter.service_date)
    return seen.year - born.year - ((seen.month, seen.day) < (born.month, born.day))


def test_the_pack_holds_the_five_tasks_in_their_order_with_the_dense_rewards() -> None:
    found = pack("audit-seed-v1")
    assert [one.id for one in found] == list(DOCUMENTED)
    assert {(one.profile, one.family, one.pack) for one in found} == {
        ("seed", "audit", "audit-seed-v1")
    }


@EVERY
def test_a_task_has_the_documented_values(task_id: str) -> None:
    difficulty, patient, codes, answers, steps = DOCUMENTED[task_id]
    case = task(task_id).case
    assert case.difficulty == difficulty
    assert (age(case), case.patient.sex) == patient
    assert {line.code for line in case.claim} == codes
    assert len(case.claim) == len(codes)
    assert {f.code: f.error_type for f in case.findings} == answers
    assert case.max_steps == steps


@EVERY
def test_a_claim_names_the_system_of_each_code_and_describes_it_as_the_tables_do(
    task_id: str,
) -> None:
    tables, services = reference()
    case = task(task_id).case
    for line in case.claim:
        if line.system == "CPT":
            service = services.get(line.code)
            assert service is not None and service.label == line.description
        elif line.code != "Z99.999":
            assert tables.status(line.code, case.encounter.service_date) == "valid"
            assert tables.title(line.code) == line.description


def test_the_code_that_does_not_exist_has_the_description_of_a_near_one() -> None:
    tables, _ = reference()
    case = task("hard_specificity_untraceable").case
    assert not tables.exists("Z99.999")
    described = {line.code: line.description for line in case.claim}
    assert described["Z99.999"] == tables.title("Z99.89")


@EVERY
def test_the_valid_traps_are_on_the_claim_and_in_no_finding(task_id: str) -> None:
    case = task(task_id).case
    named = {code for finding in case.findings for code in finding.accepted_codes}
    for code in VALID[task_id]:
        assert code in {line.code for line in case.claim}
        assert code not in named
        assert code in {decoy.code for decoy in case.decoys}


def test_either_member_of_a_pair_is_accepted() -> None:
    accepted = {
        tuple(finding.accepted_codes)
        for task_id in DOCUMENTED
        for finding in task(task_id).case.findings
        if finding.related_code
    }
    assert accepted == {
        ("93306", "93307"),
        ("J44.1", "J45.20"),
        ("E10.9", "E11.9"),
        ("93306", "93308"),
    }


def test_the_corrections_are_right_by_the_official_rules() -> None:
    found = {
        finding.code + " of " + task_id: (finding.correction.code, finding.correction.replacement)
        for task_id in DOCUMENTED
        for finding in task(task_id).case.findings
    }
    assert found == {
        "O80 of easy_demographic": ("O80", None),
        "93306 of medium_ncci_conflict": ("93307", None),
        "J44.1 of medium_excludes1": ("J45.20", None),
        "S52.501A of hard_specificity_untraceable": ("S52.501A", "S52.501D"),
        "Z99.999 of hard_specificity_untraceable": ("Z99.999", None),
        "E10.9 of expert_multi_error": ("E10.9", None),
        "93306 of expert_multi_error": ("93308", None),
    }


@EVERY
def test_the_checker_finds_the_documented_errors_from_the_record(task_id: str) -> None:
    """It knows no document. J44.1 beside J45.20 alone is an error by the document only: there
    the checker says that the record does not support J45.20."""
    case = task(task_id).case
    report = check(view_of(case), *reference())
    told = {(v.error_type, v.correction.code, v.correction.replacement) for v in report.verdicts}
    ours = {(f.error_type, f.correction.code, f.correction.replacement) for f in case.findings}
    if task_id == "medium_excludes1":
        assert told == set()
        assert [(r.kind, r.code) for r in report.reviews] == [("unsupported", "J45.20")]
    else:
        assert told == ours
        for verdict in report.verdicts:
            assert any(verdict.code in f.accepted_codes for f in case.findings)
            assert any(verdict.authority == f.authority for f in case.findings)


@EVERY
def test_the_words_of_a_record_are_read_by_the_tables(task_id: str) -> None:
    report = check(view_of(task(task_id).case), *reference())
    assert [told for told in report.unjudged if told.startswith('"')] == []


@EVERY
def test_each_span_stands_verbatim_in_the_note(task_id: str) -> None:
    case = task(task_id).case
    spans = [span for finding in case.findings for span in finding.evidence]
    assert all(finding.evidence for finding in case.findings)
    spans += [span for fact in case.record for span in fact.spans]
    spans += [span for decoy in case.decoys for span in decoy.evidence]
    for span in spans:
        assert case.note[span.start : span.end] == span.text


@EVERY
def test_a_note_is_as_long_as_a_short_visit_note_and_names_its_patient(task_id: str) -> None:
    case = task(task_id).case
    assert 150 <= len(case.note.split()) <= 350
    for told in (case.patient.mrn, case.patient.insurance, case.encounter.service_date):
        assert told in case.note
    for name in case.patient.name.split():
        assert name in case.note
    assert "2026-04-01" <= case.encounter.service_date <= "2026-09-30"
    assert f"{age(case)}-year-old" in case.note


@EVERY
def test_a_note_says_nothing_of_codes_or_findings(task_id: str) -> None:
    case = task(task_id).case
    for line in case.claim:
        assert line.code not in case.note
    assert not re.search(r"(?i)excludes|ncci|icd|cpt|seventh|coding|claim", case.note)


@EVERY
def test_a_task_has_questions_that_the_physician_can_settle(task_id: str) -> None:
    case = task(task_id).case
    facts = {fact.id for fact in case.record}
    assert len(case.questions) >= 2
    assert len({question.topic for question in case.questions}) == len(case.questions)
    for question in case.questions:
        assert question.fact in facts
        assert question.keywords


@EVERY
def test_a_finding_explains_itself_and_names_its_terms(task_id: str) -> None:
    for finding in task(task_id).case.findings:
        assert finding.code in finding.explanation
        assert any(term.casefold() in finding.explanation.casefold() for term in finding.key_terms)


@EVERY
def test_a_task_is_of_the_form_of_a_case(task_id: str) -> None:
    conform(task(task_id).case)


def test_where_the_tables_disagree_the_task_states_its_own_rule_and_says_so() -> None:
    tables, services = reference()
    own = {task_id: set(task(task_id).own_rules) for task_id in DOCUMENTED}
    assert own == {
        "easy_demographic": {"O80"},
        "medium_ncci_conflict": {"93306|93307"},
        "medium_excludes1": {"J44.1|J45.20"},
        "hard_specificity_untraceable": set(),
        "expert_multi_error": {"93306|93308"},
    }
    for one in DOCUMENTED:
        assert task(one).reference_note
    # The reasons that the notes give.
    for column2, indicator in (("93307", 0), ("93308", 1)):
        edit = services.pair("93306", column2, "2026-05-01")
        assert edit is not None
        assert (edit.column1, edit.column2, edit.indicator) == ("93306", column2, indicator)
    label = services.get("93307")
    assert label is not None and "complete, without Doppler" in label.label
    assert tables.excludes1("J44.1", "J45.20") == ()
    assert tables.excludes1("E10.9", "E11.9") != ()
    notes = [note.text for note in tables.notes_of("J44.1") if note.kind == "code_also"]
    assert any("J45.-" in text for text in notes)


def test_a_rule_of_a_task_speaks_of_codes_on_its_claim_in_the_order_of_the_text() -> None:
    for task_id in DOCUMENTED:
        one = task(task_id)
        codes = {line.code for line in one.case.claim}
        for key in one.own_rules:
            assert set(key.split("|")) <= codes
            assert key.split("|") == sorted(key.split("|"))


def test_a_routine_examination_and_the_reason_for_the_visit_are_listed_first() -> None:
    # Guideline I.C.21.c.16: Z00 may only be first-listed.
    codes = [line.code for line in task("easy_demographic").case.claim]
    assert codes == ["Z00.00", "E11.9", "O80"]
    assert task("expert_multi_error").case.claim[0].code == "M79.621"


def test_a_rule_against_the_tabular_list_says_that_it_is_one_of_the_task_alone() -> None:
    (rule,) = task("medium_excludes1").own_rules.values()
    assert "by the rule of this task alone; the official tables differ" in rule


@pytest.mark.parametrize("text", ["Which arm?", "Which wrist was it?", "Which side?"])
def test_who_asks_which_arm_was_broken_is_answered(text: str) -> None:
    assert "right radius" in answer(task("hard_specificity_untraceable"), text).text
