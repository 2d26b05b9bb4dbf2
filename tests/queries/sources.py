"""Tables as queries ask them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pyspark.sql import SparkSession

from explorer.model.iceberg.metadata import TableMetadata
from explorer.queries.files import commits as many_commits
from explorer.queries.files import metadata_file
from explorer.queries.files.locate import Located, locate
from explorer.queries.files.metadata_file import MetadataFile
from explorer.queries.rows import line_files
from explorer.queries.rows.changed_entries import Manifests
from explorer.queries.rows.line_files import Line, LineCommit
from explorer.queries.source import Source

_SCHEMA = {"type": "struct", "schema-id": 0, "fields": []}
_EMPTY: dict[str, Any] = {"format-version": 1, "location": "nowhere", "last-column-id": 0, "schema": _SCHEMA}


def source_of(spark: SparkSession, name: str) -> Source:
    """A table by its name, or by its metadata file."""
    located = locate(spark, name)
    file = metadata_file.read(spark, located.metadata_file, located.relation)
    return Source(spark, located, file, TableMetadata.from_json(file.document))


def line_of(source: Source, snapshot_ids: Sequence[int], *, not_asked: Collection[int] = ()) -> Line:
    """The files of all commits after the first of these, told together as a changelog does."""
    lists = many_commits.manifest_lists(source, snapshot_ids)
    before, *later = snapshot_ids
    stored, decoded = many_commits.stored_commits(source, lists, later)
    commits = [LineCommit(i, stored[i], i not in not_asked, False, False) for i in later]
    there: Any = lists[before]
    return line_files.read(source, before, there, commits, Manifests(source, decoded))


def source_of_files(spark: SparkSession, relation: str | None = None) -> Source:
    """Of files alone: without specs, and with no settings of a catalog but that of a table, if one is named."""
    file = MetadataFile("nowhere", _EMPTY, "", 0)
    return Source(spark, Located("nowhere", relation, "nowhere"), file, TableMetadata.from_json(_EMPTY))
