"""From the live deletes and data files of a snapshot to what each delete reaches: all pairs, or their counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .. import formats
from ..evidence import Note
from ..iceberg.delete_scope import CLAUSES, ClauseName, DataFile, DeleteFile, DeleteKey, Verdict, verdict
from ..iceberg.inheritance import ContentKind
from ..iceberg.metadata import Snapshot
from .by_partition import Place, by_partition, most_deletes, place_of
from .facts import Deletes, LiveDelete, LiveFile, Pair, Partition, State
from .findings import findings, is_misplaced

_KINDS: tuple[ContentKind, ...] = ("equality deletes", "position deletes", "deletion vector")


@dataclass(frozen=True, slots=True)
class Reach:
    """What one delete comes to, counted in data files.

    Attributes:
        reached, ruled_out, unknown: as of `LiveDelete`.
        corrupt: why readers refuse a data file because of this delete; empty if they do not.
        near: smallest data sequence number of the files that it is compared with; None if it is compared with none.
    """

    reached: int
    ruled_out: Mapping[ClauseName, int]
    unknown: int
    corrupt: str
    near: int | None


def every_pair(
    snapshot: Snapshot,
    data_files: Iterable[DataFile],
    deletes: Iterable[DeleteFile],
    notes: Sequence[Note] = (),
    unreadable: str = "",
    *,
    lacks_data_files: bool = False,
    lacks_deletes: bool = False,
) -> Deletes:
    """All pairs by the rule for one; for tables of a moderate number of pairs.

    Args:
        snapshot: that is asked about.
        data_files: every live one.
        deletes: every live delete file and deletion vector.
        notes: what is not known, and why.
        unreadable: why the manifest list cannot be read; then there are no files.
        lacks_data_files: whether some data files are missing, since their manifest cannot be read.
        lacks_deletes: whether some deletes are missing.
    """
    data = sorted(data_files, key=lambda f: (f.spec_id, f.partition, f.data_sequence_number.value or 0, f.file_path))
    ordered = sorted(deletes, key=order)
    vectors: dict[str, list[DeleteFile]] = defaultdict(list)
    for delete in ordered:
        if delete.kind == "deletion vector" and delete.data_file is not None:
            vectors[delete.data_file].append(delete)
    pairs = [
        Pair(delete.key, file.file_path, verdict(delete, file, vectors=vectors.get(file.file_path, ())))
        for delete in ordered
        for file in data
    ]
    of_delete: dict[DeleteKey, list[tuple[DataFile, Verdict]]] = {delete.key: [] for delete in ordered}
    applied: Counter[str] = Counter()
    by_path = {file.file_path: file for file in data}
    for pair in pairs:
        of_delete[pair.delete].append((by_path[pair.data_path], pair.verdict))
        applied[pair.data_path] += pair.verdict.applies is True
    partitions = partitions_of(data)
    live = [
        live_delete(delete, _reach(delete, of_delete[delete.key]), len(data), lacks_data_files) for delete in ordered
    ]
    return Deletes(
        snapshot=snapshot,
        deletes=tuple(live),
        delete_count=len(ordered),
        data_files=tuple(LiveFile(file, applied[file.file_path]) for file in data),
        data_file_count=len(data),
        pairs=tuple(pairs),
        pair_count=len(pairs),
        reached_pairs=applied.total(),
        states=Counter(delete.state for delete in live),
        by_partition=by_partition(live, partitions, _numbers(data, ordered)),
        partition_count=len({*map(place_of, data), *map(place_of, ordered)}),
        unknown_pairs=sum(delete.unknown for delete in live),
        apart_pairs=sum(delete.ruled_out.get("statistics", 0) for delete in live),
        lacks_data_files=lacks_data_files,
        lacks_deletes=lacks_deletes,
        findings=findings(live, len(data)),
        unreadable=unreadable,
        notes=tuple(notes),
    )


def order(delete: DeleteFile) -> tuple[int, int, str, int]:
    """Equality deletes, position deletes, vectors; each by data sequence number."""
    return (
        _KINDS.index(delete.kind),
        delete.data_sequence_number.value or 0,
        delete.file_path,
        delete.content_offset or 0,
    )


def _reach(delete: DeleteFile, found: Sequence[tuple[DataFile, Verdict]]) -> Reach:
    ruled_out: Counter[ClauseName] = Counter(v.decided_by for _, v in found if v.applies is False)
    in_scope = [
        file.data_sequence_number.value
        for file, v in found
        if all(c.holds is not False for c in v.clauses if c.name in ("live", "spec", "partition", "path"))
    ]
    known = [number for number in in_scope if number is not None]
    corrupt = next((v.reason for _, v in found if v.applies is None and v.decided_by != "sequence"), "")
    if delete.kind == "deletion vector" and ruled_out["sequence"]:
        corrupt = next(v.reason for _, v in found if v.decided_by == "sequence")
    return Reach(
        reached=sum(v.applies is True for _, v in found),
        ruled_out={name: ruled_out[name] for name in CLAUSES if ruled_out[name]},
        unknown=sum(v.applies is None for _, v in found),
        corrupt=corrupt,
        near=min(known, default=None),
    )


def live_delete(delete: DeleteFile, reach: Reach, data_files: int, lacks_data_files: bool = False) -> LiveDelete:
    """A delete with what it comes to, in words.

    Args:
        delete: the delete.
        reach: its counts.
        data_files: number of live data files.
        lacks_data_files: whether there are more, in a manifest that cannot be read.
    """
    number = delete.data_sequence_number.value
    state, reason = _state(delete, reach, data_files, lacks_data_files)
    return LiveDelete(
        file=delete,
        scope=scope_words(delete),
        threshold="unknown" if number is None else f"{delete.sign} {number:,}",
        reached=reach.reached,
        ruled_out=reach.ruled_out,
        unknown=reach.unknown,
        state=state,
        reason=reason,
    )


def scope_words(delete: DeleteFile) -> str:
    """What a delete is compared with: `every file`, `region=EU of spec 1`, `spec 0`, `one file`."""
    if delete.scope != "partition":
        return delete.scope
    return f"{delete.partition} of spec {delete.spec_id}" if delete.partition else f"spec {delete.spec_id}"


def _state(delete: DeleteFile, reach: Reach, data_files: int, lacks_data_files: bool) -> tuple[State, str]:
    if reach.corrupt:
        return "corrupt", reach.corrupt
    if reach.reached == data_files > 1 and not lacks_data_files:
        return "reaches everything", f"applies to all {formats.count(data_files, 'data file')}"
    if reach.reached:
        return "reaches", ""
    if reach.unknown:
        return "unknown", "data sequence numbers are unknown"
    if lacks_data_files:
        return "unknown", "a manifest of data files cannot be read, and may hold what it reaches"
    return "dangling", _why_dangling(delete, reach, data_files)


def _why_dangling(delete: DeleteFile, reach: Reach, data_files: int) -> str:
    where = {"every file": "", "partition": f" in {scope_words(delete)}", "one file": ""}[delete.scope]
    out = reach.ruled_out
    if not data_files:
        return "there is no live data file"
    if not any(name in out for name in ("sequence", "deletion vector", "statistics")):
        if delete.scope == "one file":
            return f"names {(delete.data_file or 'no file').rsplit('/', 1)[-1]}, which is not live"
        misplaced = (
            ", as a global delete written under a partitioned spec would be (#14678)" if is_misplaced(delete) else ""
        )
        return f"no live data file{where}{misplaced}"
    if "deletion vector" in out:
        return "each older data file that it could reach has a deletion vector"
    if "statistics" in out:
        return f"no older data file{where} can hold one of its keys, by statistics"
    number = delete.data_sequence_number.value
    if number is None or reach.near is None:
        return f"no older data file{where}"
    if delete.scope == "one file":
        return f"its file has data sequence number {reach.near:,}: {reach.near:,} {delete.sign} {number:,} is false"
    return f"the oldest data{where} is {reach.near:,}: {reach.near:,} {delete.sign} {number:,} is false"


def _numbers(data: Iterable[DataFile], deletes: Iterable[DeleteFile]) -> dict[Place, Counter[int | None]]:
    """Data files by number, where most deletes lie."""
    drawn = most_deletes(map(place_of, deletes))
    found: dict[Place, Counter[int | None]] = defaultdict(Counter)
    for file in data:
        if place_of(file) in drawn:
            found[place_of(file)][file.data_sequence_number.value] += 1
    return found


def partitions_of(data: Iterable[DataFile]) -> tuple[Partition, ...]:
    """The data files by partition."""
    found: dict[Place, list[DataFile]] = defaultdict(list)
    for file in data:
        found[file.spec_id, file.partition].append(file)
    return tuple(
        Partition(*place, len(files), sum(f.record_count for f in files), *_span(files))
        for place, files in sorted(found.items())
    )


def _span(files: Sequence[DataFile] | Sequence[DeleteFile]) -> tuple[int | None, int | None]:
    known = [f.data_sequence_number.value for f in files if f.data_sequence_number.value is not None]
    return min(known, default=None), max(known, default=None)
