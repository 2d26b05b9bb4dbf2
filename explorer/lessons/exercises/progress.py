"""Which exercises a person has passed, in a small file among the explorer's own."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path

from ...engine import explorer_home, write_at_once

_log = logging.getLogger(__name__)


def progress_file() -> Path:
    """Where it is kept. It need not exist yet."""
    return explorer_home() / "course.json"


def passed() -> dict[str, datetime]:
    """When each exercise was passed first (UTC), by its name; empty if there is no such file."""
    try:
        written = json.loads(progress_file().read_text("utf-8"))
        return {str(name): datetime.fromisoformat(at) for name, at in written.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        _log.warning("%s is not read: %s", progress_file(), error)
        return {}


def record(name: str) -> None:
    """An exercise was passed. Where the file cannot be written, that is forgotten."""
    known = passed()
    if name not in known:
        _write(known | {name: datetime.now(UTC)})


def forget() -> None:
    """No exercise was passed."""
    progress_file().unlink(missing_ok=True)


def _write(known: dict[str, datetime]) -> None:
    file = progress_file()
    text = json.dumps({name: at.isoformat() for name, at in known.items()}, indent=1)
    try:
        write_at_once(file, text)
    except OSError as error:
        _log.warning("%s is not written: %s", file, error)
