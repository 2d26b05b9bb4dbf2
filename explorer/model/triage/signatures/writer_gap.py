"""A writer that stopped for a while, or whose own counter jumped.

Sources: `flink.max-committed-checkpoint-id`, `kafka.connect.offsets.*` and `epochId`, which the sinks of Flink, Kafka
Connect and Spark leave in the summary; conventions of theirs, not of the format.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from statistics import median

from ... import formats
from ...iceberg.metadata import Snapshot, long_from_text
from ...iceberg.writer import writer
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql

_TIMES, _LEAST, _OF = 6, timedelta(hours=1), 50
_CHECKPOINT, _EPOCH, _OFFSETS = "flink.max-committed-checkpoint-id", "epochId", "kafka.connect.offsets"
_EMPTY_CHECKPOINTS = 10  # Flink commits an empty one after so many
_SOURCE = "<the rows of that time at the source>"


def examine(known: Known) -> Outcome:
    """By counters and times in the summaries of the line, for each writer by itself."""
    commits: dict[str, list[Snapshot]] = defaultdict(list)
    for snapshot in known.line:
        if (name := writer(snapshot)) is not None:
            commits[name].append(snapshot)
    found = [gap for those in commits.values() for gap in _gaps(those) if not _lies_beside(known, gap)]
    if not commits and len(known.line) > 1:
        return CannotSay("No commit names its writer.")
    if not found:
        return Clean(f"counters and times of {formats.count(len(commits), 'writer')}")
    counted = [gap for gap in found if gap[3]]
    before, after, words, _ = (counted or found)[0]
    return Finding(
        f"{writer(after)}, between {known.number(before)} and {known.number(after)}: {words}",
        "wrong answers" if counted else "information",
        "inferred",
        "A skipped stretch leaves no trace but the writer's own counter; there may have been nothing to write.",
        words,
        f"a counter that jumps; or {_TIMES} times the usual pause, an hour at least",
        "A writer is measured by its own habit.",
        known.first(after),
        Evidence(
            ("after", "before", "writer", "what"),
            tuple((known.number(b), known.number(a), str(writer(a)), w) for b, a, w, _ in found[:200]),
            len(found),
            tuple(s.snapshot_id for b, a, _, _ in found[:200] for s in (b, a)),
            sql=snapshots_sql(known, [before, after]),
        ),
        not_ruled_out=("no data at the source", "a planned stop", "a new job under the same name"),
        next_certainty="the source of the writer, outside the table",
        fixes=(
            Fix(
                f"MERGE INTO {known.named.table} AS t\nUSING {_SOURCE} AS s\nON <key>\nWHEN NOT MATCHED THEN INSERT *",
                f"What {writer(after)} skipped after {formats.instant(before.committed_at)} is there, and what did"
                " arrive is not there twice.",
                "The writer may still send what it skipped: stop it first, and start it where it would go on.",
                known.undo,
                f"SELECT\n  s.*\nFROM {_SOURCE} AS s\nLEFT ANTI JOIN {known.named.table} AS t\nON <key>",
            ),
        ),
        question=f"t.compare({before.snapshot_id}, {after.snapshot_id})",
    )


def _lies_beside(known: Known, gap: tuple[Snapshot, Snapshot, str, bool]) -> bool:
    """Whether the writer did commit in between, to what main was moved away from: that is `abandoned-commits`."""
    before, after, _, is_counted = gap
    on_line = {s.snapshot_id for s in known.line}
    return is_counted and any(
        before.sequence_number < s.sequence_number < after.sequence_number
        and s.snapshot_id not in on_line
        and writer(s) == writer(after)
        and not _jump(s, after)
        for s in known.metadata.snapshots
    )


def _gaps(those: list[Snapshot]) -> Iterator[tuple[Snapshot, Snapshot, str, bool]]:
    """Commits of one writer with a hole between them, in words, and whether a counter tells it."""
    pauses: list[float] = []
    for before, after in pairwise(those):
        jump = _jump(before, after)
        if jump:
            yield before, after, jump, True
        if before.committed_at is None or after.committed_at is None:
            continue
        pause = (after.committed_at - before.committed_at).total_seconds()
        if not jump and len(pauses) >= 5 and pause > _LEAST.total_seconds():
            usual = median(pauses[-_OF:])
            if pause > _TIMES * usual:
                yield before, after, f"nothing for {formats.duration(pause)}, usually {formats.duration(usual)}", False
        pauses.append(pause)


def _jump(before: Snapshot, after: Snapshot) -> str:
    """What a counter did that it should not; empty if nothing."""
    for key, name, most in ((_CHECKPOINT, "checkpoint", _EMPTY_CHECKPOINTS + 1), (_EPOCH, "epoch", 1)):
        one, other = (long_from_text(s.summary.get(key, "")) for s in (before, after))
        if one is None or other is None:
            continue
        if other < one:
            return f"{name} fell from {one:,} to {other:,}"
        if other - one > most:
            return f"{name} jumped from {one:,} to {other:,}"
    fell = [name for name, value in _offsets(after).items() if value < _offsets(before).get(name, value)]
    return f"offsets of {', '.join(fell[:3])} fell" if fell else ""


def _offsets(snapshot: Snapshot) -> dict[str, int]:
    """By partition of the topic, where a key of the summary holds offsets as JSON."""
    found: dict[str, int] = {}
    for key, value in snapshot.summary.items():
        if key.startswith(_OFFSETS):
            try:
                parsed = json.loads(value)
            except ValueError:
                continue
            if isinstance(parsed, dict):
                found |= {str(name): number for name, number in parsed.items() if isinstance(number, int)}
    return found


SIGNATURE = Signature(
    "writer-gap", "rows lost", "a writer that paused, or whose counter jumped", "metadata.json", examine
)
