"""When a reader sees a row: while its file is live and no delete that applies to the file holds the row.

Sources: Iceberg specification, "Scan Planning" (which deletes apply: positions `≤`, keys `<`, their scope), "Deletion
Vectors" (beside a vector position delete files are ignored).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..iceberg.document import Specs
from ..iceberg.file_lives import FileLife, applies
from .facts import Mask, RowVersion, Span


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row as it was read, in a snapshot in which its file is live.

    Attributes:
        read_at: place of the line.
        deleted: whether deletes masked it there, as the reader said.
        held_by: paths of the delete files whose content names its position or its key, whether they apply or not.
        meets: whether it meets the condition.
    """

    file_path: str
    position: int
    values: tuple[str, ...]
    same: tuple[Hashable, ...]
    row_id: int | None
    last_updated: int | None
    read_at: int
    deleted: bool
    held_by: frozenset[str] = frozenset()
    meets: bool = True


@dataclass(frozen=True, slots=True)
class Seen:
    """Row versions, and paths of files where what was computed is not what the reader said."""

    versions: tuple[RowVersion, ...]
    contradicted: frozenset[str]


def versions(
    rows: Iterable[ReadRow],
    data: Sequence[FileLife],
    deletes: Sequence[FileLife],
    specs: Specs,
    added_at: Mapping[str, int],
    unreadable: Collection[str] = (),
) -> Seen:
    """The versions of rows on one line: of a row one for each life of its file.

    While a delete that cannot be read applies to a file, what was masked before stays masked: it may be the one that
    took over from the deletes before it. What it masks besides is not known.

    Args:
        rows: as read; of a file that is listed several times at once as many of each position, the oldest first.
        data: lives of their files on the line.
        deletes: lives of the deletes that can apply to these.
        specs: partition fields by spec id.
        added_at: by path of a data file the sequence number of the commit that added it.
        unreadable: paths of deletes whose content is not known.
    """
    lost = [delete for delete in deletes if delete.entry.file_path in unreadable]
    lives: dict[str, list[FileLife]] = defaultdict(list)
    for life in data:
        lives[life.entry.file_path].append(life)
    copies = {path: _copies(sorted(found, key=lambda life: life.since)) for path, found in lives.items()}
    by_path: dict[str, list[FileLife]] = defaultdict(list)
    for delete in deletes:
        by_path[delete.entry.file_path].append(delete)
    places: dict[tuple[str, int], list[ReadRow]] = defaultdict(list)
    for row in rows:
        places[row.file_path, row.position].append(row)
    found, contradicted = [], set()
    for (path, _), read in places.items():
        own = copies.get(path, ())
        if len(own) == 1:  # several entries of one commit are one life, and each of them is read
            own = [(own[0][0], number) for number in range(1, len(read) + 1)]
        for number, (life, copy) in enumerate(own):
            row = read[min(number, len(read) - 1)]
            unknown = _spans((delete for delete in lost if applies(delete, life, specs)), life)
            certain = _masks(row, life, by_path, specs)
            masks = _lasting(certain, unknown)
            is_known = not any(since <= row.read_at < until for since, until in unknown)
            if (
                is_known
                and len(copies[path]) == 1
                and row.deleted != any(m.since <= row.read_at < m.until for m in masks)
            ):
                contradicted.add(path)
                certain = masks = [Mask(life.since, life.until, "", None, "position deletes")] if row.deleted else []
            listed = life.since, life.until
            about = (path, row.position, copy, row.values, row.same, row.row_id, row.last_updated, listed)
            shown, added = without(listed, masks), added_at.get(path)
            doubts = without(listed, without(listed, unknown))  # the spans together, so that none touches the next
            open_spans = tuple(span for doubt in doubts for span in without(doubt, certain))
            found.append(RowVersion(*about, shown, tuple(masks), row.meets, added, open_spans))
    return Seen(tuple(found), frozenset(contradicted))


def _copies(lives: Sequence[FileLife]) -> list[tuple[FileLife, int]]:
    """The lives of one file, each with the smallest number that none has which began before and goes on."""
    found: list[tuple[FileLife, int]] = []
    for life in lives:
        taken = {number for other, number in found if other.until > life.since}
        found.append((life, next(n for n in range(1, len(lives) + 1) if n not in taken)))
    return found


def _masks(row: ReadRow, life: FileLife, deletes: Mapping[str, Sequence[FileLife]], specs: Specs) -> list[Mask]:
    found = []
    holding = [delete for path in row.held_by for delete in deletes.get(path, ()) if applies(delete, life, specs)]
    vectors = (
        [
            (delete.since, delete.until)
            for of_path in deletes.values()
            for delete in of_path
            if delete.entry.kind == "deletion vector" and applies(delete, life, specs)
        ]
        if any(delete.entry.kind == "position deletes" for delete in holding)
        else []
    )
    for delete in holding:
        span = max(delete.since, life.since), min(delete.until, life.until)
        spans = without(span, vectors) if delete.entry.kind == "position deletes" else (span,)
        for since, until in spans:
            if since < until:
                found.append(Mask(since, until, *delete.key, delete.entry.kind, delete.data_sequence_number))
    return sorted(found, key=lambda mask: (mask.since, mask.until, mask.delete_path))


def _spans(deletes: Iterable[FileLife], data: FileLife) -> tuple[Span, ...]:
    spans = ((max(delete.since, data.since), min(delete.until, data.until)) for delete in deletes)
    return tuple(sorted((since, until) for since, until in spans if since < until))


def _lasting(masks: Iterable[Mask], unknown: Sequence[Span]) -> list[Mask]:
    """The masks, each for as long as nobody can say that it ended."""
    found = []
    for mask in masks:
        until = mask.until
        for since, end in unknown:  # in order
            until = max(until, end) if since <= until else until
        found.append(replace(mask, until=until))
    return found


def without(span: Span, taken: Collection[Mask] | Collection[Span]) -> tuple[Span, ...]:
    """What is left of a span."""
    spans = sorted((t.since, t.until) if isinstance(t, Mask) else t for t in taken)
    left, at = [], span[0]
    for since, until in spans:
        if since > at and at < span[1]:
            left.append((at, min(since, span[1])))
        at = max(at, until)
    if at < span[1]:
        left.append((at, span[1]))
    return tuple(left)
