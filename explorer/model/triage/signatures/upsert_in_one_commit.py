"""One commit with two versions of a key: its own equality delete cannot separate them.

Source: specification, "Scan Planning" (an equality delete applies to strictly older data files).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import Longs
from ...iceberg.metadata import Snapshot, long_from_text
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql, told_once

_CHECKPOINT = "flink.max-committed-checkpoint-id"


def examine(known: Known) -> Outcome:
    """By commits that add several data files of one partition and equality deletes. Only their rows prove it."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    found = suspects(known)
    if not found:
        return Clean("no commit adds several data files of one partition beside equality deletes")
    squashed_ones = [one for one in found if one[2]]
    size = sum(int(files.size[data].sum()) for _, data, _ in found)
    if not squashed_ones:
        return CannotSay(
            f"{formats.count(len(found), 'commit')} may hold two versions of a key; only their rows tell.",
            f"the rows of {formats.count(len(found), 'commit')}, {formats.size(size)}",
        )
    s, data, _ = squashed_ones[0]
    return Finding(
        f"Commit {known.number(s)} put several checkpoints into one: a key may be there in two versions",
        "information",
        "inferred",
        "Its checkpoint number jumped, and it adds several files of one partition with equality deletes.",
        formats.count(len(squashed_ones), "commit"),
        "one",
        "An equality delete never reaches files of its own commit.",
        known.first(s),
        Evidence(
            ("commit", "writer", "data files", "rows"),
            tuple(
                (known.number(x), known.writer(x), f"{len(d):,}", f"{int(files.records[d].sum()):,}")
                for x, d, _ in squashed_ones
            ),
            len(squashed_ones),
            tuple(x.snapshot_id for x, _, _ in squashed_ones),
            files.names(data),
            sql=snapshots_sql(known, [x for x, _, _ in squashed_ones[:20]]),
        ),
        not_ruled_out=("keys that are in one of the files alone", "position deletes of the same commit"),
        next_certainty=f"the rows of the commit: {formats.size(int(files.size[data].sum()))}",
        fixes=(
            Fix(
                f"MERGE INTO {known.named.table} AS t\nUSING <the newest version of each key, by the source>"
                " AS s\nON <key>\nWHEN MATCHED THEN DELETE  -- then insert them",
                "Each key is there once, in its newest version.",
                "The order within a commit is not recorded: without a column that tells it, it is a guess.",
                known.undo,
                f"SELECT\n  <key>\nFROM {known.named.table}\nGROUP BY <key>\nHAVING count(*) > 1",
            ),
        ),
        question=f"t.commit({s.snapshot_id}, rows=True)",
    )


@told_once
def suspects(known: Known) -> list[tuple[Snapshot, Longs, bool]]:
    """Commits that may hold two versions of a key, each with its data files, and whether it is several checkpoints."""
    files = known.files
    if files is None:
        return []
    found = []
    before: int | None = None
    for s in known.line:
        checkpoint = long_from_text(s.summary.get(_CHECKPOINT, ""))
        squashed = checkpoint is not None and before is not None and checkpoint - before > 1
        before = checkpoint if checkpoint is not None else before
        if not s.count("added-equality-delete-files") and "added-equality-delete-files" not in s.summary:
            continue
        added = files.added_by(s)
        data = added[files.kind[added] == 0]
        if not np.any(files.kind[added] == 2) or not len(data):
            continue
        _, together = np.unique(files.place[data], return_counts=True)
        if together.max() >= 2:
            found.append((s, data, squashed))
    return found


SIGNATURE = Signature(
    "upsert-in-one-commit", "rows doubled", "two versions of a key in one commit", "manifests", examine
)
