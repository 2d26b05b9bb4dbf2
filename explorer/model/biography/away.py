"""When main was elsewhere: for how long its readers did not get a row that its line holds.

A line is told along its ancestry, while main may have left it for a time, and come back. Source: Iceberg specification,
"Table Metadata" (snapshot log).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from ..iceberg.metadata import SnapshotLogEntry
from .facts import Absence, Life, Line


@dataclass(frozen=True, slots=True)
class _Stay:
    """Main was at a place that is not the furthest one of its line that it had come to.

    Attributes:
        before: that furthest place.
        line, place: where it was.
    """

    since: datetime
    until: datetime
    before: int
    line: int
    place: int


def absences(lives: Sequence[Life], lines: Sequence[Line], log: Sequence[SnapshotLogEntry]) -> tuple[Absence, ...]:
    """The times at which readers of main did not get a row that they had got before; none of another line than main's.

    Args:
        lives: that are told.
        lines: on which they are told, that of main first.
        log: of the table: when which snapshot was made current. Times at a snapshot that has expired tell nothing.
    """
    if lines[0].name != "main":
        return ()
    stays = list(_stays(lines, log))
    found: list[Absence] = []
    for life in lives:
        for stay in stays:
            if not _is_shown(life, lines, 0, stay.before) or _is_shown(life, lines, stay.line, stay.place):
                continue
            if found and (found[-1].life, found[-1].until) == (life.number, stay.since):
                found[-1] = Absence(life.number, found[-1].since, stay.until)
            else:
                found.append(Absence(life.number, stay.since, stay.until))
    return tuple(found)


def _stays(lines: Sequence[Line], log: Sequence[SnapshotLogEntry]) -> Iterator[_Stay]:
    furthest = -1
    for entry, following in pairwise(log):
        line = next((n for n, one in enumerate(lines) if entry.snapshot_id in one.places), None)
        if line is None:
            continue
        place = lines[line].places[entry.snapshot_id]
        if line == 0 and place >= furthest:
            furthest = place
        elif furthest >= 0:
            yield _Stay(entry.made_current_at, following.made_current_at, furthest, line, place)


def _is_shown(life: Life, lines: Sequence[Line], line: int, place: int) -> bool:
    """Whether a reader of a place of a line got the row; what a fork did not touch is as it was where it began."""
    stretch = life.at(line, place)
    if stretch is not None or life.stretches_on(line):
        return stretch is not None and stretch.shown
    base = lines[line].snapshots[0]
    if base is None:
        return False
    other = next((n for n, one in enumerate(lines) if n != line and base.snapshot_id in one.places), None)
    return other is not None and other < line and _is_shown(life, lines, other, lines[other].places[base.snapshot_id])
