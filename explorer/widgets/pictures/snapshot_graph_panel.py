"""What is known about a selected snapshot, as HTML beside the graph. Everything from the table is escaped."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from ...model import formats
from ...model.iceberg.relation import Relation, relation
from ...model.iceberg.writer import program
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node, SnapshotGraph
from ...model.snapshot_graph.findings import attention
from ...model.words import account
from ..actions import compare_with, open_commit, what_changed
from ..markup import action, actions, copyable, folded, table, text

_PLACES = 6

_COUNTERS = (
    ("data files", "added-data-files", "deleted-data-files", "total-data-files"),
    ("rows in data files", "added-records", "deleted-records", "total-records"),
    ("delete files", "added-delete-files", "removed-delete-files", "total-delete-files"),
    ("position deletes", "added-position-deletes", "removed-position-deletes", "total-position-deletes"),
    ("equality deletes", "added-equality-deletes", "removed-equality-deletes", "total-equality-deletes"),
    ("bytes", "added-files-size", "removed-files-size", "total-files-size"),
)


def panel(graph: SnapshotGraph, selected: Node | None, compared: Node | None) -> str:
    """The panel's HTML; without a selection, how to make one; empty where there is nothing to select."""
    if not graph.nodes:
        return ""
    if selected is None:
        return _nothing_selected(graph)
    snapshot = selected.snapshot
    title = f"Snapshot {snapshot_graph_words.name(graph, selected)}, {snapshot.operation or 'operation not recorded'}"
    return "".join(
        (
            f"<h3>{text(title)}</h3>",
            f"<p>{text(account(snapshot))} {text(snapshot_graph_words.standing(graph, selected))}</p>",
            _comparison(graph, selected, compared) if compared is not None else "",
            _next_steps(graph, selected, compared),
            _recorded(selected),
            table(_circumstances(selected)),
            folded("Ids and paths", table(_identity(graph, selected))),
            _summary(selected),
        )
    )


def _nothing_selected(graph: SnapshotGraph) -> str:
    """Places that are worth a click, and how to look."""
    found, named = attention(graph), set[int]()
    rows = []
    for finding in found[:_PLACES]:
        last = finding.nodes[-1] if finding.nodes else None
        rows.append(_place(graph, last, f"<b>{text(finding.words)}</b>"))
        named |= {last.snapshot.snapshot_id} if last is not None else set()
    others = (node for node in _worth_a_click(graph) if node.snapshot.snapshot_id not in named)
    places = {node.snapshot.snapshot_id: node for node in others}.values()
    rows += [_place(graph, node, text(_why(node))) for node in itertools.islice(places, _PLACES - len(rows))]
    return (
        f'<h3>No snapshot selected</h3><p>Worth a look:</p><table class="iceberg-places">{"".join(rows)}</table>'
        "<p>Click any snapshot, or go along with ← and →; Enter opens its commit. Shift-click a second one to compare. "
        "/ goes to a number, an id, a date, a tag, a partition, a file or a row.</p>"
        + folded("Where the table lies", table([("location", copyable(graph.metadata.location))]))
    )


def _place(graph: SnapshotGraph, node: Node | None, words: str) -> str:
    """A row: what is worth a look, HTML, and the commit, if it is one."""
    if node is None:
        return f'<tr><td colspan="2">{words}</td></tr>'
    there = action("select", str(node.snapshot.snapshot_id), snapshot_graph_words.name(graph, node))
    return f"<tr><td>{words}</td><td>{there}</td></tr>"


def _worth_a_click(graph: SnapshotGraph) -> Iterable[Node]:
    """Beside the findings: the heads and tags, then what removed most rows, then what wrote most bytes."""
    yield from (node for node in reversed(graph.nodes) if node.refs)
    for key in ("deleted-records", "added-files-size"):
        recorded = [node for node in graph.nodes if node.snapshot.count(key)]
        yield from sorted(recorded, key=lambda node: node.snapshot.count(key) or 0, reverse=True)[:2]


def _why(node: Node) -> str:
    if node.refs:
        return ", ".join(node.refs[:3])
    return account(node.snapshot)


def _next_steps(graph: SnapshotGraph, node: Node, compared: Node | None) -> str:
    """What a person does next with a snapshot."""
    own, current = node.snapshot.snapshot_id, graph.metadata.current_snapshot_id
    steps = [open_commit(own)]
    if compared is not None:
        other = compared.snapshot.snapshot_id
        steps += [
            compare_with(own, other, snapshot_graph_words.name(graph, compared)),
            what_changed(other, own, "Rows changed between them"),
        ]
    elif current is not None and current != own:
        steps += [compare_with(own, current, "main")]
        if own in graph.forest.lineage(current):
            steps += [what_changed(own, current)]
    elif (parent := graph.parent(node)) is not None:
        steps += [what_changed(parent.snapshot.snapshot_id, own, "Rows it changed")]
    return actions(*steps)


