"""Rows as Arrow tables of the schema of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from casegen.schemas import CasegenError

from .exact import InexactError, exact_json, exact_texts, fractional

# Turns a value into what Arrow stores; None where it is stored as it is.
_Encode = Callable[[Any], Any] | None


class RowError(CasegenError):
    """A row does not have the form that its configuration promises: a defect of casegen."""


# From this length on a text waits as UTF-8, of which Python's own text takes up to three times.
_LONG = 256


@dataclass(frozen=True, slots=True)
class _Column:
    """A column. ``whole``: all of it is one JSON value, so that its text also serves the line;
    ``many``: it is a list of JSON values, of which rows share some; ``parts``: the names of the
    texts of which each item of a list is made; ``text``: it is text."""

    name: str
    kind: pa.DataType
    storage: pa.DataType
    encode: _Encode
    whole: bool
    many: bool
    parts: tuple[str, ...]
    text: bool


@dataclass(slots=True)
class _Items:
    """What lists of a column hold, one after the other: how many items each row has, None where
    it has no list, and the texts of the items, by part where they have several."""

    lengths: list[int | None]
    texts: list[list[bytes | None]]


def _column(field: pa.Field) -> _Column:
    kind = field.type
    many = _is_list(kind) and isinstance(kind.value_type, pa.JsonType)
    whole = isinstance(kind, pa.JsonType)
    parts = _text_parts(kind.value_type) if _is_list(kind) else ()
    return _Column(
        field.name, kind, _storage(kind), encoding(kind), whole, many, parts, kind == pa.string()
    )


def _text_parts(kind: pa.DataType) -> tuple[str, ...]:
    """The names of the fields of a struct that holds texts alone; none of any other type."""
    if not pa.types.is_struct(kind) or any(part.type != pa.string() for part in kind):
        return ()
    return tuple(part.name for part in kind)


class Encoder:
    """Makes tables of the rows of one configuration.

    ``schema`` is that of its features; a schema travels between processes, and spares a worker
    the import of ``datasets``. ``shared`` keeps the texts of what rows share; configurations
    that are made of the same episodes may have it in common.
    """

    def __init__(self, config: str, schema: pa.Schema, shared: Shared | None = None) -> None:
        self.config = config
        self.schema = schema
        self._columns = [_column(field) for field in schema]
        self._order = tuple(schema.names)
        self._names = dict.fromkeys(self._order).keys()
        self._encoded = [one for one in self._columns if one.encode is not None or one.parts]
        self._texts = [one.name for one in self._columns if one.text]
        self._shared = Shared() if shared is None else shared
        self._lists: dict[str, tuple[list[Any], orjson.Fragment, list[bytes | None]]] = {}
        self._waiting: list[tuple[Any, ...]] = []
        self._items = self._no_items()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, row: Mapping[str, Any]) -> bytes:
        """Keep a row for the next table; the row as one line of JSON. What is JSON is written
        at once: text costs less to keep than what it tells of. Raises RowError where the row
        does not fit."""
        if row.keys() != self._names:
            odd = ", ".join(sorted(set(row) ^ set(self._names)))
            raise RowError(f"{self.config}: a row has not the columns promised: {odd}")
        line = dict(row) if tuple(row) == self._order else {n: row[n] for n in self._order}
        kept = line.copy()
        for column in self._encoded:
            value = line[column.name]
            try:
                if column.many or column.parts:
                    line[column.name] = self._listed(column, value)
                elif value is not None:
                    line[column.name], kept[column.name] = _told(column, value)
            except (InexactError, TypeError, KeyError, AttributeError) as error:
                raise RowError(f"{self.config}, column {column.name}: {error}") from None
        try:
            written = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
        except TypeError as error:
            raise RowError(f"{self.config}: {error}") from None
        for name in self._texts:
            value = kept[name]
            if type(value) is str and len(value) >= _LONG:
                kept[name] = value.encode()
        self._waiting.append(tuple(kept.values()))
        return written

    def _listed(self, column: _Column, value: Any) -> Any:
        """Keep the items of a list; the list as it stands in the line."""
        items = self._items[column.name]
        if value is None:
            items.lengths.append(None)
            return None
        items.lengths.append(len(value))
        if column.parts:
            _keep_parts(value, column.parts, items.texts)
            return value
        # Rows in a row often have one and the same list, such as that of tools.
        last = self._lists.get(column.name)
        if last is None or last[0] is not value:
            last = self._lists[column.name] = value, *self._shared.texts(value)
        items.texts[0].extend(last[2])
        return last[1]

    def _no_items(self) -> dict[str, _Items]:
        lists = [column for column in self._columns if column.many or column.parts]
        return {one.name: _Items([], [[] for _ in one.parts or (None,)]) for one in lists}

    def table(self) -> pa.Table:
        """The rows that waited. Raises RowError where a value does not fit."""
        arrays = []
        by_column = zip(*self._waiting, strict=True) if self._waiting else [()] * len(self._order)
        for column, waiting in zip(self._columns, by_column, strict=True):
            try:
                if column.name in self._items:
                    arrays.append(_lists(self._items[column.name], column.kind))
                else:
                    array = pa.array(waiting, type=column.storage)
                    arrays.append(_wrapped(array, column.kind))
            except (InexactError, TypeError, pa.ArrowException, OverflowError) as error:
                raise RowError(f"{self.config}, column {column.name}: {error}") from None
        self._waiting, self._items, self._lists = [], self._no_items(), {}
        return pa.Table.from_arrays(arrays, schema=self.schema)


class Shared:
    """The texts of JSON values that stand in lists: many are in several rows, such as messages of
    one history and tools, and are written once. A value is known by being the same object, which
    is kept so that it stays that, and is not to be changed."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, bytes, bytes | None]] = {}

    def texts(self, values: list[Any]) -> tuple[orjson.Fragment, list[bytes | None]]:
        """The list as JSON, and the text of each value as its reader needs it; JSON's null is
        none."""
        known = self._known
        lines, texts = [], []
        for value in values:
            found = known.get(id(value))
            if found is None:
                line = _dumped(value)
                text = exact_json(value).encode() if fractional(value) else line
                found = known[id(value)] = value, line, None if value is None else text
            lines.append(found[1])
            texts.append(found[2])
        return orjson.Fragment(b"[%b]" % b",".join(lines)), texts

    def forget(self) -> None:
        """Let go of all values: no later row shares them."""
        self._known.clear()


