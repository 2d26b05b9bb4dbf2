"""Every file from birth to removal, as SQL over `all_entries`."""

from __future__ import annotations

from .files import entry_sql
from .files.locate import Located
from .query import Query

_TIMELINE = """\
-- Every file of {name} from birth to removal, as far as entries of snapshots that are still listed tell
WITH entries AS (
  SELECT
    status,
    snapshot_id,
    sequence_number,
    file_sequence_number,
    data_file.file_path,
    data_file.content_offset,
{content},
    data_file.spec_id,
{partition}\
    data_file.record_count
  FROM {name}.all_entries
)
SELECT
  file_path,
  content_offset,
  any_value(content) AS content,
  any_value(spec_id) AS spec_id,
{any_partition}\
  any_value(record_count) AS record_count,
  sequence_number AS data_sequence_number,
  file_sequence_number,
  max(IF(status < 2, snapshot_id, NULL)) AS added_snapshot_id,
  file_sequence_number AS added_sequence_number, -- by definition
  sort_array(collect_set(IF(status = 2, snapshot_id, NULL))) AS removed_by -- each on its own branch
FROM entries
GROUP BY file_path, content_offset, sequence_number, file_sequence_number
ORDER BY added_sequence_number, file_path, content_offset
"""


def sequence_timeline_query(located: Located, *, partitioned: bool) -> Query | None:
    """One row per life of a data file, delete file or deletion vector; a file that was added twice has two.

    Columns: file_path string; content_offset bigint, bytes, only of deletion vectors; content string; spec_id int;
    partition struct, only if the table has a partitioned spec; record_count bigint; data_sequence_number,
    file_sequence_number bigint; added_snapshot_id bigint, null if only the entry of its removal is left;
    added_sequence_number bigint; removed_by array<bigint>, ids of snapshots that removed it; empty if none did, or no
    entry that is left says so.

    Cost: Iceberg reads every manifest list and manifest of all snapshots, the lists on the driver. It fails if one
    of them is missing; the timeline itself does not. None if the table has no name in SQL.

    Args:
        located: the table.
        partitioned: whether any spec of the table has fields; else there is no column `partition`.
    """
    if located.relation is None:
        return None
    text = _TIMELINE.format(
        name=located.relation,
        content=entry_sql.content(margin="    "),
        partition=entry_sql.partition(partitioned, margin="    "),
        any_partition="  any_value(partition) AS partition,\n" if partitioned else "",
    )
    return Query("sequence_timeline", text)
