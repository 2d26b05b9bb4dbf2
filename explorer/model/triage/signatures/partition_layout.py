"""Partitions that are skewed, far too many, or of a spec that nobody writes any more.

Sources: specification, "Partition Evolution" (files keep the spec that they were written with).
"""

from __future__ import annotations

from datetime import timedelta
from statistics import median

import numpy as np

from ... import formats
from ...arrays import distinct
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known
from ..since import Since

_SKEW, _MANY, _TINY, _OLD_AFTER, _LEAST = 10, 1_000, 16, timedelta(days=30), 5


def examine(known: Known) -> Outcome:
    """By rows and bytes of the live data files in each partition."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    data = np.flatnonzero(files.live & (files.kind == 0))
    if not len(data):
        return Clean("no live data file")
    places, group = distinct(files.place[data])
    rows, size = np.bincount(group, weights=files.records[data]), np.bincount(group, weights=files.size[data])
    total = int(rows.sum())
    reasons = []
    big = int(np.argmax(rows))
    name = files.partition(int(data[group == big][0]))
    target = known.target_size
    if len(places) >= _LEAST and rows[big] > _SKEW * max(median(rows.tolist()), 1) and size[big] > target:
        reasons.append(f"{name} holds {rows[big] / max(total, 1):.0%} of the rows")
    if len(places) > _MANY and median(size.tolist()) < target / _TINY:
        reasons.append(f"{len(places):,} partitions of {formats.size(int(median(size.tolist())))} each")
    other = files.spec[data] != (known.metadata.default_spec_id or 0)
    old_rows = int(files.records[data][other].sum())
    evolved = _evolved(known)
    age = known.now - evolved.committed_at if evolved and evolved.committed_at else None
    if old_rows and age is not None and age > _OLD_AFTER:
        reasons.append(f"{old_rows / max(total, 1):.0%} of the rows lie in a spec no longer written")
    nulls = (
        [n for n in range(len(places)) if _all_null(known, files, int(data[group == n][0]))]
        if len(places) < 5_000
        else []
    )
    if nulls and rows[nulls].sum() > 0.5 * total:
        reasons.append(f"{rows[nulls].sum() / total:.0%} of the rows lie in a partition of nulls")
    if not reasons:
        return Clean(
            f"{formats.count(len(places), 'partition')}; the largest has {rows[big] / max(total, 1):.0%} of the rows"
        )
    title = "; ".join(reasons)
    order = np.argsort(-rows)[:100]
    return Finding(
        title[0].upper() + title[1:],
        "cost",
        "exact",
        "Counted from live entries; whether queries filter there is not known.",
        title,
        f"{_SKEW} times the median and more than a file's target size; {_MANY:,} tiny partitions; an old spec after"
        f" {_OLD_AFTER.days} days",
        "A partition is read as a whole, and each costs a file at least.",
        Since(evolved, "L", at_or_before=True)
        if evolved and "spec" in title
        else Since(known.head, "T", at_or_before=True),
        Evidence(
            ("spec", "partition", "rows", "bytes"),
            tuple(
                (
                    str(int(files.spec[data[group == n][0]])),
                    files.partition(int(data[group == n][0])) or "all",
                    f"{int(rows[n]):,}",
                    formats.size(int(size[n])),
                )
                for n in order.tolist()
            ),
            len(places),
            sql="SELECT\n  partition,\n  spec_id,\n  record_count,\n  file_count\n"
            f"FROM {known.named.table}.partitions\nORDER BY record_count DESC",
        ),
        not_ruled_out=("queries that never filter there",),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files",
                    options=f"map('output-spec-id', '{known.metadata.default_spec_id or 0}', 'rewrite-all', 'true')",
                ),
                "All files lie in the current spec.",
                "It rewrites the whole table.",
                known.undo,
                "this check is clean",
            ),
        )
        if old_rows
        else (),
        question="t.partitions()",
    )


def _evolved(known: Known) -> Snapshot | None:
    """The first commit of the line that wrote a file of the default spec."""
    files = known.files
    if files is None:
        return None
    begins = files.lifetimes.begins
    own = files.on_line(begins) & (files.spec[begins.lifetime] == (known.metadata.default_spec_id or 0))
    places = begins.place[own]
    return files.order[int(places.min())] if len(places) else None


def _all_null(known: Known, files: Files, lifetime: int) -> bool:
    """Whether each value of its partition is null, but for the fields that were dropped, which always are (`void`)."""
    parts = files.partition(lifetime).split("/")
    fields = known.metadata.specs.get(int(files.spec[lifetime]), ())
    if len(parts) == len(fields):
        parts = [part for part, field in zip(parts, fields, strict=True) if field.get("transform") != "void"]
    return any(parts) and all(part.endswith("=null") for part in parts)


SIGNATURE = Signature("partition-layout", "slow reads", "skewed, tiny or outdated partitions", "manifests", examine)
