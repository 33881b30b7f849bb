"""Procedure-to-procedure pairs of professional claims, units, add-on codes."""

from __future__ import annotations

import itertools
from datetime import date, timedelta

import pytest

KNEE = "Unilateral primary osteoarthritis, right knee"


@pytest.mark.parametrize("lines", [("93306", "93307"), ("93307", "93306")])
def test_the_echocardiogram_without_doppler_is_denied(claim, lines):
    c = claim()
    c.did("93306")
    c.did("93307")
    for code in lines:
        c.bill(code)
    assert c.errors() == [("ncci_edit", "indicator_0", "93307", None)]
    (verdict,) = c.check().verdicts
    assert verdict.related_code == "93306"
    assert set(verdict.accepted_codes) == {"93306", "93307"}
    assert verdict.authority.edition == "NCCI 2024Q3"
    assert len(verdict.evidence) == 2
    assert c.reviews() == []


def test_indicator_0_yields_to_no_modifier(claim):
    c = claim().bill("93306").bill("93307", "59").without_record()
    assert c.errors() == [("ncci_edit", "indicator_0", "93307", None)]


def test_the_limited_echocardiogram_can_be_a_separate_service(claim):
    c = claim()
    one, two = c.did("93306"), c.did("93308")
    c.bill("93306").bill("93308")
    assert c.errors() == [("ncci_edit", "bundled", "93308", None)]
    c.relation("separate", one, two)
    assert c.errors() == [("ncci_edit", "missing_modifier", "93308", "59")]
    c.lines[1].modifiers.append("59")
    assert c.clean()


@pytest.mark.parametrize("modifier", ["59", "XS", "XE", "XP", "XU"])
@pytest.mark.parametrize("on_line", [0, 1])
def test_a_separate_lesion_with_a_modifier_on_either_code_is_allowed(claim, modifier, on_line):
    c = claim(setting="outpatient_surgery")
    polyp, biopsy = c.did("45385"), c.did("45380")
    c.relation("separate", polyp, biopsy)
    c.bill("45385").bill("45380")
    c.lines[on_line].modifiers.append(modifier)
    assert c.clean()


def test_the_same_lesion_is_denied_even_with_a_modifier(claim):
    c = claim(setting="outpatient_surgery")
    polyp, biopsy = c.did("45385"), c.did("45380")
    same = c.relation("same", polyp, biopsy)
    c.bill("45385").bill("45380", "59")
    assert c.errors() == [("ncci_edit", "unjustified_modifier", "45380", None)]
    assert c.evidence() == {polyp.term, biopsy.term, same.term}


def test_forgetting_what_made_the_services_separate_makes_the_modifier_unjustified(claim):
    c = claim(setting="outpatient_surgery")
    polyp, biopsy = c.did("45385"), c.did("45380")
    separate = c.relation("separate", polyp, biopsy)
    c.bill("45385").bill("45380", "XS")
    assert c.clean()
    separate.spans = []
    assert c.errors() == [("ncci_edit", "unjustified_modifier", "45380", None)]


def test_an_injection_takes_the_visit_with_it_unless_there_was_another_problem(claim):
    c = claim()
    c.has(KNEE)
    shot = c.did("20610")
    c.bill("M17.11").bill("20610").bill("99213")
    (error,) = c.errors()
    assert error == ("ncci_edit", "bundled", "99213", None)
    visit = c.did("99213")
    c.relation("separate_problem", visit, shot)
    assert c.errors() == [("ncci_edit", "missing_modifier", "99213", "25")]
    c.lines[2].modifiers.append("25")
    assert c.clean()


def test_the_decision_to_inject_does_not_justify_25(claim):
    c = claim()
    c.has(KNEE)
    shot = c.did("20610")
    decision = c.relation("decision_only", shot, service="99213")
    c.bill("M17.11").bill("20610").bill("99213", "25")
    assert c.errors() == [("ncci_edit", "unjustified_modifier", "99213", None)]
    assert c.evidence() == {shot.term, decision.term}
    assert c.reviews() == []


def test_25_does_nothing_on_a_procedure(claim):
    c = claim().bill("20610", "25").bill("99213").without_record()
    assert c.errors() == [("ncci_edit", "bundled", "99213", None)]


def test_two_visit_levels_of_one_day_are_one(claim):
    c = claim().bill("99213").bill("99214").without_record()
    assert c.errors() == [("ncci_edit", "bundled", "99213", None)]


