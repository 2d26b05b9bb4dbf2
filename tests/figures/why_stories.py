"""Rows and what masks them: Alice, whom a delete reaches, and Bob, who got her key later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.model.iceberg.delete_scope import DataFile, DeleteFile
from explorer.model.iceberg.inheritance import Value
from explorer.model.iceberg.metadata import Snapshot
from explorer.model.why.facts import Row, RowOutcome, why

DELETE = DeleteFile("eq", None, "equality deletes", 0, "", 1, 10, Value(2, "inherited"), "every file")


def outcome(number_of_bob: int = 3, name: str = "Bob", count: int = 1) -> RowOutcome:
    files = {
        path: DataFile(path, 0, "", 1, 10, Value(number, "inherited"))
        for path, number in (("data-alice", 1), ("data-bob", number_of_bob))
    }
    rows = [Row("data-alice", 0, ("12345", "Alice"), masked=True)]
    rows += [Row("data-bob", i, ("12345", name), masked=number_of_bob < 2) for i in range(count)]
    held = {((row.file_path, row.position), DELETE.key) for row in rows}
    snapshot = Snapshot(9_007_199_254_740_993, None, 3, None, "append", {}, None, None)
    return why(snapshot, "id = 12345", ("id", "name"), rows, (count, 1), files, (DELETE,), held)


STORIES: dict[str, Callable[[], RowOutcome]] = {
    "alice and bob": outcome,
    "same commit": lambda: outcome(number_of_bob=2),
    "hostile": lambda: outcome(name="<b onclick=x>&'\"" * 20, count=3),
    "no row": lambda: replace(outcome(), rows=(), live_count=0, masked_count=0),
}
