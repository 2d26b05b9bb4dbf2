"""The files of a commit as bars: on either side of its boundary, through it, kept, and the delete files beside them."""

from __future__ import annotations

from ...model import formats
from ...model.commit.findings import DELETES, kept_rows, tally
from ...model.words import holds
from ..page.frame import PILL_HEIGHT, pill_width
from ..page.hits import file_meaning, opening
from ..page.scene import Box, Ink, Rectangle, Target, Type
from ..page.text import beginnings
from . import hits as commit_hits
from .contents import Contents, Mark
from .layout import LINE, SLIVER, SMALL, Bar, Lines, Page, Placed, Segment, loose_marks, summed, wordings

_Word = tuple[str, Type]
_CHANGED = ("updated", "deleted", "inserted")


def draw_bar(page: Page, bar: Bar, lines: Lines, placed: Placed) -> float:
    """One bar with its words; the page pixel where it ends."""
    above = bar.mark.side == "before"
    top, bottom = lines.before if above else lines.after
    for segment in bar.segments:
        _draw_segment(page, segment, top, bottom)
    stroke = page.theme.edge if above else page.theme.ink
    dotted = above and page.rows is not None and not page.rows.before_known
    draw_outline(page, bar, Box(bar.left, top, bar.right, bottom), stroke, placed, dotted=dotted)
    words = words_of(page, bar)
    y = top - 13 - LINE * (len(words) - 1) if above else bottom + 15
    for left, right in words:
        page.text(bar.left, y, *left)
        if right is not None:
            page.canvas.text("page", bar.slot, y, *right, "end")
        y += LINE
    return bottom if above else y - LINE + 10


def _draw_segment(page: Page, segment: Segment, top: float, bottom: float) -> None:
    theme, box = page.theme, Box(segment.left, top, segment.right, bottom)
    match segment.what:
        case "carried over":
            page.fills.append(Rectangle(box, hatch=theme.moved.fill))
        case "unseen":
            page.fills.append(Rectangle(box, theme.band, theme.kept_outline, 1))
        case "unread":
            page.fills.append(Rectangle(box, theme.band))
        case outcome:
            page.fills.append(Rectangle(box, page.hue(outcome).fill))
    _print_cells(page, segment, top, bottom)


def _print_cells(page: Page, segment: Segment, top: float, bottom: float) -> None:
    """The rows of a segment, each with its values."""
    theme, solid = page.theme, segment.what in _CHANGED
    style = Type(12, page.hue(segment.what).on_fill if solid else theme.ink, mono=True)
    width, middle = (segment.right - segment.left) / max(segment.rows, 1), (top + bottom) / 2
    for i, cell in enumerate(segment.cells[: segment.rows]):
        x = segment.left + width * i
        if i:
            page.fills.append(
                Rectangle(Box(x - 0.6, top, x + 0.6, bottom), theme.page if solid else theme.kept_outline)
            )
        words = page.canvas.fitting(beginnings(cell.text), style, width - 8)
        if not solid:
            half = style.width(words) / 2 + 3
            page.fills.append(
                Rectangle(Box(x + width / 2 - half, middle - 10, x + width / 2 + half, middle + 10), theme.page)
            )
        page.canvas.text("page", x + width / 2, middle, words, style)


def draw_outline(page: Page, bar: Bar, box: Box, stroke: str, placed: Placed, *, dotted: bool = False) -> None:
    """The edge of a file, which answers the pointer over all of it; dotted where its rows can be known no more."""
    mark, thick = bar.mark, 1.6 if box.right - box.left > 12 else 1.0
    meaning = file_meaning(mark.paths[0], None) if mark.is_single else opening(placed.group.opens)
    hover = commit_hits.mark(page.commit, mark, placed.group)
    page.cells.append(Rectangle(box, stroke=stroke, stroke_width=0 if dotted else thick, meaning=meaning, hover=hover))
    if dotted:
        page.path(Ink(stroke, 1.6, page.theme.band, dash="2px,3px")).box(box)
    page.place(mark.paths[0] if mark.is_single else summed(mark.side, placed.group.place), box)


