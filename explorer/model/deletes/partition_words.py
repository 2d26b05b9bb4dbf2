"""Deletes by partition in words: what the rows of a page come to, and why the deletes of one reach nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .. import formats
from ..partition_rows import Shown
from .facts import DeleteFront, Deletes, PartitionDeletes, WhyNothing

TOLD = "with deletes"
"""What partitions have that are listed without a search."""
COUNTED_BY = "live, spec, partition or path, sequence, vector, statistics"
"""The clauses by which a delete counts as reaching."""

_SHORT: Mapping[WhyNothing, str] = {
    "number": "number",
    "bounds": "bounds",
    "vector": "vector",
    "file gone": "file gone",
    "no data": "no data",
}
_ALONE: Mapping[WhyNothing, str] = {
    "bounds": "bounds do not meet",
    "vector": "a vector instead",
    "file gone": "their files are gone",
    "no data": "no live data here",
}


@dataclass(frozen=True, slots=True)
class Counts:
    """What some rows come to, each number with what stands before it where it is a bound: `≥ 12`, `not known`."""

    equality: str
    positions: str
    reach: str
    nothing: str
    files: str

    @property
    def all(self) -> tuple[str, ...]:
        """In the order of the columns."""
        return self.equality, self.positions, self.reach, self.nothing, self.files

    @property
    def any_nothing(self) -> bool:
        """Whether a delete is known to reach nothing."""
        return any(digit in "123456789" for digit in self.nothing)


@dataclass(frozen=True, slots=True)
class Sum:
    """Some rows together.

    Attributes:
        name: `this page`, `+ 75 days`, `94 days`; words: what these rows have in common.
        besides: deletes that neither reach a file nor reach nothing: `3 corrupt`.
    """

    name: str
    words: str
    counts: Counts
    besides: str


def counts(deletes: Deletes, rows: Sequence[PartitionDeletes], *, more_files: int = 0) -> Counts:
    """Of some rows, and of data files in partitions that are not at hand."""
    by_kind: Counter[str] = Counter()
    states: Counter[str] = Counter()
    for front in (front for row in rows for front in row.fronts):
        by_kind["equality" if front.kind == "equality deletes" else "positions"] += front.deletes
        states.update(reaching=front.reaching, dangling=front.dangling, unknown=front.unknown)
    at_most = not deletes.statistics_evaluated and by_kind["equality"] > 0
    more, unknown = deletes.lacks_deletes, states["unknown"] > 0
    return Counts(
        _bound(by_kind["equality"], at_least=more),
        _bound(by_kind["positions"], at_least=more),
        _bound(states["reaching"], at_least=more or unknown, at_most=at_most),
        _bound(states["dangling"], at_least=more or unknown or at_most, is_known=not unknown),
        _bound(sum(row.files for row in rows) + more_files, at_least=deletes.lacks_data_files),
    )


def _bound(n: int, *, at_least: bool = False, at_most: bool = False, is_known: bool = True) -> str:
    if not n and not is_known:
        return "?"
    if at_least and at_most:
        return f"≈ {n:,}"
    return f"{'≥ ' if at_least else '≤ ' if at_most and n else ''}{n:,}"


def why(row: PartitionDeletes) -> str:
    """What there is to say of the deletes of a partition: why some reach nothing, else `all reach`."""
    parts = _besides([row])
    if row.dangling:
        parts.append(_why_nothing(row))
    return ", ".join(parts) or ("all reach" if row.fronts else "")


def _why_nothing(row: PartitionDeletes) -> str:
    reasons = [reason for reason in _SHORT if row.why_nothing.get(reason)]
    everywhere = any(front.scope == "every file" and front.dangling for front in row.fronts)
    if len(reasons) == 1 and reasons[0] in _ALONE:
        return _ALONE[reasons[0]]
    if reasons == ["number"] and row.oldest is not None and not everywhere:
        return f"all data is {row.oldest:,}" if row.oldest == row.newest else f"data begins at {row.oldest:,}"
    return " or ".join(_SHORT[reason] for reason in reasons)


def fronts_words(fronts: Sequence[DeleteFront]) -> str:
    """`< 242–250` of fronts of one kind."""
    known = [front.number for front in fronts if front.number is not None]
    if not known:
        return "number not known"
    sign = "<" if fronts[0].kind == "equality deletes" else "≤"
    return f"{sign} {formats.span(min(known), max(known))}"


def where_nothing(deletes: Deletes) -> str:
    """In how many of the partitions the deletes lie that reach nothing: `all 18 lie in 9 of 94 days`; empty of none."""
    rows = [row for row in deletes.by_partition if row.dangling]
    dangling = sum(row.dangling for row in rows)
    if not rows or deletes.partition_count < 2 or dangling != deletes.states.get("dangling", 0):
        return ""
    they = "it lies" if dangling == 1 else "both lie" if dangling == 2 else f"all {dangling:,} lie"
    if len(rows) == 1:
        return f"{they} in {deletes.naming.names(rows[0])[0]}"
    return f"{they} in {len(rows):,} of {formats.count(deletes.partition_count, deletes.naming.unit)}"


def sums(deletes: Deletes, shown: Shown[PartitionDeletes]) -> list[Sum]:
    """The rows below a page that make it the whole; the last one is of all partitions: those before it sum up to it."""
    units = deletes.naming.unit
    found = [_sum(deletes, shown.page, "this page", "")]
    for rows, found_words, words in (
        (shown.elsewhere, "found by “{}”, on other pages", "on other pages"),
        (shown.others, "not found by “{}”", "without a delete of their own"),
    ):
        if rows:
            common = found_words.format(shown.search) if shown.search else words
            found.append(_sum(deletes, rows, f"+ {formats.count(len(rows), units)}", common))
    missing = deletes.partition_count - len(deletes.by_partition)
    files = deletes.data_file_count - sum(row.files for row in deletes.by_partition)
    if missing:
        words = "without a delete, of fewer files: not told one by one"
        found.append(_sum(deletes, (), f"+ {formats.count(missing, units)}", words, more_files=files))
    every, live = formats.count(deletes.partition_count, units), "with a live file"
    if len(found) == 1:
        return [replace(found[0], name=f"all {every}", words=live)]
    return [*found, _sum(deletes, deletes.by_partition, every, live, more_files=files)]


def _sum(deletes: Deletes, rows: Sequence[PartitionDeletes], name: str, words: str, *, more_files: int = 0) -> Sum:
    return Sum(name, words, counts(deletes, rows, more_files=more_files), ", ".join(_besides(rows)))


def _besides(rows: Sequence[PartitionDeletes]) -> list[str]:
    corrupt = sum(front.corrupt for row in rows for front in row.fronts)
    unknown = sum(front.unknown for row in rows for front in row.fronts)
    return [f"{n:,} {words}" for n, words in ((corrupt, "corrupt"), (unknown, "not known")) if n]
