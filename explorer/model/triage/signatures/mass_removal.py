"""A commit that removed a large part of the table.

Source: specification, "Snapshots" (summary, optional fields): added-records, deleted-records, total-records. What a
copy-on-write commit carries over is in both, so that only their difference counts. A position of a delete file is of a
row that an older delete may hide already: where there was one, rows masked are told as the most that it can be. So may
rows of the files that a commit removed be hidden: their positions are told from the deletes that name these files.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ... import formats
from ...arrays import Longs
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql
from ..repairs import lacking, not_at

SHARE, CRITICAL = 0.2, 0.5
_LOOKED_AT = 100  # commits, those that removed most, of which is told which of their rows were masked before
_HABIT = 3, 0.25  # so many such commits of one writer, and such a share of its commits, are how it works


def examine(known: Known) -> Outcome:
    """By the summaries of the line."""
    told, large = 0, []
    for snapshot in known.line:
        parent = known.parent(snapshot)
        if parent is None or (rows := parent.count("total-records")) is None:
            continue
        told += 1
        gone, least = _gone(snapshot), rows - (parent.count("total-position-deletes") or 0)
        if rows and gone is not None and sum(gone) >= max(SHARE * least, 1):
            large.append((snapshot, parent, rows, gone))
    large.sort(key=lambda one: -sum(one[-1]))
    lost = []
    for snapshot, parent, rows, gone in large[:_LOOKED_AT]:
        before, found = max(rows - _masked(known, parent), 0), _lost(known, parent, snapshot, *gone)
        if before and found.most >= SHARE * before:
            lost.append((snapshot, before, found))
    unread = [snapshot for snapshot, _, _, _ in large[_LOOKED_AT:]]
    lost.sort(key=lambda one: one[0].sequence_number)
    if not told and len(known.line) > 1:
        return CannotSay("The summaries count no rows.", "the manifests that the commits added")
    commits = Counter(map(known.writer, known.line))
    habits = {
        name
        for name, n in Counter(map(known.writer, [*(s for s, _, _ in lost), *unread])).items()
        if n >= _HABIT[0] and n > _HABIT[1] * commits[name]
    }
    unusual = [found for found in lost if known.writer(found[0]) not in habits]
    if not unusual:
        habit = f"; {', '.join(sorted(habits))} does so regularly" if habits else ""
        return Clean(f"the summaries of {formats.count(told, 'commit')}{habit}")
    return _finding(known, unusual)


@dataclass(frozen=True, slots=True)
class _Lost:
    """Rows that a commit took from readers, net: at least, and at most."""

    least: int
    most: int


def _gone(snapshot: Snapshot) -> tuple[int, int] | None:
    """Rows that a commit took out with their files, net, and those that it masked; as its summary says."""
    added, deleted = snapshot.count("added-records"), snapshot.count("deleted-records")
    if added is None or deleted is None or snapshot.operation not in ("overwrite", "delete"):
        return None
    positions = (snapshot.count("added-position-deletes") or 0) - (snapshot.count("removed-position-deletes") or 0)
    return deleted - added, max(positions, 0)


def _lost(known: Known, parent: Snapshot, snapshot: Snapshot, net: int, masked: int) -> _Lost:
    """What of these was visible before."""
    # Of the positions of a first delete none is of a row that was hidden before.
    certain = masked if parent.count("total-delete-files") == 0 else 0
    if net <= 0:
        return _Lost(max(net + certain, 0), max(net + masked, 0))
    hidden = _hidden(known, parent, snapshot)
    return _Lost(max(net - hidden.most, 0) + certain, max(net - hidden.least, 0) + masked)


def _masked(known: Known, snapshot: Snapshot, only: Longs | None = None) -> int:
    """Positions that live deletes of single live data files hold; of these lifetimes of data files alone, if given.

    0 where manifests were not read.
    """
    files = known.files
    place = None if files is None else files.lifetimes.place.get(snapshot.snapshot_id)
    if files is None or place is None:
        return 0
    live = files.lifetimes.live_at(place)
    data = np.flatnonzero(live & (files.kind == 0)) if only is None else only
    deletes = live & ((files.kind == 1) | (files.kind == 3))
    return int(files.records[deletes & np.isin(files.target, files.path_only[0][data])].sum())


def _hidden(known: Known, parent: Snapshot, snapshot: Snapshot) -> _Lost:
    """Rows of the data files that a commit removed which deletes of its parent hid already."""
    if parent.count("total-delete-files") == 0:
        return _Lost(0, 0)
    every, positions = snapshot.count("deleted-records") or 0, parent.count("total-position-deletes")
    by_keys = parent.count("total-equality-deletes") != 0  # which rows these hide no metadata tells
    if positions is None or by_keys:
        positions = every
    files = known.files
    place = None if files is None else files.lifetimes.place.get(parent.snapshot_id)
    if files is None or place is None:
        return _Lost(0, min(positions, every))
    removed = files.removed_by(snapshot)
    named = _masked(known, parent, removed[files.kind[removed] == 0])
    at_large = files.lifetimes.live_at(place) & ((files.kind == 1) | (files.kind == 3)) & (files.target == -1)
    most = every if by_keys else min(named + int(files.records[at_large].sum()), every)
    return _Lost(named, most)


def _finding(known: Known, lost: list[tuple[Snapshot, int, _Lost]]) -> Finding:
    worst, before, found = max(lost, key=lambda found: found[2].most)
    gone = min(found.most, before)
    share = gone / before
    parent = known.parent(worst)
    empty = worst.count("total-data-files") == 0
    later = [s for s in known.line if s.sequence_number > worst.sequence_number]
    further = f", the most of {len(lost)} such commits" if len(lost) > 1 else ""
    replaced = worst.summary.get("replace-partitions") == "true"
    removed = formats.count(gone, "row")
    at_most = "at most " if found.least < found.most else ""
    title = f"Commit {known.number(worst)} removed {at_most}{share:.0%} of the table: {removed}{further}"
    reason = "That the rows left is counted in the summary; whether it was meant is stored nowhere."
    if at_most:
        reason = (
            "Older deletes may have hidden some of these rows already: positions and rows of files are counted. "
            "Whether it was meant is stored nowhere."
        )
    at_parent = f"{known.named.table} VERSION AS OF {parent.snapshot_id if parent else 0}"
    restored = f"SELECT\n  *\nFROM {at_parent}\nWHERE <what should not have gone>"
    fixes = (
        Fix(
            f"INSERT INTO {known.named.table}\n{restored}",
            "The rows that are named come back; later commits stay.",
            "Rows that were inserted again since would be there twice: compare the two points first.",
            known.named.call("rollback_to_snapshot", str(known.head.snapshot_id)) if known.head else "",
            lacking(known, restored),
        ),
        Fix(
            known.named.call("rollback_to_snapshot", str(parent.snapshot_id if parent else 0)),
            "The table is as it was before that commit.",
            f"Drops {formats.count(len(later), 'later commit')}; the schema is not rolled back.",
            known.named.call("set_current_snapshot", str(known.head.snapshot_id)) if known.head else "",
            not_at(known, parent.snapshot_id if parent else 0),
        ),
    )
    return Finding(
        title,
        "wrong answers" if share >= CRITICAL or empty else "information",
        "inferred" if at_most else "exact",
        reason,
        f"{at_most}{share:.0%} of {formats.count(before, 'row')}",
        f"{SHARE:.0%} of the rows before; {CRITICAL:.0%} is grave",
        "A day of an ordinary retention job is less than a fifth of most tables.",
        known.first(min((s for s, _, _ in lost), key=lambda s: s.sequence_number)),
        Evidence(
            ("commit", "writer", "operation", "rows before", "rows removed"),
            tuple(
                (known.number(s), known.writer(s), s.operation or "unknown", f"{b:,}", f"{min(g.most, b):,}")
                for s, b, g in sorted(lost, key=lambda found: -found[2].most)
            ),
            len(lost),
            tuple(s.snapshot_id for s, _, _ in lost),
            sql=snapshots_sql(known, [s for s, _, _ in lost]),
        ),
        ruled_out=("a job of the same writer that removes as much regularly",),
        not_ruled_out=("whether a person wanted it", *(("a dynamic overwrite of partitions",) if replaced else ())),
        next_certainty="the rows themselves: the data files that the commit removed",
        fixes=fixes if not later else fixes[:1],
        question=f"t.commit({worst.snapshot_id}, rows=True)",
    )


SIGNATURE = Signature(
    "mass-removal", "rows lost", "a commit that removed a large part of the rows", "metadata.json", examine
)
