"""Partitions with many more files than their bytes need.

Sources: `write.target-file-size-bytes` [512 MB], `read.split.open-file-cost` [4 MB]; Iceberg's planner of
rewrite_data_files (files below 0.75 of the target, groups of at least `min-input-files` [5]).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import distinct
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known
from ..repairs import as_many
from ..since import Since

_OPEN, _EXCESS, _WARN, _CRITICAL, _SMALL, _INPUT = 4 * 1024 * 1024, 100, 0.25, 1.0, 0.75, 5


def examine(known: Known) -> Outcome:
    """By the live data files of each partition: how many are more than needed, and what opening them costs."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    data = np.flatnonzero(files.live & (files.kind == 0))
    if not len(data):
        return Clean("no live data file")
    target = known.target_size
    places, group = distinct(files.place[data])
    count = np.bincount(group)
    size = np.bincount(group, weights=files.size[data])
    excess = np.maximum(count - np.ceil(size / target).astype(np.int64), 0)
    overhead = count * _OPEN / np.maximum(size, 1)
    bad = np.flatnonzero((overhead > _WARN) & (excess >= _EXCESS))
    looked_at = f"{formats.count(len(data), 'data file')} in {formats.count(len(places), 'partition')}"
    tiny = bool(size.sum() < target)
    if not len(bad):
        small = int(np.count_nonzero(files.size[data] < _SMALL * target))
        less = "; together they have less than one file's target size" if tiny else ""
        return Clean(f"{looked_at}; {small:,} below {formats.size(int(_SMALL * target))}{less}")
    worst = bad[np.argsort(-excess[bad])]
    one = worst[0]
    sample = data[group == one]
    name = files.partition(int(sample[0])) or "the table"
    writers: dict[str, int] = {}
    for lifetime in sample[-2000:].tolist():
        if (s := files.born_at(lifetime)) is not None:
            writers[known.writer(s)] = writers.get(known.writer(s), 0) + 1
    who = max(writers, key=lambda w: writers[w], default="unknown")
    per_commit = [
        (s.count("added-data-files") or 0) and (s.count("added-files-size") or 0) / (s.count("added-data-files") or 1)
        for s in known.line
    ]
    means = [None if not mean else -mean for mean in per_commit]
    grouped = "partition" if known.is_partitioned else "spec_id"
    grave = bool(overhead[worst].max() > _CRITICAL)
    return Finding(
        f"{name} has {count[one]:,} files where {max(int(np.ceil(size[one] / target)), 1):,} would do"
        + (f"; so have {len(bad) - 1:,} more partitions" if len(bad) > 1 else ""),
        "hygiene" if tiny else "slow" if grave else "cost",
        "exact",
        "Counted from the live entries; the target is the table's own.",
        f"{int(excess[bad].sum()):,} files too many, {formats.size(int(size[one] / count[one]))} each",
        f"{_EXCESS} files too many, and {_WARN:.0%} of the bytes read only for opening; {_CRITICAL:.0%} is grave",
        "Spark plans each open as 4 MB of reading.",
        _since(known, files, int(files.place[sample[0]]), means),
        Evidence(
            ("partition", "files", "would do", "bytes", "mean", "opening costs"),
            tuple(
                (
                    files.partition(int(data[group == n][0])) or "all",
                    f"{count[n]:,}",
                    f"{max(int(np.ceil(size[n] / target)), 1):,}",
                    formats.size(int(size[n])),
                    formats.size(int(size[n] / count[n])),
                    f"{overhead[n]:.0%}",
                )
                for n in worst[:100].tolist()
            ),
            len(bad),
            files=files.names(sample),
            sql=f"SELECT\n  {grouped},\n  count(*) AS files,\n  sum(file_size_in_bytes) AS bytes\n"
            f"FROM {known.named.table}.data_files\nGROUP BY {grouped}\nORDER BY files DESC",
        ),
        ruled_out=() if tiny else ("a table of less than one file's target size",),
        not_ruled_out=(
            f"a stream that needs its files soon: most are by {who}",
            *(("a table so small that it matters little: it has less than one file's target size",) if tiny else ()),
        ),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files",
                    where="'<partitions that nobody writes to>'",
                    options="map('partial-progress.enabled', 'true')",
                ),
                "The files of a partition are written together.",
                "It races writers in hot partitions; the old files stay until they expire.",
                known.undo,
                as_many(known, "data_files", len(data)),
            ),
        ),
        question="t.partitions()",
    )


def _since(known: Known, files: Files, place: int, means: list[float | None]) -> Since:
    """When commits began to be small; where they always were, when the partition first had too many files."""
    trend = known.trend(means, -16 * 1024 * 1024)
    if trend.snapshot is not known.line[0]:
        return trend
    lifetimes, target = files.lifetimes, known.target_size
    own = (files.kind == 0) & (files.place == place)

    def holds(at: int) -> bool:
        live = own & lifetimes.live_at(lifetimes.place[known.line[at].snapshot_id])
        needed = int(np.ceil(files.size[live].sum() / target))
        return int(np.count_nonzero(live)) - needed >= _EXCESS

    return known.always_since(holds)


SIGNATURE = Signature("small-files", "slow reads", "partitions of many small files", "manifests", examine)
