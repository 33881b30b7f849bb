"""The form of cases that were made elsewhere: what a pack of own cases takes and refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

import casegen
from casegen.env.caseform import fault_of
from casegen.env.packfile import cases_to_pack, file_bytes, file_of_cases
from casegen.env.packs import build, pack
from casegen.schemas import Case, InputError
from casegen.schemas.serial import case_from, case_line

Change = Callable[[dict[str, Any]], None]


def made() -> Case:
    """A case with a finding that rests on words of the note."""
    cases = casegen.make("audit-v0", seed=8, difficulty="hard").cases(0, 40)
    return next(one for one in cases if one.findings and one.findings[0].evidence)


def changed(change: Change) -> Case:
    data = orjson.loads(case_line(made()))
    change(data)
    return case_from(data)


def put(*place: Any, value: Any) -> Change:
    def change(data: dict[str, Any]) -> None:
        inner: Any = data
        for part in place[:-1]:
            inner = inner[part]
        inner[place[-1]] = value

    return change


def moved(data: dict[str, Any]) -> None:
    span = data["findings"][0]["evidence"][0]
    span["start"] += 1
    span["end"] += 1


FAULTS: list[tuple[Change, str]] = [
    (put("findings", 0, "line", value=99), "findings[0].line"),
    (put("findings", 0, "code", value="X99"), "findings[0].code"),
    (put("findings", 0, "code", value=" "), "findings[0].code"),
    (put("findings", 0, "accepted_codes", value=[]), "findings[0].accepted_codes"),
    (put("findings", 0, "accepted_codes", value=["O80"]), "findings[0].accepted_codes"),
    (put("findings", 0, "accepted_codes", value=[""]), "findings[0].accepted_codes[0]"),
    (put("findings", 0, "accepted_error_types", value=[]), "findings[0].accepted_error_types"),
    (put("findings", 0, "correction", "line", value=99), "findings[0].correction.line"),
    (moved, "findings[0].evidence[0]"),
    (put("claim", 1, "line", value=1), "claim[1].line"),
    (put("claim", 0, "code", value="\t"), "claim[0].code"),
    (put("claim", value=[]), "claim"),
    (put("max_steps", value=1001), "max_steps"),
    (put("patient", "birth_date", value="9999-99-99"), "patient.birth_date"),
    (put("patient", "birth_date", value="9999-12-31"), "patient.birth_date"),
    (put("encounter", "service_date", value="2024-02-30"), "encounter.service_date"),
    (put("encounter", "admission_date", value="0000-01-01"), "encounter.admission_date"),
]


@pytest.mark.parametrize(("change", "field"), FAULTS)
def test_a_case_that_can_not_be_played_or_graded_is_told_by_its_field(
    change: Change, field: str
) -> None:
    fault = fault_of(changed(change))
    assert fault is not None
    assert fault.field == field


def test_generated_and_documented_cases_have_the_form() -> None:
    cases = [*casegen.make("audit-v0", seed=3).cases(0, 60)]
    cases += [task.case for task in pack("audit-seed-v1")]
    assert [fault_of(case) for case in cases] == [None] * 65


def test_a_file_of_cases_is_told_by_line_and_field(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    good = case_line(made())
    for change, field in FAULTS:
        path.write_bytes(good + case_line(changed(change)))
        with pytest.raises(InputError) as told:
            cases_to_pack(str(path))
        assert (told.value.line, told.value.field) == (2, field)


def test_a_stored_case_carries_the_hash_that_fits_it(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    data = orjson.loads(case_line(made()))
    for told, mend in (({**data, "note_style": "other"}, "does not fit"), ({**data}, "is missing")):
        if mend == "is missing":
            del told["content_hash"]
        path.write_bytes(orjson.dumps(told))
        with pytest.raises(InputError, match=rf"line 1: content_hash: .*{mend}"):
            cases_to_pack(str(path))


def test_no_case_stands_in_a_pack_twice(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(case_line(made()) * 2)
    with pytest.raises(InputError, match=r"line 2: id: .*stands on line 1 already"):
        cases_to_pack(str(path))
    with pytest.raises(InputError, match=r"cases\[1\]\.case: .*is the same case as cases\[0\]"):
        file_of_cases([made(), made()], name="own", profile="strict")


def test_a_pack_of_stored_cases_is_looked_at_when_it_is_loaded(tmp_path: Path) -> None:
    stored = orjson.loads(file_bytes(build(file_of_cases([made()], name="own", profile="strict"))))
    path = tmp_path / "own.json"
    for change, field in FAULTS:
        data = orjson.loads(orjson.dumps(stored))
        del data["cases"][0]["case"]["content_hash"]
        change(data["cases"][0]["case"])
        path.write_bytes(orjson.dumps(data))
        with pytest.raises(InputError) as told:
            pack(str(path))
        assert told.value.field == f"cases[0].case.{field}"
