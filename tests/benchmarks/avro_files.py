"""Manifest lists and manifests as Iceberg wrote them, to be written again with more in them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import fastavro

Content = tuple[Any, dict[str, str], list[dict[str, Any]]]


def read(path: Path) -> Content:
    """Schema, header without what Avro adds, and records."""
    with path.open("rb") as stream:
        reader = fastavro.reader(stream)
        header = {key: value for key, value in reader.metadata.items() if not key.startswith("avro.")}
        return fastavro.parse_schema(reader.writer_schema), header, list(reader)  # type: ignore[arg-type]


def write(path: Path, schema: Any, header: dict[str, str], records: Iterable[dict[str, Any]]) -> None:
    """Write a file, in place of the one that is there."""
    without_checksum(path)
    with path.open("wb") as stream:
        fastavro.writer(stream, schema, records, codec="deflate", metadata=header)


def without_checksum(path: Path) -> None:
    """Hadoop's checksum is of what a file held before."""
    path.with_name(f".{path.name}.crc").unlink(missing_ok=True)
