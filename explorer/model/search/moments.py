"""Dates and times as a person writes them: which stretch of time is meant; UTC where no zone is named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_UNTIL_THE_MINUTE = re.compile(r".*[T ]\d{2}:?\d{2}(Z|[+-]\d{2}:?\d{2})?$")
_DAY = re.compile(r"\d{4}-?\d{2}-?\d{2}")


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


def moment(text: str) -> Moment | None:
    """What a text such as `2026-03-14`, `2026-03-14 10:20` or `2026-03-14T10:20:07.5+02:00` means; or None."""
    plain = text.strip().removesuffix("UTC").strip()
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


def _stretch(begin: datetime, end: datetime, words: str) -> Moment:
    return Moment(begin, end - timedelta(milliseconds=1), words)
