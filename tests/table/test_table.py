from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyiceberg.table import StaticTable
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnknownSnapshot, UnreadableMetadata
from explorer.queries.files import history
from explorer.table import Table

CONTRACT = [
    "snapshot_id",
    "parent_id",
    "sequence_number",
    "committed_at",
    "operation",
    "refs",
    "state",
    "parent_state",
    "attempt",
    "schema_id",
    "added_data_files",
    "removed_data_files",
    "added_delete_files",
    "removed_delete_files",
    "added_records",
    "deleted_records",
]
SANDBOX = [
    "lessons.branches_and_tags",
    "lessons.rollback",
    "lessons.write_audit_publish",
    "lessons.replaced",
    "lessons.expired",
    "lessons.empty",
    "lessons.one_snapshot",
    "lessons.format_v1",
    "lessons.upgraded",
    "shop.orders",
]


def by_hand(metadata: Any) -> list[dict[str, Any]]:
    """What PyIceberg's model of the same file says about each snapshot."""
    counters = {
        "added_data_files": "added-data-files",
        "removed_data_files": "deleted-data-files",
        "added_delete_files": "added-delete-files",
        "removed_delete_files": "removed-delete-files",
        "added_records": "added-records",
        "deleted_records": "deleted-records",
    }
    return [
        {
            "snapshot_id": str(s.snapshot_id),
            "parent_id": None if s.parent_snapshot_id is None else str(s.parent_snapshot_id),
            "sequence_number": s.sequence_number or 0,
            "committed_at": pd.Timestamp(s.timestamp_ms, unit="ms", tz="UTC"),
            "operation": s.summary.operation.value if s.summary else None,
            "refs": {name for name, ref in metadata.refs.items() if ref.snapshot_id == s.snapshot_id},
            "schema_id": s.schema_id,
        }
        | {
            column: int(s.summary[key] or 0) if s.summary and key in s.summary.additional_properties else 0
            for column, key in counters.items()
        }
        for s in metadata.snapshots
    ]


def compare_with_pyiceberg(table: Table, metadata: Any) -> None:
    data = table.snapshot_graph().data
    rows = {row["snapshot_id"]: row for row in data.to_dict("records")}
    expected = by_hand(metadata)
    assert set(rows) == {e["snapshot_id"] for e in expected}
    for e in expected:
        row = rows[e["snapshot_id"]]
        assert set(row["refs"]) == e.pop("refs")
        for column, value in e.items():
            got = None if pd.isna(row[column]) else row[column]
            if column.startswith(("added_", "removed_", "deleted_")):
                got = got or 0  # unknown and zero are told apart by the model's own tests
            assert got == value, (table.name, column)


@pytest.mark.parametrize("name", SANDBOX)
def test_sandbox_tables_are_read_as_pyiceberg_reads_them(sandbox: SparkSession, name: str) -> None:
    table = Table.open(f"sandbox.{name}")
    assert list(table.snapshot_graph().data.columns[: len(CONTRACT)]) == CONTRACT
    compare_with_pyiceberg(table, StaticTable.from_metadata(table.metadata_location).metadata)


def test_every_real_table_opens_by_name_and_by_file_or_is_refused_with_the_reason(
    spark: SparkSession, real_tables: dict[str, Any]
) -> None:
    import table_paths

    for name in real_tables:
        for asked in (f"real.t.{name}", table_paths.metadata_path(name)):
            if name == "duckdb_bad_snapshot_id":  # by its file it is told of in test_refused_metadata.py
                with pytest.raises(UnreadableMetadata, match=r"9876543210123456789.*2\^63-1"):
                    Table.open(f"real.t.{name}")
                continue
            table = Table.open(asked)
            settings = table_paths.pyiceberg_settings(name)
            compare_with_pyiceberg(table, StaticTable.from_metadata(table_paths.metadata_path(name), settings).metadata)
            facts = real_tables[name]
            states = table.snapshot_graph().data.set_index("snapshot_id")["state"]
            ancestors = {str(i) for i in facts["ancestors_of_current"]}
            assert set(states[states.isin(["current", "main"])].index) == ancestors
            assert states.get(str(facts["current_snapshot_id"])) == "current"
            assert len(states) == len(facts["snapshots"])


