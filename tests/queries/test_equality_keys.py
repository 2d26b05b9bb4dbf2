"""Keys of equality delete files are found by field id: held against Iceberg's own scan and files made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

import explorer
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.iceberg.inheritance import StoredEntry
from explorer.queries.files import local_files
from explorer.queries.rows import equality_keys
from explorer.table import Table
from tests.model.made import an_entry
from tests.queries.sources import source_of_files

SCHEMA = {
    "schema-id": 1,
    "fields": [
        {"id": 1, "name": "now", "type": "int"},
        {"id": 2, "name": "was.1", "type": "int"},
        {"id": 3, "name": "inner", "type": {"type": "struct", "fields": [{"id": 4, "name": "deep", "type": "string"}]}},
    ],
}
ROWS = (
    "SELECT 1 AS now, 2 AS `was.1`, struct('x' AS deep) AS inner "
    "UNION ALL SELECT 2, 1, struct(CAST(NULL AS STRING) AS deep) UNION ALL SELECT 3, 30, NULL"
)


def test_columns_that_changed_their_names_among_each_other_are_told_apart(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("swapped")
    spark.sql(f"CREATE TABLE {name} (a INT, b INT) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1, 2), (2, 1), (NULL, 1), (3, 3)")
    delete_equal(spark, name, spark.sql("SELECT 1 AS a, 2 AS b UNION ALL SELECT NULL, 1"))
    for change in ("a TO t", "b TO a", "t TO b"):
        spark.sql(f"ALTER TABLE {name} RENAME COLUMN {change}")
    spark.sql(f"INSERT INTO {name} VALUES (9, 9)")
    rows = explorer.table(name).why("true").data
    live = {(row.b, row.a) for row in spark.table(name).collect()}
    assert live == {(2, 1), (3, 3), (9, 9)}
    assert len(rows[rows["_deleted"]]) == 2
    asked = rows[rows["delete_path"].notna() & (rows["applies"].fillna(False))]
    assert len(asked) == 4
    assert list(asked["holds_row"]) == list(asked["_deleted"])


def written(
    folder: Path, columns: dict[str, Sequence[Any]], ids: dict[str, int], kinds: Sequence[pa.DataType]
) -> StoredEntry:
    """The entry of a Parquet file with these columns and field ids."""
    fields = [
        pa.field(name, kind, metadata={"PARQUET:field_id": str(ids[name])} if name in ids else None)
        for name, kind in zip(columns, kinds, strict=True)
    ]
    path = folder / "keys.parquet"
    parquet.write_table(pa.table(list(columns.values()), schema=pa.schema(fields)), path)
    return an_entry(f"file:{path}", content=2, file_size_in_bytes=path.stat().st_size)


def held(spark: SparkSession, delete: StoredEntry, *schemas: Any) -> list[int]:
    """`now` of the rows whose key the file holds."""
    (keys,) = equality_keys.keys(source_of_files(spark), [delete], [*schemas, SCHEMA])
    found = spark.sql(ROWS).selectExpr("now", f"{keys.of_rows(SCHEMA)} AS key").join(keys.frame, "key", "left_semi")
    return sorted(row.now for row in found.collect())


@pytest.mark.parametrize("local", [True, False])
def test_ids_of_the_file_count_and_not_its_names(
    spark: SparkSession, tmp_path: Path, local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not local:
        monkeypatch.setattr(local_files, "finder", lambda _: lambda _: None)
    ids = {"was.1": 1, "now": 2, "other": 7}
    delete = written(tmp_path, {"now": [1], "other": [5], "was.1": [2]}, ids, [pa.int32()] * 3)
    assert held(spark, replace(delete, equality_ids=(1, 2))) == [2]
    assert held(spark, replace(delete, equality_ids=(2,))) == [2]


def test_a_key_within_a_struct_is_found_and_null_is_null(spark: SparkSession, tmp_path: Path) -> None:
    deep = pa.struct([pa.field("anything", pa.string(), metadata={"PARQUET:field_id": "4"})])
    delete = written(tmp_path, {"outer": [{"anything": None}]}, {"outer": 3}, [deep])
    assert held(spark, replace(delete, equality_ids=(4,))) == [2]
    delete = written(tmp_path, {"outer": [None]}, {"outer": 3}, [deep])
    assert held(spark, replace(delete, equality_ids=(4,))) == [3]


@pytest.mark.parametrize(("key", "deleted"), [({"a": None}, [3]), (None, [2]), ({"a": 1}, [1])])
def test_a_struct_that_is_null_has_not_the_key_of_one_whose_field_is_null(
    spark: SparkSession, fresh_table: Callable[..., str], key: dict[str, Any] | None, deleted: list[int]
) -> None:
    name = fresh_table("nested_key")
    spark.sql(f"CREATE TABLE {name} (id INT, s STRUCT<a: INT>) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1, struct(1)), (2, NULL), (3, struct(CAST(NULL AS INT)))")
    jvm: Any = spark._jvm
    table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    ids = spark.sparkContext._gateway.new_array(jvm.int, 1)  # type: ignore[union-attr]
    ids[0] = table.schema().findField("s.a").fieldId()
    inside = pa.struct([pa.field("a", pa.int32(), metadata={"PARQUET:field_id": str(ids[0])})])
    struct_id = table.schema().findField("s").fieldId()
    file = written(Path(table.location().removeprefix("file:")), {"s": [key]}, {"s": struct_id}, [inside])
    builder = jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(table.spec()).ofEqualityDeletes(ids)
    builder = builder.withPath(file.file_path).withFormat("parquet").withFileSizeInBytes(file.file_size_in_bytes)
    table.newRowDelta().addDeletes(builder.withRecordCount(1).build()).commit()
    spark.sql(f"REFRESH TABLE {name}")
    left = [row.id for row in spark.table(name).collect()]
    assert sorted({1, 2, 3} - set(left)) == deleted
    rows = Table.open(name, spark).changelog(mode="changes").data
    assert rows[rows["_change_type"] == "DELETE"]["id"].tolist() == deleted


def test_a_file_without_ids_is_read_by_names_that_were_always_the_same_field(
    spark: SparkSession, tmp_path: Path
) -> None:
    delete = written(tmp_path, {"long ago": [2]}, {}, [pa.int64()])
    old = {"fields": [{"id": 1, "name": "long ago", "type": "int"}]}
    assert held(spark, replace(delete, equality_ids=(1,)), old) == [2]
    lacking = "The key column now \\(field id 1\\) of keys.parquet was not found in the file"
    with pytest.raises(equality_keys.NoKeyColumn, match=lacking):
        held(spark, replace(delete, equality_ids=(1,)))
    other = {"fields": [{"id": 2, "name": "long ago", "type": "int"}]}
    with pytest.raises(equality_keys.NoKeyColumn, match="was not found in the file"):
        held(spark, replace(delete, equality_ids=(1,)), old, other)


def test_a_large_file_elsewhere_is_not_fetched_for_its_ids(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete = replace(written(tmp_path, {"now": [1]}, {"now": 2}, [pa.int32()]), equality_ids=(2,))
    large = replace(delete, file_size_in_bytes=10**9)
    assert held(spark, large, SCHEMA) == [2], "of a file of this disk only the end is read"
    monkeypatch.setattr(local_files, "finder", lambda _: lambda _: None)
    assert held(spark, delete, SCHEMA) == [2]
    with pytest.raises(equality_keys.NoKeyColumn, match="was not found in the file"):
        held(spark, large, SCHEMA)


@pytest.mark.parametrize("file_format", ["parquet", "orc", "avro"])
def test_iceberg_writes_the_ids_of_every_format(
    spark: SparkSession, fresh_table: Callable[..., str], file_format: str
) -> None:
    name = fresh_table("formats")
    columns = "a INT, s STRUCT<b: STRING, t: STRUCT<c: INT>>"
    spark.sql(f"CREATE TABLE {name} ({columns}) USING iceberg TBLPROPERTIES ('write.format.default'='{file_format}')")
    spark.sql(f"INSERT INTO {name} VALUES (1, struct('x', struct(2)))")
    (file,) = spark.table(f"{name}.files").collect()
    found = equality_keys._by_id(source_of_files(spark), an_entry(file.file_path, file_format=file.file_format))
    assert found == {1: ("a",), 2: ("s",), 3: ("s", "b"), 4: ("s", "t"), 5: ("s", "t", "c")}


def test_a_key_that_the_rows_have_no_more_is_named(spark: SparkSession, tmp_path: Path) -> None:
    delete = written(tmp_path, {"gone": [2]}, {"gone": 8}, [pa.int32()])
    old = {"fields": [{"id": 8, "name": "lost", "type": "int"}]}
    lacking = "The key column lost \\(field id 8\\) of keys.parquet is not among the columns of the rows"
    with pytest.raises(equality_keys.NoKeyColumn, match=lacking):
        held(spark, replace(delete, equality_ids=(8,)), old)
