"""What readers who get sequence numbers wrong would see: never what the table holds, always labelled as a what-if.

The same deletes hold the same rows; only the sequence clause is changed. Source of the right rule: Iceberg
specification, "Scan Planning" (equality deletes reach strictly older data). Without it a key that is used again is
deleted with its former owner; with `≤` an upsert deletes the row that it writes itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..iceberg.delete_scope import DataFile, DeleteFile
from .facts import MatchedRow, RowDelete, RowOutcome

Reading = Literal["as Iceberg reads", "without sequence numbers", "≤ for equality deletes"]

READINGS: tuple[tuple[Reading, str], ...] = (
    ("as Iceberg reads", "What the table holds: an equality delete reaches strictly older data (<)."),
    (
        "without sequence numbers",
        "What if a reader took no notice of sequence numbers? No reader of Iceberg does this.",
    ),
    ("≤ for equality deletes", "What if equality deletes reached data of their own commit too, as some articles say?"),
)


@dataclass(frozen=True, slots=True)
class SeenRow:
    """A row under a reading; `by` is the delete that masks it, None if it is seen. Both None if it cannot be told."""

    row: MatchedRow
    seen: bool | None
    by: RowDelete | None


@dataclass(frozen=True, slots=True)
class ReaderView:
    """The rows of one snapshot under one reading.

    Attributes:
        label: a sentence that says what this is; a what-if says so.
        is_what_if: False only for the reading of Iceberg.
    """

    reading: Reading
    label: str
    is_what_if: bool
    rows: tuple[SeenRow, ...]


def reader_views(outcome: RowOutcome) -> tuple[ReaderView, ...]:
    """The same rows under the three readings, the right one first."""
    return tuple(
        ReaderView(reading, label, reading != "as Iceberg reads", tuple(_seen(row, reading) for row in outcome.rows))
        for reading, label in READINGS
    )


def _seen(row: MatchedRow, reading: Reading) -> SeenRow:
    if reading == "as Iceberg reads":
        return SeenRow(row, not row.masked, next((d for d in row.deletes if d.masks), None))
    doubtful = False
    for delete in row.deletes:
        if row.file is None or not _applies(delete, row.file, reading):
            continue
        if delete.holds_row:
            return SeenRow(row, False, delete)
        doubtful |= delete.holds_row is None
    return SeenRow(row, None if doubtful else True, None)


def _applies(delete: RowDelete, data: DataFile, reading: Reading) -> bool:
    """All clauses but that of sequence numbers as they are."""
    others = all(c.holds is not False for c in delete.verdict.clauses if c.name != "sequence")
    return others and (reading == "without sequence numbers" or _not_younger(delete.delete, data))


def _not_younger(delete: DeleteFile, data: DataFile) -> bool:
    old, new = data.data_sequence_number.value, delete.data_sequence_number.value
    return old is not None and new is not None and old <= new
