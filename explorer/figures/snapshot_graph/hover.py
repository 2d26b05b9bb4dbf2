"""What the pointer is told about a snapshot or a capsule: at most six lines, everything from the table escaped."""

from __future__ import annotations

from collections import Counter

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node, SnapshotGraph
from ...model.words import account
from ..page.text import cut, escape


def hover(graph: SnapshotGraph, node: Node) -> str:
    """What it is; the whole id; number and time; what the commit did; what else is known; what a click does."""
    s = node.snapshot
    number = f"sequence number {s.sequence_number:,} · " if s.sequence_number else ""
    lines = [
        f"<b>{escape(snapshot_graph_words.name(graph, node))}</b> {escape(s.operation or 'operation not recorded')} "
        f"· {escape(cut(_where(graph, node)))}",
        f"snapshot id {s.snapshot_id}",
        f"{number}committed {formats.instant(s.committed_at)}",
        escape(cut(account(s))),
    ]
    more = _more(graph, node)
    if more:
        lines.append(escape(cut(more)))
    return "<br>".join([*lines, "click: select, shift-click: compare"])


def capsule_hover(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> str:
    """What a capsule folds together."""
    first, last = nodes[0], nodes[-1]
    kinds = Counter(node.snapshot.operation or "of unrecorded operation" for node in nodes)
    refs = [name for node in nodes for name in node.refs]
    lines = [
        f"<b>{formats.count(len(nodes), 'commit')}</b> · {escape(cut(_where(graph, last)))}",
        escape(f"{snapshot_graph_words.name(graph, first)} to {snapshot_graph_words.name(graph, last)}"),
        f"{formats.instant(first.snapshot.committed_at)} to {formats.instant(last.snapshot.committed_at)}",
        escape(", ".join(f"{n:,} {kind}" for kind, n in kinds.most_common())),
    ]
    if refs:
        shown = ", ".join(refs[:4]) + (f", {len(refs) - 4:,} more" if len(refs) > 4 else "")
        lines.append(escape(cut(f"refs: {shown}")))
    return "<br>".join([*lines, "click: open"])


def _where(graph: SnapshotGraph, node: Node) -> str:
    match node.state:
        case "current":
            return "main: current"
        case "unreferenced":
            return "no ref reaches it"
        case _:
            return snapshot_graph_words.where(node.state, f"branch {graph.lanes[node.lane].name}")


def _more(graph: SnapshotGraph, node: Node) -> str:
    facts = []
    if node.refs:
        more = f", {len(node.refs) - 3:,} more" if len(node.refs) > 3 else ""
        facts.append("refs " + ", ".join(node.refs[:3]) + more)
    if (node.snapshot.attempt or 0) > 1:
        facts.append(f"attempt {node.snapshot.attempt} (inferred from the manifest list's name)")
    if node.parent_state == "expired":
        facts.append(f"parent {node.snapshot.parent_id} has expired")
    for source, words in ((node.copied_from, "cherry-picked from"), (node.published_as, "published as")):
        if source is not None:
            listed = graph.by_id.get(source)
            facts.append(f"{words} {snapshot_graph_words.name(graph, listed) if listed else source}")
    if "wap.id" in node.snapshot.summary:
        facts.append(f"wap.id {node.snapshot.summary['wap.id']}")
    return " · ".join(facts)
