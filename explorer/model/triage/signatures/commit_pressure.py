"""Commits that had to be tried again, or that come faster than the table can take.

Source: the Java library's SnapshotProducer (names `snap-ID-ATTEMPT-UUID.avro`; `commit.retry.num-retries` [4]);
inferred from names, since failed attempts leave nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql
from ..repairs import with_properties

_LAST = 100
_LEAST = 10  # commits, below which a share says nothing
_SHARE, _EMPTY_SHARE, _PER_HOUR = 0.2, 0.1, 60


def examine(known: Known) -> Outcome:
    """By the names of the manifest lists and the times of the newest commits of the line."""
    newest = known.line[-_LAST:]
    attempts = [(s, s.attempt) for s in newest if s.attempt is not None and s.attempt > 0]
    retried = [(s, n) for s, n in attempts if n > 1]
    times = [s.committed_at for s in newest if s.committed_at is not None]
    hours = (max(times) - min(times)).total_seconds() / 3600 if len(times) > 1 else 0.0
    rate = (len(times) - 1) / hours if hours > 0 and len(times) >= _LAST else 0.0
    empty = [s for s in newest if _is_empty(s) and s.operation != "replace"]
    limit = known.setting("commit.retry.num-retries", 4)
    most = max((n for _, n in retried), default=1)
    reasons = []
    if len(attempts) >= _LEAST and len(retried) > _SHARE * len(attempts):
        reasons.append(f"{len(retried)} of {len(attempts)} commits were tried again")
    if most - 1 >= limit:
        reasons.append(f"one took {most} attempts of {limit + 1}")
    if rate > _PER_HOUR:
        reasons.append(f"the newest {len(times)} commits came within {formats.duration(hours * 3600)}")
    if len(newest) >= _LEAST and len(empty) > _EMPTY_SHARE * len(newest):
        reasons.append(f"{len(empty)} of {len(newest)} commits changed nothing")
    if not reasons:
        if not attempts and not hours and len(newest) >= _LEAST:
            return CannotSay("Neither names of manifest lists nor times tell how commits went.")
        return Clean(f"the newest {formats.count(len(newest), 'commit')}; {len(retried)} tried again")
    shown = [s for s, _ in retried] or empty
    title = "; ".join(reasons)
    more, as_before = with_properties(known, **{"commit.retry.num-retries": str(2 * limit)})
    return Finding(
        title[0].upper() + title[1:],
        "slow" if retried or (rate > _PER_HOUR and hours >= 1) else "hygiene",
        "inferred",
        "The attempt stands in the name of the manifest list, by a habit of Java writers; failures leave nothing.",
        "; ".join(reasons),
        f"{_SHARE:.0%} of the last {_LAST} commits, {limit} retries, {_PER_HOUR} commits an hour,"
        f" {_EMPTY_SHARE:.0%} that change nothing",
        "A writer that loses every fifth race spends its time writing lists; after the last retry it fails."
        if retried
        else "Each commit writes a manifest list and a metadata file, and readers plan with what they leave.",
        known.trend([float(s.attempt > 1) if s.attempt else None for s in known.line], 0.5)
        if retried and len(retried) * 2 > len(attempts)
        else known.first(_first(known, [s for s, _ in retried]) or (empty or list(newest))[0]),
        Evidence(
            ("commit", "writer", "attempt", "committed"),
            tuple(
                (known.number(s), known.writer(s), str(s.attempt or "unknown"), formats.instant(s.committed_at))
                for s in shown
            ),
            len(shown),
            tuple(s.snapshot_id for s in shown),
            sql=snapshots_sql(known, shown[:20]) if shown else "",
        ),
        not_ruled_out=("transactions of several operations, whose attempts count up too",),
        fixes=(
            Fix(
                more,
                "Writers try longer before they fail.",
                "None for what is stored; fewer committers would help more.",
                as_before,
                "the share of commits tried again falls",
            ),
        )
        if retried
        else (),
        question="t.retries()",
    )


def _first(known: Known, retried: Sequence[Snapshot]) -> Snapshot | None:
    """The first commit that the writer with the most of them had to try again: that others lose a race is ordinary."""
    losses = Counter(map(known.writer, retried))
    return next((s for s in retried if losses[known.writer(s)] == max(losses.values())), None)


_COUNTERS = ("added-data-files", "deleted-data-files", "added-delete-files", "removed-delete-files")


def _is_empty(snapshot: Snapshot) -> bool:
    """Whether the summary says that no file came or went."""
    return all(snapshot.count(name) == 0 for name in _COUNTERS)


SIGNATURE = Signature(
    "commit-pressure", "slow or failing writes", "commits that were tried again", "metadata.json", examine
)
