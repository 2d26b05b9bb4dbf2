from __future__ import annotations

import base64
import re
from collections import Counter
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from explorer.figures.page import layers, svg
from explorer.figures.page.scene import Scene, Selection
from tests.figures.drawings import (
    CHANGELOG,
    COMMIT,
    DELETES,
    ENTRIES,
    RETRIES,
    SEQUENCE_TIMELINE,
    SNAPSHOT_GRAPH,
    WHY,
    Drawings,
)

SVG = "{http://www.w3.org/2000/svg}"


def drawn(image: dict[str, Any]) -> ElementTree.Element:
    head, content = image["source"].split(",")
    assert head == "data:image/svg+xml;base64"
    return ElementTree.fromstring(base64.b64decode(content))


def paths(root: ElementTree.Element) -> list[tuple[str, str]]:
    return [(path.attrib["d"], path.attrib.get("transform", "")) for path in root.iter(f"{SVG}path")]


def chosen(**more: Any) -> Scene:
    nodes = SNAPSHOT_GRAPH.facts("orders").nodes
    ids = [str(nodes[i].snapshot.snapshot_id) for i in (5, 9)]
    return SNAPSHOT_GRAPH.scene_of("orders", selected=ids[0], compared=ids[1], **more)


@pytest.mark.parametrize("width", [720, 1380])
def test_both_images_hold_what_a_saved_picture_holds_and_lie_where_it_lies(width: int) -> None:
    scene = chosen(width=width)
    below, above = layers.marks(scene)
    whole = paths(ElementTree.fromstring(svg.to_svg(scene)))
    assert len(paths(drawn(below))) == 1
    assert len(paths(drawn(above))) == 3 + 2 * 2  # halo and two rings; two marks, each on a ground of its own
    assert Counter(paths(drawn(below)) + paths(drawn(above))) <= Counter(whole)
    plane = scene.plane("detail")
    for image in (below, above):
        assert (image["xref"], image["yref"], image["visible"]) == ("x2", "y2", True)
        left, top, wide, high = map(float, drawn(image).attrib["viewBox"].split())
        corners = plane.x(image["x"]), plane.y(image["y"])
        assert corners == pytest.approx((left, top))
        assert plane.x(image["x"] + image["sizex"]) == pytest.approx(left + wide)
        assert plane.y(image["y"] + image["sizey"]) == pytest.approx(top + high)


def test_an_image_has_room_for_all_that_it_shows() -> None:
    below, above = map(drawn, layers.marks(chosen()))
    for root in (below, above):
        left, top, wide, high = map(float, root.attrib["viewBox"].split())
        for d, transform in paths(root):
            shift = [float(n) for n in re.findall(r"-?[\d.]+", transform)] or [0.0, 0.0]
            for x, y in re.findall(r"[ML](-?[\d.]+),(-?[\d.]+)", d):
                assert left + 1 <= float(x) + shift[0] <= left + wide - 1
                assert top + 1 <= float(y) + shift[1] <= top + high - 1


def test_nothing_selected_is_no_image() -> None:
    assert layers.marks(SNAPSHOT_GRAPH.scene_of("orders")) == ({"visible": False}, {"visible": False})


def seen(root: ElementTree.Element) -> Counter[tuple[str, ...]]:
    """What is drawn: its geometry, colours and words."""
    hidden = {part for of in ("defs", "pattern") for outer in root.iter(f"{SVG}{of}") for part in outer.iter()}
    attributes = ("d", "transform", "x", "y", "width", "height", "stroke", "stroke-width")
    return Counter(
        (part.tag, "".join(part.itertext()), *(part.attrib.get(name, "") for name in attributes))
        for part in root.iter()
        if part not in hidden and part.tag.removeprefix(SVG) in ("path", "rect", "text")
    )


@pytest.mark.parametrize("picture", [COMMIT, CHANGELOG, DELETES, ENTRIES, RETRIES, WHY, SEQUENCE_TIMELINE])
def test_images_and_what_is_left_hold_together_what_the_scene_holds(picture: Drawings[Any]) -> None:
    for name in picture.stories:
        for way in picture.ways(name):
            scene = picture.scene_of(name, **way)
            spec = layers.spec(scene)
            images = spec["layout"].pop("images")
            figure = go.Figure(spec)
            seen_only = ("fills", "symbols", "words", "ring")
            assert not [part for part in figure.data if part.name in seen_only and len(part.x)]
            assert not [shape for shape in figure.layout.shapes if shape.visible is not False]
            kept = {part.name for part in figure.data if len(part.x)}
            shown = tuple(layer for layer in scene.layers if layer.name in kept)
            left = replace(scene, shapes=(), drawn=shown, selection=Selection())
            parts = [ElementTree.fromstring(svg.to_svg(left)), *(drawn(i) for i in images if i["visible"])]
            assert sum(map(seen, parts), Counter()) == seen(ElementTree.fromstring(svg.to_svg(scene)))
