"""What has a place of its own in a changelog, and what is told together: columns are commits, lines are rows."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...model.changed_cells import ChangedCell
from ...model.changelog.facts import ChangedRow, Changelog
from ...model.iceberg.commit_range import NumberedCommit
from ..page.fold import Part

FULL = 12  # columns whose cells have room for values
_MOST = 60
_EMPTY_RUN = 3  # commits without rows that are one column, where columns are scarce
_NARROW = 84.0

ColumnKind = Literal["outside", "commit", "replace", "unread", "no rows", "bin"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes:
        kind: a `commit` with an ordinal; a `replace`; one that is `unread`; a run of commits without rows (`no rows`);
            neighbouring ones summed (`bin`); owners that are not in the range (`outside`).
        commits: which; none for `outside`.
        opens: the view that a click asks for; empty where it selects the commit.
        unread: whether the rows of any of its commits are unknown.
        left: page pixel; `right` likewise.
    """

    kind: ColumnKind
    commits: tuple[NumberedCommit, ...]
    opens: str
    unread: bool = False
    left: float = 0.0
    right: float = 0.0

    @property
    def middle(self) -> float:
        """Page pixel."""
        return (self.left + self.right) / 2

    @property
    def width(self) -> float:
        """Pixels."""
        return self.right - self.left


class Columns:
    """All columns of a picture, from left to right.

    Args:
        changelog: whose commits.
        part: the one that is drawn.
        left: page pixel where they begin.
        right: page pixel where they end at the latest.
        wanted: pixels of a column whose values have room.
    """

    def __init__(self, changelog: Changelog, part: Part, left: float, right: float, wanted: float) -> None:
        groups = _grouped(changelog, part, max(int((right - left) // 10), 10))
        self.full = len(groups) <= FULL and all(group.kind != "bin" for group in groups)
        self.all = _placed(groups, left, right, wanted, self.full)
        self.left, self.right = left, self.all[-1].right if self.all else left
        self._of = {c.snapshot.snapshot_id: i for i, column in enumerate(self.all) for c in column.commits}
        self._outside = 0 if self.all and self.all[0].kind == "outside" else None
        self._in_range = {commit.snapshot.snapshot_id for commit in changelog.range.commits}

    def place(self, snapshot_id: int | None) -> int | None:
        """The place of the column that a snapshot is in; None if the view leaves it out."""
        if snapshot_id in self._in_range:
            return self._of.get(snapshot_id)
        return self._outside

    def outside(self, owners: Iterable[int | None]) -> list[int | None]:
        """Those of some owners that are not in the range."""
        return [owner for owner in owners if owner not in self._in_range]


def part_of(changelog: Changelog, part: Part) -> Part:
    """Rows from one on, of some commits; of all where the range has no such commits."""
    fits = part.range is not None and part.range[0] <= part.range[1] < len(changelog.range.commits)
    return part if fits else Part(part.first)


def is_printed(changelog: Changelog, commit: NumberedCommit) -> bool:
    """Whether the mode prints rows for a commit, or may."""
    if changelog.counts is None:
        return True
    counts = changelog.counts.get(commit.snapshot.snapshot_id)
    return counts is not None and counts.printed > 0


def _grouped(changelog: Changelog, part: Part, most: int) -> list[Column]:
    commits = changelog.range.commits
    first, last = part.range or (0, len(commits) - 1)
    unread = {one.commit.snapshot.snapshot_id for one in changelog.unread}
    singles = [_single(commit, unread) for commit in commits[first : last + 1]]
    inside = {commit.snapshot.snapshot_id for commit in commits}
    owners = {*(changelog.counts or ()), *(row.snapshot_id for row in changelog.rows)}
    away = changelog.mode == "ownership" and not owners <= inside
    before = [Column("outside", (), "")] if away and part.range is None else []
    most = min(most, _MOST)
    if len(singles) > FULL and part.range is None:
        singles = list(_folded(changelog, singles, part))
    if len(singles) > most:
        singles = list(_binned(commits[first : last + 1], unread, first, most, part))
    return [*before, *singles]


def _single(commit: NumberedCommit, unread: Container[int]) -> Column:
    if commit.ordinal is None:
        return Column("replace", (commit,), "")
    is_unread = commit.snapshot.snapshot_id in unread
    return Column("unread" if is_unread else "commit", (commit,), "", is_unread)


def _folded(changelog: Changelog, singles: Sequence[Column], part: Part) -> Iterable[Column]:
    """Runs of commits that print nothing as one column each."""
    at = 0

    def is_empty(column: Column) -> bool:
        if changelog.counts is None or column.kind == "unread":
            return False
        return not is_printed(changelog, column.commits[0])

    for empty, run in itertools.groupby(singles, key=is_empty):
        columns = list(run)
        if empty and len(columns) >= _EMPTY_RUN:
            opens = Part.of_range(part.first, at, at + len(columns) - 1)
            yield Column("no rows", tuple(c for column in columns for c in column.commits), str(opens))
        else:
            yield from columns
        at += len(columns)


def _binned(
    commits: tuple[NumberedCommit, ...], unread: Container[int], first: int, most: int, part: Part
) -> Iterable[Column]:
    size = math.ceil(len(commits) / most)
    for at in range(0, len(commits), size):
        some = commits[at : at + size]
        opens = Part.of_range(part.first, first + at, first + at + len(some) - 1)
        yield Column("bin", some, str(opens), any(commit.snapshot.snapshot_id in unread for commit in some))


def _placed(groups: Sequence[Column], left: float, right: float, wanted: float, full: bool) -> list[Column]:
    if not groups:
        return []
    narrow = [full and group.kind in ("replace", "no rows") for group in groups]
    wide = narrow.count(False)
    small = _NARROW if full and narrow.count(True) * _NARROW < (right - left) / 2 else (right - left) / len(groups)
    pitch = (right - left - narrow.count(True) * small) / max(wide, 1)
    pitch = min(pitch, wanted if full else 60.0)
    columns, x = [], left
    for group, is_narrow in zip(groups, narrow, strict=True):
        wide_as = min(small, pitch) if is_narrow and wide else small if is_narrow else pitch
        columns.append(replace(group, left=x, right=x + wide_as))
        x += wide_as
    return columns


Kind = Literal["deleted", "update before", "updated", "carried over", "inserted"]
KINDS: tuple[Kind, ...] = ("deleted", "update before", "updated", "carried over", "inserted")
SIGNS: Mapping[Kind, str] = {
    "deleted": "−", "update before": "→", "updated": "→", "carried over": "=", "inserted": "+",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to some rows of one key.

    Attributes:
        before: all values of the first of them, empty where not told; `after` likewise.
        after: as it is since.
        cells: that an update changed in the first of them; empty where they are not known.
    """

    kind: Kind
    count: int
    before: str
    after: str
    cells: tuple[ChangedCell, ...] = ()


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
    followed = changelog.mode in ("raw", "changes", "updates")
    return [
        Line(key, tuple(rows), key in complete, followed and key in complete and _is_one_row(rows))
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
        texts.setdefault((row.change_type, bool(row.carried_over)), []).append(row.text)
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
    cells = next((row.changed for row in rows if row.change_type == "UPDATE_AFTER"), ())
    return [
        Change(kind, max(len(a), len(b)), a[0] if a else "", b[0] if b else "", cells if kind == "updated" else ())  # type: ignore[arg-type]
        for kind, a, b in found
        if a or b
    ]
