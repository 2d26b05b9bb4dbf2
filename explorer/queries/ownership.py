"""Rows that are live at a snapshot, each with its owner: the commit that added the file that holds it.

Source: Iceberg specification, "Manifests" (`snapshot_id` and `file_sequence_number` of an entry are those of the commit
that added the file).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import SparkSession

from . import schema_mapping
from .changelog import TYPE_ORDER, ChangelogQuery, Numbered, drawn_sql, in_order
from .changelog_rows import columns, escaped, load
from .find_table import Located

_WITH = """\
WITH live AS (
  SELECT {mapped}, _file
  FROM {rows}
),
owner AS ( -- a file that was added twice belongs to the later commit
  SELECT data_file.file_path AS _path, max_by(snapshot_id, file_sequence_number) AS _owner_id,
    max(file_sequence_number) AS _owner_number
  FROM {entries}
  WHERE status < 2 AND data_file.content = 0
  GROUP BY data_file.file_path
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

_TALLY = """\
SELECT _owner_id AS snapshot_id, 0L AS gone, count(*) AS came, 0L AS carried_over, 0L AS updated
FROM live
JOIN owner ON _path = _file
GROUP BY _owner_id"""


def ownership_query(
    spark: SparkSession,
    table: Located,
    document: Mapping[str, Any],
    snapshot_id: int,
    commits: Sequence[Numbered],
    identity: Sequence[str] = (),
) -> ChangelogQuery:
    """Every live row, as INSERT of its owner.

    Columns as of `ChangelogQuery.rows`, but _change_ordinal is null where the owner is not among `commits`, and
    _commit_snapshot_id where the metadata does not record it.

    Args:
        spark: the session to ask.
        table: of `find_table.locate`.
        document: the table's metadata file, parsed; it lists the snapshot.
        snapshot_id: at which the rows are live.
        commits: those with an ordinal, in its order.
        identity: SQL of the identifier columns.

    Cost: now, analysis only; when it runs, the rows of the snapshot and all its data manifests.
    """
    schemas = {item.get("schema-id", 0): item for item in document.get("schemas") or [document["schema"]]}
    current = document.get("current-schema-id", next(iter(schemas)))
    snapshot = next(item for item in document["snapshots"] if item["snapshot-id"] == snapshot_id)
    source, target = schemas[snapshot.get("schema-id", current)], schemas[current]
    listed = columns(spark, target)
    mapped = schema_mapping.select(source, target)
    numbers = [f"({commit.snapshot_id}L, {ordinal})" for ordinal, commit in enumerate(commits)]
    fill = {
        "mapped": ", ".join(mapped),
        "names": ", ".join(column.name for column in listed),
        "numbers": ", ".join(numbers) or "(0L, -1)",
    }
    order = in_order(listed, identity)
    select = _SELECT.format(**fill)
    drawn = drawn_sql(f"SELECT *, false AS _carried_over FROM ({select})", listed, order)  # noqa: S608 - quoted
    frames = {
        "rows": load(spark, table, versionAsOf=str(snapshot_id)).selectExpr("*", "_file"),
        "entries": load(spark, table, "entries", versionAsOf=str(snapshot_id)),
    }

    def run(text: str) -> str:
        with_frames = _WITH.format(rows="{rows}", entries="{entries}", **{k: escaped(v) for k, v in fill.items()})
        return f"{with_frames}\n{escaped(text)}"

    shown = ""
    if table.relation is not None:
        at = f" VERSION AS OF {snapshot_id}"
        sources = {"rows": table.relation + at, "entries": table.metadata_table("entries") + at}
        shown = f"-- Rows live at {snapshot_id}, each with the commit that owns it\n{_WITH.format(**sources, **fill)}"
        shown += f"\n{select}"
    return ChangelogQuery(
        "ownership", shown, ("_change_ordinal", *order, TYPE_ORDER), run(select), run(_TALLY), run(drawn), frames
    )
