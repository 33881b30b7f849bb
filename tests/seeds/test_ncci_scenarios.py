"""NCCI scenarios and decoys agree with the tables and read like clinical notes."""

from __future__ import annotations

import copy
import re
from importlib.resources import files
from typing import Any

import pytest
import yaml

from casegen.schemas import TableError
from casegen.seeds.icd10cm.xml import parse_tabular, tabular_path
from casegen.seeds.scenarios import ncci
from casegen.seeds.scenarios.ncci import NcciScenarios, PairDecoy, Scenario
from casegen.seeds.services import Services
from casegen.seeds.services import load as load_services

ON = "2026-06-15"
SLOT = re.compile(r"\{([^}]*)\}")
KNOWN_SLOT = re.compile(r"He|he|His|his|him|side|other|n:\d+-\d+(:\d+)?|d:\d+\.\d-\d+\.\d")
JARGON = re.compile(
    r"\b(\d{5}|[A-Z]\d{4}|[A-Z]\d\d\.\w+|CPT|HCPCS|ICD|NCCI|MUE|modifiers?|code[sd]?|coding|"
    r"bundl\w+|unbundl\w+|billed|bill|claims?|separately identifiable|payer|edit)\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    return load_services(tmp_path_factory.mktemp("services"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> NcciScenarios:
    return ncci.load(tmp_path_factory.mktemp("scenarios"))


def problems(data: NcciScenarios) -> dict[str, Any]:
    found = {}
    for one in (*data.scenarios, *data.decoys):
        for problem in (one.problem, getattr(one, "second", None)):
            if problem is not None:
                found[problem.id] = problem
    return found


def sentences(data: NcciScenarios) -> list[tuple[str, str]]:
    found = []
    for one in data.scenarios:
        for variant in one.variants:
            found += [(one.id, text) for text in variant.say + variant.says1 + variant.says2]
    for decoy in data.decoys:
        found += [(decoy.id, text) for text in decoy.say + decoy.says_a + decoy.says_b]
    for name, problem in problems(data).items():
        value = problem.values[0]
        found += [(name, text) for text in value.story + value.exam + value.plan]
    return found


def test_there_are_enough_scenarios_and_decoys(data: NcciScenarios) -> None:
    assert len(data.scenarios) >= 30 and len(data.decoys) >= 14
    assert {one.indicator for one in data.scenarios} == {0, 1}
    assert sum(bool(one.of_kind("justified")) for one in data.scenarios) >= 15
    assert {one.kind for one in data.decoys} == {"deleted_pair", "no_pair"}


def test_every_pair_equals_the_table(data: NcciScenarios, services: Services) -> None:
    for one in data.scenarios:
        edit = services.pair(one.column1, one.column2, ON)
        assert edit is not None, one.id
        assert (edit.column1, edit.column2, edit.indicator, edit.deleted) == (
            one.column1, one.column2, one.indicator, None,
        ), one.id  # fmt: skip


def test_no_decoy_is_an_edit(data: NcciScenarios, services: Services) -> None:
    for one in data.decoys:
        assert one.a in services and one.b in services
        assert services.pair(one.a, one.b, "2026-04-01") is None, one.id
        known = services.pair_any(one.a, one.b)
        if one.kind == "no_pair":
            assert known == (), one.id
        else:
            # An edit that once applied counts before one withdrawn from its first day.
            applied = [edit for edit in known if edit.indicator != 9] or known
            assert max(edit.deleted for edit in applied) == one.deleted_on < ON, one.id


def test_services_beside_a_pair_bring_no_edit_of_their_own(
    data: NcciScenarios, services: Services
) -> None:
    for one in data.scenarios:
        codes = (one.column1, one.column2, *one.also)
        assert len(services.conflicts(codes, ON)) == 1, one.id


def test_add_on_codes_have_their_primary(data: NcciScenarios, services: Services) -> None:
    for one in data.scenarios:
        for codes in ((one.column1, *one.also), (one.column1, one.column2, *one.also)):
            for code in codes:
                primaries = services.primaries(code)
                assert not primaries or set(primaries) & set(codes), (one.id, code)
    for decoy in data.decoys:
        assert not services.primaries(decoy.a) and not services.primaries(decoy.b)


def members(one: Scenario | PairDecoy) -> tuple[str, ...]:
    return (one.a, one.b) if isinstance(one, PairDecoy) else (one.column1, one.column2, *one.also)


def test_pairs_fit_settings_sex_and_age_of_their_services(
    data: NcciScenarios, services: Services
) -> None:
    for one in (*data.scenarios, *data.decoys):
        for code in members(one):
            service = services.get(code)
            assert set(one.settings) <= set(service.settings), (one.id, code)
            assert service.age[0] <= one.age[0] <= one.age[1] <= service.age[1], (one.id, code)
            assert service.suits[0] <= one.age[1] and one.age[0] <= service.suits[1]
            if service.sex is not None:
                assert one.sex == service.sex, (one.id, code)
        if one.problem is not None and one.needs is not None:
            assert one.problem.system == one.needs, one.id
        if one.problem is not None:
            value = one.problem.values[0]
            codes = [value.code] if value.code else list(value.codes.values())
            assert any(code.startswith(fit) for fit in one.fits for code in codes), one.id


def test_modifiers_are_those_of_the_manual(data: NcciScenarios, services: Services) -> None:
    for one in data.scenarios:
        visit = services.takes_25(one.column2)
        for variant in one.variants:
            if variant.kind == "bundled":
                continue
            assert variant.modifier in services.associated_modifiers()
            assert (variant.modifier == "25") == visit, one.id
            if variant.kind == "justified":
                assert one.indicator == 1
                allowed = {"25"} if visit else services.bypass_modifiers()
                assert set(variant.modifiers_ok) <= allowed
                assert variant.relation == ("separate_problem" if visit else "separate"), one.id
    for decoy in data.decoys:
        for code, modifier in decoy.modifiers.items():
            assert modifier == "25" and code in (decoy.a, decoy.b) and services.takes_25(code)


def test_a_decision_for_a_procedure_concerns_a_visit(
    data: NcciScenarios, services: Services
) -> None:
    for one in data.scenarios:
        for variant in one.variants:
            if variant.relation in ("decision_only", "separate_problem"):
                assert services.takes_25(one.column2), one.id
            assert variant.sole == (variant.relation == "decision_only")
            if variant.relation == "separate_problem":
                assert variant.uses_other and all("{other}" in text for text in variant.say)
            else:
                assert not variant.uses_other


def test_sentences_are_clinical(data: NcciScenarios) -> None:
    for name, text in sentences(data):
        assert text.endswith("."), (name, text)
        assert text[0] in "{0123456789" or text[0].isupper(), (name, text)
        assert not JARGON.search(text), (name, text)
        for slot in SLOT.findall(text):
            assert KNOWN_SLOT.fullmatch(slot), (name, text)


def test_the_side_is_known_where_it_is_named(data: NcciScenarios, services: Services) -> None:
    for one in data.scenarios:
        sided = bool(one.problem and one.problem.values[0].codes) or any(
            services.get(code).lateral for code in members(one)
        )
        for variant in one.variants:
            for text in (*variant.say, *variant.says1, *variant.says2):
                assert sided or "{side}" not in text, (one.id, text)


def test_a_variant_of_a_same_site_never_says_separate_things(data: NcciScenarios) -> None:
    told: dict[str, set[str]] = {}
    for one in data.scenarios:
        for variant in one.variants:
            for text in variant.say:
                told.setdefault(text, set()).add(str(variant.relation))
    for text, relations in told.items():
        assert len(relations) == 1, (text, relations)


def test_problems_carry_official_terms_and_codes(data: NcciScenarios) -> None:
    nodes = parse_tabular(tabular_path())

    def above(stem: str) -> list[Any]:
        found = []
        at: str | None = stem
        while at is not None:
            found.append(nodes[at])
            at = nodes[at].parent
        return found

    for name, problem in problems(data).items():
        value = problem.values[0]
        coded = {"": value.code} if value.code else dict(value.codes)
        if value.unspecified:
            coded["unspecified"] = value.unspecified
        for side, code in coded.items():
            line = above(code.replace(".", ""))
            assert not line[0].children, (name, code)
            has_seventh = any(node.seventh for node in line)
            assert has_seventh == (value.seventh != "none"), (name, code)
            wordings = {w for node in line[:2] for w in (node.title, *node.inclusion_terms)}
            wordings |= {line[2].title}
            assert value.terms.get(side, value.term) in wordings, (name, code)
            if side in ("right", "left", "bilateral"):
                assert side in line[0].title.lower() or side in line[1].title.lower(), code
        assert sum(term == value.term for term in value.names) == 0, name
        for term in value.names:
            assert bool(value.codes) == ("{side}" in term), (name, term)


def test_a_second_problem_is_another_one(data: NcciScenarios) -> None:
    for one in data.scenarios:
        if one.second is None:
            continue
        values = [problem.values[0] for problem in (one.problem, one.second)]
        categories = {(value.code or next(iter(value.codes.values())))[:3] for value in values}
        assert len(categories) == 2, one.id
        assert one.second.age[0] <= one.age[1] and one.age[0] <= one.second.age[1]


def test_case_kinds_of_practice_are_among_the_scenarios(data: NcciScenarios) -> None:
    pairs = {(one.column1, one.column2): one for one in data.scenarios}
    assert pairs["93306", "93307"].indicator == 0
    assert pairs["93306", "93308"].indicator == 1
    assert pairs["45385", "45380"].of_kind("unjustified_modifier")
    assert pairs["45385", "45380"].of_kind("justified")[0].modifiers_ok == ("59", "XS")
    injection = pairs["20610", "99213"]
    assert [one.modifier for one in injection.of_kind("bundled")] == [None, None]
    assert {one.relation for one in injection.of_kind("unjustified_modifier")} == {"decision_only"}
    assert injection.of_kind("justified")[0].modifier == "25"
    assert ("99214", "99213") in pairs


def test_a_cached_file_reads_the_same(tmp_path: Any) -> None:
    ncci._load.cache_clear()
    first = ncci.load(tmp_path)
    ncci._load.cache_clear()
    assert ncci.load(tmp_path) == first
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-5])
    ncci._load.cache_clear()
    assert ncci.load(tmp_path) == first


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda row: row.update(indicator=9), "indicator"),
        (lambda row: row.update(settings=["garage"]), "settings"),
        (lambda row: row["variants"]["bundled"][0].update(modifier="59"), "modifier"),
        (lambda row: row["variants"]["bundled"][0].update(say=["Too little."]), "say"),
        (lambda row: row["variants"].update(right=[]), "variants"),
        (lambda row: row.update(colour="blue"), "colour"),
        (lambda row: row.pop("why"), "why"),
    ],
)
def test_a_wrong_scenario_is_refused(change: Any, complaint: str) -> None:
    text = (files("casegen.seeds.scenarios") / "ncci.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    row = copy.deepcopy(data["scenarios"][0])
    ncci.build({"scenarios": [row]})
    change(row)
    with pytest.raises(TableError, match=complaint):
        ncci.build({"scenarios": [row]})
