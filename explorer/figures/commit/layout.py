"""Where the files of a commit lie, in page pixels: one scale for all of them, and the page that they are drawn on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...model import formats
from ...model.commit.rows import CommitRows, Outcome, RowCell
from ...model.iceberg.commit import Commit
from ...model.iceberg.delete_scope import DeleteKey
from ...model.iceberg.inheritance import ContentKind
from ..page import text
from ..page.frame import pill
from ..page.scene import Box, Layer, Rectangle, Rectangles, Type
from ..page.sheet import Sheet
from ..page.theme import Hue
from .contents import MOST_FILES, Contents, DeleteMark, Group, Mark, Side, joined_sides

GUTTER = 104.0  # pixels at the left, where the rows of the picture are named
LINE, SMALL = 15.0, 11.0  # pixels from line to line of words at a mark, and their size


def summed(side: str, group: str) -> str:
    """The name of a place where several files of a group are told as one."""
    return f"sum {side} {group}"


def wordings(n: int, unit: str) -> list[str]:
    """`412,300 rows`, shorter and shorter."""
    units = unit if n == 1 else formats.plural(unit)
    return [f"{n:,} {units}", f"{formats.compact(n)} {units}", formats.compact(n)]


@dataclass(frozen=True, slots=True)
class Lines:
    """The horizontal lines of the files, in page pixels: top and bottom of the bars above and below the boundary."""

    before: tuple[float, float]
    boundary: float
    after: tuple[float, float]


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A commit, and everything drawn of it so far; its files are the page's cells.

    Attributes:
        names: short names of the files that are drawn one by one.
        start: page pixel where the commit's own part of the page begins; `end` where it ends, that of the page if None.
    """

    commit: Commit
    rows: CommitRows | None
    names: Mapping[DeleteKey, str] = field(default_factory=dict)
    start: float = 0.0
    end: float | None = None

    @property
    def wide(self) -> float:
        """Pixels of the commit's own part of the page."""
        return (self.width if self.end is None else self.end) - self.start

    @property
    def left(self) -> float:
        """Page pixel where pictures begin, right of the names of rows."""
        return self.start + (GUTTER if self.wide >= 900 else 94.0)

    def layers(self) -> tuple[Layer, ...]:
        """What stays as it is whatever is selected: there are no symbols, and what answers the pointer are files."""
        return (
            Rectangles("fills", "page", tuple(self.fills), answers=False),
            Rectangles("files", "page", tuple(self.cells), answers=True),
            self.canvas.texts("words", "page"),
            self.canvas.targets("targets", "page", self.targets),
        )

    @property
    def right(self) -> float:
        """Page pixel where pictures end."""
        return self.start + self.wide - 24.0

    def hue(self, what: str) -> Hue:
        """The hue of an outcome."""
        theme = self.theme
        return {"inserted": theme.added, "updated": theme.changed, "deleted": theme.removed}.get(what, theme.moved)

    def tear(self, box: Box) -> None:
        """`//` on both ends of a block: not to scale. As text, which lies above blocks."""
        for y in (box.top, box.bottom):
            self.canvas.text("page", box.right - 18, y, "//", Type(13.5, self.theme.ink_3))

    def pill(self, x: float, y: float, kind: ContentKind, *, filled: bool, count: int = 1) -> Box:
        """A delete file's mark that begins at x; outlined if it was removed."""
        return pill(self, x, y, kind, self.theme.removed, filled=filled, count=count)

    def plaque(
        self, x: float, y: float, candidates: Sequence[str], style: Type, room: float, least: float = 0.0
    ) -> Box:
        """Words on a piece of page, over whatever lies there, in at most `room` pixels.

        They are centred at x, or further right if they would begin left of `least`.
        """
        words = self.canvas.fitting(candidates, style, room - 8)
        wide = style.width(words) + 8
        x = max(x, least + wide / 2)
        box = Box(x - wide / 2, y - style.size * 0.72, x + wide / 2, y + style.size * 0.72)
        self.fills.append(Rectangle(box, self.theme.page))
        self.canvas.text("page", x, y, words, style)
        return box


SLIVER = 5.0  # pixels: the narrowest that is seen, and that a hatch or a hue can be told in
_BETWEEN_FILES, _BETWEEN_GROUPS = 10.0, 26.0
_BETWEEN_COLUMNS = 18.0
_NARROWEST_FILE, _NARROWEST_SUM, _NARROWEST_THROUGH = 60.0, 92.0, 92.0
LOOSE = 104.0  # pixels of the column of delete files that hang on no file
FOLDED = 118.0
_UNSCALED = 104.0  # a kept file whose rows are not known
_WIDEST_BAR = 460.0
_CELL_TEXT = 12.0
_CELL_SIZES = (24.0, 150.0)

