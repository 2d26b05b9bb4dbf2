"""Rows, files and entries of a story, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Row:
    """An order, as it is sold and as it is stored."""

    order_id: int
    customer: str
    city: str
    pieces: int
    ordered_at: datetime

    @property
    def day(self) -> date:
        """The day of its partition."""
        return self.ordered_at.date()


@dataclass(frozen=True, eq=False)
class Stored:
    """A data file, or a file of deletes, as the library's own value, and what is in it.

    Attributes:
        value: a `DataFile` or `DeleteFile` of the Java library.
        path: as the manifest has it.
        day: of its partition; None where it lies in a partition of nulls.
        rows: of a data file, by position.
        positions: of position deletes, by path of the data file.
        keys: of equality deletes, order ids.
    """

    value: Any
    path: str
    day: date | None
    rows: tuple[Row, ...] = ()
    positions: Mapping[str, frozenset[int]] = field(default_factory=dict)
    keys: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Entry:
    """A live entry: a file under the data sequence number that it counts by."""

    file: Stored
    number: int


def utc(day: date, hour: int, minute: int = 0) -> datetime:
    """A time of a day."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)


def on_disk(location: str) -> Path:
    """Where this process finds a file of the local disk."""
    return Path(urlsplit(location).path)
