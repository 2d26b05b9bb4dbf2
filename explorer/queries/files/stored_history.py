"""What was read of the manifests of a table's whole history: a value, and the tables as which it is kept and sent.

Spark tasks get this module by value, as `avro` too: what a task reads is such a value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...model.iceberg import file_paths
from ...model.iceberg.document import Specs
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.unreadable import Unreadable
from ..pieces import pieces
from .avro import ENTRY, Decoded, decoded
from .list_rows import LIST, ManifestList

_PIECE = 100_000  # entries
_LISTS_AT_ONCE = 100  # each names the same manifests as the one before: all as values they take more than what they say
_EXISTING = 0  # status of an entry
_OF_FEW = pa.dictionary(pa.int32(), pa.string())  # texts that many entries share
ENTRIES = pa.schema(
    {
        "manifest": pa.int32(),
        "status": pa.int8(),
        "snapshot_id": pa.int64(),
        "sequence_number": pa.int64(),
        "file_sequence_number": pa.int64(),
        "content": pa.int8(),
        "folder": _OF_FEW,
        "file_name": pa.string(),
        "file_format": _OF_FEW,
        "spec_id": pa.int32(),
        "partition": _OF_FEW,
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
index into `StoredHistory.manifests`; folder and file_name are the parts of its path; lower_path and upper_path are the
bounds of a position delete file's paths. snapshot_id and both numbers are as stored: null where they are inherited."""
_MANIFESTS = pa.schema(
    dict.fromkeys(LIST, pa.int64())
    | {"path": pa.string(), "is_read": pa.bool_(), "is_whole": pa.bool_()}
    | {"unreadable": pa.string(), "unreadable_reason": pa.string()}
)
_LISTS = pa.schema({"path": pa.string(), "manifests": pa.list_(pa.int32()), "reason": pa.string()})
TABLES: Mapping[str, pa.Schema] = {"manifests": _MANIFESTS, "lists": _LISTS, "entries": ENTRIES}
"""The tables that hold a history."""
Keep = Callable[[Sequence[ListedManifest], Decoded, Collection[str]], None]
"""Keeps what manifests hold, with statistics; the last are the paths of those that are damaged."""
_PATH = 2147483546  # id of the reserved field `file_path` of position delete files
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

    def with_all_of(self, *others: StoredHistory) -> StoredHistory:
        """With what others of the same table know and this one does not, the first of them first; its indices stay."""
        if not others:
            return self
        if not self.manifests and not self.lists:
            return others[0].with_all_of(*others[1:])
        listed, lists = Manifests(self.manifests), dict(self.lists)
        read, whole, unreadable = set(self.read), set(self.whole), dict(self.unreadable_files)
        entries = [self.entries]
        for other in others:
            index = listed.indices(other.manifests)
            for path, found in other.lists.items():
                if isinstance(lists.get(path, ""), str):
                    lists[path] = found if isinstance(found, str) else tuple([index[i] for i in found])
            now_whole = {index[i] for i in other.whole} - whole
            new = {index[i] for i in other.read} - read | now_whole
            if again := now_whole & read:
                entries = [without(table, again) for table in entries]
            told = _renumbered(other.entries, np.array(index, np.int64))
            entries.append(told if len(new) == len(other.read) else of_manifests(told, new))
            read |= new
            whole |= now_whole
            unreadable = {index[i]: why for i, why in other.unreadable_files.items()} | unreadable
        return StoredHistory(
            listed.rows,
            lists,
            pa.concat_tables(entries),
            frozenset(read),
            frozenset(whole),
            {i: why for i, why in unreadable.items() if i not in read},
        )

    def part(self, lists: Mapping[str, tuple[int, ...]], read: Collection[int]) -> StoredHistory:
        """These lists of it, and the entries of these manifests; with indices of its own."""
        entries = self.entries if len(read) == len(self.read) else _encoded(of_manifests(self.entries, read))
        indices = np.array(sorted(set(read).union(*lists.values())), dtype=np.int64)
        own = np.full(len(self.manifests), -1)
        own[indices] = np.arange(len(indices))
        return StoredHistory(
            [self.manifests[i] for i in indices.tolist()],
            {path: tuple(own[list(found)].tolist()) for path, found in lists.items()},
            _renumbered(entries, own),
            frozenset(own[list(read)].tolist()),
            frozenset(own[list(self.whole & frozenset(read))].tolist()),
        )

    def in_one_piece(self) -> StoredHistory:
        """The same, with the names of its files put together, and the texts that its pieces share.

        Arrow puts the pieces of a column together each time that rows are taken from it; of numbers that is little.
        """
        names = self.entries.select(["file_name"]).combine_chunks()  # in more pieces where they do not fit one
        place = ENTRIES.get_field_index("file_name")
        entries = self.entries.set_column(place, ENTRIES.field(place), names["file_name"])
        return replace(self, entries=entries.unify_dictionaries())

    def tables(self) -> dict[str, pa.Table]:
        """The same as tables, by their names in `TABLES`."""
        manifests: dict[str, list[Any]] = {name: [getattr(row, name) for row in self.manifests] for name in LIST}
        every = range(len(self.manifests))
        unreadable = [self.unreadable_files.get(i) for i in every]
        manifests |= {
            "is_read": [i in self.read for i in every],
            "is_whole": [i in self.whole for i in every],
            "unreadable": [None if why is None else why.kind for why in unreadable],
            "unreadable_reason": [None if why is None else why.reason for why in unreadable],
        }
        named = [() if isinstance(found, str) else found for found in self.lists.values()]
        reasons = [found if isinstance(found, str) else None for found in self.lists.values()]
        offsets = np.cumsum([0, *map(len, named)])
        indices = np.fromiter((i for found in named for i in found), np.int32, offsets[-1])
        lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(indices))
        return {
            "manifests": pa.table(manifests, schema=_MANIFESTS),
            "lists": pa.table([pa.array(list(self.lists), pa.string()), lists, pa.array(reasons)], schema=_LISTS),
            "entries": self.entries.unify_dictionaries(),  # which a file has once
        }

    @classmethod
    def of_tables(cls, tables: Mapping[str, pa.Table]) -> StoredHistory:
        """The history that these tables hold."""
        manifests, lists = tables["manifests"], tables["lists"]
        rows = list(map(ListedManifest, *(manifests[name].to_pylist() for name in LIST)))
        read, whole = (
            frozenset(np.flatnonzero(np.asarray(manifests[name])).tolist()) for name in ("is_read", "is_whole")
        )
        kinds, reasons = (manifests[name].to_pylist() for name in ("unreadable", "unreadable_reason"))
        ends = np.cumsum(np.asarray(pc.list_value_length(lists["manifests"]), dtype=np.int64)).tolist()
        indices = np.asarray(lists["manifests"].combine_chunks().flatten()).tolist()
        named = (tuple(indices[first:end]) for first, end in zip([0, *ends], ends, strict=False))
        return cls(
            rows,
            {
                path: found if reason is None else reason
                for path, found, reason in zip(
                    lists["path"].to_pylist(), named, lists["reason"].to_pylist(), strict=True
                )
            },
            pa.table([_without_nothing(column) for column in tables["entries"].columns], schema=ENTRIES),
            read,
            whole,
            {
                i: Unreadable(row.path, kind, reason)
                for i, (row, kind, reason) in enumerate(zip(rows, kinds, reasons, strict=True))
                if kind is not None
            },
        )


