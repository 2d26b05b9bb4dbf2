"""What came to a table since it was read: the newest commit, what it did, and the ways to it."""

from __future__ import annotations

from ..model import formats
from ..model.iceberg.metadata import TableMetadata
from ..model.snapshot_graph.facts import SnapshotGraph
from ..model.snapshot_graph.words import name
from ..model.words import account
from .actions import open_commit
from .markup import action, text


def arrival(before: TableMetadata, graph: SnapshotGraph) -> str:
    """The line as HTML; empty if no commit came, or if the table is another one."""
    came = [node for node in graph.nodes if node.snapshot.snapshot_id not in before.by_id]
    if not came or before.table_uuid != graph.metadata.table_uuid:
        return ""
    node, own = came[-1], came[-1].snapshot.snapshot_id
    others = f", the last of {formats.count(len(came), 'commit')}" if len(came) > 1 else ""
    buttons = f"{action('select', str(own), 'Select it')} {open_commit(own)}"
    return f"<b>{text(name(graph, node))} arrived</b>{others}: {text(account(node.snapshot))} {buttons}"
