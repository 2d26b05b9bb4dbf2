"""Commits that rewrote much to change little.

Source: summaries (added-files-size, removed-files-size, added-records, deleted-records). They bound it from above:
rows that a rewrite carried over count as removed and added; only the rows themselves tell how many changed.
"""

from __future__ import annotations

from datetime import timedelta
from statistics import median

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql
from ..repairs import with_properties

_TIMES, _PER_DAY, _LAST = 10, 10**9, 50


def examine(known: Known) -> Outcome:
    """By the sizes in the summaries of rewriting commits of the line."""
    rewrites = [s for s in known.line if s.operation == "overwrite" and _least_rows(s) is not None]
    told = [(s, _factor(s)) for s in rewrites]
    factors = [(s, factor) for s, factor in told if factor is not None][-_LAST:]
    if not factors:
        if not any(s.operation == "overwrite" for s in known.line):
            return Clean("no commit of the line rewrote files")
        return CannotSay("The summaries do not say how many bytes were rewritten.", "the manifests of the commits")
    usual = median(factor for _, factor in factors)
    per_day = _per_day([s for s, _ in factors])
    worst = max((s for s, _ in factors), key=_bytes)
    # Equal counts of rows added and removed leave open how many changed, so that the least is one.
    if usual <= _TIMES or per_day < _PER_DAY:
        return Clean(
            f"{formats.count(len(factors), 'rewriting commit')}: up to {usual:,.0f} rows written for one changed,"
            f" {formats.size(int(per_day))} a day"
        )
    modes = {f"write.{of}.mode": "merge-on-read" for of in ("update", "delete", "merge")}
    merge_on_read, as_before = with_properties(known, **modes)
    return Finding(
        f"Commit {known.number(worst)} wrote {formats.size(_bytes(worst))} for as few as"
        f" {formats.count(_least_rows(worst), 'changed row')}",
        "cost",
        "inferred",
        "Summaries count carried-over rows as removed and added; how many changed only the rows tell.",
        f"up to {usual:,.0f} times; {formats.size(int(per_day))} a day",
        f"{_TIMES} times and {formats.size(_PER_DAY)} a day",
        "Below a gigabyte a day nobody pays for it.",
        known.trend(
            [_factor(s) if s.operation == "overwrite" and _least_rows(s) is not None else None for s in known.line],
            _TIMES,
        ),
        Evidence(
            ("commit", "writer", "rows written", "rows changed, at least", "bytes"),
            tuple(
                (
                    known.number(s),
                    known.writer(s),
                    formats.count(s.count("added-records")),
                    formats.count(_least_rows(s)),
                    formats.size(_bytes(s)),
                )
                for s, _ in sorted(factors, key=lambda found: -_bytes(found[0]))
            ),
            len(factors),
            tuple(s.snapshot_id for s, _ in factors),
            sql=snapshots_sql(known, [s for s, _ in factors[-20:]]),
        ),
        not_ruled_out=("a backfill that is done once", "commits that changed most of the rows they wrote"),
        next_certainty="the rows of the commits: the data files that they touched",
        fixes=(
            Fix(
                merge_on_read,
                "Commits write which rows are gone, not the rest of the file.",
                "Reads pay for it until a compaction; some engines read no deletes.",
                as_before,
                "added-files-size of the next commits falls",
            ),
        ),
        question=f"t.commit({worst.snapshot_id}, rows=True)",
    )


def _bytes(snapshot: Snapshot) -> int:
    return (snapshot.count("added-files-size") or 0) + (snapshot.count("removed-files-size") or 0)


def _least_rows(snapshot: Snapshot) -> int | None:
    """Rows that the commit changed at least: what the counts differ by."""
    added, deleted = snapshot.count("added-records"), snapshot.count("deleted-records")
    if added is None or deleted is None or not added:
        return None
    return max(abs(added - deleted), 1)


def _factor(snapshot: Snapshot) -> float | None:
    least, added = _least_rows(snapshot), snapshot.count("added-records")
    return None if least is None or added is None or not _bytes(snapshot) else added / least


def _per_day(snapshots: list[Snapshot]) -> float:
    times = [s.committed_at for s in snapshots if s.committed_at is not None]
    span = max(max(times) - min(times), timedelta(days=1)) if times else timedelta(days=1)
    return sum(map(_bytes, snapshots)) / (span.total_seconds() / 86400)


SIGNATURE = Signature(
    "write-amplification",
    "slow or failing writes",
    "commits that rewrite much to change little",
    "metadata.json",
    examine,
)
