"""Every picture of a table as plain JSON: asked alike wherever the table is, so that the answers can be compared.

As a program, `python -m tests.servers.every_picture TABLE…` prints one JSON document, answers by table, of whichever
session `explorer.session()` finds there. `CATALOG.NAMESPACE.TABLE=METADATA_FILE` registers that file as a table first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, get_args

from pyspark.sql import DataFrame, SparkSession

from explorer.model.changelog.facts import Mode
from explorer.table import Table
from explorer.table.export import to_json
from explorer.table.picture import Picture

_ASKED_ANEW = ("read_at", "table", "metadata_file")  # what the same table, asked elsewhere, may tell otherwise
_SAME_SOURCE = {f"changelog {mode}" for mode in ("changes", "updates", "net")}  # frames made of those of `raw`


def answers(table: Table, condition: str = "id = 2", *, of_sql: bool = True) -> dict[str, Any]:
    """By picture its title, rows, notes, all rows of its frame and of its SQL; JSON values alone, in a fixed order."""
    found: dict[str, Any] = {}
    for name, picture in every_picture(table, condition):
        document = json.loads(to_json(table, picture))
        static = picture.to_static_html()
        assert "data:image/svg+xml;base64," in static, name
        assert len(picture.figure.data) > 0 or picture.figure.layout.annotations, name
        found[name] = {key: value for key, value in document.items() if key not in _ASKED_ANEW}
        if name not in _SAME_SOURCE:
            found[name] |= {
                "frame": rows_of(picture.frame),
                "sql_rows": rows_of(table.spark.sql(picture.sql)) if picture.sql and of_sql else None,
            }
    found["create_views"] = {
        view: {"sql": sql, "rows": rows_of(table.spark.table(view))} for view, sql in table.create_views().items()
    }
    return found


def every_picture(table: Table, condition: str) -> Iterator[tuple[str, Picture[Any]]]:
    """Every picture with what it is called, unread."""
    snapshots = [str(s.snapshot_id) for s in sorted(table.metadata.snapshots, key=lambda s: s.sequence_number)]
    yield "snapshot_graph", table.snapshot_graph()
    for number, snapshot in enumerate(snapshots[-2:], len(snapshots) - 1):
        yield f"commit {number}", table.commit(snapshot, rows=True)
    yield "boundary", table.boundary(snapshots[0], snapshots[-1])
    yield "compare", table.compare(snapshots[0], snapshots[-1], rows=True)
    for mode in get_args(Mode):
        yield f"changelog {mode}", table.changelog(mode=mode, identifier_columns=["id"] if mode == "updates" else None)
    yield "entries", table.entries()
    yield "retries", table.retries()
    yield "sequence_timeline", table.sequence_timeline()
    yield "partitions", table.partitions()
    yield "deletes", table.deletes(ruled_out=True)
    yield "why", table.why(condition)
    yield "biography", table.biography(condition)
    yield "triage", table.triage()


def rows_of(frame: DataFrame) -> list[str]:
    """Every row of a frame as text, sorted: Spark promises no order."""
    return sorted(json.dumps(row.asDict(recursive=True), default=_text, sort_keys=True) for row in frame.collect())


def _text(value: object) -> str:
    return value.hex() if isinstance(value, bytes | bytearray) else str(value)


def register(spark: SparkSession, name: str, metadata_file: str) -> None:
    """Make a metadata file a table of a catalog, in a namespace of any number of levels."""
    catalog, *levels, table = name.split(".")
    for depth in range(1, len(levels) + 1):
        spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {'.'.join([catalog, *levels[:depth]])}")
    spark.sql(f"CALL {catalog}.system.register_table('{'.'.join([*levels, table])}', '{metadata_file}')")


def main() -> None:
    """Answer for each table that the command line names."""
    import explorer
    from explorer.engine import session

    found = {}
    for asked in sys.argv[1:]:
        name, _, metadata_file = asked.partition("=")
        if metadata_file:
            register(session(), name, metadata_file)
        found[name] = answers(explorer.table(name))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
