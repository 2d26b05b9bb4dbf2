"""Two writers that did not see each other.

Source: names of manifest lists (attempts of Java writers); the base of a commit is stored nowhere, so that this is
always inferred. INSERT OVERWRITE validates nothing by default.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import Longs
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known, snapshots_sql, told_once
from ..repairs import lacking, with_properties

_PREDECESSORS = 5


def examine(known: Known) -> Outcome:
    """By overwrites that were tried again and removed what had been added while they were on their way."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    found, retried = races(known)
    if not found:
        return Clean(f"{formats.count(retried, 'overwrite')} tried again; none removed what its rivals had added")
    snapshot, before, lost = found[0]
    rows = int(files.records[lost].sum())
    isolation = {k: v for k, v in known.metadata.properties.items() if k.endswith(".isolation-level")}
    serializable, as_before = with_properties(known, **{"write.merge.isolation-level": "serializable"})
    lost_rows = (
        f"SELECT\n  *\nFROM {known.named.table} VERSION AS OF {before[-1].snapshot_id if before else 0}\n"
        "WHERE <the rows of the files above>"
    )
    return Finding(
        f"Commit {known.number(snapshot)} removed {formats.count(rows, 'row')} that {known.numbered(before)} had added"
        " while it was on its way",
        "wrong answers",
        "inferred",
        "It was tried again, and removed files that its direct predecessors added; what it had read is not recorded.",
        f"{formats.count(len(lost), 'file')}, {formats.count(rows, 'row')}",
        "one file",
        "A writer that had seen these files would have been a commit of its own after them.",
        known.first(snapshot),
        Evidence(
            ("file", "rows", "added at", "removed at"),
            tuple(
                (
                    files.name(n),
                    f"{files.records[n]:,}",
                    known.number_of(files.born_at(n)),
                    known.number(snapshot),
                )
                for n in lost[:50].tolist()
            ),
            len(lost),
            tuple(s.snapshot_id for s, _, _ in found),
            files.names(lost),
            sql=snapshots_sql(known, [*before, snapshot]),
        ),
        ruled_out=("an overwrite at its first attempt",),
        not_ruled_out=(
            "an overwrite that was meant to replace these rows too",
            *(f"{key} = {value}" for key, value in isolation.items()),
        ),
        next_certainty=f"the rows, {formats.size(int(files.size[lost].sum()))}: whether they are in what replaced them",
        fixes=(
            Fix(
                f"INSERT INTO {known.named.table}\n{lost_rows}",
                "The lost rows are there again.",
                "Rows that the overwrite did take over would be there twice: compare first.",
                known.undo,
                lacking(known, lost_rows),
            ),
            Fix(
                serializable,
                "MERGE fails instead of passing over what others added.",
                "Writers fail more often.",
                as_before,
                "the property is among those of the table",
            ),
        ),
        question=f"t.commit({snapshot.snapshot_id}, rows=True)",
    )


@told_once
def races(known: Known) -> tuple[list[tuple[Snapshot, tuple[Snapshot, ...], Longs]], int]:
    """Commits that removed what the ones before them added, with these and the files; and how many were tried again."""
    files = known.files
    if files is None:
        return [], 0
    found = []
    retried = 0
    for n, snapshot in enumerate(known.line):
        if (snapshot.attempt or 0) <= 1 or snapshot.operation != "overwrite":
            continue
        retried += 1
        before = known.line[max(0, n - min(_PREDECESSORS, (snapshot.attempt or 1) - 1)) : n]
        lost = _lost(files, snapshot, before)
        if len(lost):
            found.append((snapshot, before, lost))
    return found, retried


def _lost(files: Files, snapshot: Snapshot, before: tuple[Snapshot, ...]) -> Longs:
    """Data files that a commit removed and one of these had added; a compaction adds nothing new."""
    gone = files.removed_by(snapshot)
    by = [s.snapshot_id for s in before if s.operation in ("append", "overwrite")]
    found: Longs = gone[(files.kind[gone] == 0) & np.isin(files.lifetimes.added_id[gone], by)]
    return found


SIGNATURE = Signature("raced-writes", "rows lost", "writers that did not see each other", "manifests", examine)
