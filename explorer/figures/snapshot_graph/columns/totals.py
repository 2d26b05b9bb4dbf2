"""What there was after each commit of main: rows, files and bytes as steps, each on a scale of its own."""

from __future__ import annotations

import itertools

from ....model import formats
from ....model.snapshot_graph.columns import RunningTotal, TotalName, running_totals
from ...page.scale import nice_steps
from ...page.scene import Ink, Type
from ...page.theme import sheer
from ..view import Page, View

_TALL = 40.0  # pixels of the largest total
_BETWEEN = 15.0
_NAME, _LABEL = 12.0, 10.5  # pixels of type
_GROUND = 0.07  # opacity of the area below a line
_STEPS = 2  # labelled lines above 0

Point = tuple[float, float]


def draw(page: Page, top: float) -> float:
    """Draw them from page pixel `top` down; the page pixel where they end."""
    if not page.view.nodes:
        return top
    found = running_totals(page.view.graph, page.view.nodes)
    recorded = [total for total in found if total.stretches and (total.most or total.name != "delete files")]
    heading = Type(_NAME, page.theme.ink, bold=True)
    words = page.canvas.fitting(_heading(found, recorded), heading, page.width - 40)
    page.canvas.text("page", 20, top + 8, words, heading, "start")
    y = top + 26
    for total in recorded:
        _draw_total(page, total, y)
        y += _TALL + _BETWEEN
    return y


def _heading(found: tuple[RunningTotal, ...], recorded: list[RunningTotal]) -> list[str]:
    """What follows, and what does not and why; from a long wording to a short one."""
    if not found:
        return ["no running totals: no snapshot in view, or before it, is on main"]
    if not recorded:
        return ["no running totals: the summaries of main record none"]
    missing = [f"{total.name} not recorded" for total in found if not total.stretches]
    missing += ["no delete file" for total in found if total.stretches and total not in recorded]
    left_out = f" ({', '.join(missing)})" if missing else ""
    return [f"running totals of main after each commit, as recorded{left_out}", f"running totals of main{left_out}"]


def _draw_total(page: Page, total: RunningTotal, top: float) -> None:
    view, theme, canvas = page.view, page.theme, page.canvas
    base = top + _TALL
    most = max(total.most, 1)
    canvas.text("page", 20, top + 8, total.name, Type(_NAME, theme.ink, bold=True), "start")
    canvas.text("page", 20, top + 24, _amount(total.name, total.last or 0), Type(_NAME, theme.ink_2), "start")
    steps = list(nice_steps(most, _STEPS))
    grid, label = canvas.path("detail", Ink(theme.grid, 1)), Type(_LABEL, theme.ink_3)
    for step in steps:
        y = base - step / most * _TALL
        grid.move(view.left, y).line(view.right, y)
        canvas.text("page", view.left - 5, y, _amount(total.name, step), label, "end")
    hue = theme.removed.fill if total.name == "delete files" else theme.ink_2
    for i, stretch in enumerate(total.stretches):
        last = i == len(total.stretches) - 1
        end = _right_end(view) if last else view.x(stretch[-1][0] + 0.5)
        places = [(max(view.x(column), view.left), base - n / most * _TALL) for column, n in stretch]
        _draw_steps(page, _thinned(places), max(end, places[-1][0]), base, hue)


def _draw_steps(page: Page, places: list[Point], end: float, base: float, colour: str) -> None:
    corners = [places[0]]
    for x, y in places[1:]:
        corners += [(x, corners[-1][1]), (x, y)]
    corners.append((end, corners[-1][1]))
    ground = page.canvas.path("detail", Ink(fill=sheer(page.theme.ink, _GROUND))).move(corners[0][0], base)
    line = page.canvas.path("detail", Ink(colour, 1.6)).move(*corners[0])
    for corner in corners:
        ground.line(*corner)
        line.line(*corner)
    ground.line(end, base).close()


def _right_end(view: View) -> float:
    """Where the last commit of the whole history is, or the end of the view: a total holds until the next commit."""
    return min(view.x(view.graph.nodes[-1].column + 0.5), view.right)


def _thinned(places: list[Point]) -> list[Point]:
    """Of those that share a pixel, the first, the highest, the lowest and the last."""
    kept: list[Point] = []
    for _, group in itertools.groupby(places, key=lambda place: int(place[0])):
        here = list(group)
        extremes = {0, len(here) - 1, *(pick(range(len(here)), key=lambda i: here[i][1]) for pick in (min, max))}
        kept += [here[i] for i in sorted(extremes)]
    return kept


def _amount(name: TotalName, n: int) -> str:
    return formats.size(n) if name == "bytes" and n else formats.compact(n)
