"""A table's metadata file, read whole once. Sequence numbers of snapshots, refs and logs live only there.

Source: Iceberg specification, "Table Metadata" and Appendix C ("File name: *.metadata.json, may be gzipped").
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from ...engine.conf import without_secrets
from ...engine.logging import silenced_errors
from ...errors import ExplorerError, UnreadableMetadata
from .. import identifiers
from . import catalog_io, local_files, spark_errors
from .bundle import Bundle

# Of UTF-16, as JSON or UTF-8 would spell it; one after the other, since what begins alike is found ten times as fast.
_HALVES_OF_A_PAIR = re.compile(rb"\\u[dD][89a-fA-F]"), re.compile(rb"\xed[\xa0-\xbf]")
_WHOLE_NUMBERS = frozenset(
    f"{name}-id"
    for name in (
        *("snapshot", "current-snapshot", "parent-snapshot", "schema", "current-schema", "spec", "default-spec"),
        *("field", "source", "element", "key", "value", "order", "default-sort-order", "last-column", "last-partition"),
        *("first-row", "next-row"),
    )
) | {"id", "format-version", "sequence-number", "last-sequence-number", "timestamp-ms", "last-updated-ms", "added-rows"}
_QUOTED_NUMBER = re.compile(rb'"(?:' + "|".join(sorted(_WHOLE_NUMBERS)).encode() + rb')"\s*:\s*"-?[0-9]')
_MOST_BYTES = 2_000_000_000  # of text; a file of a few bytes may unzip to any number
_IN_A_BUNDLE = "The metadata file lies in a bundle, and SQL cannot look into one."
_EARLIER = "Open an earlier metadata file of the table by its path to see the state before."


@dataclass(frozen=True, slots=True)
class MetadataFile:
    """A parsed metadata file.

    Attributes:
        location: as the catalog gives it.
        document: the JSON document.
        hidden_from_sql: why no SQL can read the file; empty if `binaryFile` and `from_json` can.
        size_in_bytes: as stored.
    """

    location: str
    document: Any
    hidden_from_sql: str
    size_in_bytes: int


def read(spark: SparkSession, location: str, relation: str | None = None, bundle: Bundle | None = None) -> MetadataFile:
    """Read and parse one metadata file.

    Through Spark, on any file system that Spark has. For a scheme that it has none for (`s3://` under Iceberg's
    S3FileIO), through the FileIO of the table's own catalog.

    Whether the file is gzipped is told by its first bytes: names are not reliable.

    Args:
        spark: the session to ask.
        location: of the file.
        relation: how SQL names the table that the file belongs to; None if it has no name.
        bundle: that it lies in, which alone is looked into; None if it lies in a storage.

    Raises:
        UnreadableMetadata: missing, empty, cut short, not JSON.
        AccessDenied, Unreachable: the storage refused, or does not answer.
    """
    return parsed(location, *content(spark, location, relation, bundle))


def parsed(location: str, content: bytes, hidden: str = "") -> MetadataFile:
    """The content of a metadata file, parsed; `hidden` is why SQL could not read the file if it could not.

    Raises:
        UnreadableMetadata: as `read`.
    """
    gzipped = content[:2] == b"\x1f\x8b"
    try:
        text = gzip.GzipFile(fileobj=io.BytesIO(content)).read(_MOST_BYTES + 1) if gzipped else content
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(location, f"It starts like a gzip file but cannot be unzipped: {error}.") from error
    if not text.strip():
        raise _damaged(location, "The file is empty.")
    if gzipped and len(text) > _MOST_BYTES:
        raise _damaged(location, f"It would unzip to more than {_MOST_BYTES:,} bytes, which no table metadata has.")
    try:
        document = json.loads(text)
    except ValueError as error:
        raise _damaged(location, f"It is not JSON: {error}.") from error
    except RecursionError:
        raise _damaged(location, "It is nested too deeply to be table metadata.") from None
    if any(half.search(text) for half in _HALVES_OF_A_PAIR):
        document = _in_characters(document)
    if _QUOTED_NUMBER.search(text):
        document = _with_numbers(document)
        hidden = "The metadata file has numbers in quotes, which SQL takes for texts."
    if gzipped:
        hidden = "The metadata file is gzipped, and SQL cannot unzip a file."
    elif json.detect_encoding(text) != "utf-8":
        hidden = "The metadata file is not in plain UTF-8, and SQL reads no other."
    return MetadataFile(location, document, hidden, len(content))


def refusal(spark: SparkSession, location: str, bundle: Bundle | None = None) -> str:
    """Why Iceberg does not read this file, in its own words, a sentence; empty if it does. Arguments as of `read`.

    Cost: Iceberg reads the file, whole.

    Raises:
        AccessDenied, Unreachable: the storage did not give the file, which says nothing about what is in it.
    """
    place = location if bundle is None else str(bundle.place(location))
    try:
        with silenced_errors():
            _ = spark.read.format("iceberg").load(f"{place}#snapshots").schema  # noticed here, over Connect too
    except Exception as error:
        if (unread := spark_errors.refused(location, error)) is not None:
            raise unread from error
        return spark_errors.reason(error).replace(place, location)
    return ""


def _with_numbers(document: Any) -> Any:
    """The document with its ids, numbers and times as numbers, where a writer put them in quotes."""
    if isinstance(document, list):
        return [_with_numbers(item) for item in document]
    if not isinstance(document, dict):
        return document
    return {
        key: value
        if key in ("properties", "summary")  # texts by the format, whatever they are called
        else int(value)
        if key in _WHOLE_NUMBERS and isinstance(value, str) and re.fullmatch("-?[0-9]{1,19}", value)
        else _with_numbers(value)
        for key, value in document.items()
    }


def _in_characters(document: Any) -> Any:
    """The document with `?` for each half of a surrogate pair, as Java writes it: UTF-8 has no way to hold one."""
    return json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))


def content(spark: SparkSession, location: str, relation: str | None, bundle: Bundle | None) -> tuple[bytes, str]:
    """The content of a metadata file, and why SQL could not read it if it could not; arguments and errors of `read`."""
    if bundle is not None:
        found, missing = bundle.read([location])
        if location in missing:
            raise _damaged(location, missing[location].reason)
        return found[location], _IN_A_BUNDLE
    if (path := local_files.finder(spark)(location)) is not None:
        try:
            return Path(path).read_bytes(), ""
        except FileNotFoundError as error:
            raise _explained(location, error) from error
        except OSError:
            pass  # Spark is asked, and says what is wrong
    try:
        with silenced_errors():
            rows = spark.read.format("binaryFile").load(identifiers.glob_escaped(location)).select("content").collect()
    except Exception as error:
        if relation is not None and spark_errors.NO_FILE_SYSTEM.search(str(error)):
            hidden = "The metadata file lies where only the catalog's own FileIO can read it."
            return through_catalog(spark, location, relation), hidden
        raise _explained(location, error) from error
    if not rows:
        raise _damaged(location, "The file is empty.")  # Spark gives no row for it
    return bytes(rows[0].content), ""


def through_catalog(spark: SparkSession, location: str, relation: str) -> bytes:
    """The content of a file, read by the FileIO of the table's catalog.

    Raises:
        UnreadableMetadata, AccessDenied, Unreachable: as `read`.
    """
    try:
        return catalog_io.content(spark, relation, location)
    except Exception as error:
        raise _explained(location, error) from error


def _explained(location: str, error: Exception) -> ExplorerError:
    text = str(error)
    what = f"The metadata file {location}"
    if (explained := spark_errors.refused(what, error) or spark_errors.unknown_scheme(what, error)) is not None:
        return explained
    if isinstance(error, FileNotFoundError) or spark_errors.NO_FILE.search(text):
        return _damaged(location, "The file does not exist.")
    return _damaged(location, spark_errors.reason(error))


def _damaged(location: str, found: str) -> UnreadableMetadata:
    location = without_secrets(location)
    return UnreadableMetadata(f"The metadata file {location} could not be read.", found=found, next_step=_EARLIER)
