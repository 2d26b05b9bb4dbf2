"""Files of a partition that overlap so much that a lookup opens most of them.

Sources: specification, "Sort Orders", "Manifests" (bounds). What the table says it is sorted by is what is looked at.
"""

from __future__ import annotations

import numpy as np

from ...arrays import NULL, Longs, distinct
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, column_in_sql
from ..since import Since

_DEPTH, _SHARE, _LEAST, _SHOWN = 4, 0.1, 20, 50
_WHOLE = ("int", "long", "date", "timestamp", "timestamptz", "time")


def examine(known: Known) -> Outcome:
    """By the bounds of the first column of the sort order: how many files of a partition hold one value."""
    column = _sorted_by(known)
    if column is None:
        return Clean("no sort order by a number, date or time, so that there is none to lose")
    if known.live is None:
        return CannotSay("It needs bounds of live files.", "manifests")
    field_id, name = column
    live = known.live
    at, lows, highs = live.whole_bounds(field_id)
    code, names = live.partitions
    places, place_of = distinct(live.spec_ids[at], code[at])
    by_place = {n: np.flatnonzero(place_of == n) for n in np.flatnonzero(np.bincount(place_of) >= _LEAST).tolist()}
    depths = {place: _depth(lows[those], highs[those]) for place, those in by_place.items()}
    bad = {p: d for p, d in depths.items() if d > _DEPTH and d > _SHARE * len(by_place[p])}
    if not bad:
        deepest = max(depths.values(), default=1)
        return Clean(f"`{name}` in {live.looked_at}: at most {deepest:.0f} files overlap", is_part=not live.is_whole)
    place = max(bad, key=lambda p: bad[p])
    files, partition = by_place[place], names[places[place][1]]
    widest = files[np.argsort(lows[files] - highs[files], kind="stable")][:_SHOWN]
    order = known.document.get("default-sort-order-id")
    unsorted = int(np.count_nonzero(live.sort_order_ids[at[files]] != (NULL if order is None else order)))
    ids = live.commits(at[widest])
    first = known.earliest(map(known.metadata.by_id.get, ids))
    where = f" of {partition}" if partition else ""
    return Finding(
        f"A lookup on `{name}` opens {bad[place]:.0f} of {len(files):,} files{where}",
        "slow",
        "exact",
        "The overlap of bounds is exact; from where on it hurts is a rule of thumb.",
        f"{bad[place]:.0f} files deep on average, {unsorted:,} files not of the default sort order",
        f"{_DEPTH} files deep, and {_SHARE:.0%} of a partition's files",
        "What is sorted overlaps at its edges only.",
        Since(first, "T") if first else known.by_id(None),
        Evidence(
            ("file", "from", "to", "rows"),
            tuple(
                (f.path, f"{low:,}", f"{high:,}", f"{f.record_count:,}")
                for low, high, f in zip(lows[widest], highs[widest], live.files(at[widest]), strict=True)
            ),
            len(files),
            ids,
            tuple(f.path for f in live.files(at[widest])),
            sql=f"SELECT\n  file_path,\n  readable_metrics.{column_in_sql(name)}.lower_bound,\n"
            f"  readable_metrics.{column_in_sql(name)}.upper_bound\nFROM {known.named.table}.data_files",
        ),
        not_ruled_out=("keys that come at random by nature",),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files",
                    strategy="'sort'",
                    sort_order=f"'{name}'",
                    options="map('rewrite-all', 'true')",
                ),
                "The files of a partition no longer overlap.",
                "It rewrites all of them: files of a healthy size are otherwise never chosen.",
                known.undo,
                "this check is clean",
            ),
        ),
        question="t.entries()",
    )


def _sorted_by(known: Known) -> tuple[int, str] | None:
    """Field id and name of the first column of the default sort order, if it is a number, date or time as it stands."""
    own = known.document.get("default-sort-order-id")
    orders = [o for o in known.document.get("sort-orders") or () if o.get("order-id") == own]
    first = next(iter(orders[0].get("fields") or ()), None) if orders else None
    if not first or first.get("transform") != "identity":
        return None
    fields = known.metadata.schemas.get(known.metadata.current_schema_id or 0, ())
    return next(
        ((f.field_id, f.path) for f in fields if f.field_id == first.get("source-id") and f.type in _WHOLE), None
    )


def _depth(lows: Longs, highs: Longs) -> float:
    """How many files hold a value, on average over the files' lower bounds."""
    opened = np.arange(1, len(lows) + 1)
    closed = np.searchsorted(np.sort(highs), np.sort(lows), side="left")
    return float(np.mean(opened - closed))


SIGNATURE = Signature("clustering-lost", "slow reads", "files that overlap in the sorted column", "manifests", examine)
