"""An ordinary life of a table of orders: who writes it, at which times of the day, and how.

A load every night, a stream three times a day, corrections twice a week, a privacy job once a week, and maintenance
that compacts a day once nobody writes to it any more.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from .history import History
from .stored import Entry, Row, Stored, utc

if TYPE_CHECKING:
    import random

LOAD, STREAM, CORRECTIONS, PRIVACY, MAINTENANCE = (
    "orders-nightly",
    "web-checkout",
    "address-corrections",
    "privacy-requests",
    "maintenance",
)
"""The writers, as their commits are signed."""

_CUSTOMERS = (
    "ada", "boris", "chen", "dora", "emil", "fatima", "goran", "hana", "ines", "jonas", "kofi", "lena",
    "mira", "noor", "otto", "petra", "quentin", "rosa", "sami", "tara", "umar", "vera", "wim", "yara",
)  # fmt: skip
_CITIES = ("Ulm", "Vaduz", "Basel", "Chur", "Graz", "Linz", "Bern")
_STORES = 3
_MONDAY, _WEDNESDAY, _THURSDAY = 0, 2, 3
_WEEK = timedelta(days=7)
NIGHTLY, COMPACTION, MORNING, NOON, CORRECTING, EVENING, ERASING = (
    (2, 5), (4, 10), (9, 10), (13, 15), (11, 30), (18, 20), (22, 5),
)  # fmt: skip
"""Hour and minute at which each job commits, UTC."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that is done to the table at a time (UTC); `job` names what the person would call it."""

    at: datetime
    job: str
    happen: Callable[[], object]


@dataclass(frozen=True)
class Erased:
    """Orders that the privacy job deleted: whose, by which deletes, and the numbers of the commits before and after."""

    customer: str
    masks: tuple[Stored, ...]
    rows: tuple[Row, ...]
    began_at: int
    number: int


