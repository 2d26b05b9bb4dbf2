"""Row versions, lines and biographies made by hand, of which a test says what it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from explorer.model.biography.chain import lives
from explorer.model.biography.facts import Biography, Line, Price, RowVersion
from explorer.model.biography.line_rows import LineRows
from explorer.model.iceberg.metadata import Snapshot

COLUMNS = ("id", "status", "amount")
START = datetime(2026, 3, 14, tzinfo=UTC)


def snapshot(number: int, operation: str, first_row_id: int | None = None, parent: int | None = None) -> Snapshot:
    at = START + timedelta(minutes=number)
    return Snapshot(number, parent, number, at, operation, {}, None, 0, first_row_id)


def version(path: str, values: str, shown: tuple[int, int], **more: Any) -> RowVersion:
    known = {"masks": (), "row_id": None, "last_updated": None, "copy": 1, "position": 0, "listed": shown} | more
    cells = tuple(values.split())
    return RowVersion(path, values=cells, same=cells, shown=(shown,), **known)


def line(*operations: str, **more: Any) -> Line:
    snapshots = [None, *(snapshot(n, operation) for n, operation in enumerate(operations, 1))]
    return Line(**{"name": "main", "kind": "branch", "begins": "root", "snapshots": tuple(snapshots)} | more)


def told(condition: str, lines: Sequence[LineRows], **more: Any) -> Biography:
    """The biography of rows that are keyed by `id`."""
    columns, key = more.pop("columns", COLUMNS), more.pop("key", (0,))
    found = lives(lines, columns, key)
    rows = sum(row.meets for row in lines[0].versions)
    price = Price(3, 1_369, 2, 212_000, pruned=True, reason="")
    known = {"rows": rows, "told": rows, "price": price, "ref": "main", "called_by": key or (0,)} | more
    about = tuple(rows.line for rows in lines)
    return Biography(condition=condition, columns=columns, key=key, lines=about, lives=found, **known)


def every_place(operations: Iterable[object]) -> frozenset[int]:
    """The places of commits that wrote rows and took some away."""
    return frozenset(range(1, len(list(operations)) + 1))