def _circumstances(node: Node) -> Iterable[tuple[str, str]]:
    s = node.snapshot
    yield "committed", text(formats.instant(s.committed_at))
    yield "made current", text(_made_current(node))
    if node.refs:
        yield "refs", text(", ".join(node.refs))
    yield "schema", text("not recorded" if s.schema_id is None else str(s.schema_id))
    engine = " ".join(s.summary[key] for key in ("engine-name", "engine-version") if key in s.summary)
    named = dict.fromkeys(filter(None, (program(s), engine)))  # as the band of writers calls it, then what it ran on
    yield "writer", text(" · ".join(named) or "not recorded")
    if s.attempt is not None:
        yield "attempt", f'{s.attempt} <b class="iceberg-inferred">inferred</b>'


def _identity(graph: SnapshotGraph, node: Node) -> Iterable[tuple[str, str]]:
    s = node.snapshot
    yield "id", copyable(str(s.snapshot_id))
    yield "parent", _parent(graph, node)
    for key in ("app-name", "app-id", "iceberg-version", "wap.id", "published-wap-id"):
        if key in s.summary:
            yield key, text(s.summary[key])
    if node.copied_from is not None:
        yield "copied from", copyable(str(node.copied_from))
    if node.published_as is not None:
        yield "published as", copyable(str(node.published_as))
    if s.first_row_id is not None:
        yield "first row id", f"{s.first_row_id:,}"
    if s.manifest_list is not None:
        yield "manifest list", copyable(s.manifest_list)


def _parent(graph: SnapshotGraph, node: Node) -> str:
    parent = graph.parent(node)
    if parent is not None:
        return text(snapshot_graph_words.name(graph, parent)) + " " + copyable(str(parent.snapshot.snapshot_id))
    if node.snapshot.parent_id is None:
        return "none: a root"
    return copyable(str(node.snapshot.parent_id)) + " expired"


def _made_current(node: Node) -> str:
    times = node.made_current_at
    if not times:
        return "never, as far as the log goes back"
    if len(times) == 1 and times[0] == node.snapshot.committed_at:
        return "at commit"
    return ", ".join(formats.instant(at) for at in times)


def _recorded(node: Node) -> str:
    rows = []
    for label, *keys in _COUNTERS:
        values = [node.snapshot.count(key) for key in keys]
        if any(values):
            write = formats.size if label == "bytes" else formats.count
            cells = "".join(f"<td>{write(value)}</td>" for value in values)
            rows.append(f"<tr><th>{label}</th>{cells}</tr>")
    if not rows:
        return "<p>The summary records no counts.</p>"
    head = "<tr><th>recorded</th><td>added</td><td>removed</td><td>total after</td></tr>"
    return f'<table class="iceberg-counts">{head}{"".join(rows)}</table>'


def _summary(node: Node) -> str:
    if not node.snapshot.summary:
        return ""
    rows = table((key, text(value)) for key, value in sorted(node.snapshot.summary.items()))
    return folded(f"All {len(node.snapshot.summary)} summary keys, as recorded", rows)


def _comparison(graph: SnapshotGraph, selected: Node, compared: Node) -> str:
    """The two along the ancestry, whichever was selected first: else what was added is told as removed."""
    told = relation(graph.metadata, selected.snapshot.snapshot_id, compared.snapshot.snapshot_id, graph.forest)
    a, b = told.left, told.right
    first, second = (snapshot_graph_words.name(graph, graph.by_id[s.snapshot_id]) for s in (a, b))
    facts = [("relation", text(f"{_relation(graph, told)}."))]
    if a.committed_at and b.committed_at:
        facts.append(("time between", formats.duration(abs(a.committed_at - b.committed_at))))
    for label, _, _, total in _COUNTERS:
        before, after = a.count(total), b.count(total)
        if before is not None and after is not None and before != after:
            write = formats.size if label == "bytes" else formats.count
            sign = "+" if after > before else "−"
            facts.append((label, f"{sign}{write(abs(after - before))}: {write(before)} → {write(after)}"))
    if a.schema_id != b.schema_id:
        facts.append(("schema", text(f"{a.schema_id} → {b.schema_id}")))
    title = f"{first} {'→' if told.kind == 'ancestor' else 'and'} {second}"
    return f'<div class="iceberg-compare"><b>{text(title)}</b>{table(facts)}</div>'


def _relation(graph: SnapshotGraph, told: Relation) -> str:
    first, second = (snapshot_graph_words.name(graph, graph.by_id[s.snapshot_id]) for s in (told.left, told.right))
    match told.kind:
        case "ancestor":
            return f"{first} is an ancestor, {formats.count(len(told.right_commits), 'commit')} before {second}"
        case "diverged":
            base = graph.by_id.get(told.base) if told.base is not None else None
            at = snapshot_graph_words.name(graph, base) if base is not None else f"{told.base}, which has expired"
            return f"Neither descends from the other; both come from {at}"
        case "unknown":
            return "No listed snapshot is an ancestor of both; others have expired"
        case _:
            return "No snapshot is an ancestor of both"
