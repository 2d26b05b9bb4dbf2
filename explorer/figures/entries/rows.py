"""Lines of the picture of entries: a manifest entry, or several told as one, each number as stored and as read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ...model import formats
from ...model.entries import overview
from ...model.entries import words as entries_words
from ...model.entries.facts import Entries, ManifestEntries, ReadEntry
from ...model.entries.group import Group
from ...model.entries.words import Band, Span
from ...model.iceberg.delete_scope import DeleteKey
from ...model.iceberg.inheritance import ContentKind, Status, StoredEntry, Value
from ..page.hits import file_meaning, opening
from ..page.names import file_names
from . import hits as entries_hits
from .contents import Block, Contents

Tone = Literal["stored", "chosen", "inherited", "error", "none"]
FieldName = Literal["sequence_number", "file_sequence_number", "first_row_id", "snapshot_id"]
_NUMBERS: tuple[FieldName, ...] = ("sequence_number", "file_sequence_number")
_DELETES: Mapping[ContentKind, str] = {"position deletes": "pos", "equality deletes": "eq", "deletion vector": "DV"}


@dataclass(frozen=True, slots=True)
class Shown:
    """One number: as stored, as read, and how the one becomes the other.

    `chosen` is stored by a writer that did not want what its commit would have given; `none`: there is no such number.
    """

    stored: str
    read: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Row:
    """One line.

    Attributes:
        name: of the file, or how many entries it tells of; `is_file` says which.
        kind: `eq`, `pos` or `DV` of a delete file; empty for data.
        numbers: by field; a field without one stays empty.
        reason: which rule gave the two sequence numbers, from long to short; `tone` is theirs.
        path: of the file, for the selection; empty for several.
    """

    status: Status
    name: str
    is_file: bool
    kind: str
    numbers: Mapping[FieldName, Shown]
    reason: tuple[str, ...]
    tone: Tone
    path: str
    meaning: str
    hover: str


def fields(contents: Contents) -> list[FieldName]:
    """Numbers to draw, the most telling first: those of entries that are drawn one by one have an id and a row id."""
    drawn = [(b.manifests[0], e) for b in contents.blocks for e in b.entries]
    lineage = any(m.manifest.first_row_id is not None or e.entry.stored_first_row_id is not None for m, e in drawn)
    ids: list[FieldName] = ["snapshot_id"] if drawn else []
    return [*_NUMBERS, *(["first_row_id"] if lineage else []), *ids]  # type: ignore[list-item]


def rows(entries: Entries, contents: Contents) -> list[list[Row]]:
    """The lines of every block: those that count entries first, then entries one by one."""
    names = file_names((e.entry.file_path, e.entry.content_offset) for b in contents.blocks for e in b.entries)
    ids = {i for b in contents.blocks for e in b.entries for i in _ids(e)} | {entries.snapshot.snapshot_id}
    short = formats.short_ids(ids)
    return [
        [
            *(_band_row(entries, block, band) for band in block.bands),
            *(_entry_row(entries, block.manifests[0], e, names, short) for e in block.entries),
        ]
        for block in contents.blocks
    ]


def _ids(e: ReadEntry) -> Iterable[int]:
    return (i for i in (e.entry.stored_snapshot_id, e.resolved.snapshot_id.value) if i is not None)


def _entry_row(
    entries: Entries, of: ManifestEntries, read: ReadEntry, names: Mapping[DeleteKey, str], short: Mapping[int, str]
) -> Row:
    entry, resolved = read.entry, read.resolved
    numbers: dict[FieldName, Shown] = {
        "sequence_number": _number(
            entry.stored_sequence_number, resolved.data_sequence_number, chosen=_is_chosen(of, read)
        ),
        "file_sequence_number": _number(entry.stored_file_sequence_number, resolved.file_sequence_number),
        "first_row_id": _row_id(entry, resolved.first_row_id),
        "snapshot_id": _id(entry.stored_snapshot_id, resolved.snapshot_id, short),
    }
    return Row(
        Status(entry.status),
        names[entry.file_path, entry.content_offset],
        True,
        _DELETES.get(entry.kind, ""),
        numbers,
        entries_words.resolved_reason(entry.status, resolved, of, entries),
        _worst(numbers),
        entry.file_path,
        file_meaning(entry.file_path, entry.content_offset),
        entries_hits.entry(read),
    )


def _band_row(entries: Entries, block: Block, band: Band) -> Row:
    numbers: dict[FieldName, Shown] = {
        "sequence_number": _span(band.data_sequence_number, chosen=_has_chosen(block, band)),
        "file_sequence_number": _span(band.file_sequence_number),
    }
    spans = band.data_sequence_number, band.file_sequence_number
    same = block.single or _alike(block)
    reason = entries_words.reason(band.status, *spans, same, entries, None) if same else _reason_of(band)
    return Row(
        band.status,
        formats.count(band.count, "entry"),
        False,
        "",
        numbers,
        reason,
        _worst(numbers),
        "",
        opening(block.opens),
        entries_hits.band(band, bool(block.opens)),
    )


def _alike(block: Block) -> ManifestEntries | None:
    """One of several manifests, if all of them hand on the same number."""
    return block.manifests[0] if len({m.manifest.sequence_number for m in block.manifests}) == 1 else None


def _reason_of(band: Band) -> tuple[str, ...]:
    if band.status == Status.ADDED and entries_words.is_null(band.data_sequence_number.rule):
        return "inherited from the list rows", "inherited"
    return (
        ("removed by this commit", "removed")
        if band.status == Status.DELETED
        else ("written in the entries", "written")
    )


def _worst(numbers: Mapping[FieldName, Shown]) -> Tone:
    tones = [numbers[name].tone for name in _NUMBERS]
    return next((tone for tone in ("error", "inherited") if tone in tones), "stored")


def _tone(found: Value | Span) -> Tone:
    if found.rule == "not inherited":
        return "error"
    return "inherited" if entries_words.is_null(found.rule) else "stored"


def _number(stored: int | None, read: Value, *, chosen: bool = False) -> Shown:
    tone = "chosen" if chosen else _tone(read)
    return Shown(_text(stored), "unknown" if read.value is None else f"{read.value:,}", tone)


def _span(span: Span, *, chosen: bool = False) -> Shown:
    null = entries_words.is_null(span.rule)
    return Shown("null" if null else span.text, span.text, "chosen" if chosen else _tone(span))


def _is_chosen(of: ManifestEntries, read: ReadEntry) -> bool:
    entry, resolved = read.entry, read.resolved
    alike = Group(
        Status(entry.status), 1, entry.record_count, resolved.data_sequence_number, resolved.file_sequence_number
    )
    return overview.origin(alike, of.manifest) == "written"


def _has_chosen(block: Block, band: Band) -> bool:
    return band.status == Status.ADDED and any(
        g.status == band.status
        and g.data_sequence_number.rule == band.data_sequence_number.rule
        and overview.origin(g, m.manifest) == "written"
        for m in block.manifests
        for g in m.groups
    )


def _row_id(entry: StoredEntry, read: Value) -> Shown:
    if read.value is None:
        return Shown(_text(entry.stored_first_row_id), "none", "none")
    return Shown(
        _text(entry.stored_first_row_id), f"{read.value:,}", "stored" if read.rule == "stored" else "inherited"
    )


def _id(stored: int | None, read: Value, short: Mapping[int, str]) -> Shown:
    shown = "null" if stored is None else short[stored]
    if read.value is None:
        return Shown(shown, "unknown", "error")
    return Shown(shown, short[read.value], "stored" if read.rule == "stored" else "inherited")


def _text(stored: int | None) -> str:
    return "null" if stored is None else f"{stored:,}"
