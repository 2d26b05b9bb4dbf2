"""The manifests of a table's whole history as stored: each manifest list and each distinct manifest read once.

Neither ever changes, so what was read of one stays true: a reading step takes what is known and returns more, and
opens only what is new. What is known is a value that nobody changes, since several threads read of one table at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.unreadable import Unreadable
from ...model.sequence_timeline.stored import StoredNumbers
from ..source import Source
from . import all_entries, avro, storage
from . import manifests as stored_manifests
from .avro import Columns
from .avro_file import NotReadable

# Files of one request: their bytes are held in Python together.
_AT_ONCE = 500
# Measured with 20 columns of statistics: fastavro takes 70 µs to skip those of an entry, Iceberg's reader 10 µs in two
# tasks, which take 2 ms for a manifest though. So manifests above this are fat enough for Iceberg's reader.
FAT_IN_BYTES = 100_000
_MANY_ENTRIES, _FULL = 20_000, 500  # of all, and of one manifest: well compressed ones are fat in entries alone
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
        "is_stored": pa.bool_(),
    }
)
"""Columns of `StoredHistory.entries`: of a manifest entry, in the words of `files.manifests.entries`; `manifest` is an
index into `StoredHistory.manifests`, lower_path and upper_path are the bounds of a position delete file's paths.
snapshot_id and both numbers are as stored (null: inherited) where `is_stored`, else as a reader sees them."""
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

    def of_list(self, columns: Columns) -> list[int]:
        """The same of a list by column: only manifests that are named anew become values."""
        found = []
        for place, path in enumerate(columns["path"]):
            index = self._index.setdefault(path, len(self.rows))
            if index == len(self.rows):
                self.rows.append(ListedManifest(**{name: column[place] for name, column in columns.items()}))
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
    for batch in _batches(unread):
        contents, unreadable_files = storage.contents(source.spark, batch, source.options)
        for path in batch:
            try:
                lists[path] = (
                    unreadable_files[path].reason
                    if path in unreadable_files
                    else tuple(manifests.of_list(avro.manifest_list_columns(contents.pop(path), owners[path])))
                )
            except NotReadable as error:
                lists[path] = str(error)
    if unread or len(manifests.rows) > len(stored.manifests):
        stored = replace(stored, manifests=manifests.rows, lists=lists)
    return stored, found | {snapshot_id: lists[path] for snapshot_id, path in named.items()}


def read_entries(
    source: Source,
    stored: StoredHistory,
    wanted: Collection[int],
    whole: Collection[int],
    *,
    fat_in_bytes: int | None = None,
) -> tuple[StoredHistory, pa.Table]:
    """What is known after reading these manifests, and their entries, with the columns `ENTRIES`.

    Args:
        source: the table.
        stored: what was read before.
        wanted: indices of manifests whose ADDED and DELETED entries are asked for.
        whole: indices of manifests of which EXISTING entries are asked for too.
        fat_in_bytes: if the data manifests to read are larger on average, Iceberg's own reader scans `all_entries`.

    Cost: the bytes of these manifests, once; or one narrow scan of `all_entries`.
    """
    again = (set(whole) - stored.whole) - stored.unreadable_files.keys()
    new = (set(wanted) - stored.read - stored.unreadable_files.keys()) | again
    if new:
        stored = _read(source, stored, new, again, whole, fat_in_bytes)
    if stored.read - set(wanted):  # of another state of the table
        return stored, of_manifests(stored.entries, wanted)
    return stored, stored.entries


def _read(
    source: Source,
    stored: StoredHistory,
    new: set[int],
    again: set[int],
    whole: Collection[int],
    fat_in_bytes: int | None,
) -> StoredHistory:
    frames = [without(stored.entries, again & stored.read)]  # seen before for its changes alone
    scanned = _scanned(source, stored, new, set(whole), fat_in_bytes)
    left = new
    if scanned is not None:
        frames.append(scanned[0])
        left = new - scanned[1]
    unreadable = dict(stored.unreadable_files)
    frames += _decoded(source, stored.manifests, sorted(left), set(whole), unreadable)
    entries = pa.concat_tables(frames)
    frames.clear()
    return replace(
        stored,
        entries=entries,
        read=stored.read | (new - unreadable.keys()),
        whole=stored.whole | (again - unreadable.keys()),
        unreadable_files=unreadable,
    ).in_one_piece()


def _scanned(
    source: Source,
    stored: StoredHistory,
    new: set[int],
    whole: set[int],
    fat_in_bytes: int | None,
) -> tuple[pa.Table, set[int]] | None:
    """Entries of data manifests by Iceberg's reader, and which manifests those are; None where it is not the faster."""
    data = {i: stored.manifests[i] for i in new if stored.manifests[i].content == 0}
    size, all_of_it = (stored_manifests.size_together(m) for m in (data.values(), stored.manifests))
    entries = sum(m.entry_count for m in data.values())
    if fat_in_bytes is None:
        is_fat = size >= max(stored_manifests.SMALL_IN_BYTES, FAT_IN_BYTES * len(data))
        is_fat |= entries >= max(_MANY_ENTRIES, _FULL * len(data))
    else:
        is_fat = size >= fat_in_bytes * len(data)
    if not data or not is_fat or size < all_of_it // 4:
        return None
    existing = not whole.isdisjoint(data)
    found = all_entries.data_entries(source, data, without=None if existing else _EXISTING)
    if found is None:
        return None
    done = all_entries.complete(found, data, existing=existing)
    keep = pc.is_in(found["manifest"], pa.array(sorted(done), pa.int32()))
    if existing:
        asked = pc.is_in(found["manifest"], pa.array(sorted(whole), pa.int32()))
        keep = pc.and_(keep, pc.or_(asked, pc.not_equal(found["status"], _EXISTING)))
    found = found.filter(keep)
    columns = {
        f.name: found[f.name].cast(f.type) if f.name in found.column_names else pa.nulls(len(found), f.type)
        for f in ENTRIES
    }
    columns["is_stored"] = pa.repeat(pa.scalar(False), len(found))
    return pa.table(columns, schema=ENTRIES), done


