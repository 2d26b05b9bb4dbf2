"""What a table was besides its rows at a snapshot: the metadata file of that time, where the log still names it.

Source: Iceberg specification, "Table Metadata" (metadata-log: earlier files, with the time of each).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ...errors import ExplorerError
from ...model.compare.settings import NoState, TableState, table_state
from ...model.iceberg.metadata import InvalidMetadata, Snapshot, TableMetadata
from ..files import metadata_file
from ..source import Source


def now(source: Source) -> TableState:
    """The state that the metadata file in hand tells."""
    return table_state(source.file.location, source.document, source.metadata)


def at_commit(source: Source, snapshot: Snapshot) -> TableState | NoState:
    """The state that the commit of a snapshot left: of the first metadata file that lists it.

    Cost: that file is read; nothing if it is the one in hand.
    """
    at = snapshot.committed_at
    if at is None:
        return NoState("The snapshot has no time, so the metadata file of its commit cannot be told.")
    files = list(_files(source))
    later = [place for place, (written, _) in enumerate(files) if written >= at]
    if not later:
        return NoState("No metadata file of the log is as young as the snapshot.")
    written, location = files[later[0]]
    if later[0] == 0 and written != at:
        return NoState(_lost(files[0][0]))
    return _read(source, location, snapshot)


def at_time(source: Source, at: datetime, snapshot: Snapshot) -> TableState | NoState:
    """The state at a time: of the youngest metadata file that was there then."""
    earlier = [location for written, location in _files(source) if written <= at]
    if not earlier:
        return NoState(_lost(next((written for written, _ in _files(source)), None)))
    return _read(source, earlier[-1], snapshot)


def _files(source: Source) -> Iterator[tuple[datetime, str]]:
    """Every metadata file that is known, the oldest first, with the time of writing (UTC)."""
    for entry in source.metadata.metadata_log:
        yield entry.written_at, entry.file
    if source.metadata.last_updated_at is not None:
        yield source.metadata.last_updated_at, source.file.location


def _read(source: Source, location: str, snapshot: Snapshot) -> TableState | NoState:
    if location == source.file.location:
        return now(source)
    try:
        file = metadata_file.read(source.spark, location, source.located.relation, source.located.bundle)
        metadata = TableMetadata.from_json(file.document)
    except ExplorerError as error:
        return NoState(f"The metadata file of that time cannot be read: {error.found or error.what}")
    except InvalidMetadata as error:
        return NoState(f"{location} is no metadata file that can be shown: {error}.")
    if snapshot.snapshot_id not in metadata.by_id:
        return NoState(f"{location} should be of that time, but does not list the snapshot.")
    return table_state(location, file.document, metadata)


def _lost(oldest: datetime | None) -> str:
    since = "names no earlier file" if oldest is None else f"goes back to {oldest:%Y-%m-%d %H:%M:%S} UTC"
    return f"Properties have no versions by snapshot, and the log of metadata files {since}."
