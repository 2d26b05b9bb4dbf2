"""Files without bounds or counts of a column: no reader can leave them out.

Source: specification, "Manifests" (bounds and counts are optional); `write.metadata.metrics.*` and
`write.metadata.metrics.max-inferred-column-defaults` [100].
"""

from __future__ import annotations

from collections import Counter

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, LiveFile

_PLAIN = ("boolean", "int", "long", "float", "double", "date", "time", "timestamp", "timestamptz", "string", "uuid")
_SHARE = 0.1


def examine(known: Known) -> Outcome:
    """By the live data files that have rows, and values of a column without bounds."""
    if known.live is None:
        return CannotSay("It needs statistics of live files.", "manifests")
    filled = [f for f in known.live.files if f.entry.record_count]
    columns = [
        f
        for f in known.metadata.schemas.get(known.metadata.current_schema_id or 0, ())
        if "." not in f.path and (f.type in _PLAIN or f.type.startswith("decimal"))
    ]
    lacking: dict[str, list[LiveFile]] = {}
    for column in columns:
        those = [f for f in filled if _lacks(f, column.field_id)]
        if those:
            lacking[column.path] = those
    if not lacking:
        return Clean(f"bounds of {formats.count(len(columns), 'column')} in {known.live.looked_at}")
    name = max(lacking, key=lambda n: len(lacking[n]))
    those = lacking[name]
    ids = tuple(dict.fromkeys(f.added_by for f in those if f.added_by is not None))
    commits = [s for i in ids if (s := known.metadata.by_id.get(i))]
    first = min(commits, key=lambda s: s.sequence_number, default=None)
    who = Counter(map(known.writer, commits)).most_common(1)
    by = f" by {who[0][0]}" if who else ""
    metrics = {k: v for k, v in known.metadata.properties.items() if k.startswith("write.metadata.metrics.")}
    every = len(lacking) == len(columns)
    return Finding(
        f"{formats.count(len(those), 'file')}{by} have no bounds for"
        f" {'any column' if every else f'`{name}`'}: nothing can be skipped",
        "slow"
        if len(those) > _SHARE * len(filled) and sum(f.entry.file_size_in_bytes for f in those) > known.target_size
        else "information",
        "exact",
        "The entries hold no bounds of the column, though they have values of it.",
        f"{len(those):,} of {formats.count(len(filled), 'file')}; {formats.count(len(lacking), 'column')}",
        f"any; {_SHARE:.0%} of the files and more than one file's target size is slow",
        "A filter leaves out only files whose bounds it knows.",
        known.first(first),
        Evidence(
            ("column", "files without bounds", "rows in them"),
            tuple(
                (n, f"{len(found):,}", f"{sum(f.entry.record_count for f in found):,}") for n, found in lacking.items()
            ),
            len(lacking),
            ids[:50],
            tuple(f.entry.file_path for f in those[:200]),
            sql=f"SELECT\n  file_path,\n  record_count\nFROM {known.named.table}.data_files\nWHERE"
            f" readable_metrics.`{name}`.lower_bound IS NULL",
        ),
        not_ruled_out=tuple(f"{k} = {v}" for k, v in list(metrics.items())[:5]) or ("a column that nobody filters by",),
        fixes=(
            Fix(
                f"ALTER TABLE {known.named.table}\nSET TBLPROPERTIES ('write.metadata.metrics.column.{name}' = 'full')",
                "New files have bounds of the column; rewrite the others for theirs.",
                "Manifests grow with each column that has bounds.",
                f"ALTER TABLE {known.named.table}\nUNSET TBLPROPERTIES ('write.metadata.metrics.column.{name}')",
                "this check is clean for new files",
            ),
        ),
        question="t.entries()",
    )


def _lacks(file: LiveFile, field_id: int) -> bool:
    """Whether a file has values of a column and no bounds of them. A column of nulls, or that it has not, has none."""
    s = file.entry.statistics
    if field_id in s.lower_bounds:
        return False
    values, nulls = s.value_counts.get(field_id), s.null_value_counts.get(field_id)
    if values is None:
        return not s.value_counts and not s.lower_bounds  # no statistics at all; else the file is older than the column
    nans = s.nan_value_counts.get(field_id, 0)
    return values - (nulls or 0) - nans > 0


SIGNATURE = Signature("stats-absent", "slow reads", "files without bounds of a column", "manifests", examine)
