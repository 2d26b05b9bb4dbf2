"""A scene as SVG within an HTML page, whose places answer the pointer and the keyboard without a script."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from . import svg
from .plane import Plane
from .scene import Areas, Bars, Box, Rectangles, Scene, Targets, Type
from .text import shorten, visible

BY_KEYBOARD = 200
"""Places that the tabulator stops at, the first ones of a drawing; the pointer finds all."""
STYLE = (
    ".answer .tip { visibility: hidden; pointer-events: none } .answer:hover .tip, .answer:focus .tip "
    "{ visibility: visible } .answer:focus { outline: none } .answer:focus > .place { stroke: currentColor;"
    " stroke-width: 2 }"
)
"""What a page must say of it."""
_MOST_LINES = 14
_LINE, _EDGE = 16.0, 6.0


class _Place(NamedTuple):
    box: Box
    lines: tuple[str, ...]


def to_inline(scene: Scene, name: str) -> str:
    """The scene as an SVG element, in its own size or as wide as there is room.

    Args:
        scene: what is drawn; its places answer with what they would say on the screen.
        name: unlike that of any other drawing of the page.
    """
    document = svg.to_svg(scene)
    document = re.sub(r'id="(plane)', rf'id="{name}\1', document)
    document = re.sub(r"url\(#(plane)", rf"url(#{name}\1", document)
    found = [place for plane in scene.planes for place in _places(scene, plane) if place.lines]
    answers = "".join(_answer(scene, place, number < BY_KEYBOARD) for number, place in enumerate(found))
    start = document.replace("<svg ", f'<svg style="max-width: 100%; height: auto; color: {scene.theme.ink}" ', 1)
    return start.removesuffix("</svg>").replace(' role="img"', ' role="group"', 1) + f"{answers}</svg>"


def _places(scene: Scene, plane: Plane) -> Iterator[_Place]:
    """What answers on a plane, in page pixels."""
    for layer in scene.layers:
        if layer.plane != plane.name:
            continue
        match layer:
            case Targets():
                for target in layer.items:
                    x, y, half = plane.x(target.x), plane.y(target.y), target.size / 2
                    yield _Place(Box(x - half, y - half, x + half, y + half), _lines(target.hover))
            case Rectangles():
                for rectangle in layer.items:
                    left, top, right, bottom = rectangle.box
                    box = Box(plane.x(left), plane.y(top), plane.x(right), plane.y(bottom))
                    yield _Place(box, _lines(rectangle.hover))
            case Bars():
                for bar in layer.items:
                    ends = sorted((plane.y(bar.base), plane.y(bar.base - bar.length)))
                    box = Box(plane.x(bar.x - bar.width / 2), ends[0], plane.x(bar.x + bar.width / 2), ends[1])
                    yield _Place(box, _lines(bar.hover))
            case Areas():
                for area in layer.items:
                    box = Box(plane.x(area.left), plane.y(layer.top), plane.x(area.right), plane.y(layer.bottom))
                    yield _Place(box, _lines(area.hover))


def _lines(hover: str) -> tuple[str, ...]:
    """The words of a hover, which is plotly's kind of HTML."""
    lines = (html.unescape(re.sub(r"<[^>]*>", "", line)).strip() for line in hover.split("<br>"))
    return tuple(line for line in lines if line)


def _answer(scene: Scene, place: _Place, is_stop: bool) -> str:
    left, top, right, bottom = place.box
    stop = ' tabindex="0"' if is_stop else ""
    said = html.escape(visible("; ".join(place.lines)))
    return (
        f'<g class="answer"{stop} role="img" aria-label="{said}"><rect class="place" x="{left:.1f}" y="{top:.1f}"'
        f' width="{max(right - left, 1):.1f}" height="{max(bottom - top, 1):.1f}" fill="transparent"/>'
        f"{_tip(scene, place)}</g>"
    )


def _tip(scene: Scene, place: _Place) -> str:
    """The words in a box near the place, inside the drawing."""
    style, room = Type(12, scene.theme.ink), scene.width - 4 * _EDGE
    lines = _cut([shorten(line, style.size, room) for line in place.lines])
    wide = max(map(style.width, lines)) + 2 * _EDGE
    high = len(lines) * _LINE + 2 * _EDGE
    x = min(max(place.box.left, 2.0), scene.width - wide - 2)
    below = place.box.bottom + 4
    y = below if below + high <= scene.height else max(place.box.top - high - 4, 2.0)
    texts = "".join(
        f'<text x="{x + _EDGE:.1f}" y="{y + _EDGE + 12 + _LINE * n:.1f}" font-size="12" fill="{scene.theme.ink}">'
        f"{html.escape(visible(line))}</text>"
        for n, line in enumerate(lines)
    )
    box = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="4"'
    ground = f'<rect {box} fill="{scene.theme.page}" stroke="{scene.theme.edge}"/>'
    return f'<g class="tip" aria-hidden="true">{ground}{texts}</g>'


def _cut(lines: Sequence[str]) -> list[str]:
    return [*lines[: _MOST_LINES - 1], "…"] if len(lines) > _MOST_LINES else list(lines)
