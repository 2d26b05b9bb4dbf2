"""Files without bounds or counts of a column: no reader can leave them out.

Source: specification, "Manifests" (bounds and counts are optional); `write.metadata.metrics.*` and
`write.metadata.metrics.max-inferred-column-defaults` [100].
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ... import formats
from ...arrays import NULL, Flags, Longs
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, column_in_sql
from ..live import LiveFiles
from ..repairs import with_properties

_PLAIN = ("boolean", "int", "long", "float", "double", "date", "time", "timestamp", "timestamptz", "string", "uuid")
_SHARE = 0.1


def examine(known: Known) -> Outcome:
    """By the live data files that have rows, and values of a column without bounds."""
    if known.live is None:
        return CannotSay("It needs statistics of live files.", "manifests")
    live = known.live
    filled = (live.records > 0) & ~live.are_avro
    columns = [
        f
        for f in known.metadata.schemas.get(known.metadata.current_schema_id or 0, ())
        if "." not in f.path and (f.type in _PLAIN or f.type.startswith("decimal"))
    ]
    lacking: dict[str, Longs] = {}
    for column in columns:
        those = np.flatnonzero(filled & _lacks(live, column.field_id))
        if len(those):
            lacking[column.path] = those
    if not lacking:
        looked_at = f"bounds of {formats.count(len(columns), 'column')} in {live.looked_at}"
        return Clean(looked_at, is_part=not live.is_whole)
    name = max(lacking, key=lambda n: len(lacking[n]))
    those = lacking[name]
    ids, files = live.commits(those), int(filled.sum())
    commits = [s for i in ids if (s := known.metadata.by_id.get(i))]
    first = min(commits, key=lambda s: s.sequence_number, default=None)
    who = Counter(map(known.writer, commits)).most_common(1)
    by = f" by {who[0][0]}" if who else ""
    metrics = {k: v for k, v in known.metadata.properties.items() if k.startswith("write.metadata.metrics.")}
    every = len(lacking) == len(columns)
    full, as_before = with_properties(known, **{f"write.metadata.metrics.column.{name}": "full"})
    return Finding(
        f"{formats.count(len(those), 'file')}{by} have no bounds for"
        f" {'any column' if every else f'`{name}`'}: nothing can be skipped",
        "slow" if len(those) > _SHARE * files and live.sizes[those].sum() > known.target_size else "information",
        "exact",
        "The entries hold no bounds of the column, though they have values of it.",
        f"{len(those):,} of {formats.count(files, 'file')}; {formats.count(len(lacking), 'column')}",
        f"any; {_SHARE:.0%} of the files and more than one file's target size is slow",
        "A filter leaves out only files whose bounds it knows.",
        known.first(first),
        Evidence(
            ("column", "files without bounds", "rows in them"),
            tuple((n, f"{len(found):,}", f"{live.records[found].sum():,}") for n, found in lacking.items()),
            len(lacking),
            ids[:50],
            tuple(f.path for f in live.files(those[:200])),
            sql=f"SELECT\n  file_path,\n  record_count\nFROM {known.named.table}.data_files\nWHERE"
            f" readable_metrics.{column_in_sql(name)}.lower_bound IS NULL",
        ),
        ruled_out=("Avro files, which never have bounds",) if live.are_avro.any() else (),
        not_ruled_out=tuple(f"{k} = {v}" for k, v in list(metrics.items())[:5]) or ("a column that nobody filters by",),
        fixes=(
            Fix(
                full,
                "New files have bounds of the column; rewrite the others for theirs.",
                "Manifests grow with each column that has bounds.",
                as_before,
                "this check is clean for new files",
            ),
        ),
        question="t.entries()",
    )


def _lacks(live: LiveFiles, field_id: int) -> Flags:
    """Whether a file has values of a column and no bounds of them. A column of nulls, or that it has not, has none."""
    values = live.counts("value_counts", field_id)
    nulls, nans = (np.maximum(live.counts(name, field_id), 0) for name in ("null_value_counts", "nan_value_counts"))
    # Without a count the file has no statistics at all, or is older than the column.
    without_any = ~live.has_any("value_counts") & ~live.has_any("lower_bounds")
    has_values = np.where(values == NULL, without_any, values - nulls - nans > 0)
    return has_values & ~live.has("lower_bounds", field_id)


SIGNATURE = Signature("stats-absent", "slow reads", "files without bounds of a column", "manifests", examine)
