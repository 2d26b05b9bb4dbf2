"""Every question about a table, asked as a person would, and how each came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import pandas as pd
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.model.changelog.facts import MODES
from explorer.model.iceberg.metadata import Snapshot
from explorer.queries.create_views import FILES_VIEW, SNAPSHOTS_VIEW
from explorer.table import Table
from explorer.table.picture import Picture

Ask = Callable[[], Picture[Any]]

_MANY = 100  # snapshots
REFUSED_SQL = "Iceberg refuses the SQL on this table"
"""What a note is about that says why SQL fails."""

CONTRADICTS = "The metadata contradicts itself"
"""What a note is about that says what contradicts what."""

# What a healthy table leaves open too: nothing is missing.
OPEN_ANYWAY = (
    "Rows of 1 replace commit",  # which changes none
    "What became of rows",  # rows were not asked for
    "Properties, refs and default spec at",  # of a point whose metadata file is in no log any more
    "Whether they have a common ancestor",
    "Updates",
    "How many rows equality deletes mask",
    "Which DELETE and INSERT are one row",  # no identifier columns
    "SQL for these rows",  # opened by its file
    "Not answered: ",  # by a triage, at the price that was paid
    "Where main pointed",  # the log is cut by expiry
    "What came before the first snapshots",
    "What was before snapshot",
)


@dataclass(frozen=True)
class Outcome:
    """How one question came out.

    Attributes:
        kind: `answered` in full; `part`: with something missing that the notes name; `refused`: by an error.
        reason: what the notes are about that name what is missing, or what the error says.
        data: the rows, as text; None if refused.
        sql: of the picture. sql_refused: whether a note says that it fails.
        contradicted: whether a note says that the metadata says two things.
    """

    kind: Literal["answered", "part", "refused"]
    reason: str
    data: pd.DataFrame | None = None
    sql: str = ""
    sql_refused: bool = False
    contradicted: bool = False


def outcome(ask: Ask) -> Outcome:
    """Ask, look at facts, notes, rows and the static page as a notebook shows them; anything raw comes through."""
    try:
        picture = ask()
        notes, data, page = picture.notes, picture.data, picture.to_static_html()
        reason = None
    except ExplorerError as refused:
        reason = refused
    if reason is not None:
        assert reason.what
        assert reason.found, f"it does not say what was found: {reason}"
        assert "py4j" not in str(reason).lower()
        assert "\tat " not in str(reason)
        return Outcome("refused", str(reason))
    assert "<svg" in page or "data:image/svg" in page
    assert picture.title
    unreadable_files = [
        note for note in notes if note.certainty == "unknown" and not note.about.startswith(OPEN_ANYWAY)
    ]
    for note in notes:
        assert note.about
        assert note.reason
    return Outcome(
        "part" if unreadable_files else "answered",
        "; ".join(f"{note.about}. {note.reason}" for note in unreadable_files),
        data.map(_text),
        picture.sql,
        any(note.about == REFUSED_SQL for note in notes),
        any(note.about == CONTRADICTS for note in notes),
    )


def _text(value: object) -> str:
    """A value; empty for one that is not known."""
    missing = value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)
    return "" if missing else str(value)


def some(table: Table, most: int = 4) -> list[Snapshot]:
    """Snapshots of a table in their order: all if they are few, else the first and the last."""
    nodes = [node.snapshot for node in table.graph.nodes]
    return nodes if len(nodes) <= most else [*nodes[: most // 2], *nodes[-(most - most // 2) :]]


def questions(table: Table, condition: str = "true") -> Iterator[tuple[str, Ask]]:
    """Every question by its column in a matrix; one about snapshots comes once for each of some of them."""
    snapshots = some(table)
    yield "graph", table.snapshot_graph
    for snapshot in snapshots:
        yield "commit", partial(table.commit, snapshot.snapshot_id)
    if snapshots:
        yield "rows", partial(table.commit, snapshots[-1].snapshot_id, rows=True)
    if snapshots:
        ends = snapshots[0].snapshot_id, snapshots[-1].snapshot_id
        yield "boundary", partial(table.boundary, *ends)
        yield "compare", partial(table.compare, *ends)
        yield "compare rows", partial(table.compare, *ends, rows=True)
    newest = snapshots[-2].snapshot_id if len(snapshots) > 1 else None
    for mode in MODES:  # of all commits where they are not too many, else of the newest
        whole = mode in ("changes", "ownership") and len(table.metadata.snapshots) <= _MANY
        yield mode, partial(table.changelog, None if whole else newest, mode=mode)
    for snapshot in {s.snapshot_id: s for s in (*snapshots[:1], *snapshots[-1:])}.values():
        yield "entries", partial(table.entries, snapshot.snapshot_id)
        yield "deletes", partial(table.deletes, snapshot.snapshot_id)
    yield "retries", table.retries
    yield "timeline", table.sequence_timeline
    yield "partitions", table.partitions
    yield "why", partial(table.why, condition)
    yield "biography", partial(table.biography, condition)
    yield "triage", table.triage


def views(spark: SparkSession, table: Table) -> Mapping[str, int]:
    """Rows of the two views of a table."""
    table.create_views()
    return {name: spark.table(name).count() for name in (FILES_VIEW, SNAPSHOTS_VIEW)}
