"""The live deletes of a snapshot and the data files that each of them reaches.

The rule for one pair is in `delete_scope`; here all pairs are told, or counted where they are too many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..evidence import Note
from ..iceberg.delete_scope import ClauseName, DataFile, DeleteFile, DeleteKey, Scope, Verdict
from ..iceberg.inheritance import ContentKind
from ..iceberg.metadata import Snapshot

State = Literal["reaches", "reaches everything", "dangling", "corrupt", "unknown"]
"""What a delete comes to. `reaches everything`: every live data file, and there are several. `dangling`: none.
`corrupt`: a data file that it names cannot be read by the rules of the format. `unknown`: none for certain, and of some
it cannot be told."""

FindingKind = Literal["corrupt", "never applied", "dangling", "reaches everything"]


@dataclass(frozen=True, slots=True)
class LiveDelete:
    """A live delete file or deletion vector, and what it comes to.

    Attributes:
        file: what it is.
        scope: what it is compared with, in words: `every file`, `region=EU of spec 1`, `spec 0`, `one file`.
        threshold: which data sequence numbers it reaches: `< 7`, `≤ 10`; `unknown` if its own is not known.
        reached: data files that it applies to; at most so many if `Deletes.statistics_evaluated` is False.
        ruled_out: data files that it does not apply to, by the clause that decides; clauses without one are absent.
        unknown: data files of which it cannot be told. The three sum up to the live data files.
        reason: a sentence part for the state: `names …c2.parquet, which is not live`, `oldest data there is 1: 1 < 1 is
            false`; empty if it simply reaches.
    """

    file: DeleteFile
    scope: str
    threshold: str
    reached: int
    ruled_out: Mapping[ClauseName, int]
    unknown: int
    state: State
    reason: str


@dataclass(frozen=True, slots=True)
class LiveFile:
    """A live data file, and how many deletes are applied when it is read; unknown ones are not among them."""

    file: DataFile
    reached_by: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A live delete and a live data file."""

    delete: DeleteKey
    data_path: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Partition:
    """The live data files of one partition of one spec; rows: of all of them, masked ones too.

    `oldest` and `newest` are the smallest and the largest data sequence number of its files, None if none is known.
    """

    spec_id: int
    partition: str
    files: int
    rows: int
    oldest: int | None
    newest: int | None


@dataclass(frozen=True, slots=True)
class DeleteGroup:
    """Live deletes of one kind and scope in one partition of one spec; of scope `every file` the partition is empty.

    `records` are positions or keys; `oldest` and `newest` the smallest and largest data sequence number.
    """

    kind: ContentKind
    scope: Scope
    spec_id: int
    partition: str
    deletes: int
    records: int
    oldest: int | None
    newest: int | None


@dataclass(frozen=True, slots=True)
class Block:
    """All pairs of a group of deletes with the data files of a partition.

    Attributes:
        group: index into `Deletes.groups`. partition: index into `Deletes.partitions`.
        reached: pairs in which the delete applies.
        ruled_out: pairs in which it does not, by the clause that decides.
        unknown: pairs of which it cannot be told. The three sum up to deletes × files.
    """

    group: int
    partition: int
    reached: int
    ruled_out: Mapping[ClauseName, int]
    unknown: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a person should know, most urgent first.

    Attributes:
        words: a clause for a headline or a list: `2 of 10 deletes reach nothing`.
        deletes: those that it is about; bounded.
    """

    kind: FindingKind
    words: str
    deletes: tuple[DeleteKey, ...]


@dataclass(frozen=True)
class Deletes:
    """Every live delete of a snapshot with every live data file.

    Attributes:
        deletes: equality deletes first, then position deletes, then vectors; each by data sequence number. Bounded:
            all of them if they are `delete_count`, else those that something is to be said of first.
        data_files: by spec, partition and data sequence number; bounded in the same way.
        pairs: each of `deletes` with each of `data_files`; all pairs, or none if they are too many to be of use.
        pair_count: deletes × data files. reached_pairs: those in which the delete applies.
        states: number of deletes by what they come to; all of them.
        partitions: of the data files, by spec and partition. groups: of the deletes. blocks: each group with each
            partition that one of its deletes is compared with by sequence number; what is absent is ruled out by spec,
            partition or path. Bounded as `partition_count` and `group_count` tell.
        statistics_evaluated: False if pairs in scope are so many that statistics were not compared: then what is told
            to be reached may be less.
        findings: what is wrong or worth knowing.
        unreadable: why the manifest list cannot be read, a sentence; empty if it was. Then the rest is empty.
        notes: what is exact, inferred (statistics), unknown (unreadable manifests).
        partition: spec id and partition, if only its data files were asked about, and the deletes that can reach them.
    """

    snapshot: Snapshot
    deletes: tuple[LiveDelete, ...]
    delete_count: int
    data_files: tuple[LiveFile, ...]
    data_file_count: int
    pairs: tuple[Pair, ...]
    pair_count: int
    reached_pairs: int
    states: Mapping[State, int]
    partitions: tuple[Partition, ...]
    partition_count: int
    groups: tuple[DeleteGroup, ...]
    group_count: int
    blocks: tuple[Block, ...]
    statistics_evaluated: bool = True
    findings: tuple[Finding, ...] = ()
    unreadable: str = ""
    notes: tuple[Note, ...] = ()
    partition: tuple[int, str] | None = None
