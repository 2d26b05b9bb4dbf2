from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from explorer.model.row_lineage import row_ids
from tests.queries.row_facts import OpenedRows
from tests.queries.test_commit import history


def values(frame: DataFrame, columns: int) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row)[:columns] for row in frame.collect())


@pytest.mark.parametrize(
    ("version", "mode", "seed"), [(2, "copy-on-write", 1), (2, "merge-on-read", 2), (3, "merge-on-read", 3)]
)
def test_gone_and_new_are_the_difference_of_the_whole_snapshots(
    spark: SparkSession, fresh_table: Callable[..., str], version: int, mode: str, seed: int
) -> None:
    name = fresh_table("rows")
    history(spark, name, version, mode, seed)
    table = OpenedRows(spark, name)
    whole: dict[int | None, Counter[tuple[Any, ...]]] = {None: Counter()}
    for snapshot in table.metadata.snapshots:
        whole[snapshot.snapshot_id] = values(
            spark.sql(f"SELECT id, region, day FROM {name} VERSION AS OF {snapshot.snapshot_id}"), 3
        )
        trusted = row_ids(table.metadata, table.commit(snapshot.snapshot_id)).trusted
        assert trusted == (version == 3)
        question = table.question(snapshot.snapshot_id, row_ids=trusted)
        assert question.gone is not None
        gone, new = values(question.gone, 3), values(question.new, 3)
        before, after = whole[snapshot.parent_id], whole[snapshot.snapshot_id]
        assert (gone - new, new - gone) == (before - after, after - before)
        assert values(spark.sql(question.gone_sql), 3) == gone
        assert values(spark.sql(question.new_sql), 3) == new
        places = question.new.select("_file", "_pos", "_row_id").collect()
        assert len({(row._file, row._pos) for row in places}) == len(places)
        assert {row._row_id is None for row in places} <= {version < 3}
