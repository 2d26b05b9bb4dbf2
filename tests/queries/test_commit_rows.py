from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.commit.rows import CommitRows, Outcomes
from explorer.model.iceberg.touched_files import cost
from explorer.queries.rows.matching import not_compared, pairs
from tests.queries.changelog_histories import append_last_file_again, quick
from tests.queries.row_facts import OpenedRows


@pytest.fixture(scope="module")
def fast(spark: SparkSession) -> SparkSession:
    return quick(spark)


@pytest.fixture
def table(fast: SparkSession, fresh_table: Callable[..., str]) -> Callable[..., Callable[..., OpenedRows]]:
    """A function that makes a table and gives one that runs statements on it and opens it."""

    def make(columns: str, spec: str = "", *, version: int = 2, mode: str = "copy-on-write", **more: str) -> Any:
        name = fresh_table("rows")
        properties = {"format-version": str(version), "write.metadata.metrics.default": "full"} | more
        properties |= {f"write.{what}.mode": mode for what in ("delete", "update", "merge")}
        listed = ", ".join(f"'{key}'='{value}'" for key, value in properties.items())
        fast.sql(f"CREATE TABLE {name} ({columns}) USING iceberg {spec} TBLPROPERTIES ({listed})")

        def run(*statements: str) -> OpenedRows:
            for statement in statements:
                fast.sql(statement.replace("{t}", name))
            return OpenedRows(fast, name)

        return run

    return make


def newest(opened: OpenedRows, identifiers: list[str] | None = None) -> CommitRows:
    return opened.rows(newest_id(opened), identifiers)


def newest_id(opened: OpenedRows) -> int:
    return max(opened.metadata.snapshots, key=lambda s: s.sequence_number).snapshot_id


ABC = "INSERT INTO {t} VALUES (1, 'a'), (2, 'b'), (3, 'c')"
MERGE = (
    "MERGE INTO {t} t USING (SELECT * FROM VALUES (1, 'd'), (5, 'e'), (6, 'f') AS s(id, v)) s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *"
)


# --- copy-on-write, merge-on-read, compaction ------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
def test_a_merge_that_rewrites_a_file(table: Any, version: int) -> None:
    facts = newest(table("id INT, v STRING", version=version)(ABC, MERGE), ["id"])
    assert facts.totals == Outcomes(carried_over=2, updated=1, inserted=2)
    (removed, added) = facts.files
    assert (removed.change, removed.outcomes) == ("removed", Outcomes(carried_over=2, updated=1))
    assert (added.change, added.outcomes) == ("added", Outcomes(carried_over=2, updated=1, inserted=2))
    certainty = "proved" if version == 3 else "inferred"
    assert {(r.source, r.target, r.outcome, r.rows, r.certainty) for r in facts.ribbons} == {
        (removed.path, added.path, "carried over", 2, certainty),
        (removed.path, added.path, "updated", 1, certainty),
    }
    assert facts.pairing == ("row id" if version == 3 else "identifier columns")
    assert facts.amplification == 5 / 3
    before = [(c.position, c.outcome, c.text) for c in facts.cells if c.side == "before"]
    assert before == [(0, "updated", "1 a"), (1, "carried over", "2 b"), (2, "carried over", "3 c")]
    assert {(c.outcome, c.text) for c in facts.cells if c.side == "after"} == {
        ("carried over", "2 b"),
        ("carried over", "3 c"),
        ("updated", "1 d"),
        ("inserted", "5 e"),
        ("inserted", "6 f"),
    }


@pytest.mark.parametrize(("version", "kind"), [(2, "position deletes"), (3, "deletion vector")])
def test_rows_masked_by_a_merge_on_read(table: Any, version: int, kind: str) -> None:
    run = table("id INT, v STRING", version=version, mode="merge-on-read")
    facts = newest(run(ABC, MERGE), ["id"])
    assert facts.totals == Outcomes(updated=1, inserted=2)
    kept, added = facts.files
    assert (kept.change, kept.record_count, kept.outcomes) == ("kept", 3, Outcomes(updated=1))
    assert [(mask.kind, mask.rows) for mask in kept.masked_by] == [(kind, 1)]
    assert added.outcomes == Outcomes(updated=1, inserted=2)
    assert [(c.path == kept.path, c.side, c.outcome, c.text) for c in facts.cells if c.path == kept.path] == [
        (True, "before", "updated", "1 a"),
        (True, "before", None, "2 b"),
        (True, "before", None, "3 c"),
        (True, "after", None, "2 b"),
        (True, "after", None, "3 c"),
    ]
    again = newest(run("DELETE FROM {t} WHERE id = 2"), ["id"])
    assert (again.totals, again.files[0].masked_by[0].rows) == (Outcomes(deleted=1), 1)


