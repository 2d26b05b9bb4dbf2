"""The columns of a changelog: commits of the range, side by side as far as there is room, else in runs and in bins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...model.changelog.facts import Changelog
from ...model.iceberg.commit_range import NumberedCommit
from ..page.fold import Part

FULL = 12  # columns whose cells have room for values
_MOST = 60
_QUIET_RUN = 3  # commits without rows that are told as one, where columns are scarce
_NARROW = 84.0

Kind = Literal["outside", "commit", "replace", "unread", "quiet", "bin"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes:
        kind: a `commit` with an ordinal; a `replace`; one that is `unread`; a run of commits without rows (`quiet`);
            neighbouring ones summed (`bin`); owners that are not in the range (`outside`).
        commits: which; none for `outside`.
        opens: the view that a click asks for; empty where it selects the commit.
        unread: whether the rows of any of its commits are unknown.
        left: page pixel; `right` likewise.
    """

    kind: Kind
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

    def is_quiet(column: Column) -> bool:
        if changelog.counts is None or column.kind == "unread":
            return False
        return not is_printed(changelog, column.commits[0])

    for quiet, run in itertools.groupby(singles, key=is_quiet):
        columns = list(run)
        if quiet and len(columns) >= _QUIET_RUN:
            opens = Part.of_range(part.first, at, at + len(columns) - 1)
            yield Column("quiet", tuple(c for column in columns for c in column.commits), str(opens))
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
    narrow = [full and group.kind in ("replace", "quiet") for group in groups]
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
