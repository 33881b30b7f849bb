"""Rows as Arrow tables of the schema of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa

from casegen.schemas import CasegenError

from .exact import InexactError, exact_texts

# Turns a value into what Arrow stores; None where it is stored as it is.
_Encode = Callable[[Any], Any] | None


class RowError(CasegenError):
    """A row does not have the form that its configuration promises: a defect of casegen."""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kind: pa.DataType
    storage: pa.DataType
    encode: _Encode

    @property
    def whole(self) -> bool:
        """Whether all of it is one JSON value, so that its text also serves the line."""
        return self.encode is _json


class Encoder:
    """Makes tables of the rows of one configuration.

    ``schema`` is that of its features; a schema travels between processes, and spares a worker
    the import of ``datasets``.
    """

    def __init__(self, config: str, schema: pa.Schema) -> None:
        self.config = config
        self.schema = schema
        self._columns = [
            _Column(field.name, field.type, _storage(field.type), _encode(field.type))
            for field in schema
        ]
        self._waiting: list[list[Any]] = [[] for _ in self._columns]
        self._names = dict.fromkeys(schema.names).keys()

    def __len__(self) -> int:
        return len(self._waiting[0])

    def add(self, row: Mapping[str, Any]) -> bytes:
        """Keep a row for the next table; the row as one line of JSON. What is JSON is written
        at once: text costs less to keep than what it tells of. Raises RowError where the row
        does not fit."""
        if row.keys() != self._names:
            odd = ", ".join(sorted(set(row) ^ set(self._names)))
            raise RowError(f"{self.config}: a row has not the columns promised: {odd}")
        line: dict[str, Any] = {}
        for column, waiting in zip(self._columns, self._waiting, strict=True):
            value = told = row[column.name]
            if value is not None and column.encode is not None:
                try:
                    if column.whole:
                        text = orjson.dumps(value)
                        told, value = orjson.Fragment(text), text.decode()
                    else:
                        value = column.encode(value)
                except (TypeError, KeyError, AttributeError) as error:
                    raise RowError(f"{self.config}, column {column.name}: {error}") from None
            waiting.append(value)
            line[column.name] = told
        try:
            return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
        except TypeError as error:
            raise RowError(f"{self.config}: {error}") from None

    def table(self) -> pa.Table:
        """The rows that waited. Raises RowError where a value does not fit."""
        arrays = []
        for column, waiting in zip(self._columns, self._waiting, strict=True):
            try:
                arrays.append(_wrapped(pa.array(waiting, type=column.storage), column.kind))
            except (InexactError, TypeError, pa.ArrowException, OverflowError) as error:
                raise RowError(f"{self.config}, column {column.name}: {error}") from None
        self._waiting = [[] for _ in self._columns]
        return pa.Table.from_arrays(arrays, schema=self.schema)


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _encode(kind: pa.DataType) -> _Encode:
    """What turns a value into what Arrow stores."""
    if isinstance(kind, pa.JsonType):
        return _json
    if _is_list(kind):
        inner = _encode(kind.value_type)
        if inner is None:
            return None
        return lambda value: [None if item is None else inner(item) for item in value]
    if pa.types.is_struct(kind):
        return _struct({part.name: _encode(part.type) for part in kind})
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
