"""The JSON Schema files are those of the models, and say what the models say."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import casegen
from casegen.schemas.json_schema import DIALECT, SCHEMAS, schema_path, schema_text
from casegen.schemas.serial import case_line


@pytest.fixture(scope="module")
def stored() -> list[dict[str, Any]]:
    generator = casegen.make("audit-v0", seed=11)
    return [json.loads(case_line(case)) for case in generator.cases(0, 20)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_file_is_what_the_models_give(name: str) -> None:
    told = "run python -m casegen.schemas.json_schema"
    assert schema_path(name).read_text("utf-8") == schema_text(name), told


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_file_is_found_as_data_of_the_package(name: str) -> None:
    text = files("casegen.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")
    schema = json.loads(text)
    assert schema["$schema"] == DIALECT
    Draft202012Validator.check_schema(schema)


def test_every_case_fits_the_schema(stored: list[dict[str, Any]]) -> None:
    schema = json.loads(schema_path("case").read_text("utf-8"))
    validator = Draft202012Validator(schema)
    for case in stored:
        assert [error.message for error in validator.iter_errors(case)] == []


@pytest.mark.parametrize("name", ["case", "coding_case"])
def test_no_object_of_a_case_takes_unknown_fields(name: str) -> None:
    schema = json.loads(schema_path(name).read_text("utf-8"))
    objects = [schema, *schema["$defs"].values()]
    assert len(objects) > 10
    for one in objects:
        assert one["additionalProperties"] is False
        assert set(one["required"]) == set(one["properties"]) - {"content_hash"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("sex", "other"),
        ("birth_date", "3 May 1961"),
        ("name", ""),
        ("age", 3),
        ("mrn", None),
    ],
)
def test_what_does_not_fit_is_refused(
    path: str, value: object, stored: list[dict[str, Any]]
) -> None:
    schema = json.loads(schema_path("case").read_text("utf-8"))
    case = {**stored[0], "patient": {**stored[0]["patient"], path: value}}
    assert not Draft202012Validator(schema).is_valid(case)
