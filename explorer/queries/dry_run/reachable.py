"""The files that some snapshots of a table have and others have not, from their manifests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.dry_run.expire import Reachable
from ...model.dry_run.facts import Sum
from ...model.iceberg.inheritance import ListedManifest, StoredEntry, kind_of
from ...model.iceberg.unreadable import Unreadable
from ..files import manifests as stored_manifests
from ..files.commits import manifest_lists
from ..files.live_files import live_entries, live_rows
from ..source import Source

MOST_FILES = 100_000
"""Files that are listed one by one; more are counted."""


def only_of(
    source: Source,
    gone: Collection[int],
    kept: Collection[int],
    *,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
    most: int = MOST_FILES,
) -> Reachable:
    """What the snapshots `gone` have and none of `kept` has.

    Cost: the manifest list of each of them, and every manifest of those in `gone` or `kept`, once; nothing if `gone` is
    empty.
    """
    if not gone:
        return Reachable((), (), {}, {}, {})
    manifests_gone, lists_gone, unreadable = _listed(source, gone)
    manifests_kept, lists_kept, unreadable_kept = _listed(source, kept)
    unreadable |= unreadable_kept
    alone = [m for path, m in manifests_gone.items() if path not in manifests_kept]
    both = [*manifests_kept.values()]
    entries, unlisted, faults = _entries(source, alone, both, small_in_bytes=small_in_bytes, most=most)
    return Reachable(
        entries,
        alone,
        {path: i for path, i in lists_gone.items() if path not in lists_kept},
        dict(_statistics(source, gone)),
        unreadable | {fault.path: fault.reason for fault in faults},
        unlisted,
    )


def specs_of(source: Source, snapshot_ids: Collection[int]) -> frozenset[int]:
    """Ids of the specs of which these snapshots list manifests. Cost: their manifest lists."""
    manifests, _, _ = _listed(source, snapshot_ids)
    return frozenset(m.partition_spec_id for m in manifests.values() if m.partition_spec_id is not None)


def _listed(
    source: Source, snapshot_ids: Collection[int]
) -> tuple[dict[str, ListedManifest], dict[str, int], dict[str, str]]:
    """Manifests by location, manifest lists by location with their snapshot, and what cannot be read."""
    located, _ = stored_manifests.lists_of(source.document)
    manifests: dict[str, ListedManifest] = {}
    unreadable: dict[str, str] = {}
    for snapshot_id, listed in manifest_lists(source, snapshot_ids).items():
        if isinstance(listed, str):
            unreadable[located.get(snapshot_id, f"snapshot {snapshot_id}")] = listed
        else:
            manifests |= {m.path: m for m in listed}
    return manifests, {path: i for i, path in located.items() if i in set(snapshot_ids)}, unreadable


def _entries(
    source: Source,
    alone: Sequence[ListedManifest],
    both: Sequence[ListedManifest],
    *,
    small_in_bytes: int,
    most: int,
) -> tuple[tuple[StoredEntry, ...], tuple[Sum, ...], tuple[Unreadable, ...]]:
    """Files that are live in `alone` and not in `both`, each once; told by the path, as files are deleted."""
    if stored_manifests.size_together([*alone, *both]) <= small_in_bytes:
        mine, theirs = (stored_manifests.entries_here(source, manifests) for manifests in (alone, both))
        kept = {entry.file_path for entry in live_entries(theirs.entries)}
        found = {(e.file_path, e.content_offset): e for e in live_entries(mine.entries) if e.file_path not in kept}
        listed, rest = _cut(found.values(), most)
        return listed, rest, (*mine.unreadable_files, *theirs.unreadable_files)
    frames = [stored_manifests.entries(source, alone), stored_manifests.entries(source, both)]
    faults = tuple(fault for frame in frames for fault in stored_manifests.unreadable_files(frame))
    live = list(map(live_rows, frames))
    gone = live[0].dropDuplicates(["file_path", "content_offset"])
    gone = gone.join(live[1].select("file_path"), "file_path", "left_anti").localCheckpoint()
    entries = stored_manifests.stored_entries(gone.limit(most).collect())
    if len(entries) < most:
        return entries, (), faults
    counted = gone.groupBy("content", "file_format").agg(
        F.expr("count(*) AS files"),
        F.expr("sum(coalesce(content_size_in_bytes, file_size_in_bytes)) AS bytes"),
        F.expr("sum(record_count) AS records"),
    )
    every = [Sum("removed", kind_of(r.content, r.file_format), r.files, r.bytes, r.records) for r in counted.collect()]
    return entries, tuple(_less(every, entries)), faults


def _cut(entries: Iterable[StoredEntry], most: int) -> tuple[tuple[StoredEntry, ...], tuple[Sum, ...]]:
    left = iter(entries)
    listed = tuple(islice(left, most))
    return listed, tuple(_sums(left))


def _sums(entries: Iterable[StoredEntry]) -> Iterator[Sum]:
    found: dict[str, list[int]] = {}
    for e in entries:
        tally = found.setdefault(e.kind, [0, 0, 0])
        size = e.file_size_in_bytes if e.content_size_in_bytes is None else e.content_size_in_bytes
        for i, n in enumerate((1, size, e.record_count)):
            tally[i] += n
    return (Sum("removed", kind, *tally) for kind, tally in found.items())  # type: ignore[arg-type]


def _less(every: Iterable[Sum], listed: Iterable[StoredEntry]) -> Iterator[Sum]:
    known = {s.kind: s for s in _sums(listed)}
    for s in every:
        of = known.get(s.kind, Sum(s.what, s.kind, 0, 0, 0))
        if s.count > of.count:
            yield Sum(
                s.what,
                s.kind,
                s.count - of.count,
                s.size_in_bytes - of.size_in_bytes,
                s.record_count - of.record_count,
            )


def _statistics(source: Source, gone: Collection[int]) -> Iterator[tuple[str, int | None]]:
    """Statistics files of these snapshots that none of the others names."""
    document: Mapping[str, object] = source.document
    every = [*(document.get("statistics") or ()), *(document.get("partition-statistics") or ())]  # type: ignore[misc]
    kept = {item["statistics-path"] for item in every if item["snapshot-id"] not in gone}
    for item in every:
        if item["snapshot-id"] in gone and item["statistics-path"] not in kept:
            yield item["statistics-path"], item.get("file-size-in-bytes")
