"""What lies below a location of a table, and everything that the table names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.dry_run.orphans import Listing, StoredFile, is_hidden
from ...model.iceberg.inheritance import ListedManifest
from .. import identifiers
from ..files import manifests as stored_manifests
from ..files import storage
from ..files.commits import manifest_lists
from ..files.live_files import live_entries, live_rows
from ..rows import arrow
from ..source import Source

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def listing(source: Source, location: str) -> Listing:
    """Files below a location, and the locations that the table names.

    Cost: the location is listed, folder by folder; the manifest list of every snapshot and every manifest, once.

    Raises:
        UnreadableMetadata: the location cannot be listed.
    """
    fields = [str(field.get("name")) for spec in source.specs.values() for field in spec]
    here = storage.here(source.spark, [location], source.options)
    files = list(_on_this_disk(here[0], fields)) if here is not None else list(_by_spark(source, location))
    unreadable: dict[str, str] = {}
    return Listing(files, _named(source, unreadable), unreadable, lacks_empty=here is None)


def _on_this_disk(folder: str, fields: Sequence[str]) -> Iterator[StoredFile]:
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_hidden(name, fields)]
        for name in names:
            if not is_hidden(name, fields):
                found = Path(path, name).stat()
                at = _EPOCH + timedelta(milliseconds=found.st_mtime_ns // 1_000_000)
                yield StoredFile(f"file:{path}/{name}", found.st_size, at)


def _by_spark(source: Source, location: str) -> Iterator[StoredFile]:
    """Spark passes over hidden files as the procedure does, and over empty ones, as that does not."""
    options = {**source.options.settings, "recursiveFileLookup": "true"}
    try:
        frame = source.spark.read.format("binaryFile").options(**options).load(identifiers.glob_escaped(location))
        rows = frame.select("path", "length", F.unix_millis("modificationTime").alias("at")).collect()
    except Exception as error:
        storage.refuse([storage.explained(location, error)], f"What lies in {location} cannot be listed.")
        return
    for row in rows:
        yield StoredFile(row.path, row.length, _EPOCH + timedelta(milliseconds=row.at))


def _named(source: Source, unreadable: dict[str, str]) -> list[str]:
    """Every location that the table names; lists and manifests that cannot be read are put into `unreadable`."""
    document, metadata = source.document, source.metadata
    located, _ = stored_manifests.lists_of(document)
    manifests: dict[str, ListedManifest] = {}
    for snapshot_id, listed in manifest_lists(source, metadata.by_id).items():
        if isinstance(listed, str):
            unreadable[located.get(snapshot_id, f"snapshot {snapshot_id}")] = listed
        else:
            manifests |= {m.path: m for m in listed}
    statistics = [*(document.get("statistics") or ()), *(document.get("partition-statistics") or ())]
    folder = metadata.properties.get("write.metadata.path", f"{metadata.location.rstrip('/')}/metadata")
    return [
        *located.values(),
        *manifests,
        *_content(source, list(manifests.values()), unreadable),
        source.file.location,
        *(entry.file for entry in metadata.metadata_log),
        f"{folder.rstrip('/')}/version-hint.text",
        *(item["statistics-path"] for item in statistics),
    ]


def _content(source: Source, manifests: Sequence[ListedManifest], unreadable: dict[str, str]) -> Iterable[str]:
    if stored_manifests.size_together(manifests) <= stored_manifests.SMALL_IN_BYTES:
        stored = stored_manifests.entries_here(source, manifests)
        unreadable |= {fault.path: fault.reason for fault in stored.unreadable_files}
        return {entry.file_path for entry in live_entries(stored.entries)}
    frame = stored_manifests.entries(source, manifests)
    unreadable |= {fault.path: fault.reason for fault in stored_manifests.unreadable_files(frame)}
    live = live_rows(frame).select("file_path").distinct()
    return list(map(str, arrow.collected(live)["file_path"].to_pylist()))
