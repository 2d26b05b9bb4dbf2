"""Which rows row lifetimes tell of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from explorer.queries.rows.row_lifetimes import row_lifetimes
from explorer.queries.rows.schema_mapping import current_schema
from tests.queries.changelog_histories import quick
from tests.queries.sources import line_of, source_of


def lived(fast: SparkSession, name: str, asked: Callable[[str], bool], *, unchanged: bool) -> list[Row]:
    """The rows of all commits after the first one, of which those of some operations are asked for."""
    source = source_of(fast, name)
    snapshots = sorted(source.metadata.snapshots, key=lambda s: s.sequence_number)
    ids = [snapshot.snapshot_id for snapshot in snapshots]
    not_asked = {snapshot.snapshot_id for snapshot in snapshots if not asked(snapshot.operation)}
    line = line_of(source, ids, not_asked=not_asked)
    lifetimes = row_lifetimes(source, line, current_schema(source.document), row_ids=False, unchanged=unchanged)
    frames: dict[str, Any] = dict(lifetimes.frames)
    return fast.sql(f"WITH {lifetimes.run}\nSELECT id, _events FROM {lifetimes.last}", **frames).collect()


@pytest.mark.parametrize(("unchanged", "told"), [(False, {7, 8}), (True, set(range(100)))])
def test_rows_that_were_there_all_along_are_told_where_they_are_asked_for(
    spark: SparkSession, fresh_table: Callable[..., str], unchanged: bool, told: set[int]
) -> None:
    """A delete masks few rows of a large file: to move the others would take longer than all else."""
    name, fast = fresh_table("few"), quick(spark)
    fast.sql(f"CREATE TABLE {name} (id INT) USING iceberg TBLPROPERTIES ('write.delete.mode'='merge-on-read')")
    fast.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ int(id) FROM range(100)")
    for number in (7, 8):
        fast.sql(f"DELETE FROM {name} WHERE id = {number}")
    rows = lived(fast, name, lambda _: True, unchanged=unchanged)
    assert {row.id for row in rows} == told
    ends = {row.id: row._events[-1].at for row in rows}
    assert [ends[number] for number in (7, 8)] == [1, 2]


def test_rows_that_a_compaction_moves_are_told_where_all_are(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    """It is not asked for: what it moves did not change."""
    name, fast = fresh_table("compacted"), quick(spark)
    fast.sql(f"CREATE TABLE {name} (id INT) USING iceberg TBLPROPERTIES ('write.delete.mode'='merge-on-read')")
    fast.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ int(id) FROM range(100)")
    fast.sql(f"DELETE FROM {name} WHERE id = 7")
    fast.sql(f"CALL lab.system.rewrite_data_files(table => '{name}', options => map('rewrite-all', 'true'))")
    fast.sql(f"DELETE FROM {name} WHERE id = 8")
    ids = [row.id for row in lived(fast, name, lambda operation: operation != "replace", unchanged=False)]
    assert sorted(ids) == [7, 8]
    ids = [row.id for row in lived(fast, name, lambda operation: operation != "replace", unchanged=True)]
    assert sorted(ids) == sorted([*range(100), *(set(range(100)) - {7})])
    ids = [row.id for row in lived(fast, name, lambda _: True, unchanged=False)]
    assert sorted(ids) == sorted([*range(100), *(set(range(100)) - {7})])
