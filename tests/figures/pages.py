"""What holds for every page that is a `figures.sheet`: texts apart and on the page, numbers safe for a browser."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import plotly.graph_objects as go

from explorer.figures import static, text
from explorer.figures.sheet import Selection
from explorer.figures.theme import MONOSPACE
from tests.figures.test_snapshot_graph import _Plain, leaves, plain

WIDTHS = (720, 1100, 1380, 1800)
Clicked = TypeVar("Clicked")
Place = tuple[str, float, float, float, float]


def trace(figure: go.Figure, name: str) -> Any:
    """The trace of a name."""
    return next(part for part in figure.data if part.name == name)


def words(figure: go.Figure) -> list[str]:
    """Every text on the page, without markup."""
    return [plain(t) for t in trace(figure, "words").text]


def hovers(figure: go.Figure) -> list[str]:
    """Every hover text, a line each, without markup."""
    return [plain(line) for part in figure.data for told in part.hovertext or () for line in told.split("<br>")]


def texts(figure: go.Figure) -> list[Place]:
    """The place of every text in page pixels, as the estimate has it: left, top, right, bottom."""
    found = []
    for part in (part for part in figure.data if "text" in (part.to_plotly_json().get("mode") or "")):
        for i, markup in enumerate(part.text or ()):
            size, family = part.textfont.size, part.textfont.family
            size = size if isinstance(size, int | float) else size[i]
            mono = (family if isinstance(family, str) else family[i]) == MONOSPACE
            wide = text.width(plain(markup), size, bold=markup.startswith("<b>"), mono=mono)
            position = part.textposition[i]
            start = part.x[i] - {"middle right": 0, "middle center": wide / 2, "middle left": wide}[position]
            found.append((plain(markup), start, part.y[i] - size * 0.5, start + wide, part.y[i] + size * 0.5))
    return found


def cells(figure: go.Figure) -> list[Place]:
    """What answers the pointer over its whole area: its meaning, left, top, right, bottom."""
    part = trace(figure, "cells")
    return [
        (meaning, x - w / 2, base, x + w / 2, base + y)
        for meaning, x, w, base, y in zip(part.customdata, part.x, part.width, part.base, part.y, strict=True)
    ] if len(part.x) else []  # fmt: skip


def clicks(clicked: Callable[[go.Figure, int, int], Clicked | None], figure: go.Figure) -> list[Clicked]:
    """What a click means, of every point that means something."""
    found: list[Clicked] = []
    for index, part in enumerate(figure.data):
        found += [c for i in range(len(part.x or ())) if (c := clicked(figure, index, i)) is not None]
    return found


def moved(figure: go.Figure, pieces: Selection) -> go.Figure:
    """The figure with another selection, as a live figure gets it."""
    figure.update(data=[pieces.traces.get(i, {}) for i in range(len(figure.data))], overwrite=False)
    figure.layout.shapes[0].update(pieces.first_shape)
    return figure


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
    """Ids are text, hovers have at most six lines, and what a table calls things stays text."""
    numbers = [leaf for leaf in leaves(json.loads(figure.to_json())) if isinstance(leaf, int | float)]
    assert all(abs(n) < 2**53 for n in numbers)
    for part in figure.data:
        assert "hovertemplate" not in part.to_plotly_json()
        assert all(isinstance(meaning, str) for meaning in part.customdata or ())
        assert all(told.count("<br>") <= 5 for told in part.hovertext or ())
        for markup in (*(part.text or ()), *(part.hovertext or ())):
            parser = _Plain()
            parser.feed(markup)
            assert set(parser.tags) <= {"b", "br", "span"}
            assert "<span" not in markup or 'style="color:#' in markup
            assert not re.search(r"[\x00-\x1f\u202e$]", markup)


def assert_drawn_without_plotly(figure: go.Figure) -> None:
    """Every word of the figure is in its SVG."""
    assert static.to_svg(figure).count("<text ") == sum(len(part.text or ()) for part in figure.data)
