"""A commit that is older than its parent.

Source: specification, "Snapshots" (timestamp-ms is the writer's clock). Expiry walks from child to parent and stops at
the first snapshot that is old enough.
"""

from __future__ import annotations

from datetime import timedelta

from ... import formats
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql

# Iceberg itself lets a commit be older than the one before by a minute, so much may clocks differ.
_TOLERATED = timedelta(0)


def examine(known: Known) -> Outcome:
    """By the times along the line."""
    pairs = [
        (parent, s, parent.committed_at - s.committed_at)
        for s in known.line
        if (parent := known.parent(s)) is not None and s.committed_at is not None and parent.committed_at is not None
    ]
    skewed = [(parent, s, by) for parent, s, by in pairs if by > _TOLERATED]
    if not skewed:
        return Clean(f"the times of {formats.count(len(pairs) + 1, 'commit')}" if pairs else "one commit")
    worst = max(skewed, key=lambda found: found[2])
    return Finding(
        f"Commit {known.number(worst[1])} is {formats.duration(worst[2])} older than its parent",
        "hygiene",
        "exact",
        "Both times stand in the metadata.",
        f"{formats.count(len(skewed), 'commit')}, at most {formats.duration(worst[2])}",
        "any",
        "TIMESTAMP AS OF and expiry go by these times.",
        known.first(skewed[0][1]),
        Evidence(
            ("commit", "writer", "committed", "parent committed"),
            tuple(
                (known.number(s), known.writer(s), formats.instant(s.committed_at), formats.instant(p.committed_at))
                for p, s, _ in skewed[:200]
            ),
            len(skewed),
            tuple(s.snapshot_id for _, s, _ in skewed[:200]),
            sql=snapshots_sql(known, [s for pair in skewed[:10] for s in pair[:2]]),
        ),
        fixes=(
            Fix(
                f"SELECT * FROM {known.named.table} VERSION AS OF {worst[1].snapshot_id}",
                "Travel by id, not by time; mend the clock of the writer.",
                "none",
                "none",
                "the next commits are younger than their parents",
            ),
        ),
        question="t.snapshot_graph()",
    )


SIGNATURE = Signature("clock-skew", "history and refs", "commits older than their parents", "metadata.json", examine)
