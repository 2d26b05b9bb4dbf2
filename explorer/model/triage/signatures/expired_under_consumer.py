"""A reader whose start snapshot is gone.

Source: specification, "Snapshots" (parent-snapshot-id): incremental reading needs an unbroken chain of parents.
"""

from __future__ import annotations

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..since import Since


def examine(known: Known) -> Outcome:
    """By the snapshot that a person named as the last one that was good."""
    if known.asked is not None:
        return _gone(known, known.asked)
    if known.good is None:
        return CannotSay("It needs the snapshot from which a reader goes on.", "name it as the last point known good")
    line = {s.snapshot_id for s in known.line}
    if known.good.snapshot_id in line:
        return Clean(f"{known.number(known.good)}, which is on the line")
    return _gone(known, known.good.snapshot_id)


def _gone(known: Known, snapshot_id: int) -> Finding:
    listed = known.metadata.by_id.get(snapshot_id)
    child = next((s for s in known.line if s.parent_id == snapshot_id), None)
    oldest = known.line[0] if known.line else None
    where = "is listed, but is no ancestor" if listed else "is not listed any more"
    start = child or oldest
    named = f"{known.number(listed)}, the last known good," if listed else f"The reader's snapshot {snapshot_id}"
    return Finding(
        f"{named} {where}{': a reader that stopped there cannot go on' if listed else ''}",
        "information" if listed else "blocks reading",
        "exact",
        "The metadata lists every snapshot that is left.",
        where,
        "an ancestor of the head, or the parent of one",
        "An incremental read walks from the head back to where it stopped.",
        Since(oldest, "L", at_or_before=True),
        Evidence(
            ("snapshot", "what"),
            (
                (str(snapshot_id), where),
                *(((known.number(start), "the oldest commit from which a reader can go on"),) if start else ()),
            ),
            2,
            tuple(s.snapshot_id for s in (listed, start) if s),
            sql=f"SELECT\n  snapshot_id, parent_id, committed_at\nFROM {known.named.table}.snapshots\n"
            "ORDER BY committed_at",
        ),
        not_ruled_out=("when it expired: only older metadata files tell",),
        fixes=(
            Fix(
                f"restart the reader from {start.snapshot_id if start else 'the current snapshot'}",
                "It goes on from the oldest commit that is left."
                if child is None
                else "Its own snapshot is the parent of the oldest one, so that nothing is missed.",
                "Without the parent what was committed in the gap must be read again as a whole.",
                "none",
                "the reader's next position is an ancestor of the head",
            ),
            Fix(
                f"ALTER TABLE {known.named.table}\nCREATE TAG reader_position AS OF VERSION"
                f" {known.head.snapshot_id if known.head else 0}",
                "A tag keeps the reader's position from expiry.",
                "It keeps its files too: drop it when the reader went on.",
                f"ALTER TABLE {known.named.table} DROP TAG reader_position",
                f"SELECT\n  'no tag' AS found\nWHERE NOT EXISTS (\n  SELECT\n    1\n  FROM {known.named.table}.refs\n"
                f"  WHERE name = 'reader_position' AND snapshot_id = {known.head.snapshot_id if known.head else 0}\n)",
            ),
        ),
        question=f"t.snapshot_graph()  # {formats.count(len(known.line), 'commit')} on the line",
    )


SIGNATURE = Signature(
    "expired-under-consumer", "history and refs", "a reader whose position is gone", "metadata.json", examine
)
