"""The drug files: what each rule must have, and what the loader refuses."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

import pytest

from casegen.schemas import TableError
from casegen.seeds.icd10cm import load as icd10cm
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.loader import load, read
from casegen.seeds.rx.model import Authority
from casegen.seeds.rx.reading import Row

FOLDER = Path(str(files("casegen.seeds.rx")))


@pytest.fixture(scope="module")
def rx() -> Rx:
    return load()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "rx"
    shutil.copytree(FOLDER, target, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return target


def authorities(rx: Rx) -> list[tuple[Authority, ...]]:
    found = [rule.authority for rule in (*rx.interactions, *rx.cross, *rx.allergies)]
    found += [rule.authority for rule in (*rx.intolerances, *rx.notations)]
    for drug in rx.drugs.values():
        rules = (*drug.doses, *drug.contraindications, *drug.pregnancy, *drug.pediatric)
        found += [rule.authority for rule in (*rules, *drug.traps)]
    return found


def test_the_tables_are_as_large_as_promised(rx: Rx) -> None:
    assert len(rx.drugs) >= 120
    assert len(rx.interactions) >= 250
    assert len(rx.cross) >= 60
    assert sum(len(drug.contraindications) for drug in rx.drugs.values()) >= 120


def test_each_rule_names_its_authority(rx: Rx) -> None:
    for authority in authorities(rx):
        assert authority
        assert all(one.reference and one.section for one in authority)


def test_each_label_is_that_of_a_drug_at_hand(rx: Rx) -> None:
    for authority in authorities(rx):
        for one in authority:
            if one.source == "label":
                assert (
                    re.sub(
                        r"( |-)?\(?\b(tablets|injection|suspension|older|extended"
                        r"|sustained|macrocrystals|1 mg)\b.*",
                        "",
                        one.reference,
                    )
                    in rx.drugs
                )


def test_each_maximum_is_at_least_the_usual_dose(rx: Rx) -> None:
    for drug in rx.drugs.values():
        for dose in drug.doses:
            if dose.usual and dose.maximum:
                assert dose.usual[0] <= dose.usual[1] <= dose.maximum, drug.id
            if dose.single and dose.maximum and dose.basis == "day" and "load" not in dose.note:
                assert dose.single <= dose.maximum, drug.id


def test_each_usual_dose_can_be_given_in_the_times_allowed(rx: Rx) -> None:
    for drug in rx.drugs.values():
        for dose in drug.doses:
            if dose.single and dose.maximum and dose.times and dose.basis == "day":
                assert dose.maximum <= dose.single * dose.times[1], drug.id


def test_no_interaction_stands_twice(rx: Rx) -> None:
    pairs = Counter((*sorted((r.a, r.b)), r.when) for r in rx.interactions if not r.disputed)
    assert [pair for pair, count in pairs.items() if count > 1] == []


def test_each_interaction_reaches_two_drugs(rx: Rx) -> None:
    for rule in rx.interactions:
        a, b = rx.members(rule.a), rx.members(rule.b)
        assert any(rule in rx.between(x, y) for x in a for y in b if x != y), (rule.a, rule.b)


def test_a_limit_beside_a_partner_is_not_above_the_maximum(rx: Rx) -> None:
    for rule in rx.interactions:
        for limit in rule.limits:
            assert limit.drug in {*rx.members(rule.a), *rx.members(rule.b)}
            tops = [
                d.maximum for d in rx.drugs[limit.drug].doses if d.maximum and d.unit == limit.unit
            ]
            assert limit.maximum <= max(tops), (rule.a, rule.b)


def test_what_is_contraindicated_rests_on_a_label(rx: Rx) -> None:
    for rule in rx.interactions:
        if rule.severity == "contraindicated":
            sections = {a.section for a in rule.authority if a.source == "label"}
            assert sections & {"4", "contraindications", "warnings"}, (rule.a, rule.b)


def test_each_contraindication_code_exists(rx: Rx) -> None:
    exists = icd10cm().exists
    for drug in rx.drugs.values():
        for rule in drug.contraindications:
            assert all(map(exists, rule.codes)), (drug.id, rule.codes)
    assert all(exists(code) for name in rx.conditions for code in name.codes)


def test_each_class_has_a_member(rx: Rx) -> None:
    duplicates = {name for drug in rx.drugs.values() for name in drug.duplicate}
    assert [name for name in rx.classes if not rx.members(name) and name not in duplicates] == []


def test_strengths_fit_the_doses(rx: Rx) -> None:
    for drug in rx.drugs.values():
        units = {strength.unit for strength in drug.strengths}
        for dose in drug.doses:
            assert dose.unit in units, drug.id
            if dose.form:
                assert dose.form in {strength.form for strength in drug.strengths}, drug.id
            if dose.route:
                assert dose.route in drug.routes, drug.id


def test_conversions_are_exact_inverses_where_both_stand(rx: Rx) -> None:
    for (a, b), factor in rx.conversions.items():
        if (b, a) in rx.conversions:
            assert factor * rx.conversions[b, a] == 1
    assert rx.conversions["lb", "kg"] == Decimal("0.45359237")


def test_clean_notation_of_all_strengths(rx: Rx) -> None:
    patterns = {one.id: re.compile(one.pattern) for one in rx.notations}
    for drug in rx.drugs.values():
        for strength in drug.strengths:
            for amount in strength.amounts:
                text = f"{amount:,} {strength.unit}"
                assert [i for i, p in patterns.items() if p.search(text)] == [], (drug.id, text)


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("drugs/statins.yaml", "max: 40, unit: mg", "max: 40, unit: stone", "unit"),
        ("drugs/statins.yaml", "usual: 5-40, max: 40", "usual: 5-40, max: 30", "max"),
        ("drugs/statins.yaml", "codes: [K72.0, K72.1]", "codes: [K00.99]", "ICD-10-CM"),
        ("drugs/statins.yaml", ", by: label; 2}", "}", "by"),
        ("drugs/statins.yaml", "by: label; 2}", "by: label; 29}", "section"),
        ("drugs/statins.yaml", "id: lovastatin", "id: simvastatin", "also stands"),
        ("drugs/statins.yaml", "[Lipitor]", "[Zocor]", "Zocor"),
        ("drugs/statins.yaml", "class: [statin,", "class: [statine,", "statine"),
        ("interactions/statins.yaml", "b: amlodipine", "b: amlodipin", "amlodipin"),
        ("interactions/statins.yaml", "b: ranolazine", "b: amlodipine", "also stands"),
        ("interactions/statins.yaml", "severity: major", "severity: minor", "minor"),
        ("allergies.yaml", "drug: bumetanide", "drug: bumetanid", "bumetanid"),
        ("allergies.yaml", "grade: acceptable", "grade: fine", "fine"),
        ("units.yaml", '"1.0 mg"', '"1 mg"', "does not find"),
        ("synonyms.yaml", "[ESRD", "[CKD, ESRD", "twice"),
        ("drugs/statins.yaml", "brands: [Zocor]", "brands: [Zocor]\n    colour: red", "colour"),
    ],
)
def test_what_is_wrong_is_refused_by_file_and_field(
    folder: Path, file: str, old: str, new: str, complaint: str
) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TableError, match=re.escape(complaint)) as caught:
        read(folder)
    assert file.rpartition("/")[2] in str(caught.value)


def test_a_dispute_needs_two_voices(folder: Path) -> None:
    path = folder / "drugs" / "statins.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("effect: liver failure, by", "effect: liver failure, disputed: x, by", 1)
    )
    with pytest.raises(TableError, match="no other authority"):
        read(folder)


def row(**data: object) -> Row:
    return Row("here", data, data)


def test_ages_count_completed_years() -> None:
    over = row(age=">60").age("age")
    assert over is not None
    assert (over.holds(60 * 12 + 11), over.holds(61 * 12)) == (False, True)
    infant = row(age=">=3m <12").age("age")
    assert infant is not None
    assert [infant.holds(months) for months in (2, 3, 143, 144)] == [False, True, True, False]


@pytest.mark.parametrize("text", ["<12 <14", "twelve", ">=12 <12", 12, "<1.55"])
def test_odd_ages_are_refused(text: object) -> None:
    with pytest.raises(TableError):
        row(age=text).age("age")


def test_bounds_are_open_or_closed_as_written() -> None:
    bounds = row(renal="CrCl >=15 <=50").measure("renal")
    assert bounds is not None
    values = [Decimal("14.9"), 15, 50, Decimal("50.1")]
    assert [bounds.range.holds(value) for value in values] == [False, True, True, False]
