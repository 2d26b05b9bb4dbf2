from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator
from typing import get_args
from xml.etree import ElementTree

import pytest

from explorer.figures.page import as_plotly, svg
from explorer.figures.page.scene import Checklist, Circles, Layer, Lines, Marks, Scene, Signs, Text, Texts
from explorer.figures.page.theme import CLEAR, DARK, LIGHT, Theme
from tests.figures.drawings import PICTURES, SNAPSHOT_GRAPH
from tests.figures.pages import plain

graph_of, scene_of = SNAPSHOT_GRAPH.facts, SNAPSHOT_GRAPH.scene_of

SVG = "{http://www.w3.org/2000/svg}"


def parsed(scene: Scene) -> ElementTree.Element:
    return ElementTree.fromstring(svg.to_svg(scene))


def every_scene() -> Iterator[Scene]:
    """Each picture with something selected, in its first stories."""
    for drawings in PICTURES.values():
        for story in drawings.stories[:4]:
            yield drawings.scene_of(story, **drawings.ways(story)[0])
    yield SNAPSHOT_GRAPH.scene_of("busy 1000")


def test_there_is_a_story_for_each_kind_of_layer_so_that_both_are_compared_on_it() -> None:
    assert {type(layer) for scene in every_scene() for layer in scene.layers if layer.items} == set(get_args(Layer))


def test_every_word_of_a_scene_is_said_by_plotly_and_by_svg_where_the_scene_has_it() -> None:
    for scene in every_scene():
        said = [
            (item.words if isinstance(layer, Signs) else "".join(span.words for span in item.spans))
            for layer in scene.layers
            if isinstance(layer, Texts | Checklist | Signs)
            for item in layer.items
        ]
        expected = Counter("".join(c if c.isprintable() else " " for c in words) for words in said)
        figure = as_plotly.figure(scene)
        assert Counter(plain(t) for part in figure.data for t in part.text or ()) == expected
        assert Counter("".join(t.itertext()) for t in parsed(scene).iter(f"{SVG}text")) == expected


def test_every_mark_of_a_scene_is_drawn_by_plotly_and_by_svg_where_the_scene_has_it() -> None:
    for scene in every_scene():
        marks, expected = [], Counter[str]()
        for layer, part in zip(scene.layers, as_plotly.figure(scene).data, strict=True):
            if isinstance(layer, Marks | Circles):
                places = [(item[0], item[1]) for item in layer.items]
                assert list(zip(part.x, part.y, strict=True)) == places
                marks += [(layer.plane, x, y) for x, y in places]
            if isinstance(layer, Lines):
                assert part.x.count(None) == max(len(layer.items) - 1, 0) if part.x else not layer.items
        for plane, x, y in marks:
            left, right = scene.meta["plot"] if plane == "detail" else (0, scene.width)
            low, high = scene.meta["window"] if plane == "detail" else (0, scene.width)
            expected[f"translate({left + (x - low) / (high - low) * (right - left):.1f},{y:.1f})"] += 1
        drawn = Counter(p.attrib["transform"] for p in parsed(scene).iter(f"{SVG}path") if "transform" in p.attrib)
        assert drawn.total() == expected.total()
        assert (drawn & expected).total() >= 0.99 * expected.total()  # a tenth of a pixel may be rounded otherwise


@pytest.mark.parametrize("name", SNAPSHOT_GRAPH.stories)
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_plotly_and_svg_draw_as_many_shapes_and_rectangles_as_the_scene_has(name: str, theme: Theme) -> None:
    nodes = graph_of(name).nodes
    selected = str(nodes[-1].snapshot.snapshot_id) if nodes else None
    scene = scene_of(name, theme=theme, selected=selected, compared=selected)
    figure, root = as_plotly.figure(scene), parsed(scene)
    shapes = len(scene.shapes) + scene.selection.halo.visible
    assert len([s for s in figure.layout.shapes if s.visible is not False]) == shapes
    assert len([p for p in root.iter(f"{SVG}path") if "clip-path" in p.attrib]) == shapes
    rows = next(layer for layer in scene.layers if layer.name == "rows")
    bars = len(next(part for part in figure.data if part.name == "rows").x)
    pattern_tiles, clips = len(list(root.iter(f"{SVG}pattern"))), len(list(root.iter(f"{SVG}clipPath")))
    assert len(list(root.iter(f"{SVG}rect"))) - 1 - clips - pattern_tiles == bars == len(rows.items)


def test_rectangles_that_are_clear_are_left_out_and_all_others_are_where_the_scene_has_them() -> None:
    for scene in every_scene():
        layers = [layer for layer in scene.layers if layer.name in ("fills", "cells", "files")]
        boxes = [
            item.box
            for layer in layers
            for item in layer.items
            if item.hatch or item.fill != CLEAR or item.stroke_width
        ]
        figure = as_plotly.figure(scene)
        for layer in layers:
            part = next(part for part in figure.data if part.name == layer.name)
            assert list(part.x) == [(item.box.left + item.box.right) / 2 for item in layer.items]
            assert list(part.base) == [item.box.top for item in layer.items]
        if layers:
            rectangles = [r.attrib for r in parsed(scene).findall(f"./{SVG}g/{SVG}rect")]
            drawn = sorted((float(r["x"]), float(r["y"])) for r in rectangles)
            assert drawn == [pytest.approx(box[:2], abs=0.11) for box in sorted((b.left, b.top) for b in boxes)]


def test_it_has_a_title_for_those_who_do_not_see_it_and_the_figures_size() -> None:
    root = parsed(scene_of("orders"))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "13–14 were rolled back, 12 was published as 16; 1–3 have expired"
    assert root.attrib["width"] == "1100"
    assert root.attrib["role"] == "img"


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_told_in_words_to_those_who_do_not_see_it(name: str) -> None:
    """The title in one piece, the second line, warnings and findings: no word of them is in the picture alone."""
    drawings = PICTURES[name]
    for story in drawings.stories[:4]:
        scene = drawings.scene_of(story, **drawings.ways(story)[0])
        root = parsed(scene)
        title, description = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
        assert (root.attrib["role"], root.attrib["aria-label"]) == ("img", title)
        assert title
        assert description
        drawn = [item for layer in scene.layers if isinstance(layer, Texts) for item in layer.items]
        lines = {size: [said(item) for item in drawn if item.style.size == size] for size in (17, 12.5)}
        assert " ".join(lines[17]) == title or lines[17][-1].endswith("…")
        assert title.startswith(lines[17][0])
        assert lines[12.5][0].rstrip("…") in description


def said(text: Text) -> str:
    return "".join(span.words for span in text.spans)


def test_what_a_table_calls_things_runs_nowhere() -> None:
    document = svg.to_svg(scene_of("hostile"))
    root = ElementTree.fromstring(document)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
        "svg", "title", "desc", "defs", "clipPath", "rect", "path", "g", "text", "tspan", "pattern"
    }  # fmt: skip
    assert not any(key.startswith("on") or "href" in key for e in root.iter() for key in e.attrib)
    assert "http" not in document.replace("http://www.w3.org/2000/svg", "")


def test_the_data_uri_is_the_same_picture() -> None:
    scene = scene_of("one")
    head, _, body = svg.to_data_uri(scene).partition(",")
    assert head == "data:image/svg+xml;base64"
    assert base64.b64decode(body).decode() == svg.to_svg(scene)
