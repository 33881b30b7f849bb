"""Claims from outside: what is read, what is refused, and how the report reads."""

from __future__ import annotations

import copy
import json

import pytest
from jsonschema import Draft202012Validator

from casegen.checker import check, read_claim, render_report, report_dict
from casegen.schemas import InputError
from casegen.schemas.json_schema import schema_of

GOOD = {
    "patient": {"sex": "female", "birth_date": "1961-02-03"},
    "service_date": "2026-05-04",
    "setting": "office",
    "claim_type": "professional",
    "lines": [{"code": " e11.9"}, {"code": "99213", "modifiers": ["25"], "units": 1}],
    "record": [
        {
            "id": "f1",
            "kind": "problem",
            "term": "Type 2 diabetes mellitus without complications",
            "spans": [{"start": 0, "end": 4, "text": "T2DM"}],
        }
    ],
}


def test_a_claim_is_read_with_its_defaults():
    view = read_claim(copy.deepcopy(GOOD), "claim.json")
    assert [line.code for line in view.lines] == ["E11.9", "99213"]
    assert [line.line for line in view.lines] == [1, 2]
    assert view.lines[0].units == 1 and view.lines[0].modifiers == []
    assert view.record[0].status == "active"
    assert view.admission_date is None


def test_a_claim_without_record_has_none():
    data = copy.deepcopy(GOOD)
    del data["record"]
    assert read_claim(data, "claim.json").record is None
    data["record"] = None
    assert read_claim(data, "claim.json").record is None
    data["record"] = []
    assert read_claim(data, "claim.json").record == []


def test_a_record_may_tell_of_doubt_hands_and_weeks():
    data = copy.deepcopy(GOOD)
    fact = data["record"][0]
    fact["status"] = "uncertain"
    fact["attributes"] = {"handedness": "left", "weeks_ago": "3"}
    data["record"].append({"id": "r1", "kind": "relation", "term": "due_to", "about": ["f1"]})
    view = read_claim(data, "claim.json")
    assert view.record[0].status == "uncertain"
    assert view.record[0].attributes == {"handedness": "left", "weeks_ago": "3"}


def knees(**fact):
    """A claim for the right knee beside a record that tells of the left one."""
    data = copy.deepcopy(GOOD)
    data["lines"] = [{"code": "M17.11"}]
    knee = {"kind": "problem", "term": "Unilateral primary osteoarthritis of knee"}
    data["record"] = [{**knee, "attributes": {"side": "left"}, **fact}]
    return data


def test_a_fact_of_kind_and_term_counts_without_id_and_spans(tables, services):
    report = check(read_claim(knees(), "claim.json"), tables, services)
    assert [(v.kind, v.correction.replacement) for v in report.verdicts] == [
        ("laterality", "M17.12")
    ]
    assert report.verdicts[0].evidence == [] and report.reviews == []


def test_without_an_id_two_facts_are_still_two():
    data = knees()
    data["record"] *= 3
    data["record"][2] = {**data["record"][2], "id": "record[0]"}
    facts = read_claim(data, "claim.json").record
    assert len({fact.id for fact in facts}) == 3
    assert facts[2].id == "record[0]"


def test_a_relation_names_given_ids_only():
    data = knees()
    data["record"].append({"kind": "relation", "term": "unrelated", "about": ["record[0]"]})
    with pytest.raises(InputError) as caught:
        read_claim(data, "claim.json")
    assert caught.value.field == "record[1].about[0]"


def test_the_schema_of_claims_asks_of_a_fact_what_the_reader_asks():
    data = knees()
    schema = Draft202012Validator(schema_of("claim"))
    assert schema.is_valid(data)
    assert schema.is_valid(GOOD)
    for name in ("kind", "term"):
        wrong = copy.deepcopy(data)
        del wrong["record"][0][name]
        assert not schema.is_valid(wrong)
        with pytest.raises(InputError) as caught:
            read_claim(wrong, "claim.json")
        assert str(caught.value) == f"claim.json: record[0].{name}: is missing"


