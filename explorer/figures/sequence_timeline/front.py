"""The front of the selected delete, with the area that it reaches; or, of a selected data file, where deletes reach it.

The front of an equality delete stands on the left edge of its column, since it reaches strictly older data; that of
positions on the right edge, since they reach data of their own commit too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ..page.canvas import Box, Ink
from ..page.theme import blend
from .columns import Columns
from .page import Group, Page, Row

_LINE = 2.4
_PILL = 19.0  # pixels from the middle of a selected pill to its halo


def draw_area(page: Page, columns: Columns, groups: Sequence[Group]) -> None:
    """What lies below all marks: the reached area, only where places tell age, and the front's way to its own mark."""
    place = _edge(page, columns)
    if place is None or page.selected is None:
        return
    found = _in_scope(page, columns, groups)
    if columns.places_tell_age:
        path = page.path(Ink(fill=blend(page.theme.removed.fill, page.theme.page, 0.14)))
        for row, edge in found:
            left, right = (edge, columns.right) if row.file.kind != "data" else (columns.left, edge)
            if right > left:
                path.box(Box(left, row.top, right, row.bottom))
    else:
        page.untold.append(_backwards(columns))
    if page.selected.kind == "data":
        return
    edge, x = place
    own = next(row for group in groups for row in group.rows if row.file is page.selected)
    ends = [own.y, *(row.top for row, _ in found), *(row.bottom for row, _ in found)]
    line = page.path(Ink(page.theme.removed.fill, _LINE)).move(edge, min(ends)).line(edge, max(ends))
    if page.full:
        line.move(edge, own.y).line(x + (_PILL if edge > x else -_PILL), own.y)


def draw_front(page: Page, columns: Columns, groups: Sequence[Group]) -> None:
    """The front at every row in scope, above all bars."""
    for row, edge in _in_scope(page, columns, groups):
        box = Box(edge - _LINE / 2, row.top, edge + _LINE / 2, row.bottom)
        page.fills.add(box, page.theme.removed.fill)


def _edge(page: Page, columns: Columns) -> tuple[float, float] | None:
    """Where the front of the selected delete stands, and its column; of a data file, its column twice."""
    selected = page.selected
    if selected is None or page.state(selected) == "elsewhere" or selected.data_sequence_number.value is None:
        return None
    column = columns.of(selected.data_sequence_number.value, selected.added_snapshot_id)
    if column is None:
        return None
    edges = {"data": column.x, "equality deletes": column.left}
    return edges.get(selected.kind, column.right), column.x


def _in_scope(page: Page, columns: Columns, groups: Sequence[Group]) -> list[tuple[Row, float]]:
    """Rows that the selection can reach, or be reached by, whatever their numbers; and the edge that decides there."""
    place, selected = _edge(page, columns), page.selected
    if place is None or selected is None:
        return []
    own = columns.of(selected.data_sequence_number.value, selected.added_snapshot_id)
    found = []
    for row in (row for group in groups for row in group.rows):
        pair = (row.file, selected) if selected.kind == "data" else (selected, row.file)
        if (row.file.kind == "data") is (selected.kind == "data") or page.state(row.file) == "elsewhere" or own is None:
            continue
        if page.scopes.places(*pair):
            edge = place[0]
            if selected.kind == "data":
                edge = own.right if row.file.kind == "equality deletes" else own.left
            found.append((row, edge))
    return found


def _backwards(columns: Columns) -> str:
    """Why no area is drawn."""
    earlier = formats.count(columns.runs_backwards, "commit")
    why = f"{earlier} earlier by the clock than one before" if columns.runs_backwards else "some times are not known"
    return f"Sequence numbers decide, and times are no order here ({why}), so that the reached area is not drawn."
