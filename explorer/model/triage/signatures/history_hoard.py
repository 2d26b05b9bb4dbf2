"""Files that only old snapshots keep.

Sources: specification, "Snapshot Retention Policy" (`history.expire.max-snapshot-age-ms` [5 days],
`history.expire.min-snapshots-to-keep` [1]; refs have their own).
"""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from ... import formats
from ...arrays import Longs
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..repairs import not_expired

_WARN, _CRITICAL, _LEAST = 1.0, 3.0, 10**9
_AGE, _KEEP = "history.expire.max-snapshot-age-ms", "history.expire.min-snapshots-to-keep"


def examine(known: Known) -> Outcome:
    """By the bytes of all files of the listed history that the head does not hold, and who keeps them."""
    files, head = known.files, known.head
    if files is None or head is None:
        return Clean("no snapshot")
    is_live = files.times(files.live) > 0
    live, old = files.one_of_path[is_live], files.one_of_path[~is_live]
    kept, held = int(files.size[old].sum()), int(files.size[live].sum())
    share = kept / max(held, 1)
    age = timedelta(milliseconds=known.setting(_AGE, 5 * 24 * 3600 * 1000))
    oldest = min((s.committed_at for s in known.metadata.snapshots if s.committed_at), default=None)
    overdue = oldest is not None and known.now - oldest > age + timedelta(days=1)
    figure = f"{formats.size(kept)} only old snapshots keep, {share:.1f} times the live bytes"
    if share <= _WARN or not overdue:
        return Clean(figure if kept else "no file that only old snapshots keep")
    by_ref = _by_ref(known, old)
    top = max(by_ref, key=lambda name: by_ref[name], default="")
    also = f"; {top} alone holds {formats.size(by_ref[top])}" if top and by_ref[top] else ""
    gc = known.metadata.properties.get("gc.enabled", "true")
    cut = formats.instant(known.now - age).removesuffix(" UTC")
    return Finding(
        f"{formats.size(kept)} are kept only by old snapshots, {share:.1f} times the live bytes{also}",
        "cost" if kept >= _LEAST else "information",
        "exact",
        "Every file that a listed snapshot holds is counted once; older versions of objects are invisible.",
        f"{share:.1f} times",
        f"{_WARN:.0f} times the live bytes and older than {formats.duration(age)}; {_CRITICAL:.0f} times is much",
        f"Snapshots older than {formats.duration(age)} are what expiry would take, if it ran.",
        known.first(known.line[0]),
        Evidence(
            ("kept by", "bytes"),
            (
                *((name, formats.size(size)) for name, size in sorted(by_ref.items(), key=lambda ref: -ref[1])),
                ("all old snapshots", formats.size(kept)),
            ),
            len(by_ref) + 1,
            files=files.names(old[np.argsort(-files.size[old])]),
            sql="SELECT\n  sum(size) AS bytes\nFROM (\n  SELECT DISTINCT\n    file_path,\n"
            f"    file_size_in_bytes AS size\n  FROM {known.named.table}.all_files\n)",
        ),
        not_ruled_out=("a history that is wanted", *((f"gc.enabled = {gc}",) if gc != "true" else ())),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "expire_snapshots", older_than=f"TIMESTAMP '{cut}'", retain_last="1", stream_results="true"
                ),
                "Snapshots older than that are gone, and the files that only they held.",
                "Time travel and incremental readers before the cut are cut off, for good.",
                "none",
                not_expired(known, cut),
            ),
        ),
        question="t.dry_run.expire_snapshots()",
    )


def _by_ref(known: Known, old: Longs) -> dict[str, int]:
    """By ref other than the one examined, the bytes of such files that it holds."""
    files = known.files
    if files is None:
        return {}
    found = {}
    lifetimes = files.lifetimes
    for ref in lifetimes.refs:
        if known.head is None or ref.snapshot_id == known.head.snapshot_id:
            continue
        held = lifetimes.live_at(lifetimes.place[ref.snapshot_id])
        own = files.times(held)[files.path[old]] > 0
        found[f"{ref.kind} {ref.name}"] = int(files.size[old[own]].sum())
    return found


SIGNATURE = Signature("history-hoard", "storage and cost", "files that only old snapshots keep", "manifests", examine)
