"""Dry runs as they are drawn: of each procedure one, refusals, long reasons and hostile names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from explorer.model.dry_run.facts import Call, DryRun, Effect
from explorer.model.evidence import Note
from explorer.model.iceberg.metadata import Snapshot

AT = datetime(2026, 3, 14, 2, 10, tzinfo=UTC)
TARGET = Snapshot(9_007_199_254_740_993, None, 12, AT, "append", {"added-records": "10"}, None, None)


def rollback() -> DryRun:
    lost = [
        Effect(
            "lost",
            "snapshot",
            f"append +{n} rows; by etl (spark)",
            snapshot_id=4_000_000_000_000_000_000 + n,
            record_count=n,
        )
        for n in (900, 2_100, 1_100)
    ]
    files = [
        Effect(
            "lost",
            "data",
            "live now, and not at the target",
            file_path=f"s3://lake/orders/data/day=2026-03-{n:02}/0000{n}-1.parquet",
            spec_id=0,
            partition=f"day=2026-03-{n:02}",
            size_in_bytes=4_100_000 * n,
            record_count=1_000 * n,
        )
        for n in range(1, 5)
    ]
    returned = Effect(
        "returned", "deletion vector", "live at the target, and not now", file_path="s3://lake/orders/data/1.puffin",
        content_offset=4, spec_id=0, partition="day=2026-03-01", size_in_bytes=44, record_count=3,
    )  # fmt: skip
    audit = Effect("kept", "branch", "holds 2 lost commits", snapshot_id=lost[0].snapshot_id, name="audit")
    return DryRun(
        Call.of("rollback_to_snapshot", snapshot_id=TARGET.snapshot_id),
        AT,
        effects=(*lost, audit, *files, returned),
        target=TARGET,
        net_rows=-4_100,
        consequences=("No branch or tag holds 1 lost commit: the next expire_snapshots may remove what it added.",),
        danger="Every commit since is lost to readers of main, good ones too.",
        undo=Call.of("set_current_snapshot", snapshot_id=lost[0].snapshot_id),
        undo_words="Point main back at the snapshot it has now.",
        notes=(Note("inferred", "net rows", "Rows of data files less the positions that live deletes name."),),
    )


def refusal() -> DryRun:
    return DryRun(
        Call.of("rollback_to_snapshot", snapshot_id=7),
        AT,
        refusal="Cannot roll back to snapshot, not an ancestor of the current state: 7",
    )


def expiry() -> DryRun:
    """Far more than can be drawn one by one, for many reasons."""
    snapshots = [
        Effect(
            "removed" if n < 90 else "kept",
            "snapshot",
            f"older than {AT - timedelta(days=n % 3):%Y-%m-%d}, and not among the newest {n % 5} of a branch",
            snapshot_id=5_000_000_000_000_000_000 + n,
            record_count=n,
        )
        for n in range(100)
    ]
    tag = Effect("removed", "tag", "its snapshot is 40 days old", snapshot_id=5_000_000_000_000_000_001, name="eom")
    lists = [
        Effect(
            "removed", "manifest list", "of a snapshot that goes", snapshot_id=s.snapshot_id, file_path=f"/m/{n}.avro"
        )
        for n, s in enumerate(snapshots[:90])
    ]
    return DryRun(
        Call.of("expire_snapshots", older_than=AT, retain_last=10, snapshot_ids=(1, 2, 3, 4)),
        AT,
        effects=(*snapshots, tag, *lists),
        danger="Files are deleted for good.",
        undo_words="Nothing brings the files back.",
        consequences=("Queries of tag eom fail from then on.",) * 3,
        notes=(
            Note("exact", "files", "Live entries."),
            Note("unknown", "files of what cannot be read", "/m/3.avro: gone"),
        ),
    )


def compaction(chosen: int = 6) -> DryRun:
    files = [
        Effect(
            "rewritten" if n < chosen else "kept",
            "data",
            "smaller than 384 MB" if n < chosen else "of a size that is left alone, 384 MB to 922 MB",
            file_path=f"s3://lake/orders/data/{n}.parquet",
            spec_id=0,
            partition="",
            size_in_bytes=1_000_000 * (n + 1),
            record_count=500 * n,
        )
        for n in range(9)
    ]
    return DryRun(
        Call.of("rewrite_data_files", where="id < 3", options={"min-input-files": "2"}),
        AT,
        effects=tuple(files),
        expected_files=1 if chosen else None,
    )


def hostile() -> DryRun:
    """Names, reasons and paths that somebody else chose."""
    bad = "<b onclick=x>&'\"$x$‮" * 12
    effects = (
        Effect("lost", "branch", bad, snapshot_id=1, name=bad),
        Effect("removed", "file", bad, file_path=f"s3://{bad}/{bad}", size_in_bytes=1),
        Effect(
            "added", "data", bad, file_path=bad, spec_id=0, partition=f"a={bad}", size_in_bytes=1, record_count=2**62
        ),
    )
    return replace(rollback(), effects=effects, consequences=(bad,), undo_words=bad, notes=(Note("unknown", bad, bad),))


def nothing() -> DryRun:
    return DryRun(Call.of("set_current_snapshot", ref="main"), AT, target=TARGET, net_rows=0)


STORIES: dict[str, Callable[[], DryRun]] = {
    "rollback": rollback,
    "refusal": refusal,
    "expiry": expiry,
    "compaction": compaction,
    "nothing chosen": lambda: compaction(0),
    "hostile": hostile,
    "nothing": nothing,
}
