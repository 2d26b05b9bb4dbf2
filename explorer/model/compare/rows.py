"""The rows of two points, net: what a reader of the right one gets that a reader of the left one does not.

Rows are compared as multisets of values, in the columns of the right side. One row of the left side alone and one of
the right side alone that are the same row, by its id or by identifier columns, are an update.

Source: Iceberg specification, "Row Lineage", "Identifier Field IDs".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["inserted", "updated", "deleted"]
KINDS: tuple[Kind, ...] = ("inserted", "updated", "deleted")
Pairing = Literal["row id", "identifier columns", "none"]


@dataclass(frozen=True, slots=True)
class RowPair:
    """One row that differs; its values as text, None for null, by the columns of the right side.

    Attributes:
        left, right: None where this side has not the row.
    """

    kind: Kind
    left: tuple[str | None, ...] | None
    right: tuple[str | None, ...] | None


@dataclass(frozen=True)
class NetRows:
    """The rows of two points, counted, and some of them.

    Attributes:
        inserted: of the right side alone. deleted: of the left side alone.
        updated: of both, with other values.
        carried_over: equal on both sides, in files that they do not share.
        pairing: by what updates were told.
        identifier_columns: which, where they told them.
        ambiguous: rows that might be updates, but several share their identifiers or row ids.
        not_compared: columns whose values cannot be compared: rows that differ only there count as equal.
        columns: of the rows.
        sample: some of the rows that differ; there are `differing`.
        read: whether rows were read; else metadata alone tells how many there are.
    """

    inserted: int
    updated: int
    deleted: int
    carried_over: int = 0
    pairing: Pairing = "none"
    identifier_columns: tuple[str, ...] = ()
    ambiguous: int = 0
    not_compared: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    sample: tuple[RowPair, ...] = ()
    read: bool = True

    @property
    def differing(self) -> int:
        """Rows that differ; an update is one."""
        return self.inserted + self.updated + self.deleted

    @property
    def net(self) -> int:
        """How many rows more the right side has."""
        return self.inserted - self.deleted

    @property
    def knows_updates(self) -> bool:
        """Whether no update can be among the rows that are told as deleted and inserted, for want of a key."""
        return self.pairing != "none" or not (self.inserted and self.deleted)

    def count(self, kind: Kind) -> int:
        """Rows of a kind."""
        return {"inserted": self.inserted, "updated": self.updated, "deleted": self.deleted}[kind]