def read_of_lists(contents: Iterable[tuple[str, int | None, bytes | str]]) -> StoredHistory:
    """What manifest lists say.

    Args:
        contents: of each list its path, whose it shall be, and the whole file; or why it cannot be had.
    """
    manifests, lists = Manifests(()), dict[str, tuple[int, ...] | str]()
    for named in pieces(contents, number=_LISTS_AT_ONCE):
        there = [(content, snapshot_id) for _, snapshot_id, content in named if isinstance(content, bytes)]
        readable, known = iter(ManifestList.of_each(there)), dict[ManifestList | None, tuple[int, ...]]({None: ()})
        for path, _, content in named:
            found = content if isinstance(content, str) else next(readable)
            if isinstance(found, ManifestList):
                known[found] = manifests.of_own(found) + known[found.rest]
                lists[path] = known[found]
            else:
                lists[path] = str(found)
    return StoredHistory(manifests.rows, lists)


def read_of_manifests(
    contents: Iterable[tuple[ListedManifest, bytes | Unreadable]],
    specs: Specs,
    whole: Collection[str],
    keep: Keep | None = None,
) -> StoredHistory:
    """What manifests say.

    Args:
        contents: of each manifest its row of a list, and the whole file; or why it cannot be had.
        specs: partition fields by spec id, from the table's metadata.
        whole: paths of those of which EXISTING entries are asked for too.
        keep: for what data manifests hold.
    """
    manifests: list[ListedManifest] = []
    unreadable: dict[int, Unreadable] = {}

    def there() -> Iterator[tuple[int, ListedManifest, bytes]]:
        for manifest, content in contents:
            manifests.append(manifest)
            if isinstance(content, Unreadable):
                unreadable[len(manifests) - 1] = content
            else:
                yield len(manifests) - 1, manifest, content

    tables = [ENTRIES.empty_table()]
    readable = list(there())
    for deletes in (False, True):  # of which alone the bounds are needed here
        some = [(i, m, content) for i, m, content in readable if (m.content == 1) == deletes]
        if not some:
            continue
        own = [(m, content) for _, m, content in some]
        if keep is None or deletes:
            found = decoded(own, specs, statistics=deletes)
        else:
            found = _with_statistics(own, specs, keep)
        for n, reason in found.unreadable.items():
            index, manifest, _ = some[n]
            unreadable[index] = Unreadable(manifest.path, "damaged", reason)
        indices = np.array([i for i, _, _ in some], np.int64)
        tables.append(_entries(found, indices, [i for i, m, _ in some if m.path in whole]))
    read = frozenset(range(len(manifests))) - unreadable.keys()
    return StoredHistory(
        manifests,
        {},
        pa.concat_tables(tables),
        read,
        frozenset(i for i in read if manifests[i].path in whole),
        unreadable,
    )