ORDER: dict[Side, tuple[Outcome, ...]] = {
    "before": ("carried over", "updated", "deleted"),
    "after": ("carried over", "updated", "inserted"),
    "through": (),
}


@dataclass(slots=True)
class Segment:
    """Rows of one outcome in a bar; `what` is an outcome, `unseen` or `unread`."""

    what: str
    rows: int
    left: float
    right: float
    cells: tuple[RowCell, ...] = ()


@dataclass(slots=True)
class Bar:
    """A mark with its place: `left` to `right` is the bar, up to `slot` its words have room."""

    mark: Mark
    left: float
    right: float
    slot: float
    segments: list[Segment] = field(default_factory=list)

    def segment(self, what: str) -> Segment | None:
        """The segment of an outcome."""
        return next((s for s in self.segments if s.what == what), None)


@dataclass(slots=True)
class Placed:
    """A group with its places."""

    group: Group
    left: float
    right: float
    bars: list[Bar]
    loose: float | None  # left edge of the column of delete files


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything placed; `cell` is the width of one row where rows are printed, else None."""

    placed: tuple[Placed, ...]
    pixels_per_row: float
    cell: float | None
    left: float
    room: float
    right: float
    widened: bool

    @property
    def bars(self) -> list[Bar]:
        """Every bar, from left to right."""
        return [bar for placed in self.placed for bar in placed.bars]

    @property
    def headed(self) -> bool:
        """Whether the files are told by partition."""
        return any(placed.group.name != "unpartitioned" for placed in self.placed)


def layout(contents: Contents, left: float, room: float) -> Layout:
    """Place the files in `room` pixels from page pixel `left` on, as finely as they fit."""
    if contents.touched <= MOST_FILES:
        groups = contents.groups(MOST_FILES + 1, each_file=True)
        cell = _cell_width(groups, room)
        if cell is not None:
            return _place(groups, left, room, cell, cell)
        if _width(groups, 0) <= room:
            return _place(groups, left, room, _scale(groups, room), None)
    for most in range(MOST_FILES, 0, -1):
        groups = contents.groups(most, each_file=False)
        if _width(groups, 0) <= room or most == 1:
            break
    if _width(groups, 0) > room:
        groups = [joined_sides(group) for group in groups]
    return _place(groups, left, room, _scale(groups, room), None)


def on_one_scale(layouts: Sequence[Layout]) -> list[Layout]:
    """The same files, each row as wide in one layout as in another; rows are printed where all have room for it."""
    cells = [one.cell for one in layouts if one.cell is not None]
    cell = min(cells) if len(cells) == len(layouts) else None
    scale = cell or min((one.pixels_per_row for one in layouts if any(bar.mark.rows for bar in one.bars)), default=0.0)
    return [_place([p.group for p in one.placed], one.left, one.room, scale, cell) for one in layouts]


def _narrowest(mark: Mark) -> float:
    if mark.side == "through":
        return _NARROWEST_THROUGH
    return _NARROWEST_FILE if mark.is_single else _NARROWEST_SUM


def _bar_width(mark: Mark, scale: float) -> float:
    if mark.rows is None:
        return _UNSCALED
    return max(mark.rows * scale, SLIVER * max(len(_parts(mark)), 1))


def _slot(mark: Mark, scale: float) -> float:
    return max(_bar_width(mark, scale), _narrowest(mark))


def _row(marks: Sequence[Mark], scale: float) -> float:
    return sum(_slot(mark, scale) for mark in marks) + _BETWEEN_FILES * max(len(marks) - 1, 0)


def _columns(group: Group, scale: float) -> list[float]:
    """Widths of the columns of a group: kept files, files on either side, loose delete files."""
    if group.folded:
        return [FOLDED]
    through = _row(group.through, scale)
    sides = max(_row(group.before, scale), _row(group.after, scale))
    return [width for width in (through, sides, LOOSE if group.deletes else 0.0) if width]


def _group_width(group: Group, scale: float) -> float:
    columns = _columns(group, scale)
    return sum(columns) + _BETWEEN_COLUMNS * max(len(columns) - 1, 0)


def _width(groups: Sequence[Group], scale: float) -> float:
    return sum(_group_width(group, scale) for group in groups) + _BETWEEN_GROUPS * max(len(groups) - 1, 0)


def _scale(groups: Sequence[Group], room: float) -> float:
    """Pixels for a row, as many as fit."""
    most = max((mark.rows or 0 for group in groups for mark in group.marks), default=0)
    if not most:
        return 0.0
    low, high = 0.0, _WIDEST_BAR / most
    if _width(groups, high) <= room:
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _width(groups, middle) <= room else (low, middle)
    return low


def _cell_width(groups: Sequence[Group], room: float) -> float | None:
    """Pixels for one printed row; None if rows are not at hand or do not fit."""
    marks = [mark for group in groups for mark in group.marks]
    if not marks or any(not mark.cells or mark.rows is None or mark.rows > MOST_FILES for mark in marks):
        return None
    for mark in marks:
        printed: dict[str, int] = {}
        for cell in mark.cells:
            printed[cell.side] = printed.get(cell.side, 0) + 1
        if max(printed.values()) > (mark.rows or 0):
            return None
    longest = max(text.width(cell.text, _CELL_TEXT, mono=True) for mark in marks for cell in mark.cells)
    smallest, largest = _CELL_SIZES
    wanted = min(max(longest + 16, smallest * 2), largest)
    fits = _fitting(lambda size: _width(groups, size) <= room, smallest, wanted)
    return fits if fits is not None and fits >= min(wanted, 44.0) else None


def _fitting(fits: Callable[[float], bool], low: float, high: float) -> float | None:
    if not fits(low):
        return None
    if fits(high):
        return high
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _parts(mark: Mark) -> list[tuple[str, int]]:
    """What a bar is made of, in its order: outcomes with their rows; what they do not cover is `unread`."""
    if mark.side == "through":
        return []
    rows = mark.rows or 0
    if mark.outcomes is None:
        return [(mark.certain or "unread", rows)] if rows else []
    outcomes = mark.outcomes
    counts = {
        "carried over": outcomes.carried_over,
        "updated": outcomes.updated,
        "deleted": outcomes.deleted,
        "inserted": outcomes.inserted,
    }
    parts: list[tuple[str, int]] = [(what, counts[what]) for what in ORDER[mark.side]]
    known = sum(n for _, n in parts) + outcomes.unseen
    parts += [("unseen", outcomes.unseen), ("unread", max(rows - known, 0))]
    return [(what, n) for what, n in parts if n]


def _segments(mark: Mark, left: float, right: float, cell: float | None) -> list[Segment]:
    parts = _parts(mark)
    widths = [n * cell for _, n in parts] if cell else _widened([n for _, n in parts], right - left)
    by_outcome: dict[str, list[RowCell]] = {}
    for c in mark.cells if cell else ():
        by_outcome.setdefault(c.outcome or "unseen", []).append(c)
    segments, x = [], left
    for (what, n), width in zip(parts, widths, strict=True):
        segments.append(Segment(what, n, x, x + width, tuple(by_outcome.get(what, ()))))
        x += width
    return segments


def _widened(counts: Sequence[int], width: float) -> list[float]:
    """Widths by count that sum up to `width`, none below a sliver."""
    narrow: set[int] = set()
    while True:
        rest = sum(n for i, n in enumerate(counts) if i not in narrow)
        room = width - SLIVER * len(narrow)
        widths = [SLIVER if i in narrow else room * n / rest for i, n in enumerate(counts)]
        more = {i for i, w in enumerate(widths) if w < SLIVER - 1e-9}
        if not more or len(narrow | more) == len(counts):
            return widths
        narrow |= more


def _place(groups: Sequence[Group], left: float, room: float, scale: float, cell: float | None) -> Layout:
    placed, x, widened = [], left, False
    for group in groups:
        columns = _columns(group, scale)
        start, bars = x, []
        if group.through:
            bars += _bars(group.through, x, scale, cell)
            x += _row(group.through, scale) + _BETWEEN_COLUMNS
        if group.before or group.after:
            bars += _bars(group.before, x, scale, cell) + _bars(group.after, x, scale, cell)
            x += max(_row(group.before, scale), _row(group.after, scale)) + _BETWEEN_COLUMNS
        loose = x if group.deletes and not group.folded else None
        width = sum(columns) + _BETWEEN_COLUMNS * max(len(columns) - 1, 0)
        placed.append(Placed(group, start, start + width, bars, loose))
        x = start + width + _BETWEEN_GROUPS
    for bar in (bar for p in placed for bar in p.bars):
        rows = bar.mark.rows
        widened = widened or (rows is not None and bar.right - bar.left > rows * scale + 0.01 and rows > 0)
        widened = widened or any(s.right - s.left > s.rows * scale + 0.01 for s in bar.segments)
    right = x - _BETWEEN_GROUPS if groups else left
    return Layout(tuple(placed), scale, cell, left, room, min(right, left + room), widened)


def _bars(marks: Sequence[Mark], left: float, scale: float, cell: float | None) -> list[Bar]:
    bars, x = [], left
    for mark in marks:
        width, slot = _bar_width(mark, scale), _slot(mark, scale)
        bars.append(Bar(mark, x, x + width, x + slot, _segments(mark, x, x + width, cell)))
        x += slot + _BETWEEN_FILES
    return bars


def loose_marks(placed: Placed) -> dict[str, list[DeleteMark]]:
    """Delete files of the loose column by what happened to them."""
    found: dict[str, list[DeleteMark]] = {"removed": [], "added": []}
    for mark in placed.group.deletes:
        found[mark.change].append(mark)
    return found
