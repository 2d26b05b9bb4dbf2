"""Rows that are gone, or never came."""

from __future__ import annotations

from datetime import date, timedelta

from ..habits import LOAD, MAINTENANCE, NIGHTLY, NOON, Life
from ..incident import Incident, Told, how_often, plural, spoken
from ..stored import utc

_DAY = timedelta(days=1)


def _mass_removal(life: Life, day: date) -> Told:
    """A backfill of one day in Spark's static mode, which replaces the whole table."""
    history, again = life.history, day - _DAY
    before = len(history.rows())
    first = min(history.rows(), key=lambda row: row.order_id)
    rows = [row for entry in history.data_of(again) for _, row in history.visible(entry)]
    number = history.overwrite_all("backfill", history.data(rows))
    return Told(
        number,
        "“The year's figures start in the middle of the month”",
        f"The dashboard shows no order before {spoken(again)}. On that evening there were {plural(before, 'order')} in"
        f" the table. Order {first.order_id}, one of the first, cannot be found any more; the customer has the invoice"
        " in hand.",
        how_often(first),
    )


def _abandoned(life: Life, day: date) -> Told:
    """Somebody rolls main back to the evening of the day before yesterday, and tells nobody."""
    history = life.history
    target = max(number for number, at in life.happened.items() if at < utc(day - _DAY, 0))
    gone = len(history.rows())
    history.roll_back(target)
    return Told(
        target,
        f"“Where are the orders of {day - _DAY:%A}?”",
        f"On {spoken(day)} at ten the report had all of {day - _DAY:%A}'s orders, the stores' and the web shop's; an"
        f" hour later they were gone, {plural(gone - len(history.rows()), 'order')} together. No job deletes at that"
        " time, and no job failed. Newer orders come in as always.",
    )


def _rewrite_changed(life: Life, day: date) -> Told:
    """A faulty version of the compaction leaves out rows that nobody deleted."""
    history, own = life.history, day - 2 * _DAY
    entries = history.data_of(own)
    deletes = history.deletes_of(entry.file for entry in entries)
    rows = [row for entry in entries for _, row in history.visible(entry)]
    masked = sum(len(those) for delete in deletes for those in delete.positions.values())
    lost = rows[len(rows) // 2 :][: masked + life.chance.randrange(4, 9)]
    kept = [row for row in rows if row not in lost]
    good = history.number
    number = history.rewrite(
        MAINTENANCE, [e.file for e in entries], [history.data(kept)], began_at=good, deletes=deletes
    )
    life.closed.add(own)
    return Told(
        number,
        f"“{plural(len(lost), 'order')} of {own:%A} {'is' if len(lost) == 1 else 'are'} missing”",
        f"Finance closed {spoken(own)} with {plural(len(rows), 'order')}; today the table has {len(kept)} of them."
        f" Order {lost[0].order_id} is one that is missing. No job deletes orders of that day.",
        how_often(lost[0]),
        good,
    )


def _raced_writes(life: Life, day: date) -> Told:
    """A job writes the day anew from what it had read; what the stream commits meanwhile is replaced too."""
    history = life.history
    rows = [row for entry in history.data_of(day) for _, row in history.visible(entry)]
    anew = history.data(rows)
    before = history.number

    def meanwhile() -> None:
        life.at(utc(day, *NOON))
        life.stream(utc(day, *NOON))
        life.at(utc(day, 13, 17))

    number = history.overwrite_day("day-rebuild", day, anew, late=meanwhile)
    late = len(history.at[number - 1]) - len(history.at[before])
    stored = history.at[number - 1][-late].file
    life.closed.add(day)
    return Told(
        number,
        f"“An hour of {day:%A} never made it into the table”",
        f"The web shop has {plural(len(stored.rows), 'order')} between twelve and one of {spoken(day)}, and sent each"
        f" of them a mail. The table has none of them, though the stream says that it committed. Order"
        f" {stored.rows[0].order_id} is one.",
    )


def _staged(life: Life, day: date) -> Told:
    """The loader stages its commit for an audit, and nobody publishes it."""
    history, own = life.history, day - _DAY
    files = life.store_files(own)
    number = history.append(LOAD, *files, staged=True, summary={"load-id": f"stores-{own}", "wap.id": f"audit-{own}"})
    return Told(
        number,
        f"“The stores sold nothing on {own:%A}?”",
        f"For {spoken(own)} the table has the web shop's orders alone; the stores sold"
        f" {plural(sum(len(file.rows) for file in files), 'order')}. The log of the nightly load of {spoken(day)} says:"
        " committed, three files. The loads before and after are there.",
    )


def _gap(life: Life, day: date) -> Told:
    """The stream loses its checkpoint and goes on with what is newest."""
    life.epoch += life.chance.randrange(21, 60)
    number = life.stream(utc(day, 18, 20))
    return Told(
        number,
        f"“The web shop was open on {day:%A}”",
        f"From {spoken(day)} the table has orders of the evening alone, and none of the web shop's morning and noon."
        " The payments of these hours are there. The stream was restarted that day; its log has no error.",
    )


INCIDENTS = (
    Incident("mass-removal", "rows vanished", (10, 40), _mass_removal),
    Incident("abandoned-commits", "rows vanished", (10, 50), _abandoned),
    Incident("rewrite-changed-rows", "rows vanished", (4, 10), _rewrite_changed, ("maintenance",)),
    Incident("raced-writes", "rows vanished", (13, 5), _raced_writes, ("noon",)),
    Incident("unpublished-stage", "rows vanished", NIGHTLY, _staged, ("load",)),
    Incident("writer-gap", "rows vanished", (18, 20), _gap, ("morning", "noon", "evening")),
)
