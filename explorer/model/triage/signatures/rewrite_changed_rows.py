"""A compaction that changed rows.

Source: specification, "Snapshots" (operation `replace`: files were replaced without changing the data). Rows that
deletes masked may be left out of the new files, and no others.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known
from ..repairs import lacking


def examine(known: Known) -> Outcome:
    """By the row counts of the files that each replace commit removed and added."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    replaces = [s for s in known.line if s.operation == "replace"]
    found = [(s, *difference) for s in replaces if (difference := _difference(files, s)) is not None]
    breaches = [
        (s, removed, added, masked) for s, removed, added, masked in found if not _is_explained(removed, added, masked)
    ]
    if not breaches:
        return Clean(f"{formats.count(len(found), 'replace commit')}: rows removed and added agree, less deleted ones")
    s, removed, added, masked = breaches[0]
    parent = known.parent(s)
    lost = removed - added - masked  # what deletes had masked before is not lost
    before = f"{known.named.table} VERSION AS OF {parent.snapshot_id if parent else 0}"
    after = f"{known.named.table} VERSION AS OF {s.snapshot_id}"
    left_out = f"SELECT\n  *\nFROM {before}\nEXCEPT ALL\nSELECT\n  *\nFROM {after}"
    return Finding(
        f"Compaction {known.number(s)} lost {formats.count(lost, 'row')}"
        if lost > 0
        else f"Compaction {known.number(s)} added {formats.count(added - removed, 'row')}",
        "wrong answers",
        "exact",
        "A replace commit may leave out rows that deletes masked, and nothing else; the counts of its files differ.",
        f"{removed:,} rows removed, {added:,} added, {masked:,} masked at most",
        "any row more or less than the deletes explain",
        "The operation `replace` promises the same rows.",
        known.first(s),
        Evidence(
            ("commit", "rows removed", "rows added", "masked, at most", "writer"),
            tuple((known.number(x), f"{r:,}", f"{a:,}", f"{m:,}", known.writer(x)) for x, r, a, m in breaches),
            len(breaches),
            tuple(x.snapshot_id for x, *_ in breaches),
            files.names(files.removed_by(s)),
            sql=f"SELECT\n  *\nFROM {before}\nEXCEPT ALL\nSELECT\n  *\nFROM {after}",
        ),
        ruled_out=("deletes that the compaction applied",),
        next_certainty="the rows of that commit: the files that it removed and added",
        fixes=(
            Fix(
                f"INSERT INTO {known.named.table}\n{left_out}",
                "The rows that the compaction left out are there again.",
                "Rows that were deleted since on purpose would come back with them; stop that maintenance first.",
                known.undo,
                lacking(known, left_out),
            ),
        ),
        question=f"t.commit({s.snapshot_id}, rows=True)",
    )


def _is_explained(removed: int, added: int, masked: int) -> bool:
    return 0 <= removed - added <= masked


def _difference(files: Files, snapshot: Snapshot) -> tuple[int, int, int] | None:
    """Rows of the data files removed and added, and how many deletes may have masked; None of metadata alone."""
    lifetimes = files.lifetimes
    step = lifetimes.steps.get(lifetimes.place[snapshot.snapshot_id])
    if step is None or step.before is None:
        return None
    gone, came = files.removed_by(snapshot), files.added_by(snapshot)
    gone, came = gone[files.kind[gone] == 0], came[files.kind[came] == 0]
    if not len(gone) and not len(came):
        return None
    before = lifetimes.live_at(lifetimes.place[step.before])
    deletes = before & (files.kind != 0)
    removed = int(files.records[gone].sum())
    codes, _ = files.path_only
    named = deletes & np.isin(files.target, codes[gone])
    masked = int(files.records[named].sum())
    at_large = deletes & (files.target == -1)
    equality = at_large & (files.kind == 2)
    # How many rows a delete masks that names keys, or files of a whole partition, no metadata tells.
    if np.any(equality) or np.any(at_large & np.isin(files.place, files.place[gone])):
        masked = removed
    return removed, int(files.records[came].sum()), masked


SIGNATURE = Signature("rewrite-changed-rows", "rows lost", "a compaction that changed rows", "manifests", examine)
