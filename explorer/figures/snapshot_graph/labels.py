"""The names at a snapshot graph: of lanes and snapshots, of branches and tags."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node
from ..page import text
from ..page.canvas import Canvas
from ..page.plane import PlaneName
from ..page.scene import Box, Ink, Target, Type
from ..page.theme import Theme
from .capsules import is_plain
from .lanes import UNREACHED, hover, stub_length, turns
from .view import PILL_SIZE, Item, Page, Row, View, head_text, pill_width

NUMBER = 23.0  # pixels from the middle of a mark up to that of its number, clear of the ring of a selection
_ID = 28.0
_NOTE = 13.0
_SMALL = 11.0


def draw_names(page: Page) -> None:
    """The name of each lane at the left, and what keeps its snapshots there."""
    view, canvas = page.view, page.canvas
    theme, room = view.theme, view.left - 24
    for row in view.rows:
        unreached = row.kind in UNREACHED
        style = Type(13, theme.ink_2 if unreached else theme.ink, bold=not unreached)
        canvas.text("page", 20, row.y - 7, text.shorten(row.name, 13, room, bold=style.bold), style, "start")
        below = Type(_SMALL, theme.ink_2)
        canvas.text("page", 20, row.y + 9, text.shorten(row.explanation, _SMALL, room), below, "start")


def draw(page: Page) -> set[int]:
    """The words at the marks of every row; the columns of the snapshots that have a number above them."""
    view, canvas = page.view, page.canvas
    numbered: set[int] = set()
    for row, items in zip(view.rows, page.folded, strict=True):
        singles = [item.nodes[0] for item in items if not item.is_capsule]
        if view.level == "full":
            numbered |= _draw_numbers(view, row, singles, canvas)
            _draw_ids(view, row, singles, canvas)
            _draw_staged(view, row, singles, canvas)
            _draw_notes(view, row, singles, canvas)
            _draw_expired(view, row, singles, canvas)
        elif row.kind in UNREACHED:
            _draw_ranges(view, row, items, canvas)
        else:
            numbered |= _draw_turning_points(view, row, singles, canvas)
    return numbered


def _every(view: View, nodes: list[Node], widest: float) -> list[Node]:
    """As many as there is room for: those that stand alone on their row, the others evenly."""
    stride = max(1, math.ceil((widest + 5) / view.pitch))  # one label for every so many columns
    last = view.nodes[-1].column
    chosen = []
    for i, node in enumerate(nodes):
        near = [abs(node.column - other.column) for other in (*nodes[max(i - 1, 0) : i], *nodes[i + 1 : i + 2])]
        if (last - node.column) % stride == 0 or min(near, default=stride) >= stride:
            chosen.append(node)
    return chosen


def _beside(view: View, row: Row, node: Node, y: float, shifts: tuple[int, ...]) -> list[tuple[float, float]]:
    """Places at a mark and beside it, never as near to a neighbour on the row as to the mark itself."""
    x, at = view.x(node.column), row.nodes.index(node)
    before = x - view.x(row.nodes[at - 1].column) if at else view.width
    after = view.x(row.nodes[at + 1].column) - x if at + 1 < len(row.nodes) else view.width
    return [(x + s, y) for s in (0, *shifts) if -before / 2 + 3 < s < after / 2 - 3 or s == 0]


def _draw_numbers(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> set[int]:
    style = Type(13, view.theme.ink_2 if row.kind in UNREACHED else view.theme.ink, bold=True)
    words = {node.column: snapshot_graph_words.label(view.graph, node) for node in nodes}
    widest = max((style.width(label) for label in words.values()), default=0)
    numbered = set()
    even = _every(view, nodes, widest)
    special = [node for node in nodes if _is_special(view, node)]
    for node in [*special, *(node for node in even if node not in special)]:
        places = _beside(view, row, node, row.y - NUMBER, (14, -14))
        if canvas.try_text(places, words[node.column], style, room=2):
            numbered.add(node.column)
            _draw_finding(view, row, node, NUMBER, style.width(words[node.column]) / 2 + 8, canvas)
    return numbered


def _is_special(view: View, node: Node) -> bool:
    return not is_plain(node) or node.snapshot.snapshot_id in view.worth_a_look


def _draw_finding(view: View, row: Row, node: Node, up: float, beside: float, canvas: Canvas) -> None:
    """A triangle beside the number of a snapshot that is worth a look, or in its place."""
    if node.snapshot.snapshot_id in view.worth_a_look:
        x = view.x(node.column)
        for shift in (-beside, beside, -beside - 14, beside + 14):
            if canvas.is_free(Box(x + shift - 5, row.y - up - 5, x + shift + 5, row.y - up + 5)):
                draw_finding(canvas, "detail", x + shift, row.y - up, view.theme)
                break


def draw_finding(canvas: Canvas, plane: PlaneName, x: float, y: float, theme: Theme) -> None:
    """A triangle in the hue of attention."""
    canvas.path(plane, Ink(fill=theme.attention.fill)).move(x - 5, y + 4).line(x + 5, y + 4).line(x, y - 5).close()
    canvas.take(Box(x - 5, y - 5, x + 5, y + 5))


def _draw_ids(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    style = Type(10.5, view.theme.ink_3, mono=True)
    numbered = [n for n in nodes if n.snapshot.sequence_number]  # the others have their id for a number
    for node in _every(view, numbered, style.width("…0000")):
        places = _beside(view, row, node, row.y + _ID, (12, -12, 30, -30))
        canvas.try_text(places, snapshot_graph_words.short_id(view.graph, node), style, room=2)


def _draw_staged(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    style = Type(_SMALL, view.theme.ink_2)
    for node in nodes:
        if node.state == "staged":
            words = text.shorten(f"wap.id {node.snapshot.summary.get('wap.id', '')}", _SMALL, 150)
            canvas.try_text([(view.x(node.column), row.y - NUMBER - 17)], words, style)


def _draw_notes(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    """On a line, who used the numbers that are missing between its ends."""
    style = Type(10.5, view.theme.ink_2)
    for node in nodes:
        parent = view.graph.parent(node)
        if parent is None or parent.lane != node.lane:
            continue
        words = snapshot_graph_words.spent_elsewhere(view.graph, node)
        if not words:
            continue
        start, end = max(view.x(parent.column), view.left), view.x(node.column)
        room = end - start - view.mark_size - 6
        missing = node.snapshot.sequence_number - parent.snapshot.sequence_number - 1
        for shorter in (words, f"{formats.count(missing, 'number')} elsewhere"):
            spare = max((room - style.width(shorter)) / 2, 0)
            at = [(start + end) / 2 + shift for shift in (0, spare, -spare)]
            places = [(x, row.y + _NOTE) for x in at] + [(x, row.y - 11) for x in at]
            if style.width(shorter) <= room and canvas.try_text(places, shorter, style):
                break


def _draw_expired(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    style = Type(_SMALL, view.theme.ink_3)
    for node in nodes:
        if node.parent_state != "expired":
            continue
        reach = stub_length(view, node, row)
        if reach < 8:
            continue
        right = view.x(node.column) - 13
        for words, y in ((f"parent …{str(node.snapshot.parent_id)[-4:]}", row.y - 16), ("expired", row.y + 14)):
            half = style.width(words) / 2
            middle = view.x(node.column) - reach / 2 - 6
            canvas.try_text([(min(middle, right - half), y), (right - half - 12, y)], words, style)


def _draw_turning_points(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> set[int]:
    """Numbers of the commits that are not like their neighbours; those with refs first, their leader passes there."""
    style = Type(12, view.theme.ink, bold=True)
    numbered = set()
    found = view.worth_a_look
    for node in sorted(nodes, key=lambda n: (not n.refs, n.snapshot.snapshot_id not in found, -n.column)):
        if not _is_special(view, node):
            continue
        x, y = view.x(node.column), row.y - 17 - (8 if (node.snapshot.attempt or 0) > 1 else 0)
        words = snapshot_graph_words.label(view.graph, node)
        if canvas.try_text([(x, y)], words, style, room=4):
            numbered.add(node.column)
            _draw_finding(view, row, node, row.y - y, style.width(words) / 2 + 8, canvas)
            continue
        _draw_finding(view, row, node, row.y - y, 0, canvas)
        if node.refs:
            canvas.take(Box(x - 2, row.y - 26, x + 2, row.y - 17))
    return numbered


def _draw_ranges(view: View, row: Row, items: list[Item], canvas: Canvas) -> None:
    """One label for each stretch of neighbours beside main: `8,479–8,482`."""
    style = Type(11.5, view.theme.ink_2, bold=True)
    stretch: list[Item] = []
    for item, following in zip(items, [*items[1:], None], strict=True):
        stretch.append(item)
        if following is not None and following.left - item.right < 24:
            continue
        first, last = stretch[0].nodes[0], stretch[-1].nodes[-1]
        words = snapshot_graph_words.label(view.graph, first)
        if first is not last:
            words += f"–{snapshot_graph_words.label(view.graph, last)}"
        middle = (stretch[0].left + stretch[-1].right) / 2
        canvas.try_text([(middle, row.y + 19), (middle, row.y - 19)], words, style)
        stretch = []


TIER = 26.0  # pixels from one tier of flags to the next
_FLAG_HEIGHT = 20.0
_PILL_HEIGHT = 24.0
_FLAG_SIZE = 11.5
_LONGEST_NAME = 150.0
_NUMBER_TOP = 32.0  # pixels above a mark that its number may reach


@dataclass(frozen=True, slots=True)
class Sign:
    """One label of refs: a pill beside its snapshot (tier -1), or a pill or flag on a tier above the row."""

    node: Node
    words: str
    is_tag: bool
    is_current: bool
    left: float
    right: float
    tier: int


@dataclass(slots=True)
class Signs:
    """The labels of one row. `unnamed`: snapshots with how many of their refs found no room."""

    placed: list[Sign] = field(default_factory=list)
    unnamed: list[tuple[Node, int]] = field(default_factory=list)

    @property
    def tiers(self) -> int:
        """How many shelves are used above the row."""
        return max((sign.tier + 1 for sign in self.placed), default=0)


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
            branches = _beside_line(view, node, branches, signs)
        for words, current, count in _branch_words(view, branches):
            wanted.append((0, -node.column, node, words, False, current, count))
        for words, count in _tag_words(tags):
            wanted.append((1, -node.column, node, words, True, False, count))
    tiers: list[list[Sign]] = [[] for _ in range(3 if view.level == "full" and len(view.rows) <= 6 else 2)]
    missing: dict[int, int] = {}
    for _, _, node, words, is_tag, current, count in sorted(wanted, key=lambda w: w[:2]):
        sign = _on_tier(view, node, words, is_tag, current, tiers)
        if sign is None:
            missing[node.column] = missing.get(node.column, 0) + count
        else:
            signs.placed.append(sign)
    signs.unnamed = [(node, missing[node.column]) for node in row.nodes if node.column in missing]
    return signs


def _beside_line(view: View, node: Node, branches: list[str], signs: Signs) -> list[str]:
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


def _on_tier(view: View, node: Node, words: str, is_tag: bool, current: bool, tiers: list[list[Sign]]) -> Sign | None:
    wide = text.width(words, _FLAG_SIZE) + 28 if is_tag else pill_width(words)
    x = view.x(node.column)
    left = min(max(x - wide / 2, view.left + 2), view.right - 2 - wide)
    for number, tier in enumerate(tiers):
        if all(left > other.right + 6 or left + wide < other.left - 6 for other in tier):
            sign = Sign(node, words, is_tag, current, left, left + wide, number)
            tier.append(sign)
            return sign
    return None


def set_rows(view: View, signs: list[Signs], top: float) -> float:
    """Give each row its y and its room; the page pixel below the last."""
    full = view.level == "full"
    targets_of_turns = {end.lane for _, _, end in turns(view)}
    y = top + (10 if len(view.nodes) == len(view.graph.nodes) else 22)  # room to name a selection out of view
    for row, row_signs in zip(view.rows, signs, strict=True):
        wordy = full and any(
            node.state == "staged" or (node.snapshot.attempt or 0) > 1 or node.copied_from is not None
            for node in row.nodes
        )
        row.above = (34.0 if full else 31.0) + (16 if wordy else 0) + TIER * row_signs.tiers
        row.below = (36.0 if full else 26.0) + (12 if targets_of_turns & set(row.lanes) else 0)
        row.y = y + row.above
        y = row.y + row.below + 4
    return y


def draw_refs(page: Page, row: Row, signs: Signs) -> None:
    """Draw the labels of a row whose y is known."""
    view, canvas = page.view, page.canvas
    theme = view.theme
    canvas.path("detail", Ink(theme.ink_2, 1))  # leaders come later, and lie below the flags
    for sign in sorted(signs.placed, key=lambda s: -s.tier):
        x = view.x(sign.node.column)
        if sign.tier < 0:
            y = row.y
            canvas.path("detail", Ink(theme.ink, 1.5)).move(x + view.mark_size / 2 + 3, y).line(sign.left, y)
        else:
            y = _tier_y(row, signs, sign)
            canvas.take(Box(x - 2, y, x + 2, row.y - _NUMBER_TOP))
        half = (_FLAG_HEIGHT if sign.is_tag else _PILL_HEIGHT if sign.tier < 0 else _FLAG_HEIGHT) / 2
        box = Box(sign.left, y - half, sign.right, y + half)
        canvas.take(box)
        _outline(view, sign, box, canvas)
        middle = (sign.left + sign.right) / 2 - (4 if sign.is_tag else 0)
        colour = theme.page if sign.is_current else theme.ink
        style = Type(_FLAG_SIZE if sign.is_tag else PILL_SIZE, colour, bold=not sign.is_tag)
        canvas.text("detail", middle, y, sign.words, style)
        shown = hover(view.graph, sign.node)
        reach = max(0.0, (sign.right - sign.left) / 2 - 14)
        for at in {middle - reach, middle, middle + reach}:
            page.targets.append(Target(at, y, str(sign.node.snapshot.snapshot_id), shown))


def draw_leaders(page: Page, row: Row, signs: Signs, numbered: set[int]) -> None:
    """From each flag down to its snapshot, or to its number where it has one; ticks where a ref found no room."""
    view, canvas = page.view, page.canvas
    leaders = canvas.path("detail", Ink(view.theme.ink_2, 1))
    for sign in signs.placed:
        if sign.tier >= 0:
            x, y = view.x(sign.node.column), _tier_y(row, signs, sign)
            bare = sign.node.column not in numbered
            end = row.y - (view.mark_size / 2 + 3 if bare else _NUMBER_TOP)
            foot = min(max(x, sign.left + 4), sign.right - 4)
            leaders.move(foot, y).line(x, end)
    for node, _ in signs.unnamed:  # a short tick, so that none of the refs without a name goes unseen
        x, top = view.x(node.column), row.y - (38 if view.level == "full" else 16)
        if canvas.is_free(Box(x - 1, top, x + 1, top + 5)):
            leaders.move(x, top).line(x, top + 5)


def _tier_y(row: Row, signs: Signs, sign: Sign) -> float:
    return row.y - row.above + TIER * (signs.tiers - sign.tier - 0.5)


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
