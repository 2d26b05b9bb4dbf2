"""What in a snapshot graph is read, what is inferred, what is not known, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator

from .. import formats
from ..evidence import Note
from .columns import total
from .facts import SnapshotGraph
from .findings import findings
from .words import clock_backwards, name


def notes(graph: SnapshotGraph) -> tuple[Note, ...]:
    """The notes of the picture, the exact ones first."""
    metadata = graph.metadata
    found = [Note("exact", "Snapshots, parents, sequence numbers, refs", "Read from the table's metadata file.")]
    if any(node.snapshot.attempt is not None for node in graph.nodes):
        found.append(
            Note(
                "inferred",
                "Commit attempts",
                "From manifest-list names (snap-ID-ATTEMPT-…), a habit of Java writers; 0: the writer does not count.",
            )
        )
    if graph.nodes and not graph.numbered:
        found.append(
            Note("exact", "All sequence numbers are 0", "Format version 1 has none; order is by parent, then by time.")
        )
    if any(node.parent_state == "expired" for node in graph.nodes):
        found.append(Note("unknown", "What came before the first snapshots", "Their parents have expired."))
    if graph.gaps:
        found.append(
            Note(
                "inferred",
                "Missing sequence numbers are expired snapshots",
                "A number is given once and never again; no listed snapshot has these.",
            )
        )
    found += _of_columns(graph)
    log = metadata.snapshot_log
    if graph.nodes and (not log or log[0].snapshot_id not in graph.by_id or _log_is_cut(graph)):
        since = f"before {formats.moment(log[0].made_current_at)} UTC" if log else "at any time"
        found.append(
            Note("unknown", f"Where main pointed {since}", "The snapshot log does not go back further: expiry cuts it.")
        )
    for parent, child in clock_backwards(graph)[:3]:
        found.append(
            Note(
                "exact",
                f"The clock ran backwards at {name(graph, child)}",
                f"It was committed {formats.instant(child.snapshot.committed_at)}, "
                f"its parent {formats.instant(parent.snapshot.committed_at)}. Order is by sequence number.",
            )
        )
    return tuple(found)


def _of_columns(graph: SnapshotGraph) -> Iterator[Note]:
    """What the columns below the lanes rest on, and what of them nobody recorded."""
    if any(total(node.snapshot, "rows") is not None for node in graph.nodes):
        yield Note("exact", "Rows and totals of each commit", "As its writer recorded them in the snapshot's summary.")
    for finding in findings(graph, graph.nodes):
        if finding.marked:
            yield Note("exact", finding.words, "From the totals in the summaries of the commit and of its parent.")


def _log_is_cut(graph: SnapshotGraph) -> bool:
    """Whether the first entry of the log is a commit on something older, so that older entries must have existed."""
    first = graph.by_id[graph.metadata.snapshot_log[0].snapshot_id]
    return first.snapshot.parent_id is not None and first.state in ("current", "main", "rolled back")
