"""Rows and what masks them: Alice, whom a delete reaches, and Bob, who got her key later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.model.delete_scope import DataFile, DeleteFile
from explorer.model.inheritance import Value
from explorer.model.row_fate import Row, RowFate, row_fate
from explorer.model.table_metadata import Snapshot

DELETE = DeleteFile("eq", None, "equality deletes", 0, "", 1, 10, Value(2, "inherited"), "every file")


def told(number_of_bob: int = 3, name: str = "Bob", count: int = 1) -> RowFate:
    files = {
        path: DataFile(path, 0, "", 1, 10, Value(number, "inherited"))
        for path, number in (("data-alice", 1), ("data-bob", number_of_bob))
    }
    rows = [Row("data-alice", 0, ("12345", "Alice"), masked=True)]
    rows += [Row("data-bob", i, ("12345", name), masked=number_of_bob < 2) for i in range(count)]
    held = {((row.file_path, row.position), DELETE.key) for row in rows}
    snapshot = Snapshot(9_007_199_254_740_993, None, 3, None, "append", {}, None, None)
    return row_fate(snapshot, "id = 12345", ("id", "name"), rows, (count, 1), files, (DELETE,), held)


STORIES: dict[str, Callable[[], RowFate]] = {
    "alice and bob": told,
    "same commit": lambda: told(number_of_bob=2),
    "hostile": lambda: told(name="<b onclick=x>&'\"" * 20, count=3),
    "no row": lambda: replace(told(), rows=(), live_count=0, masked_count=0),
}
