"""A new column with the name of a dropped one: older files read as null in it.

Source: specification, "Schema Evolution" (a column is its field id; adding a name again makes another column),
"Default values" (`initial-default`, version 3).
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ... import formats
from ...arrays import Flags
from ...iceberg.metadata import Snapshot
from ...iceberg.schema import NAME_MAPPING, SchemaField
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, column_in_sql, snapshots_sql
from ..live import LiveFiles


def examine(known: Known) -> Outcome:
    """By the field ids that each name had over time; then by the live files that lack the new one."""
    current = known.metadata.schemas.get(known.metadata.current_schema_id or 0, ())
    before: dict[str, set[int]] = defaultdict(set)
    for schema_id, fields in known.metadata.schemas.items():
        if schema_id != known.metadata.current_schema_id:
            for field in fields:
                before[field.path].add(field.field_id)
    gone = {i for ids in before.values() for i in ids} - {f.field_id for f in current}  # else it is only renamed
    reborn = [f for f in current if any(i < f.field_id for i in before[f.path] & gone) and not _default(known, f)]
    if not reborn:
        return Clean(
            f"{formats.count(len(current), 'column')} in {formats.count(len(known.metadata.schemas), 'schema')}"
        )
    names = ", ".join(f"`{column.path}`" for column in reborn)
    if known.live is None:
        return CannotSay(f"{names}: a new column with an old name; which files lack it, manifests tell.", "manifests")
    if NAME_MAPPING in known.metadata.properties:
        return CannotSay(
            f"{names}: a new column with an old name. The table has a name mapping, by which a file without field ids"
            " is read with the values of the dropped column.",
            "the footers of the files, for which have field ids",
        )
    live = known.live
    lacked = {column: np.flatnonzero((live.records > 0) & _lacks(live, column)) for column in reborn}
    column = max(reborn, key=lambda column: len(lacked[column]))
    lacking = lacked[column]
    if not len(lacking):
        looked_at = f"{names}, of an old name, in {live.looked_at}: all hold the new column"
        return Clean(looked_at, is_part=not live.is_whole)
    old = max(i for i in before[column.path] & gone if i < column.field_id)
    first = next((s for s in known.line if s.schema_id is not None and _has(known, s, column)), None)
    last = next((s for s in reversed(known.line) if _field_id(known, s, column.path) == old), None)
    name = column_in_sql(column.path)
    rows = int(live.records[lacking].sum())
    keys = "<key>"
    others = len([one for one in reborn if len(lacked[one])]) - 1
    return Finding(
        f"`{column.path}` is a new column with an old name: {formats.count(rows, 'row')} in"
        f" {formats.count(len(lacking), 'older file')} read as null"
        + (f"; so {'are' if others > 1 else 'is'} {formats.count(others, 'other column')}" if others else ""),
        "wrong answers",
        "exact",
        f"The name had the field id {old} and has {column.field_id}; these files hold no values of the new one.",
        formats.count(len(lacking), "file"),
        "one file",
        "A file is read by field ids: values of the dropped column are there, and nobody reads them.",
        known.first(first),
        Evidence(
            ("file", "partition", "rows"),
            tuple((f.path, f.partition, f"{f.record_count:,}") for f in live.files(lacking[:100])),
            len(lacking),
            tuple(s.snapshot_id for s in (last, first) if s),
            tuple(f.path for f in live.files(lacking[:200])),
            sql=snapshots_sql(known, [s for s in (last, first) if s]),
        ),
        ruled_out=("an initial default, which older files would be read with",),
        not_ruled_out=() if known.live.is_whole else ("files that were not looked at",),
        fixes=(
            Fix(
                f"MERGE INTO {known.named.table} AS t\nUSING (\n  SELECT\n    *\n  FROM"
                f" {known.named.table} VERSION AS OF {last.snapshot_id}\n) AS old\nON t.{keys} = old.{keys}"
                f"\nWHEN MATCHED AND t.{name} IS NULL THEN"
                f" UPDATE SET {name} = old.{name}",
                "The old values are in the new column.",
                "Only time travel reads the old values: do it before that snapshot expires.",
                known.undo,
                f"SELECT\n  t.{keys}\nFROM {known.named.table} AS t\n"
                f"JOIN {known.named.table} VERSION AS OF {last.snapshot_id} AS old\nON t.{keys} = old.{keys}\n"
                f"WHERE t.{name} IS NULL AND old.{name} IS NOT NULL",
            ),
        )
        if last
        else (),
        question=f"t.compare({last.snapshot_id}, 'main')" if last else "t.snapshot_graph()",
    )


def _lacks(live: LiveFiles, column: SchemaField) -> Flags:
    """Whether a file has counts of other columns and none of this one."""
    return live.has_any("value_counts") & ~live.has("value_counts", column.field_id)


def _has(known: Known, snapshot: Snapshot, column: SchemaField) -> bool:
    return _field_id(known, snapshot, column.path) == column.field_id


def _field_id(known: Known, snapshot: Snapshot, path: str) -> int | None:
    fields = known.metadata.schemas.get(snapshot.schema_id if snapshot.schema_id is not None else -1, ())
    return next((f.field_id for f in fields if f.path == path), None)


def _default(known: Known, column: SchemaField) -> bool:
    """Whether older files are read with a value for the column."""
    for schema in known.document.get("schemas") or ():
        for field in schema.get("fields") or ():
            if field.get("id") == column.field_id and field.get("initial-default") is not None:
                return True
    return False


SIGNATURE = Signature(
    "column-reborn", "wrong values", "a new column with the name of a dropped one", "manifests", examine
)