def test_without_a_record_a_modifier_is_for_the_chart_to_justify(claim):
    c = claim().bill("45385").bill("45380", "59").without_record()
    assert c.errors() == []
    assert c.reviews() == [("ncci", "45380")]


def test_facility_claims_are_not_judged_by_practitioner_pairs(claim):
    c = claim(claim_type="facility").bill("93306").bill("93307").without_record()
    report = c.check()
    assert report.verdicts == []
    assert any("NCCI" in text for text in report.unjudged)


def test_a_deleted_pair_binds_no_later_service(claim, services):
    pair = _deleted_pair(services)
    later = (date.fromisoformat(pair.deleted) + timedelta(days=1)).isoformat()
    for day, kinds in ((pair.deleted, ["bundled"]), (later, [])):
        if day < "2015-10-01":
            continue
        c = claim(born="1970-01-01", on=day).bill(pair.column1).bill(pair.column2)
        errors = c.without_record().errors()
        assert [kind for name, kind, _, _ in errors if name == "ncci_edit"] == kinds
    c = claim(born="1970-01-01").bill(pair.column1).bill(pair.column2).without_record()
    assert "ncci_edit" not in [name for name, _, _, _ in c.errors()]


def _deleted_pair(services):
    """Two services whose only pair was once in force and is deleted."""
    for one, two in itertools.combinations(services, 2):
        rows = services.pair_any(one.code, two.code)
        if rows and all(row.deleted and row.indicator == 1 for row in rows):
            return rows[-1]
    raise LookupError("no deleted pair among our services")


def test_a_bundled_service_that_the_record_tells_of_need_not_be_billed(claim):
    c = claim()
    c.did("93306")
    c.did("93307")
    assert c.bill("93306").clean()


def test_a_relation_of_another_pair_is_no_evidence(claim):
    c = claim()
    one, two, shot = c.did("93306"), c.did("93307"), c.did("20610")
    c.relation("separate", one, shot)
    c.bill("93306").bill("93307").bill("20610")
    assert c.evidence() == {one.term, two.term}


def test_units_above_the_daily_limit_are_a_review(claim, services):
    limit = services.mue("93306")
    c = claim().bill("93306", units=limit).without_record()
    assert c.reviews() == []
    c = claim().bill("93306", units=limit + 1).without_record()
    assert c.errors() == []
    assert c.reviews() == [("mue", "93306")]


def test_an_add_on_code_needs_its_primary_service(claim):
    c = claim().bill("93325").without_record()
    assert c.errors() == []
    assert c.reviews() == [("add_on", "93325")]
    assert ("add_on", "93325") not in claim().bill("93325").bill("93308").without_record().reviews()


def test_a_service_that_the_record_rules_out_is_not_supported(claim):
    c = claim()
    fact = c.did("93306")
    c.bill("93306")
    assert c.clean()
    for status in ("ruled_out", "history"):
        fact.status = status
        assert c.errors() == []
        assert c.reviews() == [("unsupported", "93306")]


def test_a_relation_that_the_record_rules_out_justifies_nothing(claim, services):
    edit = next(
        e
        for e in services.edits("2026-05-04")
        if e.indicator == 1
        and all(services.get(x).sex is None and services.get(x).age == (0, 124)
                for x in (e.column1, e.column2))
        and not services.get(e.column2).takes_25 and not services.get(e.column1).takes_25
    )  # fmt: skip
    c = claim()
    one, two = c.did(edit.column1), c.did(edit.column2)
    relation = c.relation("separate", one, two)
    c.bill(edit.column1).bill(edit.column2, "59")
    assert c.errors() == []
    relation.status = "ruled_out"
    assert c.errors() == [("ncci_edit", "unjustified_modifier", edit.column2, None)]


def test_a_facility_claim_of_one_service_says_that_no_pairs_are_applied(claim):
    report = claim(claim_type="facility").bill("93306").without_record().check()
    assert sum("NCCI" in text and "MUE" in text for text in report.unjudged) == 1


def test_equal_lines_are_denied_once_each(claim):
    c = claim().without_record()
    for _ in range(3):
        c.bill("93306").bill("93307")
    assert [e[1:3] for e in c.errors()] == [("indicator_0", "93307")] * 3
    assert [v.line for v in c.check().verdicts] == [2, 4, 6]


def test_equal_lines_with_a_modifier_give_one_open_point(claim):
    c = claim().without_record()
    for _ in range(5):
        c.bill("45385").bill("45380", "59")
    assert c.errors() == []
    assert [r for r in c.reviews() if r[0] == "ncci"] == [("ncci", "45380")]
