"""Deletes that reach no live file.

Source: specification, "Scan Planning". They cost planning and reading and change nothing; that a delete missed what it
was for is `raced-delete`.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..repairs import still_listed
from ..scope import UNKNOWN, reached


def examine(known: Known) -> Outcome:
    """By the reach of all live deletes."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    deletes = files.live & (files.kind != 0)
    if not deletes.any():
        return Clean("no live delete")
    specs = known.metadata.specs
    reach = known.reach
    dangling = np.flatnonzero(deletes & (reach == 0))
    unknown = int(np.count_nonzero(deletes & (reach == UNKNOWN)))
    looked_at = formats.count(int(deletes.sum()), "live delete")
    if not len(dangling):
        return Clean(looked_at + (f"; of {unknown:,} it cannot be told" if unknown else ""))

    def holds(place: int) -> bool:
        live = files.lifetimes.live_at(files.lifetimes.place[known.line[place].snapshot_id])
        own = dangling[live[dangling]]
        return bool(len(own)) and bool(np.any(reached(files, live, specs)[own] == 0))

    share = len(dangling) / int(deletes.sum())
    size = int(files.size[dangling].sum())
    return Finding(
        f"{formats.count(len(dangling), 'delete')} of {int(deletes.sum()):,} "
        f"{'reaches' if len(dangling) == 1 else 'reach'} no live file",
        "hygiene" if share > 0.1 and len(dangling) >= 100 else "information",
        "exact",
        "No live data file is in its scope by partition, path and sequence number.",
        f"{formats.count(len(dangling), 'delete')}, {formats.size(size)}",
        "one; a hundred, and a tenth of all, are worth a cleaning",
        "A few are left by every compaction.",
        known.always_since(holds),
        Evidence(
            ("delete", "partition", "rows or keys", "added at"),
            tuple(
                (
                    files.name(n),
                    files.partition(n) or "all",
                    f"{files.records[n]:,}",
                    known.number_of(files.born_at(n)),
                )
                for n in dangling[:100].tolist()
            ),
            len(dangling),
            tuple(dict.fromkeys(s.snapshot_id for n in dangling[:100].tolist() if (s := files.born_at(n)))),
            files.names(dangling),
            sql=f"SELECT\n  content,\n  count(*) AS deletes\nFROM {known.named.table}.delete_files\nGROUP BY content",
        ),
        not_ruled_out=("raced-delete: a delete that missed its file, which would be harmful",),
        fixes=(
            Fix(
                known.named.call_by_name("rewrite_data_files", options="map('remove-dangling-deletes', 'true')"),
                "Deletes that reach nothing are removed.",
                "From Iceberg 1.12 on only: up to 1.11.0 it removed deletes that still applied.",
                known.undo,
                still_listed(known, files, dangling),
            ),
        ),
        question="t.deletes()",
    )


SIGNATURE = Signature("dangling-deletes", "metadata hygiene", "deletes that reach no file", "manifests", examine)
