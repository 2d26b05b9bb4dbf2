"""What the pointer is told about entries, their manifests and the snapshot."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.entries import words as entries_words
from ...model.entries.facts import ManifestEntries, ReadEntry
from ...model.entries.words import Band, Span
from ...model.iceberg.inheritance import Status, Value
from ...model.iceberg.metadata import Snapshot
from ...model.words import UNITS, holds, partition_name
from ..page.text import cut, escape


def entry(read: ReadEntry) -> str:
    """What it is and where, both numbers with their rule, who wrote it, how large it is."""
    e, r = read.entry, read.resolved
    where = partition_name(e.spec_id, e.partition)
    offset = "" if e.content_offset is None else f" at {e.content_offset:,}"
    row_id = "" if r.first_row_id.rule == "no row lineage" else f" · first row id {_read(r.first_row_id)}"
    return "<br>".join(
        [
            f"<b>{Status(e.status).name} · {UNITS[e.kind]}</b> · {escape(cut(where))}",
            escape(cut(e.file_path + offset)),
            f"sequence number {_read(r.data_sequence_number)} · file sequence number {_read(r.file_sequence_number)}",
            f"snapshot {'unknown' if r.snapshot_id.value is None else r.snapshot_id.value} ({r.snapshot_id.rule})"
            f"{row_id}",
            f"{holds(e.kind, e.record_count)}, {formats.size(e.content_size_in_bytes or e.file_size_in_bytes)}",
            "click: select",
        ]
    )


def _read(value: Value) -> str:
    if value.value is None:
        return value.rule if value.rule == "unknown" else f"unknown ({value.rule})"
    return f"{value.value:,} ({value.rule})"


def band(of: Band, opens: bool) -> str:
    """Several entries of one status, whose numbers come by one rule each."""
    return "<br>".join(
        [
            f"<b>{formats.count(of.count, 'entry')} {of.status.name}</b>",
            f"sequence number {_span(of.data_sequence_number)}",
            f"file sequence number {_span(of.file_sequence_number)}",
            formats.count(of.rows, "row"),
            "click: one by one" if opens else "the data lists them one by one",
        ]
    )


def _span(span: Span) -> str:
    return f"{span.text} ({span.rule})"


def manifest(of: ManifestEntries, opens: bool) -> str:
    """A row of the manifest list."""
    m = of.manifest
    spec = "" if m.partition_spec_id is None else f" · spec {m.partition_spec_id}"
    row_id = "" if m.first_row_id is None else f" · first row id {m.first_row_id:,}"
    counts = " · ".join(
        f"{count:,} {word}"
        for count, word in (
            (m.added_files_count, "added"),
            (m.existing_files_count, "existing"),
            (m.deleted_files_count, "deleted"),
        )
        if count is not None
    )
    return "<br>".join(
        [
            f"<b>manifest</b> · {entries_words.manifest_words(of)}{spec}",
            escape(cut(m.path)),
            f"sequence number {_stored(m.sequence_number)} · smallest of its live entries "
            f"{_stored(m.min_sequence_number)}{row_id}",
            f"written by snapshot {'not recorded' if m.added_snapshot_id is None else m.added_snapshot_id}",
            f"{counts or 'entries not counted'} · {formats.size(m.length)}",
            escape(cut(of.unreadable))
            if of.unreadable
            else "click: its entries alone"
            if opens
            else "all its entries are open",
        ]
    )


def _stored(number: int | None) -> str:
    return "not stored" if number is None else f"{number:,}"


def manifests(listed: Sequence[ManifestEntries]) -> str:
    """Several rows of the list told together."""
    sizes = [m.manifest.length for m in listed if m.manifest.length is not None]
    lines = [f"<b>{formats.count(len(listed), 'manifest')}</b> · {formats.size(sum(sizes) if sizes else None)}"]
    lines += [escape(cut(m.manifest.path)) for m in listed[:3]]
    lines += [f"and {len(listed) - 3:,} more"] if len(listed) > 3 else []
    return "<br>".join([*lines, "click: go there"])


def snapshot(of: Snapshot) -> str:
    """The snapshot whose list this is."""
    listed = "in the metadata file itself" if of.manifest_list is None else of.manifest_list
    return "<br>".join(
        [
            f"<b>snapshot</b> {of.snapshot_id}",
            f"sequence number {of.sequence_number:,} · {of.operation or 'operation not recorded'}",
            formats.instant(of.committed_at) if of.committed_at else "time not recorded",
            f"manifest list: {escape(cut(listed))}",
        ]
    )
