"""Entries of data files by Iceberg's own reader, which projects: the faster way where statistics make manifests fat."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
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

from ..engine.quiet import quiet_errors
from . import arrow, manifest_avro
from .find_table import Located
from .manifest_avro import Row, Specs
from .storage import Places

_OF_ENTRY = ("status", "snapshot_id", "sequence_number", "file_sequence_number")
_COLUMNS = (*_OF_ENTRY, "content", "file_path", "file_format", "spec_id", "record_count", "file_size_in_bytes")
_STATISTICS = {
    "lower": "lower_bounds",
    "upper": "upper_bounds",
    "nulls": "null_value_counts",
    "values": "value_counts",
}
_AS_TEXT = (BooleanType, DateType, DecimalType, IntegerType, LongType, StringType)


def data_entries(
    spark: SparkSession,
    located: Located,
    manifests: Mapping[int, Row],
    specs: Specs,
    *,
    existing: bool,
    snapshot_id: int | None = None,
    columns: Sequence[str] = _COLUMNS,
    statistics_of: Sequence[int] = (),
) -> pa.Table | None:
    """Entries of data manifests as a reader sees them, from one narrow scan of `all_entries`, or of `entries`.

    Columns: manifest int32, the key of `manifests`; those asked for of status, snapshot_id, sequence_number,
    file_sequence_number, content, file_path, file_format, spec_id, record_count, file_size_in_bytes as in
    `all_entries`; partition string, as `stored_manifests.entries` writes it; for each field id n of `statistics_of`
    lower_n, upper_n binary, as stored, nulls_n, values_n int64.

    Args:
        spark: the session to ask.
        located: the table.
        manifests: rows of manifest lists.
        specs: partition fields by spec id.
        existing: EXISTING entries too.
        snapshot_id: whose `entries` are scanned; None for `all_entries`.
        columns: what is read of each entry; spec_id is.
        statistics_of: field ids.

    None if Iceberg's table cannot be asked (the table was opened by its file, a manifest list is missing, a column type
    is not one of Spark's), or if a partition's text cannot be told from the values that Spark shows.

    Cost: Iceberg reads every manifest list, and every data manifest of all snapshots; or those of the one.
    """
    if located.relation is None:
        return None
    with quiet_errors():
        try:
            source = "all_entries" if snapshot_id is None else f"entries VERSION AS OF {snapshot_id}"
            table = spark.sql(f"SELECT * FROM {located.relation}.{source}")  # noqa: S608 - quoted
            partition = table.schema["data_file"].dataType
            frame = _narrow(table, partition, columns, statistics_of, existing=existing)  # type: ignore[arg-type]
            found = arrow.collected(frame)
        except Exception as error:
            if isinstance(error, PySparkException) or type(error).__name__ == "Py4JJavaError":
                return None
            raise
    texts = _texts(found["partition"], found["spec_id"], _types(partition), specs)  # type: ignore[arg-type]
    if texts is None:
        return None
    found = found.set_column(found.schema.get_field_index("partition"), "partition", texts)
    return _of_manifests(found, manifests)


def _narrow(
    table: DataFrame, data_file: StructType, columns: Sequence[str], statistics_of: Sequence[int], *, existing: bool
) -> DataFrame:
    parts = F.to_json("data_file.partition", {"ignoreNullFields": "false"}) if "partition" in data_file.names else None
    frame = table.where("data_file.content = 0").select(
        F.input_file_name().alias("path"),
        *(name if name in _OF_ENTRY else f"data_file.{name}" for name in columns),
        (F.lit("") if parts is None else parts).alias("partition"),
        *(
            F.try_element_at(f"data_file.{column}", F.lit(i)).alias(f"{name}_{i}")
            for i in statistics_of
            for name, column in _STATISTICS.items()
        ),
    )
    return frame if existing else frame.where("status <> 0")


def _types(data_file: StructType) -> dict[str, DataType]:
    if "partition" not in data_file.names:
        return {}
    fields = data_file["partition"].dataType
    return {field.name: field.dataType for field in fields}  # type: ignore[attr-defined]


def _texts(
    partitions: pa.ChunkedArray, spec_ids: pa.ChunkedArray, types: Mapping[str, DataType], specs: Specs
) -> pa.Array | None:
    """Each partition as text; None if it cannot be told."""
    writers = {spec_id: _writer(specs.get(spec_id, ()), types) for spec_id in pc.unique(spec_ids).to_pylist()}
    if None in writers.values():
        return None
    pairs = pa.StructArray.from_arrays([spec_ids.combine_chunks(), partitions.combine_chunks()], ["spec", "values"])
    keys = pc.binary_join_element_wise(spec_ids.cast(pa.string()), partitions, ":")
    encoded = keys.combine_chunks().dictionary_encode()
    first = pc.index_in(encoded.dictionary, keys.combine_chunks())
    texts = []
    for row in first.to_pylist():
        pair = pairs[row].as_py()
        values = json.loads(pair["values"], parse_float=str) if pair["values"] else {}
        texts.append(writers[pair["spec"]](values))  # type: ignore[misc]
    return pa.array(texts, pa.string()).take(encoded.indices)


def _writer(spec: Sequence[Mapping[str, Any]], types: Mapping[str, DataType]) -> Callable[[Row], str] | None:
    """A function from partition values as JSON to the text that `manifest_avro` makes of the stored ones."""
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
            return manifest_avro.quoted_if_odd(value)
        if isinstance(kind, BooleanType):
            return "true" if value else "false"
        return str(transform.to_human_string(Integer(), value)) if isinstance(value, int) else str(value)

    return lambda values: "/".join(
        f"{manifest_avro.quoted_if_odd(name)}={text(values[name], kind, transform)}" for name, kind, transform in fields
    )


def _of_manifests(found: pa.Table, manifests: Mapping[int, Row]) -> pa.Table:
    """The rows of these manifests, by their keys instead of their locations."""
    index = {row["path"]: i for i, row in manifests.items()}
    places = Places(index)
    encoded = found["path"].combine_chunks().dictionary_encode()
    asked = (places.asked(path) for path in encoded.dictionary.to_pylist())
    keys = pa.array([None if path is None else index[path] for path in asked], pa.int32())
    found = found.drop_columns("path").append_column("manifest", keys.take(encoded.indices))
    return found.filter(pc.is_valid(found["manifest"]))


def complete(found: pa.Table, manifests: Mapping[int, Row], *, existing: bool) -> set[int]:
    """Keys of manifests of which as many entries were found as the manifest lists count."""
    counted = pc.value_counts(found["manifest"].combine_chunks())
    rows = {item["values"]: item["counts"] for item in counted.to_pylist()}
    kinds = ("added", "deleted", "existing") if existing else ("added", "deleted")
    return {
        i
        for i, m in manifests.items()
        if None not in (counts := [m[f"{kind}_files_count"] for kind in kinds]) and sum(counts) == rows.get(i, 0)
    }
