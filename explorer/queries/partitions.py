"""Every partition after each commit of a line that changed it, as SQL over the entries of the table."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.iceberg.metadata import Snapshot
from .files import entry_sql
from .files.locate import Located
from .query import Query

_PARTITIONS = """\
-- What lives in each partition of {name} after each commit that changed it, oldest commit first
WITH line AS ( -- the current snapshot and its ancestors that are still listed
  SELECT * FROM VALUES
{line}
  AS line(snapshot_id, sequence_number, place)
),
entries AS ( -- what lives after the oldest of them; and what each later one added and removed
  SELECT 0 AS place, false AS removed, sequence_number, file_sequence_number, data_file
  FROM {name}.entries VERSION AS OF {oldest}
  WHERE status < 2
  UNION ALL
  SELECT place, status = 2, e.sequence_number, file_sequence_number, data_file
  FROM {name}.all_entries AS e JOIN line USING (snapshot_id)
  WHERE status > 0 AND place > 0
),
files AS ( -- each file, and at which commits of the line it is live: from first_place to before end_place
  SELECT
    data_file.file_path,
    data_file.content_offset,
    any_value(data_file.content) AS content,
{partition}\
    any_value(data_file.spec_id) AS spec_id,
    any_value(data_file.record_count) AS record_count,
    any_value(coalesce(data_file.content_size_in_bytes, data_file.file_size_in_bytes)) AS size_in_bytes,
    any_value(
{named_file}
    ) AS names, -- the one data file that a position delete names
    sequence_number,
    coalesce(min(place) FILTER (WHERE NOT removed), {count}) AS first_place,
    coalesce(max(place) FILTER (WHERE removed), {count}) AS end_place
  FROM entries
  GROUP BY data_file.file_path, data_file.content_offset, sequence_number, file_sequence_number
),
masks AS ( -- positions mask rows while their delete is live, and with it the data file that it names, if it names one
  SELECT
    {of_delete}x.spec_id, x.record_count,
    greatest(x.first_place, coalesce(d.first_place, 0)) AS first_place,
    least(x.end_place, coalesce(d.end_place, {count})) AS end_place
  FROM files AS x
  LEFT JOIN files AS d ON d.content = 0 AND d.file_path = x.names AND d.sequence_number <= x.sequence_number
  WHERE x.content = 1 AND (x.names IS NULL OR d.file_path IS NOT NULL)
),
amounts AS (
  SELECT
    {own}spec_id, first_place, end_place,
    IF(content = 0, 1, 0) AS data_files,
    IF(content = 0, 0, 1) AS delete_files,
    IF(content = 2, 1, 0) AS equality_delete_files,
    IF(content = 0, record_count, 0) AS record_count,
    0 AS masked_records,
    IF(content = 0, size_in_bytes, 0) AS size_in_bytes,
    IF(content = 0, 0, size_in_bytes) AS delete_size_in_bytes
  FROM files
  UNION ALL
  SELECT {own}spec_id, first_place, end_place, 0, 0, 0, 0, record_count, 0, 0 FROM masks
),
changes AS ( -- a file counts from where it is live on, and no more from where it ends
  SELECT
    {own}spec_id,
    place,
{changes}
  FROM amounts LATERAL VIEW stack(2, first_place, 1, end_place, -1) AS place, sign
  WHERE first_place < end_place AND place < {count}
  GROUP BY {own}spec_id, place
)
SELECT
  {own}spec_id,
  snapshot_id,
  sequence_number,
{sums}
FROM changes JOIN line USING (place)
WINDOW so_far AS (PARTITION BY {own}spec_id ORDER BY place)
ORDER BY place, spec_id{last}
"""
_SUMS = (
    "data_files",
    "delete_files",
    "record_count",
    "masked_records",
    "size_in_bytes",
    "equality_delete_files",
    "delete_size_in_bytes",
)


def partitions_query(located: Located, line: Sequence[Snapshot], *, partitioned: bool) -> Query | None:
    """One row per partition and commit of the line that changed it, by commit.

    Columns: partition struct, only if the table has a partitioned spec; spec_id int; snapshot_id bigint;
    sequence_number bigint, 0 in version 1; data_files, delete_files, record_count, masked_records, size_in_bytes,
    equality_delete_files, delete_size_in_bytes bigint, as in `model.partitions.facts.Sums`. The oldest commit has a
    row for each partition that it holds, whoever wrote its files.

    Cost: Iceberg reads every manifest list and manifest of all snapshots, the lists on the driver. It fails if one of
    them is missing; the picture does not. A file that a writer removes without an entry is counted on here. None if
    the table has no name in SQL, or no current snapshot.

    Args:
        located: the table.
        line: the current snapshot and its listed ancestors, oldest first.
        partitioned: whether any spec of the table has fields; else there is no column `partition`.
    """
    if located.relation is None or not line:
        return None
    commits = (f"    ({s.snapshot_id}L, {s.sequence_number}L, {place})" for place, s in enumerate(line))
    text = _PARTITIONS.format(
        name=located.relation,
        line=",\n".join(commits),
        oldest=line[0].snapshot_id,
        count=len(line),
        named_file=entry_sql.named_file(margin="      "),
        partition="    any_value(data_file.partition) AS partition,\n" if partitioned else "",
        of_delete="x.partition, " if partitioned else "",
        own="partition, " if partitioned else "",
        changes=",\n".join(f"    sum(sign * {name}) AS {name}" for name in _SUMS),
        sums=",\n".join(f"  sum({name}) OVER so_far AS {name}" for name in _SUMS),
        last=", partition" if partitioned else "",
    )
    return Query("partitions", text)
