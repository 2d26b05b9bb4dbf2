"""`Table.compare` on live tables, against Spark's metadata tables: points, sums, settings, rows, copies."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnknownSnapshot
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.compare.facts import Comparison
from explorer.model.compare.settings import NoState
from explorer.model.iceberg.touched_files import Cost
from explorer.queries.files import manifests
from explorer.queries.rows import question
from explorer.queries.rows.changed_entries import Manifests
from explorer.table import Table
from explorer.table.readers import comparisons
from tests.table.opened_files import opened_files


@pytest.fixture(scope="module")
def written(written_table: Callable[..., str]) -> str:
    """An append, an update of files, a masked row, a merge, a compaction; columns change, and a branch goes its way."""
    return written_table(
        "compared",
        "CREATE TABLE {t} (id BIGINT, region STRING, amount DECIMAL(8,2)) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '3', 'team' = 'first')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, IF(id < 6, 'n', 's'), 10 FROM range(10)",
        "ALTER TABLE {t} CREATE TAG start",
        "UPDATE {t} SET amount = 11 WHERE id IN (1, 7)",
        "ALTER TABLE {t} SET TBLPROPERTIES ('write.delete.mode' = 'merge-on-read', 'team' = 'second')",
        "DELETE FROM {t} WHERE id IN (2, 8)",
        "ALTER TABLE {t} RENAME COLUMN amount TO price",
        "ALTER TABLE {t} ALTER COLUMN price TYPE DECIMAL(12,2)",
        "ALTER TABLE {t} CREATE BRANCH side",
        "INSERT INTO {t}.branch_side VALUES (99, 'n', 1), (98, 'x', 1)",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'e', 12 FROM range(100, 103)",
        "ALTER TABLE {t} ADD COLUMN note STRING",
    )


@pytest.fixture(scope="module")
def table(spark: SparkSession, written: str) -> Table:
    return Table.open(written, spark)


def ids(table: Table) -> list[int]:
    return [node.snapshot.snapshot_id for node in table.graph.nodes]


Sums = Counter[tuple[str, str, str]]


def sums(table: Table, left: int, right: int) -> dict[tuple[str, str], tuple[int, int]]:
    """Files and rows by side and partition, of the data files that only one of two snapshots has, by Spark's table."""
    live = {}
    for snapshot_id in (left, right):
        rows = table.spark.sql(
            f"SELECT file_path, partition.region, record_count FROM {table.name}.data_files VERSION AS OF {snapshot_id}"
        ).collect()
        live[snapshot_id] = {row.file_path: (f"region={row.region}", row.record_count) for row in rows}
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for side, here, there in (("left", left, right), ("right", right, left)):
        for path in live[here].keys() - live[there].keys():
            partition, records = live[here][path]
            files, rows = found.get((side, partition), (0, 0))
            found[side, partition] = files + 1, rows + records
    return found


def told(facts: Comparison) -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (side, str(of.partition)): (tally.files, tally.records)
        for of in facts.files.partitions
        for side, tallies in (("left", of.left), ("right", of.right))
        for kind, tally in tallies.items()
        if kind == "data"
    }


def test_files_by_partition_are_those_that_spark_lists_at_one_point_alone(table: Table) -> None:
    for one, other in combinations(ids(table), 2):
        facts = table.compare(other, one).facts
        left, right = facts.left.snapshot.snapshot_id, facts.right.snapshot.snapshot_id
        assert told(facts) == sums(table, left, right)
        counts = [
            table.spark.table(f"{table.name}.data_files").sparkSession.sql(
                f"SELECT count(*), sum(record_count) FROM {table.name}.data_files VERSION AS OF {i}"
            ).first()
            for i in (left, right)
        ]  # fmt: skip
        figures = {figure.name: (figure.left, figure.right) for figure in facts.figures}
        assert figures["data files"] == (counts[0][0], counts[1][0])
        assert figures["rows in data files"] == (counts[0][1], counts[1][1])


