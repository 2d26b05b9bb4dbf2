"""Branches and tags at the snapshots they point at: pills for heads, flags for tags, ticks for the rest."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model import formats
from ...model.snapshot_graph.facts import Node
from ..page import text
from ..page.canvas import Box, Canvas, Ink, Type
from ..page.marks import Targets
from .hover import hover
from .view import PILL_SIZE, Row, View, head_text, pill_width

SHELF = 26.0  # pixels from one shelf of flags to the next
_FLAG_HEIGHT = 20.0
_PILL_HEIGHT = 24.0
_FLAG_SIZE = 11.5
_LONGEST_NAME = 150.0
_NUMBER_TOP = 32.0  # pixels above a mark that its number may reach


@dataclass(frozen=True, slots=True)
class Sign:
    """One label of refs: a pill beside its snapshot (shelf -1), or a pill or flag on a shelf above the row."""

    node: Node
    words: str
    is_tag: bool
    is_current: bool
    left: float
    right: float
    shelf: int


@dataclass(slots=True)
class Signs:
    """The labels of one row. `unnamed`: snapshots with how many of their refs found no room."""

    placed: list[Sign] = field(default_factory=list)
    unnamed: list[tuple[Node, int]] = field(default_factory=list)

    @property
    def shelves(self) -> int:
        """How many shelves are used above the row."""
        return max((sign.shelf + 1 for sign in self.placed), default=0)


def plan(view: View, row: Row) -> Signs:
    """Where each ref of a row is named; heads first, then tags from the newest back."""
    signs = Signs()
    wanted: list[tuple[int, float, Node, str, bool, bool, int]] = []
    goes_on = any(node.lane in row.lanes for node in view.after)
    for node in row.nodes:
        if not node.refs:
            continue
        branches = [name for name in node.refs if view.graph.metadata.refs[name].kind == "branch"]
        tags = [name for name in node.refs if view.graph.metadata.refs[name].kind == "tag"]
        if node is row.nodes[-1] and not goes_on:
            branches = _beside(view, node, branches, signs)
        for words, current, count in _branch_words(view, branches):
            wanted.append((0, -node.column, node, words, False, current, count))
        for words, count in _tag_words(tags):
            wanted.append((1, -node.column, node, words, True, False, count))
    shelves: list[list[Sign]] = [[] for _ in range(3 if view.level == "full" and len(view.rows) <= 6 else 2)]
    missing: dict[int, int] = {}
    for _, _, node, words, is_tag, current, count in sorted(wanted, key=lambda w: w[:2]):
        sign = _on_shelf(view, node, words, is_tag, current, shelves)
        if sign is None:
            missing[node.column] = missing.get(node.column, 0) + count
        else:
            signs.placed.append(sign)
    signs.unnamed = [(node, missing[node.column]) for node in row.nodes if node.column in missing]
    return signs


def _beside(view: View, node: Node, branches: list[str], signs: Signs) -> list[str]:
    """Place as many heads as fit to the right of their snapshot; the others are returned."""
    left = view.x(node.column) + view.mark_size / 2 + 16
    for position, name in enumerate(branches):
        words = head_text(view.graph, name)
        right = left + pill_width(words)
        if right > view.right - 2:
            return branches[position:]
        signs.placed.append(Sign(node, words, False, name == "main", left, right, -1))
        left = right + 6
    return []


def _branch_words(view: View, branches: list[str]) -> list[tuple[str, bool, int]]:
    words = [(head_text(view.graph, name), name == "main", 1) for name in branches[:2]]
    more = len(branches) - 2
    return [*words, (f"+{formats.count(more, 'branch')}", False, more)] if more > 0 else words


def _tag_words(tags: list[str]) -> list[tuple[str, int]]:
    named = [f"tag {text.shorten(name, _FLAG_SIZE, _LONGEST_NAME)}" for name in tags]
    if len(tags) <= 2:
        return [(words, 1) for words in named]
    return [(f"{named[0]} +{formats.count(len(tags) - 1, 'tag')}", len(tags))]


def _on_shelf(
    view: View, node: Node, words: str, is_tag: bool, current: bool, shelves: list[list[Sign]]
) -> Sign | None:
    wide = text.width(words, _FLAG_SIZE) + 28 if is_tag else pill_width(words)
    x = view.x(node.column)
    left = min(max(x - wide / 2, view.left + 2), view.right - 2 - wide)
    for number, shelf in enumerate(shelves):
        if all(left > other.right + 6 or left + wide < other.left - 6 for other in shelf):
            sign = Sign(node, words, is_tag, current, left, left + wide, number)
            shelf.append(sign)
            return sign
    return None


def draw(view: View, row: Row, signs: Signs, canvas: Canvas, targets: Targets) -> None:
    """Draw the labels of a row whose y is known."""
    theme = view.theme
    canvas.path("detail", Ink(theme.ink_2, 1))  # leaders come later, and lie below the flags
    for sign in sorted(signs.placed, key=lambda s: -s.shelf):
        x = view.x(sign.node.column)
        if sign.shelf < 0:
            y = row.y
            canvas.path("detail", Ink(theme.ink, 1.5)).move(x + view.mark_size / 2 + 3, y).line(sign.left, y)
        else:
            y = _shelf_y(row, signs, sign)
            canvas.take(Box(x - 2, y, x + 2, row.y - _NUMBER_TOP))
        half = (_FLAG_HEIGHT if sign.is_tag else _PILL_HEIGHT if sign.shelf < 0 else _FLAG_HEIGHT) / 2
        box = Box(sign.left, y - half, sign.right, y + half)
        canvas.take(box)
        _outline(view, sign, box, canvas)
        middle = (sign.left + sign.right) / 2 - (4 if sign.is_tag else 0)
        colour = theme.page if sign.is_current else theme.ink
        style = Type(_FLAG_SIZE if sign.is_tag else PILL_SIZE, colour, bold=not sign.is_tag)
        canvas.text("detail", middle, y, sign.words, style)
        told = hover(view.graph, sign.node)
        reach = max(0.0, (sign.right - sign.left) / 2 - 14)
        for at in {middle - reach, middle, middle + reach}:
            targets.add(at, y, str(sign.node.snapshot.snapshot_id), told)


def draw_leaders(view: View, row: Row, signs: Signs, numbered: set[int], canvas: Canvas) -> None:
    """From each flag down to its snapshot, or to its number where it has one; ticks where a ref found no room."""
    leaders = canvas.path("detail", Ink(view.theme.ink_2, 1))
    for sign in signs.placed:
        if sign.shelf >= 0:
            x, y = view.x(sign.node.column), _shelf_y(row, signs, sign)
            bare = sign.node.column not in numbered
            end = row.y - (view.mark_size / 2 + 3 if bare else _NUMBER_TOP)
            foot = min(max(x, sign.left + 4), sign.right - 4)
            leaders.move(foot, y).line(x, end)
    for node, _ in signs.unnamed:  # a short tick, so that none of the refs without a name goes unseen
        x, top = view.x(node.column), row.y - (38 if view.level == "full" else 16)
        if canvas.is_free(Box(x - 1, top, x + 1, top + 5)):
            leaders.move(x, top).line(x, top + 5)


def _shelf_y(row: Row, signs: Signs, sign: Sign) -> float:
    return row.y - row.above + SHELF * (signs.shelves - sign.shelf - 0.5)


def _outline(view: View, sign: Sign, box: Box, canvas: Canvas) -> None:
    theme = view.theme
    if sign.is_current:
        canvas.path("detail", Ink(theme.ink, 1, theme.ink)).box(box, 5)
    elif not sign.is_tag:
        canvas.path("detail", Ink(theme.ink, 1.4, theme.page)).box(box, 5)
    else:
        flag = canvas.path("detail", Ink(theme.ink_2, 1.2, theme.page))
        flag.move(box.left, box.top).line(box.right - 8, box.top).line(box.right, (box.top + box.bottom) / 2)
        flag.line(box.right - 8, box.bottom).line(box.left, box.bottom).close()
