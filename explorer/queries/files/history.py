"""The manifests of a table's whole history as stored: each manifest list and each distinct manifest read once.

Neither ever changes, so what was read of one stays true: a reading step takes what is known and returns more, and
opens only what is new. What is known is a value that nobody changes, since several threads read of one table at once.
Few files are read in this process, which costs no job; of many each Spark task reads some, and sends what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import pyarrow as pa

from ...engine import free_memory
from ...errors import TooLittleMemory
from ...model import formats
from ...model.iceberg.inheritance import ListedManifest
from ..pieces import pieces
from ..source import Source
from . import history_tasks, storage
from . import manifests as stored_manifests
from .stored_history import Manifests, StoredHistory, of_manifests, read_of_lists, read_of_manifests

# Of one request, whose bytes are held in Python together.
_FILES_AT_ONCE, _BYTES_AT_ONCE = 500, 32_000_000
# Measured on one core: a manifest takes 0.4 ms, each of its entries 7 µs more, and a list 0.15 ms; a job of tasks takes
# a second more than what its tasks do, and three more to start their Python.
_MOST_HERE, _ENTRIES_OF_A_MANIFEST, _LISTS_OF_A_MANIFEST = 5_000, 50, 3  # manifests, or what takes as long
_BYTES_OF_AN_ENTRY = 300  # in memory; measured with short paths, so it takes no less
_LENGTH_OF_AN_ENTRY = 100  # in a manifest, bytes, compressed
T = TypeVar("T")


def read_lists(source: Source, stored: StoredHistory) -> tuple[StoredHistory, dict[int, tuple[int, ...] | str]]:
    """What is known after reading the manifest lists of a table, and the manifests of each listed snapshot.

    Args:
        source: the table.
        stored: what was read before.

    Returns:
        What was read before and now; and by snapshot id indices into its `manifests`, or why none is known.

    Cost: the bytes of the lists not read before. Many are read by the tasks of one Spark job; few here, with a job for
    each 500 of them that this process cannot open itself.
    """
    named, others = stored_manifests.lists_of(source.document)
    manifests = Manifests(stored.manifests)
    found = {i: rows if isinstance(rows, str) else tuple(manifests.indices(rows)) for i, rows in others.items()}
    owners = {path: snapshot_id for snapshot_id, path in named.items()}
    unread = [path for path in dict.fromkeys(named.values()) if isinstance(stored.lists.get(path, ""), str)]
    if len(manifests.rows) > len(stored.manifests):
        stored = replace(stored, manifests=manifests.rows)
    if _is_for_tasks(source, unread, len(unread) // _LISTS_OF_A_MANIFEST):
        stored = history_tasks.read_lists(source, stored, {path: owners[path] for path in unread})
    else:
        parts = []
        for batch in batches(unread):
            contents, missing = storage.contents(source.spark, batch, source.options)
            found_here = ((p, owners[p], missing[p].reason if p in missing else contents.pop(p)) for p in batch)
            parts.append(read_of_lists(found_here))
        stored = stored.with_all_of(*parts)
    return stored, found | {snapshot_id: stored.lists[path] for snapshot_id, path in named.items()}


def read_entries(
    source: Source, stored: StoredHistory, wanted: Collection[int], whole: Collection[int]
) -> tuple[StoredHistory, pa.Table]:
    """What is known after reading these manifests, and their entries, with the columns `ENTRIES`.

    Args:
        source: the table; what small manifests of data files hold is kept with statistics, if it keeps what is decoded.
        stored: what was read before.
        wanted: indices of manifests whose ADDED and DELETED entries are asked for.
        whole: indices of manifests of which EXISTING entries are asked for too.

    Raises:
        TooLittleMemory: what they hold is more than this process has memory for.

    Cost: the bytes of these manifests, once.
    """
    again = (set(whole) - stored.whole) - stored.unreadable_files.keys()
    new = (set(wanted) - stored.read - stored.unreadable_files.keys()) | again
    if new:
        _refuse_too_many(sum(_kept(stored.manifests[i], whole=i in whole) for i in new))
        stored = _read(source, stored, [stored.manifests[i] for i in sorted(new)], whole).in_one_piece()
        pa.default_memory_pool().release_unused()  # the pieces, which take as much as the whole
    if stored.read - set(wanted):  # of another state of the table
        return stored, of_manifests(stored.entries, wanted)
    return stored, stored.entries


def _kept(manifest: ListedManifest, *, whole: bool) -> int:
    """How many entries are kept of a manifest; where the list does not count them, about as many as its bytes hold."""
    counts = [manifest.added_files_count, manifest.deleted_files_count, manifest.existing_files_count if whole else 0]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else (manifest.length or 0) // _LENGTH_OF_AN_ENTRY


def _refuse_too_many(entries: int) -> None:
    """Refuse what would end the process, and with it all that the person has in it."""
    needed, free = entries * _BYTES_OF_AN_ENTRY, free_memory()
    if free is not None and needed > free:
        raise TooLittleMemory(
            "The history of this table does not fit into the memory of this process.",
            found=f"Its manifests tell of {entries:,} files that came or went, for which it takes about"
            f" {formats.size(needed)}; {formats.size(free)} are free.",
            next_step="Ask where more memory is free. What is asked of one snapshot or commit takes less, and answers"
            " as it is: commit, entries, deletes, and the snapshot graph.",
            needed=needed,
            free=free,
        )


def _read(
    source: Source, stored: StoredHistory, new: Sequence[ListedManifest], whole: Collection[int]
) -> StoredHistory:
    paths = {stored.manifests[i].path for i in whole}
    weight = len(new) + sum(manifest.entry_count for manifest in new) // _ENTRIES_OF_A_MANIFEST
    if _is_for_tasks(source, [manifest.path for manifest in new], weight):
        return history_tasks.read_manifests(source, stored, new, paths)
    keep = None
    if source.decoded is not None and stored_manifests.size_together(new) <= stored_manifests.SMALL_IN_BYTES:
        keep = source.decoded.add
    parts = []
    for batch in batches(new, lambda manifest: manifest.length or 0):
        contents, missing = storage.contents(source.spark, [manifest.path for manifest in batch], source.options)
        found = ((m, missing[m.path] if m.path in missing else contents.pop(m.path)) for m in batch)
        parts.append(read_of_manifests(found, source.specs, paths, keep))
    return stored.with_all_of(*parts)


def _is_for_tasks(source: Source, paths: Sequence[str], weight: int) -> bool:
    """Whether so many files are read faster in tasks: what this process cannot open itself passes through Spark.

    What only the catalog can read passes through this process: then in pieces of bounded number and bytes.
    """
    if weight <= _FILES_AT_ONCE:
        return False
    if storage.here(source.spark, paths, source.options) is not None:
        return weight > _MOST_HERE
    if storage.beside_tasks(source.spark, paths[:1], source.options) is not None:
        return True
    return not storage.is_for_catalog(source.spark, paths[0], source.options)


def batches(items: Iterable[T], size: Callable[[T], int] = lambda _: 0) -> Iterator[list[T]]:
    """Files of one request, by their bytes."""
    return pieces(items, number=_FILES_AT_ONCE, size=size, in_bytes=_BYTES_AT_ONCE)
