"""What a snapshot graph says, in words: where snapshots stand and why, and who used the numbers that are missing.

Used by the picture, the detail panel and the terminal alike, so that they tell the same story.
"""

from __future__ import annotations

from collections import defaultdict

from .. import formats
from .facts import MainMove, Node, SnapshotGraph, State


def label(graph: SnapshotGraph, node: Node) -> str:
    """The sequence number, or the short id where version 1 left every number 0."""
    if node.snapshot.sequence_number:
        return f"{node.snapshot.sequence_number:,}"
    return short_id(graph, node)


def short_id(graph: SnapshotGraph, node: Node) -> str:
    """`…9118`."""
    return graph.short_ids[node.snapshot.snapshot_id]


def name(graph: SnapshotGraph, node: Node) -> str:
    """`6 …9118`; only the id where there is no number."""
    number = f"{node.snapshot.sequence_number:,} " if node.snapshot.sequence_number else ""
    return number + short_id(graph, node)


def contradictions(graph: SnapshotGraph, most: int = 3) -> str:
    """What the metadata says that no healthy table says: `The metadata contradicts itself: …`; empty if nothing is."""
    oddities = graph.metadata.oddities
    if not oddities:
        return ""
    more = f"; {len(oddities) - most:,} more" if len(oddities) > most else ""
    return f"The metadata contradicts itself: {'; '.join(oddities[:most])}{more}."


def census(graph: SnapshotGraph) -> str:
    """`15 snapshots, 2 branches, 2 tags`."""
    refs = graph.metadata.refs.values()
    parts = [formats.count(len(graph.nodes), "snapshot")]
    for kind, unit in (("branch", "branch"), ("tag", "tag")):
        n = sum(ref.kind == kind for ref in refs)
        if n:
            parts.append(formats.count(n, unit))
    return ", ".join(parts)


def spent_elsewhere(graph: SnapshotGraph, node: Node) -> str:
    """Who used the sequence numbers between a snapshot and its parent: `12 staged · 13–14 rolled back`.

    Empty if none is missing, or if the parent is not listed: then nobody knows where the parent stood.
    """
    parent = graph.parent(node)
    if parent is None or not parent.snapshot.sequence_number:
        return ""
    users: dict[str, list[int]] = defaultdict(list)
    for other in graph.nodes_between(parent, node):
        lane = graph.lanes[other.lane]
        if other.lane != node.lane and other.snapshot.sequence_number:
            users[where(other.state, lane.name)].append(other.snapshot.sequence_number)
    spent = {user: formats.ranges(numbers) for user, numbers in users.items()}
    expired = [formats.span(gap.first, gap.last) for gap in graph.gaps if parent.column < gap.column < node.column]
    if expired:
        spent["expired"] = ", ".join(expired)
    return " · ".join(f"{numbers} {user}" for user, numbers in spent.items())


def standing(graph: SnapshotGraph, node: Node) -> str:
    """Why the snapshot still exists and whether it can be reached, in one sentence."""
    match node.state:
        case "current":
            return "main points here: a reader who names no snapshot sees this one."
        case "main":
            return "An ancestor of the current snapshot."
        case "branch":
            return f"On branch {graph.lanes[node.lane].name}, not on main."
        case "tag":
            return "Kept by a tag; on no branch." + _how_it_left(graph, node)
        case "rolled back":
            return "main was here and is not any more; no ref keeps it." + _how_it_left(graph, node)
        case "staged":
            wap = f"Staged for audit under wap.id {node.snapshot.summary.get('wap.id')}"
            published = graph.by_id.get(node.published_as) if node.published_as is not None else None
            if published is not None:
                return f"{wap}; published as {name(graph, published)}: the same files under a new number."
            return f"{wap}; not published, or published by a snapshot that has expired."
        case "unreferenced":
            return "No ref reaches it and main was never seen here: a dropped branch, or a log that was cut."


def clock_backwards(graph: SnapshotGraph) -> tuple[tuple[Node, Node], ...]:
    """Pairs (parent, child) where the child's clock reads earlier; up to a minute of it is tolerated by writers."""
    pairs = ((graph.parent(node), node) for node in graph.nodes)
    return tuple(
        (parent, node)
        for parent, node in pairs
        if parent is not None
        and parent.snapshot.committed_at is not None
        and node.snapshot.committed_at is not None
        and node.snapshot.committed_at < parent.snapshot.committed_at
    )


def where(state: State, lane: str) -> str:
    """In a few words, where a snapshot of this state in this lane stands."""
    match state:
        case "branch":
            return f"on {lane}"
        case "current" | "main":
            return "on main"
        case "tag":
            return "kept by a tag"
        case _:
            return state


def place(graph: SnapshotGraph, node: Node) -> str:
    """In a few words, where a snapshot stands in its graph."""
    match node.state:
        case "current":
            return "main: current"
        case "unreferenced":
            return "no ref reaches it"
        case _:
            return where(node.state, f"branch {graph.lanes[node.lane].name}")


def besides(graph: SnapshotGraph, node: Node) -> str:
    """What else is known of a snapshot; empty for most."""
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
            facts.append(f"{words} {name(graph, listed) if listed else source}")
    if "wap.id" in node.snapshot.summary:
        facts.append(f"wap.id {node.snapshot.summary['wap.id']}")
    return " · ".join(facts)


def _how_it_left(graph: SnapshotGraph, node: Node) -> str:
    move = node.left_main
    if move is None:
        return ""
    target = graph.by_id.get(move.to_id)
    where = name(graph, target) if target else f"{move.to_id}, which has expired"
    how = {"rollback": "rolled back to", "replace": "was replaced by the new root", "set current": "was set to"}[
        move.kind
    ]
    return f" main {how} {where} on {formats.moment(move.at)}."


def turned(graph: SnapshotGraph, move: MainMove) -> str:
    """What main did when it left commits behind: `rolled back to 11`, `replaced by 7`, `main set to 9`."""
    target = graph.by_id.get(move.to_id)
    where = label(graph, target) if target else f"…{str(move.to_id)[-4:]}, expired"
    return {"rollback": "rolled back to", "replace": "replaced by"}.get(move.kind, "main set to") + f" {where}"
