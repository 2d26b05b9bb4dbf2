"""A staged commit that was never published.

Source: write-audit-publish, a convention of the Java library: `wap.id` in the summary of what is staged,
`published-wap-id` or `source-snapshot-id` in that of what published it.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql
from ..repairs import not_listed

_AUDIT = timedelta(hours=24)


def examine(known: Known) -> Outcome:
    """By the summaries, and by what main ever was."""
    staged = [node for node in known.graph.nodes if node.state == "staged"]
    waiting = [node.snapshot for node in staged if node.published_as not in known.graph.by_id]
    untold = [node for node in known.graph.nodes if node.state == "unreferenced" and not node.snapshot.summary]
    if not waiting and untold:
        many = formats.count(len(untold), "snapshot")
        return CannotSay(f"{many} on no line; nothing in the summary says whether it was staged.")
    if not waiting:
        return Clean(
            f"{formats.count(len(staged), 'staged snapshot')}, all published" if staged else "no staged commit"
        )
    rows = sum(s.count("added-records") or 0 for s in waiting)
    old = [s for s in waiting if s.committed_at is None or known.now - s.committed_at > _AUDIT]
    ids = Counter(s.summary["wap.id"] for s in waiting if "wap.id" in s.summary)
    shared = [wap_id for wap_id, n in ids.items() if n > 1]
    several = len(waiting) > 1
    oldest = min((s.committed_at for s in waiting if s.committed_at), default=None)
    age = f", for {formats.duration(known.now - oldest)}" if oldest else ""
    publish = ";\n".join(
        known.named.call("cherrypick_snapshot", str(s.snapshot_id))
        if s.summary.get("wap.id") in shared or "wap.id" not in s.summary
        else known.named.call("publish_changes", f"'{s.summary['wap.id']}'")
        for s in waiting
    )
    what = formats.count(len(waiting), "staged commit")
    return Finding(
        f"{what} of {formats.count(rows, 'row')} {'were' if several else 'was'} never published{age}",
        "wrong answers" if shared else ("hygiene" if old else "information"),
        "exact",
        "No commit names it as its source; whether it was rejected on purpose is not recorded.",
        what,
        "older than 24 h",
        "An audit that takes longer than a day was mostly forgotten.",
        known.first(waiting[0]),
        Evidence(
            ("snapshot", "wap.id", "writer", "rows added", "staged"),
            tuple(
                (
                    known.number(s),
                    s.summary.get("wap.id", ""),
                    known.writer(s),
                    formats.count(s.count("added-records")),
                    formats.instant(s.committed_at),
                )
                for s in waiting
            ),
            len(waiting),
            tuple(s.snapshot_id for s in waiting),
            sql=snapshots_sql(known, waiting),
        ),
        ruled_out=("published by cherry-pick or fast-forward",),
        not_ruled_out=("rejected on purpose",),
        fixes=(
            Fix(
                publish,
                "It puts these changes on main, as a commit of their own.",
                "Appends and dynamic overwrites only. An id that two snapshots hold cannot be published: pick by id."
                if shared
                else "Appends and dynamic overwrites only; what came to main since is not looked at.",
                known.undo,
                not_listed(known, *(s.snapshot_id for s in waiting)),
            ),
        ),
        question=f"t.commit({waiting[0].snapshot_id})",
    )


SIGNATURE = Signature(
    "unpublished-stage", "rows lost", "staged commits that nobody published", "metadata.json", examine
)
