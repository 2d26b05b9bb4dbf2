"""What the lanes alone do not tell: copies of staged work, main turning back, attempts that failed first."""

from __future__ import annotations

import math

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import MainMove, Node
from ..page.canvas import Box, Canvas, Ink, Type
from ..page.marks import Marks
from ..page.theme import Hue
from .folds import Item
from .view import View

_SIZE = 11.5
_MOST_CROSSES = 3
MOST_ARROWS = 20  # of one kind, in a view whose commits are folded


def turns(view: View) -> list[tuple[MainMove, Node, Node]]:
    """Moves by which main left commits behind, both ends in view; a move that was itself undone leaves no mark.

    None if they are too many to be told apart.
    """
    drawn = []
    for move in view.graph.moves:
        if move.kind not in ("rollback", "replace", "set current"):
            continue
        start, end = view.graph.by_id.get(move.from_id), view.graph.by_id.get(move.to_id)
        if start is None or end is None or start.left_main != move:
            continue
        if view.shows(start) and view.shows(end):
            drawn.append((move, start, end))
    return drawn if view.level != "folded" or len(drawn) <= MOST_ARROWS else []


def copies(view: View) -> list[tuple[Node, Node]]:
    """Pairs in view of a snapshot and the one that re-applied it; none if they are too many to be told apart."""
    by_id = view.graph.by_id
    pairs = [(by_id[n.copied_from], n) for n in view.nodes if n.copied_from is not None and n.copied_from in by_id]
    shown = [(source, copy) for source, copy in pairs if view.shows(source) and view.shows(copy)]
    return shown if view.level != "folded" or len(shown) <= MOST_ARROWS else []


def draw_arrows(view: View, canvas: Canvas) -> None:
    """The arrows of copies and turns. Their words are set later, once every mark has its place."""
    for source, copy in copies(view):
        _draw_copy(view, source, copy, canvas)
    for move, start, end in turns(view):
        if move.kind == "rollback":
            _draw_rollback(view, start, end, canvas)
        else:
            _draw_jump(view, start, end, canvas)


def _draw_copy(view: View, source: Node, copy: Node, canvas: Canvas) -> None:
    x0, y0 = view.x(source.column), view.row_of[source.lane].y
    x1, y1 = view.x(copy.column), view.row_of[copy.lane].y
    r = view.mark_size / 2
    if y0 == y1:
        top = y0 - 46
        points = (x0 + 3, y0 - r - 3, x0 + 14, top, x1 - 14, top, x1 - 3, y1 - r - 4)
    else:
        down = math.copysign(1, y1 - y0)
        tip = y1 - down * (r + 4)
        points = (x0 + r + 3, y0, x0 + 0.8 * (x1 - x0), y0, x1 - 2, y0 + 0.2 * (y1 - y0), x1 - 2, tip)
    _arrow(view.theme.added, points, canvas)


def _draw_rollback(view: View, start: Node, end: Node, canvas: Canvas) -> None:
    x0, y0 = view.x(start.column), view.row_of[start.lane].y
    x1, y1 = view.x(end.column), view.row_of[end.lane].y
    r = view.mark_size / 2
    if y0 == y1:
        _draw_jump(view, start, end, canvas)
        return
    down = math.copysign(1, y0 - y1)
    level = y1 + down * (43 if view.level == "full" else 27)
    loop = min(46.0, max(view.right - x0 - 4, 12.0))
    stroke = canvas.path("detail", Ink(view.theme.removed.fill, 1.5))
    first = (x0 + r + 3, y0, x0 + loop, y0, x0 + loop, level + 3 * down, x0 + 2, level)
    stroke.move(*first[:2]).curve(*first[2:])
    canvas.keep_off_curve(*first)
    reach = min(60.0, (x0 - x1) / 2)
    arrival = (
        x0 + 2,
        level,
        x0 - reach,
        level - 2 * down,
        x1 + min(reach, 30.0),
        level - 4 * down,
        x1 + r + 3,
        y1 + down * r,
    )
    _arrow(view.theme.removed, arrival, canvas)


