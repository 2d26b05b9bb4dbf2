"""Files that Spark's file systems cannot read, read by the catalog; on real S3 in `tests/servers`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from pyspark.sql import SparkSession

from explorer.queries.files import catalog_io, history, passed_through, spark_files, storage
from explorer.queries.files.stored_history import StoredHistory
from explorer.table import Table
from tests.queries.sources import source_of


@pytest.fixture
def table(spark: SparkSession, fresh_table: Callable[..., str]) -> Table:
    name = fresh_table("by_catalog")
    spark.sql(f"CREATE TABLE {name} (id INT, name STRING, at TIMESTAMP) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'Ada', TIMESTAMP '2026-11-21 12:00:00'), (2, NULL, NULL)")
    return Table.open(name, spark)


@pytest.fixture(params=["by the gateway", "by PyIceberg, as over Connect"])
def unknown_scheme(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark has a file system for no scheme."""

    def refuse(*_: Any) -> Any:
        raise OSError('org.apache.hadoop.fs.UnsupportedFileSystemException: No FileSystem for scheme "s3"')

    monkeypatch.setattr(spark_files, "loaded", refuse)
    monkeypatch.setattr(storage.local_files, "finder", lambda _: lambda _: None)
    if "PyIceberg" in request.param:
        monkeypatch.setattr(catalog_io, "_reader", lambda *_: partial(catalog_io._by_pyiceberg, {}))


def test_files_are_read_and_unreadable_ones_are_told_apart(
    spark: SparkSession, table: Table, unknown_scheme: None, tmp_path: Path
) -> None:
    options = storage.read_options(spark, table.name)
    there, empty, gone = table.snapshot("main").manifest_list, (tmp_path / "empty.avro"), f"file:{tmp_path}/gone.avro"
    assert there
    empty.touch()
    content = Path(there.removeprefix("file:")).read_bytes()
    read, unreadable_files = storage.contents(spark, [there, empty.as_uri(), gone], options)
    assert read == {there: content}
    assert {path: unreadable.kind for path, unreadable in unreadable_files.items()} == {
        empty.as_uri(): "damaged",
        gone: "missing",
    }
    rows = storage.files(spark, [there, empty.as_uri(), gone], options).collect()
    assert [(row.path, row.length, bytes(row.content)) for row in rows] == [(there, len(content), content)]


def test_files_pass_through_this_process_in_bounded_pieces(
    spark: SparkSession, table: Table, unknown_scheme: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3, 6):
        spark.sql(f"INSERT INTO {table.name} VALUES ({number}, NULL, NULL)")
    source = source_of(spark, table.name)
    lists = [snapshot["manifest-list"] for snapshot in source.document["snapshots"]]
    asked: list[int] = []
    contents = catalog_io.contents

    def counted(spark: SparkSession, relation: str, paths: Sequence[str]) -> Any:
        asked.append(len(paths))
        return contents(spark, relation, paths)

    monkeypatch.setattr(catalog_io, "contents", counted)
    monkeypatch.setattr(passed_through, "_AT_ONCE", 1)
    monkeypatch.setattr(passed_through, "_PIECE_IN_BYTES", 1)
    brought = storage.files(spark, lists, source.options).collect()
    assert {row.path: bytes(row.content) for row in brought} == {
        path: Path(path.removeprefix("file:")).read_bytes() for path in lists
    }
    assert asked == [1] * 4
    asked.clear()
    monkeypatch.setattr(history, "_FILES_AT_ONCE", 2)
    stored, listed = history.read_lists(source, StoredHistory())
    assert asked == [2, 2]
    asked.clear()
    _, entries = history.read_entries(source, stored, range(len(stored.manifests)), ())
    assert len(listed) == len(set(entries["manifest"].to_pylist())) == 4
    assert asked == [2, 2]


def test_a_table_is_loaded_once_for_all_its_files_and_again_when_its_credentials_have_run_out(
    spark: SparkSession, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = str(table.snapshot("main").manifest_list)
    by_gateway, load = catalog_io._by_gateway, catalog_io.load
    loaded: list[Any] = []
    expired: list[Any] = []

    def counted(*asked: Any) -> Any:
        loaded.append(load(*asked))
        return loaded[-1]

    def refused_if_expired(of: Any, location: str) -> bytes:
        if of in expired:
            raise OSError("software.amazon.awssdk.services.s3.model.S3Exception: The provided token has expired.")
        return by_gateway(of, location)

    monkeypatch.setattr(catalog_io, "load", counted)
    monkeypatch.setattr(catalog_io, "_by_gateway", refused_if_expired)
    monkeypatch.setattr(catalog_io, "_tables", WeakKeyDictionary())
    expected = Path(location.removeprefix("file:")).read_bytes()
    for _ in range(2):
        assert catalog_io.content(spark, table.name, location) == expected
    assert len(loaded) == 1
    expired += loaded
    assert catalog_io.content(spark, table.name, location) == expected
    assert len(loaded) == 2
    gone = catalog_io.contents(spark, table.name, [f"{location}.gone"])[f"{location}.gone"]
    assert isinstance(gone, Exception)
    assert len(loaded) == 2, "a file that is not there is no reason to load the table again"


def test_rows_of_a_file_are_those_that_spark_reads(
    spark: SparkSession, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = storage.read_options(spark, table.name)
    path = table.entries().data.loc[0, "file_path"]
    by_spark = spark.read.parquet(path)
    monkeypatch.setattr(storage.identifiers, "glob_escaped", lambda path: path.replace("file:", "s3:"))
    by_catalog = storage.columns_of(spark, path, "PARQUET", options)
    assert by_catalog.dtypes == by_spark.dtypes
    assert by_catalog.collect() == by_spark.collect()


def test_without_a_name_no_catalog_is_asked(spark: SparkSession, table: Table, unknown_scheme: None) -> None:
    location = str(table.snapshot("main").manifest_list)
    read, unreadable_files = storage.contents(spark, [location], storage.read_options(spark, None))
    assert read == {}
    assert unreadable_files[location].reason.startswith("Spark has no file system for its scheme")


def test_a_table_that_was_loaded_lately_is_not_loaded_once_more(
    spark: SparkSession, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = catalog_io.load(spark, table.name)
    location = str(loaded.location())
    assert catalog_io.loaded_lately(spark, table.name, location) is loaded
    again = catalog_io.loaded_lately(spark, table.name, location + "_made_anew")
    assert again is not loaded
    assert catalog_io.loaded_lately(spark, table.name, location) is again
    monkeypatch.setattr(catalog_io, "_LATELY", 0)
    assert catalog_io.loaded_lately(spark, table.name, location) is not again
