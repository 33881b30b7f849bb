"""What the tool for guidelines tells is what the tables hold, and tells of no finding."""

from __future__ import annotations

import random
import re
import time
from dataclasses import replace
from itertools import combinations

import pytest

from casegen.env.audit.tools.guideline import guideline_text
from casegen.env.audit.tools.ncci import ncci_text
from casegen.knowledge import reference
from casegen.schemas import Case, ClaimLine
from casegen.schemas.case import ClaimType, ErrorType, Setting
from casegen.schemas.pack import Task
from casegen.seeds.icd10cm.codes import canonical

FORBIDDEN = re.compile(
    "demographic_mismatch|excludes1_conflict|ncci_edit|specificity_error|untraceable_code"
    r"|\bflag|\berrors?\b|should be",
    re.IGNORECASE,
)


def line(number: int, code: str, system: str | None = None) -> ClaimLine:
    system = system or ("CPT" if code[:4].isdigit() else "ICD-10-CM")
    return ClaimLine(number, code, system, "any", [], 1)  # type: ignore[arg-type]


def task(
    case: Case,
    *codes: str | ClaimLine,
    on: str = "2026-05-02",
    setting: Setting = "office",
    claim_type: ClaimType = "professional",
    own: dict[str, str] | None = None,
) -> Task:
    claim = [
        line(at, code) if isinstance(code, str) else replace(code, line=at)
        for at, code in enumerate(codes, 1)
    ]
    encounter = replace(case.encounter, service_date=on, setting=setting, claim_type=claim_type)
    case = replace(case, claim=claim, encounter=encounter)
    return Task("t", "audit", "strict", case, own_rules=own or {})


@pytest.fixture
def case(cases: tuple[Case, ...]) -> Case:
    return cases[0]


def text_of(one: Task, at: int = 1) -> str:
    return guideline_text(one, one.case.claim[at - 1])


def test_a_valid_code_is_told_with_title_dates_and_notes(case: Case) -> None:
    text = text_of(task(case, "J44.1"))
    for words in (
        "J44.1  Chronic obstructive pulmonary disease with (acute) exacerbation",
        "a complete (billable) code, valid on 2026-05-02 (date of service)",
        "Valid since 2015-10-01 or before.",
        "Excludes2, at J44:",
        "Excludes1, at block J40-J4A:\n  bronchitis due to chemicals, gases",
        "Code also, at J44:\n  type of asthma, if applicable (J45.-)",
    ):
        assert words in text


def test_copd_and_asthma_are_tied_by_code_also_and_not_by_excludes1(case: Case) -> None:
    one = task(case, "J44.1", "J45.20")
    assert "type of asthma, if applicable (J45.-)  [names J45.20 on this claim]" in text_of(one)
    assert "J44.1, Code also, at J44:" in text_of(one, 2)
    for text in (text_of(one), text_of(one, 2)):
        assert "its words reach" not in text
        assert "unrelated" not in text


def test_an_excludes1_note_is_told_at_both_codes(case: Case) -> None:
    one = task(case, "E10.9", "E11.9")
    note = "type 2 diabetes mellitus (E11.-)"
    assert f"  {note}  [names E11.9 on this claim: its words reach the code]" in text_of(one)
    assert f'  E10.9, Excludes1, at E10: "{note}": its words reach the code' in text_of(one, 2)
    assert "may stand where the two are unrelated (guideline I.A.12.a)" in text_of(one)


@pytest.mark.parametrize(
    ("other", "reach"),
    [("K57.31", "its words reach the code"), ("K57.30", "its words do not reach the code")],
)
def test_the_words_of_a_note_decide_how_far_it_reaches(other: str, reach: str, case: Case) -> None:
    note = "diverticular disease with hemorrhage (K57.-)"
    one = task(case, "K92.2", other)
    assert f"{note}  [names {other} on this claim: {reach}]" in text_of(one)
    assert f'K92.2, Excludes1, its own: "{note}": {reach}' in text_of(one, 2)


def test_an_excludes2_note_lets_both_stand(case: Case) -> None:
    assert "[names S52.501A on this claim: both may be coded]" in text_of(
        task(case, "I10", "S52.501A")
    )


def test_codes_that_no_note_ties_are_said_to_be_free(case: Case) -> None:
    assert "note ties it to another code of this claim" in text_of(task(case, "I10", "J45.20"))


def test_sides_and_seventh_characters_are_told_with_their_codes(case: Case) -> None:
    text = text_of(task(case, "S52.501A"))
    assert "Side: right; other sides: left S52.502A, unspecified S52.509A." in text
    assert "  A  initial encounter for closed fracture: S52.501A  (this code)" in text
    assert "  D  subsequent encounter for closed fracture with routine healing: S52.501D\n" in text


def test_an_incomplete_code_shows_what_completes_it(case: Case) -> None:
    text = text_of(task(case, "W19.A"))
    assert "not complete, and so not billable" in text
    assert "Complete form, with placeholders X: W19.XXXA  Unspecified fall, initial enc" in text
    text = text_of(task(case, "S52.501"))
    assert "it takes a seventh character" in text
    assert "D  subsequent encounter for closed fracture with routine healing: S52.501D" in text
    text = text_of(task(case, "E11"))
    assert "it divides further" in text
    assert "  E11.9  Type 2 diabetes mellitus without complications" in text


