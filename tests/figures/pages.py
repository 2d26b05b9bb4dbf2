"""What a figure says and where, and what holds for each: texts apart and on the page, numbers safe for a browser."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from typing import Any, TypeVar

import plotly.graph_objects as go

from explorer.figures.page import as_plotly, svg, text
from explorer.figures.page.scene import Checklist, Scene, Signs, Texts
from explorer.figures.page.theme import MONOSPACE

WIDTHS = (560, 660, 1100, 1380, 1800)
Clicked = TypeVar("Clicked")
Place = tuple[str, float, float, float, float]


class _Markup(HTMLParser):
    """A text as plotly reads it: its tags, and its words without them."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def plain(markup: str) -> str:
    """The words of a text, without markup."""
    return _Markup(markup).text


def trace(figure: go.Figure, name: str) -> Any:
    """The trace of a name."""
    return next(part for part in figure.data if part.name == name)


def words(figure: go.Figure) -> list[str]:
    """Every text on the page, without markup."""
    return [plain(t) for t in trace(figure, "words").text]


def hovers(figure: go.Figure) -> list[str]:
    """Every hover text, a line each, without markup."""
    return [plain(line) for part in figure.data for hover in part.hovertext or () for line in hover.split("<br>")]


def texts(figure: go.Figure) -> list[Place]:
    """The place of every text in page pixels, as the estimate has it: left, top, right, bottom."""
    found = []
    for part in (part for part in figure.data if "text" in (part.to_plotly_json().get("mode") or "")):
        for i, markup in enumerate(part.text or ()):
            size, mono = _each(part.textfont.size, i), _each(part.textfont.family, i) == MONOSPACE
            wide = text.width(plain(markup), size, bold=markup.startswith("<b>"), mono=mono)
            before = {"middle right": 0, "middle center": wide / 2, "middle left": wide}[_each(part.textposition, i)]
            left = _on_page(figure, part, part.x[i]) - before
            found.append((plain(markup), left, part.y[i] - size * 0.5, left + wide, part.y[i] + size * 0.5))
    return found


def _each(of: Any, i: int) -> Any:
    """A property of one point, which a trace has once for all or for each."""
    return of[i] if isinstance(of, list | tuple) else of


def _on_page(figure: go.Figure, part: Any, x: float) -> float:
    """The pixel of an x, which on the second axis is a column of what is in view."""
    if part.xaxis != "x2":
        return x
    (low, high), (left, right) = figure.layout.xaxis2.range, figure.layout.meta["plot"]
    return float(left + (x - low) / (high - low) * (right - left))


def cells(figure: go.Figure) -> list[Place]:
    """What answers the pointer over its whole area: its meaning, left, top, right, bottom."""
    part = trace(figure, "cells")
    return [
        (meaning, x - w / 2, base, x + w / 2, base + y)
        for meaning, x, w, base, y in zip(part.customdata, part.x, part.width, part.base, part.y, strict=True)
    ] if len(part.x) else []  # fmt: skip


def clicks(clicked: Callable[[Scene, int, int], Clicked | None], scene: Scene) -> list[Clicked]:
    """What a click means, of every item that means something."""
    found: list[Clicked] = []
    for index, layer in enumerate(scene.layers):
        found += [c for i in range(len(layer.items)) if (c := clicked(scene, index, i)) is not None]
    return found


def elements(figure: go.Figure) -> int:
    """How many shapes and points a browser has to draw."""
    return len(figure.layout.shapes) + sum(len(part.x or ()) for part in figure.data)


def assert_apart(places: Sequence[Place], figure: go.Figure) -> None:
    """No two share more than half a pixel, and none leaves the page."""
    downwards = sorted(places, key=lambda place: place[2])
    for i, a in enumerate(downwards):
        for b in itertools.takewhile(lambda b: b[2] < a[4] - 0.5, downwards[i + 1 :]):  # noqa: B023
            overlap = min(a[3], b[3]) - max(a[1], b[1]), min(a[4], b[4]) - max(a[2], b[2])
            assert min(overlap) <= 0.5, f"{a} and {b}"
    for name, left, top, right, bottom in places:
        inside = left >= 0 and right <= figure.layout.width and top >= 0 and bottom <= figure.layout.height
        assert inside, f"{name!r} leaves the page"


def assert_same_traces(expected: go.Figure, drawn: go.Figure, names: Sequence[str]) -> None:
    """A live figure is updated in place, so every drawing has the same traces with the same properties."""
    assert [part.name for part in drawn.data] == list(names)
    for one, other in zip(expected.data, drawn.data, strict=True):
        assert one.type == other.type
        assert set(one.to_plotly_json()) == set(other.to_plotly_json())
    assert set(expected.layout.to_plotly_json()) == set(drawn.layout.to_plotly_json())
    assert drawn.layout.shapes[0].type == "rect"


def assert_safe_for_a_browser(figure: go.Figure) -> None:
    """Plotly takes it, which drawing does not ask it, and what it holds is plain."""
    go.Figure(figure)  # validates, which takes as long as drawing
    assert_plain(figure)


def assert_plain(figure: go.Figure) -> None:
    """Ids are text, hovers have at most six lines, what a table calls things stays text, and no text is empty."""
    numbers = [leaf for leaf in _leaves(json.loads(figure.to_json())) if isinstance(leaf, int | float)]
    assert all(abs(n) < 2**53 for n in numbers)
    for part in figure.data:
        assert not {"hovertemplate", "texttemplate"} & set(part.to_plotly_json())
        assert all(part.text or ()), "plotly loses texts in the place of an empty one"
        assert all(isinstance(meaning, str) for meaning in part.customdata or ())
        assert all(hover.count("<br>") <= 5 for hover in part.hovertext or ())
        for markup in (*(part.text or ()), *(part.hovertext or ())):
            assert set(_Markup(markup).tags) <= {"b", "br", "span"}
            assert "<span" not in markup or 'style="color:#' in markup
            assert not re.search(r"[\x00-\x1f\u202e$]", markup)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for v in value.values():
            yield from _leaves(v)
    elif isinstance(value, list):
        for v in value:
            yield from _leaves(v)
    else:
        yield value


def assert_drawn_without_plotly(scene: Scene) -> None:
    """Every word of the scene is in its SVG, and in its figure."""
    said = sum(len(layer.items) for layer in scene.layers if isinstance(layer, Texts | Checklist | Signs))
    document = svg.to_svg(scene)
    assert document.startswith("<svg")
    assert document.count("<text ") == sum(len(part.text or ()) for part in as_plotly.figure(scene).data) == said