def test_columns_are_the_sums_of_what_iceberg_reads_of_the_statistics(table: Table) -> None:
    for one, other in pairwise(ids(table)):
        facts = table.compare(one, other).facts
        assert not isinstance(facts.columns, str)
        for place, point in enumerate((facts.left, facts.right)):
            files = table.spark.sql(
                f"SELECT readable_metrics AS m FROM {table.name}.data_files VERSION AS OF {point.snapshot.snapshot_id}"
            ).collect()
            now = {1: "id", 2: "region", 3: "price", 4: "note"}  # this metadata table names columns as they are now
            sides = {c.field.field_id: (c.left, c.right)[place] for c in facts.columns}
            for field_id, side in sides.items():
                if side is None:
                    assert field_id == 4, "the column that was added last"
                    continue
                metrics = [file.m[now[field_id]] for file in files]
                counted = [m for m in metrics if m.value_count is not None]
                assert (side.files, side.counted) == (len(metrics), len(counted))
                assert side.values == sum(m.value_count for m in counted)
                assert side.nulls == sum(m.null_value_count for m in counted)
                assert side.lower == min((m.lower_bound for m in metrics if m.lower_bound is not None), default=None)
                assert side.upper == max((m.upper_bound for m in metrics if m.upper_bound is not None), default=None)


def test_columns_say_what_changed_and_why_they_are_not_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = table.compare("start", "main")
    told = picture.data.query("area == 'column'").set_index("name")
    assert told.loc["id", ["left", "right", "change"]].tolist() == [
        "no nulls · 0 to 9", "no nulls · 0 to 102", "ends higher"
    ]  # fmt: skip
    assert told.loc["region", ["left", "right", "change"]].tolist() == [
        "no nulls · n to s", "no nulls · e to s", "starts lower"
    ]  # fmt: skip
    monkeypatch.setattr(comparisons, "_MOST_FOR_COLUMNS", 1)
    assert "all would be read" in str(table.compare("start", "main").facts.columns)


def test_the_sql_gives_the_files_of_the_data(table: Table) -> None:
    for one, other in combinations(ids(table), 2):
        picture = table.compare(one, other)
        rows = picture.data.query("area == 'files' and not name.str.startswith('same file')")
        ours = Counter((r.name, r.left, r.right, r.change, int(r.spec_id)) for r in rows.itertuples(index=False))
        theirs = Counter(
            (r.name, _text(r.left), _text(r.right), r.change, r.spec_id) for r in table.spark.sql(picture.sql).collect()
        )
        assert {tuple(map(_text, key)) for key in ours} == {tuple(map(_text, key)) for key in theirs}
        assert ours.total() == theirs.total()


def _text(value: Any) -> str:
    return "" if value is None or value is pd.NA else str(value)


def test_rows_are_the_difference_of_the_whole_snapshots(table: Table) -> None:
    start, main = table.compare("start", "main").facts, table.compare("start", "main", rows=True)
    assert start.rows is None
    assert start.verdict == "different", "a column was renamed"
    net = main.facts.rows
    assert net is not None
    assert (net.inserted, net.updated, net.deleted, net.pairing) == (3, 2, 2, "row id")
    assert {pair.left[0] for pair in net.sample if pair.kind == "deleted" and pair.left} == {"2", "8"}
    changed = next(pair for pair in net.sample if pair.kind == "updated")
    assert changed.left is not None
    assert changed.right is not None
    assert (changed.left[2], changed.right[2]) == ("10.00", "11.00")
    assert list(net.columns) == ["id", "region", "price", "note"]
    rows = main.data.query("area == 'rows'").set_index("name")["change"]
    assert rows.to_dict() == {"inserted": "+3", "updated": "~2", "deleted": "-2", "carried over": "=6"}
    assert "3 rows inserted, 2 updated, 2 deleted" in main.title