def _draw_jump(view: View, start: Node, end: Node, canvas: Canvas) -> None:
    """Main went to a snapshot that is no ancestor: an arrow from where it was."""
    x0, y0 = view.x(start.column), view.row_of[start.lane].y
    x1, y1 = view.x(end.column), view.row_of[end.lane].y
    r = view.mark_size / 2
    up = math.copysign(1, y1 - y0)
    if y0 == y1:
        side = math.copysign(10, x1 - x0)
        points = (x0, y0 + r + 3, x0 + side, y0 + 42, x1 - side, y0 + 42, x1, y1 + r + 4)
    elif x1 < x0:  # not along the row: its earlier snapshots are there
        middle = (y0 + y1) / 2
        points = (x0, y0 + up * (r + 3), x0, middle, x1, middle, x1, y1 - up * (r + 4))
    else:
        points = (x0 + r + 3, y0, x0 + 0.8 * (x1 - x0), y0, x1, y0 + 0.2 * (y1 - y0), x1, y1 - up * (r + 4))
    _arrow(view.theme.removed, points, canvas)


def _arrow(hue: Hue, points: tuple[float, ...], canvas: Canvas) -> None:
    """A cubic stroke with a head at its end, pointing the way it arrives."""
    x, y = points[6:8]
    angle = math.atan2(y - points[5], x - points[4])
    back = (x - 8 * math.cos(angle), y - 8 * math.sin(angle))
    canvas.path("detail", Ink(hue.fill, 1.5)).move(*points[:2]).curve(*points[2:6], *back)
    across = (-4.2 * math.sin(angle), 4.2 * math.cos(angle))
    head = canvas.path("detail", Ink(fill=hue.fill)).move(x, y)
    head.line(back[0] + across[0], back[1] + across[1]).line(back[0] - across[0], back[1] - across[1]).close()
    canvas.take(Box(min(x, back[0]) - 3, min(y, back[1]) - 3, max(x, back[0]) + 3, max(y, back[1]) + 3))
    canvas.keep_off_curve(*points)


def draw_words(view: View, canvas: Canvas) -> None:
    """What each arrow says, as long as there is room for it."""
    for source, copy in copies(view):
        y0, y1 = view.row_of[source.lane].y, view.row_of[copy.lane].y
        start, end = view.x(source.column) + 16, view.x(copy.column)
        words = f"published as {snapshot_graph_words.label(view.graph, copy)}"
        if source.state != "staged":
            words = f"cherry-picked as {snapshot_graph_words.label(view.graph, copy)}"
        away = -15.0 if y0 <= y1 else 15.0
        places = [((start + end) / 2 + 40, y0 + away), (end + 40, y0 + away), ((start + end) / 2, y0 + away)]
        style = Type(_SIZE, view.theme.added.text)
        for text in (f"{words} (cherry-pick: same files, new number)", words):
            if canvas.try_text(places, text, style):
                break
    for move, start_node, end_node in turns(view):
        x, y = view.x(start_node.column), view.row_of[start_node.lane].y
        middle = (y + view.row_of[end_node.lane].y) / 2
        words = snapshot_graph_words.turned(view.graph, move)
        style = Type(_SIZE, view.theme.removed.text)
        same_day = start_node.snapshot.committed_at and start_node.snapshot.committed_at.date() == move.at.date()
        at = formats.clock(move.at) if same_day else formats.moment(move.at)
        for text in (f"{at} {words}", words):
            right = style.width(text) / 2 + 44
            places = [(x + right, middle + 8), (x + right, y), (x, y + 42), (x - right, middle + 12)]
            if canvas.try_text(places, text, style):
                break


def draw_attempts(view: View, folded: list[list[Item]], canvas: Canvas, crosses: Marks) -> None:
    """A small cross for each attempt that failed before the commit, and which attempt it was."""
    style = Type(11, view.theme.attention.text)
    for row, items in zip(view.rows, folded, strict=True):
        edge = view.left
        for item in items:
            node, before, edge = item.nodes[0], edge, item.right
            attempt = node.snapshot.attempt or 0
            if item.is_capsule or attempt < 2:
                continue
            x = view.x(node.column)
            if view.level != "full":
                crosses.add(x, row.y - 11 - (0 if not node.refs else 3), "x-thin", 5, *_cross(view))
                continue
            shown = min(attempt - 1, _MOST_CROSSES, int((item.left - before - 6) // 9))
            for i in range(shown):
                crosses.add(item.left - 9 - 9 * i, row.y, "x-thin", 6, *_cross(view))
            if shown < 1:  # no room on the line
                crosses.add(item.left - 2, row.y - 10, "x-thin", 5, *_cross(view))
            middle = item.left - 9 - 4.5 * max(shown - 1, 0)
            places = [(middle, row.y - 40), (middle - 16, row.y - 40), (x, row.y - 40), (middle, row.y + 14)]
            canvas.try_text(places, f"{_ordinal(attempt)} attempt", style)


def _cross(view: View) -> tuple[str, str, float]:
    return view.theme.attention.text, view.theme.attention.text, 1.8


def _ordinal(n: int) -> str:
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"
