"""What a snapshot graph says, in words: the finding, a snapshot's account of itself, why numbers are missing.

Used by the picture, the detail panel and the terminal alike, so that they tell the same story.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass

from .. import formats
from ..iceberg.metadata import Snapshot
from ..iceberg.schema import schema_change
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


def title(graph: SnapshotGraph) -> str:
    """The finding: what is current, and whatever is not a plain line of commits."""
    if not graph.nodes:
        return "No snapshot is left" if graph.metadata.last_sequence_number else "No snapshot yet"
    findings = [
        _current(graph),
        *_left_main(graph, graph.nodes),
        *_published(graph, graph.nodes),
        *_never_published(graph),
        *_expired(graph),
    ]
    return "; ".join([findings[0], ", ".join(findings[1:])]) if len(findings) > 1 else findings[0]


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


@dataclass(frozen=True, slots=True)
class SchemaRun:
    """Columns `first` to `last` (inclusive) of the axis share a schema; `text` names it and its news."""

    schema_id: int
    first: int
    last: int
    text: str


def schema_runs(graph: SnapshotGraph) -> tuple[SchemaRun, ...]:
    """Stretches of neighbouring snapshots with one schema id; empty if no snapshot records one."""
    known = [n for n in graph.nodes if n.snapshot.schema_id is not None]
    runs: list[SchemaRun] = []
    previous: int | None = None
    for schema_id, group in itertools.groupby(known, key=lambda n: n.snapshot.schema_id):
        members = list(group)
        assert schema_id is not None  # noqa: S101 - the filter above says so to the reader; this says so to mypy
        runs.append(
            SchemaRun(schema_id, members[0].column, members[-1].column, _schema_text(graph, previous, schema_id))
        )
        previous = schema_id
    return tuple(runs)


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


def _schema_text(graph: SnapshotGraph, previous: int | None, schema_id: int) -> str:
    schemas = graph.metadata.schemas
    if previous is None or previous not in schemas or schema_id not in schemas:
        return f"schema {schema_id}"
    changes = schema_change(schemas[previous], schemas[schema_id])
    if not changes:
        return f"schema {schema_id}"
    more = f", {len(changes) - 1} more" if len(changes) > 1 else ""
    return f"{schema_id}: {changes[0]}{more}"


def _current(graph: SnapshotGraph) -> str:
    current = graph.metadata.current_snapshot_id
    node = graph.by_id.get(current) if current is not None else None
    if node is not None:
        return f"{label(graph, node)} is current"
    return "No snapshot is current" if current is None else "The current snapshot is not listed"


def _named(graph: SnapshotGraph, nodes: list[Node]) -> str:
    """`13–14`, `…9118`, or `12 snapshots` where naming them would take a line of its own."""
    if all(n.snapshot.sequence_number for n in nodes):
        text = formats.ranges([n.snapshot.sequence_number for n in nodes])
        if text.count(",") <= 2:
            return text
    return short_id(graph, nodes[0]) if len(nodes) == 1 else formats.count(len(nodes), "snapshot")


def _were(nodes: list[Node]) -> str:
    return "was" if len(nodes) == 1 else "were"


def _left_main(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> list[str]:
    left: dict[str, list[Node]] = defaultdict(list)
    words = {"rollback": "rolled back", "replace": "replaced", "set current": "left by main"}
    for node in nodes:
        if node.left_main is not None:
            left[words[node.left_main.kind]].append(node)
    return [f"{_named(graph, those)} {_were(those)} {word}" for word, those in left.items()]


def _published(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> list[str]:
    copies = [n for n in nodes if n.state == "staged" and n.published_as in graph.by_id]
    if len(copies) > 2:
        return [f"{formats.count(len(copies), 'staged snapshot')} were published"]
    return [
        f"{label(graph, n)} was published as {label(graph, graph.by_id[n.published_as])}"
        for n in copies
        if n.published_as is not None
    ]


def _never_published(graph: SnapshotGraph) -> list[str]:
    waiting = [n for n in graph.nodes if n.state == "staged" and n.published_as not in graph.by_id]
    return [f"{_named(graph, waiting)} {'is' if len(waiting) == 1 else 'are'} staged"] if waiting else []


def _expired(graph: SnapshotGraph) -> list[str]:
    if graph.gaps:
        n = sum(gap.last - gap.first + 1 for gap in graph.gaps)
        if len(graph.gaps) <= 3:
            numbers = ", ".join(formats.span(gap.first, gap.last) for gap in graph.gaps)
            return [f"{numbers} {'has' if n == 1 else 'have'} expired"]
        return [f"{n:,} have expired"]
    orphans = sum(n.parent_state == "expired" for n in graph.nodes)
    return ["older snapshots have expired"] if orphans else []


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


def masked(snapshot: Snapshot) -> int | None:
    """Rows newly masked by position deletes or deletion vectors; None if none were, or the summary does not count.

    A deletion vector that replaces another counts all of its positions as added and the old ones as removed, so the
    difference is what is new. Equality deletes are not counted: nobody knows how many rows one reaches.
    """
    added, removed = snapshot.count("added-position-deletes"), snapshot.count("removed-position-deletes")
    new = (added or 0) - (removed or 0)
    return new if new > 0 else None


def carries_over(snapshot: Snapshot) -> bool:
    """Whether the row counters may include rows written again unchanged: files were replaced by rewritten ones."""
    rewrites = snapshot.operation in ("overwrite", "replace")
    return rewrites and bool(snapshot.count("added-records")) and bool(snapshot.count("deleted-records"))


def view_title(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> str:
    """The finding of a part of the history: `8,420–8,560 of 10,000: 8,479–8,482 were rolled back`."""
    if not nodes:
        return f"No snapshot in view of {formats.count(len(graph.nodes), 'snapshot')}"
    first, last = label(graph, nodes[0]), label(graph, nodes[-1])
    part = first if len(nodes) == 1 else f"{first}–{last}"
    whole = (
        f"{graph.metadata.last_sequence_number:,}" if graph.numbered else formats.count(len(graph.nodes), "snapshot")
    )
    current = graph.metadata.current_snapshot_id
    findings = [f"{label(graph, n)} is current" for n in nodes if n.snapshot.snapshot_id == current]
    findings += _left_main(graph, nodes) + _published(graph, nodes)
    return f"{part} of {whole}" + (": " + ", ".join(findings) if findings else "")