CHANGES = [
    (["record", 0, "status"], "maybe", "record[0].status"),
    (["record", 0, "attributes"], {"handedness": "both"}, "record[0].attributes.handedness"),
    (["record", 0, "attributes"], {"weeks_ago": "a few"}, "record[0].attributes.weeks_ago"),
    (["patient"], "x", "patient"),
    (["patient", "sex"], "M", "patient.sex"),
    (["patient", "sex"], ["female"], "patient.sex"),
    (["patient", "birth_date"], "1961-02-30", "patient.birth_date"),
    (["patient", "birth_date"], "1961-2-3", "patient.birth_date"),
    (["patient", "birth_date"], "2026-05-05", "patient.birth_date"),
    (["patient", "birth_date"], "1899-01-01", "patient.birth_date"),
    (["patient", "birth_date"], 19610203, "patient.birth_date"),
    (["patient", "name"], "Doe", "patient.name"),
    (["service_date"], "20260504", "service_date"),
    (["service_date"], "2026-W18-1", "service_date"),
    (["service_date"], "2014-05-04", "service_date"),
    (["service_date"], "2030-05-04", "service_date"),
    (["setting"], "home", "setting"),
    (["claim_type"], None, "claim_type"),
    (["admission_date"], "2026-05-01", "admission_date"),
    (["note"], "text", "note"),
    (["lines"], [], "lines"),
    (["lines"], {"code": "E11.9"}, "lines"),
    (["lines", 1], "99213", "lines[1]"),
    (["lines", 1, "code"], "", "lines[1].code"),
    (["lines", 1, "code"], 99213, "lines[1].code"),
    (["lines", 1, "code"], "99213-25", "lines[1].code"),
    (["lines", 1, "code"], "E11..9", "lines[1].code"),
    (["lines", 1, "code"], "E11.9\u00a0", "lines[1].code"),
    (["lines", 1, "code"], "\tE11.9", "lines[1].code"),
    (["lines", 1, "code"], "\u017f72.001A", "lines[1].code"),  # upper() gives S72.001A
    (["lines", 1, "code"], "\u013110", "lines[1].code"),  # upper() gives I10
    (["lines", 1, "code"], "\uff29\uff11\uff10", "lines[1].code"),
    (["lines", 1, "modifiers"], ["x\u017f"], "lines[1].modifiers[0]"),
    (["lines", 1, "units"], 0, "lines[1].units"),
    (["lines", 1, "units"], True, "lines[1].units"),
    (["lines", 1, "units"], 1.5, "lines[1].units"),
    (["lines", 1, "modifiers"], "25", "lines[1].modifiers"),
    (["lines", 1, "modifiers"], ["25", "25"], "lines[1].modifiers[1]"),
    (["lines", 1, "modifiers"], ["253"], "lines[1].modifiers[0]"),
    (["lines", 1, "modifiers"], ["25", "59", "LT", "RT", "TC"], "lines[1].modifiers"),
    (["lines", 1, "system"], "ICD-9-CM", "lines[1].system"),
    (["lines", 1, "system"], "ICD-10-CM", "lines[1].modifiers"),
    (["lines", 1, "price"], 10, "lines[1].price"),
    (["record"], {}, "record"),
    (["record", 0, "kind"], "drug", "record[0].kind"),
    (["record", 0, "term"], " ", "record[0].term"),
    (["record", 0, "status"], "maybe", "record[0].status"),
    (["record", 0, "attributes"], {"side": "up"}, "record[0].attributes.side"),
    (["record", 0, "attributes"], {"colour": "red"}, "record[0].attributes.colour"),
    (["record", 0, "attributes"], [], "record[0].attributes"),
    (["record", 0, "about"], ["f9"], "record[0].about[0]"),
    (["record", 0, "spans", 0, "end"], 5, "record[0].spans[0].end"),
    (["record", 0, "spans", 0, "start"], -1, "record[0].spans[0].start"),
    (["record", 0, "note"], "x", "record[0].note"),
]


