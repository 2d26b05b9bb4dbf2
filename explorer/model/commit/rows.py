"""What became of the rows that a commit touched: carried over, inserted, updated or deleted, from which file to which.

Of the rows visible at the parent and at the snapshot in *touched* data files (those that the commit added or removed,
and those that a delete which it added or removed reaches), a row known by file and position is *gone* if only the
parent has it and *new* if only the snapshot has it. A gone and a new row that are the same row (by `_row_id`, else by
equal values, as multisets) were carried over; a gone and a new row of one identity with other values are an update.

Sources: Iceberg specification, "Row Lineage", "Scan Planning"; Iceberg's `create_changelog_view` for carry-over rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..evidence import Note
from ..iceberg.inheritance import ContentKind

Outcome = Literal["carried over", "inserted", "updated", "deleted"]
Certainty = Literal["proved", "inferred"]
Pairing = Literal["row id", "identifier columns", "none"]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Rows by what became of them.

    Attributes:
        carried_over: equal before and after; in a removed file they left it, in an added file they came to it.
        inserted: new, with nothing gone that they could have been. In a kept file: came back, as a delete was removed.
        updated: gone from one place and new in another, the same row with other values; counted on both sides.
        deleted: gone, with nothing new that they could have become.
        unseen: rows of an added or removed file that were visible neither before nor after: masked by a delete all
            along, or written and masked by one commit. Not told of a kept file. Below 0 if the metadata counts fewer
            rows than the file holds.
    """

    carried_over: int = 0
    inserted: int = 0
    updated: int = 0
    deleted: int = 0
    unseen: int = 0

    def __add__(self, other: Outcomes) -> Outcomes:
        return Outcomes(
            self.carried_over + other.carried_over,
            self.inserted + other.inserted,
            self.updated + other.updated,
            self.deleted + other.deleted,
            self.unseen + other.unseen,
        )


@dataclass(frozen=True, slots=True)
class Masking:
    """Rows of a data file that a delete added by the commit masks; one row may be masked by several."""

    delete_path: str
    content_offset: int | None
    kind: ContentKind
    rows: int


@dataclass(frozen=True, slots=True)
class FileRows:
    """What became of the rows of one touched data file.

    Attributes:
        change: `kept` for a file that a delete which came or went reaches.
        record_count: rows stored in the file. Of an added file carried_over + inserted + updated + unseen; of a removed
            one carried_over + updated + deleted + unseen; of a kept one the rows not in `outcomes` stayed as they were.
        masked_by: the deletes of this commit that mask rows of the file, most rows first.
    """

    path: str
    change: Literal["added", "removed", "kept"]
    spec_id: int
    partition: str
    record_count: int
    size_in_bytes: int
    outcomes: Outcomes
    masked_by: tuple[Masking, ...] = ()


@dataclass(frozen=True, slots=True)
class Ribbon:
    """Rows that went from one file to another; `proved` by `_row_id`, `inferred` by equal values or identifiers."""

    source: str
    target: str
    outcome: Outcome  # carried over or updated: the others have one side alone
    rows: int
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class RowCell:
    """One row of a small file, as it is printed in the picture.

    Attributes:
        position: in the file, from 0.
        text: its values in column order, separated by one space, cut to fit.
        outcome: None for a row that stayed where it is.
    """

    path: str
    position: int
    side: Literal["before", "after"]
    outcome: Outcome | None
    text: str


@dataclass(frozen=True, slots=True)
class CommitRows:
    """The rows of one commit.

    Attributes:
        before_known: False if the parent is expired or unreadable: then `files` has added files only, all of whose rows
            count as `inserted`, though some may have been carried over; a note says so.
        files: every touched data file; bounded, `file_count` has them all.
        totals: of the commit. carried_over and updated count rows, not their two sides.
        by_partition: the same by (spec id, partition), complete: of the rows gone there and of those new there.
        ribbons: most rows first; bounded.
        cells: the rows themselves, if there are few; else empty.
        pairing: what made an update of a gone and a new row.
        identifier_columns: names, if `pairing` is by them.
        rows_written: rows in added data files; bytes_written: their bytes.
        changed_by_replace: rows that a commit of operation `replace` changed, though it must change none; a note says
            so. 0 for commits of other operations.
    """

    before_known: bool
    files: tuple[FileRows, ...]
    file_count: int
    totals: Outcomes
    by_partition: tuple[PartitionRows, ...]
    ribbons: tuple[Ribbon, ...]
    cells: tuple[RowCell, ...]
    pairing: Pairing
    identifier_columns: tuple[str, ...]
    rows_written: int
    bytes_written: int
    notes: tuple[Note, ...]
    changed_by_replace: int = 0

    @property
    def changed(self) -> int:
        """Rows inserted, updated and deleted."""
        return self.totals.inserted + self.totals.updated + self.totals.deleted

    @property
    def amplification(self) -> float | None:
        """Rows written for one row changed; None if nothing changed, or the rows before are unknown."""
        return self.rows_written / self.changed if self.changed and self.before_known else None


@dataclass(frozen=True, slots=True)
class PartitionRows:
    """Rows gone from a partition and rows new in it, by outcome."""

    spec_id: int
    partition: str
    gone: Outcomes
    new: Outcomes
