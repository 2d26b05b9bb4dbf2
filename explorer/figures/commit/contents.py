"""What a commit's picture shows of its files: by partition, each file by itself or several told as one.

Up to `MOST_FILES` touched files each has its own mark; above, every partition is told in sums, and what has no room is
folded into "+n partitions". A view opens one partition, or the next ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...model.commit.findings import DELETES, certain_outcome, tally
from ...model.commit.rows import CommitRows, FileRows, Masking, Outcome, Outcomes, RowCell
from ...model.iceberg.commit import Commit, FileChange, PartitionChange, Tally
from ...model.iceberg.inheritance import ContentKind
from ...model.words import partition_name, partition_values
from ..page.fold import Part

MOST_FILES = 12
Side = Literal["before", "through", "after"]
Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar: a data file, or several told as one.

    Attributes:
        side: `before` the boundary (removed), `after` it (added), or `through` it (kept, and reached by a delete).
        paths: of its files, as far as they are at hand.
        rows: stored in its files; None for a kept file whose rows were not asked for.
        outcomes: None if rows were not read, or cannot be told apart here.
        certain: what became of every row although none was read; None if that takes reading.
        masked_by: deletes of this commit that mask rows in it; rows are those masked, or the positions they hold.
        replaced: deletes that the commit removed and that named a file of it: positions they held.
    """

    side: Side
    paths: tuple[str, ...]
    files: int
    rows: int | None
    size_in_bytes: int
    outcomes: Outcomes | None = None
    certain: Outcome | None = None
    masked_by: tuple[Masking, ...] = ()
    replaced: tuple[Masking, ...] = ()
    cells: tuple[RowCell, ...] = ()

    @property
    def unmasked(self) -> int:
        """Positions that were masked already."""
        return sum(m.rows for m in self.replaced)

    @property
    def is_single(self) -> bool:
        """Whether it is one file that can be named."""
        return self.files == 1 and len(self.paths) == 1


@dataclass(frozen=True, slots=True)
class DeleteMark:
    """Delete files of one kind that hang on no single data file of the picture."""

    kind: ContentKind
    change: Literal["added", "removed"]
    files: int
    records: int
    key: tuple[str, int | None] | None


