"""The services and the NCCI tables among them."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from casegen.schemas import TableError
from casegen.seeds import services as package
from casegen.seeds.services import Service, Services, load, loader, read

ON = "2026-06-15"
FOLDER = files("casegen.seeds.services")
SLOT = re.compile(r"\{([^}]*)\}")
KNOWN_SLOT = re.compile(r"He|he|His|his|him|side|n:\d+-\d+(:\d+)?|d:\d+\.\d-\d+\.\d")
CODE_WORD = re.compile(
    r"\b(\d{5}|[A-Z]\d{4}|CPT|HCPCS|ICD|NCCI|modifiers?|bundl\w+|unbundl\w+|billed|add-on)\b"
)


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    return load(tmp_path_factory.mktemp("cache"))


def rows(name: str) -> Iterator[list[str]]:
    reader = csv.reader((FOLDER / name).read_text(encoding="utf-8").splitlines())
    next(reader)
    yield from reader


def test_there_are_many_services_with_their_own_labels(services: Services) -> None:
    assert len(services) >= 120
    labels = [one.label.casefold() for one in services]
    labels += [one.label.casefold() for one in services.retired_codes()]
    assert len(set(labels)) == len(labels)
    for one in services:
        assert services.by_label(one.label) is one
        assert services.get(one.code) is one
        assert not CODE_WORD.search(one.label), one


def test_a_label_is_short_and_plain(services: Services) -> None:
    for one in services:
        assert len(one.label) <= 80, one.label
        assert one.label == one.label.strip()


def test_the_table_decides_the_code_system(services: Services) -> None:
    assert services.get("99213").system == "CPT"
    assert services.get("J1885").system == "HCPCS"
    assert services.get("E0601") is None


def test_every_sentence_has_known_slots_and_no_code_words(services: Services) -> None:
    for one in services:
        assert len(one.says) >= 4, one.code
        for text in one.says:
            assert text.endswith(".") and text[0] in "{ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
            assert not CODE_WORD.search(text), text
            for slot in SLOT.findall(text):
                assert KNOWN_SLOT.fullmatch(slot), (one.code, text)
                if slot == "side":
                    assert one.lateral


def test_a_lateral_service_names_the_side_in_every_sentence(services: Services) -> None:
    for one in services:
        if one.lateral:
            assert all("{side}" in text for text in one.says), one.code


def test_sentences_of_one_service_belong_to_no_other(services: Services) -> None:
    shared: dict[str, set[str]] = {}
    for one in services:
        for text in one.says:
            shared.setdefault(text, set()).add(one.code)
    wellness = {one.code for one in services if one.em and one.em.kind == "preventive"}
    for text, codes in shared.items():
        # Wellness visits of neighboring ages differ by the age alone.
        assert len(codes) == 1 or codes <= wellness, (text, codes)


# CPT E/M guidelines 2021 (office), 2023 (hospital), emergency by decision making alone.
MINUTES = {
    "99202": (15, 29), "99203": (30, 44), "99204": (45, 59), "99205": (60, 74),
    "99211": None, "99212": (10, 19), "99213": (20, 29), "99214": (30, 39), "99215": (40, 54),
    "99221": (40, 54), "99222": (55, 74), "99223": (75, 89),
    "99231": (25, 34), "99232": (35, 49), "99233": (50, 64),
    "99281": None, "99282": None, "99283": None, "99284": None, "99285": None,
}  # fmt: skip
DECISIONS = {
    "straightforward": ("99202", "99212", "99282"),
    "low": ("99203", "99213", "99221", "99231", "99283"),
    "moderate": ("99204", "99214", "99222", "99232", "99284"),
    "high": ("99205", "99215", "99223", "99233", "99285"),
}


def test_levels_of_visits_follow_the_rules_of_2023(services: Services) -> None:
    for code, minutes in MINUTES.items():
        assert services.get(code).em.minutes == minutes, code
    for level, codes in DECISIONS.items():
        assert {services.get(code).em.mdm for code in codes} == {level}


def test_every_visit_says_what_its_level_rests_on(services: Services) -> None:
    words = {"straightforward": "straightforward", "low": "low", "moderate": "moderate",
             "high": "high"}  # fmt: skip
    for one in services:
        if one.em is None or one.em.kind == "preventive":
            continue
        for text in one.says:
            spans = [
                tuple(map(int, slot[2:].split("-")))
                for slot in SLOT.findall(text)
                if slot.startswith("n:")
            ]
            if one.em.minutes and spans:
                low, high = one.em.minutes
                assert all(low <= a <= b <= high for a, b in spans), (one.code, text)
            elif one.em.mdm:
                level = words[one.em.mdm]
                assert level in text.lower(), (one.code, text)
                others = set(words.values()) - {level}
                assert not any(re.search(rf"\b{word}\b", text.lower()) for word in others), text


def test_office_visits_say_whether_the_patient_is_new(services: Services) -> None:
    new = re.compile(r"\bnew\b|New|First visit")
    known = re.compile(r"established|Established|known|Known|followed|Followed")
    for one in services:
        if one.em is not None and one.em.kind == "office":
            pattern, other = (new, known) if one.em.patient == "new" else (known, new)
            for text in one.says:
                assert pattern.search(text) and not other.search(text), (one.code, text)


def test_telehealth_lines_carry_modifier_95(services: Services) -> None:
    for one in services:
        assert (one.telehealth_modifier == "95") == ("telehealth" in one.settings), one.code
    assert services.get("99214").em.telehealth_modifier == "95"


def test_wellness_ages_follow_each_other_without_gap(services: Services) -> None:
    for stem in ("9938", "9939"):
        ages = [services.get(f"{stem}{digit}").age for digit in range(1, 8)]
        assert ages[0] == (0, 0) and ages[-1] == (65, 124)
        assert all(a[1] + 1 == b[0] for a, b in pairwise(ages))


def test_meaning_is_narrower_than_plausibility(services: Services) -> None:
    assert services.get("90715").age == (7, 124)
    assert services.get("90700").age == (0, 6)
    assert services.get("90460").age == (0, 18)
    assert services.get("59400").sex == "female"
    assert services.get("55250").sex == "male"
    # A mammogram or a colonoscopy is rare, not wrong, outside of the usual patients.
    assert services.get("77067").sex is None and services.get("77067").suits_sex == "female"
    assert services.get("45378").age == (0, 124)
    for one in services:
        assert one.age[0] <= one.suits[0] <= one.suits[1] <= one.age[1]
        assert one.sex in (None, one.suits_sex)


def test_units_stay_within_the_mue(services: Services) -> None:
    published = {row[0]: int(row[1]) for row in rows("mue.csv")}
    for one in services:
        assert 1 <= one.units <= one.units_max
        assert one.units_max == (published[one.code] or 1)
    # 0 says that Medicare doesn't pay, not that one unit is too many.
    assert published["99396"] == 0 and services.mue("99396") is None
    assert services.mue("99213") == 2 and services.mue("99999") is None


def test_an_add_on_code_has_a_primary_in_the_list(services: Services) -> None:
    for one in services:
        assert one.needs_primary == services.primaries(one.code)
        if one.needs_primary:
            assert any(code in services for code in one.needs_primary), one.code
    assert services.primaries("17003") == ("17000",)
    assert services.primaries("99213") == ()


def test_companions_stand_in_the_same_settings(services: Services) -> None:
    for one in services:
        for code in one.companions:
            assert set(one.settings) <= set(services.get(code).settings), (one.code, code)


def test_retired_codes_are_gone_before_the_first_encounter(services: Services) -> None:
    gone = services.retired_codes()
    assert len(gone) >= 25
    for one in gone:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", one.ended_on) and one.ended_on < "2026-04-01"
        assert one.code not in services and one.label and one.source
        assert services.retired(one.code) == one.ended_on
    assert services.retired("99201") == "2021-01-01"
    assert services.retired("99217") == "2023-01-01"
    assert services.retired("99213") is None


def naive_pairs(on: str) -> dict[frozenset[str], tuple[str, str, int]]:
    """The edits in force on a date, read without the loader."""
    found = {}
    for row in rows("ncci_ptp.csv"):
        found[frozenset(row[:2])] = (row[0], row[1], int(row[2]))
    for row in sorted(rows("ncci_ptp_deleted.csv"), key=lambda row: row[3], reverse=True):
        if row[2] != "9" and on <= row[3]:
            found[frozenset(row[:2])] = (row[0], row[1], int(row[2]))
    return found


@pytest.mark.parametrize("on", [ON, "2019-12-31", "2004-01-01"])
def test_no_two_services_conflict_unnoticed(services: Services, on: str) -> None:
    naive = naive_pairs(on)
    codes = [one.code for one in services]
    for a, b in combinations(codes, 2):
        edit = services.pair(b, a, on)
        expected = naive.get(frozenset((a, b)))
        if edit is None:
            assert expected is None, (a, b)
        else:
            assert (edit.column1, edit.column2, edit.indicator) == expected
            assert services.pair(a, b, on) == edit


def test_conflicts_lists_every_edit_among_codes(services: Services) -> None:
    codes = ("99213", "20610", "85025", "36415", "20550", "99213")
    found = {(edit.column1, edit.column2) for edit in services.conflicts(codes, ON)}
    assert found == {("20610", "99213"), ("20550", "99213"), ("20610", "20550")}
    assert services.conflicts(("85025", "36415", "80053"), ON) == ()


def test_edits_and_deleted_pairs_share_no_pair(services: Services) -> None:
    edits, deleted = services.edits(ON), services.deleted_pairs(ON)
    naive = naive_pairs(ON)
    assert {(one.column1, one.column2, one.indicator) for one in edits} == set(naive.values())
    assert len(deleted) > 500
    for one in deleted:
        assert frozenset((one.column1, one.column2)) not in naive
        assert one.deleted is not None and one.deleted < ON


def test_a_vaccine_and_its_administration_name_each_other(services: Services) -> None:
    for one in services:
        if one.category in ("vaccine", "drug"):
            assert one.companions, one.code
        if one.category == "vaccine":
            for code in one.companions:
                assert one.code in services.get(code).companions, (one.code, code)
        if one.category == "vaccine_admin":
            for code in one.companions:
                assert one.code in services.get(code).companions, (one.code, code)


def test_complete_echo_with_doppler_takes_in_the_one_without(services: Services) -> None:
    for a, b in (("93306", "93307"), ("93307", "93306")):
        edit = services.pair(a, b, ON)
        assert (edit.column1, edit.column2, edit.indicator) == ("93306", "93307", 0)
    assert services.pair("93306", "93308", ON).indicator == 1
    assert services.edition == "NCCI 2024Q3"
    assert services.get("93307").label.endswith("complete, without Doppler")
    assert services.get("93308").label.endswith("limited")


def test_snare_and_biopsy_may_be_separate_and_the_look_never_is(services: Services) -> None:
    edit = services.pair("45380", "45385", ON)
    assert (edit.column1, edit.column2, edit.indicator) == ("45385", "45380", 1)
    assert services.pair("45385", "45378", ON).indicator == 0
    assert {"59", "XS"} <= services.bypass_modifiers() <= services.associated_modifiers()


def test_a_deleted_pair_holds_up_to_its_last_day(services: Services) -> None:
    assert services.pair("97140", "97530", "2019-12-31").deleted == "2019-12-31"
    assert services.pair("97140", "97530", "2020-01-01") is None
    assert len(services.pair_any("97140", "97530")) == 1


def test_indicator_9_never_is_an_edit(services: Services) -> None:
    assert [edit.indicator for edit in services.pair_any("92014", "92020")] == [9]
    assert services.pair("92014", "92020", "1997-01-01") is None


def test_joint_injection_and_visit_need_modifier_25(services: Services) -> None:
    edit = services.pair("99213", "20610", ON)
    assert (edit.column1, edit.column2, edit.indicator) == ("20610", "99213", 1)
    assert services.takes_25("99213") and not services.takes_25("20610")
    assert services.takes_25("92014")
    assert package.EM_MODIFIER in services.associated_modifiers()


def test_two_levels_of_one_day_are_a_pair(services: Services) -> None:
    edit = services.pair("99213", "99214", ON)
    assert (edit.column1, edit.column2, edit.indicator) == ("99214", "99213", 1)


def test_cached_services_equal_compiled_ones(tmp_path: Path) -> None:
    loader._load.cache_clear()
    first = load(tmp_path)
    loader._load.cache_clear()
    again = load(tmp_path)
    assert again is not first and again.snapshot() == first.snapshot()
    assert isinstance(next(iter(again)), Service)


def test_a_damaged_cache_rebuilds_itself(tmp_path: Path) -> None:
    loader._load.cache_clear()
    first = load(tmp_path)
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    for bad in (b"", good[:1000], good[:-1] + b"\0", b"\0" * len(good)):
        file.write_bytes(bad)
        loader._load.cache_clear()
        assert load(tmp_path).digest == first.digest
        assert file.read_bytes() == good
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_an_unwritable_cache_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    loader._load.cache_clear()
    assert len(load(blocked / "below")) >= 120


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("services.yaml", "label: Spirometry\n", "label: Six-minute walk test\n", "also that of"),
        ("services.yaml", 'code: "94010"', 'code: "99999"', "isn't in mue.csv"),
        ("services.yaml", 'code: "94010"', 'code: "94060"', "stands twice"),
        ("services.yaml", "settings: [emergency]", "settings: [garage]", "settings"),
        ("services.yaml", "age: [1, 4]", "age: [4, 1]", "age"),
        ("services.yaml", "groups:", "groups: [", "no valid YAML"),
        ("mue.csv", "10060,1,", "10060,one,", "no whole number"),
        ("ncci_ptp.csv", "93306,93307,0", "93306,93307,0,x", "fields"),
        ("retired.csv", "\n99201,", "\n99202,", "retired.csv"),
    ],
)
def test_a_wrong_table_is_refused(
    tmp_path: Path, name: str, old: str, new: str, complaint: str
) -> None:
    folder = tmp_path / "services"
    folder.mkdir()
    for entry in FOLDER.iterdir():
        if entry.name.endswith((".csv", ".yaml")):
            shutil.copyfile(str(entry), folder / entry.name)
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TableError, match=re.escape(complaint)):
        read(folder)
