"""The manifests of one metadata file: query and model put together."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...engine.memory import read_once
from ...errors import ExplorerError
from ...model.entries import facts as model
from ...model.entries.facts import Entries
from ...model.iceberg.metadata import Snapshot
from ...model.retries import facts as retries_model
from ...model.retries.facts import Retries
from ...model.snapshot_graph.facts import SnapshotGraph
from ...queries import entries as stored_entries
from ...queries import retries as stored_retries
from .commits import Commits


class Manifests:
    """Tells what manifests store, and what they and their lists betray of attempts."""

    def __init__(self, graph: SnapshotGraph, commits: Commits) -> None:
        self._graph, self._source = graph, commits.source

    def entries(self, of: Snapshot, manifest: str | None, file: tuple[str, int | None] | None) -> Entries:
        """The entries of a snapshot, or only those of one manifest or of one file.

        Raises:
            ExplorerError: the snapshot lists no such manifest.
        """
        if file is not None:
            return model.from_stored(of, stored_entries.read_file(self._source, of.snapshot_id, *file))
        stored = stored_entries.read(self._source, of.snapshot_id, only=None if manifest is None else [manifest])
        if manifest is not None and not stored.listed and not stored.unreadable_list:
            raise ExplorerError(
                f"Snapshot {of.snapshot_id} lists no manifest {manifest}.",
                next_step="entries(snapshot).data names those that it lists, as manifest_path.",
            )
        return model.from_stored(of, stored)

    def frame(self, entries_asked: Entries) -> DataFrame:
        """All entries of the manifests that were told of, lazy; of one file, where one was asked about."""
        listed = [m.manifest for m in entries_asked.manifests]
        entries = stored_entries.frame(self._source, listed)
        if entries_asked.file is None:
            return entries
        path, offset = entries_asked.file
        of_file = entries.where(F.col("file_path") == path)
        return of_file if offset is None else of_file.where(F.col("content_offset") == offset)

    @read_once
    def retries(self) -> Retries:
        """The attempts of every snapshot that the metadata lists; read once."""
        snapshots = [node.snapshot for node in self._graph.nodes]
        asked, retried = retries_model.asked_first(snapshots)
        stored = stored_retries.read(self._source, asked, retried)
        return retries_model.from_stored(snapshots, stored)