@pytest.mark.parametrize(
    ("code", "last", "below"),
    [("N18.3", "2020-09-30", ("N18.30", "N18.31", "N18.32")),
     ("M54.5", "2021-09-30", ("M54.50", "M54.51", "M54.59"))],
)  # fmt: skip
def test_a_retired_code_tells_its_dates_and_what_it_divides_into(
    code: str, last: str, below: tuple[str, ...], case: Case
) -> None:
    text = text_of(task(case, code))
    assert f"retired; last valid on {last}, not on 2026-05-02" in text
    assert f"Valid from 2015-10-01 or before to {last}." in text
    assert all(f"\n  {one}  " in text for one in below)
    assert f"valid on {last} (date of service)" in text_of(task(case, code, on=last))


def test_a_code_of_no_release_is_told_as_such(case: Case) -> None:
    text = text_of(task(case, "Z99.999"))
    assert "No release of ICD-10-CM from 2015-10-01 to 2027-03-31 holds Z99.999" in text
    assert "Z99 (Dependence on enabling machines and devices" in text


def test_the_table_decides_the_code_system_and_not_the_shape(case: Case) -> None:
    text = text_of(task(case, line(1, "E0601", "ICD-10-CM")))
    assert "No release of ICD-10-CM" in text
    assert "E0601 has the form of HCPCS codes" in text
    text = text_of(task(case, line(1, "99213", "ICD-10-CM")))
    assert "CPT has a code 99213: Established patient office visit" in text
    text = text_of(task(case, line(1, "J45.20", "CPT")))
    assert "ICD-10-CM has a code J45.20: Mild intermittent asthma, uncomplicated." in text


def test_the_sex_of_a_code_is_told_by_its_meaning_and_by_dated_edits(case: Case) -> None:
    text = text_of(task(case, "O80"))
    assert "Sex, by meaning: female patients (chapter 15, Pregnancy" in text
    assert "diagnosis of female patients: listed to 2024-09-30, not on this date" in text
    assert "maternity diagnosis (ages 9 to 64 on admission): listed throughout, on this d" in text
    assert "binds inpatient facility claims; this is a professional claim" in text
    inside = text_of(task(case, "O80", setting="inpatient", claim_type="facility"))
    assert "binds inpatient facility claims; this is one" in inside
    assert "(date of discharge)" in inside


def test_ages_are_told(case: Case) -> None:
    assert "Age, by meaning: 0 to 17 years" in text_of(task(case, "Z00.129"))
    assert "days 0 to 7 of life" in text_of(task(case, "Z00.110"))
    assert "Age, by meaning: 40 to 64 years" in text_of(task(case, "99396"))


def test_years_that_only_the_code_editor_tells_are_told_as_such(case: Case) -> None:
    bound = "; years of the Medicare Code Editor's age group"
    told = f"from 15 years on (H25, Age-related cataract{bound} adult)."
    assert told in text_of(task(case, "H25.13"))
    assert f"{bound} newborn)." in text_of(task(case, "Z38.00"))
    assert f"{bound} pediatric)." in text_of(task(case, "Z00.129"))
    assert "from 20 years on (Z68.2, Body mass index [BMI] 20-29, adult)." in text_of(
        task(case, "Z68.25")
    )


def test_of_a_chapters_excludes2_notes_only_those_are_told_that_name_a_code_of_the_claim(
    case: Case,
) -> None:
    alone = text_of(task(case, "J44.1", "Z87.891"))
    assert "\n9 Excludes2 notes at chapter 10 name no code of this claim." in alone
    assert "Excludes2, at chapter 10" not in alone
    assert "Excludes2, at J44:\n  bronchiectasis" in alone
    both = text_of(task(case, "J44.1", "D05.92"))
    assert (
        "\nExcludes2, at chapter 10:\n"
        "  neoplasms (C00-D49)  [names D05.92 on this claim: both may be coded]\n"
        "8 more Excludes2 notes at chapter 10 name no code of this claim." in both
    )


def test_the_nearest_code_of_the_list_is_told_without_praise(case: Case) -> None:
    text = text_of(task(case, "N62.9"))
    assert "The list has N62 (Hypertrophy of breast), which divides no further." in text
    assert "complete" not in text


def test_a_service_is_told_with_settings_limits_and_pairs_on_the_claim(case: Case) -> None:
    one = task(case, "93306", "93307", "99213")
    text = text_of(one)
    assert "93306  Echocardiogram through the chest, complete, with Doppler" in text
    assert "column 2 of 2 among the services that casegen lists." in text
    assert "office" not in text
    assert "at most 1 units a day (NCCI 2024Q3" in text
    assert text.endswith("  column 1 93306, column 2 93307, modifier indicator 0")
    assert text_of(one, 3).endswith("With other codes of this claim:\n  none")


