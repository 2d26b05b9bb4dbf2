"""The snapshots of a table as SQL: from its metadata file, or from the metadata tables if SQL cannot unzip the file."""

from __future__ import annotations

from .. import identifiers
from ..query import Query
from .locate import Located
from .metadata_file import MetadataFile

_FROM_FILE = """\
-- Snapshots of {name}, from the metadata file: sequence numbers are in no metadata table
WITH
metadata AS (
  SELECT
    from_json(
      CAST(content AS STRING),
      'snapshots ARRAY<STRUCT<
         `snapshot-id`: {id},
         `parent-snapshot-id`: {id},
         `sequence-number`: BIGINT,
         `timestamp-ms`: BIGINT,
         `manifest-list`: STRING,
         `schema-id`: INT,
         `first-row-id`: BIGINT,
         summary: MAP<STRING, STRING>>>,
       `current-snapshot-id` {id},
       refs MAP<STRING, STRUCT<`snapshot-id`: {id}>>',
      map('mode', 'FAILFAST')
    ) AS document
  FROM binaryFile.{path}
),
snapshots AS (
  SELECT
    s.*,
    exists(map_keys(s.summary), key -> key RLIKE '^(added|deleted|removed|total|manifests)-') AS counts
  FROM metadata
  LATERAL VIEW explode(document.snapshots) AS s
),
refs AS (
  SELECT name, ref.`snapshot-id` AS snapshot_id
  FROM metadata
  LATERAL VIEW explode(document.refs) AS name, ref
  UNION -- version 1 files may leave main out
  SELECT 'main' AS name, document.`current-snapshot-id` AS snapshot_id
  FROM metadata
  WHERE document.`current-snapshot-id` <> -1
),
named AS (
  SELECT snapshot_id, sort_array(collect_list(name)) AS refs
  FROM refs
  GROUP BY snapshot_id
)
SELECT
  s.`snapshot-id` AS snapshot_id,
  s.`parent-snapshot-id` AS parent_id,
  coalesce(s.`sequence-number`, 0) AS sequence_number,
  timestamp_millis(s.`timestamp-ms`) AS committed_at,
  s.summary['operation'] AS operation,
  coalesce(named.refs, array()) AS refs,
  CASE
    WHEN s.`parent-snapshot-id` IS NULL THEN 'none'
    WHEN parent.`snapshot-id` IS NULL THEN 'expired'
    ELSE 'present'
  END AS parent_state,
  try_cast(regexp_extract(s.`manifest-list`, 'snap-[0-9]+-([0-9]+)-', 1) AS INT) AS attempt,
  s.`schema-id` AS schema_id,
{counters},
  s.`first-row-id` AS first_row_id,
  s.`manifest-list` AS manifest_list
FROM snapshots AS s
LEFT JOIN snapshots AS parent ON parent.`snapshot-id` = s.`parent-snapshot-id`
LEFT JOIN named ON named.snapshot_id = s.`snapshot-id`
ORDER BY sequence_number, committed_at
"""

_FROM_TABLES = """\
-- Snapshots of {name}, from the metadata tables. SQL cannot read the metadata file of this table:
-- sequence numbers, schema ids and row ids are only there
WITH named AS (
  SELECT snapshot_id, sort_array(collect_list(name)) AS refs
  FROM {name}.refs
  GROUP BY snapshot_id
)
SELECT
  s.snapshot_id,
  s.parent_id,
  s.committed_at,
  s.operation,
  coalesce(named.refs, array()) AS refs,
  CASE
    WHEN s.parent_id IS NULL THEN 'none'
    WHEN parent.snapshot_id IS NULL THEN 'expired'
    ELSE 'present'
  END AS parent_state,
  try_cast(regexp_extract(s.manifest_list, 'snap-[0-9]+-([0-9]+)-', 1) AS INT) AS attempt,
{counters},
  s.manifest_list
FROM
  (
    SELECT *, exists(map_keys(summary), key -> key RLIKE '^(added|deleted|removed|total|manifests)-') AS counts
    FROM {name}.snapshots
  ) AS s
LEFT JOIN {name}.snapshots AS parent ON parent.snapshot_id = s.parent_id
LEFT JOIN named ON named.snapshot_id = s.snapshot_id
ORDER BY committed_at
"""

# A counter that a writer leaves out is 0, if it counts at all; one that is no count says nothing.
_COUNTER = """\
  CASE
    WHEN s.summary['{key}'] IS NULL THEN IF(s.counts, 0, NULL)
    WHEN s.summary['{key}'] RLIKE '^[0-9]+$' THEN try_cast(s.summary['{key}'] AS BIGINT)
  END AS {column}"""
_COUNTERS = ",\n".join(
    _COUNTER.format(key=key, column=column)
    for key, column in (
        ("added-data-files", "added_data_files"),
        ("deleted-data-files", "removed_data_files"),
        ("added-delete-files", "added_delete_files"),
        ("removed-delete-files", "removed_delete_files"),
        ("added-records", "added_records"),
        ("deleted-records", "deleted_records"),
    )
)


def snapshots_query(located: Located, file: MetadataFile, *, wide_ids: bool = False) -> Query | None:
    """One row per snapshot that the metadata lists.

    Args:
        located: the table.
        file: its metadata file.
        wide_ids: whether a snapshot id is beyond 64 bits: then snapshot_id and parent_id are decimal(38,0).

    Columns: snapshot_id bigint; parent_id bigint, null for a root; sequence_number bigint, 0 for version 1 (only from
    the file); committed_at timestamp; operation string, nullable; refs array<string>; parent_state string (`present`,
    `expired`, `none`); attempt int, null where the manifest list's name does not tell; schema_id int, nullable (only
    from the file); added_data_files, removed_data_files, added_delete_files, removed_delete_files, added_records,
    deleted_records bigint, null where the summary does not count; first_row_id bigint, nullable (only from the file);
    manifest_list string, nullable.

    Cost: one read of the metadata file, or one load of the table. None if SQL cannot read the file and the table has no
    name: then no SQL can read it.
    """
    if not file.hidden_from_sql:
        name = located.relation or located.asked
        sql = _FROM_FILE.format(
            name=_comment(name),
            path=identifiers.path_for_sql(file.location),
            counters=_COUNTERS,
            id="DECIMAL(38, 0)" if wide_ids else "BIGINT",
        )
    elif located.relation is not None:
        sql = _FROM_TABLES.format(name=located.relation, counters=_COUNTERS)
    else:
        return None
    return Query("snapshots", sql)


def _comment(text: str) -> str:
    """A name inside a comment line; a line break in it must not end the comment."""
    return " ".join(text.split())
