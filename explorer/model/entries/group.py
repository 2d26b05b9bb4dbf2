"""Entries that are alike, counted."""

from __future__ import annotations

from dataclasses import dataclass

from ..iceberg.inheritance import Status, Value


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of one manifest that are alike: one status, and both sequence numbers equal, by equal rules.

    Attributes:
        count: entries; rows: rows (of deletion vectors: positions) in their files together.
        data_sequence_number: as read, of each of them; file_sequence_number likewise. None by the rule `stored` where
            a big manifest stores so many different numbers that they are counted together.
    """

    status: Status
    count: int
    rows: int
    data_sequence_number: Value
    file_sequence_number: Value
