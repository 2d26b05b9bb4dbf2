"""The live deletes of a snapshot and the data files that each of them reaches.

The rule for one pair is in `delete_scope`; here all pairs are told, or counted where they are too many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ..evidence import Note
from ..iceberg.delete_scope import ClauseName, DataFile, DeleteFile, DeleteKey, Scope, Verdict
from ..iceberg.inheritance import ContentKind
from ..iceberg.metadata import Snapshot
from ..partition_rows import Naming

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
class DeleteFront:
    """Live deletes that lie in a partition, of one kind and scope, with one data sequence number: the front of each.

    Attributes:
        number: decides which data they reach; None if it is not known.
        reaching: those that apply to a data file. dangling: those that apply to none.
        corrupt, unknown: those of which neither is said, as of `State`. The four sum up to all.
    """

    kind: ContentKind
    scope: Scope
    number: int | None
    reaching: int = 0
    dangling: int = 0
    corrupt: int = 0
    unknown: int = 0

    @property
    def deletes(self) -> int:
        """All of them."""
        return self.reaching + self.dangling + self.corrupt + self.unknown


WhyNothing = Literal["no data", "file gone", "number", "vector", "bounds"]
"""Why a delete reaches nothing. `no data`: no data file is in its scope; `file gone`: the one that it names is not
live; else the last clause that one of the files in its scope came to: sequence, deletion vector, statistics."""


@dataclass(frozen=True)
class PartitionDeletes:
    """A partition of a spec, in sums: its live data files, and the live deletes that lie in it, whatever they reach.

    Attributes:
        files: data files; at least so many if `Deletes.lacks_data_files`. rows: of all of them, masked ones too.
        oldest, newest: the smallest and the largest data sequence number of the data files; None if none is known.
        numbers: data files by data sequence number, None if unknown; None as a whole if they were not counted so.
        fronts: of the deletes, by number.
        why_nothing: of those that are dangling, how many for which reason.
    """

    spec_id: int
    partition: str
    files: int
    rows: int
    oldest: int | None
    newest: int | None
    numbers: tuple[tuple[int | None, int], ...] | None
    fronts: tuple[DeleteFront, ...]
    why_nothing: Mapping[WhyNothing, int]

    def count(self, *kinds: ContentKind) -> int:
        """Deletes of these kinds; of every kind if none is given."""
        return sum(front.deletes for front in self.fronts if not kinds or front.kind in kinds)

    @property
    def reaching(self) -> int:
        """Deletes that apply to a data file."""
        return sum(front.reaching for front in self.fronts)

    @property
    def dangling(self) -> int:
        """Deletes that apply to none."""
        return sum(front.dangling for front in self.fronts)

    @property
    def unclear(self) -> int:
        """Deletes of which it cannot be told, or that make readers refuse."""
        return sum(front.corrupt + front.unknown for front in self.fronts)

    @property
    def tells(self) -> bool:
        """Whether a delete lies in it."""
        return bool(self.fronts)

    @cached_property
    def badness(self) -> tuple[int, ...]:
        """Corrupt deletes first, then those that reach nothing, those of which it is not known, and all of them."""
        corrupt = sum(front.corrupt for front in self.fronts)
        return corrupt, self.dangling, self.unclear, self.count(), self.files


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
        by_partition: every partition in which a delete lies, and those of most data files besides, in the order of
            `partition_order`; empty if there is no delete. Each delete is in one of them: where it lies.
        partition_count: partitions with a data file or a delete, whether or not `by_partition` has them.
        unknown_pairs: of which it cannot be told; apart_pairs: those that statistics alone rule out.
        statistics_evaluated: False if pairs in scope are so many that statistics were not compared: then what is told
            to be reached may be less.
        lacks_data_files: whether a manifest of data files could not be read: there are more of them.
        lacks_deletes: whether there are deletes that are not among `by_partition`: of a manifest that could not be
            read, or more than were read.
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
    by_partition: tuple[PartitionDeletes, ...] = ()
    partition_count: int = 0
    unknown_pairs: int = 0
    apart_pairs: int = 0
    lacks_data_files: bool = False
    lacks_deletes: bool = False
    statistics_evaluated: bool = True
    findings: tuple[Finding, ...] = ()
    unreadable: str = ""
    notes: tuple[Note, ...] = ()
    partition: tuple[int, str] | None = None

    @cached_property
    def naming(self) -> Naming:
        """What the partitions are called."""
        return Naming.of(self.by_partition)
