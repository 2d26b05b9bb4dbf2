"""A table's metadata file, read whole once. Sequence numbers of snapshots, refs and logs live only there.

Source: Iceberg specification, "Table Metadata" and Appendix C ("File name: *.metadata.json, may be gzipped").
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from ..engine.quiet import quiet_errors
from ..errors import AccessDenied, ExplorerError, UnreadableMetadata
from . import calls, identifiers

_EARLIER = "Open an earlier metadata file of the table by its path to see the state before."


@dataclass(frozen=True, slots=True)
class MetadataFile:
    """A parsed metadata file: its location, the JSON document, whether it was gzipped, its size in bytes as stored."""

    location: str
    document: Any
    gzipped: bool
    size_in_bytes: int


def read(spark: SparkSession, location: str) -> MetadataFile:
    """Read and parse one metadata file through Spark, on any file system that Spark can read.

    Whether it is gzipped is told by its first bytes: names are not reliable.

    Raises:
        UnreadableMetadata: missing, empty, cut short, not JSON.
        AccessDenied: the storage refused.
    """
    content = _bytes(spark, location)
    gzipped = content[:2] == b"\x1f\x8b"
    try:
        text = gzip.decompress(content) if gzipped else content
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(location, f"It starts like a gzip file but cannot be unzipped: {error}.") from error
    if not text.strip():
        raise _damaged(location, "The file is empty.")
    try:
        document = json.loads(text)
    except ValueError as error:
        raise _damaged(location, f"It is not JSON: {error}.") from error
    return MetadataFile(location, document, gzipped, len(content))


def _bytes(spark: SparkSession, location: str) -> bytes:
    try:
        with quiet_errors():
            rows = spark.read.format("binaryFile").load(identifiers.glob_escaped(location)).select("content").collect()
    except Exception as error:
        raise _explained(location, error) from error
    if not rows:
        raise _damaged(location, "The file is empty.")  # Spark gives no row for it
    return bytes(rows[0].content)


def _explained(location: str, error: Exception) -> ExplorerError:
    text = str(error)
    if calls.DENIED.search(text):
        return AccessDenied(
            f"The metadata file {location} may not be read.",
            found=calls.reason(error),
            next_step="Check the credentials of the catalog and of its storage, then ask again.",
        )
    if calls.NO_FILE_SYSTEM.search(text):
        return UnreadableMetadata(
            f"The metadata file {location} could not be read.",
            found="Spark has no file system for this scheme: " + calls.reason(error),
            next_step="Give Spark the file system of this storage (for s3:// map fs.s3.impl to S3A), then ask again.",
        )
    if calls.NOT_FOUND.search(text) or "FileNotFound" in text:
        return _damaged(location, "The file does not exist.")
    return _damaged(location, calls.reason(error))


def _damaged(location: str, found: str) -> UnreadableMetadata:
    return UnreadableMetadata(f"The metadata file {location} could not be read.", found=found, next_step=_EARLIER)
