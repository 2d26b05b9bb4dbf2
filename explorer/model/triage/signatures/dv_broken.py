"""Deletion vectors that no reader can plan with: two for one file, or one that is older than its file.

Source: specification, "Deletion Vectors" (at most one per data file in a snapshot).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import NULL
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, entries_sql
from ..repairs import not_at


def examine(known: Known) -> Outcome:
    """By the live deletion vectors and the files that they name."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    vectors = np.flatnonzero(files.live & (files.kind == 3))
    if not len(vectors):
        return Clean("no deletion vector")
    targets, count = np.unique(files.target[vectors], return_counts=True)
    several = vectors[np.isin(files.target[vectors], targets[(count > 1) & (targets >= 0)])]
    codes, _ = files.path_only
    data = np.flatnonzero(files.live & (files.kind == 0))
    number = files.lifetimes.data_sequence_number
    newest = {int(c): int(n) for c, n in zip(codes[data], number[data], strict=True)}
    spec = {int(c): (int(s), int(p)) for c, s, p in zip(codes[data], files.spec[data], files.place[data], strict=True)}
    odd = []
    for vector in vectors.tolist():
        of = newest.get(int(files.target[vector]))
        if of is None:
            continue
        if NULL not in (of, int(number[vector])) and number[vector] < of:
            odd.append((vector, "it is older than its file"))
        elif spec[int(files.target[vector])] != (int(files.spec[vector]), int(files.place[vector])):
            odd.append((vector, "its file lies in another partition"))
    found = [*((n, "another vector names the same file") for n in several.tolist()), *odd]
    if not found:
        return Clean(formats.count(len(vectors), "deletion vector"))
    born = [s for n, _ in found if (s := files.born_at(n))]
    newest_commit = max(born, key=lambda s: s.sequence_number, default=None)
    good = known.parent(newest_commit) if newest_commit else None
    chosen = np.array([n for n, _ in found], np.int64)
    return Finding(
        f"{formats.count(len(np.unique(files.target[several])), 'file')} with two deletion vectors: no engine can plan"
        if len(several)
        else f"{formats.count(len(odd), 'deletion vector')} that readers ignore or refuse: {odd[0][1]}",
        "blocks reading",
        "exact",
        "The entries name the file that each vector is for.",
        formats.count(len(found), "vector"),
        "one",
        "A snapshot has at most one vector for a file.",
        known.first(newest_commit),
        Evidence(
            ("vector", "rows", "added at", "what"),
            tuple(
                (files.name(n), f"{files.records[n]:,}", known.number_of(files.born_at(n)), w) for n, w in found[:100]
            ),
            len(found),
            tuple(dict.fromkeys(s.snapshot_id for s in born)),
            files.names(chosen),
            sql=entries_sql(
                known,
                "data_file.referenced_data_file,\n  count(*) AS vectors",
                "status < 2 AND data_file.file_format = 'PUFFIN'",
                "GROUP BY data_file.referenced_data_file\nHAVING count(*) > 1",
            ),
        ),
        ruled_out=("a commit that was refused for it, on a sound table",),
        fixes=(
            Fix(
                known.named.call("rollback_to_snapshot", str(good.snapshot_id)),
                f"The table is as it was at {known.number(good)}, before the second vector.",
                "Drops every later commit; no procedure merges two vectors.",
                known.named.call("set_current_snapshot", str(known.metadata.current_snapshot_id)),
                not_at(known, good.snapshot_id),
            ),
        )
        if good
        else (),
        question="t.deletes()",
    )


SIGNATURE = Signature(
    "dv-broken", "cannot be read", "deletion vectors that contradict each other", "manifests", examine
)
