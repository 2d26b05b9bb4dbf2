"""Rows of a changelog put together for a picture: those of one key as a line, those of one commit in it as a cell."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...model.changelog.facts import ChangedRow, Changelog

Kind = Literal["deleted", "update before", "updated", "carried over", "inserted"]
KINDS: tuple[Kind, ...] = ("deleted", "update before", "updated", "carried over", "inserted")
SIGNS: Mapping[Kind, str] = {
    "deleted": "−", "update before": "→", "updated": "→", "carried over": "=", "inserted": "+",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to some rows of one key; `before` and `after` are the values of the first, empty where not told."""

    kind: Kind
    count: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Cell:
    """What happened to the rows of one key in one column, in the order in which it happened.

    Attributes:
        came_from: whether a row of the key was there before.
        lives_on: whether one is there after.
    """

    changes: tuple[Change, ...]
    came_from: bool
    lives_on: bool


@dataclass(frozen=True, slots=True)
class Line:
    """The rows of one key, in the order of their commits.

    Attributes:
        complete: whether all its rows are at hand.
        steady: whether they are one row through time, all of whose changes are at hand: then it can be said when the
            row was there.
    """

    key: str
    rows: tuple[ChangedRow, ...]
    complete: bool
    steady: bool


def lines(changelog: Changelog) -> list[Line]:
    """The lines of all rows at hand, in the order in which their keys come."""
    by_key: dict[str, list[ChangedRow]] = {}
    for row in changelog.rows:
        by_key.setdefault(row.key, []).append(row)
    complete = _complete(changelog)
    told = changelog.mode in ("raw", "changes", "updates")
    return [
        Line(key, tuple(rows), key in complete, told and key in complete and _is_one_row(rows))
        for key, rows in by_key.items()
    ]


def cell(rows: Sequence[ChangedRow]) -> Cell:
    """The rows of one key in one column; there is at least one."""
    first, last = rows[0].snapshot_id, rows[-1].snapshot_id
    return Cell(
        tuple(_changes(rows)),
        any(row.snapshot_id == first and row.change_type in ("DELETE", "UPDATE_BEFORE") for row in rows),
        any(row.snapshot_id == last and row.change_type in ("INSERT", "UPDATE_AFTER") for row in rows),
    )


def _complete(changelog: Changelog) -> set[str]:
    """Keys all of whose rows are at hand. Rows come key by key, so that a bound cuts the last one at most."""
    total, keys = changelog.row_count, [row.key for row in changelog.rows]
    if total is not None and len(keys) < total:
        runs = [key for key, _ in itertools.groupby(keys)]
        return set(runs[:-1]) if len(runs) == len(set(runs)) else set()
    return set(keys)


def _is_one_row(rows: Sequence[ChangedRow]) -> bool:
    """Whether no commit did the same thing to two rows."""
    sides = Counter((row.snapshot_id, row.change_type in ("INSERT", "UPDATE_AFTER")) for row in rows)
    return max(sides.values()) == 1


def _changes(rows: Sequence[ChangedRow]) -> list[Change]:
    texts: dict[tuple[str, bool], list[str]] = {}
    for row in rows:
        texts.setdefault((row.change_type, row.carried_over), []).append(row.text)
    copied = max((texts.get(("INSERT", True), []), texts.get(("DELETE", True), [])), key=len)
    before, after = texts.get(("UPDATE_BEFORE", False), []), texts.get(("UPDATE_AFTER", False), [])
    left, gone, came = before[len(after) :], texts.get(("DELETE", False), []), texts.get(("INSERT", False), [])
    found = [
        ("deleted", gone, []),
        ("update before", left, []),
        ("updated", before[: len(after)], after),
        ("carried over", copied, copied),
        ("inserted", [], came),
    ]
    return [
        Change(kind, max(len(a), len(b)), a[0] if a else "", b[0] if b else "")  # type: ignore[arg-type]
        for kind, a, b in found
        if a or b
    ]
