"""What each delete reaches, from counts: for snapshots whose pairs are too many to be told one by one.

The counts are those of `queries.deletes.counts`; here they become the values that a picture is drawn from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..iceberg.delete_scope import CLAUSES, ClauseName, DeleteFile
from ..iceberg.metadata import Snapshot
from .counted import CountedFiles, CountedMet, CountedNamed, DeleteCounts
from .facts import Block, DeleteGroup, Deletes, Partition
from .findings import findings
from .reach import Reach, group_key, groups_of, live_delete, order
from .stored import lacks_data_files, notes
from .stored_deletes import StoredDeletes

__all__ = ["from_counts"]

_SHOWN = 1_000  # deletes that are told one by one where they are counted
_GROUPS = 100
_Tally = Counter[ClauseName | bool | None]
"""Pairs by whether the delete applies; those in which it does not by the clause that decides."""


def from_counts(
    snapshot: Snapshot, stored: StoredDeletes, deletes: Sequence[DeleteFile], counts: DeleteCounts
) -> Deletes:
    """What deletes reach where pairs were counted.

    Args:
        snapshot: that was asked about.
        stored: what was read of it.
        deletes: of `live_deletes`; the ids of `counts` are places in it.
        counts: of Spark.
    """
    reaches = _reaches(deletes, counts)
    lacks_data = lacks_data_files(stored)
    live = [live_delete(d, r, counts.data_files, lacks_data) for d, r in zip(deletes, reaches, strict=True)]
    partitions = tuple(sorted(counts.partitions, key=lambda p: (p.spec_id, p.partition)))
    groups = groups_of(deletes)
    shown = sorted(sorted(groups, key=lambda g: -g.deletes)[:_GROUPS], key=groups.index)
    shown_deletes = sorted(live, key=lambda d: d.state == "reaches")[:_SHOWN]
    return Deletes(
        snapshot=snapshot,
        deletes=tuple(sorted(shown_deletes, key=lambda d: order(d.file))),
        delete_count=stored.delete_count,
        data_files=(),
        data_file_count=counts.data_files,
        pairs=(),
        pair_count=stored.delete_count * counts.data_files,
        reached_pairs=sum(r.reached for r in reaches),
        states=Counter(d.state for d in live),
        partitions=partitions,
        partition_count=counts.partition_count,
        groups=tuple(shown),
        group_count=len(groups),
        blocks=_blocks(deletes, counts, shown, partitions),
        statistics_evaluated=counts.apart is not None,
        findings=findings(live, counts.data_files),
        notes=tuple(notes(stored, statistics_evaluated=counts.apart is not None)),
    )


_CORRUPT = {
    "path": "a deletion vector that names no data file",
    "spec": "names a file of another spec",
    "partition": "names a file of another partition",
    "deletion vector": "several deletion vectors name its data file",
    "statistics": "no schema has a key column",
    "sequence": "a vector older than its data file",
}


def _reaches(deletes: Sequence[DeleteFile], counts: DeleteCounts) -> list[Reach]:
    """Of each delete."""
    named, met = {counted.id: counted for counted in counts.named}, {counted.id: counted for counted in counts.met}
    apart: Counter[int] = Counter()
    for counted in counts.apart or ():
        apart[counted.id] += counted.files
    found = []
    for i, delete in enumerate(deletes):
        if delete.scope == "one file":
            found.append(_of_named(delete, named.get(i), counts.data_files))
        else:
            found.append(_of_met(delete, met.get(i), apart[i], counts))
    return found


def _of_named(delete: DeleteFile, counted: CountedNamed | None, files: int) -> Reach:
    if delete.data_file is None:
        return Reach(0, {}, files, _CORRUPT["path"], None)
    if counted is None:
        return Reach(0, _without_zeros({"path": files}), 0, "", None)
    own = {counted.decided_by: 1} if counted.applies is False else {}
    ruled_out = _without_zeros({"path": files - 1} | own)
    broken = counted.applies is None and counted.decided_by != "sequence"
    older = delete.kind == "deletion vector" and counted.applies is False
    corrupt = _CORRUPT[counted.decided_by] if broken or older else ""
    return Reach(int(counted.applies is True), ruled_out, int(counted.applies is None), corrupt, counted.number)


def _of_met(delete: DeleteFile, counted: CountedMet | None, apart: int, counts: DeleteCounts) -> Reach:
    everywhere = delete.scope == "every file"
    of_spec = counts.data_files if everywhere else counts.by_spec.get(delete.spec_id, 0)
    met, unknown, reached = (counted.met, counted.unknown, counted.reached) if counted else (0, 0, 0)
    vectored = counted.vectored if counted else 0
    ruled_out = {
        "spec": counts.data_files - of_spec,
        "partition": of_spec - met,
        "sequence": met - unknown - reached,
        "deletion vector": vectored,
        "statistics": apart,
    }
    reached -= vectored + apart
    corrupt = _CORRUPT["statistics"] if delete.lost_keys and reached else ""
    if corrupt:
        reached, unknown = 0, unknown + reached
    return Reach(reached, _without_zeros(ruled_out), unknown, corrupt, counted.oldest if counted else None)


def _without_zeros(found: Mapping[Any, int]) -> dict[ClauseName, int]:
    return {name: found[name] for name in CLAUSES if found.get(name)}


def _blocks(
    deletes: Sequence[DeleteFile], counts: DeleteCounts, groups: Sequence[DeleteGroup], partitions: Sequence[Partition]
) -> tuple[Block, ...]:
    """From the data files of each partition counted by sequence number."""
    group_at = {(g.kind, g.scope, g.spec_id, g.partition): i for i, g in enumerate(groups)}
    of_delete = [group_at.get(group_key(delete)) for delete in deletes]
    partition_at = {(p.spec_id, p.partition): i for i, p in enumerate(partitions)}
    blocks = _met_blocks(deletes, of_delete, counts, groups, partition_at)
    for apart in counts.apart or ():
        group, partition = of_delete[apart.id], partition_at.get((apart.spec_id, apart.partition))
        if group is not None and partition is not None:
            blocks[group, partition].update({"statistics": apart.files, True: -apart.files})
    for named in counts.named:
        group, partition = of_delete[named.id], partition_at.get((named.spec_id, named.partition))
        if group is not None and partition is not None:
            blocks[group, partition][named.decided_by if named.applies is False else named.applies] += 1
    for (group, partition), found in blocks.items():
        if groups[group].scope == "one file":
            found["path"] += groups[group].deletes * partitions[partition].files - found.total()
    return tuple(
        Block(*at, found[True], {name: found[name] for name in CLAUSES if found[name]}, found[None])
        for at, found in sorted(blocks.items())
    )


def _met_blocks(
    deletes: Sequence[DeleteFile],
    of_delete: Sequence[int | None],
    counts: DeleteCounts,
    groups: Sequence[DeleteGroup],
    partition_at: Mapping[tuple[int, str], int],
) -> dict[tuple[int, int], _Tally]:
    """Of deletes that name no file: what sequence numbers and vectors decide."""
    histogram: dict[int, list[CountedFiles]] = defaultdict(list)
    for counted in counts.histogram:
        histogram[partition_at[counted.spec_id, counted.partition]].append(counted)
    numbers: dict[int, list[int | None]] = defaultdict(list)
    for group, delete in zip(of_delete, deletes, strict=True):
        if group is not None and delete.scope != "one file":
            numbers[group].append(delete.data_sequence_number.value)
    blocks: dict[tuple[int, int], _Tally] = defaultdict(Counter)
    for group, of_group in numbers.items():
        own = partition_at.get((groups[group].spec_id, groups[group].partition))
        for partition in partition_at.values() if groups[group].scope == "every file" else (own,):
            if partition is not None:
                blocks[group, partition] = _met(groups[group], of_group, histogram[partition])
    return blocks


def _met(group: DeleteGroup, numbers: Sequence[int | None], histogram: Iterable[CountedFiles]) -> _Tally:
    """All pairs of a group with the files of a partition that it meets."""
    known = sorted(n for n in numbers if n is not None)
    found: _Tally = Counter()
    for counted in histogram:
        if counted.number is None:
            found[None] += len(numbers) * counted.files
            continue
        least = counted.number + 1 if group.kind == "equality deletes" else counted.number
        reaching = len(known) - bisect_right(known, least - 1)
        ignored = counted.vectored and group.kind == "position deletes"
        found["deletion vector" if ignored else True] += reaching * counted.files
        found["sequence"] += (len(known) - reaching) * counted.files
        found[None] += (len(numbers) - len(known)) * counted.files
    return found
