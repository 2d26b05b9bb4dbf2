"""Two commits that added the same rows under other names.

Sources: entries (record_count, file_size_in_bytes) of what commits added; `queryId` with `epochId`, Kafka Connect's
offsets and other load ids in summaries, which a writer that tries again leaves twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

import numpy as np

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known, snapshots_sql

_COMMITS, _WITHIN, _LEAST_FILES = 200, timedelta(days=7), 3
_LOAD_IDS = ("load-id", "load_id", "batch-id", "batch_id", "kafka.connect.commit-id")


def examine(known: Known) -> Outcome:
    """By the sizes and row counts of added files, and by ids of loads."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    appends = [s for s in known.line if s.operation in ("append", "overwrite")]
    pairs = [*_same_id(files, appends), *_same_files(files, appends)]
    if not pairs:
        return Clean(f"the files of {formats.count(len(appends), 'commit')}, none like another within a week")
    (first, second, why, certain) = next((pair for pair in pairs if pair[3]), pairs[0])
    rows = second.count("added-records")
    parent = known.parent(second)
    compared = (
        f"SELECT\n  *\nFROM {known.named.table}.changes  -- or the files of both commits\n"
        f"WHERE _commit_snapshot_id IN ({first.snapshot_id}, {second.snapshot_id})"
    )
    return Finding(
        f"Commits {known.number(first)} and {known.number(second)} look like one load: {formats.count(rows, 'row')}"
        f" twice ({why})",
        "wrong answers" if certain else "information",
        "inferred",
        "The writer's own id of the load is the same."
        if certain
        else "Counts and sizes agree; the rows were not read.",
        why,
        f"an equal id of the load; or at least {_LEAST_FILES} files of equal size and row count",
        "Loads of constant size have one or two files alike by chance, rarely three to the byte.",
        known.first(second),
        Evidence(
            ("first", "second", "writer", "rows", "what agrees"),
            tuple(
                (known.number(a), known.number(b), known.writer(b), formats.count(b.count("added-records")), w)
                for a, b, w, _ in pairs[:200]
            ),
            len(pairs),
            tuple(dict.fromkeys(s.snapshot_id for a, b, _, _ in pairs[:200] for s in (a, b))),
            files.names(files.added_by(second)),
            sql=snapshots_sql(known, [first, second]),
        ),
        not_ruled_out=("loads that are alike by nature",),
        next_certainty="the rows of both commits: if EXCEPT ALL is empty both ways, it is one load",
        fixes=(
            Fix(
                f"table.newDelete().deleteFile(<DataFile of commit {known.number(second)}>).commit()  // Java",
                "The files of the second load are gone, and nothing is rewritten.",
                "Pass the DataFile, never a path: through a Python gateway a path removes the file from storage at once"
                " and commits nothing. A SQL DELETE would hit both copies.",
                known.undo,
                compared,
            ),
        ),
        question=f"t.boundary({parent.snapshot_id if parent else first.snapshot_id}, {second.snapshot_id})",
    )


Pair = tuple[Snapshot, Snapshot, str, bool]


def _same_id(files: Files, commits: list[Snapshot]) -> Iterator[Pair]:
    """Commits that say they are the same load, with files of their own."""
    seen: dict[tuple[str, ...], Snapshot] = {}
    for s in commits:
        if not s.count("added-records"):
            continue
        keys = [(key, s.summary[key]) for key in _LOAD_IDS if s.summary.get(key)]
        if "queryId" in s.summary and "epochId" in s.summary:
            keys.append((f"epoch of stream {s.summary['queryId']}", s.summary["epochId"]))
        for key in keys:
            if key in seen and not _share_a_file(files, seen[key], s):
                yield seen[key], s, f"{key[0]} {key[1]}", True
            seen.setdefault(key, s)


def _same_files(files: Files, commits: list[Snapshot]) -> Iterator[Pair]:
    """Commits whose added files agree in size and row count, each with the last one before it."""
    seen: dict[tuple[tuple[int, int], ...], list[tuple[int, Snapshot]]] = defaultdict(list)
    for n, s in enumerate(commits):
        added = files.added_by(s)
        added = added[files.kind[added] == 0]
        if len(added) < _LEAST_FILES:
            continue
        alike = np.sort(np.rec.fromarrays((files.records[added], files.size[added])))
        key = tuple((int(r), int(b)) for r, b in alike.tolist())
        for place, before in reversed(seen[key]):
            if n - place > _COMMITS or not _within(before, s):
                break
            if not _share_a_file(files, before, s):
                yield before, s, f"{formats.count(len(added), 'file')} of equal size and row count", False
                break
        seen[key].append((n, s))


def _share_a_file(files: Files, before: Snapshot, after: Snapshot) -> bool:
    """Whether both added the same file: then its rows are no copy, which is another signature."""
    return bool(np.isin(files.path[files.added_by(after)], files.path[files.added_by(before)]).any())


def _within(before: Snapshot, after: Snapshot) -> bool:
    if before.committed_at is None or after.committed_at is None:
        return True
    return after.committed_at - before.committed_at <= _WITHIN


SIGNATURE = Signature("same-load-twice", "rows doubled", "two commits that added the same rows", "manifests", examine)
