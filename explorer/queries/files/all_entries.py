"""Entries of data files by Iceberg's own reader, which projects: the faster way where statistics make manifests fat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.types import (
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    IntegerType,
    LongType,
    StringType,
    StructType,
)

from ...engine.logging import silenced_errors
from ...model.iceberg.document import PartitionField, Specs
from ..rows import arrow, schema_mapping
from ..source import Source
from .partition_text import quoted_if_odd

_OF_ENTRY = ("status", "snapshot_id", "sequence_number", "file_sequence_number")
_COLUMNS = (*_OF_ENTRY, "content", "file_path", "file_format", "spec_id", "record_count", "file_size_in_bytes")
_BOUNDS = {"lower": "lower_bounds", "upper": "upper_bounds"}
_COUNTS = {"nulls": "null_value_counts", "values": "value_counts"}
_MOST_NAMES = 5_000  # as literals of a query
_AS_TEXT = (BooleanType, DateType, DecimalType, IntegerType, LongType, StringType)


def data_entries(
    source: Source,
    *,
    without: int | None,
    snapshot_id: int | None = None,
    columns: Sequence[str] = _COLUMNS,
    paths: Collection[str] | None = None,
    bounds_of: Sequence[int] = (),
    counts_of: Sequence[int] = (),
) -> pa.Table | None:
    """Entries of data manifests as a reader sees them, from one narrow scan of `all_entries`, or of `entries`.

    Columns: those asked for of status, snapshot_id, sequence_number, file_sequence_number, content, file_path,
    file_format, spec_id, record_count, file_size_in_bytes as in `all_entries`; partition string, as
    `files.manifests.entries` writes it; for each field id n of `bounds_of` lower_n, upper_n binary, as stored; of
    `counts_of` nulls_n, values_n int64.

    Args:
        source: the table.
        without: the status of entries that are not asked; None for all.
        snapshot_id: whose `entries` are scanned; None for `all_entries`.
        columns: what is read of each entry; spec_id is.
        paths: the only values of file_path that are needed: others may be null; None for all.
        bounds_of: field ids of columns whose bounds are read.
        counts_of: those whose values and nulls are.

    None if Iceberg's table cannot be asked (the table was opened by its file, a manifest list is missing, a column type
    is not one of Spark's), or if a partition's text cannot be told from the values that Spark shows.

    Cost: Iceberg reads every manifest list, and every data manifest of all snapshots; or those of the one.
    """
    relation = source.located.relation
    if relation is None:
        return None
    with silenced_errors():
        try:
            entries = "all_entries" if snapshot_id is None else f"entries VERSION AS OF {snapshot_id}"
            table = source.spark.sql(f"SELECT * FROM {relation}.{entries}")  # noqa: S608 - quoted
            partition = table.schema["data_file"].dataType
            statistics = [*_statistics(_BOUNDS, bounds_of), *_statistics(_COUNTS, counts_of)]
            asked = [_path_if_of(paths) if name == "file_path" else _column(name) for name in columns]
            frame = _narrow(table, partition, [*asked, *statistics], without)  # type: ignore[arg-type]
            found = arrow.collected(frame)
        except Exception as error:
            if isinstance(error, PySparkException) or type(error).__name__ == "Py4JJavaError":
                return None
            raise
    texts = _texts(found, _types(partition), source.specs)  # type: ignore[arg-type]
    if texts is None:
        return None
    if "partition" in found.column_names:
        found = found.drop_columns("partition")
    return found.append_column("partition", texts)


def _narrow(table: DataFrame, data_file: StructType, columns: Iterable[str], without: int | None) -> DataFrame:
    partition = ["data_file.partition"] if "partition" in data_file.names else []
    entries = "data_file.content = 0" if without is None else f"data_file.content = 0 AND status <> {without}"
    return table.where(entries).selectExpr(*columns, *partition)


def _column(name: str) -> str:
    return name if name in _OF_ENTRY else f"data_file.{name}"


def _path_if_of(paths: Collection[str] | None) -> str:
    """The path of the data file, or null if it is none of these; all of them where they are too many for a query."""
    path = _column("file_path")
    if paths is None or len(paths) > _MOST_NAMES:
        return path
    names = ", ".join(map(schema_mapping.text, paths)) or "NULL"
    return f"CASE WHEN {path} IN ({names}) THEN {path} END AS file_path"


def _statistics(kinds: Mapping[str, str], field_ids: Iterable[int]) -> Iterator[str]:
    for field_id in field_ids:
        for name, column in kinds.items():
            yield f"try_element_at({_column(column)}, {field_id}) AS {name}_{field_id}"


def _types(data_file: StructType) -> dict[str, DataType]:
    if "partition" not in data_file.names:
        return {}
    fields = data_file["partition"].dataType
    return {field.name: field.dataType for field in fields}  # type: ignore[attr-defined]


def _texts(found: pa.Table, types: Mapping[str, DataType], specs: Specs) -> pa.Array | None:
    """Each partition as text; None if it cannot be told."""
    spec_ids = found["spec_id"].combine_chunks()
    writers = {spec_id: _writer(specs.get(spec_id, ()), types) for spec_id in pc.unique(spec_ids).to_pylist()}
    if None in writers.values():
        return None
    values = found["partition"].combine_chunks().flatten() if "partition" in found.column_names else []
    fields = [value.dictionary_encode(null_encoding="encode") for value in values]
    keys = [column.cast(pa.string()) for column in (spec_ids, *(field.indices for field in fields))]
    encoded = pc.binary_join_element_wise(*keys, ":").dictionary_encode()
    texts = []
    try:
        for key in encoded.dictionary.to_pylist():
            spec_id, *codes = map(int, key.split(":"))
            parts = (field.dictionary[code].as_py() for field, code in zip(fields, codes, strict=True))
            texts.append(writers[spec_id](dict(zip(types, parts, strict=True))))  # type: ignore[misc]
    except (ValueError, OverflowError):  # a date that Python has none for
        return None
    return pa.array(texts, pa.string()).take(encoded.indices)


def _writer(spec: Sequence[PartitionField], types: Mapping[str, DataType]) -> Callable[[Mapping[str, Any]], str] | None:
    """A function from partition values to the text that `files.partition_text` makes of the stored ones."""
    from pyiceberg.transforms import parse_transform
    from pyiceberg.types import IntegerType as Integer

    fields = []
    for field in spec:
        name, kind = str(field["name"]), types.get(str(field["name"]))
        if field.get("transform") == "void" or not isinstance(kind, _AS_TEXT):
            return None
        fields.append((name, kind, parse_transform(field.get("transform", "identity"))))

    def text(value: Any, kind: DataType, transform: Any) -> str:
        if value is None:
            return "null"
        if isinstance(kind, StringType):
            return quoted_if_odd(value)
        if isinstance(kind, BooleanType):
            return "true" if value else "false"
        return str(transform.to_human_string(Integer(), value)) if isinstance(value, int) else str(value)

    return lambda values: "/".join(
        f"{quoted_if_odd(name)}={text(values[name], kind, transform)}" for name, kind, transform in fields
    )
