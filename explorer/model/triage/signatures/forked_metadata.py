"""A catalog pointer that went back: two commits that do not know of each other.

Source: specification, "Sequence Numbers": each commit takes the next one, so that no two have the same.
"""

from __future__ import annotations

from collections import defaultdict

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, snapshots_sql
from ..repairs import lacking


def examine(known: Known) -> Outcome:
    """By the sequence numbers of all snapshots; a line that is lost altogether, only a listing of metadata shows."""
    by_number: dict[int, list[Snapshot]] = defaultdict(list)
    for snapshot in known.metadata.snapshots:
        if snapshot.sequence_number:
            by_number[snapshot.sequence_number].append(snapshot)
    twice = {number: those for number, those in by_number.items() if len(those) > 1}
    looked_at = f"the sequence numbers of {formats.count(len(known.metadata.snapshots), 'snapshot')}"
    if not by_number and known.metadata.snapshots:
        return CannotSay("Commits of format version 1 have no sequence numbers.", "a listing of the metadata folder")
    if not twice:
        return Clean(f"{looked_at}; a lost line that left nothing here, a listing of the metadata folder would show")
    number, those = min(twice.items())
    lost = f"{known.named.table}_lost"
    not_here = lacking(known, f"SELECT\n  *\nFROM {lost}")
    snapshots = [s for found in twice.values() for s in found]
    return Finding(
        f"{formats.count(len(those), 'snapshot')} have the sequence number {number:,}: two lines of commits do not know"
        " of each other",
        "wrong answers",
        "exact",
        "The format gives each commit its own number; why one was given twice is not recorded.",
        f"{formats.count(len(twice), 'number')} given twice",
        "one",
        "A sequence number is given once.",
        known.first(those[-1]),
        Evidence(
            ("number", "snapshot", "writer", "operation", "committed"),
            tuple(
                (
                    f"{s.sequence_number:,}",
                    str(s.snapshot_id),
                    known.writer(s),
                    s.operation or "unknown",
                    formats.instant(s.committed_at),
                )
                for s in snapshots
            ),
            len(snapshots),
            tuple(s.snapshot_id for s in snapshots),
            sql=snapshots_sql(known, snapshots),
        ),
        not_ruled_out=("a metadata file that was edited by hand",),
        next_certainty="a listing of the metadata folder, for metadata files that no log names",
        fixes=(
            Fix(
                f"CALL {known.named.catalog}.system.register_table(\n  table => '{known.named.within}_lost',\n"
                "  metadata_file => '<the metadata file of the lost line>'\n);\n"
                f"ALTER TABLE {lost} SET TBLPROPERTIES ('gc.enabled' = 'false');\n"
                f"INSERT INTO {known.named.table}\n{not_here}",
                "The lost line is a table of its own, and its rows are here again.",
                "Run the SELECT first: it also finds rows that were changed or deleted here since the lines parted. The"
                " two tables share files: never drop the registered one with PURGE.",
                f"{known.undo};\nDROP TABLE {lost}",
                not_here,
            ),
        ),
        question="t.snapshot_graph()",
    )


SIGNATURE = Signature("forked-metadata", "rows lost", "two commits with one sequence number", "metadata.json", examine)
