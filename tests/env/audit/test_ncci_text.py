"""What the tool for NCCI pairs tells is what the tables hold."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from casegen.env.audit.tools.ncci import ncci_text
from casegen.schemas import Case, ClaimLine
from casegen.schemas.case import ClaimType
from casegen.schemas.pack import Task
from casegen.seeds.services import Services


def line(number: int, code: str, *modifiers: str) -> ClaimLine:
    system = "CPT" if code[:4].isdigit() else "ICD-10-CM"
    return ClaimLine(number, code, system, "any", list(modifiers), 1)  # type: ignore[arg-type]


def told(
    case: Case,
    one: ClaimLine,
    other: ClaimLine,
    on: str = "2026-05-02",
    claim_type: ClaimType = "professional",
    own: dict[str, str] | None = None,
) -> tuple[str, bool]:
    encounter = replace(
        case.encounter, service_date=on, claim_type=claim_type, setting="office",
        admission_date=None,
    )  # fmt: skip
    case = replace(case, claim=[one, other], encounter=encounter)
    return ncci_text(Task("t", "audit", "strict", case, own_rules=own or {}), one, other)


@pytest.fixture
def case(cases: tuple[Case, ...]) -> Case:
    return cases[0]


@pytest.mark.parametrize(
    ("column1", "column2", "indicator"),
    [("93306", "93307", 0), ("93306", "93308", 1), ("45385", "45380", 1), ("20610", "99213", 1)],
)
def test_a_pair_tells_direction_indicator_and_quarter(
    column1: str, column2: str, indicator: int, case: Case
) -> None:
    for a, b in ((column1, column2), (column2, column1)):
        text, found = told(case, line(1, a), line(2, b))
        assert found
        assert f"column 1: {column1}\n" in text
        assert f"column 2: {column2}, the one that is denied" in text
        assert f"modifier indicator {indicator}: " in text
        assert "NCCI 2024Q3" in text
        assert "current" not in text


def test_indicator_0_lets_no_modifier_allow_both_and_1_may(case: Case) -> None:
    assert "no modifier allows both" in told(case, line(1, "93306"), line(2, "93307"))[0]
    assert "a modifier allows both where" in told(case, line(1, "45385"), line(2, "45380"))[0]


def test_services_without_a_pair_have_none(case: Case) -> None:
    text, found = told(case, line(1, "93306"), line(2, "99213"))
    assert not found
    assert "hold no pair of the two" in text


def test_a_deleted_pair_binds_to_its_last_day_only(case: Case) -> None:
    pair = line(1, "97140"), line(2, "97164")  # indicator 1, deleted on 2019-12-31
    text, found = told(case, *pair)
    assert not found
    assert "deleted, in force to 2019-12-31, which is before 2026-05-02" in text
    assert "None of these binds services of 2026-05-02." in text
    assert told(case, *pair, on="2019-12-31")[1]


def test_a_pair_of_indicator_9_never_bound(case: Case) -> None:
    text, found = told(case, line(1, "97161"), line(2, "97140"))
    assert not found
    assert "withdrawn, deletion dated 2020-10-01; it never was in force" in text
    assert not told(case, line(1, "97161"), line(2, "97140"), on="2019-06-01")[1]


def test_the_modifiers_on_both_lines_are_told(case: Case) -> None:
    text, _ = told(case, line(1, "45385"), line(2, "45380", "59"))
    assert "Modifiers on 45385: none." in text
    assert "Modifiers on 45380: 59.\n  59: an NCCI-associated modifier" in text
    text, _ = told(case, line(1, "20610", "25", "GA"), line(2, "99213", "25"))
    assert "25: NCCI-associated on evaluation and management codes, which 20610 is not" in text
    assert "GA: none of the NCCI-associated modifiers" in text
    assert text.endswith("Modifiers on 99213: 25.\n  25: an NCCI-associated modifier")


def test_a_facility_claim_is_told_that_practitioner_pairs_do_not_bind_it(case: Case) -> None:
    pair = line(1, "93306"), line(2, "93307")
    assert (
        "bind professional claims; this is a facility claim."
        in told(case, *pair, claim_type="facility")[0]
    )
    assert "bind professional claims; this is one." in told(case, *pair)[0]


def test_a_visit_in_column_2_is_freed_by_modifier_25_and_not_by_59(case: Case) -> None:
    text, _ = told(case, line(1, "20610"), line(2, "99213"))
    assert "99213 takes modifier 25, as evaluation and management codes do" in text
    assert "59 and XE, XP, XS, XU are not for evaluation and management codes" in text
    assert "takes modifier 25" not in told(case, line(1, "45385"), line(2, "45380"))[0]
    assert "takes modifier 25" not in told(case, line(1, "99203"), line(2, "92012"))[0]  # 0


def test_an_edit_that_a_modifier_may_lift_names_all_modifiers_that_may_and_prefers_none(
    case: Case,
) -> None:
    pair = line(1, "45385"), line(2, "45380", "59")
    told_lines = told(case, *pair)[0].splitlines()
    (lifting,) = (one for one in told_lines if one.startswith("Modifiers that may lift it: "))
    listed = re.findall(r"\b[0-9A-Z]{2}\b", lifting.partition(" (")[0])
    assert set(listed) == Services.associated_modifiers()
    assert listed == sorted(listed)
    for one, other in (("93306", "93307"), ("93306", "99213"), ("97140", "97164")):
        assert "Modifiers that may lift it" not in told(case, line(1, one), line(2, other))[0]


def test_diagnoses_form_no_ncci_pair(case: Case) -> None:
    text, found = told(case, line(1, "E10.9"), line(2, "E11.9"))
    assert not found
    assert "pair CPT and HCPCS codes" in text
    assert "E10.9 stands on this claim as an ICD-10-CM diagnosis code." in text
    assert "Excludes" not in text
    assert not told(case, line(1, "E10.9"), line(2, "99213"))[1]


def test_a_service_outside_the_list_is_not_said_to_be_free_of_pairs(case: Case) -> None:
    text, found = told(case, line(1, "99999"), line(2, "99213"))
    assert not found
    assert "without 99999" in text


def test_the_rule_of_a_task_stands_first_for_either_order(case: Case) -> None:
    own = {"93306|93307": "The set of this task calls the pair bundled."}
    for a, b in (("93306", "93307"), ("93307", "93306")):
        text, found = told(case, line(1, a), line(2, b), own=own)
        official, _ = told(case, line(1, a), line(2, b))
        assert text == f"Rule of this task:\n{own['93306|93307']}\n\nOfficial tables:\n{official}"
        assert found
    text, found = told(case, line(1, "93306"), line(2, "93308"), own=own)
    assert "Rule of this task" not in text


def test_every_pair_of_every_case_is_found_as_the_findings_say(cases: tuple[Case, ...]) -> None:
    """The text and its findings come from the same tables by different ways."""
    checked = 0
    for case in cases:
        for finding in case.findings:
            if finding.error_type != "ncci_edit":
                continue
            lines = [one for one in case.claim if one.code in (finding.code, finding.related_code)]
            text, found = ncci_text(Task("t", "audit", "strict", case), lines[0], lines[1])
            told_pair = re.search(
                r"column 1 (\w+), column 2 (\w+), indicator (\d)", finding.authority.reference
            )
            assert told_pair is not None
            assert found
            assert f"column 1: {told_pair[1]}\n  column 2: {told_pair[2]}," in text
            assert f"modifier indicator {told_pair[3]}:" in text
            checked += 1
    assert checked > 10
