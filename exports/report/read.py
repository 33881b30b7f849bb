"""Rows of the files of an export, streamed, a few columns at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from casegen.schemas import InputError

from ..finished import need_intact
from ..manifest import FileEntry

_BATCH = 64  # rows; an episode is some ten kilobytes


def rows(
    folder: Path, entry: FileEntry, columns: Sequence[str], wanted: Iterable[int] | None = None
) -> Iterator[Any]:
    """The rows of a file of an export in order, or those of the numbers ``wanted``, as
    dictionaries.

    Columns of type JSON are parsed. Memory does not grow with the file. Raises InputError where
    the file is not as it was written: Arrow reads many a damaged one without a word.
    """
    need_intact(folder, entry)
    path = folder / entry.path
    chosen = None if wanted is None else sorted(wanted)
    try:
        with pq.ParquetFile(path) as file:
            missing = sorted(set(columns) - set(file.schema_arrow.names))
            if missing:
                raise InputError("column", missing[0], "is missing", path=str(path))
            parsed = _json_columns(file.schema_arrow, columns)
            start = 0
            for batch in file.iter_batches(_BATCH, columns=list(columns)):
                end = start + batch.num_rows
                if chosen is not None:
                    places = [at - start for at in chosen if start <= at < end]
                    batch = batch.take(pa.array(places, pa.int64()))
                for row in batch.to_pylist():
                    yield _parsed(row, parsed)
                start = end
                if chosen is not None and (not chosen or chosen[-1] < end):
                    return
    except (OSError, pa.ArrowException) as error:
        told = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError("shard", entry.path, f"can't be read: {told}", path=str(folder)) from None


def _json_columns(schema: pa.Schema, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        name
        for name in columns
        if getattr(schema.field(name).type, "extension_name", "") == "arrow.json"
    )


def _parsed(row: dict[str, Any], columns: Iterable[str]) -> Mapping[str, Any]:
    for name in columns:
        if row[name] is not None:
            row[name] = orjson.loads(row[name])
    return row
