"""Which manifests of a snapshot one picture draws, in what detail, and its lines: each number as stored and as read.

A line is a manifest entry, or several told as one. A long list is drawn by those of its manifests that have something
to tell; others like them are summed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from ..page.fold import Part
from ..page.hits import file_meaning, opening
from ..page.names import file_names
from . import hits as entries_hits

MOST_ENTRIES = 40  # drawn one by one
MOST_MANIFESTS = 24  # drawn with a line of their own
_FEW = 2  # manifests that are not worth a sum
_SHORT = 12  # manifests of a list that is read from top to bottom
ALL = "all manifests"  # the part of a picture that has one after the other, whatever it has to tell


@dataclass(frozen=True, slots=True)
class Block:
    """A box of the list with its lines: a manifest, or several told together.

    Attributes:
        manifests: one, or those that are told together.
        entries: drawn one by one.
        bands: all others, counted.
        opens: view that a click opens; empty if it is open already.
        more: words about entries of this manifest that are not in this picture, and the view that has them, if any.
    """

    manifests: tuple[ManifestEntries, ...]
    entries: tuple[ReadEntry, ...] = ()
    bands: tuple[Band, ...] = ()
    opens: str = ""
    more: tuple[tuple[str, str], ...] = ()

    @property
    def single(self) -> ManifestEntries | None:
        """The manifest; None if several are told together."""
        return self.manifests[0] if len(self.manifests) == 1 else None


@dataclass(frozen=True, slots=True)
class Contents:
    """The blocks of a view from top to bottom.

    Attributes:
        kind: `entries`: every block has its entries; `telling`: a line or a few per manifest with something to tell,
            the others summed; `manifests`: one after the other; `opened`: one manifest.
        telling: manifests with something to tell; all, where summing the others would save nothing.
    """

    part: Part
    kind: Literal["entries", "telling", "manifests", "opened"]
    blocks: tuple[Block, ...]
    telling: int

    @classmethod
    def of(cls, entries: Entries, part: Part) -> Contents:
        """The blocks of a view; of the whole, if the view is of another snapshot."""
        listed = entries.manifests
        opened = next((m for m in listed if m.manifest.path == part.opened), None)
        if opened is None and len(listed) == 1 and _count(listed[0]) > MOST_ENTRIES:
            opened, part = listed[0], Part(0, listed[0].manifest.path)
        told = overview.telling(entries)
        told = told if len(listed) > max(len(told) + _FEW, _SHORT) else listed
        if opened is not None:
            first = part.first if part.first < len(opened.entries) else 0
            return cls(Part(first, part.opened), "opened", (_opened(opened, first),), len(told))
        complete = all(m.unreadable or len(m.entries) == m.entry_count for m in listed)
        if complete and len(listed) <= MOST_ENTRIES and sum(map(_count, listed)) <= MOST_ENTRIES:
            blocks = tuple(Block((m,), m.entries, opens=opens_manifest(m)) for m in listed)
            return cls(Part(), "entries", blocks, len(listed))
        if len(told) < len(listed) and part.opened != ALL:
            return cls(Part(), "telling", tuple(_telling(listed, told)), len(told))
        first = part.first if part.opened in ("", ALL) and part.first < len(listed) else 0
        return cls(all_from(first), "manifests", tuple(_window(listed, first)), len(told))


def all_from(first: int) -> Part:
    """One manifest after the other, from this place in the list on."""
    return Part(first, ALL)


def _count(of: ManifestEntries) -> int:
    return 0 if of.unreadable else of.entry_count or 0


def opens_manifest(of: ManifestEntries) -> str:
    """The view of its entries alone; empty if they cannot be read."""
    return "" if of.unreadable else str(Part(0, of.manifest.path))


def _opened(of: ManifestEntries, first: int) -> Block:
    drawn = of.entries[first : first + MOST_ENTRIES]
    after, n = first + len(drawn), of.entry_count or 0
    more = (
        [(f"◂ entries before, from {max(first - MOST_ENTRIES, 0) + 1:,}", max(first - MOST_ENTRIES, 0))]
        if first
        else []
    )
    if after < len(of.entries):
        more.append((f"entries from {after + 1:,} of {n:,} ▸", after))
    links = [(words, str(Part(at, of.manifest.path))) for words, at in more]
    if after >= len(of.entries) and n > after:
        links.append((f"{n - after:,} more entries are counted, not listed here", ""))
    bands = entries_words.bands(of.groups) if len(drawn) < n else ()
    return Block((of,), drawn, bands, more=tuple(links))


def _alone(of: ManifestEntries) -> Block:
    return Block((of,), bands=entries_words.bands(of.groups), opens=opens_manifest(of))


def _telling(listed: Sequence[ManifestEntries], told: Sequence[ManifestEntries]) -> list[Block]:
    """Lines of those with something to tell, as many as have room; all others summed by what they say."""
    shown = {m.manifest.path for m in told[:MOST_MANIFESTS]}
    others: dict[overview.Kind, list[ManifestEntries]] = {}
    for m in listed:
        if m.manifest.path not in shown:
            others.setdefault(overview.kind(m), []).append(m)
    place = {m.manifest.path: i for i, m in enumerate(listed)}
    summed = [
        _alone(alike[0]) if len(alike) == 1 else _summed(alike, place[alike[0].manifest.path])
        for alike in others.values()
    ]
    return [*map(_alone, told[:MOST_MANIFESTS]), *summed]


def _window(listed: Sequence[ManifestEntries], first: int) -> list[Block]:
    """Lines of some manifests; those before and after are summed, by what they hold and where they come from."""
    last = first + MOST_MANIFESTS if len(listed) - first > MOST_MANIFESTS + _FEW else len(listed)
    before = [_summed(listed[:first], max(first - MOST_MANIFESTS, 0))] if first else []
    return [*before, *map(_alone, listed[first:last]), *_by_kind(listed[last:], last)]


def _by_kind(listed: Sequence[ManifestEntries], first: int) -> list[Block]:
    kinds: dict[tuple[int, str], list[ManifestEntries]] = {}
    for m in listed:
        kinds.setdefault((m.manifest.content, m.state), []).append(m)
    return [_summed(kinds[kind], first) for kind in sorted(kinds)]


def _summed(listed: Sequence[ManifestEntries], opens: int) -> Block:
    groups: list[Group] = [g for m in listed for g in m.groups]
    return Block(tuple(listed), bands=entries_words.bands(groups), opens=str(all_from(opens)))


# --- lines

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
    reason = entries_words.reason(band.status, *spans, same, entries, None) if same else _reason_of(block, band)
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


def _reason_of(block: Block, band: Band) -> tuple[str, ...]:
    if band.status == Status.ADDED and entries_words.is_null(band.data_sequence_number.rule):
        return "inherited from the list rows", "inherited"
    if band.status == Status.DELETED:
        earlier = all(m.state == "kept" for m in block.manifests)
        return "removed by earlier commits" if earlier else "removed by this commit", "removed"
    return "written in the entries", "written"


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
    return overview.origin(read.entry.status, read.resolved.data_sequence_number, of.manifest) == "written"


def _has_chosen(block: Block, band: Band) -> bool:
    return band.status == Status.ADDED and any(
        g.status == band.status
        and g.data_sequence_number.rule == band.data_sequence_number.rule
        and overview.origin(g.status, g.data_sequence_number, m.manifest) == "written"
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
