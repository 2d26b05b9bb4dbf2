"""What each delete reaches, from counts: for snapshots whose pairs are too many to be told one by one.

The counts are those of `queries.deletes.counts`; here they become the values that a picture is drawn from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from ..iceberg.delete_scope import CLAUSES, ClauseName, DeleteFile
from ..iceberg.metadata import Snapshot
from .facts import Block, DeleteGroup, Deletes, Partition
from .findings import findings
from .reach import Reach, group_key, groups_of, live_delete, order
from .stored import Stored, lost_data, notes

__all__ = ["from_counts"]

_SHOWN = 1_000  # deletes that are told one by one where they are counted
_GROUPS = 100
_Tally = Counter[ClauseName | bool | None]
"""Pairs by whether the delete applies; those in which it does not by the clause that decides."""


class Counts(Protocol):
    """What was counted in Spark: `queries.deletes.counts.DeleteCounts`."""

    @property
    def data_files(self) -> int: ...
    @property
    def by_spec(self) -> Mapping[int, int]: ...
    @property
    def partitions(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def partition_count(self) -> int: ...
    @property
    def histogram(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def named(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def met(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def apart(self) -> Sequence[Mapping[str, Any]] | None: ...


def from_counts(snapshot: Snapshot, stored: Stored, deletes: Sequence[DeleteFile], counts: Counts) -> Deletes:
    """What deletes reach where pairs were counted.

    Args:
        snapshot: that was asked about.
        stored: what was read of it.
        deletes: of `live_deletes`; the ids of `counts` are places in it.
        counts: of Spark.
    """
    reaches = _reaches(deletes, counts)
    lost = lost_data(stored)
    live = [live_delete(d, r, counts.data_files, lost) for d, r in zip(deletes, reaches, strict=True)]
    partitions = tuple(
        Partition(p["spec_id"], p["partition"], p["files"], p["rows"], p["oldest"], p["newest"])
        for p in sorted(counts.partitions, key=lambda p: (p["spec_id"], p["partition"]))
    )
    groups = groups_of(deletes)
    shown = sorted(sorted(groups, key=lambda g: -g.deletes)[:_GROUPS], key=groups.index)
    told = sorted(live, key=lambda d: d.state == "reaches")[:_SHOWN]
    return Deletes(
        snapshot=snapshot,
        deletes=tuple(sorted(told, key=lambda d: order(d.file))),
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


def _reaches(deletes: Sequence[DeleteFile], counts: Counts) -> list[Reach]:
    """Of each delete."""
    named, met = {row["id"]: row for row in counts.named}, {row["id"]: row for row in counts.met}
    apart: Counter[int] = Counter()
    for row in counts.apart or ():
        apart[row["id"]] += row["files"]
    found = []
    for i, delete in enumerate(deletes):
        if delete.scope == "one file":
            found.append(_of_named(delete, named.get(i), counts.data_files))
        else:
            found.append(_of_met(delete, met.get(i), apart[i], counts))
    return found


def _of_named(delete: DeleteFile, row: Mapping[str, Any] | None, files: int) -> Reach:
    if delete.data_file is None:
        return Reach(0, {}, files, _CORRUPT["path"], None)
    if row is None:
        return Reach(0, _without_zeros({"path": files}), 0, "", None)
    own = {row["decided_by"]: 1} if row["applies"] is False else {}
    ruled_out = _without_zeros({"path": files - 1} | own)
    broken = row["applies"] is None and row["decided_by"] != "sequence"
    older = delete.kind == "deletion vector" and row["applies"] is False
    corrupt = _CORRUPT[row["decided_by"]] if broken or older else ""
    return Reach(int(row["applies"] is True), ruled_out, int(row["applies"] is None), corrupt, row["number"])


def _of_met(delete: DeleteFile, row: Mapping[str, Any] | None, apart: int, counts: Counts) -> Reach:
    everywhere = delete.scope == "every file"
    of_spec = counts.data_files if everywhere else counts.by_spec.get(delete.spec_id, 0)
    met, unknown, reached = (row["met"], row["unknown"], row["reached"]) if row else (0, 0, 0)
    vectored = row["vectored"] if row else 0
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
    return Reach(reached, _without_zeros(ruled_out), unknown, corrupt, row["oldest"] if row else None)


def _without_zeros(found: Mapping[Any, int]) -> dict[ClauseName, int]:
    return {name: found[name] for name in CLAUSES if found.get(name)}


def _blocks(
    deletes: Sequence[DeleteFile], counts: Counts, groups: Sequence[DeleteGroup], partitions: Sequence[Partition]
) -> tuple[Block, ...]:
    """From the data files of each partition counted by sequence number."""
    group_at = {(g.kind, g.scope, g.spec_id, g.partition): i for i, g in enumerate(groups)}
    of_delete = [group_at.get(group_key(delete)) for delete in deletes]
    partition_at = {(p.spec_id, p.partition): i for i, p in enumerate(partitions)}
    blocks = _met_blocks(deletes, of_delete, counts, groups, partition_at)
    for row in counts.apart or ():
        group, partition = of_delete[row["id"]], partition_at.get((row["spec_id"], row["partition"]))
        if group is not None and partition is not None:
            blocks[group, partition].update({"statistics": row["files"], True: -row["files"]})
    for row in counts.named:
        group, partition = of_delete[row["id"]], partition_at.get((row["spec_id"], row["partition"]))
        if group is not None and partition is not None:
            blocks[group, partition][row["decided_by"] if row["applies"] is False else row["applies"]] += 1
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
    counts: Counts,
    groups: Sequence[DeleteGroup],
    partition_at: Mapping[tuple[int, str], int],
) -> dict[tuple[int, int], _Tally]:
    """Of deletes that name no file: what sequence numbers and vectors decide."""
    histogram: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in counts.histogram:
        histogram[partition_at[row["spec_id"], row["partition"]]].append(row)
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


def _met(group: DeleteGroup, numbers: Sequence[int | None], histogram: Iterable[Mapping[str, Any]]) -> _Tally:
    """All pairs of a group with the files of a partition that it meets."""
    known = sorted(n for n in numbers if n is not None)
    found: _Tally = Counter()
    for row in histogram:
        if row["number"] is None:
            found[None] += len(numbers) * row["files"]
            continue
        least = row["number"] + 1 if group.kind == "equality deletes" else row["number"]
        reaching = len(known) - bisect_right(known, least - 1)
        ignored = row["vectored"] and group.kind == "position deletes"
        found["deletion vector" if ignored else True] += reaching * row["files"]
        found["sequence"] += (len(known) - reaching) * row["files"]
        found[None] += (len(numbers) - len(known)) * row["files"]
    return found