def _told(column: _Column, value: Any) -> tuple[Any, Any]:
    """A value that is no list of texts as it stands in the line, and as it waits."""
    if column.whole:
        text = _dumped(value)
        return orjson.Fragment(text), text
    encode = column.encode
    return value, value if encode is None else encode(value)


def _keep_parts(
    items: list[dict[str, str]], names: tuple[str, ...], kept: list[list[bytes | None]]
) -> None:
    """Keep the texts of structs as UTF-8, by field."""
    keys = dict.fromkeys(names).keys()
    for item in items:
        # Arrow would fill a key that is not there with null, and drop one that it doesn't know.
        if item.keys() != keys:
            raise KeyError(f"keys {sorted(item)} where {sorted(names)} are promised")
    for name, texts in zip(names, kept, strict=True):
        texts += [None if (text := item[name]) is None else text.encode() for item in items]


def _lists(items: _Items, kind: pa.DataType) -> pa.Array:
    """Lists of JSON or of structs of texts as an array, put together from the bytes of texts."""
    inner = kind.value_type
    if isinstance(inner, pa.JsonType):
        texts = _strings(items.texts[0], inner.storage_type)
        values = pa.ExtensionArray.from_storage(inner, texts)
    else:
        parts = [_strings(texts, part.type) for texts, part in zip(items.texts, inner, strict=True)]
        values = pa.StructArray.from_arrays(parts, fields=list(inner))
    lengths = items.lengths
    ends = np.cumsum([0, *(length or 0 for length in lengths)])
    mask = pa.array([length is None for length in lengths]) if None in lengths else None
    large = pa.types.is_large_list(kind)
    make = pa.LargeListArray if large else pa.ListArray
    offsets = pa.array(ends, type=pa.int64() if large else pa.int32())
    return make.from_arrays(offsets, values, type=kind, mask=mask)


def _strings(texts: list[bytes | None], kind: pa.DataType) -> pa.Array:
    """An array of texts, which are UTF-8."""
    valid = None
    if None in texts:
        valid = pa.array([text is not None for text in texts]).buffers()[1]
    whole = [text or b"" for text in texts]
    size = np.int64 if pa.types.is_large_string(kind) else np.int32
    ends = np.zeros(len(texts) + 1, size)
    np.cumsum(np.fromiter(map(len, whole), size, len(texts)), out=ends[1:])
    data = pa.py_buffer(b"".join(whole))
    return pa.Array.from_buffers(kind, len(texts), [valid, pa.py_buffer(ends), data])


def _dumped(value: Any) -> bytes:
    """A value as JSON that is to be kept: what orjson gives holds on to memory for several
    kilobytes however short it is."""
    return memoryview(orjson.dumps(value)).tobytes()


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """The schema without extensions: what JSON columns hold is text."""
    return pa.schema([field.with_type(_storage(field.type)) for field in schema])


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def encoding(kind: pa.DataType) -> _Encode:
    """What turns a value into what Arrow stores, JSON into text; None where that is the value."""
    if isinstance(kind, pa.JsonType):
        return _json
    if _is_list(kind):
        inner = encoding(kind.value_type)
        if inner is None:
            return None
        return lambda value: [None if item is None else inner(item) for item in value]
    if pa.types.is_struct(kind):
        return _struct({part.name: encoding(part.type) for part in kind})
    return None


def _struct(parts: dict[str, _Encode]) -> Callable[[Any], Any]:
    names = parts.keys()
    encoded = [(name, part) for name, part in parts.items() if part is not None]

    def encode(value: Any) -> Any:
        # Arrow would fill a key that is not there with null, and drop one that it doesn't know.
        if value.keys() != names:
            raise KeyError(f"keys {sorted(value)} where {sorted(names)} are promised")
        if not encoded:
            return value
        made = dict(value)
        for name, part in encoded:
            if made[name] is not None:
                made[name] = part(made[name])
        return made

    return encode


def _storage(kind: pa.DataType) -> pa.DataType:
    """The type without extensions, from which Arrow makes arrays of Python objects."""
    if isinstance(kind, pa.BaseExtensionType):
        return kind.storage_type
    if _is_list(kind):
        make = pa.large_list if pa.types.is_large_list(kind) else pa.list_
        return make(kind.value_field.with_type(_storage(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([part.with_type(_storage(part.type)) for part in kind])
    return kind


def _wrapped(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """The array of the storage type as one of ``kind``; buffers are shared, not copied."""
    if array.type == kind:
        return array
    if isinstance(kind, pa.JsonType):
        return pa.ExtensionArray.from_storage(kind, exact_texts(array))
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, array)
    mask = array.is_null() if array.null_count else None
    if pa.types.is_struct(kind):
        parts = [_wrapped(array.field(at), part.type) for at, part in enumerate(kind)]
        return pa.StructArray.from_arrays(parts, fields=list(kind), mask=mask)
    make = pa.LargeListArray if pa.types.is_large_list(kind) else pa.ListArray
    values = _wrapped(array.values, kind.value_type)
    return make.from_arrays(array.offsets, values, type=kind, mask=mask)
