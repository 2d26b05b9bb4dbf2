"""The overview strip: every commit on one axis, totals, rows changed per day, refs; the window and two points over it.

What a click changes, the window and the points A and B, lies in layers of its own: `selection` makes them alone, and
`Scene.selecting` puts them over the same drawing.
"""

from __future__ import annotations

from ...model.overview import words
from ...model.overview.facts import Overview
from ..page.canvas import Canvas
from ..page.hits import Clicked, clicked
from ..page.plane import Plane
from ..page.scene import Scene, Selection
from ..page.theme import Theme
from . import days, names, totals
from .layout import HEIGHT, LEAST_WIDTH, Scale
from .marks import areas, selection

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "commit_at", "draw", "selection"]

LAYERS = (
    "words",
    "commits",
    "brush",
    "handles",
    "stems",
    "A",
    "letter A",
    "ground of B",
    "B",
    "letter B",
)
RANGE_AXES = ()


def draw(
    overview: Overview,
    theme: Theme,
    *,
    window: tuple[int, int] | None = None,
    a: str | None = None,
    b: str | None = None,
    width: int = 1053,
) -> Scene:
    """The strip. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        overview: the history.
        theme: in which colours.
        window: indices of the first and last commit that the tabs show; no brush if None.
        a: first of the two points, id as text.
        b: the other one.
        width: of the page in pixels, at least 720.

    Clicks: only `commits` answer the pointer. What is dragged over them is told by `commit_at`.
    """
    wide = max(width, LEAST_WIDTH)
    canvas = Canvas(0, wide, (0, wide))
    scale = Scale.of(overview, wide)
    totals.draw(canvas, overview, scale, theme)
    days.draw(canvas, overview, scale, theme)
    names.draw(canvas, overview, scale, theme)
    scene = Scene(
        width=wide,
        height=HEIGHT,
        theme=theme,
        summary=words.summary(overview),
        account=(),
        planes=(Plane("page", (wide, HEIGHT), (0, 1), (0, 1), (0, wide), (HEIGHT, 0)),),
        shapes=canvas.shapes(),
        drawn=(canvas.texts("words", "page"), areas(overview, scale)),
        meta={"plot": [scale.left, scale.right]},
    )
    return scene.selecting(selection(scene, overview, window=window, a=a, b=b))


def commit_at(scene: Scene, overview: Overview, x: float) -> int | None:
    """The index of the commit nearest to a page pixel of a drawing of this history; None if there is no commit."""
    return Scale.of(overview, scene.width).index(x)
