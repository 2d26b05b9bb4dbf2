"""What each delete reaches, from counts: for snapshots whose pairs are too many to be told one by one.

The counts are those of `tally`; here they become the values that a picture is drawn from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..iceberg.delete_scope import CLAUSES, ClauseName, DeleteFile
from ..iceberg.metadata import Snapshot
from ..iceberg.reach_columns import Met
from .by_partition import by_partition, place_of
from .counted import CountedApart, CountedNamed, DeleteCounts
from .facts import Deletes
from .findings import findings
from .reach import Reach, live_delete, order
from .stored import lacks_data_files, lacks_deletes, notes
from .stored_deletes import StoredDeletes

__all__ = ["from_counts"]

_NOTHING, _NOT_APART = Met(0, None, 0, 0, 0, 0), CountedApart(0, 0)
_SHOWN = 1_000  # deletes that are told one by one where they are counted


def from_counts(
    snapshot: Snapshot, stored: StoredDeletes, deletes: Sequence[DeleteFile], counts: DeleteCounts
) -> Deletes:
    """What deletes reach where pairs were counted.

    Args:
        snapshot: that was asked about.
        stored: what was read of it.
        deletes: of `live_deletes`; the ids of `counts` are places in it.
        counts: of `tally`.
    """
    reaches = _reaches(deletes, counts)
    lacks_data = lacks_data_files(stored)
    live = [live_delete(d, r, counts.data_files, lacks_data) for d, r in zip(deletes, reaches, strict=True)]
    with_data = {(p.spec_id, p.partition) for p in counts.partitions}
    without_data = {place_of(delete) for delete in deletes} - with_data
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
        by_partition=by_partition(live, counts.partitions, counts.numbers),
        partition_count=counts.partition_count + len(without_data),
        unknown_pairs=sum(r.unknown for r in reaches),
        apart_pairs=sum(r.ruled_out.get("statistics", 0) for r in reaches),
        lacks_data_files=lacks_data,
        lacks_deletes=lacks_deletes(stored),
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
    return [
        _of_named(delete, counts.named.get(i), counts.data_files)
        if delete.scope == "one file"
        else _of_met(delete, counts.met.get(i, _NOTHING), (counts.apart or {}).get(i, _NOT_APART), counts)
        for i, delete in enumerate(deletes)
    ]


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


def _of_met(delete: DeleteFile, counted: Met, apart: CountedApart, counts: DeleteCounts) -> Reach:
    everywhere = delete.scope == "every file"
    of_spec = counts.data_files if everywhere else counts.by_spec.get(delete.spec_id, 0)
    ruled_out = {
        "spec": counts.data_files - of_spec,
        "partition": of_spec - counted.met,
        "sequence": counted.met - counted.unknown - counted.reached - counted.vectored - counted.refused,
        "deletion vector": counted.vectored,
        "statistics": apart.files + apart.unknown,
    }
    reached = counted.reached - apart.files
    unknown = counted.unknown - apart.unknown + counted.refused
    corrupt = _CORRUPT["deletion vector"] if counted.refused else ""
    if delete.lost_keys and reached:
        corrupt, reached, unknown = _CORRUPT["statistics"], 0, unknown + reached
    return Reach(reached, _without_zeros(ruled_out), unknown, corrupt, counted.oldest)


def _without_zeros(found: Mapping[Any, int]) -> dict[ClauseName, int]:
    return {name: found[name] for name in CLAUSES if found.get(name)}