def words_of(page: Page, bar: Bar) -> list[tuple[_Word, _Word | None]]:
    """Lines of words for a bar: name and rows at the left, outcomes at the right or, without room, below."""
    mark, room = bar.mark, bar.slot - bar.left
    name = Type(SMALL, page.theme.ink_2, mono=mark.is_single)
    names = [page.names[mark.paths[0], None]] if mark.is_single else wordings(mark.files, "file")
    left: list[_Word] = [(page.canvas.fitting(names, name, room), name)]
    found = [
        _outcome(page, s, room) for s in bar.segments if s.what in (*_CHANGED, "unseen") and mark.outcomes is not None
    ]
    if not (len(bar.segments) == 1 and found):  # else the outcome's own words already say how many rows there are
        style = Type(SMALL, page.theme.ink_2)
        left.append((page.canvas.fitting(wordings(mark.rows or 0, "row"), style, room), style))
    wide = max(s.width(w) for w, s in left) + max((s.width(w) for w, s in found), default=0) + 12
    if len(left) > 1 and wide <= room and len(found) <= len(left):
        return [(words, found[i] if i < len(found) else None) for i, words in enumerate(left)]
    return [(words, None) for words in (*left, *found)]


def _outcome(page: Page, segment: Segment, room: float) -> _Word:
    unseen = segment.what == "unseen"
    style = Type(SMALL, page.theme.ink_3 if unseen else page.hue(segment.what).text)
    n, word = segment.rows, "not visible" if unseen else segment.what
    candidates = [f"{n:,} {word}", f"{formats.compact(n)} {word}", f"{n:,}", formats.compact(n)]
    return page.canvas.fitting(candidates, style, room), style


def draw_carried(page: Page, placed: Placed, lines: Lines) -> None:
    """How many rows crossed the boundary unchanged in a partition, on the line."""
    carried = [(bar, s) for bar in placed.bars if (s := bar.segment("carried over"))]
    after = [s for bar, s in carried if bar.mark.side == "after"]
    segments = after or [s for _, s in carried]
    if not segments:
        return
    n = sum(s.rows for s in segments)
    left, right = min(s.left for s in segments), max(s.right for s in segments)
    words = [f"{n:,} carried over", f"{formats.compact(n)} carried over", f"{formats.compact(n)} carried"]
    style = Type(11.5, page.theme.ink)
    least = min(bar.left for bar, _ in carried)
    page.plaque((left + right) / 2, lines.boundary, [*words, formats.compact(n)], style, max(right - left, 60.0), least)


def draw_through(page: Page, bar: Bar, lines: Lines, placed: Placed) -> float:
    """One kept file, or several; the page pixel where it ends."""
    theme, mark = page.theme, bar.mark
    box = Box(bar.left, lines.before[0], bar.right, lines.after[1])
    page.fills.append(Rectangle(box, theme.page))
    masked, back = _masked(mark), mark.outcomes.inserted if mark.outcomes else 0
    inner = box.right
    for n, hue in ((masked, theme.removed), (back, theme.added)):
        if n and not mark.cells:
            share = (box.right - box.left) * n / mark.rows if mark.rows else 0.0
            wide = min(max(share, SLIVER), inner - box.left)
            page.fills.append(Rectangle(Box(inner - wide, lines.boundary, inner, box.bottom), hue.fill))
            inner -= wide
    draw_outline(page, bar, box, theme.kept_outline, placed)
    room = bar.slot - bar.left - draw_replaced(page, bar, box.top - 15)
    name = Type(SMALL, theme.ink_2, mono=mark.is_single)
    names = [page.names[mark.paths[0], None]] if mark.is_single else wordings(mark.files, "file")
    page.text(bar.left, box.top - 13, page.canvas.fitting(names, name, room), name)
    if mark.rows is None:
        page.tear(box)
    if mark.cells:
        _print_kept_cells(page, bar, lines)
    else:
        _write_inside(page, bar, lines, masked, back, inner)
    return draw_hanging(page, bar, box)


def _masked(mark: Mark) -> int:
    """Rows newly masked, or the positions newly held, where rows were not read."""
    if mark.outcomes is not None:
        return mark.outcomes.updated + mark.outcomes.deleted + mark.outcomes.carried_over
    return max(sum(m.rows for m in mark.masked_by) - mark.unmasked, 0)


def _write_inside(page: Page, bar: Bar, lines: Lines, masked: int, back: int, inner: float) -> None:
    """Rows stored, above; rows that are read and that are masked, below."""
    theme, mark, room = page.theme, bar.mark, max(inner, bar.left + 70) - bar.left - 10
    plain = Type(SMALL, theme.ink_2)
    stored = wordings(mark.rows, "row") if mark.rows is not None else ["rows not read", "not read"]
    below: list[tuple[list[str], Type]] = []
    if mark.rows is not None and mark.outcomes is not None and not mark.outcomes.unseen:
        below.append((_counted(mark.rows - masked, "read"), plain))
    word = "masked" if mark.outcomes is not None else "new positions" if mark.unmasked else "positions"
    for n, outcome, hue in ((masked, word, theme.removed), (back, "came back", theme.added)):
        if n:
            below.append((_counted(n, outcome), Type(SMALL, hue.text)))
    page.text(bar.left + 8, sum(lines.before) / 2, page.canvas.fitting(stored, plain, room), plain)
    y = sum(lines.after) / 2 - LINE / 2 * (len(below) - 1)
    for i, (candidates, style) in enumerate(below):
        page.text(bar.left + 8, y + LINE * i, page.canvas.fitting(candidates, style, room), style)