def test_a_retired_service_tells_when_it_ended(case: Case) -> None:
    assert "retired; no longer valid from 2019-01-01 on" in text_of(task(case, "11100"))


def test_the_rule_of_a_task_stands_first(case: Case) -> None:
    own = {"J44.1": "Here COPD and asthma exclude each other.", "J45.20|Z87.891": "Pair rule."}
    codes = ("J44.1", "J45.20", "Z87.891")
    one, plain = task(case, *codes, own=own), task(case, *codes)
    assert text_of(one) == (
        f"Rule of this task:\n{own['J44.1']}\n\nOfficial tables:\n{text_of(plain)}"
    )
    assert text_of(one, 2).startswith("Rule of this task:\nPair rule.")
    assert text_of(task(case, "I10", own=own)) == text_of(task(case, "I10"))


def texts(one: Task) -> list[str]:
    """All that the tools tell of a claim."""
    claim = one.case.claim
    found = [guideline_text(one, line) for line in claim]
    return found + [ncci_text(one, a, b)[0] for a, b in combinations(claim, 2)]


def test_the_answer_of_a_case_changes_no_text(cases: tuple[Case, ...]) -> None:
    others = cases[1:] + cases[:1]
    for case, other in zip(cases[:80], others, strict=False):
        swapped = replace(
            case, findings=other.findings, decoys=other.decoys, record=other.record,
            questions=other.questions, id=other.id, conditions=[], structural_key="x",
            difficulty=other.difficulty,
        )  # fmt: skip
        assert texts(Task("t", "audit", "strict", case)) == texts(
            Task("u", "audit", "seed", swapped)
        )


def official_words() -> list[str]:
    """Titles and notes that hold one of the words themselves, such as "inborn errors"."""
    tables, _ = reference()
    words = [title for title in tables.store.titles if FORBIDDEN.search(title)]
    words += [
        note[1] for notes in tables.store.notes.values() for note in notes
        if FORBIDDEN.search(note[1])
    ]  # fmt: skip
    return sorted(words, key=len, reverse=True)


def test_no_text_judges_or_names_a_type_of_finding(cases: tuple[Case, ...]) -> None:
    quoted = official_words()
    assert len(cases) >= 300
    for case in cases:
        for text in texts(Task("t", "audit", "strict", case)):
            if FORBIDDEN.search(text):
                for words in quoted:
                    text = text.replace(words, "")
            assert not FORBIDDEN.search(text), text


def test_every_excludes1_finding_is_told_at_both_codes(cases: tuple[Case, ...]) -> None:
    checked = 0
    for case in cases:
        one = Task("t", "audit", "strict", case)
        for finding in case.findings:
            if finding.error_type != "excludes1_conflict":
                continue
            pair = {finding.code, finding.related_code or ""}
            for at in (at for at in case.claim if at.code in pair):
                (other,) = pair - {at.code}
                text = guideline_text(one, at)
                note = finding.authority.reference.partition('"')[2].removesuffix('"')
                assert note[:300] in text
                assert f"names {canonical(other)} on" in text or f"  {canonical(other)}, Ex" in text
                assert "its words reach the code" in text
            checked += 1
    assert checked > 20


KINDS: dict[ErrorType, dict[str, str]] = {
    "untraceable_code": {
        "never_existed": "No release of|has the form of|holds only some|No .* code has the form",
        "retired": "retired;",
        "not_yet_valid": "not yet valid on",
        "other_system": "No release of|has no code",
    },
    "specificity_error": {"incomplete": "not complete, and so not billable"},
    "demographic_mismatch": {"sex": "Sex, by meaning|sex conflict", "age": "Age, by|age conflict"},
}


def test_what_a_finding_rests_on_in_the_tables_is_told(cases: tuple[Case, ...]) -> None:
    checked = 0
    for case in cases:
        one = Task("t", "audit", "strict", case)
        for finding in case.findings:
            wanted = KINDS.get(finding.error_type, {}).get(finding.kind)
            if wanted is not None:
                text = guideline_text(one, case.claim[finding.line - 1])
                assert re.search(wanted, text), (finding.kind, text)
                checked += 1
    assert checked > 50


def test_a_text_is_short_enough_to_read(cases: tuple[Case, ...]) -> None:
    for case in cases:
        for text in texts(Task("t", "audit", "strict", case)):
            assert len(text) < 14_000


def test_a_text_that_was_told_before_costs_little(cases: tuple[Case, ...]) -> None:
    tasks = [Task("t", "audit", "strict", case) for case in cases[:50]]
    asked = [(one, line) for one in tasks for line in one.case.claim]
    random.Random(1).shuffle(asked)
    for one, line in asked:
        guideline_text(one, line)
    best = min(_seconds(asked) for _ in range(5)) / len(asked)
    # Some 3 µs where the machine is idle; a text that is put together anew takes 100 and more.
    assert best < 50e-6


def _seconds(asked: list[tuple[Task, ClaimLine]]) -> float:
    begin = time.perf_counter()
    for one, line in asked:
        guideline_text(one, line)
    return time.perf_counter() - begin
