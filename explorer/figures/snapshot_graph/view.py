"""What part of a snapshot graph is in view, at which level of detail, and which lanes and marks that leaves."""

from __future__ import annotations

import bisect
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ...model.snapshot_graph.facts import LaneKind, Node, SnapshotGraph
from ...model.snapshot_graph.findings import Finding, findings
from ..page import text
from ..page.plane import Plane
from ..page.scene import Areas, Bar, Layer, Mark
from ..page.sheet import LEAST_WIDTH, Sheet
from ..page.theme import Theme

Level = Literal["full", "compact", "folded"]

ALL_UP_TO = 400  # listed snapshots that are shown at once if no window is asked for
NEWEST = 140  # columns shown at first where there are more
FULL_UP_TO = 60
COMPACT_UP_TO = 400
NARROWEST_FULL_PITCH = 12.5  # pixels; closer than that, single marks touch
WIDEST_PITCH = 104
MOST_ROWS = 12
PILL_SIZE = 12


@dataclass(slots=True)
class Row:
    """A lane in view, or several that share one row; y and the room around it (in pixels) come with the layout."""

    kind: LaneKind | Literal["more"]
    name: str
    explanation: str
    lanes: tuple[int, ...]
    nodes: list[Node]
    y: float = 0
    above: float = 0
    below: float = 0


@dataclass(frozen=True)
class View:
    """A window on the graph.

    Attributes:
        window: columns at the left and right end of the detail plane, whose page pixels are `left` and `right`.
        nodes: listed snapshots in the window, in commit order.
        rows: lanes that have one of them, top to bottom; more than 12 are folded.
        hidden: listed snapshots outside the window by name of the lane, for lanes without one inside.
        after: the next node of each lane beyond the right end, so that lines can leave the picture.
        overview: whether the picture also shows where the window stands in the whole history.
        found: what is worth saying of the snapshots in the window.
    """

    graph: SnapshotGraph
    theme: Theme
    width: int
    left: float
    right: float
    window: tuple[float, float]
    level: Level
    nodes: tuple[Node, ...]
    rows: tuple[Row, ...]
    hidden: dict[str, int]
    after: tuple[Node, ...]
    overview: bool
    found: tuple[Finding, ...] = ()
    row_of: dict[int, Row] = field(default_factory=dict)

    @property
    def pitch(self) -> float:
        """Pixels from one column to the next."""
        return (self.right - self.left) / (self.window[1] - self.window[0])

    def x(self, column: float) -> float:
        """The page pixel of a column."""
        return self.left + (column - self.window[0]) * self.pitch

    @cached_property
    def worth_a_look(self) -> frozenset[int]:
        """Ids of the snapshots that findings are about."""
        return frozenset(node.snapshot.snapshot_id for finding in self.found for node in finding.marked)

    @property
    def mark_size(self) -> float:
        """Diameter of a snapshot's mark."""
        if self.level != "full":
            return min(8.0, max(6.0, self.pitch + 0.5))
        return 14 if self.pitch >= 24 else 11

    def shows(self, node: Node) -> bool:
        """Whether the node's column is in the window and its lane has a row."""
        return self.window[0] <= node.column <= self.window[1] and node.lane in self.row_of


@dataclass(frozen=True, slots=True)
class Item:
    """One mark or one capsule on a row, from page pixel `left` to `right`."""

    nodes: tuple[Node, ...]
    left: float
    right: float

    @property
    def is_capsule(self) -> bool:
        """Whether several snapshots share it."""
        return len(self.nodes) > 1

    @property
    def middle(self) -> float:
        """The page pixel of its middle."""
        return (self.left + self.right) / 2


