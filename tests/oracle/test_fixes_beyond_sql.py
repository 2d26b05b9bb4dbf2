"""Repairs of which a part is done in the storage or by Iceberg's library, not in SQL.

`tests/servers/test_other_catalogs.py` has the one for which a catalog must register tables.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from explorer.model.triage.facts import Check, Finding, Fix
from explorer.table import Table
from tests.oracle.incident_tables import Maker

WRITTEN = (
    "CREATE TABLE {t} (id BIGINT) USING iceberg TBLPROPERTIES ('format-version' = '2')",
    "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id FROM range(5)",
)


@pytest.fixture(scope="module")
def alike(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """A function that writes a table whose paths all begin alike, as that of its metadata file, and gives its name."""
    for key, value in {"": "org.apache.iceberg.spark.SparkCatalog", ".type": "hadoop"}.items():
        spark.conf.set(f"spark.sql.catalog.alike{key}", value)
    spark.conf.set("spark.sql.catalog.alike.warehouse", f"file:{tmp_path_factory.mktemp('alike')}")

    def write(hint: str) -> str:
        for statement in (*WRITTEN, "INSERT INTO {t} VALUES (7)"):
            spark.sql(statement.replace("{t}", f"alike.t.{hint}"))
        return f"alike.t.{hint}"

    return write


def test_a_name_that_two_files_had_is_replaced_by_two_names(
    spark: SparkSession, written_table: Callable[..., str], tmp_path: Path
) -> None:
    name = written_table("reused", *WRITTEN)
    t = Maker.of(spark, name)
    (path,) = (row.file_path for row in spark.sql(f"SELECT file_path FROM {name}.files").collect())
    older = shutil.copy(place(path), tmp_path / "older.parquet")
    pq.write_table(pq.read_table(older).slice(0, 2), place(path))
    t.append(data_file(t, place(path), path))
    finding = found(spark, name)
    (fix,) = finding.fixes
    assert path in fix.statement
    data = place(path).parent
    written = [shutil.copy(older, data / "older.parquet"), shutil.copy(place(path), data / "newer.parquet")]
    t.table.refresh()
    transaction = t.table.newTransaction()
    # No Python text: for a String the bridge takes a protected method of this name, which removes the file itself.
    transaction.newDelete().deleteFile(t.jvm.java.lang.StringBuilder(path)).commit()
    append = transaction.newAppend()
    for file in written:
        append = append.appendFile(data_file(t, file))
    append.commit()
    transaction.commitTransaction()
    assert ids(spark, name) == [0, 0, 1, 1, 2, 3, 4]
    assert (finding.severity, found(spark, name).severity) == ("wrong answers", "hygiene")


def test_a_table_that_was_moved_is_written_to_the_paths_where_it_lies(
    spark: SparkSession, alike: Callable[[str], str], tmp_path: Path
) -> None:
    source = alike("moved")
    home = place(str(Maker.of(spark, source).table.location()))
    shutil.copytree(home, home.with_name("there"))
    (fix,) = found(spark, "alike.t.there").fixes
    assert_copied(spark, fix, tmp_path / "copy", ids(spark, source))


def test_files_of_another_folder_are_fetched_or_come_along_with_a_copy(
    spark: SparkSession, alike: Callable[[str], str], tmp_path: Path
) -> None:
    name = alike("imported")
    t = Maker.of(spark, name)
    own = next(place(str(t.table.location())).rglob("*.parquet"))
    inbox = place(str(t.table.location())).with_name("inbox")
    inbox.mkdir()
    t.append(data_file(t, shutil.copy(own, inbox / "again.parquet")))
    before = ids(spark, name)
    fetch, copy = found(spark, name).fixes
    assert spark.sql(fetch.verify).collect()
    spark.sql(fetch.statement)
    assert not spark.sql(fetch.verify).collect()
    assert check(spark, name).finding is None
    assert ids(spark, name) == before
    spark.sql(fetch.undo)
    assert found(spark, name).fixes[0].verify == fetch.verify
    assert_copied(spark, copy, tmp_path / "copy", before)


def assert_copied(spark: SparkSession, fix: Fix, to: Path, rows: list[int]) -> None:
    """The statement is run and the files of its list are copied: the copy reads, and names nothing elsewhere."""
    answer = spark.sql(fix.statement.replace("<the place of the copy>", f"file:{to}")).first()
    assert answer is not None
    for source, target in spark.read.csv(answer.file_list_location).collect():
        place(target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(place(source), place(target))
    (newest,) = to.rglob(answer.latest_version)
    copy = Table.open(f"file:{newest}", spark)
    assert sorted(row.id for row in spark.read.format("iceberg").load(f"file:{newest}").collect()) == rows
    files = copy.entries().data.file_path
    assert len(files)
    assert all(place(path).is_relative_to(to) for path in files)


def check(spark: SparkSession, name: str) -> Check:
    """The only check of the two that looks at paths which found something; any of them if none did."""
    checks = {c.signature.name: c for c in Table.open(name, spark).triage().facts.checks}
    reused, foreign = checks["path-reused"], checks["foreign-location"]
    return foreign if reused.finding is None else reused


def found(spark: SparkSession, name: str) -> Finding:
    finding = check(spark, name).finding
    assert finding is not None
    return finding


def ids(spark: SparkSession, name: str) -> list[int]:
    spark.sql(f"REFRESH TABLE {name}")
    return sorted(row.id for row in spark.table(name).collect())


def data_file(t: Maker, file: Path, uri: str | None = None) -> Any:
    """A Parquet file for a commit of Iceberg's library."""
    builder = t.jvm.org.apache.iceberg.DataFiles.builder(t.table.spec()).withPath(uri or f"file:{file}")
    rows, size = pq.read_metadata(file).num_rows, file.stat().st_size
    return builder.withRecordCount(rows).withFileSizeInBytes(size).withFormat("parquet").build()


def place(uri: str) -> Path:
    return Path(urlsplit(uri).path)
