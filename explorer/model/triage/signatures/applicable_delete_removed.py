"""A commit that removed a delete which still applied: deleted rows are back.

Source: specification, "Scan Planning" (scope of deletes), "Deletion Vectors" (a new one holds what the old one held).
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute

from ... import formats
from ...arrays import NULL, Longs
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known, told_once
from ..repairs import deleted_again
from ..scope import is_global

_MOST_PATHS = 10_000  # of files that are compared with the bounds of one delete
Removal = tuple[Snapshot, int, Longs]
"""The commit, the delete and the data files that are left in its scope; both as lifetimes."""


def examine(known: Known) -> Outcome:
    """By the deletes that each commit removed, the data files that it left, and the deletes that it added instead."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    found, commits = removals(known)
    if not found:
        return Clean(f"{formats.count(commits, 'commit')} that removed deletes")
    snapshot = found[0][0]
    parent = known.parent(snapshot)
    equality = any(files.kind[d] == 2 for _, d, _ in found)
    named = all(files.target[d] >= 0 for _, d, _ in found)
    data = np.unique(np.concatenate([bared for _, _, bared in found]))
    rows = sum(int(files.records[d]) for _, d, _ in found if files.kind[d] != 2)
    by = "keys" if equality else formats.count(rows, "row")
    before = f"{known.named.table} VERSION AS OF {parent.snapshot_id if parent else 0}"
    statement, verify = deleted_again(known, f"{before} AS s", "s._deleted")
    return Finding(
        f"Commit {known.number(snapshot)} removed {formats.count(len(found), 'delete')} that still applied to"
        f" {formats.count(len(data), 'file')}: {by} may be back",
        "wrong answers" if named or equality or any(s.operation != "replace" for s, _, _ in found) else "information",
        "exact" if named else "inferred",
        "It names positions of a file that is live after it, and nothing took its place."
        if named
        else "That these files were in its scope is exact; whether it holds a key or row of them, its content tells.",
        formats.count(len(found), "delete"),
        "one delete with a live file in its scope and no successor",
        "A delete may go only when nothing that it deletes is left.",
        known.first(snapshot),
        Evidence(
            ("commit", "delete removed", "rows or keys", "files left in its scope", "iceberg-version"),
            tuple(
                (
                    known.number(s),
                    files.name(d),
                    f"{files.records[d]:,}",
                    f"{len(bared):,}",
                    s.summary.get("iceberg-version", "unknown"),
                )
                for s, d, bared in found[:100]
            ),
            len(found),
            tuple(dict.fromkeys(s.snapshot_id for s, _, _ in found)),
            files.names(data),
            sql=f"SELECT\n  count(*) AS masked\nFROM {before}\nWHERE _deleted",
        ),
        ruled_out=("a delete that a vector or a newer file of the same scope took over",),
        not_ruled_out=(
            "files whose rows had been dropped already",
            *(() if named else ("a delete that held rows of other files alone",)),
        ),
        next_certainty="the rows of these files at both snapshots",
        fixes=(
            Fix(
                statement,
                "What was masked at the parent is deleted again.",
                "Equal rows that were inserted since are hit too.",
                known.undo,
                verify,
            ),
        ),
        question=f"t.compare({parent.snapshot_id if parent else 0}, {snapshot.snapshot_id}, rows=True)",
    )


@told_once
def removals(known: Known) -> tuple[list[Removal], int]:
    """Removals of deletes that still applied; and how many commits removed any."""
    files = known.files
    if files is None:
        return [], 0
    removing = [s for s in known.line if np.any(files.kind[files.removed_by(s)] != 0)]
    return [(s, delete, data) for s in removing for delete, data in _bared(known, files, s)], len(removing)


def _bared(known: Known, files: Files, snapshot: Snapshot) -> list[tuple[int, Longs]]:
    """Deletes that a commit removed, each with the data files in its scope that lived before and live after."""
    lifetimes = files.lifetimes
    step = lifetimes.steps.get(lifetimes.place[snapshot.snapshot_id])
    if step is None or step.before is None:
        return []
    gone = files.removed_by(snapshot)
    gone = gone[files.kind[gone] != 0]
    before = lifetimes.live_at(lifetimes.place[step.before])
    after = lifetimes.live_at(lifetimes.place[snapshot.snapshot_id])
    number, (codes, _) = lifetimes.data_sequence_number, files.path_only
    stays = np.flatnonzero(before & after & (files.kind == 0) & (number != NULL))
    added = files.added_by(snapshot)
    added = added[files.kind[added] != 0]
    everywhere = is_global(files, known.metadata.specs)
    found = []
    for delete in gone.tolist():
        own = int(number[delete])
        if own == NULL:
            continue
        is_equality = files.kind[delete] == 2
        scope = stays[number[stays] < own] if is_equality else stays[number[stays] <= own]
        if files.target[delete] >= 0:
            scope = scope[codes[scope] == files.target[delete]]
        elif files.target[delete] == -2:
            continue
        elif not everywhere[delete]:
            scope = scope[files.place[scope] == files.place[delete]]
        if not is_equality and files.target[delete] == -1 and len(scope) <= _MOST_PATHS:
            scope = _within(files, delete, scope)
        if is_equality:
            heirs = added[(files.kind[added] == 2) & (number[added] >= own)]
            heirs = heirs[everywhere[heirs] | (files.place[heirs] == files.place[delete])]
            scope = scope[:0] if len(heirs) else scope
        else:
            positions = added[(files.kind[added] == 1) | (files.kind[added] == 3)]
            scope = scope[~np.isin(codes[scope], files.target[positions])]
            at_large = positions[files.target[positions] == -1]
            scope = scope[~np.isin(files.place[scope], files.place[at_large])]
            # A vector that lives on beside it had taken its place before.
            vectors = np.flatnonzero(after & (files.kind == 3))
            scope = scope[~np.isin(codes[scope], files.target[vectors])]
        if len(scope):
            found.append((delete, scope))
    return found


def _within(files: Files, delete: int, data: Longs) -> Longs:
    """Those of data files whose paths lie in the bounds of the paths that a position delete file names."""
    own = int(files.lifetimes.rows[delete])
    bounds = (files.lifetimes.entries.column(name)[own].as_py() for name in ("lower_path", "upper_path"))
    paths = files.lifetimes.paths(data)
    for bound, inside in zip(bounds, (pa.compute.greater_equal, pa.compute.less_equal), strict=True):
        if bound is not None:
            kept = np.asarray(inside(paths, bound), dtype=bool)
            paths, data = paths.filter(pa.array(kept)), data[kept]
    return data


SIGNATURE = Signature(
    "applicable-delete-removed", "rows returned", "deletes removed while they still applied", "manifests", examine
)