def _counted(n: int, word: str) -> list[str]:
    return [f"{n:,} {word}", f"{formats.compact(n)} {word}", formats.compact(n)]


def _print_kept_cells(page: Page, bar: Bar, lines: Lines) -> None:
    """Each row of a small file above the line, and below it what became of it; in the order of the file."""
    theme, mark = page.theme, bar.mark
    before = {cell.position: cell for cell in mark.cells if cell.side == "before"}
    after = {cell.position: cell for cell in mark.cells if cell.side == "after"}
    count = max(mark.rows or 1, 1)
    width = (bar.right - bar.left) / count
    plain = Type(12, theme.ink, mono=True)
    for i in range(count):
        x = bar.left + width * i
        was, now = before.get(i), after.get(i)
        if was is not None:
            page.canvas.text("page", x + width / 2, sum(lines.before) / 2, _cut(page, was.text, plain, width), plain)
        hue = (
            theme.removed
            if was is not None and now is None
            else theme.added
            if was is None and now is not None
            else None
        )
        shown = now or was
        if shown is None:
            continue
        if hue is not None:
            page.fills.append(Rectangle(Box(x + 2, lines.boundary, x + width - 2, lines.after[1] - 1), hue.fill))
        style = Type(12, hue.on_fill, mono=True) if hue else plain
        page.canvas.text("page", x + width / 2, sum(lines.after) / 2, _cut(page, shown.text, style, width), style)


def _cut(page: Page, words: str, style: Type, width: float) -> str:
    return page.canvas.fitting([words], style, width - 8)


KEPT = 104.0  # pixels
_LINE = 17.0


def draw_kept(page: Page, contents: Contents, left: float, at: Lines) -> float:
    """One block for all files that run through the boundary untouched; the page pixel where there is room again."""
    kept = page.commit.kept
    box = Box(left, at.before[0], left + KEPT, at.after[1])
    if kept.data_files is None:
        page.unreadable(box, ["kept files:", "not counted"], Type(11.5, page.theme.ink_2))
        return box.right + 26
    files = kept.data_files - contents.reached
    if files <= 0 and not kept.delete_files:
        return left
    stored, reached = kept_rows(page.commit), contents.reached_rows
    rows = None if stored is None or reached is None or stored < reached else stored - reached
    others = contents.reached > 0
    exact = formats.count(files, "file")
    lines = [(exact if len(exact) < 13 else f"{formats.compact(files)} files", True)]
    if rows is not None and files:
        lines.append((_short(rows, "row"), False))
    lines.append(("also kept" if others else "kept", False))
    if kept.delete_files:
        lines.append((_short(kept.delete_files, "delete file"), False))
    about = [
        f"<b>{formats.count(files, 'data file')} kept</b>" + (", beside those drawn here" if others else ""),
        f"{formats.count(rows, 'row')} stored in them" if rows is not None else "their rows are not counted",
        f"{formats.count(kept.delete_files, 'delete file')} kept too",
        "by the counts in the manifest list; not to scale",
    ]
    _block(page, box, lines, "", "<br>".join(about))
    return box.right + 26


def draw_folded(page: Page, placed: Placed, at: Lines) -> None:
    """The partitions that found no room, in sums; a click shows the next ones."""
    change = placed.group.change
    assert change is not None  # noqa: S101 - a folded group always sums changes
    lines: list[tuple[str, bool]] = []
    for word, tallies in (("removed", change.removed), ("added", change.added)):
        data, deletes = tally(tallies, "data"), tally(tallies, *DELETES)
        if data.files:
            lines.append((f"{formats.compact(data.files)} files {word}", False))
            lines.append((f"{formats.compact(data.records)} rows", False))
        if deletes.files:
            what = f"{formats.compact(deletes.files)} {'delete' if deletes.files == 1 else 'deletes'}"
            lines.append((f"{what} {'gone' if word == 'removed' else word}", False))
    meaning = opening(placed.group.opens)
    box = Box(placed.left, at.before[0], placed.right, at.after[1])
    _block(page, box, lines, meaning, commit_hits.group(placed.group))