def test_rows_under_more_deletes_than_are_taken_to_python_are_those_of_the_snapshots(
    spark: SparkSession, written_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = written_table(
        "many_deletes",
        "CREATE TABLE {t} (id INT) USING iceberg TBLPROPERTIES ('format-version' = '2',"
        " 'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'partition')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ CAST(id AS INT) FROM range(5)",
        "DELETE FROM {t} WHERE id = 1",
        "DELETE FROM {t} WHERE id = 2",
    )
    delete_equal(spark, name, spark.sql("SELECT explode(array(1, 2, 3)) AS id"))
    spark.sql(f"ALTER TABLE {name} CREATE TAG start")
    jvm: Any = spark._jvm
    java = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    (by_key,) = java.currentSnapshot().addedDeleteFiles(java.io())
    java.newRowDelta().removeDeletes(by_key).commit()
    spark.sql(f"REFRESH TABLE {name}")
    monkeypatch.setattr(question, "Manifests", partial(Manifests, small_in_bytes=0, most=1))
    net = Table.open(name, spark).compare("start", "main", rows=True).facts.rows
    assert net is not None
    assert (net.inserted, net.deleted) == (1, 0)


def test_identifier_columns_that_are_given_go_before_row_ids(table: Table) -> None:
    net = table.compare("start", "main", rows=True, identifier_columns=["id"]).facts.rows
    assert net is not None
    assert (net.updated, net.pairing, net.identifier_columns) == (2, "identifier columns", ("id",))
    alone = table.compare("start", "main", rows=True, identifier_columns=["region"]).facts.rows
    assert alone is not None
    assert alone.updated == 0
    assert alone.ambiguous > 0
    with pytest.raises(ExplorerError, match="no such column"):
        table.compare("start", "main", rows=True, identifier_columns=["nothing"])


def test_equal_rows_in_other_files_are_another_layout(spark: SparkSession, written_table: Callable[..., str]) -> None:
    name = written_table(
        "laid_out",
        "CREATE TABLE {t} (id INT) USING iceberg",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ CAST(id AS INT) FROM range(5)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ CAST(id AS INT) FROM range(5)",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
    )
    laid_out = Table.open(name, spark)
    before, after = ids(laid_out)[-2:]
    unread = laid_out.compare(before, after)
    assert unread.facts.verdict == "not read"
    assert "1 data file only in 3, 2 only in 2; rows were not compared" in unread.title
    read = laid_out.compare(before, after, rows=True).facts
    assert read.verdict == "other layout"
    assert read.rows is not None
    assert (read.rows.differing, read.rows.carried_over) == (0, 10)


def test_what_metadata_makes_certain_is_told_without_reading(table: Table) -> None:
    head = table.metadata.by_id[table.metadata.current_snapshot_id or 0]
    appended = table.compare(head.parent_id or 0, head.snapshot_id).facts
    assert appended.rows is not None
    assert not appended.rows.read
    assert (appended.rows.inserted, appended.rows.deleted) == (3, 0)
    same = table.compare("main", head.snapshot_id).facts
    assert same.verdict == "equal"
    assert same.relation is not None
    assert same.relation.kind == "same"


def test_a_masked_file_is_the_same_file_under_other_deletes(table: Table) -> None:
    update, delete = ids(table)[1], ids(table)[2]
    facts = table.compare(update, delete).facts
    assert facts.files.totals.touched == 2
    assert not told(facts)
    assert sum(tally.records for tally in facts.files.totals.right.values()) == 2
    read = table.compare(update, delete, rows=True).facts
    assert read.rows is not None
    assert (read.rows.inserted, read.rows.deleted) == (0, 2)
    assert facts.files.price == read.files.price


def test_the_price_is_that_of_the_files_that_are_read(table: Table) -> None:
    picture = table.compare("start", "main", rows=True)
    cost = picture.cost
    assert isinstance(cost, Cost)
    assert cost == table.compare("start", "main").facts.files.price
    everything = sum(tally.files for side in (picture.facts.files.totals.left, picture.facts.files.totals.right)
                     for kind, tally in side.items() if kind == "data")  # fmt: skip
    assert cost.files == everything + picture.facts.files.totals.touched


# --- which points ----------------------------------------------------------------------------------------------------


def test_a_point_is_an_id_a_branch_a_tag_or_a_time(table: Table) -> None:
    start, last = ids(table)[0], table.metadata.current_snapshot_id
    log, read_at = table.metadata.snapshot_log, table._version.read_at
    between = log[1].made_current_at + (log[2].made_current_at - log[1].made_current_at) / 2
    for asked, expected in (
        (start, start), (str(start), start), ("start", start), ("main", last),
        (between, log[1].snapshot_id), (between.isoformat(), log[1].snapshot_id),
        (between.replace(tzinfo=None).isoformat(sep=" ") + " UTC", log[1].snapshot_id),
        (f"{read_at:%Y-%m-%d}", last), (f"{read_at:%Y-%m-%d %H:%M}", last),
    ):  # fmt: skip
        facts = table.compare(asked, "side").facts
        points = {point.asked: point for point in (facts.left, facts.right)}
        (point,) = [point for name, point in points.items() if name != "side"]
        assert point.snapshot.snapshot_id == expected, asked
    now = table.compare(between, "main").facts.left
    assert (now.named, now.since) == ("time", log[1].made_current_at)


@pytest.mark.parametrize(
    "asked", ["nowhere", 7, "1970-01-01", "2026-13-45", "2999-01-01", datetime(1999, 1, 1), datetime(2999, 1, 1)]
)
def test_a_point_that_there_is_not_is_refused_when_it_is_asked(table: Table, asked: Any) -> None:
    for ask in (lambda: table.compare(asked, "main"), lambda: table.compare("main", asked)):
        with pytest.raises(UnknownSnapshot) as raised:
            ask()
        assert raised.value.found


def test_it_is_told_along_the_ancestry_and_the_other_way_on_wish(table: Table) -> None:
    one, other = table.compare("start", "main"), table.compare("main", "start")
    assert one.title == other.title
    pd.testing.assert_frame_equal(one.data, other.data)
    assert other.facts.relation is not None
    assert other.facts.relation.swapped
    assert any(note.about == "Told along the ancestry" for note in other.notes)
    back = table.compare("start", "main", swap=True)
    assert back.facts.left.asked == "main"
    assert told(back.facts) == {
        ({"left": "right", "right": "left"}[side], name): tally for (side, name), tally in told(one.facts).items()
    }
    assert any(note.about == "Told against the ancestry" for note in back.notes)


def test_two_branches_are_told_from_where_they_parted(table: Table) -> None:
    facts = table.compare("main", "side").facts
    assert facts.relation is not None
    assert facts.relation.kind == "diverged"
    assert facts.relation.base == ids(table)[2]
    assert (facts.left.asked, facts.right.asked) == ("side", "main")
    assert len(facts.relation.right_commits) == 2
    assert facts.settings == (), "both are heads: properties and refs are those of now"


def test_what_would_bring_a_branch_to_main_is_what_iceberg_takes(table: Table) -> None:
    ways = table.compare("side", "main").facts.ways
    assert [(way.procedure, way.works) for way in ways] == [
        ("fast_forward", "no"), ("cherrypick_snapshot", "yes"), ("set_current_snapshot", "loses"),
    ]  # fmt: skip
    catalog, name = table.name.split(".", 1)
    with pytest.raises(Exception, match="not an ancestor"):
        table.spark.sql(f"CALL {catalog}.system.fast_forward('{name}', {ways[0].argument})").collect()
    assert ways[1].commits == table.compare("side", "main").facts.relation.left_commits
    assert table.compare("start", "main").facts.ways == ()


# --- what the table was beside its rows ------------------------------------------------------------------------------


def test_settings_are_those_of_the_time_of_a_point(table: Table) -> None:
    found = table.compare("start", "main").facts
    settings = {setting.name: (setting.left, setting.right) for setting in found.settings if setting.area == "property"}
    assert settings == {"team": ("first", "second"), "write.delete.mode": (None, "merge-on-read")}
    assert {(s.name, s.change) for s in found.settings if s.area == "ref"} == {("side", "added"), ("start", "added")}
    update = ids(table)[1]
    assert not [s for s in table.compare("start", update).facts.settings if s.area == "property"]


def test_columns_are_those_that_a_reader_of_the_point_sees(table: Table) -> None:
    changes = {field.path: field.changes for field in table.compare("start", "main").facts.fields}
    assert changes == {"price": ("renamed", "widened"), "note": ("added",)}, "main is read with the current schema"
    old = ids(table)[4]
    assert table.compare("start", old).facts.right.schema_id == table.metadata.by_id[old].schema_id


def test_a_state_that_is_not_there_any_more_is_a_hole(
    spark: SparkSession, written_table: Callable[..., str], table: Table
) -> None:
    name = written_table(
        "forgotten",
        "CREATE TABLE {t} (id INT) USING iceberg TBLPROPERTIES ('write.metadata.previous-versions-max' = '1',"
        " 'write.metadata.delete-after-commit.enabled' = 'true')",
        *(f"INSERT INTO {{t}} VALUES ({n})" for n in range(4)),
    )
    forgotten = Table.open(name, spark)
    picture = forgotten.compare(ids(forgotten)[0], "main")
    states = picture.facts.states
    assert isinstance(states[0], NoState)
    assert "no versions by snapshot" in states[0].reason
    assert not isinstance(states[1], NoState)
    assert picture.facts.settings == ()
    assert list(picture.data.query("area == 'property'")["change"]) == ["unknown"]
    assert any(note.certainty == "unknown" and "Properties" in note.about for note in picture.notes)


# --- two tables ------------------------------------------------------------------------------------------------------


def test_a_copy_of_the_rows_is_the_same_in_another_layout(
    spark: SparkSession, table: Table, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("copy")
    spark.sql(f"CREATE TABLE {name} USING iceberg AS SELECT * FROM {table.name}")
    for right in (name, Table.open(name, spark)):
        facts = table.compare("main", right, rows=True).facts
        assert facts.relation is None
        assert facts.verdict == "other layout"
        assert facts.fields == ()
    spark.sql(f"DELETE FROM {name} WHERE id = 100")
    spark.sql(f"ALTER TABLE {name} RENAME COLUMN price TO cost")
    facts = table.compare("main", name, rows=True).facts
    assert [(field.path, field.changes) for field in facts.fields] == [("cost", ("renamed",))]
    assert facts.rows is not None
    assert (facts.rows.inserted, facts.rows.deleted) == (0, 1)
    back = table.compare("main", name, rows=True, swap=True).facts
    assert back.rows is not None
    assert (back.left.table, back.rows.inserted) == (name, 1)
    assert table.compare("main", name).sql == ""


def test_what_cannot_be_another_table_or_has_other_types_is_refused(
    spark: SparkSession, table: Table, written_table: Callable[..., str]
) -> None:
    unknown = table.compare("main", "lab.t.nowhere_at_all")
    with pytest.raises(UnknownSnapshot, match="no table of that name"):
        unknown.read()
    name = written_table("typed", "CREATE TABLE {t} (id STRING) USING iceberg", "INSERT INTO {t} VALUES ('1')")
    assert table.compare("main", name).facts.verdict == "different"
    with pytest.raises(ExplorerError, match="field 1 is id long on the left side and id string on the right"):
        table.compare("main", name, rows=True).read()


@pytest.mark.parametrize("version", [2, 3])
def test_files_of_a_moved_table_are_matched_by_their_path_below_its_location(
    spark: SparkSession, tmp_path: Path, version: int
) -> None:
    name = f"moving{version}.t.moved"
    catalog = f"spark.sql.catalog.moving{version}"  # whose paths and locations are written alike
    spark.conf.set(catalog, "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set(f"{catalog}.type", "hadoop")
    spark.conf.set(f"{catalog}.warehouse", f"file:{tmp_path}/warehouse")
    for statement in (
        f"CREATE TABLE {name} (id INT, p STRING) USING iceberg PARTITIONED BY (p) TBLPROPERTIES ("
        f"'format-version'='{version}', 'write.delete.mode'='merge-on-read')",
        f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ CAST(id AS INT), IF(id < 5, 'a', 'b') FROM range(10)",
        f"DELETE FROM {name} WHERE id = 3",
        f"INSERT INTO {name} VALUES (20, 'b')",
    ):
        spark.sql(statement)
    source = Table.open(name, spark)
    old, new = source.metadata.location, f"file:{tmp_path}/elsewhere"
    prefixes = f"source_prefix => '{old}', target_prefix => '{new}'"
    moved = spark.sql(f"CALL moving{version}.system.rewrite_table_path(table => 't.moved', {prefixes})").first()
    assert moved is not None
    listed = spark.read.csv(moved.file_list_location).collect()
    for row in listed:
        target = Path(row[1].removeprefix("file:"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(row[0].removeprefix("file:"), target)
    copy = Table.open(str(tmp_path / "elsewhere"), spark)
    facts = source.compare("main", copy, rows=True).facts
    assert not told_of_any(facts), "every data file is in both"
    assert facts.verdict in ("equal", "other layout")
    assert facts.rows is not None
    assert facts.rows.differing == 0
    spark.sql(f"DELETE FROM {name} WHERE id = 7")
    source.reload()
    later = source.compare("main", copy, rows=True).facts
    assert later.rows is not None
    assert later.relation is not None
    assert later.relation.kind == "ancestor", "a table that was moved with its history is still the same one"
    assert (later.rows.inserted, later.rows.deleted) == (0, 1)
    assert later.files.totals.touched >= 1


def told_of_any(facts: Comparison) -> list[Any]:
    return [side for side in (facts.files.totals.left, facts.files.totals.right) if "data" in side]


def test_an_older_metadata_file_of_the_table_is_the_same_table(spark: SparkSession, table: Table) -> None:
    older = table.metadata.metadata_log[4].file
    facts = table.compare("main", older).facts
    assert facts.relation is not None
    assert facts.relation.kind == "ancestor"
    assert facts.right.asked == "main"


# --- how it is read --------------------------------------------------------------------------------------------------


def test_by_its_metadata_file_the_same_is_answered_without_sql(spark: SparkSession, table: Table) -> None:
    by_path = Table.open(table.metadata_location, spark)
    picture = by_path.compare("start", "main", rows=True)
    pd.testing.assert_frame_equal(picture.data, table.compare("start", "main", rows=True).data)
    assert picture.sql == ""


def test_manifests_that_both_list_are_not_opened(
    spark: SparkSession, written_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = written_table(
        "growing", "CREATE TABLE {t} (id INT) USING iceberg", *(f"INSERT INTO {{t}} VALUES ({n})" for n in range(5))
    )
    growing, opened = Table.open(name, spark), opened_files(monkeypatch)
    monkeypatch.setattr(comparisons, "_MOST_FOR_COLUMNS", 0)  # statistics of columns are those of all files
    growing.compare(ids(growing)[-2], ids(growing)[-1]).read()
    assert len(opened()) == 1


def test_each_small_manifest_is_opened_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = opened_files(monkeypatch)
    assert not isinstance(table.compare("start", "main").facts.columns, str)
    assert len(opened()) == len(set(opened())) >= 3


def test_for_rows_each_small_manifest_is_opened_once_more(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = table.compare("start", "main", rows=True)
    assert isinstance(picture.cost, Cost), "its files are known"
    opened = opened_files(monkeypatch)
    assert picture.facts.rows is not None
    assert len(opened()) == len(set(opened())) >= 3


@pytest.fixture
def in_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every manifest is too large for this process, and three files are too many."""
    read = comparisons.stored_files.read
    monkeypatch.setattr(manifests, "SMALL_IN_BYTES", 0)
    monkeypatch.setattr(
        comparisons.stored_files, "read", lambda *ends, **how: read(*ends, **how, small_in_bytes=0, most=1_000)
    )


@pytest.mark.usefixtures("in_tasks")
def test_in_spark_tasks_the_answers_are_the_same(
    spark: SparkSession, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [("start", "main"), ("side", "main"), (ids(table)[1], ids(table)[2])]
    big = [table.compare(*pair, rows=True).data for pair in pairs]
    monkeypatch.undo()
    for pair, data in zip(pairs, big, strict=True):
        pd.testing.assert_frame_equal(data, table.compare(*pair, rows=True).data)


@pytest.mark.parametrize("small_in_bytes", [0, manifests.SMALL_IN_BYTES])
def test_more_files_than_are_listed_are_counted_all_the_same(
    table: Table, monkeypatch: pytest.MonkeyPatch, small_in_bytes: int
) -> None:
    whole = table.compare("start", "side").facts
    read = comparisons.stored_files.read
    monkeypatch.setattr(
        comparisons.stored_files, "read", lambda *ends, **how: read(*ends, **how, most=1, small_in_bytes=small_in_bytes)
    )
    cut = table.compare("start", "side").facts
    assert cut.files.totals.left == whole.files.totals.left
    assert cut.files.totals.right == whole.files.totals.right
    assert cut.files.price.at_least
    assert any("too many to list" in note.reason for note in cut.notes)
    read_rows, whole_rows = (table.compare("start", "side", rows=True).facts.rows, None)
    monkeypatch.undo()
    whole_rows = table.compare("start", "side", rows=True).facts.rows
    assert read_rows is not None
    assert whole_rows is not None
    assert (read_rows.inserted, read_rows.updated, read_rows.deleted) == (
        whole_rows.inserted, whole_rows.updated, whole_rows.deleted
    )  # fmt: skip


def test_asking_changes_nothing_in_the_tables_folder(spark: SparkSession, table: Table) -> None:
    folder = Path(table.metadata.location.removeprefix("file:"))

    def content() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    before = content()
    table.compare("start", "main", rows=True).to_static_html()
    assert content() == before


def test_a_key_may_have_values_that_python_has_not(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("far_future")
    spark.sql(f"CREATE TABLE {name} (d DATE NOT NULL, v INT) USING iceberg")
    spark.sql(f"ALTER TABLE {name} SET IDENTIFIER FIELDS d")
    spark.sql(f"INSERT INTO {name} VALUES (DATE '+12345-01-01', 1), (DATE '2026-01-01', 1)")
    spark.sql(f"UPDATE {name} SET v = 2")
    table = Table.open(name, spark)
    assert table.compare(1, 2, rows=True).facts.rows.updated == 2
    assert table.compare(1, 2, rows=True, identifier_columns=["d"]).facts.rows.updated == 2
    assert "to change 2" in table.commit(2, rows=True).title
