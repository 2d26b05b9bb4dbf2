"""The figures of both points side by side, and the rows, net: what a reader of B gets that a reader of A does not."""

from __future__ import annotations

from ...model import formats
from ...model.compare import words
from ...model.compare.figures import Figure
from ...model.compare.rows import KINDS, Kind, NetRows
from ..page.scene import Box, Ink, Rectangle, Span, Type
from ..page.theme import Hue
from .page import Page

_HIGH = 66.0
_SHOWN = 12  # rows that differ, one by one
_SIGNS: dict[Kind, str] = {"inserted": "+", "updated": "~", "deleted": "−"}


def draw_figures(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    theme, shown = page.theme, _told(page)
    wide = (page.width - 40) / len(shown)
    page.path(Ink(theme.kept_outline, 1.2)).box(Box(20, top, page.width - 20, top + _HIGH), 6)
    for i, figure in enumerate(shown):
        x = 20 + wide * i
        if i:
            page.path(Ink(theme.grid, 1)).move(x, top).line(x, top + _HIGH)
        room = wide - 20
        page.fit(x + 12, top + 14, [figure.name], Type(11, theme.ink_2), room)
        page.fit(x + 12, top + 34, [_signed(figure)], Type(15, theme.ink, bold=True), room)
        sides = [f"{_number(figure.left, figure)} → {_number(figure.right, figure)}"]
        if figure.unit == "":
            sides.append(f"{formats.compact(figure.left)} → {formats.compact(figure.right)}")
        page.fit(x + 12, top + 53, sides, Type(11, theme.ink_2), room)
    return top + _HIGH


def _told(page: Page) -> list[Figure]:
    """Those that there is room for; manifests of both kinds as one."""
    by_name = {figure.name: figure for figure in page.facts.figures}
    manifests = [by_name["data manifests"], by_name["delete manifests"]]
    sides = [[getattr(figure, side) for figure in manifests] for side in ("left", "right")]
    sums = [None if None in counts else sum(counts) for counts in sides]
    told = [by_name[name] for name in ("rows in data files", "data files", "delete files", "bytes of files")]
    return [*told, Figure("manifests", sums[0], sums[1])]


def _signed(figure: Figure) -> str:
    change = figure.change
    if change is None:
        return "unknown"
    if not change:
        return "±0"
    sign = "+" if change > 0 else "−"
    return f"{sign}{formats.size(abs(change)) if figure.unit == 'bytes' else formats.count(abs(change))}"


def _number(value: int | None, figure: Figure) -> str:
    return formats.size(value) if figure.unit == "bytes" else formats.count(value)


def draw_rows(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    rows = page.facts.rows
    y = page.section(top, "Rows, net", "what a reader of B gets that a reader of A does not")
    if rows is None:
        if page.facts.files.why_unknown:
            return page.hole(y, "Which files hold the rows that differ is not known.")
        return page.hole(
            y,
            f"Rows were not read: {words.price(page.facts)}.",
            "Reading them tells how many are inserted, updated and deleted, net; files that both have need no reading.",
        )
    y = _bars(page, rows, y)
    if rows.sample:
        y = _sample(page, rows, y + 8)
    return y


def _hue(page: Page, kind: Kind) -> Hue:
    return {"inserted": page.theme.added, "updated": page.theme.changed, "deleted": page.theme.removed}[kind]


def _bars(page: Page, rows: NetRows, y: float) -> float:
    theme = page.theme
    if not rows.differing:
        page.text(20, y + 8, "No row differs.", Type(12, theme.ink))
        y += 23
    most = max(rows.count(kind) for kind in KINDS)
    for kind in KINDS if rows.differing else ():
        page.text(20, y + 8, kind, Type(12, theme.ink))
        count = rows.count(kind)
        right = _bar(page, count, most, y, _hue(page, kind).fill, f"<b>{formats.count(count, 'row')}</b> {kind}")
        is_known = kind != "updated" or rows.knows_updates
        told = f"{count:,}" if is_known else "not known: nothing tells which rows of both are one"
        page.fit(right, y + 8, [told], Type(12, theme.ink if count else theme.ink_2), page.width - 20 - right)
        y += 23
    if rows.carried_over:
        page.text(20, y + 8, "carried over", Type(12, theme.ink_2))
        right = _bar(page, min(rows.carried_over, most or rows.carried_over), most or rows.carried_over, y, "", "")
        short = f"{'// ' if rows.carried_over > most > 0 else ''}{rows.carried_over:,}"
        told = f"{short}: equal rows in files that only one side has"
        page.fit(right, y + 8, [told, short], Type(12, theme.ink_2), page.width - 20 - right)
        y += 23
    return y


def _bar(page: Page, count: int, most: int, y: float, fill: str, hover: str) -> float:
    """A bar of rows, hatched without a fill; where the words beside it begin."""
    left, theme = 118.0, page.theme
    if not count:
        return left
    box = Box(left, y, left + max((page.width - left) * 0.5 * count / most, 3.0), y + 16)
    if fill:
        page.cells.append(Rectangle(box, fill, hover=hover))
    else:
        page.fills.append(Rectangle(box, theme.page, theme.edge, 1, hatch=theme.moved.fill))
    return box.right + 8


def _sample(page: Page, rows: NetRows, top: float) -> float:
    """Some rows, of each kind as many as there is room for."""
    theme = page.theme
    by_kind = {kind: [pair for pair in rows.sample if pair.kind == kind] for kind in KINDS}
    kinds = [kind for kind in KINDS if by_kind[kind]]
    each = _SHOWN // len(kinds)
    shown = [pair for kind in kinds for pair in by_kind[kind][:each]]
    y = top + 8
    head = [f"{len(shown):,} of {formats.count(rows.differing, 'row')} in which they differ"]
    page.fit(20, y, head, Type(11, theme.ink_2), page.width - 40)
    y += 12
    for pair in shown:
        page.path(Ink(theme.grid, 1)).move(20, y).line(page.width - 20, y)
        style = Type(11.5, theme.ink, mono=True)
        sign = _SIGNS[pair.kind]
        page.canvas.text("page", 26, y + 11, sign, Type(13, _hue(page, pair.kind).text, bold=True), spans=[Span(sign)])
        page.fit(42, y + 11, [words.row(pair, rows)], style, page.width - 70)
        y += 22
    page.path(Ink(theme.grid, 1)).move(20, y).line(page.width - 20, y)
    return y + 4
