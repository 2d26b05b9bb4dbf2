from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from explorer.errors import UnknownSnapshot
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.iceberg.file_lives import applies
from explorer.model.iceberg.row_lineage import row_ids
from explorer.model.iceberg.statistics import Statistics
from explorer.queries.rows import file_rows, line_files
from explorer.queries.rows.question import row_question
from tests.queries.changelog_histories import quick
from tests.queries.row_facts import OpenedRows
from tests.queries.test_commit import history


@pytest.fixture(scope="module")
def fast(spark: SparkSession) -> SparkSession:
    return quick(spark)


def values(frame: DataFrame, columns: int) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row)[:columns] for row in frame.collect())


@pytest.mark.parametrize(
    ("version", "mode", "seed"), [(2, "copy-on-write", 1), (2, "merge-on-read", 2), (3, "merge-on-read", 3)]
)
def test_gone_and_new_are_the_difference_of_the_whole_snapshots(
    fast: SparkSession, fresh_table: Callable[..., str], version: int, mode: str, seed: int
) -> None:
    name = fresh_table("rows")
    history(fast, name, version, mode, seed)
    table = OpenedRows(fast, name)
    whole: dict[int | None, Counter[tuple[Any, ...]]] = {None: Counter()}
    for snapshot in table.metadata.snapshots:
        whole[snapshot.snapshot_id] = values(
            fast.sql(f"SELECT id, region, day FROM {name} VERSION AS OF {snapshot.snapshot_id}"), 3
        )
        usable = row_ids(table.metadata, table.commit(snapshot.snapshot_id)).usable
        assert usable == (version == 3)
        question = table.question(snapshot.snapshot_id, row_ids=usable)
        assert question.gone is not None
        gone, new = values(question.gone, 3), values(question.new, 3)
        before, after = whole[snapshot.parent_id], whole[snapshot.snapshot_id]
        assert (gone - new, new - gone) == (before - after, after - before)
        pasted = fast.sql(question.sql)
        assert values(pasted.where("_before AND NOT _after"), 3) == gone
        assert values(pasted.where("_after AND NOT _before"), 3) == new
        places = question.rows.collect()
        assert len({(row._file, row._pos) for row in places}) == len(places)
        assert all(row._before or row._after for row in places)
        assert "_row_id" in question.rows.columns if usable else "_row_id" not in question.rows.columns
        assert not usable or all(row._row_id is not None for row in places)


def last(table: OpenedRows) -> int:
    return max(table.metadata.snapshots, key=lambda s: s.sequence_number).snapshot_id


def both(table: OpenedRows, snapshot_id: int | None = None, **limits: Any) -> tuple[list[Any], list[Any]]:
    """Values of the gone and of the new rows of a commit, sorted."""
    snapshot_id = snapshot_id or last(table)
    question = table.question(snapshot_id, limits=limits)
    assert question.gone is not None
    width = len(question.columns)
    found = (sorted(values(frame, width).elements(), key=str) for frame in (question.gone, question.new))
    return next(found), next(found)


# --- schemas ---------------------------------------------------------------------------------------------------------


