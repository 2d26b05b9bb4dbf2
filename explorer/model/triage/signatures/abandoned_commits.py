"""Commits that main once had and was moved away from.

Sources: specification, "Table Metadata" (snapshot-log), "Snapshots" (parent). `CREATE OR REPLACE TABLE` moves main to a
new root too, and so does a commit whose parent was lost; the one is no accident, the other is `broken-chain`.
"""

from __future__ import annotations

from ... import formats
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..repairs import not_at, not_listed


def examine(known: Known) -> Outcome:
    """By the moves of main in the snapshot log."""
    gone = [
        node
        for node in known.graph.nodes
        if node.left_main is not None and node.left_main.kind != "replace" and not node.refs and not node.published_as
    ]
    # What was replaced as a whole left on purpose, with the statement that did it.
    if not gone:
        return Clean(f"the snapshot log: {formats.count(len(known.graph.moves), 'move')} of main")
    moves = sorted({node.left_main for node in gone if node.left_main}, key=lambda move: move.at)
    target = known.metadata.by_id.get(moves[-1].to_id)
    snapshots = [node.snapshot for node in gone]
    rows = sum((s.count("added-records") or 0) for s in snapshots)
    appends = [s for s in snapshots if s.operation == "append"]
    verb = "is" if len(gone) == 1 else "are"
    back = f"back to {known.number(target)}" if target and moves[-1].kind == "rollback" else "elsewhere"
    fixes = [
        Fix(
            known.named.call("set_current_snapshot", str(moves[-1].from_id)),
            "Main is where it was before the last move.",
            "What was committed since the move is on main no more.",
            known.named.call("set_current_snapshot", str(known.metadata.current_snapshot_id)),
            not_at(known, moves[-1].from_id),
        )
    ]
    if appends:
        statements = ";\n".join(known.named.call("cherrypick_snapshot", str(s.snapshot_id)) for s in appends)
        fixes.insert(
            0,
            Fix(
                statements,
                "The rows of the abandoned appends come back, and later commits stay.",
                "If the newest writer wrote them again, they would be there twice: compare first.",
                known.undo,
                not_listed(known, *(s.snapshot_id for s in appends)),
            ),
        )
    return Finding(
        f"Main was moved {back}; {formats.count(len(gone), 'commit')} {verb} no longer part of it",
        "information" if moves[-1].kind == "rollback" else "wrong answers",
        "exact",
        "The snapshot log has every move of main that expiry has not cut.",
        formats.count(len(gone), "commit"),
        "one commit",
        "Every commit that main left holds changes that no reader of main sees.",
        known.by_id(moves[0].to_id),
        Evidence(
            ("commit", "writer", "operation", "rows added", "rows removed", "left main"),
            tuple(
                (
                    known.number(node.snapshot),
                    known.writer(node.snapshot),
                    node.snapshot.operation or "unknown",
                    formats.count(node.snapshot.count("added-records")),
                    formats.count(node.snapshot.count("deleted-records")),
                    formats.instant(node.left_main.at) if node.left_main else "",
                )
                for node in gone
            ),
            len(gone),
            tuple(s.snapshot_id for s in snapshots),
            sql=f"SELECT\n  *\nFROM {known.named.table}.history\nORDER BY made_current_at",
        ),
        ruled_out=("a replaced table", "commits that another ref keeps, or that were published again"),
        not_ruled_out=("whether the rollback was meant", "whether a later writer wrote the same rows again"),
        next_certainty=f"the rows of {formats.count(len(gone), 'commit')}, {formats.count(rows, 'row')} added",
        fixes=tuple(fixes),
        question=f"t.compare({moves[-1].from_id}, 'main', rows=True)",
    )


SIGNATURE = Signature(
    "abandoned-commits", "rows lost", "commits that main was moved away from", "metadata.json", examine
)
