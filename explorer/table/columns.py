"""The columns of every picture's rows, declared once: as pandas for people, as a Spark DataFrame for more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DecimalType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from ..model.iceberg.metadata import LARGEST_LONG
from ..queries.rows.local_rows import local_rows, local_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of one kind of rows: the Spark schema, and which of them are ids (text in pandas, exact everywhere)."""

    schema: StructType
    ids: tuple[str, ...]

    def pandas(self, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
        """Rows as pandas: ids `string`, whole numbers `Int64`, times UTC, lists as they are; missing is `<NA>`."""
        return self.pandas_of({name: [row[name] for row in rows] for name in self.schema.fieldNames()})

    def pandas_of(self, values: Mapping[str, list[Any]]) -> pd.DataFrame:
        """The same of rows that are told by column."""
        import pandas as pd  # takes a while to import, and what is printed as text needs none

        return pd.DataFrame({field.name: self._series(field, values[field.name]) for field in self.schema})

    def spark(self, session: SparkSession, rows: Sequence[Mapping[str, Any]]) -> DataFrame:
        """Rows as a Spark DataFrame; ids are bigint, and decimal(38,0) where one is beyond 64 bits."""
        names = self.schema.fieldNames()
        wide = any(abs(row[name] or 0) > LARGEST_LONG for row in rows for name in self.ids)
        schema = self._with_wide_ids if wide else self.schema
        return local_rows(session, [tuple(row[name] for name in names) for row in rows], schema)

    @property
    def _with_wide_ids(self) -> StructType:
        return StructType(
            [StructField(f.name, DecimalType(38, 0), f.nullable) if f.name in self.ids else f for f in self.schema]
        )

    def with_more(self, more: Mapping[str, DataType]) -> Columns:
        """With columns besides, which may be null."""
        added = [StructField(name, kind) for name, kind in more.items()]
        return Columns(StructType([*self.schema.fields, *added]), self.ids)

    @property
    def whole_numbers(self) -> tuple[str, ...]:
        """Names of the columns that hold whole numbers."""
        return tuple(field.name for field in self.schema if isinstance(field.dataType, LongType | IntegerType))

    def spark_from_arrow(self, session: SparkSession, table: pa.Table) -> DataFrame:
        """The same of rows that are an Arrow table already."""
        return local_table(session, table, self.schema)

    def _series(self, field: StructField, values: list[Any]) -> pd.Series[Any]:
        import pandas as pd

        if field.name in self.ids:
            return pd.Series([None if value is None else str(value) for value in values], dtype="string")
        if isinstance(field.dataType, LongType | IntegerType):
            return pd.Series(values, dtype="Int64")
        if isinstance(field.dataType, TimestampType):
            return pd.Series(values, dtype="datetime64[us, UTC]")
        if isinstance(field.dataType, BooleanType):
            return pd.Series(values, dtype="boolean")
        if isinstance(field.dataType, StringType):
            return pd.Series(values, dtype="string")
        return pd.Series(values, dtype="object")


def _columns(ids: Sequence[str] = (), /, **types: DataType | tuple[DataType, bool]) -> Columns:
    """Columns by name: a type that may be null, or a pair of the type and False."""
    fields = [
        StructField(name, *kind) if isinstance(kind, tuple) else StructField(name, kind) for name, kind in types.items()
    ]
    return Columns(StructType(fields), tuple(ids))


SNAPSHOT_GRAPH = _columns(
    ("snapshot_id", "parent_id", "copied_from", "published_as"),
    snapshot_id=(LongType(), False),
    parent_id=LongType(),
    sequence_number=(LongType(), False),
    committed_at=TimestampType(),
    operation=StringType(),
    refs=(ArrayType(StringType(), False), False),
    state=(StringType(), False),
    parent_state=(StringType(), False),
    attempt=IntegerType(),
    schema_id=IntegerType(),
    added_data_files=LongType(),
    removed_data_files=LongType(),
    added_delete_files=LongType(),
    removed_delete_files=LongType(),
    added_records=LongType(),
    deleted_records=LongType(),
    made_current_at=(ArrayType(TimestampType(), False), False),
    copied_from=LongType(),
    published_as=LongType(),
    wap_id=StringType(),
    first_row_id=LongType(),
    manifest_list=StringType(),
)

COMMIT = _columns(
    file_path=(StringType(), False),
    content_offset=LongType(),
    content=(StringType(), False),
    change=(StringType(), False),
    spec_id=(IntegerType(), False),
    partition=(StringType(), False),
    record_count=(LongType(), False),
    file_size_in_bytes=(LongType(), False),
    data_sequence_number=LongType(),
    file_sequence_number=LongType(),
    rows_carried_over=LongType(),
    rows_inserted=LongType(),
    rows_updated=LongType(),
    rows_deleted=LongType(),
    rows_masked=LongType(),
    content_size_in_bytes=LongType(),
    file_format=StringType(),
    referenced_data_file=StringType(),
    equality_ids=ArrayType(IntegerType(), False),
    first_row_id=LongType(),
    manifest_path=(StringType(), False),
)

_NUMBERS = ("snapshot_id", "sequence_number", "file_sequence_number", "first_row_id")

ENTRIES = _columns(
    ("stored_snapshot_id", "snapshot_id"),
    manifest_path=(StringType(), False),
    manifest_sequence_number=(LongType(), False),
    content=(StringType(), False),
    status=(StringType(), False),
    file_path=(StringType(), False),
    content_offset=LongType(),
    **{name: LongType() for number in _NUMBERS for name in (f"stored_{number}", number)},
    **{f"{number}_rule": (StringType(), False) for number in _NUMBERS},
    position=(LongType(), False),
    spec_id=(IntegerType(), False),
    partition=(StringType(), False),
    record_count=(LongType(), False),
    file_size_in_bytes=(LongType(), False),
    content_size_in_bytes=LongType(),
    file_format=(StringType(), False),
    referenced_data_file=StringType(),
    equality_ids=ArrayType(IntegerType(), False),
    sort_order_id=IntegerType(),
)

RETRIES = _columns(
    ("snapshot_id",),
    snapshot_id=(LongType(), False),
    sequence_number=(LongType(), False),
    attempt=IntegerType(),
    manifests_added=ArrayType(StringType(), False),
    manifests_written_before=ArrayType(StringType(), False),
    committed_at=TimestampType(),
    rivals=(ArrayType(StringType(), False), False),
)

DELETES = _columns(
    delete_path=(StringType(), False),
    content_offset=LongType(),
    delete_content=(StringType(), False),
    delete_sequence_number=LongType(),
    data_path=StringType(),
    data_sequence_number=LongType(),
    applies=BooleanType(),
    decided_by=(StringType(), False),
    reason=StringType(),
)

WHY = _columns(
    _file=(StringType(), False),
    _pos=(LongType(), False),
    _deleted=(BooleanType(), False),
    row=(StringType(), False),
    reason=(StringType(), False),
    delete_path=StringType(),
    content_offset=LongType(),
    delete_content=StringType(),
    delete_sequence_number=LongType(),
    data_sequence_number=LongType(),
    applies=BooleanType(),
    holds_row=BooleanType(),
    masks=BooleanType(),
    verdict=StringType(),
)

BIOGRAPHY = _columns(
    ("snapshot_id",),
    event=(StringType(), False),
    how=(StringType(), False),
    snapshot_id=(LongType(), False),
    sequence_number=LongType(),
    committed_at=TimestampType(),
    writer=StringType(),
    file_path=(StringType(), False),
    pos=(LongType(), False),
    delete_path=StringType(),
    version=(LongType(), False),
    changed=StringType(),
    certainty=(StringType(), False),
    reason=(StringType(), False),
    line=(StringType(), False),
    content_offset=LongType(),
    row_id=LongType(),
)

BISECT = _columns(
    ("snapshot_id",),
    snapshot_id=(LongType(), False),
    sequence_number=(LongType(), False),
    committed_at=TimestampType(),
    answer=StringType(),
    verdict=(StringType(), False),
)

SEQUENCE_TIMELINE = _columns(
    ("added_snapshot_id", "removed_snapshot_id"),
    file_path=(StringType(), False),
    content_offset=LongType(),
    content=(StringType(), False),
    spec_id=(IntegerType(), False),
    partition=(StringType(), False),
    record_count=(LongType(), False),
    data_sequence_number=LongType(),
    file_sequence_number=LongType(),
    added_snapshot_id=LongType(),
    added_sequence_number=LongType(),
    removed_snapshot_id=LongType(),
    removed_sequence_number=LongType(),
    file_size_in_bytes=(LongType(), False),
    content_size_in_bytes=LongType(),
    referenced_data_file=StringType(),
    is_live=BooleanType(),
)

COMPARE = _columns(
    area=(StringType(), False),
    name=(StringType(), False),
    partition=StringType(),
    left=StringType(),
    right=StringType(),
    change=(StringType(), False),
    spec_id=IntegerType(),
    field_id=IntegerType(),
)

PARTITIONS = _columns(
    ("snapshot_id",),
    partition=(StringType(), False),
    spec_id=(IntegerType(), False),
    snapshot_id=(LongType(), False),
    sequence_number=(LongType(), False),
    data_files=(LongType(), False),
    delete_files=(LongType(), False),
    record_count=(LongType(), False),
    masked_records=(LongType(), False),
    size_in_bytes=(LongType(), False),
    committed_at=TimestampType(),
    equality_delete_files=(LongType(), False),
    delete_size_in_bytes=(LongType(), False),
)

TRIAGE = _columns(
    ("since_snapshot_id",),
    signature=(StringType(), False),
    family=(StringType(), False),
    state=(StringType(), False),
    severity=StringType(),
    certainty=StringType(),
    title=(StringType(), False),
    since_snapshot_id=LongType(),
    since_sequence_number=LongType(),
    since_rule=StringType(),
    at_or_before=BooleanType(),
    value=StringType(),
    threshold=StringType(),
    cost=(StringType(), False),
    price=StringType(),
)

DRY_RUN = _columns(
    ("snapshot_id",),
    file_path=StringType(),
    snapshot_id=LongType(),
    what=(StringType(), False),
    why=(StringType(), False),
    size_in_bytes=LongType(),
    record_count=LongType(),
    sequence_number=LongType(),
    kind=(StringType(), False),
    name=StringType(),
    content_offset=LongType(),
    spec_id=IntegerType(),
    partition=StringType(),
)
