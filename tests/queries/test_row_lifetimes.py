"""Which rows row lifetimes tell of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from explorer.queries.rows import file_rows, rewritten_files
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


@pytest.fixture
def worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few other files are as many as it takes."""
    monkeypatch.setattr(file_rows, "_MANY_FILES", 5)
    monkeypatch.setattr(file_rows, "_FILES_OF_AN_ALTERNATIVE", 1)


UPDATE = "UPDATE {t} SET v = 'new' WHERE id IN (5, 45)"
MERGE = (
    "MERGE INTO {t} t USING (SELECT * FROM VALUES (5), (45), (90) AS s(id)) s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET v = 'new' WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, 'new')"
)
APART, MIXED = "int(id)", "int(id * 7 % 80)"


@pytest.mark.parametrize(
    ("id_of", "statement", "are_found", "written"),
    [
        (APART, UPDATE, True, 20),
        (APART, MERGE, False, 21),  # a row that was in no file
        (MIXED, UPDATE, False, 20),  # the bounds of the old files rule out no more than those of the new one
    ],
)
@pytest.mark.usefixtures("worth_it")
def test_rewritten_rows_are_found_where_they_were(
    spark: SparkSession, fresh_table: Callable[..., str], id_of: str, statement: str, are_found: bool, written: int
) -> None:
    """The one file that a commit writes of two spans those that lie between: Iceberg would open them all for it."""
    name, fast = fresh_table("rewritten"), quick(spark)
    modes = "'write.distribution-mode'='none', 'write.merge.distribution-mode'='none'"
    fast.sql(f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ({modes})")
    fast.range(0, 80, 1, 8).selectExpr(f"{id_of} AS id", "'old' AS v").writeTo(name).append()
    fast.sql(statement.replace("{t}", name))
    source = source_of(fast, name)
    line = line_of(source, [s.snapshot_id for s in sorted(source.metadata.snapshots, key=lambda s: s.sequence_number)])
    assert [len(line.read_at[place]) for place in (0, 1)] == [2, 1]
    bounds = "id >= 0 AND id <= 49 AND ((id >= 0 AND id <= 9) OR (id >= 40 AND id <= 49))"
    assert rewritten_files.conditions(source, line) == ({1: bounds} if are_found else {})
    rows = lived(fast, name, lambda _: True, unchanged=False)
    assert sum(row._events[0].at == 1 for row in rows) == written
    assert sum(row._events[-1] == (1, False) for row in rows) == 20
