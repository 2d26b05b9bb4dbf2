"""A writer that still writes with an older schema than the commit before it.

Source: specification, "Snapshots" (schema-id: the schema current when the snapshot was created).
"""

from __future__ import annotations

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, column_in_sql, snapshots_sql


def examine(known: Known) -> Outcome:
    """By the schema ids along the line."""
    pairs = [
        (parent, s)
        for s in known.line
        if (parent := known.parent(s)) is not None and s.schema_id is not None and parent.schema_id is not None
    ]
    lower = [(parent, s) for parent, s in pairs if (s.schema_id or 0) < (parent.schema_id or 0)]
    # A column that is dropped again, or renamed back, leaves a schema that was there before, under its old id: that is
    # no stale writer.
    stale = [(parent, s) for parent, s in lower if _newer_stays(known, parent, s)]
    if not stale:
        if len(known.line) > 1 and not pairs:
            return CannotSay("The snapshots do not name their schemas.")
        return Clean(f"the schemas of {formats.count(len(pairs), 'commit')}")
    parent, first = stale[0]
    rows = sum(s.count("added-records") or 0 for _, s in stale)
    columns = sorted(_lacking(known, parent, first))
    lacking = ", ".join(columns)
    filled = [column_in_sql(column) for column in columns]
    return Finding(
        f"{known.writer(first)} writes with schema {first.schema_id} though {parent.schema_id} was current: {lacking}",
        "wrong answers" if rows else "information",
        "exact",
        "Each snapshot names the schema that its writer knew.",
        f"{formats.count(len(stale), 'commit')}, {formats.count(rows, 'row')}",
        "a schema older than that of the parent",
        "Schemas only go forward; a writer that goes back has not looked since.",
        known.first(first),
        Evidence(
            ("commit", "writer", "its schema", "schema before", "rows added"),
            tuple(
                (
                    known.number(s),
                    known.writer(s),
                    str(s.schema_id),
                    str(p.schema_id),
                    formats.count(s.count("added-records")),
                )
                for p, s in stale[:200]
            ),
            len(stale),
            tuple(s.snapshot_id for _, s in stale[:200]),
            sql=snapshots_sql(known, [s for _, s in stale[:20]]),
        ),
        not_ruled_out=("a table whose schema was set back on purpose",),
        fixes=(
            Fix(
                f"MERGE INTO {known.named.table} AS t\nUSING <source> AS s\nON <key>\nWHEN MATCHED THEN UPDATE SET\n  "
                + ",\n  ".join(f"{column} = s.{column}" for column in filled),
                "The missing values are filled in from the source.",
                "Restart the writer first, else new rows lack them again.",
                known.undo,
                f"SELECT\n  t.*\nFROM {known.named.table} AS t\nJOIN <source> AS s\nON <key>\nWHERE "
                + " OR ".join(f"NOT t.{column} <=> s.{column}" for column in filled),
            ),
        ),
        question=f"t.commit({first.snapshot_id}, rows=True)",
    )


def _newer_stays(known: Known, parent: Snapshot, snapshot: Snapshot) -> bool:
    """Whether a newer schema than that of the commit has what it lacks, and is current now or was at a later commit."""
    own, lacking = snapshot.schema_id or 0, _lacking(known, parent, snapshot)
    later = {s.schema_id or 0 for s in known.line if s.sequence_number > snapshot.sequence_number}
    newer = [i for i in {known.metadata.current_schema_id or 0, *later} if i > own]
    return bool(lacking) and any(lacking <= _paths(known, i) for i in newer)


def _lacking(known: Known, parent: Snapshot, snapshot: Snapshot) -> set[str]:
    """The columns that the commit before had and this one has not."""
    return _paths(known, parent.schema_id) - _paths(known, snapshot.schema_id)


def _paths(known: Known, schema_id: int | None) -> set[str]:
    return {f.path for f in known.metadata.schemas.get(schema_id or 0, ())}


SIGNATURE = Signature("stale-schema-writer", "wrong values", "a writer with an older schema", "metadata.json", examine)
