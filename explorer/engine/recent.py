"""The tables that were opened last on this machine, in a small file among the explorer's own."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .folders import explorer_home, write_at_once

_MOST = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecentTable:
    """A table that was opened.

    Attributes:
        name: what opens it again: its name in SQL, or a path.
        opened_at: when it was opened last, UTC.
    """

    name: str
    opened_at: datetime


def recent_tables() -> list[RecentTable]:
    """The last ten, newest first; none if the file is missing or is not what was written."""
    try:
        written = json.loads(_file().read_text("utf-8"))
        return [RecentTable(str(name), datetime.fromisoformat(at)) for name, at in written]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        _log.warning("%s is not read: %s", _file(), error)
        return []


def remember(name: str) -> None:
    """Put a table first among the recent ones. Where the file cannot be written, nothing is remembered."""
    tables = [RecentTable(name, datetime.now(UTC)), *(table for table in recent_tables() if table.name != name)]
    text = json.dumps([(table.name, table.opened_at.isoformat()) for table in tables[:_MOST]], indent=1)
    file = _file()
    try:
        write_at_once(file, text)
    except OSError as error:
        _log.warning("%s is not written: %s", file, error)


def _file() -> Path:
    return explorer_home() / "recent_tables.json"
