"""Biographies to be drawn: a row in two copies, rows of many fates, rolled back lines, and what is not known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.model.biography.facts import Biography, Line, Mask, RowVersion
from explorer.model.biography.line_rows import LineRows
from explorer.model.biography.notes import beginning
from explorer.model.evidence import Note
from explorer.model.iceberg.lineage import MainMove
from tests.model.biographies import START, every_place, line, snapshot, told, version

A, B, C = (f"s3://t/data/{name}.parquet" for name in ("a17-00001-5", "b", "c02-00007-1"))
HOSTILE = "<b onclick=x>&'\"$" + "long " * 30


def twice() -> Biography:
    """Created, listed again, moved, updated, masked, and back by a compaction that did not see the delete."""
    operations = ("append", "append", "replace", "append", "overwrite", "delete", "replace", "append")
    vector = Mask(5, 7, "s3://t/data/dv-1.puffin", 4, "deletion vector", 5)
    delete = Mask(6, 7, "s3://t/data/dv-2.puffin", 4, "deletion vector", 6)
    rows: list[RowVersion] = []
    for copy, (since, row_id, pos) in enumerate(((1, 900, 9_020), (2, 901, 11_868)), 1):
        ids: dict[str, Any] = {"row_id": row_id}
        rows += [
            version(A, "10 paid 73.62", (since, 3), position=312, copy=copy, last_updated=1, **ids),
            version(B, "10 paid 73.62", (3, 5), position=pos, listed=(3, 7), masks=(vector,), last_updated=1, **ids),
            version(C, "10 shipped 73.62", (5, 6), position=pos, listed=(5, 7), masks=(delete,), last_updated=5, **ids),
            version("s3://t/data/f11.parquet", "10 shipped 73.62", (7, 9), position=pos, last_updated=5, **ids),
        ]
    trust: Any = dict.fromkeys(range(9), "all")
    places = every_place(operations)
    return told("id = 10", [LineRows(line(*operations), tuple(rows), trust, places, places)])


def fates(rows: int = 300, commits: int = 20) -> Biography:
    """Rows of many fates: some live on, some are deleted at one of many commits, one is updated at each."""
    operations = ["append", *["overwrite"] * commits]
    end = len(operations) + 1
    found = [
        version(A, f"{i} paid {i % 7}", (1, end if i % 3 else 2 + i % commits), position=i, listed=(1, end))
        for i in range(rows)
    ]
    found += [version(f"s3://t/data/u{n}.parquet", f"1000 v{n} 1", (n, n + 1)) for n in range(1, end)]
    places = every_place(operations)
    about = LineRows(line(*operations), tuple(found), {}, places, places)
    return told("id >= 0", [about], rows=12_311, notes=(Note("inferred", "Which row became which", "No row ids."),))


def beside() -> Biography:
    """Rows of main, of a staged line, and of one that was rolled back."""
    main = line("append", "append", "append")
    base = main.snapshots[1]
    staged = Line("staged w1", "staged", (base, snapshot(11, "append")), "fork")
    away = snapshot(12, "overwrite")
    move = MainMove(START.replace(hour=9), away.snapshot_id, 1, "rollback")
    left = Line("rolled back …0012", "rolled back", (base, away), "fork", move)
    there = version(A, "1 paid 5", (1, 4))
    gone = replace(there, listed=(0, 1), shown=((0, 1),))
    here = frozenset({1})
    lines = [
        LineRows(main, (there,), {}, here),
        LineRows(staged, (version(B, "1 staged 5", (1, 2)),), {}, here),
        LineRows(left, (gone, version(C, "1 bad 5", (1, 2))), {}, here, here),
    ]
    return told("id = 1", lines)


def expired() -> Biography:
    """A row that was there before the oldest listed snapshot, and was removed with its file."""
    first = snapshot(17, "append", parent=16)
    about = Line("main", "branch", (first, snapshot(18, "append"), snapshot(19, "delete")), "expired")
    rows = (version(A, "1 paid 5", (0, 2), added_at=9),)
    return told("id = 1", [LineRows(about, rows)], notes=tuple(beginning(about)))


def doubtful() -> Biography:
    """Two rows of a file to which a delete of commit 3 applies that cannot be read; one was masked before, until 4."""
    operations = ("append", "delete", "delete", "replace", "append")
    delete = Mask(2, 6, "s3://t/data/pos-1.parquet", None, "position deletes", 2)
    rows = (
        version(A, "1 paid 5", (1, 6), open=((3, 6),)),
        version(A, "2 paid 7", (1, 2), position=1, listed=(1, 6), masks=(delete,), open=((4, 6),)),
    )
    note = Note("unknown", "What pos-2.parquet holds", "The file does not exist.")
    return told("id < 3", [LineRows(line(*operations), rows, {}, frozenset({1}))], notes=(note,))


def hostile() -> Biography:
    """Names and values that would be markup, or are too long."""
    rows = (
        replace(version(f"s3://t/{HOSTILE}/{HOSTILE}.parquet", "1 x y", (1, 2)), values=(HOSTILE, HOSTILE, "null")),
        replace(version(A, "1 z y", (2, 3)), values=(HOSTILE, "z" * 300, "null")),
    )
    operations = ("append", "overwrite")
    known = LineRows(line(*operations), rows, {}, every_place(operations), every_place(operations))
    return told(f"id = '{HOSTILE}'", [known], columns=("id", HOSTILE, "amount"))


def nothing() -> Biography:
    return told("id = 99999", [LineRows(line("append"), ())])


STORIES: dict[str, Callable[[], Biography]] = {
    "twice": twice,
    "fates": fates,
    "beside": beside,
    "expired": expired,
    "doubtful": doubtful,
    "hostile": hostile,
    "nothing": nothing,
}
