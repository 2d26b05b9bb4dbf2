"""Deletes of live tables: what is not an everyday case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.deletes import words as deletes_words
from explorer.model.deletes.rows import PairRow
from tests.queries.commit_facts import Opened
from tests.queries.deletes_facts import counted, joined, outcome_of, pair_by_pair, reader


@pytest.fixture(scope="module")
def renamed(spark: SparkSession, fresh_table: Callable[..., str]) -> Opened:
    """Two partitions, an equality delete in one of them with statistics, its key column renamed since."""
    name = fresh_table("renamed")
    spark.sql(f"CREATE TABLE {name} (id INT, region STRING) USING iceberg PARTITIONED BY (region)")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'EU'), (2, 'EU')")
    spark.sql(f"INSERT INTO {name} VALUES (7, 'EU'), (8, 'US')")
    delete_equal(spark, name, spark.sql("SELECT 1 AS id"), partition="region=EU", statistics=True)
    spark.sql(f"ALTER TABLE {name} RENAME COLUMN id TO number")
    spark.sql(f"INSERT INTO {name} VALUES (9, 'US')")
    return Opened(spark, name)


def head(opened: Opened) -> int:
    found = opened.metadata.current_snapshot_id
    assert found is not None
    return found


def test_a_snapshot_without_deletes_is_counted_from_its_list(renamed: Opened) -> None:
    first = renamed.metadata.snapshots[0].snapshot_id
    found = counted(renamed, first)
    assert (found.delete_count, found.data_file_count, found.pairs) == (
        0,
        pair_by_pair(renamed, first).data_file_count,
        (),
    )


def test_statistics_that_were_not_compared_are_noted(renamed: Opened) -> None:
    exact, bound = pair_by_pair(renamed, head(renamed)), counted(renamed, head(renamed), most_compared=0)
    assert (exact.reached_pairs, exact.statistics_evaluated) == (1, True)
    assert exact.deletes[0].ruled_out == {"partition": 2, "statistics": 1}
    assert (bound.reached_pairs, bound.statistics_evaluated) == (2, False)
    assert [note.about for note in bound.notes if note.certainty == "unknown"] == ["statistics"]


@pytest.mark.parametrize("most_pairs", [20_000, 2, 0])  # all pairs at hand; of one partition; only counts
def test_one_partition_is_asked_for_alone(renamed: Opened, most_pairs: int) -> None:
    of = renamed.metadata.by_id[head(renamed)]
    asked = reader(renamed, small_in_bytes=0, most_pairs=most_pairs)
    whole = pair_by_pair(renamed, head(renamed))
    partition_of = {live.file.file_path: live.file.partition for live in whole.data_files}
    for name in ("region=EU", "region=US"):
        alone = asked.deletes(of, (0, name))
        paths = {path for path, partition in partition_of.items() if partition == name}
        pairs = [p for p in whole.pairs if p.data_path in paths and p.verdict.decided_by != "partition"]
        assert (alone.partition, alone.data_file_count) == ((0, name), len(paths))
        assert alone.delete_count == (1 if name == "region=EU" else 0)
        assert alone.reached_pairs == sum(p.verdict.applies is True for p in pairs)
        if most_pairs:
            assert sorted(map(repr, alone.pairs)) == sorted(map(repr, pairs))
        else:
            assert alone.pairs == ()
        of_partition = asked.frame(of, (0, name), ruled_out=True).collect()
        assert {(row.data_path, row.applies) for row in of_partition} == {
            (p.data_path, p.verdict.applies) for p in pairs
        }
        assert f"{name.replace('=', ' = ')} (spec 0) alone" in deletes_words.circumstances(alone, "t")


def test_an_unreadable_data_manifest_is_reported_where_pairs_are_counted(renamed: Opened, tmp_path: Path) -> None:
    listed = renamed.stored(head(renamed)).listed or ()
    manifest = Path(urlsplit(next(m.path for m in listed if m.content == 0)).path)
    aside = manifest.rename(tmp_path / manifest.name)
    try:
        found = counted(renamed, head(renamed))
    finally:
        aside.rename(manifest)
    (note,) = [note for note in found.notes if note.certainty == "unknown"]
    assert manifest.name in note.reason
    assert found.data_file_count < pair_by_pair(renamed, head(renamed)).data_file_count


def test_the_frame_holds_pairs_or_a_row_for_a_delete_that_reaches_nothing(renamed: Opened) -> None:
    nothing = PairRow("a", None, "equality deletes", 1, None, None, False, "partition", "…")
    frame = joined(renamed, head(renamed)).frame([nothing])
    assert sorted((row.applies, row.decided_by, row.reason) for row in frame.collect()) == [
        (False, "partition", "…"),
        (True, "sequence", "1 < 3"),
    ]


def test_a_key_is_found_by_its_field_id_though_the_column_was_renamed(renamed: Opened) -> None:
    outcome = outcome_of(renamed, head(renamed), "number < 7")
    assert (outcome.live_count, outcome.masked_count) == (1, 1)
    masked, live = outcome.rows
    assert (masked.values, masked.masked, [d.masks for d in masked.deletes]) == (("1", "EU"), True, [True])
    assert (live.values, live.masked, [d.holds_row for d in live.deletes]) == (("2", "EU"), False, [False])
    assert "does not hold its key" in live.deletes[0].words


def test_an_older_snapshot_is_asked_by_the_names_of_its_own_schema(renamed: Opened) -> None:
    before = next(s.snapshot_id for s in renamed.metadata.snapshots if s.sequence_number == 3)
    outcome = outcome_of(renamed, before, "id < 7")
    assert (outcome.columns, outcome.live_count, outcome.masked_count) == (("id", "region"), 1, 1)


def test_more_rows_than_are_shown_are_counted(renamed: Opened) -> None:
    outcome = outcome_of(renamed, head(renamed), "true", most=1)
    assert (len(outcome.rows), outcome.live_count, outcome.masked_count) == (1, 4, 1)


def test_a_condition_that_is_none_is_refused_in_words(renamed: Opened) -> None:
    with pytest.raises(ExplorerError, match="Write a condition over the table's columns"):
        outcome_of(renamed, head(renamed), "no_such_column = 1")


@pytest.mark.parametrize(
    ("condition", "regions"),
    [("region = 'US'", "'US'"), ("region = 'EU' AND number < 7", "'EU'"), ("number % 2 = 1", "'EU', 'US'")],
)
def test_a_price_is_that_of_the_files_which_may_hold_such_rows(
    renamed: Opened, spark: SparkSession, condition: str, regions: str
) -> None:
    of = renamed.metadata.by_id[head(renamed)]
    cost = reader(renamed).price(of, condition)
    files = spark.sql(f"SELECT * FROM {renamed.name}.all_files WHERE partition.region IN ({regions})").collect()
    data = [
        f
        for f in files
        if f.content == 0 and ("number < 7" not in condition or f.readable_metrics.number.lower_bound < 7)
    ]
    keys = spark.sql(f"SELECT * FROM {renamed.name}.all_files WHERE content = 2").collect()  # of any partition
    deletes = [*(f for f in files if f.content == 1), *keys]
    assert (cost.files, cost.rows) == (len(data), sum(f.record_count for f in data))
    assert cost.size_in_bytes == sum(f.file_size_in_bytes for f in (*data, *deletes))
    assert not cost.at_least


def test_the_price_of_an_older_snapshot_counts_on_no_skipping_by_a_column_renamed_since(renamed: Opened) -> None:
    before = next(s for s in renamed.metadata.snapshots if s.sequence_number == 2)
    assert reader(renamed).price(before, "id = 1").files == 3
    with pytest.raises(ExplorerError, match="Write a condition over the table's columns"):
        reader(renamed).price(before, "number = 1")


def test_a_global_delete_written_under_a_partitioned_spec_never_applies(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    """Iceberg issue 14678: the constant of the library has spec id 0, which is a partitioned spec here."""
    name = fresh_table("misplaced")
    spark.sql(f"CREATE TABLE {name} (id INT, region STRING) USING iceberg PARTITIONED BY (region)")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'EU')")
    jvm: Any = spark._jvm
    gateway: Any = spark.sparkContext._gateway
    table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    ids = gateway.new_array(jvm.int, 1)
    ids[0] = 1
    delete = (
        jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(jvm.org.apache.iceberg.PartitionSpec.unpartitioned())
        .ofEqualityDeletes(ids)
        .withPath(f"{table.location()}/data/misplaced.parquet")
        .withFormat("parquet")
        .withFileSizeInBytes(1)
        .withRecordCount(1)
        .build()
    )
    table.newRowDelta().addDeletes(delete).commit()
    spark.sql(f"REFRESH TABLE {name}")
    opened = Opened(spark, name)
    found = pair_by_pair(opened, head(opened))
    assert [finding.kind for finding in found.findings] == ["never applied", "dangling"]
    assert spark.table(name).count() == 1  # the file of keys does not exist, and no reader asks for it
