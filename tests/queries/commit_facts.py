"""The facts of a commit, put together as the face of the house will: read as stored, then understood."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pyspark.sql import SparkSession

from explorer.model.iceberg.commit import Commit, from_stored
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.iceberg.stored_commit import StoredCommit
from explorer.queries.files import metadata_file
from explorer.queries.files.commit import read
from explorer.queries.files.locate import locate
from explorer.queries.source import Source


class Opened:
    """A table's metadata document with what is needed to read its manifests."""

    def __init__(self, spark: SparkSession, name: str, metadata_path: str | None = None) -> None:
        self.spark, self.name = spark, name
        self.located = locate(spark, metadata_path or name)
        if metadata_path is not None:  # read past the catalog, whose settings are needed for the files all the same
            self.located = replace(self.located, relation=name)
        self.file = metadata_file.read(spark, self.located.metadata_file)
        self.document: Any = self.file.document

    @property
    def metadata(self) -> TableMetadata:
        return TableMetadata.from_json(self.document)

    @property
    def source(self) -> Source:
        return Source(self.spark, self.located, replace(self.file, document=self.document), self.metadata)

    def stored(self, snapshot_id: int, **limits: int) -> StoredCommit:
        return read(self.source, snapshot_id, self.metadata.by_id[snapshot_id].parent_id, **limits)

    def commit(self, snapshot_id: int, **limits: int) -> Commit:
        return from_stored(self.metadata, snapshot_id, self.stored(snapshot_id, **limits))
