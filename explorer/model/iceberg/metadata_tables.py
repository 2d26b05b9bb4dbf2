"""Where Iceberg's own metadata tables refuse a table that the manifests as stored still tell: for the SQL of a picture.

Sources: Iceberg's Partitioning.partitionType (one column for the partitions of all specs), TypeToSparkType, and
DataFiles.fromManifest (metadata tables plan by the counts of manifest lists).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ..evidence import Note
from .inheritance import ListedManifest
from .metadata import TableMetadata

_ENTRIES = re.compile(r"\.(?:all_)?entries\b")
_MANIFESTS = re.compile(r"\.(?:all_)?manifests\b")
_NOT_OF_SPARK = re.compile(r"time$|timestamp(?:tz)?_ns$|geometry|geography")


def refusal(
    metadata: TableMetadata, sql: str, listed: Iterable[ListedManifest] = (), *, has_unreadable: bool = False
) -> tuple[Note, ...]:
    """A note that SQL fails, and why; nothing where it answers as the picture does, as far as can be told.

    Args:
        metadata: the table's.
        sql: of the picture; empty if it has none.
        listed: rows of the manifest lists that the SQL makes Iceberg read.
        has_unreadable: whether one of these lists, or of their manifests, cannot be read.
    """
    why = next(_reasons(metadata, sql, listed, has_unreadable=has_unreadable), "")
    about = "Iceberg refuses the SQL on this table"
    return (Note("exact", about, f"{why} What is shown comes from the manifests as stored."),) if why else ()


def _reasons(
    metadata: TableMetadata, sql: str, listed: Iterable[ListedManifest], *, has_unreadable: bool
) -> Iterator[str]:
    entries, manifests = _ENTRIES.search(sql), _MANIFESTS.search(sql)
    if entries and (name := _shared_name(metadata)):
        yield f"Two partition fields are called {name}, and its metadata tables have one column for each name."
    if entries and (column := _untold_column(metadata)):
        yield f"Spark has no type for the column {column}, of which its metadata tables show bounds."
    if (entries or manifests) and any(None in (m.added_files_count, m.existing_files_count) for m in listed):
        yield "A manifest list does not count the files in its manifests, by which its metadata tables plan."
    if (entries or manifests) and has_unreadable:
        yield "Its metadata tables read all of these files or nothing, and one of them cannot be read."


def _shared_name(metadata: TableMetadata) -> str:
    """A name of several partition fields; a field is its id, and its name that in the newest spec."""
    names: dict[object, str] = {}
    for spec_id in sorted(metadata.specs, reverse=True):
        for place, field in enumerate(metadata.specs[spec_id]):
            names.setdefault(field.get("field-id", 1000 + place), str(field.get("name")))
    return next((name for name, fields in Counter(names.values()).items() if fields > 1), "")


def _untold_column(metadata: TableMetadata) -> str:
    """A column of the current schema that has no type in Spark, with its type in Iceberg."""
    fields = metadata.schemas.get(metadata.current_schema_id or 0, ())
    return next((f"{field.path} ({field.type})" for field in fields if _NOT_OF_SPARK.match(field.type)), "")
