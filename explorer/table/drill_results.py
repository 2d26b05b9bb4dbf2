"""Every checked answer of a drill, kept in the user's data folder, for the trainer to gather: one CSV."""

from __future__ import annotations

import csv
import getpass
import io
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock

from ..engine import explorer_home
from ..model.drill.facts import Case, Verdict

COLUMNS = (
    "checked_at",
    "person",
    "level",
    "seed",
    "try",
    "commit",
    "cause",
    "repair",
    "commit_is",
    "cause_is",
    "repair_is",
    "is_solved",
    "hints",
    "has_given_up",
    "questions",
    "bytes_read",
)
"""One row for each answer that was checked. `questions` counts what was asked before, `bytes_read` what that read."""


def keep(
    case: Case,
    answer: tuple[int | str | None, str | None, str | None],
    verdict: Verdict,
    hints: int,
    *,
    has_given_up: bool,
) -> None:
    """Add an answer, as it was given, with how right it was, and what had been looked at before it."""
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    row = (
        f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        getpass.getuser(),
        case.level,
        case.seed,
        verdict.tries,
        *("" if part is None else part for part in answer),
        *(verdict.state(part) for part in ("commit", "cause", "repair")),
        verdict.is_solved,
        hints,
        has_given_up,
        len(verdict.questions),
        verdict.bytes_read,
    )
    with FileLock(f"{file}.lock"):
        is_new = not file.exists()
        with file.open("a", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerows([COLUMNS, row] if is_new else [row])


def results() -> str:
    """All of them as CSV; the header alone where none was checked yet."""
    file = _file()
    if file.exists():
        return file.read_text(encoding="utf-8")
    out = io.StringIO()
    csv.writer(out).writerow(COLUMNS)
    return out.getvalue()


def _file() -> Path:
    return explorer_home() / "drills" / "results.csv"
