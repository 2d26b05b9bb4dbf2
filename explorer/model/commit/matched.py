"""The rows of a commit as they were counted: from which file to which they went, and which deletes mask them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .rows import Outcome, RowCell


@dataclass(frozen=True, slots=True)
class Masked:
    """Rows of a data file that a delete masks."""

    data_path: str
    delete_path: str
    content_offset: int | None
    rows: int


@dataclass(frozen=True, slots=True)
class Flow:
    """Rows that went from one file to another by one outcome; no source: inserted; no target: deleted."""

    source: str | None
    target: str | None
    outcome: Outcome
    rows: int


@dataclass(frozen=True, slots=True)
class MatchedRows:
    """What was counted.

    Attributes:
        before_known: whether the gone rows are known; if not, every flow is one of inserted rows.
        flows: by source, target and outcome, most rows first; bounded, `flow_count` has them all.
        by_file: rows by (path, whether they left it, outcome); complete.
        by_row_id: whether rows were told to be the same by `_row_id`; else by equal values.
        row_ids_failed: why row ids were not used though they were to be; empty if they were, or were not to be.
        identifier_columns: names, if updates were paired by them.
        ambiguous: rows left as deleted or inserted since several share their identifiers.
        not_compared: columns whose values cannot be compared.
        masked: rows of data files that deletes of the commit mask.
        masks_unknown: why those of some files are not known; empty if all are.
        cells: the rows themselves if they are few, by file and position; else empty.
        listed_again: paths of touched files that entries which the commit left alone list too.
    """

    before_known: bool
    flows: tuple[Flow, ...]
    flow_count: int
    by_file: Mapping[tuple[str, bool, str], int]
    by_row_id: bool
    row_ids_failed: str
    identifier_columns: tuple[str, ...]
    ambiguous: int
    not_compared: tuple[str, ...]
    masked: tuple[Masked, ...] = ()
    masks_unknown: str = ""
    cells: tuple[RowCell, ...] = ()
    listed_again: tuple[str, ...] = ()
