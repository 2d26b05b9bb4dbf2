"""How the shared state names a file, and what a panel tells of one. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import formats
from ..model.iceberg.inheritance import Resolved, StoredEntry, Value
from ..model.words import partition_name
from .markup import copyable, facts, folded, text


def file_key(path: str, content_offset: int | None) -> str:
    """A file as the shared state names it: its location, for a deletion vector followed by `·offset`."""
    return path if content_offset is None else f"{path}·{content_offset}"


def key_of(key: str) -> tuple[str, int | None]:
    """Location and content offset of a file that the shared state names."""
    path, dot, offset = key.rpartition("·")
    return (path, int(offset)) if dot and offset.isdecimal() else (key, None)


def path_of(key: str) -> str:
    """The location alone."""
    return key_of(key)[0]


def identity(entry: StoredEntry, resolved: Resolved) -> Iterable[tuple[str, str]]:
    """Names and values, which are HTML, of what an entry says of its file, but for where it lies."""
    yield "partition", text(partition_name(entry.spec_id, entry.partition, with_spec=True))
    yield ("positions" if entry.kind in ("position deletes", "deletion vector") else "rows"), f"{entry.record_count:,}"
    part = entry.content_size_in_bytes
    yield "size", text(formats.size(entry.file_size_in_bytes if part is None else part))
    yield "format", text(entry.file_format)
    yield "data sequence number", as_read(resolved.data_sequence_number)
    yield "file sequence number", as_read(resolved.file_sequence_number)
    if resolved.first_row_id.value is not None:
        yield "first row id", as_read(resolved.first_row_id)


def paths(entry: StoredEntry) -> str:
    """Where the file of an entry lies, and what names it, folded."""
    return ids_and_paths(
        ("path", entry.file_path),
        ("at byte", entry.content_offset),
        ("deletes rows of", entry.referenced_data_file),
        ("manifest", entry.manifest_path),
    )


def ids_and_paths(*rows: tuple[str, str | int | None]) -> str:
    """What a person copies and seldom reads, folded: names and values, of which missing ones are left out."""
    return folded(
        "Ids and paths",
        facts(
            (name, copyable(value) if isinstance(value, str) else f"{value:,}")
            for name, value in rows
            if value is not None
        ),
    )


def as_read(value: Value) -> str:
    """A number as a reader sees it, and the rule that gave it, as HTML."""
    return f"{'unknown' if value.value is None else format(value.value, ',')} <i>{text(value.rule)}</i>"