def test_a_compaction_carries_all_rows_over_and_drops_those_masked_before(table: Any) -> None:
    run = table("id INT, v STRING", version=3, mode="merge-on-read")
    opened = run(ABC, "INSERT INTO {t} VALUES (4, 'd')", "DELETE FROM {t} WHERE id = 1")
    facts = newest(
        run(f"CALL lab.system.rewrite_data_files(table => '{opened.name}', options => map('rewrite-all', 'true'))")
    )
    assert (facts.totals, facts.changed, facts.changed_by_replace) == (Outcomes(carried_over=3, unseen=1), 0, 0)
    assert [file.outcomes.unseen for file in facts.files if file.change == "removed"].count(1) == 1
    assert facts.amplification is None


def test_rows_come_back_when_their_delete_is_removed(fast: SparkSession, table: Any) -> None:
    opened = table("id INT, v STRING", mode="merge-on-read")(ABC, "DELETE FROM {t} WHERE id = 1")
    jvm: Any = fast._jvm
    java = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(fast._jsparkSession, opened.name)
    tasks = java.newScan().planFiles().iterator()
    delete = tasks.next().deletes().get(0)
    java.newRowDelta().removeDeletes(delete).commit()
    fast.sql(f"REFRESH TABLE {opened.name}")
    facts = newest(OpenedRows(fast, opened.name))
    (kept,) = facts.files
    assert (kept.change, kept.outcomes, facts.totals) == ("kept", Outcomes(inserted=1), Outcomes(inserted=1))


