"""A delete that has never reached a file.

Source: specification, "Scan Planning"; an equality delete written as `unpartitioned()` under a partitioned spec lies in
a partition of nulls, where no data is (#14678 of apache/iceberg).
"""

from __future__ import annotations

import re

import numpy as np

from ... import formats
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, entries_sql
from ..scope import UNKNOWN, reached

_ALL_NULL = re.compile(r"[^=/]+=null(/[^=/]+=null)*")


def examine(known: Known) -> Outcome:
    """By live equality deletes that reach nothing: of a partition of nulls, and of commits that only delete.

    An upsert of a key that was never there reaches nothing either, and is as it should be.
    """
    files = known.files
    if files is None:
        return Clean("no snapshot")
    equality = files.live & (files.kind == 2)
    if not equality.any():
        return Clean("no live equality delete")
    reach = known.reach
    idle = np.flatnonzero(equality & (reach == 0))
    specs = known.metadata.specs
    misplaced = [n for n in idle.tolist() if specs.get(int(files.spec[n])) and _ALL_NULL.fullmatch(files.partition(n))]
    born = {n: files.born_at(n) for n in idle.tolist()}
    alone = [
        n
        for n in idle.tolist()
        if n not in misplaced and (s := born[n]) is not None and s.operation == "delete" and _never(known, n)
    ]
    found = misplaced or alone
    unknown = int(np.count_nonzero(equality & (reach == UNKNOWN)))
    if not found:
        more = f"; of {unknown} it cannot be told" if unknown else ""
        return Clean(f"{formats.count(int(equality.sum()), 'live equality delete')}{more}")
    first = known.earliest(map(born.get, found))
    rows = int(files.records[found].sum())
    why = "it lies in a partition of nulls" if misplaced else "no data file was ever in its scope"
    chosen = np.array(found, np.int64)
    return Finding(
        f"{formats.count(len(found), 'equality delete')} of {formats.count(rows, 'key')} never reached a file: {why}",
        "wrong answers",
        "exact" if misplaced else "inferred",
        "The reach is exact; what its writer wanted is not recorded.",
        formats.count(len(found), "delete"),
        "one that is misplaced, or a commit that only deletes and reached nothing",
        "A delete without new rows is meant to hit something.",
        known.first(first),
        Evidence(
            ("delete", "partition", "keys", "since"),
            tuple(
                (files.name(n), files.partition(n), f"{files.records[n]:,}", known.number_of(born[n]))
                for n in found[:100]
            ),
            len(found),
            tuple(dict.fromkeys(s.snapshot_id for n in found[:100] if (s := born[n]))),
            files.names(chosen),
            sql=entries_sql(
                known,
                f"data_file.file_path,\n  data_file.{'partition' if known.is_partitioned else 'spec_id'},\n"
                "  data_file.record_count",
                "status < 2 AND data_file.content = 2",
            ),
        ),
        ruled_out=("an upsert of new keys, which deletes nothing",),
        next_certainty="" if misplaced else "the keys in the delete file",
        fixes=(
            Fix(
                f"DELETE FROM {known.named.table}\nWHERE <the keys of the delete file>",
                "What the delete was meant to hit is gone.",
                "Rows that were inserted since under these keys go too.",
                known.undo,
                f"SELECT\n  *\nFROM {known.named.table}\nWHERE <the keys of the delete file>",
            ),
        ),
        question="t.deletes()",
    )


def _never(known: Known, lifetime: int) -> bool:
    """Whether a delete reached nothing either when it was committed."""
    files = known.files
    born = files.born_at(lifetime) if files else None
    if files is None or born is None:
        return False
    live = files.lifetimes.live_at(files.lifetimes.place[born.snapshot_id])
    return int(reached(files, live, known.metadata.specs)[lifetime]) == 0


SIGNATURE = Signature(
    "delete-never-applied", "rows returned", "deletes that never reached a file", "manifests", examine
)
