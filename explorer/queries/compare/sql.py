"""The files that only one of two points of a table has, summed by partition, as SQL over their entries."""

from __future__ import annotations

from ..files import entry_sql
from ..files.locate import Located
from ..query import Query

_FILES = """\
-- Files that only one of two snapshots of {name} has, by partition: left {left}, right {right}
WITH
live_left AS (
  SELECT data_file FROM {name}.entries VERSION AS OF {left} WHERE status < 2
),
live_right AS (
  SELECT data_file FROM {name}.entries VERSION AS OF {right} WHERE status < 2
),
only AS (
  SELECT 'left' AS side, here.data_file FROM live_left AS here
  LEFT ANTI JOIN live_right AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
  UNION ALL
  SELECT 'right' AS side, here.data_file FROM live_right AS here
  LEFT ANTI JOIN live_left AS there
  ON here.data_file.file_path = there.data_file.file_path
    AND here.data_file.content_offset <=> there.data_file.content_offset
),
files AS (
  SELECT
{content},
{partition}    data_file.spec_id,
    count_if(side = 'left') AS left_files,
    sum(data_file.record_count) FILTER (WHERE side = 'left') AS left_rows,
    count_if(side = 'right') AS right_files,
    sum(data_file.record_count) FILTER (WHERE side = 'right') AS right_rows
  FROM only
  GROUP BY ALL
)
SELECT
  'files' AS area,
  content AS name,
{column}  nullif(left_files, 0) AS left,
  nullif(right_files, 0) AS right,
  concat_ws(' | ',
    '+' || nullif(right_files, 0) || ' files +' || right_rows || ' rows',
    '-' || nullif(left_files, 0) || ' files -' || left_rows || ' rows'
  ) AS change,
  spec_id
FROM files
ORDER BY spec_id, {order}name
"""


def files_query(located: Located, left: int, right: int, *, partitioned: bool) -> Query | None:
    """The rows of `compare().data` about files that only one side has, one for each partition and kind of content.

    Columns: area string (`files`); name string, the content; partition struct, only if the table has a partitioned
    spec; left, right bigint, files that only this side has, null for none; change string; spec_id int.

    Cost: Iceberg reads every manifest of both snapshots. None if the table has no name: SQL cannot name the entries of
    a metadata file.

    Args:
        located: the table.
        left: the snapshot on the left side.
        right: the one on the right.
        partitioned: whether any spec of the table has fields; else there is no column `partition`.
    """
    if located.relation is None:
        return None
    return Query(
        "compare",
        _FILES.format(
            name=located.relation,
            left=left,
            right=right,
            content=entry_sql.content(margin="    "),
            partition=entry_sql.partition(partitioned, margin="    "),
            column="  partition,\n" if partitioned else "",
            order="partition, " if partitioned else "",
        ),
    )
