"""Rows that are live at a snapshot, each with its owner: the commit that added the file that holds it.

Source: Iceberg specification, "Manifests" (`snapshot_id` and `file_sequence_number` of an entry are those of the commit
that added the file).
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.inheritance import ListedManifest
from ..files import manifests as stored_manifests
from ..files import storage
from ..identifiers import escaped
from ..rows import schema_mapping, table_rows
from ..rows.changelog_rows import columns
from ..rows.local_rows import local_rows
from ..source import Source
from .rows import TYPE_ORDER, ChangelogQuery, Numbered, drawn_sql, in_order

_WITH = """\
WITH live AS (
  SELECT {mapped}, _file
  FROM {rows}
),
owner AS ( -- a file that was added twice belongs to the later commit
  SELECT file_path AS _path, max_by(snapshot_id, file_sequence_number) AS _owner_id,
    max(file_sequence_number) AS _owner_number
  FROM {files}
  GROUP BY file_path
),
numbered AS (
  SELECT * FROM VALUES {numbers} AS commit(_numbered_id, _change_ordinal)
)"""

_SELECT = """\
SELECT {names}, 'INSERT' AS _change_type, _change_ordinal, _owner_id AS _commit_snapshot_id,
  _owner_number AS _commit_sequence_number
FROM live
JOIN owner ON _path = _file
LEFT JOIN numbered ON _numbered_id = _owner_id"""

_TALLY = """
SELECT _commit_snapshot_id AS snapshot_id, 0L AS gone, count(*) AS came, 0L AS carried_over, 0L AS updated
FROM owned
GROUP BY _commit_snapshot_id"""

_REFUSED = "The owners of rows cannot be told."

_LIVE_FILES = """\
(
    SELECT data_file.file_path, snapshot_id, file_sequence_number
    FROM {entries}
    WHERE status < 2 AND data_file.content = 0
  )"""


def live_files(source: Source, listed: Sequence[ListedManifest]) -> DataFrame:
    """Live data files: file_path string; snapshot_id, file_sequence_number bigint of the commit that added each.

    From the manifests as stored, since Spark's `entries` fails for tables with two specs of one field name and for
    manifests without counts.

    Args:
        source: the table.
        listed: the rows of the snapshot's manifest list.

    Raises:
        UnreadableMetadata: a manifest cannot be read.

    Cost: all data manifests of the snapshot, now; in Spark tasks where they are large together.
    """
    names = ("manifest_path", "file_path", "status", "stored_snapshot_id", "stored_file_sequence_number")
    ddl = "manifest_path STRING, file_path STRING, status INT, stored_snapshot_id BIGINT"
    ddl += ", stored_file_sequence_number BIGINT"
    data = [m for m in listed if m.content == 0]
    if stored_manifests.size_together(data) <= stored_manifests.SMALL_IN_BYTES:
        stored = stored_manifests.entries_here(source, data)
        storage.refuse(stored.unreadable_files, _REFUSED)
        rows = [tuple(getattr(entry, name) for name in names) for entry in stored.entries]
        entries = local_rows(source.spark, rows, ddl)
    else:
        decoded = stored_manifests.entries(source, data).select(*names, "unreadable", "unreadable_reason")
        entries = stored_manifests.all_readable(decoded, _REFUSED).select(*names)
    numbers = [(m.path, m.added_snapshot_id, m.sequence_number or 0) for m in data]
    manifests = local_rows(
        source.spark, numbers, "manifest_path STRING, added_snapshot_id BIGINT, sequence_number BIGINT"
    )
    return (
        entries.where("status < 2")
        .join(F.broadcast(manifests), "manifest_path")
        .selectExpr(
            "file_path",
            "coalesce(stored_snapshot_id, added_snapshot_id) AS snapshot_id",
            # Only an added entry inherits, and any of version 1, where all numbers are 0.
            "coalesce(stored_file_sequence_number, IF(status = 1 OR sequence_number = 0, sequence_number, NULL))"
            " AS file_sequence_number",
        )
    )


def ownership_query(
    source: Source,
    snapshot_id: int,
    files: DataFrame,
    commits: Sequence[Numbered],
    identity: Sequence[str] = (),
) -> ChangelogQuery:
    """Every live row, as INSERT of its owner.

    Columns as of `ChangelogQuery.rows`, but _change_ordinal is null where the owner is not among `commits`, and
    _commit_snapshot_id where the metadata does not record it.

    Args:
        source: the table.
        snapshot_id: at which the rows are live.
        files: of `live_files`.
        commits: those with an ordinal, in its order.
        identity: SQL of the identifier columns.

    Cost: now, analysis only; when it runs, the rows of the snapshot.
    """
    snapshot = next(item for item in source.document["snapshots"] if item["snapshot-id"] == snapshot_id)
    own, target = schema_mapping.schema_at(source.document, snapshot), schema_mapping.current_schema(source.document)
    listed = columns(source, target)
    mapped = schema_mapping.select(own, target)
    numbers = [f"({commit.snapshot_id}L, {ordinal})" for ordinal, commit in enumerate(commits)]
    fill = {
        "mapped": ", ".join(mapped),
        "names": ", ".join(column.name for column in listed),
        "numbers": ", ".join(numbers) or "(0L, -1)",
    }
    order = in_order(listed, identity)
    select = _SELECT.format(**fill)
    drawn = drawn_sql("SELECT *, false AS _carried_over FROM owned", listed, order)
    frames = {
        "rows": table_rows.at(source, snapshot_id).selectExpr("*", "_file"),
        "files": files,
    }
    live = _WITH.format(rows="{rows}", files="{files}", **{k: escaped(v) for k, v in fill.items()})
    shown = ""
    if source.located.relation is not None:
        at = f" VERSION AS OF {snapshot_id}"
        entries = source.located.metadata_table("entries") + at
        sources = {"rows": source.located.relation + at, "files": _LIVE_FILES.format(entries=entries)}
        shown = f"-- Rows live at {snapshot_id}, each with the commit that owns it\n{_WITH.format(**sources, **fill)}"
        shown += f"\n{select}"
    return ChangelogQuery(
        "ownership",
        shown,
        ("_change_ordinal", *order, TYPE_ORDER),
        "owned",
        f"{live}\n{escaped(select)}",
        "\nSELECT * FROM owned",
        _TALLY,
        f"\n{escaped(drawn)}",
        frames,
    )
