"""Deletes as they are counted, and the counts: of snapshots whose pairs are too many to be told one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..iceberg.delete_scope import ClauseName, Scope
from ..iceberg.inheritance import ContentKind
from ..iceberg.key_ranges import KeyRange
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
class CountedFiles:
    """Live data files of a partition with one data sequence number (None if unknown).

    Attributes:
        vectored: whether one deletion vector names each of them.
    """

    spec_id: int
    partition: str
    number: int | None
    vectored: bool
    files: int


@dataclass(frozen=True, slots=True)
class CountedNamed:
    """A delete that names a live file: where that lies, its data sequence number, and which clause decides how."""

    id: int
    spec_id: int
    partition: str
    number: int | None
    applies: bool | None
    decided_by: ClauseName


@dataclass(frozen=True, slots=True)
class CountedMet:
    """A delete that meets files by their partition, or is for every file.

    Attributes:
        met: files; oldest: their smallest data sequence number.
        reached: those that are old enough; unknown: those of which that cannot be told; without those that are
        vectored: ignored beside a deletion vector, and not too new.
    """

    id: int
    met: int
    oldest: int | None
    reached: int
    unknown: int
    vectored: int


@dataclass(frozen=True, slots=True)
class CountedApart:
    """Files of a partition that a delete would reach, but for statistics that rule out a common key.

    Attributes:
        unknown: so many more, of which it cannot be told whether they are old enough.
    """

    id: int
    spec_id: int
    partition: str
    files: int
    unknown: int


@dataclass(frozen=True, slots=True)
class DeleteCounts:
    """Counts of data files.

    Attributes:
        data_files: live ones.
        by_spec: the same by spec id.
        partitions: each in which a delete lies, and `by_partition.MOST_WITHOUT_DELETES` others, those of most files;
            partition_count: all.
        histogram: of the partitions of `by_partition.most_deletes`.
        named: of deletes that name a live file.
        met: of all others that meet a file.
        apart: pairs that statistics rule out; None if they were not compared.
    """

    data_files: int
    by_spec: Mapping[int, int]
    partitions: tuple[Partition, ...]
    partition_count: int
    histogram: tuple[CountedFiles, ...]
    named: tuple[CountedNamed, ...]
    met: tuple[CountedMet, ...]
    apart: tuple[CountedApart, ...] | None
