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


UNSURE = ("F01", "F02", "F03", "F05", "G30", "R41.0", "R41.3", "R41.82")
RELIABLE = re.compile(
    r"\b(?:He|She|The patient) (?:gave a consistent account|recalls the event|has read up on it"
    r"|needed no prompting|was open and precise|asks sensible)"
)


def test_who_cannot_tell_reliably_is_no_witness_of_the_illness() -> None:
    seen = 0
    for case in casegen.make("coding-v0", seed=33).cases(0, 600):
        if any(one.code.startswith(UNSURE) for one in case.gold()):
            seen += 1
            assert RELIABLE.search(case.note) is None, case.id
    assert seen >= 10


def test_nobody_goes_home_from_an_emergency_department_with_what_keeps_one_in_hospital() -> None:
    generator = casegen.make("coding-v0", seed=34)
    for case in generator.cases(0, 800):
        codes = [one.code for one in case.gold()]
        grave = any(code.startswith(tuple(data.read("serious.yaml")["codes"])) for code in codes)
        if grave and case.encounter.setting == "emergency":
            assert "Once home" not in case.note
            assert "prescriptions if any" not in case.note


def test_one_of_a_kind_is_no_plural() -> None:
    for case in casegen.make("coding-v0", seed=34).cases(0, 600):
        found = re.search(r"(?<![\d.:/,-])\b1 (?:year|month|week|day|hour|minute)s\b", case.note)
        assert found is None, (case.id, found)


def test_a_plan_that_names_a_time_is_followed_by_no_other_time() -> None:
    closer = re.compile(r"(?:Return|Come back|Follow up here|See us again) in (?:\d+|about)")
    dated = re.compile(r"\b(?:[Rr]echeck|[Vv]isit)\b[^.]*\b(?:weeks|months)\b")
    for case in casegen.make("coding-v0", seed=34).cases(0, 600):
        plan = re.split(r"\n\d+\. ", case.note)
        if len(plan) > 1 and any(dated.search(one.partition("\n")[0]) for one in plan[1:]):
            assert closer.search(plan[-1]) is None, case.id


def test_no_visit_mentions_an_artificial_heart_by_the_way() -> None:
    for version in ("coding-v0", "audit-v0"):
        for case in casegen.make(version, seed=35).cases(0, 400):
            assert not {"tail.Z95.812", "tail.Z94.3"} & set(case.conditions)
