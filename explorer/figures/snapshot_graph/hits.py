"""What the pointer is told about snapshots, and the marks of the selection: ring, halo, a dashed ring, a band."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node, SnapshotGraph
from ...model.words import account
from ..page.hits import Selection, columns_meaning
from ..page.text import cut, escape, width
from ..page.theme import CLEAR, FONT, Theme


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


def selection(
    figure: go.Figure, graph: SnapshotGraph, theme: Theme, *, selected: str | None = None, compared: str | None = None
) -> Selection:
    """The marks for a figure that `draw` made of this graph; cheap, since every place is read from the figure.

    Args:
        figure: the drawn figure; its `layout.meta` says where rows and columns are.
        graph: what it was drawn of.
        theme: in which colours it was drawn.
        selected: id of the snapshot with ring, halo and band; None, or an id that is not listed, for none.
        compared: id of the one with a dashed ring.
    """
    return marks(dict(figure.layout.meta), graph, theme, selected, compared)


def marks(
    meta: Mapping[str, Any], graph: SnapshotGraph, theme: Theme, selected: str | None, compared: str | None
) -> Selection:
    """The same from the figure's `meta` alone."""
    chosen, other = _place(meta, graph, selected), _place(meta, graph, compared)
    size = meta["mark_size"] + 9
    traces = {
        meta["traces"]["halo"]: _ring(chosen, size + 5, theme.halo, 4),
        meta["traces"]["ring"]: _ring(chosen, size, theme.ink, 2),
        meta["traces"]["compared"]: _dashed(other, size / 2 + 1, meta, theme),
        meta["traces"]["elsewhere"]: _elsewhere(meta, graph, theme, selected, compared),
    }
    return Selection(traces, _band(chosen, meta, theme))


def _node(graph: SnapshotGraph, snapshot_id: str | None) -> Node | None:
    return graph.find(snapshot_id) if snapshot_id else None


def _place(meta: Mapping[str, Any], graph: SnapshotGraph, snapshot_id: str | None) -> tuple[float, float] | None:
    """Column and page pixel of a snapshot in view."""
    node = _node(graph, snapshot_id)
    if node is None or not meta["window"][0] <= node.column <= meta["window"][1]:
        return None
    y = meta["rows"].get(str(node.lane))
    return None if y is None else (float(node.column), float(y))


def _ring(place: tuple[float, float] | None, size: float, colour: str, width: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "xaxis": "x2",
        "yaxis": "y2",
        "x": [place[0]] if place else [],
        "y": [place[1]] if place else [],
        "marker": {
            "symbol": "circle",
            "size": size,
            "color": CLEAR,
            "opacity": 1,
            "line": {"color": colour, "width": width},
        },
        "hoverinfo": "skip",
    }


def _dashed(place: tuple[float, float] | None, radius: float, meta: Mapping[str, Any], theme: Theme) -> dict[str, Any]:
    """A circle as a line, since a marker's outline cannot be dashed."""
    steps = [2 * math.pi * i / 40 for i in range(41)] if place else []
    column, y = place or (0.0, 0.0)
    scale = radius / meta["pitch"]
    return {
        "type": "scatter",
        "mode": "lines",
        "xaxis": "x2",
        "yaxis": "y2",
        "x": [column + scale * math.cos(a) for a in steps],
        "y": [y + radius * math.sin(a) for a in steps],
        "line": {"color": theme.ink, "width": 2, "dash": "4px,3px"},
        "hoverinfo": "skip",
    }


def _elsewhere(
    meta: Mapping[str, Any], graph: SnapshotGraph, theme: Theme, selected: str | None, compared: str | None
) -> dict[str, Any]:
    """Words for each chosen snapshot that is listed but not in view; a click on them goes there."""
    x: list[float] = []
    words: list[str] = []
    ids: list[str] = []
    sides: list[str] = []
    low, high = meta["window"]
    taken = {True: 8.0, False: 8.0}  # pixels from the right and from the left end
    for what, snapshot_id in (("selected", selected), ("compared with", compared)):
        node = _node(graph, snapshot_id)
        if node is None or _place(meta, graph, snapshot_id) is not None:
            continue
        right = node.column > (low + high) / 2
        sentence = f"{what} {snapshot_graph_words.name(graph, node)}: not in view"
        sentence = f"{sentence} ▸" if right else f"◂ {sentence}"
        x.append((high - taken[right] / meta["pitch"]) if right else (low + taken[right] / meta["pitch"]))
        taken[right] += width(sentence, 11.5, bold=True) + 20
        words.append(f"<b>{escape(sentence)}</b>")
        half = (high - low) / 2
        ids.append(columns_meaning(node.column - half, node.column + half))
        sides.append("middle left" if right else "middle right")
    return {
        "type": "scatter",
        "mode": "markers+text",
        "xaxis": "x2",
        "yaxis": "y2",
        "x": x,
        "y": [meta["top"] + 10] * len(x),
        "text": words,
        "textposition": sides or "middle center",
        "textfont": {"size": 11.5, "color": theme.ink, "family": FONT},
        "marker": {"symbol": "circle", "size": 1, "color": CLEAR, "opacity": 1, "line": {"color": CLEAR, "width": 0}},
        "customdata": ids,
        "hovertext": ["click: go there"] * len(ids),
        "hoverinfo": "text",
    }


def _band(place: tuple[float, float] | None, meta: Mapping[str, Any], theme: Theme) -> dict[str, Any]:
    half = max(0.39, 4 / meta["pitch"])
    column = place[0] if place else 0.0
    return {
        "type": "rect",
        "xref": "x2",
        "yref": "y2",
        "layer": "below",
        "x0": column - half,
        "x1": column + half,
        "y0": meta["top"],
        "y1": meta["bottom"],
        "fillcolor": theme.column_band,
        "line": {"width": 0},
        "visible": place is not None,
    }
