"""The snapshot graph as a picture: the finding, the key, the lanes, what they leave open; and what is selected.

The page is measured in pixels. It has two planes: the page itself, which never moves (names, title, key, overview); and
the detail, which counts columns, and which a person can pan and zoom: plotly's `xaxis2`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from ...model import formats
from ...model.snapshot_graph import findings
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node, SnapshotGraph
from ..page import frame, hits, text
from ..page.canvas import Canvas
from ..page.hits import Clicked, columns_meaning
from ..page.scene import Box, Circles, Halo, Ink, Lines, Mark, Marks, Scene, Selection, Sign, Signs, Span, Type
from ..page.theme import CLEAR, SYMBOLS, Symbol, Theme, blend
from . import capsules, labels, lanes, overview
from .columns import axis
from .columns import draw as columns
from .lanes import FADED, MOST_ARROWS
from .view import Item, Page, View, view

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection", "visible"]

LAYERS = (
    "page text",
    "page marks",
    "overview",
    "rows",
    "snapshots",
    "attempts",
    "labels",
    "targets",
    "chosen",
    "halo",
    "ring",
    "compared",
    "elsewhere",
)
RANGE_AXES = ("xaxis2",)


def draw(
    graph: SnapshotGraph,
    theme: Theme,
    *,
    name: str = "",
    read_at: datetime | None = None,
    window: tuple[float, float] | None = None,
    selected: str | None = None,
    compared: str | None = None,
    width: int = 1100,
    alone: bool = True,
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        graph: what to draw.
        theme: in which colours.
        name: the table's name for the second line.
        read_at: when the metadata was read (UTC); without it the line says when the metadata was written.
        window: columns at the left and right end; None for all up to 400 listed snapshots, else the newest 140.
        selected: id of the snapshot with ring and halo.
        compared: id of the one with a dashed ring.
        width: of the page in pixels, at least 560; labels are thinned to fit it. The height follows from the lanes.
        alone: whether nothing around the picture shows where its window stands in the whole history.

    Clicks: only `overview`, `rows`, `targets` and `elsewhere` answer the pointer; `clicked` turns an item of them
    into a meaning, which is written as a snapshot id, or as `columns FIRST LAST`.
    """
    seen = view(graph, theme, window, width, alone=alone)
    page = Page(
        theme=theme,
        width=seen.width,
        canvas=Canvas(seen.left, seen.right, seen.window),
        view=seen,
        folded=capsules.items(seen),
    )
    top = _draw_header(page, name, read_at)
    if not graph.nodes:
        page.top, page.bottom = top, _draw_empty(page, top)
        height = page.bottom
    else:
        page.top = overview.draw(page, top + 6) if seen.overview else top
        unnamed = _draw_detail(page)
        height = _draw_notes(page, unnamed)
    scene = page.scene(height + 12, _meta(page))
    return scene.selecting(selection(scene, graph, selected=selected, compared=compared))


def clicked(scene: Scene, layer: int, item: int) -> Clicked | None:
    """What a click on an item of a layer means; None if it means nothing."""
    words = scene.meaning(layer, item).split()
    if len(words) == 3:
        return Clicked(columns=(float(words[1]), float(words[2])))
    return Clicked(snapshot=words[0]) if words else None


def visible(scene: Scene) -> tuple[float, float]:
    """The columns at the left and right end of the detail."""
    return scene.plane("detail").x_range


# --- what is selected ------------------------------------------------------------------------------------------------


def _meta(page: Page) -> dict[str, Any]:
    """What `selection` needs of a drawing: where columns and rows are."""
    seen = page.view
    return {
        "window": list(seen.window),
        "rows": {str(lane): row.y for lane, row in seen.row_of.items()},
        "plot": [seen.left, seen.right],
        "page": seen.width,
        "pitch": seen.pitch,
        "mark_size": seen.mark_size,
        "top": page.top,
        "bottom": page.bottom,
    }


