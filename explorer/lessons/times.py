"""When the commits of a lesson happened and who made them, as its story tells it: here it was one Spark in a minute.

A story either sets a clock while its statements run, or says over how many working days they are spread. The metadata
is then written once more with the told times in place of the real ones; their order stays as it was.
"""

from __future__ import annotations

import os
import random
import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

SIGNATURE = "app"
"""The key under which a commit of a story names its writer. Iceberg takes no property of the name that it keeps the
Spark application's under, `app-name`, so that is replaced when the metadata is written once more."""

_OPENS, _CLOSES = 8, 18  # hours of a working day, UTC
_FRIDAY = 4
_WEEK = timedelta(weeks=1) // timedelta(milliseconds=1)
_JITTER = 0.35  # of the distance between two acts that are evenly spread
_ONE_ACT = 15  # milliseconds: a snapshot and the metadata that lists it are made within a few, two statements are not


@dataclass
class Clock:
    """What time it is in a story. All times in milliseconds since 1970, as Iceberg writes them, unless said otherwise.

    Attributes:
        now: when the building began (UTC); a story that ends today ends a little earlier.
    """

    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    _real: list[int] = field(default_factory=list)
    _told: list[int] = field(default_factory=list)
    _writers: list[str] = field(default_factory=list)

    def set(self, told: datetime, writer: str = "") -> None:
        """From here on it is `told` in the story, and time runs on; later than all that was told before.

        Args:
            told: UTC.
            writer: who makes the commits that are not signed; empty: nobody in particular.
        """
        self._set(time.time_ns() // 1_000_000, _millis(told), writer)

    def spread(self, moments: Sequence[int], working_days: int, story: str) -> None:
        """Lay what was done into so many working days before now, the last act a little before it.

        Args:
            moments: real times, ascending.
            working_days: Mondays to Fridays, in office hours, UTC.
            story: its name; another one has other hours, the same one always the same.
        """
        chance = random.Random(story)  # noqa: S311 - not for secrets
        end = self.now - timedelta(minutes=chance.uniform(12, 50))
        work = working_days * timedelta(hours=_CLOSES - _OPENS)
        *early, last = [moment for before, moment in pairwise([0, *moments]) if moment - before > _ONE_ACT]
        for place, act in enumerate(early):
            before_end = (len(early) - place + chance.uniform(-_JITTER, _JITTER)) / len(early)
            self._set(act, _millis(_working_time(end, work * before_end)), "")
        self._set(last, _millis(end), "")

    def told(self, real: int) -> int:
        """The told time of a real one; the same where nothing was told.

        A machine whose clock is behind the story hears it whole weeks earlier: no commit lies in the future.
        """
        if not self._told:
            return real
        place = self._place(real)
        weeks_ahead = -(-max(self._told[-1] - _millis(self.now), 0) // _WEEK)
        return self._told[place] + real - self._real[place] - weeks_ahead * _WEEK

    def writer(self, real: int) -> str:
        """Who made a commit at that real time, unless it is signed; empty if nobody in particular."""
        return self._writers[self._place(real)] if self._writers else ""

    def _set(self, real: int, told: int, writer: str) -> None:
        self._real.append(real)
        self._told.append(told)
        self._writers.append(writer)

    def _place(self, real: int) -> int:
        return max(bisect_right(self._real, real) - 1, 0)


def _working_time(end: datetime, before: timedelta) -> datetime:
    """The time with so much working time between it and `end`."""
    day = end.replace(hour=0, minute=0, second=0, microsecond=0)
    while True:
        opens, closes = day.replace(hour=_OPENS), min(day.replace(hour=_CLOSES), end)
        if day.weekday() <= _FRIDAY and closes > opens:
            if before < closes - opens:
                return closes - before
            before -= closes - opens
        day -= timedelta(days=1)


def moments(document: Mapping[str, Any]) -> list[int]:
    """Every real time that a metadata document names, ascending, each once."""
    logged = (*document.get("snapshots", ()), *document.get("snapshot-log", ()), *document.get("metadata-log", ()))
    return sorted({document["last-updated-ms"], *(item["timestamp-ms"] for item in logged)})


def retold(document: Mapping[str, Any], clock: Clock) -> dict[str, Any]:
    """The document with the times and writers of the story.

    Source: Iceberg specification, "Table Metadata Fields" and "Snapshots".

    Raises:
        ValueError: the story tells what was done in another order than it was done in.
    """
    told = {moment: clock.told(moment) for moment in moments(document)}
    if any(later <= earlier for earlier, later in pairwise(told.values())):
        raise ValueError("The story's clock was set back, or commits took longer than the time between two settings.")
    again = dict(document) | {"last-updated-ms": told[document["last-updated-ms"]]}
    again["snapshots"] = [_signed(snapshot, clock) for snapshot in document.get("snapshots", ())]
    for key in ("snapshots", "snapshot-log", "metadata-log"):
        again[key] = [item | {"timestamp-ms": told[item["timestamp-ms"]]} for item in again.get(key, ())]
    return again


def date_files(folder: Path, clock: Clock) -> None:
    """Give each file below the folder the told time of its writing: what a lost attempt wrote is told by such dates."""
    for file in folder.rglob("*"):
        if file.is_file():
            told = clock.told(file.stat().st_mtime_ns // 1_000_000)
            os.utime(file, ns=(told * 1_000_000, told * 1_000_000))


def _signed(snapshot: Mapping[str, Any], clock: Clock) -> dict[str, Any]:
    summary = dict(snapshot["summary"])
    writer = summary.pop(SIGNATURE, clock.writer(snapshot["timestamp-ms"]))
    return {**snapshot, "summary": summary | ({"app-name": writer} if writer else {})}


def _millis(at: datetime) -> int:
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
