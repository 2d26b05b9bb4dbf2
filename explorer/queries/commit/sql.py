"""The files that a commit added and removed, or that two snapshots do not share, as SQL over their entries."""

from __future__ import annotations

from ..files import entry_sql
from ..files.locate import Located
from ..query import Query

_COLUMNS = """\
  data_file.file_path,
  data_file.content_offset,
{content},
  {change},
  data_file.spec_id,
{partition}\
  data_file.record_count,
  data_file.file_size_in_bytes,
  sequence_number AS data_sequence_number,
  file_sequence_number"""

_FILES = """\
-- Files that snapshot {id} of {name} added and removed
SELECT
{columns}
FROM {name}.entries VERSION AS OF {id}
WHERE snapshot_id = {id} AND status IN (1, 2)
ORDER BY change DESC, file_path, content_offset
"""

_BOUNDARY = """\
-- Files that only one of two snapshots of {name} has: removed ones {start}, added ones {end}
WITH
live_at_start AS (
  SELECT * FROM {name}.entries VERSION AS OF {start} WHERE status < 2
),
live_at_end AS (
  SELECT * FROM {name}.entries VERSION AS OF {end} WHERE status < 2
),
changed AS (
  SELECT 'removed' AS change, here.* FROM live_at_start AS here
  LEFT ANTI JOIN live_at_end AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
  UNION ALL
  SELECT 'added' AS change, here.* FROM live_at_end AS here
  LEFT ANTI JOIN live_at_start AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
)
SELECT
{columns}
FROM changed
ORDER BY change DESC, file_path, content_offset
"""


def commit_query(located: Located, snapshot_id: int, *, partitioned: bool) -> Query | None:
    """One row per data file, delete file and deletion vector that the commit added or removed.

    Columns: file_path string; content_offset bigint, bytes, only of deletion vectors; content string; change string
    (`added`, `removed`); spec_id int; partition struct, only if the table has a partitioned spec; record_count bigint;
    file_size_in_bytes bigint, of the whole file; data_sequence_number, file_sequence_number bigint.

    Cost: Iceberg reads every manifest of the snapshot, though only those that the commit added hold an answer. None if
    the table has no name: SQL cannot name the entries of a metadata file.

    Args:
        located: the table.
        snapshot_id: the commit.
        partitioned: whether any spec of the table has fields; else there is no column `partition`.
    """
    if located.relation is None:
        return None
    columns = _columns("CASE status WHEN 1 THEN 'added' WHEN 2 THEN 'removed' END AS change", partitioned=partitioned)
    return Query("commit", _FILES.format(name=located.relation, id=snapshot_id, columns=columns))


def boundary_query(located: Located, start: int, end: int, *, partitioned: bool) -> Query | None:
    """One row per file that only one of two snapshots has; columns, None and arguments as of `commit_query`.

    Cost: Iceberg reads every manifest of both snapshots.
    """
    if located.relation is None:
        return None
    columns = _columns("change", partitioned=partitioned)
    return Query("boundary", _BOUNDARY.format(name=located.relation, start=start, end=end, columns=columns))


def _columns(change: str, *, partitioned: bool) -> str:
    return _COLUMNS.format(content=entry_sql.content(), change=change, partition=entry_sql.partition(partitioned))