class Life:
    """What the jobs do, each as a method; an incident calls them too, or does in their place what goes wrong.

    Attributes:
        history: of the table.
        days: from the first on; the last is today.
        closed: days that no job touches any more: an incident lies there, and nothing may cover it up.
        epoch: of the stream, counting up by one.
        tries: how often each commit of the stream is tried.
        compacts: what maintenance does with a day.
        erased: what the privacy job did last; None before.
        happened: when commits were made, by number; of several at once the last.
    """

    def __init__(self, history: History, chance: random.Random, days: list[date]) -> None:
        self.history, self.chance, self.days = history, chance, days
        self.closed: set[date] = set()
        self.epoch, self.tries = chance.randrange(40, 400), 1
        self.compacts: Callable[[date], object] = self.compact
        self.erased: Erased | None = None
        self.happened: dict[int, datetime] = {}
        self._query = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        self._next_order = chance.randrange(1_000, 9_000)

    def events(self) -> list[Event]:
        """Everything that ordinarily happens, in the order of time."""
        found = [Event(utc(self.days[0], 1), "first load", lambda: self.load(self.days[0] - timedelta(days=1)))]
        for day in self.days:
            found += self._of_day(day)
        return sorted(found, key=lambda event: event.at)

    def at(self, told: datetime) -> None:
        """What follows happens at this time (UTC)."""
        self.history.table.at(told)

    def run(self, events: list[Event]) -> None:
        """Let it all happen."""
        for event in events:
            self.at(event.at)
            event.happen()
            self.happened[self.history.number] = event.at

    def _of_day(self, day: date) -> list[Event]:
        before = day - timedelta(days=1)
        told: list[tuple[tuple[int, int], str, Callable[[], object]]] = [
            (MORNING, "morning", lambda: self.stream(utc(day, *MORNING))),
            (NOON, "noon", lambda: self.stream(utc(day, *NOON))),
            (EVENING, "evening", lambda: self.stream(utc(day, *EVENING))),
        ]
        if day != self.days[0]:
            told.append((NIGHTLY, "load", lambda: self.load(before)))
        if day > self.days[1]:
            told.append((COMPACTION, "maintenance", lambda: self.compacts(before - timedelta(days=1))))
        if day.weekday() in (_MONDAY, _THURSDAY) and day != self.days[0]:
            told.append((CORRECTING, "corrections", lambda: self.correct(before)))
        if day.weekday() == _WEDNESDAY:
            told.append((ERASING, "privacy", lambda: self.erase(day)))
        return [Event(utc(day, *at), job, happen) for at, job, happen in told]

    # rows -------------------------------------------------------------------------------------------------------------

    def sold(self, day: date, count: int, hour: int, hours: int = 1) -> list[Row]:
        """New orders of some hours of a day."""
        rows = []
        for _ in range(count):
            self._next_order += 1
            at = utc(day, hour) + timedelta(minutes=self.chance.randrange(60 * hours - 1))
            customer, city = self.chance.choice(_CUSTOMERS), self.chance.choice(_CITIES)
            rows.append(Row(self._next_order, customer, city, self.chance.randrange(1, 9), at))
        return rows

    # jobs -------------------------------------------------------------------------------------------------------------

    def store_files(self, day: date) -> list[Stored]:
        """What the stores sold on a day, a file for each."""
        history, chance = self.history, self.chance
        return [history.data(self.sold(day, chance.randrange(8, 21), 8, 11)) for _ in range(_STORES)]

    def load(self, day: date) -> int:
        """The nightly load of what the stores sold on a day."""
        return self.append_load(day, self.store_files(day))

    def append_load(self, day: date, files: list[Stored]) -> int:
        """Append these files in the name of that load."""
        return self.history.append(LOAD, *files, summary={"load-id": f"stores-{day}"})

    def stream(self, at: datetime, name: str = "") -> int:
        """The stream commits what the web shop sold in the hour before; into a file of this name, if there is one."""
        self.epoch += 1
        file = self.history.data(self.sold(at.date(), self.chance.randrange(3, 10), at.hour - 1), name=name)
        told = {"spark.sql.streaming.queryId": self._query, "epochId": str(self.epoch)}
        return self.history.append(STREAM, file, attempts=self.tries, summary=told)

    def correct(self, day: date) -> int | None:
        """Two orders of a day get another city: MERGE, merge-on-read. The number; None if the day is closed."""
        if day in self.closed or not self.history.data_of(day):
            return None
        entry = self.chance.choice(self.history.data_of(day))
        chosen = self.history.visible(entry)[:2]
        mask = self.history.positions(entry.file, [position for position, _ in chosen])
        again = [Row(r.order_id, r.customer, "Zug", r.pieces, r.ordered_at) for _, r in chosen]
        return self.history.row_delta(CORRECTIONS, [self.history.data(again)], [mask])

    def erase(self, today: date) -> None:
        """The orders of one customer in the last week go: DELETE, merge-on-read."""
        history, customer = self.history, self.someone(today)
        masks, rows = [], []
        for entry in self._lately(today):
            found = [(n, row) for n, row in history.visible(entry) if row.customer == customer]
            if found:
                masks.append(history.positions(entry.file, [n for n, _ in found]))
                rows += [row for _, row in found]
        if masks:
            began_at = history.number
            number = history.row_delta(PRIVACY, deletes=masks)
            self.erased = Erased(customer, tuple(masks), tuple(rows), began_at, number)

    def someone(self, today: date) -> str:
        """A customer with orders of the last week, of days that are not closed."""
        rows = [row for entry in self._lately(today) for _, row in self.history.visible(entry)]
        return self.chance.choice(sorted({row.customer for row in rows}) or list(_CUSTOMERS))

    def _lately(self, today: date) -> list[Entry]:
        days = [day for day in self.days if today - _WEEK <= day <= today and day not in self.closed]
        return [entry for day in days for entry in self.history.data_of(day)]

    def compact(self, day: date) -> int | None:
        """The files of a day become one, without deleted rows and the deletes of them; so do older files with deletes.

        The number; None where there is nothing to do.
        """
        history = self.history
        masked = {d.file.day for d in history.entries if d.file.positions} - {None}
        days = sorted(d for d in {day, *masked} if d is not None and d <= day and d not in self.closed)
        old: list[Stored] = []
        new: list[Stored] = []
        deletes: list[Stored] = []
        for own in days:
            entries = history.data_of(own)
            applied = history.deletes_of(e.file for e in entries)
            if len(entries) < 2 and not applied:
                continue
            old += [entry.file for entry in entries]
            deletes += applied
            new.append(history.data([row for entry in entries for _, row in history.visible(entry)]))
        if not old:
            return None
        return history.rewrite(MAINTENANCE, old, new, began_at=history.number, deletes=deletes)