def _with_statistics(contents: Sequence[tuple[ListedManifest, bytes]], specs: Specs, keep: Keep) -> Decoded:
    """Entries of manifests, whose statistics are kept: where these are damaged, the entries alone."""
    found = decoded(contents, specs, statistics=True)
    keep([manifest for manifest, _ in contents], found, {contents[n][0].path for n in found.unreadable})
    return decoded(contents, specs) if found.unreadable else replace(found, entries=found.entries.select(ENTRY.names))


def _entries(found: Decoded, indices: NDArray[np.int64], whole: Collection[int]) -> pa.Table:
    """With the columns `ENTRIES`; of manifests that are not in `whole` without EXISTING entries."""
    manifest, entries = indices[found.manifest], found.entries
    columns = {"manifest": pa.array(manifest)} | {
        name: entries[_STORED.get(name, name)]
        for name in ENTRIES.names
        if _STORED.get(name, name) in entries.column_names
    }
    columns["folder"], columns["file_name"] = file_paths.parted(entries["file_path"].combine_chunks())
    for name, bounds in (("lower_path", "lower_bounds"), ("upper_path", "upper_bounds")):
        columns[name] = (
            pc.map_lookup(entries[bounds], pa.scalar(_PATH, pa.int32()), "first")
            if bounds in entries.column_names
            else pa.nulls(len(entries))
        )
    table = pa.table([columns[field.name].cast(field.type) for field in ENTRIES], schema=ENTRIES)
    asked = np.isin(manifest, np.array(sorted(whole), np.int64)) | (np.asarray(entries["status"]) != _EXISTING)
    return table if asked.all() else table.filter(pa.array(asked))


def _without_nothing(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The same, where pieces without a value take no memory of their own: no data file has what deletes have."""
    pieces = list[pa.Array]()
    for piece in column.chunks:
        if piece.null_count < len(piece):
            pieces.append(piece)
        else:
            pieces += (_nothing(column.type).slice(0, len(piece) - at) for at in range(0, len(piece), _PIECE))
    return pa.chunked_array(pieces, column.type)


@cache
def _nothing(kind: pa.DataType) -> pa.Array:
    return pa.nulls(_PIECE, kind)


def _encoded(entries: pa.Table) -> pa.Table:
    """The same without shared texts that no entry has."""
    for place, column in enumerate(ENTRIES):
        if column.type == _OF_FEW:
            entries = entries.set_column(place, column, entries[column.name].cast(pa.string()).cast(_OF_FEW))
    return entries


def _renumbered(entries: pa.Table, indices: NDArray[np.int64]) -> pa.Table:
    """Entries whose manifests have these indices in place of 0, 1 and so on."""
    own = indices[np.asarray(entries["manifest"], np.int64)]
    return entries.set_column(0, ENTRIES.field("manifest"), pa.array(own, pa.int32()))


class Manifests:
    """Rows of manifest lists, those of a history first; they grow by the manifests that are named anew."""

    def __init__(self, known: Sequence[ListedManifest]) -> None:
        self.rows = list(known)
        self._index = {row.path: index for index, row in enumerate(known)}

    def indices(self, rows: Iterable[ListedManifest]) -> list[int]:
        """The index of each of these."""
        found = []
        for row in rows:
            index = self._index.setdefault(row.path, len(self.rows))
            if index == len(self.rows):
                self.rows.append(row)
            found.append(index)
        return found

    def of_own(self, stored: ManifestList) -> tuple[int, ...]:
        """The same of the first rows of a list: only manifests that are named anew become values."""
        for place, path in enumerate(stored.own_paths):
            if path not in self._index:
                self._index[path] = len(self.rows)
                self.rows.append(stored.own_row(place))
        return tuple(map(self._index.__getitem__, stored.own_paths))


def of_manifests(entries: pa.Table, indices: Collection[int]) -> pa.Table:
    """Those of `StoredHistory.entries` that these manifests hold."""
    return entries.filter(pc.is_in(entries["manifest"], pa.array(sorted(indices), pa.int32())))


def without(entries: pa.Table, indices: Collection[int]) -> pa.Table:
    """Those of `StoredHistory.entries` that other manifests hold."""
    if not indices:
        return entries
    return entries.filter(pc.invert(pc.is_in(entries["manifest"], pa.array(sorted(indices), pa.int32()))))
