"""Where the columns of the picture of entries lie, and the page that they are drawn on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...model.entries.facts import Entries
from ...model.iceberg.delete_scope import DeleteKey
from ..page.scene import Type
from ..page.sheet import Sheet
from .rows import Block, Contents, FieldName, Row

NUMBER, MARK, ARROW = 12.5, 15.0, 20.0  # size of a number, pixels of the mark before it, least pixels of its arrow
_MARGIN, _PAD, _BETWEEN = 20.0, 12.0, 20.0
_HEADS = 82.0  # pixels of "stored" and "read as" side by side
_HEADINGS: dict[FieldName, tuple[str, ...]] = {
    "sequence_number": ("sequence_number", "sequence no.", "seq."),
    "file_sequence_number": ("file_sequence_number", "file_sequence", "file seq."),
    "first_row_id": ("first_row_id", "row id"),
    "snapshot_id": ("snapshot_id", "snapshot"),
}


@dataclass(frozen=True, slots=True)
class Field:
    """One number of an entry: page pixels where its mark, its arrow and the number as read begin, and where it ends."""

    name: FieldName
    headings: tuple[str, ...]
    stored: float
    arrow: float
    read: float
    right: float


@dataclass(frozen=True, slots=True)
class Columns:
    """Page pixels from left to right.

    Attributes:
        snapshot: left and right edge of the snapshot's box; listed: of the boxes of the list; lines: of the entries.
        number: middle of a list row's sequence number; least: of its smallest; row_id: of its first row id; None where
            there is no room for it.
        status, name: where those of an entry begin; kind: pixels before the name for the kind of a delete file.
        reason: where the words about the rule begin; None where there is no room.
        left_out: numbers for which there is no room.
    """

    snapshot: tuple[float, float]
    listed: tuple[float, float]
    lines: tuple[float, float]
    number: float
    least: float | None
    row_id: float | None
    status: float
    name: float
    kind: float
    name_room: float
    fields: tuple[Field, ...]
    reason: float | None
    left_out: tuple[FieldName, ...]


def columns(
    width: int, names: Sequence[FieldName], rows: Sequence[Row], list_names: Iterable[str], *, lineage: bool
) -> Columns:
    """Columns wide enough for what stands in them.

    Args:
        width: of the page.
        names: of the numbers, the most telling first; the last ones are left out if they must be.
        rows: every line of every manifest.
        list_names: words at the left of the list's boxes.
        lineage: whether rows of the list have first row ids.
    """
    roomy, wide = width >= 900, width >= 1200
    snapshot = (_MARGIN, _MARGIN + (136.0 if wide else 96.0 if roomy else 70.0))
    left = snapshot[1] + (38.0 if roomy else 22.0)
    mono = Type(11.5, "", mono=True)
    longest = max((mono.width(name) for name in list_names), default=0.0)
    named = min(max(longest + 10, 104.0), 190.0 if wide else 130.0 if roomy else 104.0)
    number = left + 10 + named + (52 if wide else 44 if roomy else 18)
    least = number + (84 if wide else 74) if roomy else None
    row_id = (least or number) + 78 if lineage and wide else None
    right = (row_id or least or number) + (44 if row_id else 28 if least else 20)
    lines = (right + (62.0 if roomy else 34.0), width - _MARGIN)
    return _with_lines(lines, snapshot, (left, right), (number, least, row_id), names, rows, roomy)


def _with_lines(
    lines: tuple[float, float],
    snapshot: tuple[float, float],
    listed: tuple[float, float],
    of_list: tuple[float, float | None, float | None],
    names: Sequence[FieldName],
    rows: Sequence[Row],
    roomy: bool,
) -> Columns:
    status_type, name_type = Type(11, "", bold=True), Type(11.5, "", mono=True)
    status = max((status_type.width(s.name) for s in {r.status for r in rows}), default=60.0) + 14
    kind = 26.0 if any(r.kind for r in rows) else 0.0
    longest = kind + max((name_type.width(r.name) for r in rows), default=60.0)
    least_name = kind + (64.0 if roomy else 56.0)
    room = lines[1] - lines[0] - 2 * _PAD - status
    most = (room - least_name - ARROW - 2 * _BETWEEN) / 2
    widths = {name: _number_widths(name, rows, most) for name in names}
    reasons = [
        max((Type(12, "").width(reason_width) for reason_width in column), default=0.0) for column in _reasons(rows)
    ]
    kept = list(names)

    def taken(reason_width: float) -> float:
        return sum(sum(widths[n]) + ARROW + _BETWEEN for n in kept) + (_BETWEEN + reason_width if reason_width else 0.0)

    # a snapshot id is hardly ever null, so words go before it; the other numbers go before words
    if "snapshot_id" in kept and taken(reasons[0]) + min(longest, 150.0) > room:
        kept.remove("snapshot_id")
    while len(kept) > 1 and taken(0.0) + least_name > room:
        kept.pop()
    reason_width = next((r for r in (*reasons, 0.0) if roomy and taken(r) + least_name <= room), 0.0)
    name_room = max(min(longest, room - taken(reason_width)), min(least_name, room))
    spare = max(room - taken(reason_width) - name_room, 0.0)
    heads = [max(_heading_width(n) - sum(widths[n]) - ARROW, 0.0) for n in kept]
    heads = heads if sum(heads) <= spare else [0.0] * len(kept)
    stretch = min((spare - sum(heads)) / (len(kept) + 1), 26.0)
    x = lines[0] + _PAD + status + name_room + _BETWEEN + min(stretch, 12.0)
    fields = []
    for name, head in zip(kept, heads, strict=True):
        stored, read = widths[name]
        arrow = x + stored + 6
        right = x + stored + ARROW + max(head, stretch) + read
        fields.append(Field(name, _HEADINGS[name], x, arrow, right - read, right))
        x = right + _BETWEEN
    return Columns(
        snapshot=snapshot,
        listed=listed,
        lines=lines,
        number=of_list[0],
        least=of_list[1],
        row_id=of_list[2],
        status=lines[0] + _PAD,
        name=lines[0] + _PAD + status,
        kind=kind,
        name_room=name_room - kind,
        fields=tuple(fields),
        reason=x if reason_width else None,
        left_out=tuple(n for n in names if n not in kept),
    )


def _heading_width(name: FieldName) -> float:
    return Type(11, "").width(_HEADINGS[name][0])


def _number_widths(name: FieldName, rows: Sequence[Row], most: float) -> tuple[float, float]:
    """Pixels of the number as stored, with its mark, and as read; at most so many each, where numbers are cut."""
    stored, read = Type(NUMBER, "", bold=True), Type(NUMBER + 1, "", bold=True)
    shown = [row.numbers[name] for row in rows if name in row.numbers]
    left = min(MARK + max((stored.width(s.stored) for s in shown), default=20.0), most)
    right = min(max((read.width(s.read) for s in shown), default=20.0) + 4, most)
    return max(left, _HEADS - ARROW - right), right


def _reasons(rows: Sequence[Row]) -> list[list[str]]:
    """All long wordings and all short ones."""
    return [[row.reason[0] for row in rows], [row.reason[-1] for row in rows]]


LINE, PAD = 27.0, 5.0  # pixels from line to line of a manifest, and above the first and below the last one


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """The entries of a snapshot, and everything drawn of them so far.

    Attributes:
        rows: the lines of each block.
    """

    entries: Entries
    contents: Contents
    columns: Columns
    rows: list[list[Row]]
    list_names: dict[DeleteKey, str]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """From top to bottom."""
        return self.contents.blocks

    @property
    def has_glance(self) -> bool:
        """Whether the list is too long to be read entry by entry, so that it is shown at a glance before."""
        return self.contents.kind != "entries" and len(self.entries.manifests) > 1