def selection(
    scene: Scene, graph: SnapshotGraph, *, selected: str | None = None, compared: str | None = None
) -> Selection:
    """The marks in a drawing of this graph; cheap, since every place is read from it.

    Args:
        scene: its `meta` says where rows and columns are.
        graph: what it was drawn of.
        selected: id of the snapshot with ring, halo and band; None, or an id that is not listed, for none.
        compared: id of the one with a dashed ring.
    """
    meta, theme = scene.meta, scene.theme
    chosen, other = _place(meta, graph, selected), _place(meta, graph, compared)
    size = meta["mark_size"] + 9
    at = () if chosen is None else (chosen,)
    layers = (
        Marks("chosen", "detail", tuple(_marks(graph, meta, theme, (selected, chosen), (compared, other)))),
        Circles("halo", "detail", at, size + 5, theme.halo, 4),
        Circles("ring", "detail", at, size, theme.ink, 2),
        _dashed(other, size / 2 + 1, meta, theme),
        _elsewhere(meta, graph, theme, selected, compared),
    )
    return Selection(_band(chosen, meta, theme), layers)


def _marks(
    graph: SnapshotGraph, meta: Mapping[str, Any], theme: Theme, *chosen: tuple[str | None, tuple[float, float] | None]
) -> Iterator[Mark]:
    """The chosen snapshots on a ground of their own, so that each is seen in its ring, also one in a capsule."""
    for snapshot_id, place in chosen:
        node = _node(graph, snapshot_id)
        if node is not None and place is not None:
            yield Mark(*place, "circle", meta["mark_size"] + 9, theme.page)
            yield lanes.mark(node, *place, meta["mark_size"], theme, theme.page)


def _node(graph: SnapshotGraph, snapshot_id: str | None) -> Node | None:
    return graph.find(snapshot_id) if snapshot_id else None


def _place(meta: Mapping[str, Any], graph: SnapshotGraph, snapshot_id: str | None) -> tuple[float, float] | None:
    """Column and page pixel of a snapshot in view."""
    node = _node(graph, snapshot_id)
    if node is None or not meta["window"][0] <= node.column <= meta["window"][1]:
        return None
    y = meta["rows"].get(str(node.lane))
    return None if y is None else (float(node.column), float(y))


def _dashed(place: tuple[float, float] | None, radius: float, meta: Mapping[str, Any], theme: Theme) -> Lines:
    """A circle as a line, since a marker's outline cannot be dashed."""
    circles = []
    if place is not None:
        scale, turn = radius / meta["pitch"], [2 * math.pi * i / 40 for i in range(41)]
        circles.append(tuple((place[0] + scale * math.cos(a), place[1] + radius * math.sin(a)) for a in turn))
    return Lines("compared", "detail", tuple(circles), theme.ink, 2, "4px,3px")


def _elsewhere(
    meta: Mapping[str, Any], graph: SnapshotGraph, theme: Theme, selected: str | None, compared: str | None
) -> Signs:
    """Words for each chosen snapshot that is listed but not in view; a click on them goes there."""
    low, high = meta["window"]
    half, signs = (high - low) / 2, []
    taken = {True: 8.0, False: 8.0}  # pixels from the right and from the left end
    chosen = (("selected", selected), ("compared with", compared))
    away = [(what, node) for what, i in chosen if (node := _node(graph, i)) and _place(meta, graph, i) is None]
    for what, node in away:
        right = node.column > (low + high) / 2
        named = f"{what} {snapshot_graph_words.name(graph, node)}"
        words, short = (f"{said} ▸" if right else f"◂ {said}" for said in (f"{named}: not in view", named))
        if text.width(words, 11.5, bold=True) > (high - low) * meta["pitch"] / len(away) - 18:
            words = short
        x = (high - taken[right] / meta["pitch"]) if right else (low + taken[right] / meta["pitch"])
        taken[right] += text.width(words, 11.5, bold=True) + 20
        meaning = columns_meaning(node.column - half, node.column + half)
        signs.append(Sign(x, meta["top"] + 10, words, "end" if right else "start", meaning, "click: go there"))
    return hits.signs("detail", tuple(signs), theme, "middle")


def _band(place: tuple[float, float] | None, meta: Mapping[str, Any], theme: Theme) -> Halo:
    half = max(0.39, 4 / meta["pitch"])
    column = place[0] if place else 0.0
    box = Box(column - half, meta["top"], column + half, meta["bottom"])
    return Halo("detail", box, theme.column_band, "", 0, visible=place is not None)


# --- above the lanes, the lanes, and below them -----------------------------------------------------------------------

_OPERATION_WORDS = {
    "append": "append",
    "overwrite": "overwrite",
    "delete": "delete",
    "replace": "replace (no row changes: compaction)",
}