def _short(n: int, unit: str) -> str:
    return f"{formats.compact(n)} {unit if n == 1 else formats.plural(unit)}"


def _block(page: Page, box: Box, lines: list[tuple[str, bool]], meaning: str, hover: str) -> None:
    theme = page.theme
    page.fills.append(Rectangle(box, theme.page))
    page.cells.append(Rectangle(box, stroke=theme.kept_outline, stroke_width=1.6, meaning=meaning, hover=hover))
    page.tear(box)
    middle = (box.left + box.right) / 2
    y = (box.top + box.bottom) / 2 - _LINE / 2 * (len(lines) - 1)
    for words, bold in lines:
        style = Type(12 if bold else 11, theme.ink if bold else theme.ink_2, bold=bold)
        page.canvas.text("page", middle, y, page.canvas.fitting([words], style, box.right - box.left - 6), style)
        y += _LINE


def draw_hanging(page: Page, bar: Bar, box: Box) -> float:
    """The delete files below the file that they mask; the page pixel where they end."""
    masked_by, y = bar.mark.masked_by, box.bottom + 24
    if not masked_by:
        return box.bottom
    kinds: dict[str, list[int]] = {}
    for i, m in enumerate(masked_by):
        kinds.setdefault(m.kind, []).append(i)
    wide = sum(pill_width(masked_by[i[0]].kind, len(i)) + 6 for i in kinds.values()) - 6
    beside = wide <= bar.slot - bar.left  # else below each other
    start = x = max(box.right - wide, bar.left)
    page.path(Ink(page.theme.removed.fill, 1.8)).move(box.right - 3, box.bottom).line(box.right - 3, y - 4)
    for row, indexes in enumerate(kinds.values()):
        first = masked_by[indexes[0]]
        if not beside:
            y = box.bottom + 24 + 22 * row
            x = max(box.right - pill_width(first.kind, len(indexes)), bar.left)
        pill = page.pill(x, y, first.kind, filled=True, count=len(indexes))
        alone = len(indexes) == 1
        meaning = file_meaning(first.delete_path, first.content_offset) if alone else ""
        hover = commit_hits.masking(masked_by, indexes, bar.mark.outcomes is not None)
        page.targets.append(Target((pill.left + pill.right) / 2, y, meaning, hover))
        for i in indexes if bar.mark.is_single else ():
            page.place(masked_by[i].delete_path, pill)
        x = pill.right + 6
    if len(masked_by) == 1 and bar.mark.is_single:
        style = Type(10.5, page.theme.ink_3, mono=True)
        name = page.names[masked_by[0].delete_path, masked_by[0].content_offset]
        if start - 6 - style.width(name) >= bar.left:
            page.canvas.text("page", start - 6, y, name, style, "end")
    return y + PILL_HEIGHT / 2 + 4


def draw_replaced(page: Page, bar: Bar, y: float) -> float:
    """The delete files that masked rows of the file before and that the commit removed; pixels they take."""
    mark = bar.mark
    if not mark.replaced:
        return 0.0
    kind, count = mark.replaced[0].kind, len(mark.replaced)
    wide = pill_width(kind, count)
    pill = page.pill(bar.slot - wide, y, kind, filled=False, count=count)
    hover = commit_hits.masking(mark.replaced, range(count), False, "removed")
    first = mark.replaced[0]
    meaning = file_meaning(first.delete_path, first.content_offset) if count == 1 else ""
    page.targets.append(Target((pill.left + pill.right) / 2, y, meaning, hover))
    for old in mark.replaced if mark.is_single else ():
        page.place(old.delete_path, pill)
    return wide + 6


def draw_loose(page: Page, placed: Placed, lines: Lines) -> float:
    """Delete files that hang on no file of the picture; the page pixel where they end."""
    bottom, style = lines.after[1], Type(SMALL, page.theme.ink_2)
    if placed.loose is None:
        return bottom
    for change, marks in loose_marks(placed).items():
        y = (lines.before if change == "removed" else lines.after)[0] + 9
        for mark in marks:
            pill = page.pill(placed.loose, y, mark.kind, filled=change == "added", count=mark.files)
            meaning = file_meaning(*mark.key) if mark.key else opening(placed.group.opens)
            page.targets.append(
                Target((pill.left + pill.right) / 2, y, meaning, commit_hits.deletes(mark, placed.group))
            )
            if mark.key:
                page.place(mark.key[0], pill)
            words = [holds(mark.kind, mark.records), formats.compact(mark.records)]
            page.text(placed.loose, y + 18, page.canvas.fitting(words, style, placed.right - placed.loose), style)
            bottom = max(bottom, y + 28)
            y += 38
    return bottom
