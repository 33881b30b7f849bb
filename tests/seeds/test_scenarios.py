"""Curated Excludes1 pairs and decoys against the tabular list."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

from casegen.schemas.errors import TableError
from casegen.seeds import conditions, phrases, scenarios
from casegen.seeds.icd10cm.codes import stem
from casegen.seeds.icd10cm.notes import covers, parse_note
from casegen.seeds.icd10cm.xml import Node, parse_tabular, tabular_path
from casegen.seeds.scenarios import DecoyPair, Pair, Side

FOLDER = Path(scenarios.__file__).with_name("excludes1")
PAIRS = scenarios.load().pairs
DECOYS = scenarios.load().decoys
ALL: tuple[Pair | DecoyPair, ...] = (*PAIRS, *DECOYS)

# Words that leave a diagnosis uncertain (guideline IV.H); a settled one must not carry them.
UNCERTAIN = re.compile(
    r"\b(probable|probably|suspected|likely|questionable|possible|possibly|presumed|presumably"
    r"|consistent with|compatible with|suggestive|suggests?|appears to be|concern for)\b",
    re.IGNORECASE,
)
SLOT = re.compile(
    r"\{(?:[Hh]e|[Hh]is|him|keep|drop|a|b|n:\d+-\d+(?::\d+)?|d:\d+(?:\.\d+)?-\d+(?:\.\d+)?)\}"
)


@lru_cache(maxsize=1)
def tabular() -> dict[str, Node]:
    return parse_tabular(tabular_path())


def ids(rows: tuple[Pair | DecoyPair, ...]) -> list[str]:
    return [one.id for one in rows]


def node_of(stands_on: str) -> Node:
    nodes = tabular()
    return nodes.get(f"block:{stands_on}") or nodes[stem(stands_on)]


def lines(one: Pair | DecoyPair) -> tuple[str, ...]:
    node = node_of(one.note.stands_on)
    kind = getattr(one, "kind", "excludes1")
    if kind == "excludes2":
        return node.excludes2
    if kind == "code_also":
        return (*node.code_also, *node.use_additional)
    return node.excludes1


def above(code: str) -> list[str]:
    nodes, at = tabular(), stem(code)
    found = [at]
    while nodes[at].parent is not None:
        at = nodes[at].parent or ""
        found.append(at)
    return found


def sentences(side: Side) -> tuple[str, ...]:
    return (*side.story, *side.exam, *side.plan)


def test_there_are_enough_of_each_kind() -> None:
    assert len(PAIRS) >= 200
    chapters = {above(side.code)[-1] for pair in PAIRS for side in pair.sides.values()}
    assert len(chapters) >= 16
    assert len(DECOYS) >= 60
    for kind in scenarios.DECOY_KINDS:
        assert sum(one.kind == kind for one in DECOYS) >= 4, kind


@pytest.mark.parametrize("one", ALL, ids=ids(ALL))
def test_the_note_stands_verbatim_in_the_list_and_names_one_member_from_the_other(
    one: Pair | DecoyPair,
) -> None:
    assert one.note.text in lines(one)
    holder = node_of(one.note.stands_on).stem
    note = parse_note(one.note.text)
    sides = (one.sides["a"].code, one.sides["b"].code)
    assert any(
        holder in above(under)
        and any(covers(reference, stem(named)) for reference in note.references)
        for under, named in (sides, sides[::-1])
    )


@pytest.mark.parametrize("one", ALL, ids=ids(ALL))
def test_codes_are_complete_and_terms_are_official_wording(one: Pair | DecoyPair) -> None:
    nodes = tabular()
    for side in one.sides.values():
        node = nodes[stem(side.code)]
        assert not node.children, side.code
        assert not any(nodes[at].seventh for at in above(side.code)), side.code
        official = [nodes[at] for at in above(side.code) if ":" not in at]
        wordings = {text for at in official for text in (at.title, *at.inclusion_terms)}
        assert side.term in wordings, side.term
        assert sum(name == side.term for name in side.names) <= len(side.names) // 5


@pytest.mark.parametrize("one", ALL, ids=ids(ALL))
def test_names_tell_the_members_apart(one: Pair | DecoyPair) -> None:
    a, b = (one.sides[member] for member in "ab")
    assert not {name.lower() for name in a.names} & {name.lower() for name in b.names}
    for name in (*a.names, *b.names):
        assert not name.endswith(".") and "{" not in name
        assert not UNCERTAIN.search(name), name


@pytest.mark.parametrize("one", ALL, ids=ids(ALL))
def test_sentences_are_whole_certain_and_free_of_codes(one: Pair | DecoyPair) -> None:
    texts = [text for side in one.sides.values() for text in sentences(side)]
    if isinstance(one, Pair):
        texts += [text for member in one.keep for text in one.settle[member]]
        for member in one.keep:
            assert len(sentences(one.sides[member])) >= 9
    else:
        texts += one.relation
    for text in texts:
        assert text.endswith("."), text
        bare = SLOT.sub("_", text)
        assert not re.search(r"[{}]", bare), text
        assert not UNCERTAIN.search(text), text
        assert not re.search(r"\b[A-TV-Z]\d\d\.?\d*\b", text), text
        assert not re.search(r"\b(?:he|she|him|his|her|hers)\b", bare), f"no slot: {text}"


@pytest.mark.parametrize("one", ALL, ids=ids(ALL))
def test_no_drug_brings_a_long_term_code_that_is_not_listed(one: Pair | DecoyPair) -> None:
    # Long-term drug status that the guideline (I.C.21.c.3) wants coded; insulin is part of
    # type 1 diabetes and needs no status code there (I.C.4.a.3).
    words = re.compile(
        r"aspirin|warfarin|apixaban|clopidogrel|metformin|glipizide|estradiol|tamoxifen"
        r"|alendronate|methotrexate|fluticasone|budesonide inhal",
        re.IGNORECASE,
    )
    for side in one.sides.values():
        listed = " ".join(side.drugs)
        assert side.adds or not words.search(listed), listed
        assert "insulin" not in listed or side.code.startswith("E10")


@pytest.mark.parametrize("pair", PAIRS, ids=ids(PAIRS))
def test_tables_call_the_pair_a_certain_conflict(pair: Pair) -> None:
    tables = pytest.importorskip("casegen.seeds.icd10cm.tables").load()
    a, b = (pair.sides[member] for member in "ab")
    for side in (a, b):
        assert tables.billable(side.code)
        assert tables.resolve(side.term, {}) == (side.code,)
    hits = tables.excludes1(a.code, b.code)
    assert "certain" in {hit.reach for hit in hits}
    assert pair.note.text in {hit.note for hit in hits if hit.reach == "certain"}


@pytest.mark.parametrize("decoy", DECOYS, ids=ids(DECOYS))
def test_tables_allow_the_decoy_for_its_reason(decoy: DecoyPair) -> None:
    tables = pytest.importorskip("casegen.seeds.icd10cm.tables").load()
    a, b = (decoy.sides[member] for member in "ab")
    for side in (a, b):
        assert tables.billable(side.code)
        assert tables.resolve(side.term, {}) == (side.code,)
    hits = tables.excludes1(a.code, b.code)
    if decoy.kind == "unrelated":
        assert hits
        assert any("unrelated" in text or "connection" in text for text in decoy.relation)
    elif decoy.kind == "does_not_reach":
        assert {hit.reach for hit in hits} == {"no"}
    else:
        assert not hits
        found = (
            [hit.note for hit in tables.excludes2(a.code, b.code)]
            if decoy.kind == "excludes2"
            else [note.text for note in tables.code_also(a.code, b.code)]
        )
        assert decoy.note.text in found


def test_a_member_fits_the_sexes_and_ages_of_its_scenario() -> None:
    tables = pytest.importorskip("casegen.seeds.icd10cm.tables").load()
    for one in ALL:
        for side in one.sides.values():
            meant = tables.sex_by_meaning(side.code)
            assert meant is None or meant[0] == one.sex, one.id
            years = tables.age_by_meaning(side.code)
            assert years is None or years[0] <= one.age[0] <= one.age[1] <= years[1], one.id


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("sex: any", "sex: all"), "sex"),
        (("keep: [a, b]", "keep: [c]"), "keep"),
        (("code: A09", "code: Z"), "code"),
        (("groups: [gut_infection]", "groups: gut_infection"), "groups"),
        (("decoys:", "decoy:"), "decoy"),
        (("age: [6, 85]", "age: [85, 6]"), "age"),
        (("{drop} has been ruled out by a complete", "It has been ruled out by a"), "drop"),
        (("system: gastrointestinal", "system: belly"), "system"),
        (("pairs:", "pairs: ["), "01_infections.yaml"),
    ],
)
def test_a_broken_file_gets_one_clear_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: tuple[str, str],
    complaint: str,
) -> None:
    monkeypatch.setenv("CASEGEN_CACHE", str(tmp_path / "cache"))
    good = (FOLDER / "01_infections.yaml").read_text(encoding="utf-8")
    assert change[0] in good
    path = tmp_path / "01_infections.yaml"
    path.write_text(good.replace(change[0], change[1], 1), encoding="utf-8")
    with pytest.raises(TableError, match=complaint) as caught:
        scenarios.read(path)
    assert "\n" not in str(caught.value)


def test_an_id_stands_in_one_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASEGEN_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "pairs"
    folder.mkdir()
    good = (FOLDER / "01_infections.yaml").read_bytes()
    (folder / "a.yaml").write_bytes(good)
    assert len(scenarios.read_folder(folder).pairs) >= 4
    (folder / "b.yaml").write_bytes(good)
    with pytest.raises(TableError, match="twice"):
        scenarios.read_folder(folder)


def test_no_file_is_too_long_to_read() -> None:
    long = {
        path.name: lines
        for path in FOLDER.glob("*.yaml")
        if (lines := path.read_text(encoding="utf-8").count("\n")) > 1000
    }
    assert not long


def test_a_list_of_sentences_opens_in_different_ways() -> None:
    for one in ALL:
        for side in one.sides.values():
            for texts in (side.story, side.exam, side.plan):
                starts = [" ".join(text.split()[:3]) for text in texts]
                assert len(set(starts)) == len(starts), (one.id, texts)


def test_no_pair_of_codes_stands_twice() -> None:
    seen = [frozenset(side.code for side in pair.sides.values()) for pair in PAIRS]
    assert len(set(seen)) == len(seen)


def test_every_added_code_can_be_told() -> None:
    banks = phrases.load().adds
    for one in ALL:
        for side in one.sides.values():
            for add in side.adds:
                assert add.code in banks, (one.id, add.code)


def test_no_condition_of_the_chart_brings_an_added_code_once_more() -> None:
    # A claim holds a code once; a problem that brings the same one must not join.
    bringing = [
        (add.code, code)
        for condition in conditions.load()
        for value in condition.values
        for add in value.adds
        for code in (value.code, *value.codes.values())
        if code
    ]
    for one in ALL:
        added = {add.code for side in one.sides.values() for add in side.adds}
        wrong = [
            (one.id, code)
            for brought, code in bringing
            if brought in added and not code.startswith(one.clashes)
        ]
        assert not wrong
