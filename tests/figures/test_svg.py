from __future__ import annotations

import base64
from typing import Any
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from explorer.figures.page import svg
from explorer.figures.page.svg_marks import Undrawable
from explorer.figures.page.theme import DARK, LIGHT, Theme
from explorer.figures.snapshot_graph import draw as picture
from tests.figures.drawings import SNAPSHOT_GRAPH
from tests.figures.pages import plain, trace

graph_of, figure_of = SNAPSHOT_GRAPH.facts, SNAPSHOT_GRAPH.figure_of

SVG = "{http://www.w3.org/2000/svg}"


def parsed(figure: go.Figure) -> ElementTree.Element:
    return ElementTree.fromstring(svg.to_svg(figure))


@pytest.mark.parametrize("name", SNAPSHOT_GRAPH.stories)
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_mark_of_the_figure_is_in_the_picture(name: str, theme: Theme) -> None:
    nodes = graph_of(name).nodes
    selected = str(nodes[-1].snapshot.snapshot_id) if nodes else None
    figure = figure_of(name, theme=theme, selected=selected, compared=selected)
    root = parsed(figure)
    texts = ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]
    drawn = [part for part in figure.data if part.type == "scatter" and "text" in part.mode]
    assert sorted(texts) == sorted(plain(t) for part in drawn for t in part.text or ())
    for part in ("page marks", "snapshots", "attempts", "halo", "ring"):
        group = len(trace(figure, part).x)
        assert group <= len([p for p in root.iter(f"{SVG}path") if "transform" in p.attrib])
    marks = sum(len(trace(figure, p).x) for p in ("page marks", "snapshots", "attempts", "halo", "ring"))
    assert len([p for p in root.iter(f"{SVG}path") if "transform" in p.attrib]) == marks
    shapes = [s for s in figure.layout.shapes if s.visible is not False]
    assert len([p for p in root.iter(f"{SVG}path") if "clip-path" in p.attrib]) == len(shapes)
    pattern_tiles = len(list(root.iter(f"{SVG}pattern")))
    clips = len(list(root.iter(f"{SVG}clipPath")))
    assert len(list(root.iter(f"{SVG}rect"))) == 1 + clips + pattern_tiles + len(trace(figure, "rows").x)


def test_it_has_a_title_for_those_who_do_not_see_it_and_the_figures_size() -> None:
    root = parsed(figure_of("orders"))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "18 is current; 13–14 were rolled back, 12 was published as 16, 1–3 have expired"
    assert root.attrib["width"] == "1100"
    assert root.attrib["role"] == "img"


def test_what_a_table_calls_things_runs_nowhere() -> None:
    document = svg.to_svg(figure_of("hostile"))
    root = ElementTree.fromstring(document)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
        "svg", "title", "defs", "clipPath", "rect", "path", "g", "text", "tspan", "pattern"
    }  # fmt: skip
    assert not any(key.startswith("on") or "href" in key for e in root.iter() for key in e.attrib)
    assert "http" not in document.replace("http://www.w3.org/2000/svg", "")


def test_the_data_uri_is_the_same_picture() -> None:
    figure = figure_of("one")
    head, _, body = svg.to_data_uri(figure).partition(",")
    assert head == "data:image/svg+xml;base64"
    assert base64.b64decode(body).decode() == svg.to_svg(figure)


def test_places_are_those_of_the_figure() -> None:
    figure = figure_of("orders")
    part = trace(figure, "snapshots")
    low, high = picture.visible(figure)
    left, right = figure.layout.meta["plot"]
    x = left + (part.x[2] - low) / (high - low) * (right - left)
    marks = [p.attrib["transform"] for p in parsed(figure).iter(f"{SVG}path") if "transform" in p.attrib]
    assert f"translate({x:.1f},{part.y[2]:.1f})" in marks


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.add_annotation(text="a", x=1, y=1),
        lambda f: f.add_trace(go.Heatmap(z=[[1]])),
        lambda f: f.add_trace(go.Scatter(x=[1], y=[1], mode="markers", fill="toself")),
        lambda f: f.add_shape(type="circle", x0=0, x1=1, y0=0, y1=1, layer="below"),
        lambda f: f.add_shape(type="path", path="M0,0h5", layer="below", xref="x", yref="y"),
        lambda f: f.update_layout(title="a"),
        lambda f: f.update_layout(width=None),
        lambda f: f.update_xaxes(visible=True),
        lambda f: f.data[4].update(marker={"symbol": "star"}),
        lambda f: f.data[0].update(text=["<u>a</u>"] * len(f.data[0].x)),
        lambda f: f.data[0].update(text=["<b>a"] * len(f.data[0].x)),
        lambda f: f.data[0].update(textposition="top center"),
        lambda f: f.data[3].update(marker={"pattern": {"shape": "x"}}),
        lambda f: f.data[10].update(line={"dash": "dot"}),
    ],
)
def test_what_it_cannot_draw_it_refuses(change: Any) -> None:
    nodes = graph_of("orders").nodes
    figure = go.Figure(figure_of("orders", compared=str(nodes[3].snapshot.snapshot_id)))
    svg.to_svg(figure)
    change(figure)
    with pytest.raises(Undrawable):
        svg.to_svg(figure)