def test_rows_before_a_schema_change_have_the_columns_after_it(
    fast: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("evolved")
    fast.sql(f"CREATE TABLE {name} (id INT, v STRING, w INT, s STRUCT<a: INT, b: INT>) USING iceberg")
    fast.sql(f"INSERT INTO {name} VALUES (1, 'x', 1, named_struct('a', 1, 'b', 2)), (2, 'y', 2, NULL)")
    for change in (
        "RENAME COLUMN v TO `new.name`",
        "ALTER COLUMN id TYPE BIGINT",
        "DROP COLUMN w",
        "ADD COLUMN w STRING",
        "RENAME COLUMN s.a TO c",
        "DROP COLUMN s.b",
    ):
        fast.sql(f"ALTER TABLE {name} {change}")
    fast.sql(f"UPDATE {name} SET w = 'now' WHERE id = 1")
    question = OpenedRows(fast, name).question(last(OpenedRows(fast, name)))
    assert question.columns == ("id", "new.name", "s", "w")
    assert question.new.schema["id"].dataType.simpleString() == "bigint"
    gone, new = both(OpenedRows(fast, name))
    assert gone == [(1, "x", (1,), None), (2, "y", None, None)]
    assert new == [(1, "x", (1,), "now"), (2, "y", None, None)]
    table = OpenedRows(fast, name)
    first = min(table.metadata.snapshots, key=lambda s: s.sequence_number).snapshot_id
    today = table.question(first, schema_id=table.document["current-schema-id"])
    assert values(today.new, 4) == Counter(gone)
    assert values(fast.sql(today.sql), 4) == Counter(gone)


def test_a_dropped_column_that_another_one_is_now_called_like_filters_nothing(
    fast: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("renamed")
    fast.sql(f"CREATE TABLE {name} (id INT, p STRING, q STRING) USING iceberg")
    fast.sql(f"INSERT INTO {name} VALUES (1, 'a', 'x'), (2, 'b', 'y')")
    fast.sql(f"DELETE FROM {name} WHERE id = 1")
    for change in ("RENAME COLUMN p TO old", "RENAME COLUMN q TO p", "DROP COLUMN id"):
        fast.sql(f"ALTER TABLE {name} {change}")
    table = OpenedRows(fast, name)
    question_ = table.question(last(table))
    assert question_.columns == ("id", "p", "q")
    assert both(table) == ([(1, "a", "x"), (2, "b", "y")], [(2, "b", "y")])


def test_a_default_of_a_column_added_later_is_what_old_rows_hold(
    fast: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("default")
    fast.sql(f"CREATE TABLE {name} (id INT) USING iceberg TBLPROPERTIES ('format-version'='3')")
    fast.sql(f"INSERT INTO {name} VALUES (1), (2)")
    jvm: Any = fast._jvm
    java = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(fast._jsparkSession, name)
    string = jvm.org.apache.iceberg.types.Types.StringType.get()
    literal = jvm.org.apache.iceberg.expressions.Literal.of("it's")
    java.updateSchema().addColumn("v", string, literal).commit()
    fast.sql(f"DELETE FROM {name} WHERE id = 1")
    table = OpenedRows(fast, name)
    found = table.rows(last(table))
    assert (found.totals.carried_over, found.totals.deleted, found.totals.inserted) == (1, 1, 0)
    assert both(table) == ([(1, "it's"), (2, "it's")], [(2, "it's")])


# --- equality deletes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
def test_equality_deletes_of_a_partition_and_of_all(
    fast: SparkSession, fresh_table: Callable[..., str], version: int
) -> None:
    name = fresh_table("equality")
    fast.sql(f"CREATE TABLE {name} (id INT, p STRING) USING iceberg TBLPROPERTIES ('format-version'='{version}')")
    fast.sql(f"ALTER TABLE {name} ADD PARTITION FIELD p")
    fast.sql(f"INSERT INTO {name} VALUES (1, 'a'), (2, 'a'), (1, 'b'), (NULL, 'b')")
    key = fast.sql("SELECT 1 AS id")
    delete_equal(fast, name, key, partition="p=a")
    table = OpenedRows(fast, name)
    assert [entry.partition for entry in table.touched(last(table)).kept] == ["p=a"]
    assert both(table) == ([(1, "a")], [])
    delete_equal(fast, name, fast.sql("SELECT int(NULL) AS id"), key, spec_id=0)
    table = OpenedRows(fast, name)
    assert len(table.touched(last(table)).kept) == 2
    assert both(table) == ([(1, "b"), (None, "b")], [])
    facts = table.rows(last(table))
    assert facts.totals.deleted == 2
    masks = [mask for file in facts.files for mask in file.masked_by]
    assert [(mask.kind, mask.rows) for mask in masks] == [("equality deletes", 1), ("equality deletes", 1)]
    assert facts.notes == ()


def test_keys_with_statistics_leave_out_files_that_cannot_hold_them(
    fast: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("keys")
    fast.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for i in range(3):
        fast.sql(f"INSERT INTO {name} VALUES ({i}), ({10 * i})")
    delete_equal(fast, name, fast.sql("SELECT 20 AS id"))
    table = OpenedRows(fast, name)
    line = table.line(last(table))
    bound = (20).to_bytes(4, "little")
    statistics = Statistics(lower_bounds={1: bound}, upper_bounds={1: bound}, null_value_counts={1: 0})
    (delete,) = line.deletes
    known = dataclasses.replace(delete, entry=dataclasses.replace(delete.entry, statistics=statistics))
    line = dataclasses.replace(line, deletes=(known,))
    question = row_question(table.source, line, line_files.touched_files(line))
    assert "id = 20" in question.rows._jdf.queryExecution().executedPlan().toString()  # type: ignore[operator]
    assert question.gone is not None
    assert values(question.gone, 1) == Counter([(20,)])


@pytest.mark.parametrize("kind", ["equality deletes", "position deletes"])
def test_a_delete_applies_where_a_sequence_number_is_not_known(
    fast: SparkSession, fresh_table: Callable[..., str], kind: str
) -> None:
    name = fresh_table("unnumbered")
    fast.sql(
        f"CREATE TABLE {name} (id INT) USING iceberg"
        " TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    fast.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES (1), (2)")
    if kind == "equality deletes":
        delete_equal(fast, name, fast.sql("SELECT 1 AS id"))
    else:
        fast.sql(f"DELETE FROM {name} WHERE id = 1")
    table = OpenedRows(fast, name)
    line = table.line(last(table))
    (data,), (delete,) = line.data, line.deletes
    assert delete.entry.kind == kind
    unnumbered = [dataclasses.replace(life, data_sequence_number=None) for life in (data, delete)]
    for own, its in [(unnumbered[0], delete), (data, unnumbered[1])]:
        other = dataclasses.replace(line, data=(own,), read_at={place: [own] for place in line.read_at}, deletes=(its,))
        question = row_question(table.source, other, line_files.touched_files(other))
        assert question.gone is not None
        assert values(question.gone, 1) == Counter([(1,)])
        assert applies(its, own, table.source.specs)


# --- snapshots that are special --------------------------------------------------------------------------------------


def test_the_first_snapshot_a_branch_and_an_expired_parent(fast: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("special")
    fast.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    fast.sql(f"INSERT INTO {name} VALUES (1), (2)")
    table = OpenedRows(fast, name)
    assert both(table) == ([], [(1,), (2,)])
    root = last(table)
    fast.sql(f"ALTER TABLE {name} CREATE BRANCH side")
    fast.sql(f"DELETE FROM {name}.branch_side WHERE id = 1")
    assert both(OpenedRows(fast, name)) == ([(1,), (2,)], [(2,)])
    fast.sql(f"INSERT OVERWRITE {name} VALUES (2), (3)")
    fast.sql(f"ALTER TABLE {name} DROP BRANCH side")
    fast.sql(f"CALL lab.system.expire_snapshots(table => '{name}', snapshot_ids => array({root}))")
    table = OpenedRows(fast, name)
    question = table.question(last(table))
    assert (question.gone, question.before_known) == (None, False)
    assert values(question.new, 1) == Counter([(2,), (3,)])
    facts = table.rows(last(table))
    assert not facts.before_known
    assert facts.totals.inserted == 2
    assert [note.about for note in facts.notes] == ["Rows before"]
    line = dataclasses.replace(table.line(last(table)), snapshots=(None, 1))
    with pytest.raises(UnknownSnapshot):
        row_question(table.source, line, line_files.touched_files(line))


def test_a_table_opened_by_its_metadata_file_has_the_same_rows(
    fast: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("by_path")
    fast.sql(
        f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ('format-version'='2',"
        " 'write.delete.mode'='merge-on-read')"
    )
    fast.sql(f"INSERT INTO {name} VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    fast.sql(f"DELETE FROM {name} WHERE id = 1")
    fast.sql(f"DELETE FROM {name} WHERE id = 2")
    named = OpenedRows(fast, name)
    by_path = OpenedRows(fast, named.located.metadata_file)
    assert by_path.located.relation is None
    for snapshot in named.metadata.snapshots:
        assert both(by_path, snapshot.snapshot_id) == both(named, snapshot.snapshot_id)
        assert by_path.question(snapshot.snapshot_id).sql == ""
        assert by_path.rows(snapshot.snapshot_id) == named.rows(snapshot.snapshot_id)


# --- what is read ----------------------------------------------------------------------------------------------------

CLUSTERED = {
    "INT": "int(id)",
    "BIGINT": "id",
    "STRING": "lpad(string(id), 5, '0')",
    "DATE": "date_from_unix_date(int(id))",
    "TIMESTAMP": "timestamp_seconds(id * 86400)",
    "TIMESTAMP_NTZ": "CAST(date_from_unix_date(int(id)) AS TIMESTAMP_NTZ)",
    "DECIMAL(38,10)": "CAST(id AS DECIMAL(38,10))",
}


@pytest.mark.parametrize("kind", CLUSTERED)
@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_only_touched_files_are_planned(
    fast: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch, kind: str, mode: str
) -> None:
    """Of 40 files that differ by one column; a task of the scan is one file."""
    name = fresh_table("planned")
    fast.sql(
        f"CREATE TABLE {name} (c {kind}, n BIGINT) USING iceberg TBLPROPERTIES ('write.delete.mode'='{mode}',"
        "'read.split.open-file-cost'='134217728', 'read.split.target-size'='134217728')"
    )
    fast.range(0, 400, 1, 40).selectExpr(f"{CLUSTERED[kind]} AS c", "id % 10 AS n").writeTo(name).append()
    fast.sql(
        f"DELETE FROM {name} WHERE c IN ({', '.join(CLUSTERED[kind].replace('id', f'{i}L') for i in (5, 105, 395))})"
    )
    table = OpenedRows(fast, name)
    files = table.touched(last(table))
    assert len(files.removed) + len(files.kept) == 3
    (at,) = {s.parent_id for s in table.metadata.snapshots if s.snapshot_id == last(table)}
    assert at is not None
    monkeypatch.setattr(file_rows, "_FILES_OF_AN_ALTERNATIVE", 1)  # else 40 are too few
    rows = file_rows.file_rows(table.source, at, (*files.removed, *files.kept), ["*"]).frame
    assert rows.rdd.getNumPartitions() == 3
    everything = fast.read.format("iceberg").option("versionAsOf", str(last(table))).table(name)
    assert everything.rdd.getNumPartitions() >= 37


def test_answers_are_the_same_however_much_there_is_to_read(
    fast: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Manifests decoded in tasks, paths by a join, and more files than are listed."""
    name = fresh_table("large")
    history(fast, name, 3, "merge-on-read", 5)
    table = OpenedRows(fast, name)
    wanted = {s.snapshot_id: both(table, s.snapshot_id) for s in table.metadata.snapshots}
    monkeypatch.setattr(file_rows, "_PATHS_IN_A_CONDITION", 1)
    again = OpenedRows(fast, name)
    for snapshot_id in list(wanted)[-4:]:
        assert both(again, snapshot_id, small_in_bytes=0) == wanted[snapshot_id]
    for snapshot_id in list(wanted)[::3]:
        question_ = OpenedRows(fast, name).question(snapshot_id, limits={"small_in_bytes": 0, "most": 1})
        assert question_.gone is not None
        width = len(question_.columns)
        before, after = wanted[snapshot_id]
        gone, new = values(question_.gone, width), values(question_.new, width)
        assert (gone - new, new - gone) == (Counter(before) - Counter(after), Counter(after) - Counter(before))


def test_a_commit_whose_entries_are_contradicted_is_known_by_its_live_files(
    fast: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("contradicted")
    history(fast, name, 2, "merge-on-read", 6)
    table = OpenedRows(fast, name)
    for snapshot in table.metadata.snapshots[::2]:
        files = table.touched(snapshot.snapshot_id)
        live = table.touched(snapshot.snapshot_id, contradicted=True)
        for name_of in ("removed", "added", "kept", "deletes_added", "deletes_removed"):
            paths = [
                {(entry.file_path, entry.content_offset) for entry in getattr(found, name_of)}
                for found in (files, live)
            ]
            assert paths[0] == paths[1], (snapshot.operation, name_of)
