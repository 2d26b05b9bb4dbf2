"""Rows that are live at a snapshot, each with its owner: the commit that added the file that holds it.

Which of them the owner only carried over is told by the rows that it removed, which the lifetimes of its rows give as
for every changelog. The live rows are read in the one snapshot in which all of them are, however many their files are.

Source: Iceberg specification, "Manifests" (`snapshot_id` and `file_sequence_number` of an entry are those of the commit
that added the file).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame

from ...model.iceberg.inheritance import ListedManifest
from ..files import manifests as stored_manifests
from ..files import storage
from ..files.live_files import data_manifests, live_rows, live_table
from ..identifiers import escaped
from ..rows import schema_mapping
from ..rows.changelog_rows import RawRows, columns, union
from ..rows.equal_values import struct
from ..rows.file_rows import file_rows, in_few_tasks, own_schema
from ..rows.local_rows import local_rows
from ..rows.row_lifetimes_sql import filled, replaced
from ..source import Source
from .rows import TYPE_ORDER, ChangelogQuery, drawn_sql, in_order, shown_rows

_WITH = """\
WITH live AS (
    <<rows>>
),
owner AS ( -- a file that was added twice belongs to the later commit
  SELECT file_path AS _owned_path, max_by(snapshot_id, file_sequence_number) AS _owner_id,
    max(file_sequence_number) AS _owner_number
  FROM <<files>>
  GROUP BY file_path
),
numbered AS ( -- the commits of the range; of some it is not known what they removed
  SELECT * FROM VALUES <commits> AS commit(_numbered_id, _change_ordinal, _is_told)
)"""

_MOVED = """,
moved AS ( -- how often each row left and came in the commits that removed rows and own some
  SELECT _row_key, _commit_snapshot_id AS _moved_by,
    count_if(_change_type = 'DELETE') AS _removed, count_if(_change_type = 'INSERT') AS _brought
  FROM (
    SELECT <row> AS _row_key, _change_type, _commit_snapshot_id
    FROM (
<<changed>>
    )
  )
  GROUP BY _row_key, _commit_snapshot_id
)"""

_SELECT = """\
SELECT <names>, 'INSERT' AS _change_type, _change_ordinal, _owner_id AS _commit_snapshot_id,
  _owner_number AS _commit_sequence_number, <carried_over> AS _carried_over
FROM live
JOIN owner ON _owned_path = _file
LEFT JOIN numbered ON _numbered_id = _owner_id"""
_JOIN_MOVED = "\nLEFT JOIN moved ON _moved_by = _owner_id AND _row_key = <row>"
_NOTHING_REMOVED = "IF(_is_told, false, NULL)"
# Of equal rows of which fewer left than came nothing tells which ones were there before.
_CARRIED_OVER = """\
CASE
    WHEN _is_told AND coalesce(_removed, 0) = 0 THEN false
    WHEN _is_told AND _removed >= _brought THEN true
  END"""

_TALLY = """
SELECT _commit_snapshot_id AS snapshot_id, 0L AS gone, count(*) AS came, count_if(_carried_over) AS carried_over,
  0L AS updated, count_if(_carried_over IS NULL) AS not_known
