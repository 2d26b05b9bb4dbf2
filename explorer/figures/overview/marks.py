"""What lies over the strip and changes with a click: the window as a brush, and the points A and B.

All of it are lines and circles, which a browser gets as one image: nothing below is drawn again.
"""

from __future__ import annotations

import itertools

from ...model import formats
from ...model.overview import words
from ...model.overview.facts import Overview
from ..page.hits import commit_meaning
from ..page.scene import Area, Areas, Box, Circles, Halo, Lines, Scene, Selection
from ..page.text import escape
from ..page.theme import CLEAR
from .layout import FRAME_BOTTOM, FRAME_TOP, Scale

MOST_AREAS = 400
_DISC = 7.0  # pixels, the radius of A and B
_AT = FRAME_TOP + _DISC - 5
_A = ((-3.0, 3.6), (0.0, -3.9), (3.0, 3.6)), ((-1.9, 1.1), (1.9, 1.1))
_B = (
    ((-2.3, 3.6), (-2.3, -3.6), (0.6, -3.6), (1.9, -2.8), (1.9, -1.2), (0.6, -0.3), (-2.3, -0.3)),
    ((0.6, -0.3), (2.3, 0.7), (2.3, 2.6), (0.9, 3.6), (-2.3, 3.6)),
)  # fmt: skip

Stroke = tuple[tuple[float, float], ...]


def selection(
    scene: Scene,
    overview: Overview,
    *,
    window: tuple[int, int] | None = None,
    a: str | None = None,
    b: str | None = None,
) -> Selection:
    """The brush and the two points in a drawing of this history.

    Args:
        scene: of `draw`.
        overview: that is drawn.
        window: indices of the first and last commit; no brush if None.
        a: id as text; a point that is not listed is not drawn.
        b: the same.
    """
    theme, scale = scene.theme, Scale.of(overview, scene.width)
    brush: tuple[Stroke, ...] = ()
    handles: tuple[Stroke, ...] = ()
    box = None
    if window is not None and overview.count:
        left, right = scale.brush(*window)
        box = Box(left, FRAME_TOP - 1.5, right, FRAME_BOTTOM + 1.5)
        brush = (_around(box),)
        middle = (box.top + box.bottom) / 2
        handles = tuple(((x, middle - 8), (x, middle + 8)) for x in (left, right))
    places = [None if of is None else overview.index(of) for of in (a, b)]
    stems = [float(scale.middles[place]) for place in places if place is not None]
    at_a, at_b = _apart(*([] if place is None else [float(scale.middles[place])] for place in places))
    return Selection(
        Halo("page", box or Box(0, 0, 0, 0), theme.column_band, CLEAR, 0, visible=box is not None),
        (
            Lines("brush", "page", brush, theme.ink, 2),
            Lines("handles", "page", handles, theme.ink, 5),
            Lines("stems", "page", tuple(_stem(x) for x in stems), theme.ink, 1),
            Circles("A", "page", tuple((x, _AT) for x in at_a), _DISC, theme.ink, _DISC),
            Lines("letter A", "page", _letter(_A, at_a), theme.page, 1.5),
            Circles("ground of B", "page", tuple((x, _AT) for x in at_b), _DISC, theme.page, _DISC),
            Circles("B", "page", tuple((x, _AT) for x in at_b), 2 * _DISC - 1, theme.ink, 1.5),
            Lines("letter B", "page", _letter(_B, at_b), theme.ink, 1.5),
        ),
    )


def areas(overview: Overview, scale: Scale) -> Areas:
    """Strips that tell the pointer what is there: one a commit, or of several; a click means the middle one."""
    count = overview.count
    groups = min(count, MOST_AREAS)
    bounds = {round(i * count / groups) for i in range(groups + 1)} if groups else set()
    found = []
    for first, end in itertools.pairwise(sorted(bounds | {follows for _, _, follows in overview.holes if bounds})):
        middle = (first + end - 1) // 2
        lines = words.commit(overview, middle)
        if end - first > 1:
            lines.append(f"beside {formats.count(end - first - 1, 'more commit')}")
        meaning = commit_meaning(overview.graph.nodes[middle].snapshot.snapshot_id)
        hover = "<br>".join(escape(line) for line in lines)
        found.append(Area(float(scale.edges[first]), float(scale.rights[end - 1]), meaning, hover))
    for (first, last, _), (left, right) in zip(overview.holes, scale.holes, strict=True):
        found.append(Area(left, right, "", f"{formats.span(first, last)}: not in the list, expired"))
    return Areas("commits", "page", tuple(found), FRAME_TOP, FRAME_BOTTOM)


def _apart(a: list[float], b: list[float]) -> tuple[list[float], list[float]]:
    """Where the discs of both points lie: beside each other, if they would meet."""
    if not a or not b or abs(a[0] - b[0]) >= 2 * _DISC:
        return a, b
    middle, side = (a[0] + b[0]) / 2, _DISC if a[0] <= b[0] else -_DISC
    return [middle - side], [middle + side]


def _around(box: Box) -> Stroke:
    return (
        (box.left, box.top),
        (box.right, box.top),
        (box.right, box.bottom),
        (box.left, box.bottom),
        (box.left, box.top),
    )


def _stem(x: float) -> Stroke:
    return (x, _AT + _DISC), (x, FRAME_BOTTOM)


def _letter(strokes: tuple[Stroke, ...], at: list[float]) -> tuple[Stroke, ...]:
    return tuple(tuple((x + dx, _AT + dy) for dx, dy in stroke) for x in at for stroke in strokes)
