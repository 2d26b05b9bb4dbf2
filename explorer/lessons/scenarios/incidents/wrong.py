"""Values that are wrong, and files that are not what their entries say."""

from __future__ import annotations

from datetime import date, timedelta

from ..habits import STREAM, Life
from ..incident import Incident, Told, how_often, plural, spoken
from ..stored import utc

_DAY = timedelta(days=1)


def _reborn(life: Life, day: date) -> Told:
    """Somebody drops a column and adds it again under the same name."""
    history = life.history
    old = next(row for row in history.rows() if row.day < day - _DAY)
    history.drop_and_add("city")
    life.closed |= {own for own in (life.days[0] - _DAY, *life.days) if own <= day}
    life.at(utc(day, 13, 15))
    number = life.stream(utc(day, 13, 15))
    return Told(
        number,
        "“Half of our customers live nowhere”",
        f"The map of orders by city begins on {spoken(day)}; every order before has no city, order {old.order_id} for"
        " one. Last week's map was complete. No job changes cities of that many orders.",
        f"{how_often(old)} AND city IS NOT NULL",
    )


def _wrong_day(life: Life, day: date) -> Told:
    """A writer that thinks in local time puts the last hours of a day into the next one."""
    history, own = life.history, day - _DAY
    rows = life.sold(own, life.chance.randrange(9, 15), 22, 2)
    number = history.append("night-shop", history.data(rows, day=day))
    life.closed |= {own, day}
    return Told(
        number,
        f"“The night shop's orders of {own:%A} come and go”",
        f"Whoever lists the orders between ten and midnight of {spoken(own)} gets none of the night shop's. Whoever"
        f" asks for them one by one, order {rows[0].order_id} for example, finds them, with these very times:"
        f" {plural(len(rows), 'order')}. The night shop sends its orders itself since that day.",
    )


def _reused(life: Life, day: date) -> Told:
    """A restarted stream counts its files from one again, and writes over its own."""
    history = life.history
    first = next(entry.file for entry in history.data_of(day))
    number = life.stream(utc(day, 18, 20), name=first.path.rsplit("/", 1)[-1])
    life.closed.add(day)
    return Told(
        number,
        f"“The orders of {day:%A} cannot be read”",
        f"Reading {spoken(day)} ends with an error about a Parquet file; every other day reads. At noon of that day it"
        f" read well, with the {plural(len(first.rows), 'order')} of its first hour. {STREAM} was restarted in the"
        " afternoon.",
    )


def _elsewhere(life: Life, day: date) -> Told:
    """A load writes to a folder of its own."""
    history, own = life.history, day - _DAY
    location = history.location
    folder = f"{location.rsplit('/', 1)[0]}_inbox/{location.rsplit('/', 1)[1]}"
    files = [history.data(life.sold(own, life.chance.randrange(8, 21), 8, 11), folder=folder) for _ in range(3)]
    number = life.append_load(own, files)
    life.closed.add(own)
    rows = sum(len(file.rows) for file in files)
    return Told(
        number,
        "“The copy of the table does not read”",
        "The table's folder was copied to another machine, every file of it, and checked twice. There a query over the"
        f" stores' orders of {spoken(own)} ends with “file not found”; so {plural(rows, 'order')} cannot be read. Here"
        " the same query works.",
    )


INCIDENTS = (
    Incident("column-reborn", "values wrong", (12, 40), _reborn, ("noon",)),
    Incident("partition-contradicts-bounds", "rows vanished", (0, 40), _wrong_day),
    Incident("path-reused", "cannot read", (18, 20), _reused, ("evening",)),
    Incident("foreign-location", "cannot read", (2, 5), _elsewhere, ("load",)),
)
