"""Reads that cost more than they should, writers that fight, and maintenance that does nothing."""

from __future__ import annotations

from datetime import date, timedelta

from ..habits import MAINTENANCE, MORNING, Life
from ..incident import Incident, Told, plural, spoken
from ..stored import utc

_DAY = timedelta(days=1)


def _small_files(life: Life, day: date) -> Told:
    """A load writes a file for each row, since its distribution was turned off."""
    history, own = life.history, day - _DAY
    rows = life.sold(own, life.chance.randrange(108, 125), 8, 11)
    number = life.append_load(own, [history.data([row]) for row in rows])
    life.closed.add(own)
    return Told(
        number,
        f"“Everything that touches {own:%A} takes ten times as long”",
        f"A query over {spoken(own)} opens more files than one over all other days together, for"
        f" {plural(len(rows), 'order')} of the stores. The days around it are quick. The nightly load has a new cluster"
        " since that night.",
    )


def _no_statistics(life: Life, day: date) -> Told:
    """A load writes files whose entries have no bounds."""
    history, own = life.history, day - _DAY
    files = [history.data(life.sold(own, life.chance.randrange(8, 21), 8, 11), statistics=False) for _ in range(3)]
    number = life.append_load(own, files)
    life.closed.add(own)
    return Told(
        number,
        "“Whichever order I look for, it reads these three files too”",
        f"A look-up of one order used to open one file. Now it opens three more, of the stores' load of {spoken(own)},"
        " whatever order is asked for, and finds nothing in them.",
    )


def _idle(life: Life, day: date) -> Told:
    """From one night on the compaction writes as many files as it read."""
    history = life.history

    def one_by_one(own: date) -> None:
        entries = [e for e in history.data_of(own) if not history.deletes_of([e.file])]
        if own not in life.closed and len(entries) > 1:
            new = [history.data([row for _, row in history.visible(entry)]) for entry in entries]
            history.rewrite(MAINTENANCE, [entry.file for entry in entries], new, began_at=history.number)

    life.compacts = one_by_one
    one_by_one(day - 2 * _DAY)
    return Told(
        history.number,
        "“Maintenance runs every night, and every night reads get slower”",
        f"Until {spoken(day - _DAY)} each day was one file once it was two days old. The days since have as many files"
        " as were loaded. The job runs, succeeds, and takes as long as ever.",
    )


def _fights(life: Life, day: date) -> Told:
    """From one day on the stream loses each race twice."""
    life.tries = 3
    number = life.stream(utc(day, *MORNING))
    return Told(
        number,
        "“The stream is late, every hour a bit more”",
        f"Since {spoken(day)} each commit of the stream takes three times as long as before, though it writes as little"
        " as ever. Its log speaks of conflicts, and that it tries again.",
    )


def _left_deletes(life: Life, day: date) -> Told:
    """A compaction applies deletes and leaves them behind."""
    history, erased = life.history, life.erased
    if erased is None:
        raise ValueError("The privacy job has not run yet.")
    masked = {path for mask in erased.masks for path in mask.positions}
    entries = [entry for entry in history.entries if entry.file.path in masked]
    new = [history.data([row for _, row in history.visible(entry)]) for entry in entries]
    number = history.rewrite(MAINTENANCE, [entry.file for entry in entries], new, began_at=history.number)
    life.closed |= {mask.day for mask in erased.masks if mask.day is not None}
    return Told(
        number,
        "“The table has deletes that delete nothing”",
        f"An engine that reads no deletes refuses the table because of {plural(len(masked), 'delete file')}. The"
        f" privacy job of {spoken(day - _DAY)} wrote them, and maintenance was to apply them that night; it says it"
        " did. The orders are gone indeed. The delete files are not.",
    )


INCIDENTS = (
    Incident("small-files", "slow query", (2, 5), _small_files, ("load",)),
    Incident("stats-absent", "slow query", (2, 5), _no_statistics, ("load",)),
    Incident("compaction-without-effect", "maintenance idle", (4, 10), _idle, ("maintenance",)),
    Incident("commit-pressure", "writes fail", (9, 10), _fights, ("morning",)),
    Incident("dangling-deletes", "maintenance idle", (4, 10), _left_deletes, ("maintenance",), True),
)
