"""Rows that are there twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from ..habits import Life
from ..incident import Incident, Told, plural, spoken
from ..stored import utc

_DAY = timedelta(days=1)
_EACH_ONCE = "SELECT count(*) = count(DISTINCT order_id) FROM {t}"
_SINK = "customer-changes"


def _listed_twice(life: Life, day: date) -> Told:
    """The load tries its commit again, which had succeeded: the same files once more."""
    own = day - _DAY
    files = life.store_files(own)
    life.append_load(own, files)
    life.at(utc(day, 2, 47))
    number = life.append_load(own, files)
    life.closed.add(own)
    return _twice(own, number, sum(len(file.rows) for file in files))


def _same_load(life: Life, day: date) -> Told:
    """The load is started again as a whole: the same rows in new files."""
    own = day - _DAY
    files = life.store_files(own)
    life.append_load(own, files)
    life.at(utc(day, 3, 20))
    number = life.append_load(own, [life.history.data(file.rows) for file in files])
    life.closed.add(own)
    return _twice(own, number, sum(len(file.rows) for file in files))


def _twice(own: date, number: int, rows: int) -> Told:
    return Told(
        number,
        f"“The stores had their best {own:%A} ever, say the figures. The stores say no”",
        f"For {spoken(own)} the table counts {plural(2 * rows, 'order')} of the stores; their tills have {rows:,}. The"
        " web shop's orders of that day are right. The nightly load had a network error that night, and its log ends"
        " with: done.",
        _EACH_ONCE,
    )


def _moved_to_another_day(life: Life, day: date) -> Told:
    """A sink of changes deletes by the order's id in the partition of the new row; the old one lies in another."""
    history, own = life.history, day - _DAY
    entry = history.data_of(own)[0]
    old = [row for _, row in history.visible(entry)][: life.chance.randrange(3, 6)]
    new = [replace(row, ordered_at=utc(day, 9, 30 + n)) for n, row in enumerate(old)]
    number = history.row_delta(_SINK, [history.data(new)], [history.keys(new, columns=["order_id"], day=day)])
    life.closed |= {own, day}
    return Told(
        number,
        f"“{plural(len(old), 'customer')} got a parcel twice”",
        f"Their orders were put off by a day, from {own:%A} to {spoken(day)}: order {old[0].order_id} is one of them."
        " The warehouse's list has each of them twice, on both days. Orders that were put off by hours are there once.",
        _EACH_ONCE,
    )


def _two_versions(life: Life, day: date) -> Told:
    """A Flink sink puts several checkpoints into one commit: two versions of an order, and one delete for both."""
    history, own = life.history, day
    flink = "flink.max-committed-checkpoint-id"
    job, checkpoint = {"flink.job-id": "6f1b2c9a41d04e7f"}, life.chance.randrange(300, 900)
    key = ["order_id", "ordered_at"]
    entry = history.data_of(own)[0]
    rows = [row for _, row in history.visible(entry)]
    first = [replace(rows[0], pieces=rows[0].pieces + 1)]
    history.row_delta(
        _SINK,
        [history.data(first)],
        [history.keys(first, columns=key, day=own)],
        summary={**job, flink: str(checkpoint)},
    )
    life.at(utc(day, 11, 5))
    old = rows[1:3]
    versions = [[replace(row, pieces=row.pieces + n) for row in old] for n in (1, 2)]
    number = history.row_delta(
        _SINK,
        [history.data(version) for version in versions],
        [history.keys(old, columns=key, day=own)],
        summary={**job, flink: str(checkpoint + 3)},
    )
    life.closed.add(own)
    return Told(
        number,
        f"“Order {old[0].order_id} is there twice, with two numbers of pieces”",
        f"It was ordered on {spoken(own)}, and the customer changed the number of pieces twice within a minute; the"
        " last change should be the one that counts. Others who changed theirs once are there once.",
        _EACH_ONCE,
    )


INCIDENTS = (
    Incident("file-listed-twice", "rows doubled", (2, 5), _listed_twice, ("load",)),
    Incident("same-load-twice", "rows doubled", (2, 5), _same_load, ("load",)),
    Incident("upsert-missed-old-row", "rows doubled", (11, 0), _moved_to_another_day),
    Incident("upsert-in-one-commit", "rows doubled", (11, 0), _two_versions),
)
