"""Tables as queries ask them."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from explorer.model.iceberg.metadata import TableMetadata
from explorer.queries.files import metadata_file
from explorer.queries.files.locate import Located, locate
from explorer.queries.files.metadata_file import MetadataFile
from explorer.queries.source import Source

_SCHEMA = {"type": "struct", "schema-id": 0, "fields": []}
_EMPTY: dict[str, Any] = {"format-version": 1, "location": "nowhere", "last-column-id": 0, "schema": _SCHEMA}


def source_of(spark: SparkSession, name: str) -> Source:
    """A table by its name, or by its metadata file."""
    located = locate(spark, name)
    file = metadata_file.read(spark, located.metadata_file, located.relation)
    return Source(spark, located, file, TableMetadata.from_json(file.document))


def source_of_files(spark: SparkSession, relation: str | None = None) -> Source:
    """Of files alone: without specs, and with no settings of a catalog but that of a table, if one is named."""
    file = MetadataFile("nowhere", _EMPTY, "", 0)
    return Source(spark, Located("nowhere", relation, "nowhere"), file, TableMetadata.from_json(_EMPTY))
