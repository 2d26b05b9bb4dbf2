"""Every file from birth to removal: on tables of other writers, and on random live histories, against slow accounts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import UnreadableMetadata
from tests.oracle.row_histories import REFUSED, RowHistory
from tests.queries.timeline_facts import slow_by_expected, slow_by_sql, timelines

REAL = (
    "duckdb_eq_deletes_hole",
    "duckdb_spec1_cow",
    "duckdb_spec2_mor",
    "duckdb_v1_to_v3",
    "icebird_java",
    "icelake_v1_overwrite",
    "impala_dangling_delete",
    "impala_eq_and_pos",
    "impala_multi_eq_ids",
    "impala_multi_location",
    "impala_v3_dv",
    "impala_v3_row_lineage",
    "lithium_branch_tag",
    "lithium_trino_dv",
    "lithium_uuid",
    "pglake_branches_tags",
    "pglake_expired",
    "trino_conflict",
    "trino_mv",
)


@pytest.mark.parametrize("name", REAL)
def test_files_of_real_tables_live_as_the_independent_answer_says(
    spark: SparkSession, real_tables: dict[str, dict[str, Any]], name: str
) -> None:
    import table_paths

    slow = slow_by_expected(Path(table_paths.metadata_path(name)), table_paths.expected(name))
    assert slow.live
    slow.check(timelines(spark, f"real.t.{name}"))


def test_a_table_whose_lists_are_lost_shows_what_is_left(spark: SparkSession, real_tables: Any) -> None:
    told = timelines(spark, "real.t.lithium_1000_snapshots").timeline()
    assert len(told.commits) == 1000
    assert sum(bool(c.hole) for c in told.commits) == 999
    assert all(f.is_live and f.added_snapshot_id for f in told.files)
    assert any(note.certainty == "unknown" for note in told.notes)


def test_a_table_that_no_engine_opens_is_refused_in_words(spark: SparkSession, real_tables: Any) -> None:
    with pytest.raises(UnreadableMetadata, match="9876543210123456789"):
        timelines(spark, "real.t.duckdb_bad_snapshot_id")


class FileHistory(RowHistory):
    """A random history that publishes, cherry-picks and expires, too."""

    def publish(self) -> None:
        self.sql(f"ALTER TABLE {self.name} SET TBLPROPERTIES ('write.wap.enabled' = 'true')")
        wap = f"w{len(self.done)}"
        self.spark.conf.set("spark.wap.id", wap)
        try:
            self.insert()
        finally:
            self.spark.conf.unset("spark.wap.id")
        if self.pick.random() < 0.7:
            self.insert()  # else it is only staged, or the publishing is a fast-forward
        if self.pick.random() < 0.7:
            self.sql(f"CALL lab.system.publish_changes('{self.name}', '{wap}')")

    def expire(self) -> None:
        ids = [row[0] for row in self.spark.sql(f"SELECT snapshot_id FROM {self.name}.snapshots").collect()]
        heads = {row[0] for row in self.spark.sql(f"SELECT snapshot_id FROM {self.name}.refs").collect()}
        loose = [i for i in ids if i not in heads]
        if loose:
            self.sql(
                f"CALL lab.system.expire_snapshots(table => '{self.name}', clean_expired_metadata => false, "
                f"snapshot_ids => array({self.pick.choice(loose)}L))"
            )

    def attempt(self, happens: Callable[[], None]) -> None:
        try:
            happens()
        except REFUSED as error:
            self.done.append(f"refused: {str(error)[:200]}")


@pytest.mark.parametrize("seed", range(6))
def test_files_of_a_random_history_live_as_each_snapshot_says(
    spark: SparkSession, fresh_table: Callable[..., str], seed: int
) -> None:
    history = FileHistory(spark, fresh_table("lives"), seed)
    for _ in range(4):
        history.play(3)
        history.attempt(history.publish)
        if seed % 2:
            history.attempt(history.expire)
    slow = slow_by_sql(spark, history.name)
    slow.check(timelines(spark, history.name))
