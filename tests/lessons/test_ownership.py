"""Sequences A and B hold equal rows in other files; Spark's own SQL prints of them what their story says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.errors import UnsupportedOperationException
from pyspark.sql import SparkSession

ROWS = [(1, "d"), (2, "b"), (3, "c"), (5, "e"), (6, "f")]
FIRST_INSERTS = [(0, "INSERT", 1, "a"), (0, "INSERT", 2, "b"), (0, "INSERT", 3, "c")]
A_RAW = [
    *FIRST_INSERTS,
    *[(1, "DELETE", 1, "a"), (1, "INSERT", 1, "d"), (1, "INSERT", 5, "e"), (1, "INSERT", 6, "f")],
]
B_RAW = [
    *FIRST_INSERTS,
    *[(1, "DELETE", 1, "a"), (1, "DELETE", 2, "b"), (1, "DELETE", 3, "c")],
    *[
        (1, "INSERT", 1, "d"),
        (1, "INSERT", 2, "b"),
        (1, "INSERT", 3, "c"),
        (1, "INSERT", 5, "e"),
        (1, "INSERT", 6, "f"),
    ],
]
A_OWNERS = {1: 1, 2: 0, 3: 0, 5: 1, 6: 1}  # id of the live row -> ordinal of the commit that wrote its file
B_OWNERS = {1: 1, 2: 1, 3: 1, 5: 1, 6: 1}

COPY_ON_WRITE = ["sequence_a", "sequence_a_v3", "sequence_b", "sequence_b_v3"]
MERGE_ON_READ = ["sequence_b_merge_on_read", "sequence_b_deletion_vectors"]

Query = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def query(sandbox: SparkSession) -> Query:
    return lambda sql: [tuple(row) for row in sandbox.sql(sql).collect()]


def commits(query: Query, name: str) -> list[int]:
    return [row[0] for row in query(f"SELECT snapshot_id FROM sandbox.lessons.{name}.snapshots ORDER BY committed_at")]


@pytest.mark.parametrize("name", [*COPY_ON_WRITE, *MERGE_ON_READ])
def test_all_of_them_hold_the_same_rows(query: Query, name: str) -> None:
    assert query(f"SELECT id, value FROM sandbox.lessons.{name} ORDER BY id") == ROWS


@pytest.mark.parametrize(
    ("name", "first", "second", "live_files"),
    [
        ("sequence_a", ("append", "3", None, None), ("overwrite", "1", "1", None), [1, 1, 3]),
        ("sequence_a_v3", ("append", "3", None, None), ("overwrite", "1", "1", None), [1, 1, 3]),
        ("sequence_b", ("append", "1", None, None), ("overwrite", "1", "1", None), [5]),
        ("sequence_b_v3", ("append", "1", None, None), ("overwrite", "1", "1", None), [5]),
        ("sequence_b_merge_on_read", ("append", "1", None, None), ("overwrite", "1", None, "1"), [3, 3]),
        ("sequence_b_deletion_vectors", ("append", "1", None, None), ("overwrite", "1", None, "1"), [3, 3]),
    ],
)
def test_two_commits_with_the_files_of_the_story(
    query: Query, name: str, first: object, second: object, live_files: list[int]
) -> None:
    keys = ("added-data-files", "deleted-data-files", "added-delete-files")
    counters = ", ".join(f"summary['{key}']" for key in keys)
    summaries = query(f"SELECT operation, {counters} FROM sandbox.lessons.{name}.snapshots ORDER BY committed_at")
    assert summaries == [first, second]
    records = query(f"SELECT record_count FROM sandbox.lessons.{name}.data_files ORDER BY record_count")
    assert [record_count for (record_count,) in records] == live_files


def test_one_hides_its_row_by_a_position_delete_file_the_other_by_a_vector(query: Query) -> None:
    formats = "SELECT file_format, content, record_count FROM sandbox.lessons.{}.delete_files"
    assert [query(formats.format(name)) for name in MERGE_ON_READ] == [[("PARQUET", 1, 1)], [("PUFFIN", 1, 1)]]


@pytest.mark.parametrize(
    ("name", "owners"),
    [(name, A_OWNERS if "_a" in name else B_OWNERS) for name in COPY_ON_WRITE]
    + [(name, A_OWNERS) for name in MERGE_ON_READ],
)
def test_a_live_row_is_owned_by_the_commit_that_wrote_its_file(query: Query, name: str, owners: dict[int, int]) -> None:
    table, ordinals = f"sandbox.lessons.{name}", commits(query, name)
    owned = query(f"""
        SELECT r.id, e.snapshot_id
        FROM (SELECT *, _file FROM {table} VERSION AS OF {ordinals[-1]}) r
        JOIN {table}.entries VERSION AS OF {ordinals[-1]} e ON e.data_file.file_path = r._file AND e.status < 2""")
    assert {row_id: ordinals.index(owner) for row_id, owner in owned} == owners


@pytest.mark.parametrize("name", COPY_ON_WRITE)
def test_changes_print_every_row_of_every_touched_file(query: Query, name: str) -> None:
    raw, ordinals = query(f"SELECT * FROM sandbox.lessons.{name}.changes"), commits(query, name)
    printed = sorted((ordinal, kind, row_id, value) for row_id, value, kind, ordinal, _ in raw)
    assert printed == sorted(A_RAW if "_a" in name else B_RAW)
    assert all(ordinals[ordinal] == snapshot_id for *_, ordinal, snapshot_id in raw)


@pytest.mark.parametrize("name", COPY_ON_WRITE)
def test_the_changelog_view_is_one_for_both(query: Query, name: str) -> None:
    assert changelog_view(query, name) == sorted(A_RAW)
    updated = sorted(
        (ordinal, {"DELETE": "UPDATE_BEFORE", "INSERT": "UPDATE_AFTER"}[kind], row_id, value)
        if (ordinal, row_id) == (1, 1)
        else (ordinal, kind, row_id, value)
        for ordinal, kind, row_id, value in A_RAW
    )
    assert changelog_view(query, name, "identifier_columns => array('id')") == updated


@pytest.mark.parametrize("name", COPY_ON_WRITE)
def test_net_changes_print_the_owners(query: Query, name: str) -> None:
    owners = A_OWNERS if "_a" in name else B_OWNERS
    assert changelog_view(query, name, "net_changes => true") == sorted(
        (owners[row_id], "INSERT", row_id, value) for row_id, value in ROWS
    )


def changelog_view(query: Query, name: str, argument: str = "") -> list[tuple[Any, ...]]:
    view = f"changelog_of_{name}"
    arguments = ", ".join([f"table => 'lessons.{name}'", f"changelog_view => '{view}'", *filter(None, [argument])])
    query(f"CALL sandbox.system.create_changelog_view({arguments})")
    try:
        return sorted(query(f"SELECT _change_ordinal, _change_type, id, value FROM {view}"))
    finally:
        query(f"DROP VIEW {view}")


@pytest.mark.parametrize("name", MERGE_ON_READ)
def test_spark_refuses_the_changes_of_merge_on_read(query: Query, name: str) -> None:
    refusal = "Delete files are currently not supported in changelog scans"
    with pytest.raises(UnsupportedOperationException, match=refusal):
        query(f"SELECT * FROM sandbox.lessons.{name}.changes")
    with pytest.raises(UnsupportedOperationException, match=refusal):
        changelog_view(query, name)


@pytest.mark.parametrize(
    ("name", "new_ids"),
    [("sequence_a_v3", (4, 5)), ("sequence_b_v3", (6, 7)), ("sequence_b_deletion_vectors", (4, 5))],
)
def test_a_row_keeps_its_id_and_the_number_of_its_last_change(
    query: Query, name: str, new_ids: tuple[int, int]
) -> None:
    lineage = query(f"SELECT id, _row_id, _last_updated_sequence_number FROM sandbox.lessons.{name} ORDER BY id")
    assert lineage == [(1, 0, 2), (2, 1, 1), (3, 2, 1), (5, new_ids[0], 2), (6, new_ids[1], 2)]
