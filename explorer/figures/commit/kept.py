"""Blocks that are not to scale: the files that a commit left alone, and the partitions that found no room."""

from __future__ import annotations

from ...model import formats
from ...model.commit.findings import DELETES, kept_rows, tally
from ..page.canvas import Box, Type
from ..page.hits import opening
from . import hover as commit_hover
from .groups import Contents
from .layout import Placed
from .page import Lines, Page

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
    told = [
        f"<b>{formats.count(files, 'data file')} kept</b>" + (", beside those drawn here" if others else ""),
        f"{formats.count(rows, 'row')} stored in them" if rows is not None else "their rows are not counted",
        f"{formats.count(kept.delete_files, 'delete file')} kept too",
        "by the counts in the manifest list; not to scale",
    ]
    _block(page, box, lines, "", "<br>".join(told))
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
    _block(page, box, lines, meaning, commit_hover.group(placed.group))


def _short(n: int, unit: str) -> str:
    return f"{formats.compact(n)} {unit if n == 1 else formats.plural(unit)}"


def _block(page: Page, box: Box, lines: list[tuple[str, bool]], meaning: str, hover: str) -> None:
    theme = page.theme
    page.fills.add(box, theme.page)
    page.cells.add(box, stroke=theme.kept_outline, stroke_width=1.6, meaning=meaning, hover=hover)
    page.tear(box)
    middle = (box.left + box.right) / 2
    y = (box.top + box.bottom) / 2 - _LINE / 2 * (len(lines) - 1)
    for words, bold in lines:
        style = Type(12 if bold else 11, theme.ink if bold else theme.ink_2, bold=bold)
        page.canvas.text("page", middle, y, page.canvas.fitting([words], style, box.right - box.left - 6), style)
        y += _LINE
