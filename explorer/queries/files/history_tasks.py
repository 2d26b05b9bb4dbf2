"""Many manifest lists or manifests of a history, each read by a Spark task."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.unreadable import Unreadable
from ..source import Source
from . import storage, stored_history
from .list_rows import as_row
from .manifests import size_together
from .sent_tables import by_value, sent
from .stored_history import TABLES, StoredHistory, read_of_lists, read_of_manifests
from .task_files import Opened


def read_lists(source: Source, stored: StoredHistory, owners: Mapping[str, int]) -> StoredHistory:
    """What is known after reading manifest lists in tasks.

    Args:
        source: the table.
        stored: what was read before.
        owners: the lists to read, each with the snapshot whose list it is.

    Cost: one Spark job; the bytes of the lists.
    """
    snapshot_of = dict(owners)

    def read(files: Iterable[Opened]) -> StoredHistory:
        return read_of_lists(
            (path, snapshot_of[path], content.reason if isinstance(content, Unreadable) else content)
            for path, content in files
        )

    place = {path: n for n, path in enumerate(owners)}  # whichever task was done first
    parts = _parts(source, list(owners), 0, read)
    return stored.with_all_of(*sorted(parts, key=lambda part: place[next(iter(part.lists))]))


def read_manifests(
    source: Source, stored: StoredHistory, manifests: Sequence[ListedManifest], whole: Collection[str]
) -> StoredHistory:
    """What is known after reading manifests in tasks.

    Args:
        source: the table.
        stored: what was read before.
        manifests: those to read.
        whole: paths of those of which EXISTING entries are asked for too.

    Cost: of `sent_tables.sent`.
    """
    rows = {manifest.path: as_row(manifest) for manifest in manifests}  # Spark 3.5 loses values with slots
    specs = {spec_id: [dict(field) for field in spec] for spec_id, spec in source.specs.items()}
    asked = frozenset(whole)

    def read(files: Iterable[Opened]) -> StoredHistory:
        return read_of_manifests(((ListedManifest(*rows[path]), content) for path, content in files), specs, asked)

    place = {path: n for n, path in enumerate(rows)}  # whichever task was done first
    parts = _parts(source, list(rows), size_together(manifests), read)
    return stored.with_all_of(*sorted(parts, key=lambda part: place[part.manifests[0].path]))


def _parts(
    source: Source, paths: Sequence[str], size: int, read: Callable[[Iterable[Opened]], StoredHistory]
) -> Iterator[StoredHistory]:
    """What tasks read of these files, which have so many bytes together."""
    by_value(__name__, stored_history.__name__)
    told: set[str] = set()
    for tables in sent(source, paths, size, list(TABLES), lambda files: read(files).tables()):
        part = StoredHistory.of_tables(tables)
        told.update(part.lists, (manifest.path for manifest in part.manifests))
        yield part
    # What no task told of is not asked for beforehand: that would be a request for each of all the files.
    if untold := [path for path in paths if path not in told]:
        found, unreadable_files = storage.again(source.spark, untold, source.options)
        yield read((found | unreadable_files).items())
