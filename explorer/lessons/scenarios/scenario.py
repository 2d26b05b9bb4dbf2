"""A story with a seed: so many days in the life of a table of orders, and perhaps an incident among them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path

from ..lesson import Lesson, LiveTable
from .habits import Life
from .history import History
from .incident import Incident, Told
from .incidents import INCIDENTS
from .oddities import ODDITIES
from .stored import utc

_FIRST = date(2026, 3, 2)  # a Monday
_PROPERTIES = {
    # A shop that must show its books for years keeps its history on purpose.
    "history.expire.max-snapshot-age-ms": str(10 * 365 * 24 * 3600 * 1000),
    "write.delete.mode": "merge-on-read",
    "write.merge.mode": "merge-on-read",
    "write.update.mode": "merge-on-read",
}


@dataclass(frozen=True)
class Scenario:
    """Which story it is. Equal ones are written alike: the same commits in the same order, with the same rows.

    Attributes:
        name: of the table, below the catalog: `drills.level_1_seed_3`.
        seed: of everything that is left to chance.
        weeks: how long it is.
        cause: the incident, by the name of its signature; None: nothing goes wrong.
        with_oddity: whether something happens besides that is odd and harmless.
    """

    name: str
    seed: int
    weeks: int = 2
    cause: str | None = None
    with_oddity: bool = False

    @property
    def incident(self) -> Incident | None:
        """What goes wrong; None if nothing does."""
        return INCIDENTS[self.cause] if self.cause else None

    @property
    def days(self) -> list[date]:
        """The days of the story, Monday to Sunday."""
        first = _FIRST + timedelta(weeks=random.Random(f"weeks {self.seed}").randrange(8))  # noqa: S311
        return [first + timedelta(days=n) for n in range(7 * self.weeks)]

    @property
    def _day(self) -> date:
        """On which it goes wrong: enough lies before to be ordinary, and enough after to hide it."""
        days = self.days
        middle = days[max(3, 3 * len(days) // 8) : 5 * len(days) // 8 + 1]
        return random.Random(f"day {self.seed} {self.cause}").choice(middle)  # noqa: S311

    def write(self, table: LiveTable) -> Written:
        """Write the table, and say what was done."""
        chance = random.Random(f"life {self.seed}")  # noqa: S311 - not for secrets
        days = self.days
        day = self._day
        table.at(utc(days[0], 0, 30))
        history = History(table, chance, _PROPERTIES)
        life = Life(history, chance, days)
        told: list[Told] = []
        events = self.incident.events(life, day, told.append) if self.incident else life.events()
        oddity = ""
        if self.with_oddity:
            odd = chance.choice(ODDITIES)
            oddity_day = day + timedelta(days=chance.choice((-2, -1, 1, 2)))
            events = sorted([*events, odd.event(life, oddity_day)], key=lambda event: event.at)
            oddity = odd.words(oddity_day)
        life.run(events)
        history.finish()
        return Written(
            history, told[0] if told else None, history.snapshot_id(told[0].number) if told else None, oddity
        )

    def lesson(self, tell: Callable[[Written], None]) -> Lesson:
        """The story as a lesson of the sandbox; `tell` hears what was written when it is."""
        return _Story(
            self.name,
            "A drill",
            "Weeks of ordinary life by several writers, and something that went wrong.",
            lambda table: tell(self.write(table)),
        )


@dataclass(frozen=True, eq=False)
class Written:
    """What was written.

    Attributes:
        history: what was committed, and what readers see.
        told: of the incident; None if nothing went wrong.
        snapshot_id: of the commit from which on it is so.
        oddity: what a person says of what is odd and harmless; empty if there is nothing.
    """

    history: History
    told: Told | None
    snapshot_id: int | None
    oddity: str


@dataclass(frozen=True)
class _Story(Lesson):
    """A lesson that is another one when any module of the generator changes."""

    @cached_property
    def version(self) -> str:
        """As of `Lesson`."""
        found = hashlib.sha256(super().version.encode())
        for file in sorted(Path(__file__).parent.rglob("*.py")):
            found.update(file.read_bytes())
        return found.hexdigest()[:16]
