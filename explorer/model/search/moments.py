"""Dates and times as a person writes them: which stretch of time is meant; UTC where no zone is named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_UNTIL_THE_MINUTE = re.compile(r".*[T ]\d{2}:?\d{2}(Z|[+-]\d{2}:?\d{2})?$")
_DAY = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_AS_TOLD = re.compile(r"(\d{1,2}) ([A-Za-z]{3})[a-z]*(?: (\d{4}))?(?: (\d{2}:\d{2}\S*))?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time, or all of a day or minute.

    Attributes:
        begin: first moment; end: last one that milliseconds can tell. Both UTC.
        words: `14 Mar 2026`, `14 Mar 2026 10:20`.
    """

    begin: datetime
    end: datetime
    words: str


def moment(text: str, newest: datetime | None = None) -> Moment | None:
    """What a text such as `2026-03-14`, `2026-03-14 10:20` or `2026-03-14T10:20:07.5+02:00` means; or None.

    Args:
        text: as a person wrote it; also as pictures write times: `14 Mar 2026`, `14 Mar 10:20`.
        newest: the latest that a time without a year can be; None takes no such times.
    """
    plain = text.strip().removesuffix("UTC").strip()
    plain = _iso(plain, newest) or plain
    if not _DAY.match(plain):
        return None
    try:
        at = datetime.fromisoformat(plain)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        day = f"{at.day} {at:%b} {at.year}"
        if _DAY.fullmatch(plain):
            return _stretch(at, at + timedelta(days=1), day)
        if _UNTIL_THE_MINUTE.fullmatch(plain):
            return _stretch(at, at + timedelta(minutes=1), f"{day} {at:%H:%M}")
        return Moment(at, at, f"{day} {at:%H:%M:%S}")
    except (ValueError, OverflowError):  # 30 February; a time zone at the edge of the calendar
        return None


def looks_like_one(text: str) -> bool:
    """Whether a text begins as a date does, of the calendar or not."""
    return re.match(r"\d{4}-\d{2}-\d{2}", text.strip()) is not None


def _iso(plain: str, newest: datetime | None) -> str:
    """A time as pictures write it, as ISO 8601 does; empty if it is none."""
    told = _AS_TOLD.fullmatch(plain)
    if told is None or told[2].casefold() not in _MONTHS or (told[3] is None and newest is None):
        return ""
    day = f"{_MONTHS.index(told[2].casefold()) + 1:02}-{int(told[1]):02}"
    year = int(told[3]) if told[3] else 0
    if newest is not None and not year:
        year = newest.year - (day > f"{newest:%m-%d}")
    return f"{year:04}-{day}" + (f" {told[4]}" if told[4] else "")


def _stretch(begin: datetime, end: datetime, words: str) -> Moment:
    return Moment(begin, end - timedelta(milliseconds=1), words)