def _draw_header(page: Page, name: str, read_at: datetime | None) -> float:
    """Draw title, second line and key from the top of the page; the page pixel where they end."""
    view = page.view
    is_part = len(view.nodes) < len(view.graph.nodes)
    words = findings.view_title(view.graph, view.nodes, view.found) if is_part else findings.title(view.graph)
    parts = _second_line(view, name, read_at)
    y = frame.heading(page, words, parts, lambda line: _with_evidence(line, view), pans=True)
    return _draw_key(page, y + 14)


def _second_line(view: View, name: str, read_at: datetime | None) -> list[str]:
    graph = view.graph
    at = read_at or graph.metadata.last_updated_at
    when = f"{'read' if read_at else 'written'} {formats.day(at)} {at:%Y} {at:%H:%M} UTC" if at else ""
    parts = [name, f"format v{graph.metadata.format_version}", snapshot_graph_words.census(graph), when]
    if graph.nodes:
        inferred = []
        if any((node.snapshot.attempt or 0) > 1 for node in view.nodes):
            inferred.append("commit attempts")
        if graph.gaps:
            inferred.append("what has expired")
        parts.append(f"exact, except {' and '.join(inferred)}: inferred" if inferred else "exact")
    return [part for part in parts if part]


def _with_evidence(line: str, view: View) -> tuple[Span, ...]:
    """The evidence words of the line in their colours; only in the parts that we wrote, never in the table's name."""
    colours = {"exact": view.theme.ok, "inferred": view.theme.attention.text}
    words = re.split(r"((?<![\w.])exact(?=$|,)|(?<=: )inferred(?=$| ·))", line)
    return tuple(Span(part, bool(n % 2), colours[part] if n % 2 else "") for n, part in enumerate(words))


def _draw_key(page: Page, y: float) -> float:
    """What occurs in view and no more; as many lines as it takes."""
    x, style = 27.0, Type(12, page.theme.ink_2)
    entries = _key_entries(page)
    for marks_wide, words, draw_mark in entries:
        wide = marks_wide + 8 + style.width(words)
        if x > 27 and x + wide > page.width - 16:
            x, y = 27.0, y + 22
        draw_mark(x, y)
        page.text(x + marks_wide, y, words, style)
        x += wide + 18
    return y + (14 if entries else -14)


_Entry = tuple[float, str, Callable[[float, float], None]]


def _key_entries(page: Page) -> list[_Entry]:
    """Width of the mark, words, and how to draw the mark."""
    view, theme = page.view, page.theme

    def symbol(kind: Symbol, fill: str, stroke: str = CLEAR, stroke_width: float = 0) -> Callable[[float, float], None]:
        size = {"square": 11.0, "diamond": 11.5}.get(kind, 12.5)
        return lambda x, y: page.symbols.append(Mark(x, y, kind, size, fill, stroke, stroke_width))

    def crosses(x: float, y: float) -> None:
        for shift in (-3, 6):
            colour = theme.attention.text
            page.symbols.append(Mark(x + shift, y, "x-thin", 6, colour, colour, 1.8))

    def dots(x: float, y: float) -> None:
        page.path(Ink(theme.ink_3, 1.6, dash="3px,3px")).move(x - 6, y).line(x + 15, y)

    def folded(item: Item) -> Callable[[float, float], None]:
        half = capsules.HEIGHT / 2
        return lambda x, y: capsules.draw_for_key(page, Box(x - 7, y - half, x + 35, y + half), item)

    used = set() if view.overview else {node.snapshot.operation for node in view.nodes}
    entries: list[_Entry] = [
        (13, words, symbol(SYMBOLS[operation], theme.operation(operation).fill))
        for operation, words in _OPERATION_WORDS.items()
        if operation in used
    ]
    if used - set(_OPERATION_WORDS):
        entries.append((13, "other, or not recorded", symbol("hexagon", theme.moved.fill)))
    if any(node.state == "staged" for node in view.nodes):
        entries.append((13, "hollow: staged, never on a branch", symbol("circle", theme.page, theme.added.fill, 2)))
    if any(node.state in ("rolled back", "unreferenced") for node in view.nodes):
        faded = blend(theme.added.fill, theme.page, FADED)
        entries.append((13, "faded: no ref keeps it", symbol("circle", faded, theme.added.fill, 1)))
    if view.worth_a_look:
        entries.append(
            (13, "worth a look: see the title", lambda x, y: labels.draw_finding(page.canvas, "page", x, y, theme))
        )
    entries += [
        (42, f"{len(item.nodes):,} commits folded; bar = what they did", folded(item)) for item in page.largest_capsule
    ]
    if any((item.nodes[0].snapshot.attempt or 0) > 1 for items in page.folded for item in items if not item.is_capsule):
        entries.append((18, "failed commit attempts before it", crosses))
    if any(node.parent_state == "expired" for node in view.nodes):
        entries.append((25, "beyond: expired, unknown", dots))
    return entries


