"""Compactions that change nothing, or that compact each other's output.

Source: summaries of `replace` commits (added-data-files, deleted-data-files); the planner of rewrite_data_files counts
deletes that name one file alone, and `delete-file-threshold` is off by default.
"""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql

_LEAST_EFFECT, _IN_A_ROW, _LOOP, _WITHIN = 0.1, 3, 0.5, timedelta(hours=24)


def examine(known: Known) -> Outcome:
    """By the summaries of the replace commits; loops by their files too, where manifests were read."""
    replaces = [s for s in known.line if s.operation == "replace" and (s.count("deleted-data-files") or 0) > 0]
    if not replaces and any(s.operation == "replace" and s.count("added-data-files") is None for s in known.line):
        return CannotSay("The summaries of compactions do not count their files.")
    if not replaces:
        return Clean("no compaction on the line")
    run = _longest_run(replaces)
    loop = _loop(known, replaces)
    if len(run) < _IN_A_ROW and not loop:
        return Clean(f"{formats.count(len(replaces), 'compaction')}")
    shown = loop if len(run) < _IN_A_ROW else run
    removed = sum(s.count("deleted-data-files") or 0 for s in shown)
    added = sum(s.count("added-data-files") or 0 for s in shown)
    what = "rewrote what a compaction had just written" if shown is loop else "left as many files as there were"
    return Finding(
        f"{formats.count(len(shown), 'compaction')} in a row {what}: {removed:,} files became {added:,}",
        "cost",
        "exact",
        "The counts of files stand in the summaries." if shown is run else "The entries name who wrote each file.",
        f"{removed:,} → {added:,} files",
        f"fewer than {_LEAST_EFFECT:.0%} of the files gone, {_IN_A_ROW} times in a row; or half of the bytes removed"
        f" written by a compaction within {formats.duration(_WITHIN)}",
        "A compaction that removes no file costs what one that helps costs.",
        known.first(shown[0]),
        Evidence(
            ("commit", "files removed", "files added", "bytes written"),
            tuple(
                (
                    known.number(s),
                    formats.count(s.count("deleted-data-files")),
                    formats.count(s.count("added-data-files")),
                    formats.size(s.count("added-files-size")),
                )
                for s in shown
            ),
            len(shown),
            tuple(s.snapshot_id for s in shown),
            sql=snapshots_sql(known, shown[:20]),
        ),
        not_ruled_out=("a sort that leaves as many files, better clustered",),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files", options="map('delete-file-threshold', '1', 'remove-dangling-deletes', 'true')"
                ),
                "Files with deletes are chosen too, which the defaults leave.",
                "It may rewrite much: ask the dry run first.",
                known.undo,
                f"SELECT\n  file_path\nFROM {known.named.table}.delete_files",
            ),
        ),
        question=f"t.commit({shown[-1].snapshot_id})",
    )


def _longest_run(replaces: list[Snapshot]) -> list[Snapshot]:
    """The longest row of compactions of which none had an effect. One that takes deletes away has one."""
    longest: list[Snapshot] = []
    run: list[Snapshot] = []
    for snapshot in replaces:
        removed, added = snapshot.count("deleted-data-files") or 0, snapshot.count("added-data-files") or 0
        idle = (removed - added) / removed < _LEAST_EFFECT and not snapshot.count("removed-delete-files")
        run = [*run, snapshot] if idle else []
        longest = max(longest, run, key=len)
    return longest


def _loop(known: Known, replaces: list[Snapshot]) -> list[Snapshot]:
    """Compactions of which more than half of the bytes removed had been written by one shortly before."""
    files = known.files
    if files is None:
        return []
    ids = {s.snapshot_id: s for s in replaces}
    found = []
    for snapshot in replaces:
        gone = files.removed_by(snapshot)
        gone = gone[files.kind[gone] == 0]
        total, again = int(files.size[gone].sum()), 0
        for born in np.unique(files.lifetimes.added_id[gone]).tolist():
            by = ids.get(born)
            if by and by.committed_at and snapshot.committed_at and snapshot.committed_at - by.committed_at < _WITHIN:
                again += int(files.size[gone][files.lifetimes.added_id[gone] == born].sum())
        if total and again > _LOOP * total:
            found.append(snapshot)
    return found if len(found) >= _IN_A_ROW else []


SIGNATURE = Signature(
    "compaction-without-effect",
    "maintenance without effect",
    "compactions that change nothing",
    "metadata.json",
    examine,
)