@pytest.mark.parametrize(("where", "value", "field"), CHANGES)
def test_a_wrong_field_is_named(where, value, field):
    data = copy.deepcopy(GOOD)
    place = data
    for step in where[:-1]:
        place = place[step]
    place[where[-1]] = value
    with pytest.raises(InputError) as caught:
        read_claim(data, "claim.json")
    assert caught.value.field == field
    assert str(caught.value).startswith("claim.json: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("field", ["patient", "service_date", "setting", "claim_type", "lines"])
def test_a_missing_field_is_named(field):
    data = copy.deepcopy(GOOD)
    del data[field]
    with pytest.raises(InputError) as caught:
        read_claim(data, "claim.json")
    assert caught.value.field == field


@pytest.mark.parametrize("data", [None, [], "claim", 3])
def test_only_an_object_is_a_claim(data):
    with pytest.raises(InputError):
        read_claim(data, "claim.json")


def test_two_facts_of_one_id_are_refused():
    data = copy.deepcopy(GOOD)
    data["record"].append(copy.deepcopy(data["record"][0]))
    with pytest.raises(InputError) as caught:
        read_claim(data, "claim.json")
    assert caught.value.field == "record[1].id"


@pytest.mark.parametrize(
    ("term", "kind", "about", "field"),
    [
        ("akin", "relation", ["f1"], "record[1].term"),
        ("same", "relation", [], "record[1].about"),
        ("old", "age", [], "record[1].term"),
        ("man", "sex", [], "record[1].term"),
    ],
)
def test_a_fact_is_read_by_its_kind(term, kind, about, field):
    data = copy.deepcopy(GOOD)
    data["record"].append({"id": "f2", "kind": kind, "term": term, "about": about})
    with pytest.raises(InputError) as caught:
        read_claim(data, "claim.json")
    assert caught.value.field == field


def test_an_admission_lies_between_birth_and_discharge():
    data = copy.deepcopy(GOOD)
    data["setting"] = "inpatient"
    data["admission_date"] = "2026-05-01"
    assert read_claim(data, "claim.json").admission_date == "2026-05-01"
    for day in ("2026-05-05", "1961-02-02"):
        data["admission_date"] = day
        with pytest.raises(InputError):
            read_claim(data, "claim.json")


def test_the_tables_find_the_system_of_each_line(tables, services):
    data = copy.deepcopy(GOOD)
    data["lines"] = [{"code": "e119"}, {"code": "93306"}, {"code": "E0601"}, {"code": "M545"}]
    del data["record"]
    report = check(read_claim(data, "claim.json"), tables, services)
    assert [(v.kind, v.code) for v in report.verdicts] == [("retired", "M545")]
    assert all(review.code == "E0601" for review in report.reviews)


def test_a_code_of_two_systems_is_read_as_the_service_and_said_so(tables, services):
    data = copy.deepcopy(GOOD)
    both = [c for c in ("J1100", "J1885", "J0696", "J3420") if services.get(c) is not None]
    both = [c for c in both if tables.exists(c)]
    assert both, "the list holds a service that reads as an ICD-10-CM code"
    data["lines"] = [{"code": both[0]}]
    report = check(read_claim(data, "claim.json"), tables, services)
    assert any("could also be" in text for text in report.unjudged)


def test_the_report_names_error_mend_evidence_and_authority(tables, services):
    data = copy.deepcopy(GOOD)
    data["lines"] = [{"code": "E10.9"}, {"code": "E11.9"}, {"code": "93306"}, {"code": "93307"}]
    view = read_claim(data, "claim.json")
    report = check(view, tables, services)
    text = render_report(report, view)
    assert "excludes1_conflict" in text and "remove E10.9" in text
    assert '"T2DM"' in text
    assert "NCCI 2024Q3" in text
    assert text.endswith("\n")
    again = json.loads(json.dumps(report_dict(report)))
    assert [v["code"] for v in again["verdicts"]] == ["E10.9", "93307"]
    assert set(again) == {"verdicts", "reviews", "unjudged"}


def test_an_empty_report_says_so(tables, services):
    data = copy.deepcopy(GOOD)
    data["lines"] = [{"code": "E11.9"}]
    view = read_claim(data, "claim.json")
    assert render_report(check(view, tables, services), view).startswith("0 errors, 0 reviews")