def _draw_detail(page: Page) -> int:
    """Lanes, axis and bars from `page.top` down to `page.bottom`; how many refs found no room."""
    seen, canvas = page.view, page.canvas
    signs = [labels.plan(seen, row) for row in seen.rows]
    y = labels.set_rows(seen, signs, page.top)
    lanes.draw_band(page)
    labels.draw_names(page)
    canvas.path("detail", Ink(seen.theme.grid, 1))  # the axis fills it last; it lies below everything
    lanes.draw_edges(page)
    lanes.draw_arrows(page)
    lanes.draw_marks(page)
    for row, row_signs in zip(seen.rows, signs, strict=True):
        labels.draw_refs(page, row, row_signs)
    numbered = labels.draw(page)
    for row, row_signs in zip(seen.rows, signs, strict=True):
        labels.draw_leaders(page, row, row_signs, numbered)
    lanes.draw_attempts(page)
    lanes.draw_words(page)
    y = columns.draw(page, y + 4)
    page.bottom = axis.draw(page, y + 8)
    if seen.overview:
        canvas.path("page", Ink(seen.theme.grid, 1)).box(Box(seen.left, page.top, seen.right, page.bottom + 4))
    return sum(count for row_signs in signs for _, count in row_signs.unnamed)


def _draw_notes(page: Page, unnamed: int) -> float:
    """What the marks alone do not say, and everything that had no room; the page pixel where it ends."""
    y = page.bottom + 16
    for line in text.wrap(" ".join(_notes(page, unnamed)), 11, page.width - 50, lines=6):
        page.text(20, y, line, Type(11, page.theme.ink_3))
        y += 16
    return y + 2


def _notes(page: Page, unnamed: int) -> list[str]:
    view, folded = page.view, page.folded
    contradictions = snapshot_graph_words.contradictions(view.graph)
    notes = [contradictions] if contradictions else []
    notes += page.footnotes
    if view.level == "folded":
        notes.append(f"Arrows of rollbacks and copies are left out where more than {MOST_ARROWS} are in view.")
    more = next((row for row in view.rows if row.kind == "more"), None)
    if more:
        names = [view.graph.lanes[lane].name for lane in more.lanes]
        shown = ", ".join(names[:6]) + (f" and {len(names) - 6:,} more" if len(names) > 6 else "")
        notes.append(f"The last row holds the snapshots of {len(names):,} lanes without their lines: {shown}.")
    if unnamed:
        notes.append(f"{formats.count(unnamed, 'ref')} in view had no room for a name (ticks above the marks).")
    if view.hidden:
        lanes = [f"{name}: {count:,}" for name, count in list(view.hidden.items())[:4]]
        more_lanes = f" and {len(view.hidden) - 4:,} more" if len(view.hidden) > 4 else ""
        notes.append(f"Lanes with no snapshot in view are hidden ({', '.join(lanes)}{more_lanes}).")
    if any(item.is_capsule for items in folded for item in items):
        others = " and where marks would touch, others too" if view.level == "folded" else ""
        notes.append(f"A capsule folds neighbours that add or overwrite, without refs or findings{others}.")
    if any((node.snapshot.attempt or 0) > 1 for node in view.nodes):
        notes.append("Attempts are inferred from manifest-list names.")
    return notes


def _draw_empty(page: Page, top: float) -> float:
    """Draw the words from page pixel `top` down; the page pixel where they end."""
    view, metadata = page.view, page.view.graph.metadata
    at, last = metadata.last_updated_at, metadata.last_sequence_number
    written = f"Its metadata was last written {formats.day(at)} {at:%Y} {at:%H:%M} UTC. " if at else ""
    history = f"Commits up to number {last:,} were made; none is listed any more." if last else "Nothing is committed."
    following = "next" if last else "first"
    explained = f"The table exists. {written}{history} The graph starts with the {following} INSERT. "
    words = (explained + snapshot_graph_words.contradictions(view.graph)).strip()
    y = top + 12
    for line in text.wrap(words, 13, page.width - 60):
        page.text(20, y, line, Type(13, page.theme.ink_2))
        y += 20
    return y + 40