def _decoded(
    source: Source,
    manifests: Sequence[ListedManifest],
    new: Sequence[int],
    whole: Collection[int],
    unreadable: dict[int, Unreadable],
) -> Iterator[pa.Table]:
    """Entries as stored; manifests that cannot be read are added to `unreadable`."""
    for batch in _batches(new):
        paths = {manifests[i].path: i for i in batch}
        contents, unreadable_files = storage.contents(source.spark, list(paths), source.options)
        columns: Columns = {name: [] for name in ENTRIES.names}
        for path, index in paths.items():
            if path in unreadable_files:
                unreadable[index] = unreadable_files[path]
                continue
            try:
                found = _entries(source, contents.pop(path), manifests[index], index, index in whole)
            except NotReadable as error:
                unreadable[index] = Unreadable(path, "damaged", str(error))
                continue
            for name, values in columns.items():
                values += found[name]
        yield pa.table(columns, schema=ENTRIES)


def _entries(source: Source, content: bytes, manifest: ListedManifest, index: int, whole: bool) -> Columns:
    deletes = manifest.content == 1
    found = avro.entry_columns(content, manifest, source.specs, statistics=deletes, changes_only=not whole)
    count = len(found["status"])
    found |= {name: found[own] for name, own in _STORED.items()}
    for name, bounds in (("lower_path", "lower_bounds"), ("upper_path", "upper_bounds")):
        found[name] = [(stored or {}).get(_PATH) for stored in found[bounds]] if deletes else [None] * count
    return found | {"manifest": [index] * count, "is_stored": [True] * count}


def stored_numbers(
    source: Source, stored: StoredHistory, manifests: Collection[int]
) -> dict[tuple[int, str], StoredNumbers]:
    """What entries of data files store, by manifest and path.

    Cost: the bytes of these manifests. Of one that cannot be read there is nothing.
    """
    frames = _decoded(source, stored.manifests, sorted(manifests), set(manifests), {})
    entries = pa.concat_tables([ENTRIES.empty_table(), *frames])
    keys = zip(entries["manifest"].to_pylist(), entries["file_path"].to_pylist(), strict=True)
    numbers = (entries[name].to_pylist() for name in ("status", "sequence_number", "file_sequence_number"))
    return dict(zip(keys, map(StoredNumbers, *numbers), strict=True))


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    left = iter(items)
    while batch := list(islice(left, _AT_ONCE)):
        yield batch
