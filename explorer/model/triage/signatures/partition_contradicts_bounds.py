"""Files whose partition says one day and whose rows say another: filters lose rows.

Sources: specification, "Partition Transforms", "Manifests" (bounds), Appendix D. Partition values are computed in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, LiveFile

_EPOCH = date(1970, 1, 1)
_TIMES = ("timestamp", "timestamptz")
_FORMATS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "hour": "%Y-%m-%d-%H"}


def examine(known: Known) -> Outcome:
    """By the bounds of live data files and their partitions, for transforms that keep the order."""
    if known.live is None:
        return CannotSay("It needs bounds of live files.", "manifests")
    asked = [f for f in known.live.files if any(_told(known, f))]
    wrong = [(f, name, low, high) for f in asked for name, ok, low, high in _told(known, f) if not ok]
    if not wrong:
        if not asked:
            return CannotSay("No live file has a partition of numbers, dates or times with bounds.")
        return Clean(f"partitions and bounds of {formats.count(len(asked), 'live data file')}")
    ids = tuple(dict.fromkeys(f.added_by for f, *_ in wrong if f.added_by is not None))
    first = known.earliest(map(known.metadata.by_id.get, ids))
    f, name, low, high = wrong[0]
    rows = sum({x.entry.file_path: x.entry.record_count for x, *_ in wrong}.values())
    by = f" by {known.writer(first)}" if first else ""
    return Finding(
        f"{formats.count(len(wrong), 'file')}{by} say {f.entry.partition or name}, their rows say {low} to {high}:"
        f" filters lose {formats.count(rows, 'row')}",
        "wrong answers",
        "exact",
        "The transform of both bounds was computed in UTC and does not give the partition's value.",
        f"{low} to {high} in {f.entry.partition}",
        "any difference",
        "Readers leave out a partition by its value and never look into the file.",
        known.first(first),
        Evidence(
            ("file", "partition", "rows say, from", "to", "rows"),
            tuple(
                (x.entry.file_path, x.entry.partition, lower, upper, f"{x.entry.record_count:,}")
                for x, _, lower, upper in wrong[:100]
            ),
            len(wrong),
            ids[:50],
            tuple(x.entry.file_path for x, *_ in wrong[:200]),
            sql=f"SELECT\n  file_path,\n  partition,\n  lower_bounds,\n  upper_bounds\nFROM {known.named.table}.files",
        ),
        ruled_out=("the session's time zone: bounds were read as stored",),
        not_ruled_out=() if known.live.is_whole else ("files that were not looked at",),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files", where="'<the partitions above>'", options="map('rewrite-all', 'true')"
                ),
                "The rows are written into the partitions that they belong to.",
                "Mend the writer's time zone first; compare counts with a scan that has no filter.",
                known.undo,
                "this check is clean",
            ),
        ),
        question=f"t.commit({first.snapshot_id})" if first else "t.entries()",
    )


def _told(known: Known, file: LiveFile) -> Iterator[tuple[str, bool, str, str]]:
    """Of each partition field that can be told: its name, whether the bounds agree, and what they say."""
    types = {f.field_id: f.type for fields in known.metadata.schemas.values() for f in fields}
    statistics = file.entry.statistics
    for field in known.metadata.specs.get(file.entry.spec_id, ()):
        source, transform = field.get("source-id"), str(field.get("transform"))
        if not isinstance(source, int):
            continue
        kind, lower, upper = types.get(source), statistics.lower_bounds.get(source), statistics.upper_bounds.get(source)
        if kind is None or lower is None or upper is None:
            continue
        low, high = (_transformed(transform, kind, bound) for bound in (lower, upper))
        named = re.search(rf"(?:^|/){re.escape(str(field.get('name')))}=([^/]*)", file.entry.partition)
        if low is None or high is None or named is None:
            continue
        own = named[1]
        nulls = statistics.null_value_counts.get(source)
        if own == "null":
            yield str(field.get("name")), nulls is None or nulls == file.entry.record_count, low, high
        elif transform == "identity" and kind in ("int", "long"):
            if own.lstrip("-").isdigit():
                yield str(field.get("name")), int(low) == int(own) == int(high), low, high
        elif len(own) == len(low) == len(high):  # of one notation
            yield str(field.get("name")), low == own == high, low, high


def _transformed(transform: str, kind: str, bound: bytes) -> str | None:
    """What a transform gives of a stored bound, as the partition's text has it; None where that is not told here."""
    number = int.from_bytes(bytes(bound), "little", signed=True)
    if transform == "identity" and kind in ("int", "long"):
        return str(number)
    try:
        if kind == "date":
            at = datetime.combine(_EPOCH + timedelta(days=number), datetime.min.time(), UTC)
        elif kind in _TIMES:
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=number)
        else:
            return None
    except OverflowError:
        return None
    if transform == "identity":
        return f"{at:%Y-%m-%d}" if kind == "date" else None
    form = _FORMATS.get(transform)
    return f"{at:{form}}" if form and at.year >= 1000 else None


SIGNATURE = Signature(
    "partition-contradicts-bounds", "wrong values", "partitions that their rows contradict", "manifests", examine
)
