"""What an incident is: something that one job does wrong on one day, and what a person sees of it later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from .habits import ERASING, Erased, Event, Life
from .stored import Row, Stored, utc


@dataclass(frozen=True, slots=True)
class Told:
    """What was done, as whoever did it knows it, and what a person says of it.

    Attributes:
        number: sequence number of the commit from which on it is so.
        title: what the person says, one line.
        words: the rest of it.
        probe: a statement over `{t}`, of which the answer changes at that commit; empty where no statement's does.
        good: sequence number of a commit at which the answer was right; None: the oldest.
    """

    number: int
    title: str
    words: str
    probe: str = ""
    good: int | None = None


@dataclass(frozen=True)
class Incident:
    """Something that goes wrong.

    Attributes:
        cause: the name under which a triage finds it.
        symptom: what it looks like, as a triage calls it.
        at: hour and minute, UTC.
        happen: does it, in the life of a table, on a day.
        instead_of: jobs that do not run that day, since this is what became of them.
        erases_before: whether the privacy job runs on the evening before, so that something is deleted.
    """

    cause: str
    symptom: str
    at: tuple[int, int]
    happen: Callable[[Life, date], Told]
    instead_of: tuple[str, ...] = ()
    erases_before: bool = False

    def events(self, life: Life, day: date, tell: Callable[[Told], None]) -> list[Event]:
        """What happens in the life of a table with this incident on a day, in the order of time."""
        ordinary = [
            event
            for event in life.events()
            if not (event.at.date() == day and event.job in self.instead_of)
            and not (self.erases_before and event.job == "privacy" and abs((event.at.date() - day).days) < 3)
        ]
        own = [Event(utc(day, *self.at), self.cause, lambda: tell(self.happen(life, day)))]
        if self.erases_before:
            evening = day - timedelta(days=1)
            own.append(Event(utc(evening, *ERASING), "privacy", lambda: life.erase(evening)))
        return sorted((*ordinary, *own), key=lambda event: event.at)


def compacted(life: Life, file: Stored, *, without: Erased | None = None) -> Stored:
    """The new file that a compaction writes for one: the rows that are seen, and those of deletes it did not see."""
    history = life.history
    entry = next(entry for entry in history.entries if entry.file is file)
    seen = dict(history.visible(entry))
    if without is not None:
        for mask in without.masks:
            seen |= {n: file.rows[n] for n in mask.positions.get(file.path, ())}
    return history.data([row for _, row in sorted(seen.items())])


def how_often(row: Row) -> str:
    """A statement that counts one order."""
    return "SELECT count(*) FROM {t} WHERE order_id = ID".replace("ID", str(row.order_id))


def spoken(day: date) -> str:
    """`Tuesday, 12 May`."""
    return f"{day:%A}, {day.day} {day:%B}"


def plural(count: int, name: str) -> str:
    """`1 order`, `12 orders`."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