@dataclass(frozen=True, slots=True)
class Group:
    """A partition, or the rest of them (`folded` counts those). `opens` is the view a click leads to, if any."""

    key: Key | None
    name: str
    short_name: str = ""
    before: tuple[Mark, ...] = ()
    through: tuple[Mark, ...] = ()
    after: tuple[Mark, ...] = ()
    deletes: tuple[DeleteMark, ...] = ()
    folded: int = 0
    change: PartitionChange | None = None
    opens: str = ""

    @property
    def place(self) -> str:
        """What names it among the places of the picture."""
        return str(Part.of_partition(*self.key)) if self.key else ""

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All of them, from left to right."""
        return (*self.through, *self.before, *self.after)


class Contents:
    """A commit's files by partition, found once and then grouped as finely as there is room."""

    def __init__(self, commit: Commit, rows: CommitRows | None, part: Part) -> None:
        self.commit, self.rows, self.part = commit, rows, part
        self._changes = {(p.spec_id or 0, p.partition or ""): p for p in self.commit.partitions}
        self._files: dict[Key, list[FileChange]] = defaultdict(list)
        for file in self.commit.files:
            self._files[(file.entry.spec_id, file.entry.partition)].append(file)
        self._rows_of: dict[str, FileRows] = {f.path: f for f in self.rows.files} if self.rows else {}
        self._all_read = self.rows is not None and len(self.rows.files) >= self.rows.file_count
        self._kept: dict[Key, list[FileRows]] = defaultdict(list)
        for row in self._rows_of.values():
            if row.change == "kept":
                self._kept[(row.spec_id, row.partition)].append(row)
        by_partition = self.rows.by_partition if self.rows else ()
        self._of_partition = {(p.spec_id, p.partition): p for p in by_partition}
        self._cells: dict[str, list[RowCell]] = defaultdict(list)
        for cell in self.rows.cells if self.rows else ():
            self._cells[cell.path].append(cell)
        self._groups: dict[tuple[Key, bool, bool], Group] = {}
        self._named: dict[Key, dict[str, list[FileChange]]] = {}
        self._read = self.rows is not None and self.rows.before_known
        self._certain = None if self._read else certain_outcome(self.commit)
        reached = [key for key in (*self._kept, *self._of_partition) if key not in self._changes]
        self.keys: list[Key] = [*self._changes, *dict.fromkeys(reached)]
        if self.part.opened and self.part.partition not in self.keys:
            self.part = Part()
        if self.part.first >= len(self.keys):
            self.part = Part()
        self.several_specs = len({spec for spec, _ in self.keys}) > 1

    @property
    def touched(self) -> int:
        """Data files added and removed, and those reached."""
        totals = self.commit.totals
        return tally(totals.added, "data").files + tally(totals.removed, "data").files + self.reached

    @property
    def reached(self) -> int:
        """Kept data files that a delete of this commit reaches, as far as they are known."""
        if self._read:
            return sum(len(files) for files in self._kept.values())
        return sum(len(self._references(key)) for key in self._files)

    @property
    def reached_rows(self) -> int | None:
        """Rows stored in those; None if not known."""
        if not self._read:
            return None if self.reached else 0
        return sum(f.record_count for files in self._kept.values() for f in files) if self._all_read else None

    def groups(self, most: int, *, each_file: bool) -> list[Group]:
        """The partitions of the view, at most so many and then the rest as one; by name."""
        if self.part.partition is not None:
            return [self._group(self.part.partition, each_file, opened=True)]
        chosen = self.keys[self.part.first : self.part.first + most]
        rest = self.keys[self.part.first + most :]
        groups = [self._group(key, each_file, opened=False) for key in sorted(chosen, key=lambda k: (k[1], k[0]))]
        return [*groups, self._folded(rest, self.part.first + most)] if rest else groups

    def _folded(self, keys: Sequence[Key], first: int) -> Group:
        changes = [self._changes[key] for key in keys if key in self._changes]
        added: dict[ContentKind, Tally] = {}
        removed: dict[ContentKind, Tally] = {}
        for change in changes:
            for into, tallies in ((added, change.added), (removed, change.removed)):
                for kind, t in tallies.items():
                    into[kind] = into.get(kind, Tally()) + t
        name = f"+{len(keys):,} partition{'' if len(keys) == 1 else 's'}"
        total = PartitionChange(None, None, added, removed)
        return Group(None, name, folded=len(keys), change=total, opens=str(Part(first)))

    def _group(self, key: Key, each_file: bool, opened: bool) -> Group:
        """A partition; the finer the layout tries, the more often it asks for the same ones."""
        wanted = (key, each_file, opened)
        if wanted not in self._groups:
            self._groups[wanted] = self._made(*wanted)
        return self._groups[wanted]

    def _made(self, key: Key, each_file: bool, opened: bool) -> Group:
        change = self._changes.get(key)
        files = self._files.get(key, [])
        through = self._through(key)
        if opened:
            through = _top(through, self._through_sum(through))
        elif not each_file:
            through = self._through_sum(through)
        alone = each_file or len(self.keys) == 1
        before, after = (self._bars(side, key, files, alone, opened) for side in ("before", "after"))
        hung = {(m.delete_path, m.content_offset) for t in through for m in (*t.masked_by, *t.replaced)}
        return Group(
            key,
            partition_name(*key, with_spec=self.several_specs),
            partition_values(key[1]),
            before=before,
            through=through,
            after=after,
            deletes=tuple(self._loose(change, files, hung)),
            change=change,
            opens="" if opened else str(Part.of_partition(*key)),
        )

    def _bars(self, side: Side, key: Key, files: Sequence[FileChange], alone: bool, opened: bool) -> tuple[Mark, ...]:
        """The files of a side: the largest of them, all of them, or their sum."""
        change = "removed" if side == "before" else "added"
        changed = [f for f in files if f.kind == "data" and f.change == change]
        whole = self._sum(side, key, tuple(f.entry.file_path for f in changed))
        if opened:
            return _top(self._side(side, changed), whole)
        complete = len(changed) <= MOST_FILES and len(changed) == sum(mark.files for mark in whole)
        return self._side(side, changed) if alone and complete else whole

    def _side(self, side: Side, files: Iterable[FileChange]) -> tuple[Mark, ...]:
        return tuple(
            Mark(
                side,
                (file.entry.file_path,),
                1,
                file.entry.record_count,
                file.size_in_bytes,
                outcomes=self._outcomes_of(file.entry.file_path),
                certain=self._certain,
                masked_by=found.masked_by if (found := self._rows_of.get(file.entry.file_path)) else (),
                cells=tuple(self._cells.get(file.entry.file_path, ())),
            )
            for file in files
        )

    def _outcomes_of(self, path: str) -> Outcomes | None:
        if not self._read:
            return None
        found = self._rows_of.get(path)
        return found.outcomes if found else None

    def _sum(self, side: Side, key: Key, paths: tuple[str, ...]) -> tuple[Mark, ...]:
        change = self._changes.get(key)
        found = tally((change.removed if side == "before" else change.added), "data") if change else Tally()
        if not found.files:
            return ()
        outcomes = self._summed_outcomes(side, key, paths, found)
        return (
            Mark(
                side, paths, found.files, found.records, found.size_in_bytes,
                outcomes=outcomes, certain=self._certain,
            ),
        )  # fmt: skip

    def _summed_outcomes(self, side: Side, key: Key, paths: Sequence[str], found: Tally) -> Outcomes | None:
        """Of the files if all are at hand; else of the partition, if nothing but these files can be meant."""
        if not self._read:
            return None
        if len(paths) == found.files and all(path in self._rows_of for path in paths):
            return sum((self._rows_of[path].outcomes for path in paths), Outcomes())
        of_partition = self._of_partition.get(key)
        if of_partition is None:
            return None
        outcomes = of_partition.gone if side == "before" else of_partition.new
        deletes = tally(self._changes[key].added, *DELETES).files if key in self._changes else 0
        certain = not deletes and not self._kept.get(key) if side == "before" else True
        return outcomes if certain and _count(outcomes) <= found.records else None

    def _references(self, key: Key) -> dict[str, list[FileChange]]:
        """Kept data files that a delete which came names, without rows having been read."""
        if key not in self._named:
            named: dict[str, list[FileChange]] = defaultdict(list)
            for file in self._files.get(key, ()):
                target = file.entry.referenced_data_file
                if file.change == "added" and target and file.kind != "data":
                    named[target].append(file)
            changed = {f.entry.file_path for f in self._files[key] if f.kind == "data"} if named else set()
            self._named[key] = {path: deletes for path, deletes in named.items() if path not in changed}
        return self._named[key]

    def _through(self, key: Key) -> tuple[Mark, ...]:
        before: dict[str, list[Masking]] = defaultdict(list)
        for file in self._files[key]:
            target = file.entry.referenced_data_file
            if file.change == "removed" and file.kind != "data" and target:
                before[target].append(Masking(*file.key, file.kind, file.entry.record_count))
        if self._read:
            return tuple(
                Mark(
                    "through", (f.path,), 1, f.record_count, f.size_in_bytes,
                    outcomes=f.outcomes, masked_by=f.masked_by, replaced=tuple(before.get(f.path, ())),
                    cells=tuple(self._cells.get(f.path, ())),
                )
                for f in self._kept.get(key, ())
            )  # fmt: skip
        return tuple(
            Mark(
                "through", (path,), 1, None, 0,
                masked_by=tuple(Masking(*f.key, f.kind, f.entry.record_count) for f in deletes),
                replaced=tuple(before.get(path, ())),
            )
            for path, deletes in self._references(key).items()
        )  # fmt: skip

    def _through_sum(self, marks: Sequence[Mark]) -> tuple[Mark, ...]:
        if len(marks) <= 1:
            return tuple(marks)
        return (_joined(marks),)

    def _loose(
        self, change: PartitionChange | None, files: Sequence[FileChange], hung: set[tuple[str, int | None]]
    ) -> Iterable[DeleteMark]:
        for what, tallies in (("removed", change.removed), ("added", change.added)) if change else ():
            for kind in DELETES:
                if kind not in tallies:
                    continue
                of_kind = [f for f in files if f.kind == kind and f.change == what]
                hanging = [f for f in of_kind if f.key in hung]
                n = tallies[kind].files - len(hanging)
                if n > 0:
                    records = tallies[kind].records - sum(f.entry.record_count for f in hanging)
                    left = [f for f in of_kind if f not in hanging] if n == 1 else []
                    yield DeleteMark(kind, what, n, records, left[0].key if left else None)  # type: ignore[arg-type]


