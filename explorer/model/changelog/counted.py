"""The rows of a changelog as they are counted and read, before the way of telling makes sense of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..changed_cells import ChangedCell

ChangeType = Literal["INSERT", "DELETE", "UPDATE_BEFORE", "UPDATE_AFTER"]


@dataclass(frozen=True, slots=True)
class CommitTally:
    """Rows of one commit.

    Attributes:
        snapshot_id: the commit; in `ownership` the owner, None where the metadata does not record it.
        gone: DELETE and UPDATE_BEFORE; came: INSERT and UPDATE_AFTER.
        carried_over: rows that were only copied, in both of them in the modes `raw`, `changes` and `updates`; in
            `ownership` live ones that the owner only copied, which are in `came`; else 0.
        updated: pairs, which are in both too.
        not_known: rows of which it is not known whether the owner only copied them; 0 in modes other than `ownership`.
    """

    snapshot_id: int | None
    gone: int
    came: int
    carried_over: int
    updated: int
    not_known: int = 0


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """One row, with the attributes of `ChangedRow`.

    Attributes:
        same: a number that rows of one key share, however their keys are written.
    """

    key: str
    same: int
    text: str
    change_type: ChangeType
    ordinal: int | None
    snapshot_id: int | None
    carried_over: bool | None


@dataclass(frozen=True, slots=True)
class RowDetails:
    """What is told of a drawn row besides its text.

    Attributes:
        condition: SQL over the table's columns that is true of the rows of its key alone; empty if its values cannot be
            written as literals.
        changed: cells that an update changed; empty of other rows.
    """

    condition: str = ""
    changed: tuple[ChangedCell, ...] = ()