def test_the_frame_and_the_sql_give_the_rows_of_the_data(sandbox: SparkSession) -> None:
    for name in SANDBOX:
        picture = Table.open(f"sandbox.{name}").snapshot_graph()
        data = {row["snapshot_id"]: row for row in picture.data.to_dict("records")}
        frame = {str(row.snapshot_id): row.asDict() for row in picture.frame.collect()}
        sql = {str(row.snapshot_id): row.asDict() for row in sandbox.sql(picture.sql).collect()}
        assert data.keys() == frame.keys() == sql.keys()
        for snapshot_id, row in data.items():
            for source in (frame[snapshot_id], sql[snapshot_id]):
                for column, value in source.items():
                    want = row[column]
                    if column in ("refs", "made_current_at"):
                        assert sorted(map(_plain, value)) == sorted(map(_plain, want))
                    else:
                        assert _plain(value) == _plain(want), (name, column)


def _plain(value: Any) -> Any:
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if hasattr(value, "microsecond"):
        return pd.Timestamp(value).tz_localize(None) if pd.Timestamp(value).tz else pd.Timestamp(value)
    return str(value)


def test_a_snapshot_is_named_by_id_branch_or_tag(sandbox: SparkSession) -> None:
    table = Table.open("sandbox.lessons.branches_and_tags")
    for ref in table.metadata.refs.values():
        for which in (ref.name, ref.snapshot_id, str(ref.snapshot_id)):
            assert table.snapshot(which).snapshot_id == ref.snapshot_id
    for unknown in (999_999, "nobody", "3" * 19):
        with pytest.raises(UnknownSnapshot, match="main"):
            table.snapshot(unknown)


def test_reload_sees_what_was_committed_meanwhile(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("reload")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    table = Table.open(name)
    assert table.snapshot_graph().data.empty
    assert not table.reload()
    spark.sql(f"INSERT INTO {name} VALUES (1)")
    assert table.reload()
    assert list(table.snapshot_graph().data["state"]) == ["current"]


def test_a_reload_that_fails_leaves_what_was_read(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("dropped")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1)")
    table = Table.open(name)
    spark.sql(f"DROP TABLE {name}")
    with pytest.raises(Exception, match="No table"):
        table.reload()
    assert len(table.snapshot_graph().data) == 1


def test_exploring_changes_no_byte_of_a_table(sandbox: SparkSession) -> None:
    table = Table.open("sandbox.shop.orders")
    folder = Path(table.metadata.location.removeprefix("file:"))

    def digest() -> str:
        state = hashlib.sha256()
        for file in sorted(folder.rglob("*")):
            state.update(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}".encode())
            if file.is_file():
                state.update(file.read_bytes())
        return state.hexdigest()

    before = digest()
    picture = Table.open("sandbox.shop.orders").snapshot_graph()
    picture.frame.collect()
    sandbox.sql(picture.sql).collect()
    assert picture.to_static_html()
    table.reload()
    assert digest() == before


@pytest.mark.parametrize(
    ("of_spark", "next_step"),
    [
        (
            "Total size of serialized results of 9 tasks is bigger than spark.driver.maxResultSize (1024.0 MiB)",
            "larger",
        ),
        ("ExecutorLostFailure (executor 1 exited caused by one of the running tasks)", "spark.executor.memory"),
        ("Python worker exited unexpectedly (crashed): java.io.EOFException", "spark.executor.memory"),
        ("Access denied to s3://lake", "credentials"),
        ("Job aborted due to stage failure: something else", "Ask again"),
    ],
)
def test_what_spark_fails_at_is_told_in_words(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch, of_spark: str, next_step: str
) -> None:
    name = fresh_table("failing")
    spark.sql(f"CREATE TABLE {name} USING iceberg AS SELECT 1 AS id")
    table = Table.open(name, spark)

    def fail(*_: Any) -> Any:
        raise PySparkException(of_spark)

    monkeypatch.setattr(history, "read_lists", fail)
    with pytest.raises(ExplorerError, match=next_step) as told:
        table.sequence_timeline().read()
    assert told.value.what == f"What was asked of {name} cannot be answered."
    assert of_spark in told.value.found
    assert isinstance(told.value.__cause__, PySparkException)
    monkeypatch.undo()
    assert table.sequence_timeline().facts.file_count == 1
