"""``validate`` tells stored cases that hold from those that were tampered with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

import casegen
from casegen.cli.examine import Examiner
from casegen.conform import inlined
from casegen.knowledge import reference
from casegen.schemas import InputError
from casegen.schemas.json_schema import schema_of
from casegen.schemas.serial import HASH, case_line

from .conftest import Cli, Data, again


@pytest.fixture(scope="module")
def examiner() -> Examiner:
    return Examiner()


def fault(examiner: Examiner, case: Data) -> InputError:
    with pytest.raises(InputError) as error:
        examiner.examine(case, "cases.jsonl", 3)
    assert (error.value.path, error.value.line) == ("cases.jsonl", 3)
    return error.value


def test_every_case_of_the_generator_holds(cli: Cli, file: Path, lines: list[bytes]) -> None:
    result = cli("validate", file)
    findings = sum(len(orjson.loads(line)["findings"]) for line in lines)
    assert result.status == 0
    assert result.out == f"{file}: {len(lines)} cases valid, {findings} findings certified\n"


def test_json_tells_a_script_the_same(cli: Cli, file: Path, lines: list[bytes]) -> None:
    told = json.loads(cli("validate", file, "--json").out)
    assert told["valid"] is True
    assert told["cases"] == len(lines)


def test_json_tells_a_script_what_is_wrong(cli: Cli, tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "cases.jsonl"
    case = orjson.loads(lines[1])
    del case["note"]
    path.write_bytes(lines[0] + orjson.dumps(case) + b"\n")
    result = cli("validate", path, "--json")
    assert result.status == 2
    assert json.loads(result.out) == {
        "file": str(path), "valid": False, "line": 2, "field": "note", "fault": "is missing",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["note", "patient.name", "findings.0.explanation"])
def test_one_other_letter_breaks_the_hash(text: str, examiner: Examiner, broken_case: Data) -> None:
    *path, last = text.split(".")
    holder: Any = broken_case
    for part in path:
        holder = holder[int(part)] if part.isdigit() else holder[part]
    holder[last] = holder[last][:-1] + "~"
    assert fault(examiner, broken_case).field == HASH


def test_a_case_without_hash_is_refused(examiner: Examiner, broken_case: Data) -> None:
    del broken_case[HASH]
    assert fault(examiner, broken_case).field == HASH


def test_without_the_spans_of_its_evidence_a_finding_falls(
    examiner: Examiner, lines: list[bytes]
) -> None:
    tried = 0
    for line in lines:
        case = orjson.loads(line)
        for finding in case["findings"]:
            if not finding["evidence"]:
                continue
            stripped = orjson.loads(line)
            for fact in stripped["record"]:
                fact["spans"] = [s for s in fact["spans"] if s not in finding["evidence"]]
            fault(examiner, again(stripped))
            tried += 1
    assert tried > 10


def other_code(case: Data) -> None:
    case["findings"][0]["correction"]["replacement"] = "I10"
    case["findings"][0]["correction"]["action"] = "replace"


def without_finding(case: Data) -> None:
    case["findings"].pop()


def twice(case: Data) -> None:
    case["findings"].append(case["findings"][0])


def other_type(case: Data) -> None:
    types = ["ncci_edit", "excludes1_conflict"]
    finding = case["findings"][0]
    finding["error_type"] = next(name for name in types if name != finding["error_type"])
    # Findings of some types need not name their code; these must.
    finding["explanation"] += f" ({finding['code']})"


def other_steps(case: Data) -> None:
    case["max_steps"] += 1


def unknown_option(case: Data) -> None:
    case["options"] = {"evil": "x"}
    case["id"] = f"{case['id'].partition('?')[0]}?evil=x"


def other_authority(case: Data) -> None:
    case["findings"][0]["authority"]["edition"] = "NCCI 2031Q1"


def moved_span(case: Data) -> None:
    span = next(span for fact in case["record"] for span in fact["spans"])
    span["start"] += 1
    span["end"] += 1


def span_beyond(case: Data) -> None:
    span = next(span for fact in case["record"] for span in fact["spans"])
    span["start"] = len(case["note"]) + 5
    span["end"] = span["start"] + len(span["text"])


def moved_decoy(case: Data) -> None:
    case["decoys"][0]["code"] = "A00.0"


def decoy_is_wrong(case: Data) -> None:
    finding = case["findings"][0]
    case["decoys"][0].update(
        line=finding["line"], code=finding["code"], error_type=finding["error_type"]
    )


def off_the_claim(case: Data) -> None:
    case["findings"][0]["line"] = 99


def wrong_numbers(case: Data) -> None:
    case["claim"][0]["line"] = 2


def other_patient(case: Data) -> None:
    for fact in case["record"]:
        if fact["kind"] == "sex":
            fact["term"] = "male" if case["patient"]["sex"] == "female" else "female"
            for span in fact["spans"]:
                span["text"] = span["text"] + ""
    case["patient"]["birth_date"] = "1950-00-00"


def other_id(case: Data) -> None:
    case["index"] += 1


def other_tables(case: Data) -> None:
    case["tables"]["digest"] = "0" * 64


def dangling_question(case: Data) -> None:
    case["questions"] = [
        {"topic": "side", "keywords": ["side"], "answer": "Left.", "fact": "no such fact",
         "attribute": "side", "value": "left"}
    ]  # fmt: skip


def dangling_relation(case: Data) -> None:
    case["record"][0]["about"] = ["no such fact"]


def twin_facts(case: Data) -> None:
    case["record"].append(case["record"][0])


def impossible_date(case: Data) -> None:
    case["encounter"]["service_date"] = "2026-04-31"


def decoy_on_a_finding(case: Data) -> None:
    """Of another type than the finding."""
    finding = case["findings"][0]
    other = {"excludes1_conflict": "ncci_edit"}.get(finding["error_type"], "excludes1_conflict")
    case["decoys"][0].update(line=finding["line"], code=finding["code"], error_type=other)


def decoy_with_nobody(case: Data) -> None:
    case["decoys"][0]["related_code"] = "A00.0"


def decoy_with_itself(case: Data) -> None:
    case["decoys"][0]["related_code"] = case["decoys"][0]["code"]


def decoy_by_other_words(case: Data) -> None:
    case["decoys"][0]["evidence"] = [{"start": 0, "end": 1, "text": case["note"][0]}]


def right_line(case: Data) -> Data:
    wrong = {finding["line"] for finding in case["findings"]}
    line: Data = next(
        line
        for line in case["claim"]
        if line["line"] not in wrong and line["system"] == "ICD-10-CM"
    )
    return line


def other_words(case: Data) -> None:
    right_line(case)["description"] = "Something else"


def other_label(case: Data) -> None:
    case["claim"].append(
        {"line": len(case["claim"]) + 1, "code": "99213", "system": "CPT",
         "description": "Something else", "modifiers": [], "units": 1}
    )  # fmt: skip


def two_of_a_diagnosis(case: Data) -> None:
    right_line(case)["units"] = 2


def unexplained(case: Data) -> None:
    case["findings"][0]["explanation"] = "It is wrong."


def without_key_terms(case: Data) -> None:
    case["findings"][0]["key_terms"] = []


def without_age(case: Data) -> None:
    case["record"] = [fact for fact in case["record"] if fact["kind"] != "age"]


def two_sexes(case: Data) -> None:
    fact = next(fact for fact in case["record"] if fact["kind"] == "sex")
    case["record"].append({**fact, "id": "another"})


def unknown_term(case: Data) -> None:
    fact = next(fact for fact in case["record"] if fact["kind"] == "sex")
    case["record"].append({**fact, "id": "more", "kind": "problem", "term": "Feeling odd"})


def unknown_service(case: Data) -> None:
    fact = next(fact for fact in case["record"] if fact["kind"] == "sex")
    case["record"].append({**fact, "id": "more", "kind": "service", "term": "Odd service"})


def other_family(case: Data) -> None:
    case.update(family="billing", id=case["id"].replace("audit", "billing"))


def other_version(case: Data) -> None:
    case.update(version="v9", id=case["id"].replace("v0", "v9"))


def other_key(case: Data) -> None:
    case["structural_key"] = "x" * 32


def new_line(case: Data) -> None:
    line = {"line": len(case["claim"]) + 1, "code": "Z99.999", "system": "ICD-10-CM",
            "description": "Nothing", "modifiers": [], "units": 1}  # fmt: skip
    case["claim"].append(line)


@pytest.mark.parametrize(
    ("forge", "field"),
    [
        (other_code, "findings"),
        (without_finding, "findings"),
        (twice, "findings[{last}]"),
        (other_type, "findings"),
        (other_steps, "max_steps"),
        (unknown_option, "options.evil"),
        (other_authority, "findings"),
        (new_line, "findings"),
        (moved_span, "record[0].spans[0]"),
        (span_beyond, "record[0].spans[0]"),
        (moved_decoy, "decoys[0].code"),
        (decoy_is_wrong, "decoys[0]"),
        (off_the_claim, "findings[0].line"),
        (wrong_numbers, "claim[0].line"),
        (other_patient, "patient.birth_date"),
        (other_id, "id"),
        (other_tables, "tables.digest"),
        (dangling_question, "questions[0].fact"),
        (dangling_relation, "record[0].about"),
        (twin_facts, "record[{last}].id"),
        (impossible_date, "encounter.service_date"),
        (decoy_on_a_finding, "decoys[0]"),
        (decoy_with_nobody, "decoys[0].related_code"),
        (decoy_with_itself, "decoys[0].related_code"),
        (decoy_by_other_words, "decoys[0].evidence[0]"),
        (other_words, "claim[{right}].description"),
        (other_label, "claim[{added}].description"),
        (two_of_a_diagnosis, "claim[{right}].units"),
        (unexplained, "findings[0].explanation"),
        (without_key_terms, "findings[0].key_terms"),
        (without_age, "record"),
        (two_sexes, "record"),
        (unknown_term, "record"),
        (unknown_service, "record"),
        (other_family, "family"),
        (other_version, "version"),
        (other_key, "structural_key"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_forgery_with_a_fresh_hash_is_found(
    forge: Callable[[Data], None], field: str, examiner: Examiner, broken_case: Data
) -> None:
    right = right_line(broken_case)["line"] - 1
    forge(broken_case)
    named = field.format(
        last=len(broken_case["findings" if forge is twice else "record"]) - 1,
        right=right,
        added=len(broken_case["claim"]) - 1,
    )
    assert fault(examiner, again(broken_case)).field == named


@pytest.fixture(scope="module")
def asked() -> bytes:
    """A case with a question about a side."""
    for case in casegen.make("audit-v0", seed=7, difficulty="expert"):
        if any(question.topic == "side" for question in case.questions):
            return case_line(case)
    raise LookupError


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"value": "left", "answer": "The right."}, "answer"),
        ({"value": "upper"}, "value"),
        ({"attribute": "phase"}, "attribute"),
        ({"topic": "colour"}, "topic"),
    ],
)
def test_a_question_and_its_value_must_fit(
    change: Data, field: str, examiner: Examiner, asked: bytes
) -> None:
    case = orjson.loads(asked)
    next(q for q in case["questions"] if q["topic"] == "side").update(change)
    assert fault(examiner, again(case)).field.endswith(f".{field}")


def test_a_case_may_tell_the_title_of_the_category(examiner: Examiner, broken_case: Data) -> None:
    tables, _ = reference()
    line = right_line(broken_case)
    line["description"] = tables.title(line["code"].partition(".")[0])
    examiner.examine(again(broken_case), "cases.jsonl", 3)


@pytest.mark.parametrize("command", ["validate", "validate --remake"])
def test_a_case_stands_in_a_file_once(
    command: str, cli: Cli, tmp_path: Path, lines: list[bytes]
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(lines[0] + lines[1] + lines[0])
    told = cli(*command.split(), path).complaint()
    assert f"{path}, line 3: id: " in told
    assert "line 1" in told


def test_the_inlined_schema_says_the_same(lines: list[bytes]) -> None:
    from jsonschema import Draft202012Validator

    whole = Draft202012Validator(schema_of("case"))
    short = Draft202012Validator(inlined(schema_of("case")))
    for number, line in enumerate(lines[:8]):
        case = orjson.loads(line)
        case["patient"]["sex"] = "none"
        case["claim"][number % len(case["claim"])]["units"] = 0
        case["findings"].append({"line": 1})
        told = [
            sorted((list(e.absolute_path), e.message) for e in validator.iter_errors(case))
            for validator in (whole, short)
        ]
        assert len(told[0]) > 3
        assert told[0] == told[1]
