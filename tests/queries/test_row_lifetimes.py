"""Which rows row lifetimes tell of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.queries.files import commits as many_commits
from explorer.queries.rows import line_files
from explorer.queries.rows.changed_entries import Manifests
from explorer.queries.rows.line_files import LineCommit
from explorer.queries.rows.row_lifetimes import row_lifetimes
from explorer.queries.rows.schema_mapping import current_schema
from tests.queries.changelog_histories import quick
from tests.queries.sources import source_of


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
    source = source_of(fast, name)
    before, *ids = [s.snapshot_id for s in sorted(source.metadata.snapshots, key=lambda s: s.sequence_number)]
    lists = many_commits.manifest_lists(source, [before, *ids])
    stored, decoded = many_commits.stored_commits(source, lists, ids)
    there: Any = lists[before]
    commits = [LineCommit(i, stored[i], True, False, False) for i in ids]
    line = line_files.read(source, before, there, commits, Manifests(source, decoded))
    lifetimes = row_lifetimes(source, line, current_schema(source.document), row_ids=False, unchanged=unchanged)
    frames: dict[str, Any] = dict(lifetimes.frames)
    rows = fast.sql(f"WITH {lifetimes.run}\nSELECT id, _events FROM {lifetimes.last}", **frames).collect()
    assert {row.id for row in rows} == told
    ends = {row.id: row._events[-1].at for row in rows}
    assert [ends[number] for number in (7, 8)] == [1, 2]
