"""A commit that removed a large part of the table.

Source: specification, "Snapshots" (summary, optional fields): added-records, deleted-records, total-records. What a
copy-on-write commit carries over is in both, so that only their difference counts. A position of a delete file is of a
row that an older delete may hide already: where there was one, rows masked are told as the most that it can be.
"""

from __future__ import annotations

from collections import Counter

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql
from ..repairs import lacking, not_at

SHARE, CRITICAL = 0.2, 0.5
_HABIT = 3, 0.25  # so many such commits of one writer, and such a share of its commits, are how it works


def examine(known: Known) -> Outcome:
    """By the summaries of the line."""
    lost, told = [], 0
    for snapshot in known.line:
        parent = known.parent(snapshot)
        before = parent.count("total-records") if parent else None
        if before is None:
            continue
        told += 1
        gone = _lost(snapshot)
        if before and gone is not None and gone >= SHARE * before:
            lost.append((snapshot, before, gone))
    if not told and len(known.line) > 1:
        return CannotSay("The summaries count no rows.", "the manifests that the commits added")
    commits = Counter(map(known.writer, known.line))
    habits = {
        name
        for name, n in Counter(known.writer(s) for s, _, _ in lost).items()
        if n >= _HABIT[0] and n > _HABIT[1] * commits[name]
    }
    unusual = [found for found in lost if known.writer(found[0]) not in habits]
    if not unusual:
        habit = f"; {', '.join(sorted(habits))} does so regularly" if habits else ""
        return Clean(f"the summaries of {formats.count(told, 'commit')}{habit}")
    return _finding(known, unusual)


def _lost(snapshot: Snapshot) -> int | None:
    """Rows that a commit took from readers, net, as far as its summary says; masked ones too."""
    added, deleted = snapshot.count("added-records"), snapshot.count("deleted-records")
    if added is None or deleted is None or snapshot.operation not in ("overwrite", "delete"):
        return None
    masked = (snapshot.count("added-position-deletes") or 0) - (snapshot.count("removed-position-deletes") or 0)
    return deleted - added + max(masked, 0)


def _may_be_hidden_already(known: Known, snapshot: Snapshot) -> bool:
    """Whether rows that a commit masked may be such as an older delete hid: the summary counts positions, not rows."""
    parent = known.parent(snapshot)
    is_first = parent is not None and parent.count("total-delete-files") == 0
    return bool(snapshot.count("added-position-deletes")) and not is_first


def _finding(known: Known, lost: list[tuple[Snapshot, int, int]]) -> Finding:
    worst, before, gone = max(lost, key=lambda found: found[2])
    share = min(gone / before, 1)
    parent = known.parent(worst)
    empty = worst.count("total-data-files") == 0
    later = [s for s in known.line if s.sequence_number > worst.sequence_number]
    further = f", the most of {len(lost)} such commits" if len(lost) > 1 else ""
    replaced = worst.summary.get("replace-partitions") == "true"
    removed = formats.count(min(gone, before), "row")
    at_most = "at most " if _may_be_hidden_already(known, worst) else ""
    title = f"Commit {known.number(worst)} removed {at_most}{share:.0%} of the table: {removed}{further}"
    reason = "That the rows left is counted in the summary; whether it was meant is stored nowhere."
    if at_most:
        reason = (
            "The summary counts positions of delete files; an older delete may hide the same rows already. "
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
                (known.number(s), known.writer(s), s.operation or "unknown", f"{b:,}", f"{g:,}")
                for s, b, g in sorted(lost, key=lambda found: -found[2])
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
