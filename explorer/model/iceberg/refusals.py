"""Why Iceberg refuses to read a metadata file whose snapshots can be told all the same.

Source: Iceberg's TableMetadataParser, which reads ids as longs and requires what each format version added.
"""

from __future__ import annotations

from collections.abc import Iterator

from .document import Document
from .metadata import TableMetadata, beyond_bits


def refusals(metadata: TableMetadata, document: Document) -> tuple[str, ...]:
    """The reasons in words, without a full stop; none for a file that Iceberg reads, as far as is known here.

    Args:
        metadata: the file as a value.
        document: the same, parsed.
    """
    found = [f"snapshot id {i} is {beyond_bits(i)}" for i in dict.fromkeys(_ids(metadata)) if beyond_bits(i)]
    if metadata.format_version >= 3 and document.get("next-row-id") is None:
        found.append("next-row-id is missing, which version 3 requires")
    return tuple(found)


def ids_fit(metadata: TableMetadata) -> bool:
    """Whether every snapshot id is one of 64 bits, as all readers of manifests take it to be."""
    return not any(map(beyond_bits, _ids(metadata)))


def _ids(metadata: TableMetadata) -> Iterator[int]:
    """Every snapshot id that the file names, some several times."""
    for snapshot in metadata.snapshots:
        yield snapshot.snapshot_id
        if snapshot.parent_id is not None:
            yield snapshot.parent_id
    yield from (ref.snapshot_id for ref in metadata.refs.values())
    yield from (entry.snapshot_id for entry in metadata.snapshot_log)
