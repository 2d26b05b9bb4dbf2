"""What the lesson about compaction says is what its table shows: by Iceberg's own metadata tables and rows."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pyspark.sql import Row, SparkSession

NAME = "sandbox.lessons.compaction"


@dataclass(frozen=True)
class Played:
    """The table, and its snapshots by sequence number: no gap, so the order of commits."""

    spark: SparkSession
    snapshots: tuple[Row, ...]

    def live(self, number: int, content: int) -> list[tuple[int, int]]:
        """Data and file sequence number of each live file of a kind in Europe, after the commit with this number."""
        rows = self.spark.sql(
            f"SELECT sequence_number, file_sequence_number FROM {NAME}.entries VERSION AS OF {self.id(number)} "
            f"WHERE status < 2 AND data_file.content = {content} AND data_file.partition.region = 'EU'"
        ).collect()
        return sorted((row[0], row[1]) for row in rows)

    def names(self, number: int) -> set[str]:
        rows = self.spark.sql(f"SELECT name FROM {NAME} VERSION AS OF {self.id(number)}").collect()
        return {row[0] for row in rows}

    def id(self, number: int) -> int:
        return int(self.snapshots[number - 1].snapshot_id)


@pytest.fixture(scope="module")
def played(sandbox: SparkSession) -> Played:
    rows = sandbox.sql(f"SELECT snapshot_id, operation FROM {NAME}.snapshots ORDER BY committed_at").collect()
    return Played(sandbox, tuple(rows))


def test_eight_commits_of_which_the_last_three_change_no_row(played: Played) -> None:
    assert [row.operation for row in played.snapshots] == ["append"] * 2 + ["delete"] * 3 + ["replace"] * 3
    assert played.names(2) == {"Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"}
    assert played.names(4) == {"Ada", "Cleo", "Dan", "Fay"}
    for number in (5, 6, 7, 8):
        assert played.names(number) == {"Ada", "Dan", "Fay"}


def test_the_compacted_file_counts_as_of_the_start_though_it_was_written_later(played: Played) -> None:
    assert played.live(5, 0) == [(1, 1), (2, 2)]
    assert played.live(6, 0) == [(4, 6)]


def test_the_delete_that_overtook_the_compaction_still_masks_the_row_that_was_copied(played: Played) -> None:
    path = played.spark.sql(
        f"SELECT data_file.file_path FROM {NAME}.entries VERSION AS OF {played.id(6)} WHERE file_sequence_number = 6"
    ).collect()[0][0]
    assert played.live(6, 2) == [(3, 3), (5, 5)]
    copied = {row[0] for row in played.spark.read.parquet(path).select("name").collect()}
    assert copied == {"Ada", "Cleo", "Fay"}  # Ben and Eve were applied; of Cleo's delete it knew nothing
    assert "Cleo" not in played.names(6)


def test_a_compaction_without_the_starting_number_takes_its_own_for_both(played: Played) -> None:
    assert played.live(7, 0) == [(7, 7)]


def test_deletes_are_left_dangling_until_they_are_removed(played: Played) -> None:
    assert played.live(6, 1) == played.live(7, 1) == [(4, 4)]
    assert played.live(7, 2) == [(3, 3), (5, 5)]
    assert played.live(8, 1) == played.live(8, 2) == []
    assert played.live(8, 0) == [(7, 7)]
