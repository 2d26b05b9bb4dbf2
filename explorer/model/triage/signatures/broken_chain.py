"""A commit that began from nothing although the table had data.

Sources: specification, "Snapshots" (parent-snapshot-id), "Table Metadata" (snapshot-log). A replaced table begins anew
too: its first commit is a root that its own statement wrote, with the operation `overwrite`, or it follows main having
been removed, which the metadata file of that moment shows.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql


def examine(known: Known) -> Outcome:
    """By the parents of what main was set to, then by the files."""
    broken = [(old, new) for old, new in _roots(known) if not _is_replacement(old, new)]
    if not broken:
        return Clean(f"the parents of {formats.count(len(known.metadata.snapshots), 'snapshot')}")
    old, new = broken[0]
    shared = _shared_files(known, old, new)
    if shared:
        return Clean("the files of both sides: the commit kept those before it, only its parent is not recorded")
    certain = shared == 0
    if not certain and new.operation != "append":
        return CannotSay(f"Commit {known.number(new)} has no parent; it may be a replaced table.", "manifests")
    rows = old.count("total-records")
    return Finding(
        f"Commit {known.number(new)} started from nothing: {formats.count(rows, 'row')} of {known.number(old)} are no"
        " part of it",
        "wrong answers",
        "exact" if certain else "inferred",
        "No data file of the snapshot before is live in it; why its writer lost the parent is not recorded."
        if certain
        else "It has no parent and is an append; that no file was kept is told by manifests only.",
        "no parent",
        "a commit without parent after the first one",
        "Only the first commit of a table, or of a replaced one, has none.",
        known.first(new),
        Evidence(
            ("commit", "writer", "operation", "parent", "rows after"),
            tuple(
                (
                    known.number(s),
                    known.writer(s),
                    s.operation or "unknown",
                    known.number(p) if (p := known.parent(s)) else "none",
                    formats.count(s.count("total-records")),
                )
                for s in (old, new)
            ),
            2,
            (old.snapshot_id, new.snapshot_id),
            sql=snapshots_sql(known, [old, new]),
        ),
        ruled_out=("CREATE OR REPLACE TABLE AS SELECT, whose operation is overwrite",),
        not_ruled_out=("a table whose main was removed and begun again",),
        next_certainty="" if certain else "the manifests of both snapshots",
        fixes=(
            Fix(
                ";\n".join(
                    (
                        known.named.call("set_current_snapshot", str(old.snapshot_id)),
                        known.named.call("cherrypick_snapshot", str(new.snapshot_id)),
                    )
                ),
                "The old line is current again, with the rows of the stray commit added to it.",
                "Commits after the stray one are on main no more: pick each append too. Do it before anything expires.",
                known.named.call("set_current_snapshot", str(known.metadata.current_snapshot_id)),
                f"SELECT\n  file_path\nFROM {known.named.table}.files VERSION AS OF {old.snapshot_id}\nEXCEPT\nSELECT\n"
                f"  file_path\nFROM {known.named.table}.files",
            ),
        ),
        question=f"t.compare({old.snapshot_id}, {new.snapshot_id})",
    )


def _roots(known: Known) -> list[tuple[Snapshot, Snapshot]]:
    """What main left for a root, and the root."""
    found = []
    for move in known.graph.moves:
        old, new = known.metadata.by_id.get(move.from_id), known.metadata.by_id.get(move.to_id)
        if old is not None and new is not None and new.parent_id is None and new.sequence_number > old.sequence_number:
            found.append((old, new))
    return found


def _is_replacement(old: Snapshot, new: Snapshot) -> bool:
    """Whether the statement that wrote a root says that it replaced the table; also one whose schema is another."""
    return new.operation == "overwrite" or (
        new.schema_id is not None and old.schema_id is not None and new.schema_id != old.schema_id
    )


def _shared_files(known: Known, old: Snapshot, new: Snapshot) -> int | None:
    """Data files that are live in both; None if manifests were not read."""
    if known.history is None:
        return None
    lifetimes = known.history.lifetimes
    if {old.snapshot_id, new.snapshot_id} & known.history.unreadable_lists.keys():
        return None
    before, after = (lifetimes.live_at(lifetimes.place[s.snapshot_id]) for s in (old, new))
    return int(np.count_nonzero(before & after & (lifetimes.kinds == 0)))


SIGNATURE = Signature("broken-chain", "rows lost", "a commit that lost its parent", "metadata.json", examine)
