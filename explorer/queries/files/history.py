"""The manifests of a table's whole history as stored: each manifest list and each distinct manifest read once.

Neither ever changes, so what was read of one stays true: a reading step takes what is known and returns more, and
opens only what is new. What is known is a value that nobody changes, since several threads read of one table at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...model.arrays import Longs
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.unreadable import Unreadable
from ..source import Source
from . import avro, storage
from . import manifests as stored_manifests
from .avro import ManifestList
from .avro_file import NotReadable

# Of one request, whose bytes are held in Python together.
_FILES_AT_ONCE, _BYTES_AT_ONCE = 500, 32_000_000
_PATH = 2147483546  # id of the reserved field `file_path` of position delete files
T = TypeVar("T")

_EXISTING = 0  # status of an entry
ENTRIES = pa.schema(
    {
        "manifest": pa.int32(),
        "status": pa.int8(),
        "snapshot_id": pa.int64(),
        "sequence_number": pa.int64(),
        "file_sequence_number": pa.int64(),
        "content": pa.int8(),
        "file_path": pa.string(),
        "file_format": pa.string(),
        "spec_id": pa.int32(),
        "partition": pa.string(),
        "record_count": pa.int64(),
        "file_size_in_bytes": pa.int64(),
        "equality_ids": pa.list_(pa.int32()),
        "referenced_data_file": pa.string(),
        "content_offset": pa.int64(),
        "content_size_in_bytes": pa.int64(),
        "lower_path": pa.binary(),
        "upper_path": pa.binary(),
    }
)
"""Columns of `StoredHistory.entries`: of a manifest entry, in the words of `files.manifests.entries`; `manifest` is an
index into `StoredHistory.manifests`, lower_path and upper_path are the bounds of a position delete file's paths.
snapshot_id and both numbers are as stored: null where they are inherited."""
_STORED = {name: f"stored_{name}" for name in ("snapshot_id", "sequence_number", "file_sequence_number")}


@dataclass(frozen=True, eq=False)
class StoredHistory:
    """What was read of one table: a value. Who reads more makes another, and neither it nor what it holds is changed.

    Indices of manifests mean something in one history alone: two that grew from one number new manifests each in its
    own way. Its path is what tells a manifest apart.

    Attributes:
        manifests: rows of the manifest lists, one per distinct manifest.
        lists: by location of a manifest list, the indices of its manifests in its order; or why it cannot be read.
        entries: of the manifests asked for, with the columns `ENTRIES`; EXISTING ones only of manifests in `whole`.
        read: indices of manifests whose changes are in `entries`; `whole`: those of which every entry is.
        unreadable_files: by index, manifests that could not be read.
    """

    manifests: Sequence[ListedManifest] = ()
    lists: Mapping[str, tuple[int, ...] | str] = field(default_factory=dict)
    entries: pa.Table = field(default_factory=ENTRIES.empty_table)
    read: frozenset[int] = frozenset()
    whole: frozenset[int] = frozenset()
    unreadable_files: Mapping[int, Unreadable] = field(default_factory=dict)

    def with_all_of(self, other: StoredHistory) -> StoredHistory:
        """With what another history of the same table knows and this one does not; indices of this one stay."""
        if not self.manifests and not self.lists:
            return other
        listed = _Manifests(self.manifests)
        index = listed.indices(other.manifests)
        known = {path for path, found in self.lists.items() if not isinstance(found, str)}
        lists = {
            path: found if isinstance(found, str) else tuple([index[i] for i in found])
            for path, found in other.lists.items()
            if path not in known
        }
        whole = {index[i] for i in other.whole} - self.whole
        new = {index[i] for i in other.read} - self.read | whole
        own = np.array(index, np.int64)[np.asarray(other.entries["manifest"], np.int64)]
        entries = other.entries.set_column(0, ENTRIES.field("manifest"), pa.array(own, pa.int32()))
        unreadable = {index[i]: why for i, why in other.unreadable_files.items()} | dict(self.unreadable_files)
        read = self.read | new
        return StoredHistory(
            listed.rows,
            dict(self.lists) | lists,
            pa.concat_tables([without(self.entries, whole & self.read), of_manifests(entries, new)]),
            read,
            self.whole | whole,
            {i: why for i, why in unreadable.items() if i not in read},
        )

    def in_one_piece(self) -> StoredHistory:
        """The same, with the memory of what its entries were put together from given back."""
        compact = replace(self, entries=self.entries.combine_chunks())
        pa.default_memory_pool().release_unused()
        return compact


class _Manifests:
    """Rows of manifest lists, those of a history first; they grow by the manifests that are named anew."""

    def __init__(self, known: Sequence[ListedManifest]) -> None:
        self.rows = list(known)
        self._index = {row.path: index for index, row in enumerate(known)}

    def indices(self, rows: Iterable[ListedManifest]) -> list[int]:
        found = []
        for row in rows:
            index = self._index.setdefault(row.path, len(self.rows))
            if index == len(self.rows):
                self.rows.append(row)
            found.append(index)
        return found

    def of_list(self, stored: ManifestList) -> list[int]:
        """The same of a list: only manifests that are named anew become values."""
        found = []
        for place, path in enumerate(stored.paths):
            index = self._index.setdefault(path, len(self.rows))
            if index == len(self.rows):
                self.rows.append(stored.row(place))
            found.append(index)
        return found


def of_manifests(entries: pa.Table, indices: Collection[int]) -> pa.Table:
    """Those of `StoredHistory.entries` that these manifests hold."""
    return entries.filter(pc.is_in(entries["manifest"], pa.array(sorted(indices), pa.int32())))


def without(entries: pa.Table, indices: Collection[int]) -> pa.Table:
    """Those of `StoredHistory.entries` that other manifests hold."""
    if not indices:
        return entries
    return entries.filter(pc.invert(pc.is_in(entries["manifest"], pa.array(sorted(indices), pa.int32()))))


def read_lists(source: Source, stored: StoredHistory) -> tuple[StoredHistory, dict[int, tuple[int, ...] | str]]:
    """What is known after reading the manifest lists of a table, and the manifests of each listed snapshot.

    Args:
        source: the table.
        stored: what was read before.

    Returns:
        What was read before and now; and by snapshot id indices into its `manifests`, or why none is known.

    Cost: one Spark job for each 500 lists not read before (none for files that this process can open itself).
    """
    found: dict[int, tuple[int, ...] | str] = {}
    named: dict[int, str] = {}
    manifests, lists = _Manifests(stored.manifests), dict(stored.lists)
    for item in source.document.get("snapshots") or ():
        if item.get("manifest-list"):
            named[item["snapshot-id"]] = item["manifest-list"]
        elif item.get("manifests"):
            inline = stored_manifests.inline_manifests(item["manifests"])
            found[item["snapshot-id"]] = tuple(manifests.indices(inline))
        else:
            found[item["snapshot-id"]] = "The metadata names no manifest list for it."
    owners = {path: snapshot_id for snapshot_id, path in named.items()}
    unread = [path for path in dict.fromkeys(named.values()) if isinstance(lists.get(path, ""), str)]
    for batch in _batches(unread, lambda _: 0):
        contents, unreadable_files = storage.contents(source.spark, batch, source.options)
        for path in batch:
            try:
                lists[path] = (
                    unreadable_files[path].reason
                    if path in unreadable_files
                    else tuple(manifests.of_list(ManifestList(contents.pop(path), owners[path])))
                )
            except NotReadable as error:
                lists[path] = str(error)
    if unread or len(manifests.rows) > len(stored.manifests):
        stored = replace(stored, manifests=manifests.rows, lists=lists)
    return stored, found | {snapshot_id: lists[path] for snapshot_id, path in named.items()}


def read_entries(
    source: Source, stored: StoredHistory, wanted: Collection[int], whole: Collection[int]
) -> tuple[StoredHistory, pa.Table]:
    """What is known after reading these manifests, and their entries, with the columns `ENTRIES`.

    Args:
        source: the table.
        stored: what was read before.
        wanted: indices of manifests whose ADDED and DELETED entries are asked for.
        whole: indices of manifests of which EXISTING entries are asked for too.

    Cost: the bytes of these manifests, once.
    """
    again = (set(whole) - stored.whole) - stored.unreadable_files.keys()
    new = (set(wanted) - stored.read - stored.unreadable_files.keys()) | again
    if new:
        frames = [without(stored.entries, again & stored.read)]  # seen before for its changes alone
        unreadable = dict(stored.unreadable_files)
        frames += _decoded(source, stored.manifests, sorted(new), whole, unreadable)
        entries = pa.concat_tables(frames)
        frames.clear()
        stored = replace(
            stored,
            entries=entries,
            read=stored.read | (new - unreadable.keys()),
            whole=stored.whole | (again - unreadable.keys()),
            unreadable_files=unreadable,
        ).in_one_piece()
    if stored.read - set(wanted):  # of another state of the table
        return stored, of_manifests(stored.entries, wanted)
    return stored, stored.entries


def _decoded(
    source: Source,
    manifests: Sequence[ListedManifest],
    new: Sequence[int],
    whole: Collection[int],
    unreadable: dict[int, Unreadable],
) -> Iterator[pa.Table]:
    """Entries as stored; manifests that cannot be read are added to `unreadable`."""
    for deletes in (False, True):  # of which alone the bounds are needed
        some = [i for i in new if (manifests[i].content == 1) == deletes]
        for batch in _batches(some, lambda i: manifests[i].length or 0):
            contents, missing = storage.contents(source.spark, [manifests[i].path for i in batch], source.options)
            unreadable |= {i: missing[manifests[i].path] for i in batch if manifests[i].path in missing}
            there = [i for i in batch if i not in unreadable]
            found = avro.decoded(
                ((manifests[i], contents.pop(manifests[i].path)) for i in there), source.specs, statistics=deletes
            )
            unreadable |= {
                there[n]: Unreadable(manifests[there[n]].path, "damaged", reason)
                for n, reason in found.unreadable.items()
            }
            yield _entries(found, np.array(there, np.int64), whole)


def _entries(found: avro.Decoded, indices: Longs, whole: Collection[int]) -> pa.Table:
    """With the columns `ENTRIES`; of manifests that are not in `whole` without EXISTING entries."""
    manifest, entries = indices[found.manifest], found.entries
    columns = {"manifest": pa.array(manifest)} | {
        name: entries[_STORED.get(name, name)]
        for name in ENTRIES.names
        if _STORED.get(name, name) in entries.column_names
    }
    for name, bounds in (("lower_path", "lower_bounds"), ("upper_path", "upper_bounds")):
        columns[name] = (
            pc.map_lookup(entries[bounds], pa.scalar(_PATH, pa.int32()), "first")
            if bounds in entries.column_names
            else pa.nulls(len(entries))
        )
    table = pa.table([columns[field.name].cast(field.type) for field in ENTRIES], schema=ENTRIES)
    asked = np.isin(manifest, np.array(sorted(whole), np.int64)) | (np.asarray(entries["status"]) != _EXISTING)
    return table if asked.all() else table.filter(pa.array(asked))


def _batches(items: Iterable[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    """Pieces of bounded number and bytes."""
    batch: list[T] = []
    held = 0
    for item in items:
        batch.append(item)
        held += size(item)
        if len(batch) >= _FILES_AT_ONCE or held >= _BYTES_AT_ONCE:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
