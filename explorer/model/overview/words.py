"""What the history says at a glance, in words: as a whole, of a commit, of a day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import numpy as np

from .. import formats
from ..arrays import NULL, Longs
from ..snapshot_graph.words import name
from .facts import Overview

TOTALS = ("rows in files", "data files", "delete files")
"""A file counts its rows when it is written; those that deletes mask since are among them."""


def totals(overview: Overview) -> tuple[Longs, Longs, Longs]:
    """The running totals in the order of `TOTALS`."""
    return overview.records, overview.data_files, overview.delete_files


def last_totals(overview: Overview) -> tuple[int | None, int | None, int | None]:
    """The totals of the current snapshot, in the order of `TOTALS`; None if not recorded, or without one."""
    head = np.flatnonzero(overview.on_line)[-1:]
    found = [next((int(n) for n in column[head].tolist() if n != NULL), None) for column in totals(overview)]
    return found[0], found[1], found[2]


def summary(overview: Overview) -> str:
    """All of it in two sentences, for those who do not see it."""
    if not overview.count:
        return "No snapshot is listed."
    parts = [formats.count(overview.count, "commit")]
    days = overview.days
    if len(days.day):
        parts.append(f"{formats.count(len(days.day), 'day')} with commits of the current line")
    parts += _counted(last_totals(overview))
    return f"{', '.join(parts)}. {busiest(overview)}".strip()


def _counted(found: Iterable[int | None]) -> list[str]:
    """`574 rows in files`, `150 data files`, without what is not recorded."""
    units = (("row", " in files"), ("data file", ""), ("delete file", ""))
    told = zip(found, units, strict=True)
    return [f"{formats.count(n, unit)}{where}" for n, (unit, where) in told if n is not None]


def busiest(overview: Overview) -> str:
    """The day that wrote most against the usual one, a sentence; empty where no day wrote a row."""
    usual, written = overview.usual_day, overview.days.written
    if usual is None:
        return ""
    most = int(np.argmax(written))
    if len(written) == 1:
        return f"On {day(overview, most)} {formats.count(int(written[most]), 'row')} changed."
    times = written[most] / max(usual, 1)
    return (
        f"A usual day writes {formats.compact(usual)} rows; {day(overview, most)} wrote"
        f" {formats.compact(int(written[most]))}, {times:.1f}×."
    )


def day(overview: Overview, index: int) -> str:
    """`14 Mar 2026` of a row of the days."""
    at: date = overview.days.day[index].astype(object)
    return f"{formats.day(at)} {at.year}"


def told_day(overview: Overview, index: int) -> str:
    """`14 Mar 2026: 40,218 rows inserted, 120 updated`; a lower bound where a commit does not count."""
    days = overview.days
    parts = [
        f"{n:,} {what}"
        for n, what in (
            (int(days.inserted[index]), "inserted"),
            (int(days.updated[index]), "written or removed by overwrites"),
            (int(days.deleted[index]), "deleted"),
        )
        if n
    ]
    rows = f"rows: {', '.join(parts)}" if parts else "no row changed"
    least = "" if days.known[index] else " at least; not every commit counts"
    return f"{day(overview, index)}: {rows}{least}"


def commit(overview: Overview, index: int) -> list[str]:
    """A commit in lines: what it is, when, the totals after it, and what its day changed."""
    node = overview.graph.nodes[index]
    of_day = int(np.searchsorted(overview.days.first, index, side="right")) - 1
    held = _counted(None if column[index] == NULL else int(column[index]) for column in totals(overview))
    return [
        f"{name(overview.graph, node)} · {node.snapshot.operation or 'operation not recorded'}",
        formats.instant(node.snapshot.committed_at),
        ", ".join(held) or "totals are not recorded",
        *([told_day(overview, of_day)] if overview.on_line[index] and of_day >= 0 else []),
    ]
