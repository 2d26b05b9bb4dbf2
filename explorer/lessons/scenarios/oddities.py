"""What is odd in a history and harms nothing: a false trail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from .habits import Event, Life
from .stored import utc

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Oddity:
    """Something harmless.

    Attributes:
        at: hour and minute, UTC.
        happen: does it.
        said: what a person says of it, with `{day}` for the weekday.
    """

    at: tuple[int, int]
    happen: Callable[[Life, date], object]
    said: str

    def event(self, life: Life, day: date) -> Event:
        """What happens on a day."""
        return Event(utc(day, *self.at), "oddity", lambda: self.happen(life, day))

    def words(self, day: date) -> str:
        """What a person says of it."""
        return self.said.format(day=f"{day:%A}")


def _sale(life: Life, day: date) -> None:
    """A sale: four times the orders of a usual day, in one hour."""
    life.history.append("flash-sale", life.history.data(life.sold(day, 60, 15)))


def _restated(life: Life, day: date) -> None:
    """A job writes a day anew as it is: many rows go and come, and none is another."""
    history, own = life.history, day - _DAY
    entries = history.data_of(own)
    if own not in life.closed and entries:
        rows = [row for entry in entries for _, row in history.visible(entry)]
        history.overwrite_day("restatement", own, history.data(rows))


def _retried(life: Life, day: date) -> None:
    """One commit that needed three attempts."""
    life.history.append("partner-orders", life.history.data(life.sold(day, 6, 14)), attempts=3)


ODDITIES = (
    Oddity((16, 12), _sale, "On {day} there was a sale, with more orders in an hour than on other days."),
    Oddity((7, 30), _restated, "On {day} finance restated the day before; they say that they changed nothing."),
    Oddity((15, 25), _retried, "On {day} a partner's load reported conflicts, and then that all went well."),
)
