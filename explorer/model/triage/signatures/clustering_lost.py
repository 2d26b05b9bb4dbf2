"""Files of a partition that overlap so much that a lookup opens most of them.

Sources: specification, "Sort Orders", "Manifests" (bounds). What the table says it is sorted by is what is looked at.
"""

from __future__ import annotations

from collections import defaultdict

from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, LiveFile
from ..since import Since

_DEPTH, _SHARE, _LEAST = 4, 0.1, 20
_WHOLE = ("int", "long", "date", "timestamp", "timestamptz", "time")


def examine(known: Known) -> Outcome:
    """By the bounds of the first column of the sort order: how many files of a partition hold one value."""
    column = _sorted_by(known)
    if column is None:
        return Clean("no sort order by a number, date or time, so that there is none to lose")
    if known.live is None:
        return CannotSay("It needs bounds of live files.", "manifests")
    field_id, name = column
    by_place: dict[tuple[int, str], list[tuple[int, int, LiveFile]]] = defaultdict(list)
    for file in known.live.files:
        lower, upper = (
            b.get(field_id) for b in (file.entry.statistics.lower_bounds, file.entry.statistics.upper_bounds)
        )
        if lower is not None and upper is not None:
            low, high = (int.from_bytes(bytes(b), "little", signed=True) for b in (lower, upper))
            by_place[file.entry.spec_id, file.entry.partition].append((low, high, file))
    depths = {place: _depth(those) for place, those in by_place.items() if len(those) >= _LEAST}
    bad = {p: d for p, d in depths.items() if d > _DEPTH and d > _SHARE * len(by_place[p])}
    if not bad:
        return Clean(f"`{name}` in {known.live.looked_at}: at most {max(depths.values(), default=1):.0f} files overlap")
    place = max(bad, key=lambda p: bad[p])
    widest = sorted(by_place[place], key=lambda f: f[0] - f[1])
    order = known.document.get("default-sort-order-id")
    unsorted = sum(f.entry.sort_order_id != order for _, _, f in by_place[place])
    ids = tuple(dict.fromkeys(f.added_by for _, _, f in widest[:50] if f.added_by is not None))
    first = known.earliest(map(known.metadata.by_id.get, ids))
    where = f" of {place[1]}" if place[1] else ""
    return Finding(
        f"A lookup on `{name}` opens {bad[place]:.0f} of {len(by_place[place]):,} files{where}",
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
                (f.entry.file_path, f"{low:,}", f"{high:,}", f"{f.entry.record_count:,}")
                for low, high, f in widest[:50]
            ),
            len(by_place[place]),
            ids,
            tuple(f.entry.file_path for _, _, f in widest[:200]),
            sql=f"SELECT\n  file_path,\n  readable_metrics.`{name}`.lower_bound,\n"
            f"  readable_metrics.`{name}`.upper_bound\nFROM {known.named.table}.data_files",
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


def _depth(files: list[tuple[int, int, LiveFile]]) -> float:
    """How many files hold a value, on average over the files' lower bounds."""
    lows = sorted(low for low, _, _ in files)
    edges = sorted([(low, 0, 1) for low, _, _ in files] + [(high, 1, -1) for _, high, _ in files])
    open_now, total = 0, 0
    for _, _, change in edges:
        open_now += change
        if change > 0:
            total += open_now
    return total / len(lows)


SIGNATURE = Signature("clustering-lost", "slow reads", "files that overlap in the sorted column", "manifests", examine)