NO_AREAS = Areas("overview", "page", (), 0, 0)


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A window on the graph, and everything drawn of it so far. Only the detail, from `top` to `bottom`, pans.

    Attributes:
        folded: for each row of the view its marks and capsules.
        areas: places of the overview that answer the pointer.
        snapshots: marks of the detail; `attempts` lie above them.
    """

    view: View
    folded: list[list[Item]]
    areas: Areas = NO_AREAS
    bars: list[Bar] = field(default_factory=list)
    snapshots: list[Mark] = field(default_factory=list)
    attempts: list[Mark] = field(default_factory=list)
    top: float = 0.0
    bottom: float = 0.0

    @property
    def largest_capsule(self) -> list[Item]:
        """The one that folds the most; empty if there is none."""
        capsules = (item for items in self.folded for item in items if item.is_capsule)
        return sorted(capsules, key=lambda item: -len(item.nodes))[:1]

    def layers(self) -> tuple[Layer, ...]:
        """What stays as it is whatever is selected, from the lowest up."""
        return (
            self.canvas.texts("page text", "page"),
            self.canvas.marks("page marks", "page", self.symbols),
            self.areas,
            self.canvas.bars("rows", self.bars, self.theme.page),
            self.canvas.marks("snapshots", "detail", self.snapshots),
            self.canvas.marks("attempts", "detail", self.attempts),
            self.canvas.texts("labels", "detail"),
            self.canvas.targets("targets", "detail", self.targets),
        )

    def planes(self, height: int) -> tuple[Plane, ...]:
        """The page, and on it the columns."""
        across = self.view.left / self.width, self.view.right / self.width
        down = 1 - self.bottom / height, 1 - self.top / height
        size, range_ = (self.width, height), (self.bottom, self.top)
        return *Sheet.planes(self, height), Plane("detail", size, across, down, self.view.window, range_)


def view(
    graph: SnapshotGraph, theme: Theme, window: tuple[float, float] | None, width: int, *, alone: bool = True
) -> View:
    """The view for a window of columns; None chooses one: everything, or the newest where that is too much.

    A window that is no range of numbers counts as None.
    """
    width = max(width, LEAST_WIDTH)
    left, right = gutter(graph, width), width - 10.0
    everything = len(graph.nodes) <= ALL_UP_TO
    is_range = window is not None and all(map(math.isfinite, window))
    shown = _sane(window, graph) if window and is_range else _first_window(graph, left, right)
    columns = [node.column for node in graph.nodes]
    start, end = bisect.bisect_left(columns, shown[0]), bisect.bisect_right(columns, shown[1])
    nodes = graph.nodes[start:end]
    pitch = (right - left) / (shown[1] - shown[0])
    level: Level = "full" if len(nodes) <= FULL_UP_TO and pitch >= NARROWEST_FULL_PITCH else "compact"
    level = "folded" if len(nodes) > COMPACT_UP_TO else level
    rows = _rows(graph, nodes)
    in_view = {lane for row in rows for lane in row.lanes}
    hidden: Counter[str] = Counter()
    after: dict[int, Node] = {}
    for position, node in enumerate(graph.nodes):
        if node.lane not in in_view:
            hidden[graph.lanes[node.lane].name] += 1
        elif position >= end:
            after.setdefault(node.lane, node)
    return View(
        graph,
        theme,
        width,
        left,
        right,
        shown,
        level,
        nodes,
        rows,
        dict(hidden),
        tuple(after.values()),
        overview=alone and not everything,
        found=findings(graph, nodes),
        row_of={lane: row for row in rows for lane in row.lanes},
    )


def gutter(graph: SnapshotGraph, width: int) -> float:
    """Room for the names at the left, in pixels."""
    longest = max((text.width(lane.name, 13, bold=True) for lane in graph.lanes), default=0)
    least = 138 if width < 900 else 142
    return min(max(longest + 44, least), max(least, width * 0.19))


def pill_width(name: str) -> float:
    """Width of the box around the name of a branch."""
    return text.width(name, PILL_SIZE, bold=True) + 22


def head_text(graph: SnapshotGraph, ref: str) -> str:
    """`main: current` for the head of main, else the branch's name; a long one is cut in the middle."""
    name = text.shorten(ref, PILL_SIZE, 170, bold=True)
    return f"{name}: current" if ref == "main" and "main" in graph.metadata.refs else name


def _sane(window: tuple[float, float], graph: SnapshotGraph) -> tuple[float, float]:
    """The window in order, at least three columns wide, at most the whole history with as much beside it."""
    widest = float(max(graph.column_count, 3))
    start, end = (min(max(edge, -widest), 2 * widest) for edge in sorted(window))
    if end - start < 3:
        middle = (start + end) / 2
        start, end = middle - 1.5, middle + 1.5
    return start, end


def _first_window(graph: SnapshotGraph, left: float, right: float) -> tuple[float, float]:
    """All columns, or the newest, with room for the stub of an expired parent and for the pills of the heads."""
    last = max(graph.column_count - 1, 0)
    first = 0 if len(graph.nodes) <= ALL_UP_TO else max(0, last - NEWEST + 1)
    at_start = [n for n in graph.nodes if n.column <= first + 1 and n.column >= first]
    stub = any(n.parent_state == "expired" and n.column == first for n in at_start)
    beside_gap = any(n.parent_state == "expired" and n.column == first + 1 for n in at_start)
    dense = last - first + 1 > FULL_UP_TO  # a stub has no words then, and heads are named above the line
    lead, trail = 40.0 if dense else 126.0 if stub else 74.0 if beside_gap else 30.0, 30.0
    span = last - first + 1
    kinds = {name: ref.kind for name, ref in graph.metadata.refs.items()}
    heads = [
        (node.column, pill_width(head_text(graph, ref)) + 30)
        for node in itertools.islice(reversed(graph.nodes), 60)
        for ref in node.refs[:1]
        if kinds.get(ref) == "branch" and not dense
    ]
    for _ in range(3):  # the room that a pill needs depends on the pitch, which depends on that room
        pitch = min((right - left - lead - trail) / span, WIDEST_PITCH)
        trail = max([30.0, *(room - (last - column) * pitch for column, room in heads)])
        trail = min(trail, (right - left) * 0.3)
    pitch = min((right - left - lead - trail) / span, WIDEST_PITCH)
    start = first - 0.5 - (lead - min(pitch, 30) / 2) / pitch
    return start, start + (right - left) / pitch


def _rows(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> tuple[Row, ...]:
    members: dict[int, list[Node]] = {}
    for node in nodes:
        members.setdefault(node.lane, []).append(node)
    kept = sorted(members)
    shared: list[int] = []
    if len(kept) > MOST_ROWS:
        order: dict[LaneKind | str, int] = {"main": 0, "staged": 1, "branch": 2, "off main": 3}
        by_worth = sorted(kept, key=lambda i: (order[graph.lanes[i].kind], -len(members[i]), i))
        shared = sorted(by_worth[MOST_ROWS - 1 :])
        kept = sorted(by_worth[: MOST_ROWS - 1])
    rows = [Row(graph.lanes[i].kind, graph.lanes[i].name, graph.lanes[i].explanation, (i,), members[i]) for i in kept]
    if shared:
        together = sorted((node for i in shared for node in members[i]), key=lambda node: node.column)
        rows.append(Row("more", f"{len(shared)} more lanes", "share this row", tuple(shared), together))
    return tuple(rows)
