"""Files and snapshots with their sequence numbers, as relations that a person can query in SQL.

Iceberg's `files` and `snapshots` tables have no sequence numbers, so queries that ask them for some fail. These views
have the same columns, and the numbers.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from .files.locate import Located
from .files.snapshots import snapshots_query
from .query import Query
from .rows.local_rows import local_rows
from .source import Source

FILES_VIEW = "explorer_files"
SNAPSHOTS_VIEW = "explorer_snapshots"

FILES_SQL = """\
-- Live files of {name}{at} with both sequence numbers, which {name}.files has not
SELECT
  sequence_number AS data_sequence_number, -- decides which deletes apply
  file_sequence_number, -- of the commit that added the file
  snapshot_id AS added_snapshot_id,
  data_file.*
FROM {name}.entries{version}
WHERE status < 2
"""
_COLUMNS = (
    "sequence_number AS data_sequence_number, file_sequence_number, snapshot_id AS added_snapshot_id, data_file.*"
)
_STORED_COLUMNS = (
    "sequence_number AS data_sequence_number",
    "file_sequence_number",
    "snapshot_id AS added_snapshot_id",
    "CASE content WHEN 'data' THEN 0 WHEN 'equality deletes' THEN 2 ELSE 1 END AS content",
    "file_path",
    "file_format",
    "spec_id",
    "partition",
    "record_count",
    "file_size_in_bytes",
    "equality_ids",
    "sort_order_id",
    "first_row_id",
    "referenced_data_file",
    "content_offset",
    "content_size_in_bytes",
)
_SNAPSHOTS = (
    "snapshot_id BIGINT, parent_id BIGINT, sequence_number BIGINT, committed_at BIGINT, operation STRING, "
    "schema_id INT, first_row_id BIGINT, manifest_list STRING, summary MAP<STRING, STRING>"
)


def files_query(located: Located, snapshot_id: int | None = None) -> Query | None:
    """One row per live data file, delete file and deletion vector of a snapshot; the current one if None.

    Columns: data_sequence_number, file_sequence_number, added_snapshot_id bigint, null only where the metadata does not
    tell; then those of Iceberg's `files` table: content int (0 data, 1 position deletes, 2 equality deletes),
    file_path, file_format, spec_id, partition (not if no spec has a field), record_count, file_size_in_bytes and so on.

    Cost: as of `entries`. None if SQL cannot name the table, since it was opened by its file.
    """
    if located.relation is None:
        return None
    at, version = ("", "") if snapshot_id is None else (f" at {snapshot_id}", f" VERSION AS OF {snapshot_id}")
    return Query(FILES_VIEW, FILES_SQL.format(name=located.relation, at=at, version=version))


def create_views(
    source: Source,
    snapshot_id: int | None = None,
    *,
    stored: DataFrame | None = None,
) -> dict[str, str]:
    """Create or replace the temporary views of a table; by view name the SQL of each, empty where SQL cannot say it.

    `explorer_files`: columns as of `files_query`; of the table as it is whenever it is queried, or of a snapshot.
    `explorer_snapshots`: one row per listed snapshot, as the metadata file has it that was read: columns as of
    `files.snapshots.snapshots_query`; where SQL cannot read that file snapshot_id, parent_id, sequence_number bigint (0
    in version 1), committed_at timestamp, operation string, schema_id int, first_row_id bigint, manifest_list string,
    summary map<string,string>.

    The views live in this session until it ends or they are made again. They work over Spark Connect alike. Nothing is
    written to the table.

    Args:
        source: the table; its session is that to make them in.
        snapshot_id: of the files; a listed one. None for the current one.
        stored: entries of the snapshot as of `entries.frame`, where Iceberg refuses its metadata tables: then
            `explorer_files` has no statistics and no readable_metrics, and partition as text.

    Cost: none until they are queried.
    """
    files, snapshots = files_query(source.located, snapshot_id), snapshots_query(source.located, source.file)
    by_file = snapshots if snapshots is not None and not source.file.hidden_from_sql else None
    if stored is not None:
        files, live = None, stored.where("status <> 'DELETED'").selectExpr(*_STORED_COLUMNS)
    else:
        live = files.run(source.spark) if files else _files(source, snapshot_id)
    live.createOrReplaceTempView(FILES_VIEW)
    (by_file.run(source.spark) if by_file else _snapshots(source)).createOrReplaceTempView(SNAPSHOTS_VIEW)
    return {FILES_VIEW: files.sql if files else "", SNAPSHOTS_VIEW: by_file.sql if by_file else ""}


def _files(source: Source, snapshot_id: int | None) -> DataFrame:
    """Of a table that has no name in SQL."""
    reader = source.spark.read.format("iceberg")
    if snapshot_id is not None:
        reader = reader.option("versionAsOf", str(snapshot_id))
    entries = reader.load(f"{source.located.metadata_file}#entries")
    return entries.where("status < 2").selectExpr(*_COLUMNS.split(", "))


def _snapshots(source: Source) -> DataFrame:
    """From the parsed metadata file."""
    rows = [
        (
            s["snapshot-id"],
            s.get("parent-snapshot-id"),
            s.get("sequence-number", 0),
            s.get("timestamp-ms"),
            (s.get("summary") or {}).get("operation"),
            s.get("schema-id"),
            s.get("first-row-id"),
            s.get("manifest-list"),
            None if (summary := s.get("summary")) is None else list(summary.items()),
        )
        for s in source.document.get("snapshots") or ()
    ]
    frame = local_rows(source.spark, rows, _SNAPSHOTS)
    return frame.withColumn("committed_at", F.timestamp_millis("committed_at"))