def _count(outcomes: Outcomes) -> int:
    return outcomes.carried_over + outcomes.inserted + outcomes.updated + outcomes.deleted + outcomes.unseen


def _joined(marks: Sequence[Mark]) -> Mark:
    rows = [mark.rows for mark in marks]
    outcomes = [mark.outcomes for mark in marks]
    masked: dict[tuple[str, int | None, ContentKind], int] = defaultdict(int)
    for mark in marks:
        for m in mark.masked_by:
            masked[(m.delete_path, m.content_offset, m.kind)] += m.rows
    return Mark(
        marks[0].side,
        tuple(path for mark in marks for path in mark.paths),
        sum(mark.files for mark in marks),
        None if None in rows else sum(r for r in rows if r is not None),
        sum(mark.size_in_bytes for mark in marks),
        outcomes=None if None in outcomes else sum((f for f in outcomes if f is not None), Outcomes()),
        certain=marks[0].certain,
        masked_by=tuple(Masking(*key, n) for key, n in masked.items()),
        replaced=tuple(m for mark in marks for m in mark.replaced),
    )


def _top(marks: Sequence[Mark], whole: Sequence[Mark]) -> tuple[Mark, ...]:
    """The largest files by themselves and the others as one."""
    total = sum(mark.files for mark in whole)
    if total <= MOST_FILES and len(marks) == total:
        return tuple(marks)
    top = sorted(marks, key=lambda mark: -(mark.rows or 0))[: MOST_FILES - 1]
    chosen = {mark.paths for mark in top}
    rest = [mark for mark in marks if mark.paths not in chosen]
    if len(top) + len(rest) == total:
        return (*top, _joined(rest))
    whole_mark = whole[0]
    return (
        *top,
        replace(
            whole_mark,
            paths=tuple(path for mark in rest for path in mark.paths),
            files=total - len(top),
            rows=None if whole_mark.rows is None else whole_mark.rows - sum(mark.rows or 0 for mark in top),
            size_in_bytes=whole_mark.size_in_bytes - sum(mark.size_in_bytes for mark in top),
            outcomes=None,
        ),
    )


def joined_sides(group: Group) -> Group:
    """The group with one bar on each side, where its files do not fit side by side."""
    sides = (group.before, group.through, group.after)
    before, through, after = ((_joined(marks),) if len(marks) > 1 else tuple(marks) for marks in sides)
    return replace(group, before=before, through=through, after=after)