# --- which row is which ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
def test_a_file_that_is_listed_already_counts_for_the_entry_of_the_commit(
    fast: SparkSession, table: Any, version: int
) -> None:
    run = table("id INT, v STRING", version=version)
    opened = run("INSERT INTO {t} SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    append_last_file_again(fast, opened.name, times=2)
    opened = run("DELETE FROM {t} WHERE id = 1")
    fast.sql(f"CALL lab.system.create_changelog_view(table => '{opened.name}', changelog_view => 'listed_again')")
    counted = fast.sql("SELECT _commit_snapshot_id, _change_type, count(*) FROM listed_again GROUP BY ALL").collect()
    told = {(snapshot_id, kind): rows for snapshot_id, kind, rows in counted}
    again = 0
    for snapshot in opened.metadata.snapshots:
        facts = opened.rows(snapshot.snapshot_id)
        assert facts.totals.inserted == told.get((snapshot.snapshot_id, "INSERT"), 0)
        assert facts.totals.deleted == told.get((snapshot.snapshot_id, "DELETE"), 0)
        assert facts.totals.unseen == 0
        assert len([cell for cell in facts.cells if cell.side == "after"]) == facts.rows_written
        again += any("listed by other entries" in note.about for note in facts.notes)
    assert again == 3


def test_updates_by_identifiers_only_where_they_are_unique(table: Any) -> None:
    run = table("id INT, v STRING")
    opened = run(
        "INSERT INTO {t} VALUES (1, 'a'), (1, 'b'), (2, 'c'), (NULL, 'n')", "UPDATE {t} SET v = concat(v, '!')"
    )
    facts = newest(opened, ["id"])
    assert facts.totals == Outcomes(updated=2, deleted=2, inserted=2)
    assert "Updates among 4 rows" in [note.about for note in facts.notes]
    unpaired = newest(opened)
    assert (unpaired.totals, unpaired.pairing) == (Outcomes(deleted=4, inserted=4), "none")
    with pytest.raises(ExplorerError, match="nothing"):
        newest(opened, ["nothing"])


def test_the_tables_own_identifiers_serve_if_none_are_given(table: Any) -> None:
    run = table("id INT NOT NULL, v STRING")
    facts = newest(run("ALTER TABLE {t} SET IDENTIFIER FIELDS id", ABC, "UPDATE {t} SET v = 'z' WHERE id = 3"))
    assert (facts.totals, facts.identifier_columns) == (Outcomes(carried_over=2, updated=1), ("id",))


def test_equal_rows_are_carried_over_as_many_as_there_are_on_both_sides(table: Any) -> None:
    run = table("id INT, v STRING")
    facts = newest(
        run(
            "INSERT INTO {t} VALUES (1, 'a'), (1, 'a'), (1, 'a')",
            "INSERT OVERWRITE {t} VALUES (1, 'a'), (1, 'a'), (2, 'b')",
        )
    )
    assert facts.totals == Outcomes(carried_over=2, deleted=1, inserted=1)


@pytest.mark.parametrize(("version", "totals"), [(2, Outcomes(carried_over=3)), (3, Outcomes(deleted=3, inserted=3))])
def test_a_row_deleted_and_written_again_equal_by_one_commit(table: Any, version: int, totals: Outcomes) -> None:
    """Without row ids it is carried over, as far as anybody can tell; with them it is proved to be another row."""
    facts = newest(table("id INT, v STRING", version=version)(ABC, "INSERT OVERWRITE {t} SELECT * FROM {t}"))
    assert facts.totals == totals


@pytest.mark.parametrize("version", [2, 3])
def test_a_row_that_moves_between_partitions_is_an_update_from_file_to_file(table: Any, version: int) -> None:
    run = table("id INT, p STRING", "PARTITIONED BY (p)", version=version)
    facts = newest(run("INSERT INTO {t} VALUES (1, 'a'), (2, 'b')", "UPDATE {t} SET p = 'b' WHERE id = 1"), ["id"])
    assert facts.totals == Outcomes(updated=1)
    (ribbon,) = facts.ribbons
    assert (ribbon.source, ribbon.target) == (facts.files[0].path, facts.files[1].path)
    assert [(p.partition, p.gone, p.new) for p in facts.by_partition] == [
        ("p=a", Outcomes(updated=1), Outcomes()),
        ("p=b", Outcomes(), Outcomes(updated=1)),
    ]


def test_values_of_every_type_are_compared(table: Any) -> None:
    columns = (
        "id INT, d DOUBLE, b BINARY, m MAP<STRING, ARRAY<DOUBLE>>, s STRUCT<a: MAP<INT, BINARY>>,"
        " l ARRAY<STRUCT<x: DECIMAL(38,10)>>, v VARIANT"
    )
    row = (
        "double('NaN'), X'00FF', map('k', array(double('NaN')), 'l', NULL), named_struct('a', map(1, X'01', 2, NULL)),"
        " array(named_struct('x', 1.5), NULL), parse_json('{\"a\": [1, null]}')"
    )
    other_order = row.replace("map('k', array(double('NaN')), 'l', NULL)", "map('l', NULL, 'k', array(double('NaN')))")
    run = table(columns, version=3)
    run(f"INSERT INTO {{t}} SELECT 1, {row} UNION ALL SELECT 2, {row} UNION ALL SELECT 3, {row}")
    changed = row.replace('"a": [1', '"a": [2')
    opened = run(
        f"INSERT OVERWRITE {{t}} SELECT 1, {other_order} UNION ALL SELECT 2, {row.replace('X*01*', 'X*02*')}"
        f" UNION ALL SELECT 3, {changed}"
    )
    # An overwrite gives its rows new ids, so the values decide where ids are not asked.
    question = opened.question(newest_id(opened))
    outcomes = [row.outcome for row in pairs(question, by_row_id=False).collect()]
    assert sorted(outcomes) == ["carried over", "carried over", "deleted", "inserted"]
    assert not_compared(question) == ()


# --- deletes and their masks -----------------------------------------------------------------------------------------


def test_content_decides_where_several_deletes_reach_a_file(fast: SparkSession, table: Any) -> None:
    run = table("id INT, v STRING")
    opened = run(ABC)
    keys = [fast.sql("SELECT 1 AS id"), fast.sql("SELECT * FROM VALUES (1, 'a'), (3, 'c'), (9, 'z') AS k(id, v)")]
    delete_equal(fast, opened.name, *keys)
    facts = newest(OpenedRows(fast, opened.name))
    (kept,) = facts.files
    assert kept.outcomes == Outcomes(deleted=2)
    assert [mask.rows for mask in kept.masked_by] == [2, 1]
    assert facts.notes == ()


def test_positions_of_several_delete_files_in_one_partition(fast: SparkSession, table: Any) -> None:
    run = table("id INT, v STRING", mode="merge-on-read", **{"write.delete.granularity": "partition"})
    run(ABC, "INSERT INTO {t} VALUES (4, 'd'), (5, 'e')")
    fast.conf.set("spark.sql.shuffle.partitions", "2")
    fast.conf.set("spark.sql.iceberg.distribution-mode", "hash")
    try:
        opened = run("DELETE FROM {t} WHERE id IN (1, 2, 4)")
    finally:
        fast.conf.set("spark.sql.shuffle.partitions", "1")
        fast.conf.set("spark.sql.iceberg.distribution-mode", "none")
    facts = newest(opened)
    assert facts.totals == Outcomes(deleted=3)
    assert sorted(sum(mask.rows for mask in file.masked_by) for file in facts.files) == [1, 2]
    assert facts.notes == ()


# --- cost and bounds -------------------------------------------------------------------------------------------------


def test_the_cost_is_known_before_a_data_file_is_read(table: Any) -> None:
    opened = table("id INT, v STRING")(ABC, MERGE)
    found = cost(opened.touched(newest_id(opened)))
    sizes = [file.size_in_bytes for file in newest(opened).files]
    assert (found.files, found.size_in_bytes, found.rows, found.at_least) == (2, sum(sizes), 8, False)


def test_flows_that_are_cut_are_counted_and_files_keep_their_sums(table: Any) -> None:
    run = table("id INT, v STRING", "PARTITIONED BY (v)")
    values = ", ".join(f"({i}, 'p{i % 4}')" for i in range(80))
    opened = run(f"INSERT INTO {{t}} VALUES {values}", "DELETE FROM {t} WHERE id % 10 IN (3, 4)")
    whole, cut = newest(opened), opened.rows(newest_id(opened), most_flows=1)
    assert (cut.files, cut.totals, cut.by_partition) == (whole.files, whole.totals, whole.by_partition)
    assert len(cut.ribbons) < len(whole.ribbons)
    assert any("ribbons listed" in note.about for note in cut.notes)
    assert whole.cells == ()  # so many rows are counted in Spark alone


def test_a_long_value_is_cut_and_a_time_is_shown_in_utc(fast: SparkSession, table: Any) -> None:
    run = table("v STRING, t TIMESTAMP, b BINARY")
    fast.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        opened = run(
            "INSERT INTO {t} VALUES (NULL, TIMESTAMP'2026-11-20 00:00:00Z', X'00FF'), (repeat('x', 99), NULL, NULL)"
        )
        cells = newest(opened).cells
    finally:
        fast.conf.set("spark.sql.session.timeZone", "UTC")
    assert [cell.text for cell in cells] == ["null 2026-11-20 00:00:00 0x00ff", "x" * 59 + "…"]


# --- tables of other writers -----------------------------------------------------------------------------------------

NOT_READ_HERE = {
    "duckdb_bad_snapshot_id": "its metadata is refused",
    "lithium_1000_snapshots": "it has no data files",
    "lithium_uuid": "Spark has no type for one of its columns",
}


def test_the_sums_hold_in_every_table_of_others(fast: SparkSession, real_tables: dict[str, dict[str, Any]]) -> None:
    def sums(name: str) -> tuple[int, int]:
        """Files whose sums hold, and rows that a `replace` changed."""
        lists = {path.rsplit("/", 1)[-1] for path in real_tables[name]["metadata_files_missing"]}
        opened = OpenedRows(fast, f"real.t.{name}")
        files = changed = 0
        for snapshot in opened.metadata.snapshots:
            if str(snapshot.manifest_list).rsplit("/", 1)[-1] in lists:
                continue
            rows = opened.rows(snapshot.snapshot_id)
            for file in rows.files:
                outcomes = file.outcomes
                assert outcomes.unseen >= 0
                came_or_went = outcomes.inserted if file.change == "added" else outcomes.deleted
                if file.change != "kept":
                    seen = outcomes.carried_over + outcomes.updated + came_or_went
                    assert seen + outcomes.unseen == file.record_count
            assert sum(r.rows for r in rows.ribbons) == rows.totals.carried_over + rows.totals.updated
            files += len(rows.files)
            changed += rows.changed_by_replace
        return files, changed

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(sums, [name for name in real_tables if name not in NOT_READ_HERE]))
    assert sum(files for files, _ in found) > 60
    # One compaction applied a position delete that names its file by another address than this machine mounts it at.
    assert sum(changed for _, changed in found) == 2


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
@pytest.mark.parametrize("kind", ["orc", "parquet", "avro"])
def test_texts_that_formats_order_in_two_ways_are_all_read(
    spark: SparkSession, fresh_table: Callable[..., str], kind: str, mode: str
) -> None:
    """`！` (U+FF01) stands before `😀` by code points, and after it by UTF-16 units, as ORC compares."""
    name = fresh_table("ordered")
    spark.sql(
        f"CREATE TABLE {name} (id INT, v STRING) USING iceberg "
        f"TBLPROPERTIES ('write.format.default' = '{kind}', 'write.delete.mode' = '{mode}')"
    )
    values = "(1, '！夏のセール'), (2, '😀 new'), (3, '！夏のセール'), (4, '😀 new')"
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {values}")
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    facts = newest(OpenedRows(spark, name))
    assert facts.totals.deleted == 1
    assert facts.totals.carried_over == (3 if mode == "copy-on-write" else 0)
    assert facts.totals.unseen == 0
    assert not [note for note in facts.notes if note.about.startswith("What became of")]
