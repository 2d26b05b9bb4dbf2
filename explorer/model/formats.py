"""How numbers, times and ids are written, the same in every picture, table and terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import date, datetime, timedelta


def count(n: int | None, unit: str = "") -> str:
    """`1,648,211 rows`; `1 row`; `unknown` for None. Give the unit in the singular."""
    if n is None:
        return "unknown"
    if not unit:
        return f"{n:,}"
    return f"{n:,} {unit if n == 1 else plural(unit)}"


def plural(unit: str) -> str:
    """`rows`, `branches`, `entries`, `keys` of a unit in the singular."""
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return unit[:-1] + "ies"
    return unit + ("es" if unit.endswith(("ch", "s", "x")) else "s")


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`, `1,003rd`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def compact(n: int | None) -> str:
    """At most four figures, for marks: `930`, `1,648`, `318k`, `1.65M`, `2.1B`."""
    if n is None:
        return "unknown"
    if abs(n) < 10_000:
        return f"{n:,}"
    for divisor, unit in ((10**3, "k"), (10**6, "M"), (10**9, "B")):
        if abs(n) < 999.5 * divisor:
            return f"{float(f'{n / divisor:.3g}'):g}{unit}"
    return f"{n / 10**12:,.3g}T" if abs(n) < 10**15 else f"{n / 10**12:,.0f}T"


def size(size_in_bytes: int | None) -> str:
    """Decimal units: `930 B`, `421 MB`, `1.3 GB`."""
    if size_in_bytes is None:
        return "unknown"
    value = float(size_in_bytes)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 999.5:
            return f"{value:.3g} {unit}"
        value /= 1000
    return f"{value:,.3g} TB" if value < 999.5 else f"{value:,.0f} TB"


def duration(span: timedelta | float) -> str:
    """`0.6 s`, `41 s`, `3 min`, `5 h`, `12 days`; a number is seconds."""
    seconds = span.total_seconds() if isinstance(span, timedelta) else float(span)
    sign, seconds = ("-" if seconds < 0 else ""), abs(seconds)
    if seconds < 9.95:
        return f"{sign}{seconds:.1f} s"
    for limit, divisor, unit in ((90, 1, "s"), (5400, 60, "min"), (36 * 3600, 3600, "h")):
        if seconds < limit:
            return f"{sign}{seconds / divisor:.0f} {unit}"
    days = round(seconds / 86400)
    return f"{sign}{days:,} day{'' if days == 1 else 's'}"


def day(at: date) -> str:
    """`18 Nov`."""
    return f"{at.day} {at:%b}"


def clock(at: datetime | None) -> str:
    """`13:40`, for an axis whose days are named once."""
    return f"{at:%H:%M}" if at else "unknown"


def moment(at: datetime | None) -> str:
    """`18 Nov 13:40`, for text in a picture that names the year elsewhere."""
    return f"{day(at)} {at:%H:%M}" if at else "unknown"


def instant(at: datetime | None) -> str:
    """`2026-11-18 13:40:07.218 UTC`, complete."""
    return f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d} UTC" if at else "unknown"


def ranges(numbers: Collection[int]) -> str:
    """`1–3, 7, 9–10` of whole numbers in any order."""
    runs: list[list[int]] = []
    for n in sorted(set(numbers)):
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(span(first, last) for first, last in runs)


def span(first: int, last: int) -> str:
    """`1–3`; one number if there is but one."""
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def end_of_id(snapshot_id: str) -> str:
    """`…706209` of an id that is told elsewhere as a whole; ids that are no longer than that stay whole."""
    return snapshot_id if len(snapshot_id) <= 6 else f"…{snapshot_id[-6:]}"


def short_ids(ids: Collection[int]) -> dict[int, str]:
    """`…9118` for each id: its last four digits, six for all if two of them collide."""
    tails = Counter(str(i)[-4:] for i in ids)
    digits = 4 if not tails or max(tails.values()) == 1 else 6
    return {i: "…" + str(i)[-digits:] for i in ids}
