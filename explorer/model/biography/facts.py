"""What became of rows: versions of them, chained to lives by events, on the line that was asked about and beside it.

A *row version* is what lies at one position of one data file. A *life* is a row through its versions: while nothing
tells two of them to be one row they are two lives, also where they are equal in every column. A *line* is a stretch of
one ancestry, its snapshots counted from 0, which is what was there before its first commit.

Sources: Iceberg specification, "Snapshots", "Scan Planning", "Row Lineage".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from ..changed_cells import ChangedCell, changed_cells
from ..evidence import Certainty, Note
from ..iceberg.inheritance import ContentKind
from ..iceberg.lineage import MainMove
from ..iceberg.metadata import Snapshot
from ..iceberg.writer import writer

EventKind = Literal["CREATED", "UPDATED", "MOVED", "DELETED", "RETURNED"]
LineKind = Literal["branch", "tag", "snapshot", "rolled back", "staged", "unreferenced"]
Beginning = Literal["root", "expired", "fork"]
Span = tuple[int, int]
"""Places of a line: from the first one on, up to and without the second."""


@dataclass(frozen=True, slots=True)
class Mask:
    """A delete that applies to a row's file and holds the row, while both are live.

    Attributes:
        since, until: places of the line.
        sequence_number: of the delete's data; None if it is not known.
    """

    since: int
    until: int
    delete_path: str
    content_offset: int | None
    kind: ContentKind
    sequence_number: int | None = None


@dataclass(frozen=True, slots=True)
class RowVersion:
    """What lies at a position of a data file, while one entry of manifests keeps the file live on a line.

    Attributes:
        copy: 1; of a file that is listed several times at once, which of its entries, from the oldest.
        values: as text, in the order of `Biography.columns`; `null` for null.
        same: equal of two rows exactly where their values are; by column.
        row_id, last_updated: of version 3, as a reader sees them; None if there are none.
        listed: the span in which the file is live by this entry.
        shown: spans in which a reader sees the row, inside of `listed`; in order, none touches the next.
        masks: deletes that hold it; in order of their beginning.
        meets: whether it meets the condition; False of what a row was before or after it did.
        added_at: sequence number of the commit that added its file; None if that is not known.
        open: spans in which it is not known whether a reader sees it: a delete that applies to its file cannot be read,
            and no other one masks it; in order, none touches the next.
    """

    file_path: str
    position: int
    copy: int
    values: tuple[str, ...]
    same: tuple[Hashable, ...]
    row_id: int | None
    last_updated: int | None
    listed: Span
    shown: tuple[Span, ...]
    masks: tuple[Mask, ...]
    meets: bool = True
    added_at: int | None = None
    open: tuple[Span, ...] = ()

    @property
    def place(self) -> tuple[str, int, int]:
        """What tells versions apart: file, position, copy."""
        return self.file_path, self.position, self.copy

    def masking(self, at: int) -> Mask | None:
        """The delete that masks the row at a place of the line: the first of them; None if it can be seen."""
        return next((mask for mask in self.masks if mask.since <= at < mask.until), None)

    def is_open(self, at: int) -> bool:
        """Whether it is not known if a reader sees the row at a place of the line."""
        return any(since <= at < until for since, until in self.open)


@dataclass(frozen=True)
class Line:
    """A stretch of one ancestry.

    Attributes:
        name: `main`, `audit`, `staged w1`, `rolled back …9118`.
        snapshots: by place. Place 0 is what was there before the first commit: None if nothing was.
        begins: with a `root`; with the oldest snapshot that is listed, which is place 0 (`expired`); or where it leaves
            a line that was told before (`fork`).
        left: the move by which the line was rolled back; None if it was not.
    """

    name: str
    kind: LineKind
    snapshots: tuple[Snapshot | None, ...]
    begins: Beginning
    left: MainMove | None = None

    @property
    def end(self) -> int:
        """The place after the last one: where a span ends of what is there still."""
        return len(self.snapshots)

    @property
    def head(self) -> Snapshot:
        """The newest snapshot."""
        head = self.snapshots[-1]
        if head is None:
            raise ValueError("a line has at least one snapshot")
        return head

    @cached_property
    def places(self) -> dict[int, int]:
        """Place by snapshot id."""
        return {s.snapshot_id: place for place, s in enumerate(self.snapshots) if s is not None}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a row.

    Attributes:
        how: in a few words, `masked by deletion vector`.
        life: number of the life it belongs to.
        line: index of the line on which it happened.
        place: of the commit on the line; one after the last place for what main's leaving of the line did.
        snapshot: the commit; where main went, if `move` tells.
        move: of main, which did it; None if a commit did.
        row: as it was from then on; of a row that is gone, as it was last. `before`: what it was until then, where it
            was another version.
        mask: the delete in question; None if there is none.
        changed: cells that are otherwise than before.
        reason: how that is known, a phrase.
    """

    kind: EventKind
    how: str
    life: int
    line: int
    place: int
    snapshot: Snapshot
    move: MainMove | None
    row: RowVersion
    before: RowVersion | None
    mask: Mask | None
    changed: tuple[ChangedCell, ...]
    certainty: Certainty
    reason: str

    @property
    def committed_at(self) -> datetime | None:
        """When it was committed, or main was moved; UTC."""
        return self.move.at if self.move else self.snapshot.committed_at

    @property
    def sequence_number(self) -> int | None:
        """Of the commit; None of a move of main, and in version 1, which have none."""
        return None if self.move else self.snapshot.sequence_number or None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time in which one version stood for a row on a line; `shown` is False while deletes mask it."""

    line: int
    since: int
    until: int
    row: RowVersion
    shown: bool

    @property
    def parts(self) -> tuple[tuple[Span, bool], ...]:
        """Spans that it falls into, and of each whether it is known there if a reader sees the row."""
        edges = {edge for span in self.row.open for edge in span if self.since < edge < self.until}
        spans = pairwise(sorted({self.since, *edges, self.until}))
        return tuple((span, not self.row.is_open(span[0])) for span in spans)


@dataclass(frozen=True, slots=True)
class Life:
    """One row. Lives are numbered from 1 in the order in which they began; equal rows have lives of their own.

    Attributes:
        stretches: in order, line by line.
        events: in order, line by line.
    """

    number: int
    stretches: tuple[Stretch, ...]
    events: tuple[Event, ...]

    def at(self, line: int, place: int) -> Stretch | None:
        """What stood for the row there; None if nothing did."""
        return next((s for s in self.stretches if s.line == line and s.since <= place < s.until), None)

    def on(self, line: int) -> tuple[Event, ...]:
        """Events on a line."""
        return tuple(event for event in self.events if event.line == line)

    def stretches_on(self, line: int) -> tuple[Stretch, ...]:
        """Stretches of a line."""
        return tuple(stretch for stretch in self.stretches if stretch.line == line)

    @property
    def doubts(self) -> tuple[tuple[int, Span], ...]:
        """Lines, and spans of them, in which it is not known whether a reader sees the row."""
        return tuple((s.line, span) for s in self.stretches for span, is_known in s.parts if not is_known)

    @property
    def row_ids(self) -> tuple[int, ...]:
        """Its row ids; mostly one, or none."""
        ids = (stretch.row.row_id for stretch in self.stretches)
        return tuple(dict.fromkeys(i for i in ids if i is not None))

    @property
    def last(self) -> RowVersion:
        """The version that stood for it last: on the line that was asked about, if it was ever there."""
        return self.last_on(0)

    def last_on(self, line: int) -> RowVersion:
        """The version that stood for it last on a line; anywhere, if it was never there."""
        return (self.stretches_on(line) or self.stretches)[-1].row


@dataclass(frozen=True, slots=True)
class Price:
    """What must be read: data files that may hold such rows, and the deletes that may mask them.

    Attributes:
        files: such data files; of_files: all of the history.
        size_in_bytes: of the data files and of the deletes.
        pruned: whether statistics and partitions ruled the others out; else why they could not, in `reason`.
    """

    files: int
    of_files: int
    deletes: int
    size_in_bytes: int
    pruned: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Absence:
    """A time, UTC, at which readers of main did not get a row that its line holds: main was elsewhere."""

    life: int
    since: datetime
    until: datetime


@dataclass(frozen=True)
class Biography:
    """What became of the rows that meet a condition.

    Attributes:
        condition: SQL, as asked.
        ref: name or id of what was asked about; `lines[0]` leads to it.
        columns: names, of the table's current schema.
        key: indices of the columns that tell which row is which; empty if nothing says so.
        key_is_guessed: whether neither a person nor the schema nor the condition says so, only the bounds of files.
        called_by: indices of the columns that a row is called by: those of the key, else those of the condition.
        lines: the one that was asked about, then those that leave it.
        lives: that are told one by one.
        rows: that lie in data files on the first line and meet the condition, told or not; told: those that are, here
            and on other lines.
        absences: times at which main was elsewhere, by life.
        notes: what is not known, and why.
        is_partial: whether a file cannot be read that tells what lives at the head of the first line, or a data file of
            that line: there may be rows that nobody knows of, and of those that are told more may have become.
    """

    condition: str
    ref: str
    columns: tuple[str, ...]
    key: tuple[int, ...]
    called_by: tuple[int, ...]
    lines: tuple[Line, ...]
    lives: tuple[Life, ...]
    rows: int
    told: int
    price: Price
    notes: tuple[Note, ...] = ()
    is_partial: bool = False
    key_is_guessed: bool = False
    absences: tuple[Absence, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """All of them: those of the line that was asked about, in commit order; then those of each other line."""
        found = (event for life in self.lives for event in life.events)
        return tuple(sorted(found, key=lambda e: (e.line, e.place, e.life)))

    def living(self, line: int = 0) -> tuple[Life, ...]:
        """Lives that a reader sees at the head of a line."""
        last = self.lines[line].end - 1
        return tuple(life for life in self.lives if (s := life.at(line, last)) is not None and s.shown)

    def name_of(self, row: RowVersion) -> str:
        """`id = 10, region = EU`; all values of a row that is called by no column."""
        if not self.called_by:
            return ", ".join(row.values)
        return ", ".join(f"{self.columns[i]} = {row.values[i]}" for i in self.called_by)

    def label_of(self, row: RowVersion) -> str:
        """As `name_of`; where that does not tell the lives apart, by the column that does best."""
        if not self._telling:
            return self.name_of(row)
        return ", ".join(f"{self.columns[i]} = {row.values[i]}" for i in self._telling)

    @cached_property
    def _telling(self) -> tuple[int, ...]:
        rows = [life.last for life in self.lives]

        def kinds(columns: tuple[int, ...]) -> int:
            return len({tuple(row.same[i] for i in columns) for row in rows})

        most = max((kinds((i,)) for i in range(len(self.columns))), default=0)
        # Ids stand in front mostly, and one that is there twice tells rows apart better than a price that is not.
        first = next(((i,) for i in range(len(self.columns)) if kinds((i,)) * 10 >= most * 9), ())
        return first if kinds(self.called_by) < kinds(first) else self.called_by

    def key_of(self, row: RowVersion) -> tuple[Hashable, ...]:
        """Equal for rows with an equal key; empty without key columns."""
        return tuple(row.same[i] for i in self.key)


def shown_at(biography: Biography, line: int, place: int) -> Iterator[RowVersion]:
    """The rows that meet the condition and that a reader sees at a place of a line, of those that are told."""
    for life in biography.lives:
        stretch = life.at(line, place)
        if stretch is not None and stretch.shown and stretch.row.meets:
            yield stretch.row


def changes(columns: Sequence[str], before: RowVersion, after: RowVersion) -> tuple[ChangedCell, ...]:
    """The cells in which two versions of a row differ."""
    return changed_cells(columns, before.values, after.values, (before.same, after.same))


def rows(biography: Biography) -> list[dict[str, Any]]:
    """One dict per event: the columns of `biography().data` but for those of the key."""
    return [
        {
            "event": event.kind,
            "how": event.how,
            "line": biography.lines[event.line].name,
            "snapshot_id": event.snapshot.snapshot_id,
            "sequence_number": event.sequence_number,
            "committed_at": event.committed_at,
            "writer": None if event.move else writer(event.snapshot),
            "file_path": event.row.file_path,
            "pos": event.row.position,
            "delete_path": (event.mask and event.mask.delete_path) or None,
            "content_offset": event.mask and event.mask.content_offset,
            "version": event.life,
            "changed": ", ".join(map(str, event.changed)) or None,
            "certainty": event.certainty,
            "reason": event.reason,
            "row_id": event.row.row_id,
        }
        for event in biography.events
    ]
