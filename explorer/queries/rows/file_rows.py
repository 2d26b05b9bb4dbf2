"""The rows of data files as a reader of one snapshot sees them, as a frame and as text: how every picture scans them.

Asked for `_deleted`, Iceberg gives the rows too that deletes mask there.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import StoredEntry
from .. import identifiers
from ..source import Source
from . import file_predicates, schema_mapping, table_rows
from .local_rows import local_rows
from .reading import refuse_reserved
from .schema_mapping import all_filterable, current_schema, filterable, schema_at, text
from .table_rows import READ_WHOLE

# A longer list of paths makes a plan that takes longer to make than the rows that it saves take to read.
_PATHS_IN_A_CONDITION = 1_000


def own_schema(source: Source, snapshot_id: int) -> Schema:
    """The schema with which a listed snapshot is read.

    Raises:
        ExplorerError: a column is called as one that Iceberg keeps for itself.
    """
    listed = next(item for item in source.document["snapshots"] if item["snapshot-id"] == snapshot_id)
    own = schema_at(source.document, listed)
    refuse_reserved(schema_mapping.columns(own), "The rows cannot be told.")
    return own


def file_rows(
    source: Source,
    snapshot_id: int,
    files: Sequence[StoredEntry] | None,
    selected: Sequence[str],
    *,
    hidden: Sequence[str] = (),
    keys: Sequence[StoredEntry] = (),
    condition: str = "",
) -> tuple[DataFrame, str]:
    """Rows of these files in a snapshot, or of all if None; the same as text, empty where SQL cannot name the table.

    Args:
        source: the table.
        snapshot_id: listed; in which the files are live.
        files: entries, with statistics if the rows are to be found by them.
        selected: SQL expressions over the columns of the snapshot and Iceberg's metadata columns.
        hidden: more of these, which the frame has and the text has not.
        keys: equality deletes, each with the statistics of its keys alone: rows that none of them can hold may be left
            out.
        condition: SQL over what is selected, which the rows meet.

    Raises:
        ExplorerError: as of `own_schema`.

    Cost: now, analysis only; when the frame is read, those of the files that Iceberg cannot skip by partition, bounds
        and row groups, nor by the condition where it may (`all_filterable`), and other files inside their bounds are
        opened but not read.
    """
    own, current = own_schema(source, snapshot_id), current_schema(source.document)
    filters = filterable(own, current)
    conditions = [  # none has an OR outside brackets
        predicate
        for entries in (files, keys)
        if entries and (predicate := file_predicates.predicate(entries, own, source.specs, only=filters))
    ]
    frame, asked = table_rows.at(source, snapshot_id), list(conditions)
    if files is not None:
        paths = list(dict.fromkeys(file.file_path for file in files))
        in_files = f"_file IN ({', '.join(map(text, paths))})" if paths else "false"
        conditions.append(in_files)
        if len(paths) <= _PATHS_IN_A_CONDITION:
            asked.append(in_files)
        else:
            wanted = F.broadcast(local_rows(source.spark, [(path,) for path in paths], "file STRING"))
            frame = frame.join(wanted, F.col("_file") == wanted["file"], "left_semi")
    if asked:  # at once: Spark analyses a plan anew for each call
        frame = frame.where(" AND ".join(asked))
    rows = frame.selectExpr(*selected, *hidden)
    inside, outside = list(selected), ["*"]
    if condition and not all_filterable(own, current):
        inside, outside = [*selected, READ_WHOLE], [identifiers.quoted([name]) for name in rows.columns]
        rows = rows.selectExpr("*", READ_WHOLE)
    if condition:
        rows = rows.where(condition).selectExpr(*outside)
    shown = ""
    if source.located.relation is not None:
        shown = f"SELECT {', '.join(inside)}\n    FROM {source.located.relation} VERSION AS OF {snapshot_id}"  # noqa: S608 - quoted
        shown += f"\n    WHERE {' AND '.join(conditions)}" if conditions else ""
        if condition:
            shown = f"SELECT {', '.join(outside[: len(selected)])} FROM (\n    {shown}\n)\nWHERE {condition}"  # noqa: S608 - quoted
    return rows, shown
