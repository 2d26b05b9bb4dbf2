"""Deletes as they are counted, and the counts: of snapshots whose pairs are too many to be told one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..iceberg.delete_scope import ClauseName, Scope
from ..iceberg.inheritance import ContentKind
from ..iceberg.key_ranges import KeyRange
from ..iceberg.reach_columns import Met
from .by_partition import Numbers
from .facts import Partition


@dataclass(frozen=True, slots=True)
class ScopedDelete:
    """What the rule asks of a live delete.

    Attributes:
        id: its place among the deletes that were read.
        content_offset: bytes, of a deletion vector; None of a file.
        delete_sequence_number: as a reader sees it; None if it is not known.
        names: the one data file that it is for; None if it may be for several.
        lost_keys: whether no schema of the table has one of its key columns.
        keys: field ids of its key columns; ranges: what its statistics say of them.
    """

    id: int
    delete_path: str
    content_offset: int | None
    delete_content: ContentKind
    delete_spec_id: int
    delete_partition: str
    delete_sequence_number: int | None
    scope: Scope
    names: str | None
    lost_keys: bool
    keys: frozenset[int]
    ranges: Mapping[int, KeyRange]


@dataclass(frozen=True, slots=True)
class CountedNamed:
    """The live file that a delete names: its data sequence number, and which clause decides how."""

    number: int | None
    applies: bool | None
    decided_by: ClauseName


@dataclass(frozen=True, slots=True)
class CountedApart:
    """Files that a delete would reach, but for statistics that rule out a common key.

    Attributes:
        unknown: so many more, of which it cannot be told whether they are old enough.
    """

    files: int
    unknown: int


@dataclass(frozen=True, slots=True)
class DeleteCounts:
    """Counts of data files; those of deletes are by `ScopedDelete.id`.

    Attributes:
        data_files: live ones.
        by_spec: the same by spec id.
        partitions: each in which a delete lies, and `by_partition.MOST_WITHOUT_DELETES` others, those of most files;
            partition_count: all.
        numbers: of the partitions of `by_partition.most_deletes`.
        named: of deletes that name a live file.
        met: of all others that meet a file.
        apart: of deletes by key that statistics part from files; None if they were not compared.
    """

    data_files: int
    by_spec: Mapping[int, int]
    partitions: tuple[Partition, ...]
    partition_count: int
    numbers: Numbers
    named: Mapping[int, CountedNamed]
    met: Mapping[int, Met]
    apart: Mapping[int, CountedApart] | None
