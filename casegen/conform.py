"""Whether a case has the form that its schema promises: by the compiled models and by the JSON
Schema file. Cases are built from typed models, so one in ``EVERY`` is looked at while
generating; ``casegen validate`` looks at all."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson

from casegen.schemas import CertificationError, InputError
from casegen.schemas.anycase import AnyCase, schema_name
from casegen.schemas.serial import case_from, case_line

EVERY = 500


@lru_cache
def case_validator(family: str) -> Any:
    """The compiled validator of the JSON Schema file of a family's cases (draft 2020-12)."""
    from importlib.resources import files

    from jsonschema import Draft202012Validator

    text = files("casegen.schemas").joinpath(f"{schema_name(family)}.schema.json").read_bytes()
    return Draft202012Validator(inlined(orjson.loads(text)))


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with every local reference replaced by what it names: jsonschema resolves
    references anew at each visit, which takes most of its time. The models don't nest in
    themselves, so this ends."""
    definitions: dict[str, Any] = schema.get("$defs", {})

    def resolved(node: Any) -> Any:
        if isinstance(node, list):
            return [resolved(item) for item in node]
        if not isinstance(node, dict):
            return node
        named = node.get("$ref")
        if named is not None:
            return resolved(definitions[named.removeprefix("#/$defs/")])
        return {key: resolved(value) for key, value in node.items() if key != "$defs"}

    result: dict[str, Any] = resolved(schema)
    return result


def conform(case: AnyCase) -> None:
    """Raise CertificationError where the case is not of the form that its schema promises."""
    data = orjson.loads(case_line(case))
    for error in case_validator(case.family).iter_errors(data):
        field = ".".join(str(part) for part in error.absolute_path) or "case"
        raise CertificationError(f"{case.id}: {field}: {error.message[:160]}")
    try:
        again = case_from(data)
    except InputError as error:
        raise CertificationError(f"{case.id}: {error}") from None
    if again != case:
        raise CertificationError(f"{case.id}: does not survive its own JSON")
