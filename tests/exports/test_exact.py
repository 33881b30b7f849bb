"""JSON columns come back as they went in."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from datasets import Features, Json, List, Value
from datasets.utils.json import ujson_loads
from hypothesis import given, settings
from hypothesis import strategies as st

from casegen.exports.arrow import Encoder, RowError
from casegen.exports.exact import InexactError, exact_json, exact_texts

from .playing import TRICKY

# Fractions as scores and shares have them: some places behind the point.
FRACTIONS = st.integers(-(10**6), 10**6).map(lambda number: number / 10**6)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | FRACTIONS
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=300)
@given(VALUES)
def test_the_reader_of_json_columns_and_any_other_restore_a_value(value: Any) -> None:
    text = exact_json(value)
    for read in (ujson_loads, json.loads):
        assert repr(read(text)) == repr(value)


def test_the_reader_alone_would_change_a_fraction() -> None:
    assert ujson_loads("0.6") != 0.6
    assert ujson_loads(exact_json(0.6)) == 0.6


@pytest.mark.parametrize(
    "text", ['"0.6":0.6', ":0.6", "[0.6,0.35", '\\":0.6', "\\\\", "é,0.6", "1e-7", "x:12.55,"]
)
def test_a_number_in_a_text_stays_as_it_is(text: str) -> None:
    value = {text: [text, 0.6, {"within": text, "more": 0.35}], "after": text}
    assert ujson_loads(exact_json(value)) == value


def test_a_number_that_the_reader_always_changes_is_refused_and_not_changed() -> None:
    with pytest.raises(InexactError, match=r"0\.41046182734590886"):
        exact_json({"a": [0.41046182734590886]})


def test_whole_numbers_beyond_what_the_reader_takes_are_refused() -> None:
    for number in (2**64, -(2**63) - 1):
        with pytest.raises(TypeError):
            exact_json(number)


def test_json_within_lists_and_records_keeps_nulls_and_absent_keys(tmp_path: Any) -> None:
    import pyarrow.parquet as pq
    from datasets import Dataset

    features = Features(
        {
            "plain": Json(),
            "many": List(Json()),
            "messages": List({"role": Value("string"), "calls": List(Json()), "extra": Json()}),
        }
    )
    message = {"role": "user", "calls": [TRICKY, {}], "extra": {"a": {}}}
    rows: list[dict[str, Any]] = [
        {"plain": TRICKY, "many": [TRICKY, None, {}, [], 0.6, "x"], "messages": [message]},
        {"plain": None, "many": None, "messages": []},
        {"plain": [], "many": [], "messages": [{"role": "a", "calls": None, "extra": None}] * 2},
    ]
    encoder = Encoder("test", features.arrow_schema)
    for row in rows:
        encoder.add(row)
    pq.write_table(encoder.table(), tmp_path / "rows.parquet")
    found = Dataset.from_parquet(str(tmp_path / "rows.parquet"), cache_dir=str(tmp_path / "cache"))
    assert found.features == features
    assert list(found) == rows


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"a": 1}, "columns promised: b"),
        ({"a": 1, "b": {"c": "x"}, "d": 0}, "columns promised: d"),
        ({"a": 1, "b": {}}, "column b"),
        ({"a": 1, "b": {"c": "x", "e": "y"}}, "column b"),
        ({"a": "text", "b": {"c": "x"}}, "column a"),
        ({"a": 2**70, "b": {"c": "x"}}, "64-bit"),
    ],
)
def test_a_row_that_its_features_do_not_promise_is_refused(row: dict[str, Any], told: str) -> None:
    features = Features({"a": Value("int64"), "b": {"c": Value("string")}})
    encoder = Encoder("test", features.arrow_schema)
    with pytest.raises(RowError, match=told):
        encoder.add(row)
        encoder.table()


def test_a_row_is_kept_once() -> None:
    encoder = Encoder("test", Features({"a": Value("int64")}).arrow_schema)
    assert encoder.add({"a": 1}) == b'{"a":1}\n'
    assert len(encoder) == 1
    assert encoder.table() == pa.table({"a": [1]})
    assert len(encoder) == 0


@settings(deadline=None, max_examples=200)
@given(st.lists(VALUES, min_size=1, max_size=4))
def test_a_column_of_json_comes_back(values: list[Any]) -> None:
    texts = pa.array([json.dumps(value, separators=(",", ":")) for value in values], pa.string())
    found = exact_texts(texts).to_pylist()
    assert repr([ujson_loads(text) for text in found]) == repr(values)
