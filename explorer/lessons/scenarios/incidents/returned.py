"""Deleted rows that are there again, or never left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from ..habits import COMPACTION, ERASING, MAINTENANCE, PRIVACY, Erased, Life
from ..incident import Incident, Told, compacted, how_often, plural, spoken
from ..stored import Row, utc

_DAY = timedelta(days=1)


def _erased(life: Life) -> Erased:
    """What the privacy job deleted last; no job touches these days any more."""
    if life.erased is None:
        raise ValueError("The privacy job has not run yet.")
    life.closed |= {mask.day for mask in life.erased.masks if mask.day is not None}
    return life.erased


def _back(erased: Erased, day: date, number: int, back: Sequence[Row]) -> Told:
    asked, rows = day - _DAY, len(back)
    return Told(
        number,
        f"“{erased.customer.title()} asked us to forget everything, and got mail again”",
        f"The privacy job deleted {erased.customer}'s orders on the evening of {spoken(asked)}, and its check right"
        f" after found none. Now {plural(rows, 'order')} {'is' if rows == 1 else 'are'} back, order"
        f" {back[0].order_id} among them, unchanged. Nobody loaded anything of these days again.",
        how_often(back[0]),
        erased.number,
    )


def _delete_removed(life: Life, day: date) -> Told:
    """Maintenance takes deletes away that it believes to reach nothing."""
    erased = _erased(life)
    number = life.history.row_delta(MAINTENANCE, removed=erased.masks)
    return _back(erased, day, number, erased.rows)


def _raced(life: Life, day: date) -> Told:
    """A compaction had begun before the delete, and writes the rows that it had read."""
    erased = _erased(life)
    history = life.history
    masked = {path for mask in erased.masks for path in mask.positions}
    old = [entry.file for entry in history.entries if entry.file.path in masked]
    earlier = [delete for delete in history.deletes_of(old) if delete not in erased.masks]
    new = [compacted(life, file, without=erased) for file in old]
    number = history.rewrite(MAINTENANCE, old, new, began_at=erased.began_at, deletes=earlier)
    return _back(erased, day, number, erased.rows)


def _re_added(life: Life, day: date) -> Told:
    """A file is taken out to look at it, and put back: it counts as new, and its deletes as older."""
    erased = _erased(life)
    history = life.history
    masked = {path for mask in erased.masks for path in mask.positions}
    file = min((e.file for e in history.entries if e.file.path in masked), key=lambda file: len(file.rows))
    history.delete("quarantine", file)
    life.at(utc(day, 8, 40))
    number = history.append("quarantine", file)
    return _back(erased, day, number, [row for row in erased.rows if row in file.rows])


def _never_applied(life: Life, day: date) -> Told:
    """The new privacy job writes its keys into a partition of nulls, where no row is."""
    history = life.history
    customer = life.someone(day)
    rows = [row for row in history.rows() if row.customer == customer and row.day not in life.closed]
    keys = history.keys(rows, columns=["order_id", "ordered_at"], day=None)
    number = history.row_delta(PRIVACY, deletes=[keys])
    life.closed |= {row.day for row in rows}
    return Told(
        number,
        f"“{customer.title()} was to be forgotten on {day:%A}, and was not”",
        f"The privacy job of {spoken(day)} says: {plural(len(rows), 'order')} deleted. All of them are there, order"
        f" {rows[0].order_id} for one. The requests of the weeks before were fulfilled. The job has a new version since"
        " that day.",
    )


INCIDENTS = (
    Incident("applicable-delete-removed", "rows came back", COMPACTION, _delete_removed, ("maintenance",), True),
    Incident("raced-delete", "rows came back", COMPACTION, _raced, ("maintenance",), True),
    Incident("file-re-added", "rows came back", (8, 15), _re_added, ("maintenance",), True),
    Incident("delete-never-applied", "rows came back", ERASING, _never_applied, ("privacy",)),
)