FROM owned
GROUP BY _commit_snapshot_id"""

_REFUSED = "The owners of rows cannot be told."

_LIVE_FILES = """\
(
    SELECT data_file.file_path, snapshot_id, file_sequence_number
    FROM {entries}
    WHERE status < 2 AND data_file.content = 0
  )"""


@dataclass(frozen=True, slots=True)
class RangeCommit:
    """A commit of the range.

    Attributes:
        ordinal: None of a `replace`.
        is_told: whether it is known which rows it removed.
    """

    snapshot_id: int
    ordinal: int | None
    is_told: bool


def live_files(source: Source, listed: Sequence[ListedManifest]) -> tuple[DataFrame, frozenset[int | None]]:
    """Live data files: file_path string; snapshot_id, file_sequence_number bigint of the commit that added each.

    From the manifests as stored, since Spark's `entries` fails for tables with two specs of one field name and for
    manifests without counts. And the ids of these commits.

    Args:
        source: the table.
        listed: the rows of the snapshot's manifest list.

    Raises:
        UnreadableMetadata: a manifest cannot be read.

    Cost: all data manifests of the snapshot, now; in Spark tasks where they are large together.
    """
    data = data_manifests(listed)
    names = ("file_path", "snapshot_id", "file_sequence_number")
    if stored_manifests.size_together(data) <= stored_manifests.SMALL_IN_BYTES:
        entries, unreadable_files = stored_manifests.table_here(source, data)
        storage.refuse(unreadable_files, _REFUSED)
        live = (column.to_pylist() for column in live_table(entries).select(names).columns)
        rows = list(zip(*live, strict=True))
        ddl = "file_path STRING, snapshot_id BIGINT, file_sequence_number BIGINT"
        return local_rows(source.spark, rows, ddl), frozenset(owner for _, owner, _ in rows)
    decoded = stored_manifests.entries(source, data)
    told = decoded.select("manifest_path", "status", *names, "unreadable", "unreadable_reason")
    files = live_rows(stored_manifests.all_readable(told, _REFUSED)).select(*names)
    return files, frozenset(row.snapshot_id for row in files.select("snapshot_id").distinct().collect())


def ownership_query(
    source: Source,
    snapshot_id: int,
    files: DataFrame,
    commits: Sequence[RangeCommit],
    changed: Sequence[RawRows] = (),
    identity: Sequence[str] = (),
) -> ChangelogQuery:
    """Every live row, as INSERT of its owner.

    Columns as of `ChangelogQuery.rows`, but _change_ordinal is null where the owner has none or is not among `commits`,
    and _commit_snapshot_id where the metadata does not record it. And _carried_over boolean: whether the owner removed
    an equal row, and so only copied this one; false if it inserted or updated it. Null where it is not known: of an
    owner that is not among `commits` or not told, and of equal rows of which the owner removed some and brought more.

    Args:
        source: the table.
        snapshot_id: at which the rows are live.
        files: of `live_files`.
        commits: of the range.
        changed: raw rows of those that removed rows and own some.
        identity: SQL of the identifier columns.

    Cost: now, analysis only; when it runs, the rows of the snapshot, and what `changed` reads.
    """
    own, target = own_schema(source, snapshot_id), schema_mapping.current_schema(source.document)
    rows = file_rows(source, snapshot_id, None, [*schema_mapping.select(own, target), "_file"])
    listed = columns(source, target)
    values = [f"({c.snapshot_id}L, {_literal(c.ordinal)}, {str(c.is_told).lower()})" for c in commits]
    fill = {
        "names": ", ".join(column.name for column in listed),
        "row": struct([column.key for column in listed if column.key is not None]),
        "commits": ", ".join(values) or f"(0L, {_literal(None)}, false)",
        "carried_over": _CARRIED_OVER if changed else _NOTHING_REMOVED,
    }
    with_ = filled(_WITH + (_MOVED if changed else ""), **fill)
    select = filled(_SELECT + (_JOIN_MOVED if changed else ""), **fill)
    order = in_order(listed, identity)
    drawn = drawn_sql("SELECT * FROM owned", listed, order)
    frames = {
        "rows": rows.frame,
        "files": files,
        **{name: frame for part in changed for name, frame in part.frames.items()},
    }
    size = source.metadata.by_id[snapshot_id].count("total-files-size")
    few = "" if size is None else in_few_tasks(size)
    live = f"SELECT {few} * FROM {{rows}}"  # noqa: S608 - a placeholder
    asked = {"rows": live, "files": "{files}", "changed": union(part.run for part in changed)}
    shown, of_changed = "", shown_rows(changed)
    if source.located.relation is not None and bool(of_changed) == bool(changed):
        at = f" VERSION AS OF {snapshot_id}"
        entries = _LIVE_FILES.format(entries=source.located.metadata_table("entries") + at)
        texts = {"rows": rows.shown, "files": entries, "changed": of_changed}
        shown = f"-- Rows live at {snapshot_id}, each with the commit that owns it\n{replaced(with_, texts)}\n{select}"
    owned = f"{replaced(escaped(with_), asked)}\n{escaped(select)}"
    return ChangelogQuery(
        "ownership",
        shown,
        ("_change_ordinal", *order, TYPE_ORDER),
        tuple(identity),
        "owned",
        owned,
        "\nSELECT * FROM owned",
        "\nSELECT * FROM owned",
        _TALLY,
        f"\n{escaped(drawn)}",
        frames,
    )


def _literal(ordinal: int | None) -> str:
    return "CAST(NULL AS INT)" if ordinal is None else str(ordinal)
