"""The examination of one problem does not deny what another problem brings."""

from __future__ import annotations

import re

import casegen
from casegen.knowledge import reference
from casegen.seeds import data

NORMAL = {
    r"drums? (?:are )?(?:gray|mobile|intact|pearly|normal)|drums gray": ("H65", "H66", "H72"),
    r"[Ll]ungs clear": ("J18", "J44.1", "J45", "I50"),
    r"[Hh]eel and toe walk|Walks? (?:easily|freely)": ("S82", "S83", "S86", "S93", "M66"),
    r"[Rr]egular pulse|[Pp]ulse regular": ("I48",),
    r"[Tt]hroat (?:normal|pale pink|clear)": ("J02", "J03", "J36"),
}


def test_no_examination_calls_normal_what_a_coded_disease_affects() -> None:
    seen = 0
    for case in casegen.make("coding-v0", seed=33).cases(0, 600):
        for says, codes in NORMAL.items():
            own = [one.code for one in case.gold() if one.code.startswith(codes)]
            seen += bool(own)
            # One whose own chart says so is not meant: between attacks the lungs may be clear.
            if len(own) == 1 and case.encounter.setting != "inpatient":
                found = re.search(says, case.note.partition("ASSESSMENT")[0])
                assert found is None or _own(case.conditions, codes), (case.id, own, found)
    assert seen >= 30


def _own(conditions: list[str], codes: tuple[str, ...]) -> bool:
    """Whether the disease stands in the condition files, which may give it normal findings."""
    return not any(name.startswith(f"tail.{code}") for name in conditions for code in codes)


def test_every_beginning_of_a_code_stands_in_the_tables() -> None:
    tables = reference()[0]
    known = [stem for stem in tables.store.index if ":" not in stem]
    for row in data.read("normal_findings.yaml")["findings"]:
        re.compile(row["says"])
        for code in row["codes"]:
            stem = code.replace(".", "")
            assert any(one.startswith(stem) for one in known), (row["part"], code)
