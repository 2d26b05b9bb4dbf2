"""Every text in every picture can be read where it stands, and row hues stay apart for those who see fewer colours.

Grounds are found by walking through the drawings: what is filled under a text, laid on each other from the page up.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.figures.page.plane import Plane
from explorer.figures.page.scene import (
    Bars,
    Box,
    Checklist,
    Layer,
    Marks,
    Rectangles,
    Scene,
    Signs,
    Span,
    Step,
    Text,
    Texts,
)
from explorer.figures.page.theme import CLEAR, DARK, LIGHT, Hue, Theme
from tests.figures.drawings import PICTURES, Drawings
from tests.figures.test_theme import contrast

ENOUGH = 4.5  # WCAG 2.2, 1.4.3
APART = 11.0  # CIEDE2000 between two row hues; about 2 is what one just notices
_ACROSS, _DOWN = 9, 3  # places in a text at which its ground is looked at
_HARDLY = 2  # of them may lie on something else: an estimated width is generous

Points = NDArray[np.float64]  # two columns: page pixels
Fill = tuple[Box, str, Callable[[Points], NDArray[np.bool_]]]
"""Around it, its colour, and which points lie in it."""

in_both_themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


# --- what lies under a text ------------------------------------------------------------------------------------------


def fills(scene: Scene) -> Iterator[Fill]:
    """Everything that is filled, from the lowest up."""
    halo = scene.selection.halo
    for plane in scene.planes:
        if halo.visible and halo.plane == plane.name:
            yield _box(_in_pixels(halo.box, plane), halo.fill)
        for shape in scene.shapes:
            if shape.plane == plane.name and shape.ink.fill != CLEAR:
                yield from _polygons(shape.steps, plane, shape.ink.fill, separate=shape.ink.overlaps)
    for plane in scene.planes:
        here = [layer for layer in scene.layers if layer.plane == plane.name]
        for layer in sorted(here, key=lambda layer: not isinstance(layer, Rectangles | Bars)):
            yield from _of_layer(layer, plane)


def _of_layer(layer: Layer, plane: Plane) -> Iterator[Fill]:
    if isinstance(layer, Rectangles):
        for item in layer.items:
            yield _box(_in_pixels(item.box, plane), _hatched(item.hatch, 0.2) if item.hatch else item.fill)
    elif isinstance(layer, Bars):
        for bar in layer.items:
            upper, lower = sorted((bar.base, bar.base - bar.length))
            box = _in_pixels(Box(bar.x - bar.width / 2, upper, bar.x + bar.width / 2, lower), plane)
            yield _box(box, _hatched(bar.colour, 0.32) if bar.hatched else bar.colour)
    elif isinstance(layer, Marks):
        for mark in layer.items:
            x, y, half = plane.x(mark.x), plane.y(mark.y), mark.size * 0.4  # within its corners
            yield _box(Box(x - half, y - half, x + half, y + half), mark.fill)


def _hatched(colour: str, share: float) -> str:
    r, g, b, a = _rgba(colour)
    return f"rgba({r},{g},{b},{a * share})"


def _in_pixels(box: Box, plane: Plane) -> Box:
    return Box(plane.x(box.left), plane.y(box.top), plane.x(box.right), plane.y(box.bottom))


def _box(box: Box, colour: str) -> Fill:
    def holds(points: Points) -> NDArray[np.bool_]:
        across, down = points[:, 0], points[:, 1]
        inside: NDArray[np.bool_] = (
            (box.left <= across) & (across <= box.right) & (box.top <= down) & (down <= box.bottom)
        )
        return inside

    return box, colour, holds


def _polygons(steps: Iterable[Step], plane: Plane, colour: str, *, separate: bool) -> Iterator[Fill]:
    """Closed strokes; those that plotly fills by the even-odd rule are one fill where they meet."""
    found: list[Points] = []
    places: list[tuple[float, float]] = []
    for command, xy in [*steps, ("M", (0.0, 0.0))]:
        pairs = [(plane.x(x), plane.y(y)) for x, y in zip(xy[::2], xy[1::2], strict=True)]
        if command == "M":
            if len(places) > 2:
                found.append(np.array(places))
            places = []
        if command == "C":
            a, (b, c, d) = places[-1], pairs
            for t in np.linspace(0, 1, 9)[1:]:
                weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                places.append(
                    tuple(sum(w * p[i] for w, p in zip(weights, (a, b, c, d), strict=True)) for i in (0, 1))  # type: ignore[arg-type]
                )
        else:
            places += pairs
    around = [Box(*polygon.min(axis=0), *polygon.max(axis=0)) for polygon in found]
    alone = separate or not any(a.meets(b) for a, b in itertools.combinations(around[:60], 2))
    for group, box in [([p], b) for p, b in zip(found, around, strict=True)] if alone else [(found, _hull(around))]:
        yield box, colour, lambda points, group=group: _even_odd(group, points)  # type: ignore[misc]


def _hull(boxes: Sequence[Box]) -> Box:
    lows, highs = np.min(boxes, axis=0), np.max(boxes, axis=0)
    return Box(lows[0], lows[1], highs[2], highs[3])


def _even_odd(polygons: Iterable[Points], points: Points) -> NDArray[np.bool_]:
    inside = np.zeros(len(points), dtype=bool)
    for polygon in polygons:
        for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            crosses = (y0 > points[:, 1]) != (y1 > points[:, 1])
            if crosses.any():
                inside ^= crosses & (points[:, 0] < (x1 - x0) * (points[:, 1] - y0) / (y1 - y0) + x0)
    return inside


def _rgba(colour: str) -> tuple[int, int, int, float]:
    if match := re.fullmatch(r"rgba\((\d+),\s*(\d+),\s*(\d+),\s*([\d.e-]+)\)", colour):
        return int(match[1]), int(match[2]), int(match[3]), float(match[4])
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16), 1.0


def grounds(scene: Scene, filled: Sequence[Fill], box: Box) -> Counter[str]:
    """The colours under a text, by the places in it where they lie."""
    wide, high = box.right - box.left, box.bottom - box.top
    across = np.linspace(box.left + wide * 0.04, box.right - wide * 0.16, _ACROSS)  # 0.13: what an estimate adds
    down = np.linspace(box.top + high * 0.25, box.bottom - high * 0.25, _DOWN)
    points = np.array([(x, y) for x in across for y in down])
    colours = np.tile(np.array(_rgba(scene.theme.page)[:3], dtype=float), (len(points), 1))
    for around, colour, holds in filled:
        if colour != CLEAR and around.meets(box):
            *rgb, opacity = _rgba(colour)
            inside = holds(points)
            colours[inside] = np.array(rgb) * opacity + colours[inside] * (1 - opacity)
    return Counter("#" + "".join(f"{round(c):02X}" for c in colour) for colour in colours)


def texts(scene: Scene) -> Iterator[tuple[str, set[str], Box]]:
    """Every text with its colours and where it lies, in page pixels."""
    for layer in scene.layers:
        plane = scene.plane(layer.plane)
        items: Iterable[Text] = ()
        if isinstance(layer, Texts | Checklist):
            items = layer.items
        elif isinstance(layer, Signs):
            items = [Text(sign.x, sign.y, (Span(sign.words),), layer.style, sign.anchor) for sign in layer.items]
        for item in items:
            words = "".join(span.words for span in item.spans)
            wide, size = item.style.width(words), item.style.size
            left = plane.x(item.x) - {"start": 0.0, "middle": wide / 2, "end": wide}[item.anchor]
            if item.anchor == "end":
                left += wide * 0.12  # an estimate is generous at the end that is free
            elif item.anchor == "middle":
                left += wide * 0.06
            y = plane.y(item.y)
            if words.strip():
                colours = {span.colour or item.style.colour for span in item.spans if span.words.strip()}
                yield words, colours, Box(left, y - size * 0.5, left + wide, y + size * 0.5)


def faint(scene: Scene) -> Iterator[str]:
    """Every text that cannot be read where it stands, or that stands on its own hue."""
    theme, filled = scene.theme, list(fills(scene))
    for words, colours, box in texts(scene):
        for ground, places in grounds(scene, filled, box).items():
            if places <= _HARDLY:
                continue
            for colour in colours:
                found = contrast(colour, ground)
                if found < ENOUGH:
                    yield f"{words!r}: {colour} on {ground} is {found:.2f}"
                if any({colour, ground} <= {hue.fill, hue.text} for hue in hues(theme)):
                    yield f"{words!r}: {colour} stands on its own hue"


def hues(theme: Theme) -> tuple[Hue, ...]:
    return theme.added, theme.changed, theme.removed, theme.moved, theme.attention


@in_both_themes
@pytest.mark.parametrize("name", PICTURES)
def test_every_text_can_be_read_on_every_ground_on_which_it_is_put(name: str, theme: Theme) -> None:
    drawings: Drawings[Any] = PICTURES[name]
    found: dict[str, str] = {}
    for story in drawings.stories:
        for how in drawings.ways(story)[:2]:
            for problem in faint(drawings.scene_of(story, theme=theme, width=1100, **how)):
                found.setdefault(re.sub(r".*: #", "#", problem), f"{story}: {problem}")
    assert not found, "\n".join(found.values())


def test_a_text_on_a_bar_in_the_middle_of_a_page_is_seen_to_lie_on_the_bar() -> None:
    """What finds the grounds is not blind: a text in its own hue, and a faint one on an opening in a shape."""
    scene = PICTURES["commit"].scene_of("copy-on-write", theme=LIGHT, width=1100)
    filled = list(fills(scene))
    words, _, box = next(found for found in texts(scene) if found[0] == "insert, new" or "updated" in found[0])
    over = [*filled, _box(box.around(4), LIGHT.removed.fill), _box(box.around(4), "rgba(255,255,255,0.5)")]
    assert set(grounds(scene, over, box)) == {"#E2A880"}, words
    ring = _polygons(
        [("M", (0, 0)), ("L", (900, 0)), ("L", (900, 900)), ("L", (0, 900)), ("Z", ()),
         ("M", (box.left - 9, box.top - 9)), ("L", (box.right + 9, box.top - 9)),
         ("L", (box.right + 9, box.bottom + 9)), ("L", (box.left - 9, box.bottom + 9)), ("Z", ())],
        scene.plane("page"), "#000000", separate=False,
    )  # fmt: skip
    assert set(grounds(scene, list(ring), box)) <= {scene.theme.page}


# --- fewer colours ----------------------------------------------------------------------------------------------------

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency, 2009,
# severity 1.0, for linear RGB.
SEEN = {
    "all colours": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def lab(colour: str, seen: NDArray[np.float64]) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of a colour as it is seen."""
    channels = np.array(_rgba(colour)[:3]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = _XYZ @ np.clip(seen @ linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return float(116 * y - 16), float(500 * (x - y)), float(200 * (y - z))


def ciede2000(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """How different two colours look. Source: Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula, 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        hue = h1 + h2
    elif abs(h1 - h2) <= 180:
        hue = (h1 + h2) / 2
    else:
        hue = (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2
    cos = [math.cos(math.radians(factor * hue + shift)) for factor, shift in ((1, -30), (2, 0), (3, 6), (4, -63))]
    t = 1 - 0.17 * cos[0] + 0.24 * cos[1] + 0.32 * cos[2] - 0.20 * cos[3]
    turned = 30 * math.exp(-(((hue - 275) / 25) ** 2))
    rotation = -math.sin(math.radians(2 * turned)) * 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    by_chroma, by_hue = (c2 - c1) / (1 + 0.045 * chroma), dh / (1 + 0.015 * chroma * t)
    return math.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.4900, -0.0010), (50, -2.4900, 0.0011), 7.2195),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ],
)
def test_the_difference_is_that_of_the_paper(one: Any, other: Any, difference: float) -> None:
    assert ciede2000(one, other) == pytest.approx(difference, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(difference, abs=1e-4)


@in_both_themes
@pytest.mark.parametrize("sight", SEEN)
def test_row_hues_stay_apart_however_few_colours_one_sees(theme: Theme, sight: str) -> None:
    roles = {name: getattr(theme, name).fill for name in ("added", "changed", "removed", "moved")}
    for (a, one), (b, other) in itertools.combinations(roles.items(), 2):
        apart = ciede2000(lab(one, SEEN[sight]), lab(other, SEEN[sight]))
        assert apart >= APART, f"{a} and {b}: {apart:.1f}"
