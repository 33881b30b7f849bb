"""``casegen validate FILE``: schema first, then truth."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import click

from casegen.schemas import CertificationError, InputError
from casegen.schemas.serial import HASH, case_from, content_hash

from .generate import progress
from .source import lines_of


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: str, as_json: bool) -> None:
    """Check every case of FILE: JSON Schema, content hash, spans, and by the checker that its
    findings are exactly the errors of its claim. The first fault is told with line and field."""
    from jsonschema import Draft202012Validator

    from ..certify import Accident, certify
    from ..knowledge import reference

    schema = json.loads(files("casegen.schemas").joinpath("case.schema.json").read_text("utf-8"))
    validator = Draft202012Validator(schema)
    tables, services = reference()
    count = findings = 0
    with progress(None, "validating") as bar:
        for number, data in lines_of(file):
            _conforms(validator, data, file, number)
            case = case_from(data, path=file, line=number)
            stated = data.get(HASH)
            if stated is not None and stated != content_hash(case):
                raise InputError(HASH, stated, "does not match the case", path=file, line=number)
            try:
                certify(case, tables, services)
            except (CertificationError, Accident) as error:
                raise InputError(
                    "findings", case.id, f"not certified: {error}", path=file, line=number
                ) from None
            count += 1
            findings += len(case.findings)
            bar.update(1)
    if as_json:
        print(json.dumps({"file": file, "cases": count, "findings": findings, "valid": True}))
    else:
        print(f"{file}: {count} cases valid, {findings} findings certified")


def _conforms(validator: Any, data: dict[str, Any], file: str, number: int) -> None:
    for error in validator.iter_errors(data):
        field = ".".join(str(part) for part in error.absolute_path) or "case"
        raise InputError(field, error.instance, error.message[:160], path=file, line=number)
