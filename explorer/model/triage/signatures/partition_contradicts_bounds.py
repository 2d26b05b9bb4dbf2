"""Files whose partition says one day and whose rows say another: filters lose rows.

Sources: specification, "Partition Transforms", "Manifests" (bounds), Appendix D. Partition values are computed in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import formats
from ...arrays import NULL, Flags, Longs
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..live import LiveFile, LiveFiles

Texts = NDArray[np.str_]

_UNITS = {"date": "D", "timestamp": "us", "timestamptz": "us"}
_SHOWN = {"year": "Y", "month": "M", "day": "D", "hour": "h"}


def examine(known: Known) -> Outcome:
    """By the bounds of live data files and their partitions, for transforms that keep the order."""
    if known.live is None:
        return CannotSay("It needs bounds of live files.", "manifests")
    live = known.live
    told = list(_told(known, live))
    asked = len(np.unique(np.concatenate([those.at for those in told]))) if told else 0
    wrong = [each for those in told for each in those.wrong(live)]
    if not wrong:
        if not any(live.partitions[1]):
            return Clean("no live file in a partition", is_part=not live.is_whole)
        if not asked:
            return CannotSay("No live file has a partition of numbers, dates or times with bounds.")
        looked_at = f"partitions and bounds of {formats.count(asked, 'live data file')}"
        return Clean(looked_at, is_part=not live.is_whole)
    ids = tuple(dict.fromkeys(f.added_by for f, *_ in wrong if f.added_by is not None))
    first = known.earliest(map(known.metadata.by_id.get, ids))
    f, name, low, high = wrong[0]
    rows = sum({x.path: x.record_count for x, *_ in wrong}.values())
    by = f" by {known.writer(first)}" if first else ""
    return Finding(
        f"{formats.count(len(wrong), 'file')}{by} say {f.partition or name}, their rows say {low} to {high}:"
        f" filters lose {formats.count(rows, 'row')}",
        "wrong answers",
        "exact",
        "The transform of both bounds was computed in UTC and does not give the partition's value.",
        f"{low} to {high} in {f.partition}",
        "any difference",
        "Readers leave out a partition by its value and never look into the file.",
        known.first(first),
        Evidence(
            ("file", "partition", "rows say, from", "to", "rows"),
            tuple((x.path, x.partition, lower, upper, f"{x.record_count:,}") for x, _, lower, upper in wrong[:100]),
            len(wrong),
            ids[:50],
            tuple(x.path for x, *_ in wrong[:200]),
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


@dataclass(frozen=True, eq=False)
class _Told:
    """What can be told of one partition field: of which files, and what their bounds say, as its text has it."""

    name: str
    at: Longs
    agrees: Flags
    low: Texts
    high: Texts

    def wrong(self, live: LiveFiles) -> Iterator[tuple[LiveFile, str, str, str]]:
        """The files whose bounds do not agree: with the field, and the bounds."""
        those = np.flatnonzero(~self.agrees)
        for n, file in zip(those.tolist(), live.files(self.at[those]), strict=True):
            yield file, self.name, str(self.low[n]), str(self.high[n])


def _told(known: Known, live: LiveFiles) -> Iterator[_Told]:
    """Of each partition field what its files say."""
    types = {f.field_id: f.type for fields in known.metadata.schemas.values() for f in fields}
    for spec_id, fields in known.metadata.specs.items():
        for field in fields:
            source, transform = field.get("source-id"), str(field.get("transform"))
            if isinstance(source, int) and source in types:
                told = _of_field(live, spec_id, str(field.get("name")), source, transform, types[source])
                if told is not None and len(told.at):
                    yield told


def _of_field(live: LiveFiles, spec_id: int, name: str, source: int, transform: str, kind: str) -> _Told | None:
    """None of a transform that does not keep the order, of other values, or where no file has bounds of them."""
    is_number = transform == "identity" and kind in ("int", "long")
    shown = "D" if (transform, kind) == ("identity", "date") else _SHOWN.get(transform)
    if not is_number and (shown is None or kind not in _UNITS):
        return None
    at, lower, upper = live.whole_bounds(source)
    if not len(at):
        return None
    code, partitions = live.partitions
    values = [_value(partition, name) for partition in partitions]
    own = np.array(values, dtype=str)[code[at]]
    if is_number:
        number = np.array([int(v) if v.lstrip("-").isdigit() else NULL for v in values], np.int64)[code[at]]
        shown_low, shown_high = lower.astype(str), upper.astype(str)
        comparable, agrees = number != NULL, (lower == number) & (upper == number)
    else:
        shown_low, shown_high = (_dates(bounds, _UNITS[kind], shown or "D") for bounds in (lower, upper))
        length = np.char.str_len(own)  # other writers' notations are not told
        comparable = (length == np.char.str_len(shown_low)) & (length == np.char.str_len(shown_high))
        agrees = (own == shown_low) & (own == shown_high)
    nulls, is_null = live.counts("null_value_counts", source)[at], own == "null"
    agrees = np.where(is_null, (nulls == NULL) | (nulls == live.records[at]), agrees)
    chosen = np.flatnonzero((live.spec_ids[at] == spec_id) & (own != "") & (is_null | comparable))
    return _Told(name, at[chosen], agrees[chosen], shown_low[chosen], shown_high[chosen])


def _value(partition: str, name: str) -> str:
    """`2026-01-05` of `region=EU/day=2026-01-05`; empty if the partition has no such field."""
    found = re.search(rf"(?:^|/){re.escape(name)}=([^/]*)", partition)
    return found[1] if found else ""


def _dates(bounds: Longs, unit: str, shown: str) -> Texts:
    """What a transform gives of bounds, as a partition's text has it; empty beyond the years of four digits."""
    times = bounds.astype(f"M8[{unit}]")
    texts = np.char.replace(np.datetime_as_string(times.astype(f"M8[{shown}]")), "T", "-")
    return np.where((times >= np.datetime64("1000")) & (times < np.datetime64("10000")), texts, "")


SIGNATURE = Signature(
    "partition-contradicts-bounds", "wrong values", "partitions that their rows contradict", "manifests", examine
)
