"""What a picture says where nothing answers a click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from explorer.figures.page import as_plotly, svg
from explorer.figures.page.scene import Checklist, Scene, Signs, Texts
from explorer.figures.page.still import commits, still
from tests.figures.drawings import COMMIT, PICTURES, SNAPSHOT_GRAPH, Drawings
from tests.figures.pages import assert_apart, plain, texts

_PROMISES = re.compile(r"\bclick|\bpress\b|\bdrag\b|zoom|\bEnter\b|\bpointer\b|^[◂▸]|[◂▸]$", re.IGNORECASE)
of_every_picture = pytest.mark.parametrize("drawings", PICTURES.values(), ids=PICTURES)


def said(scene: Scene) -> Iterator[str]:
    """Every line that is written, and that the pointer is told."""
    for layer in scene.layers:
        for item in layer.items:
            if isinstance(layer, Texts | Checklist):
                yield "".join(span.words for span in item.spans)
            if isinstance(layer, Signs):
                yield item.words
            yield from (plain(line) for line in getattr(item, "hover", "").split("<br>"))


def scenes(drawings: Drawings[Any], width: int) -> Iterator[Scene]:
    for story in drawings.stories:
        for how in drawings.ways(story)[:2]:
            yield drawings.scene_of(story, width=width, **how)


@of_every_picture
def test_no_still_picture_promises_a_click(drawings: Drawings[Any]) -> None:
    for live in scenes(drawings, 800):
        assert [words for words in said(still(live)) if _PROMISES.search(words)] == []


@pytest.mark.parametrize("name", [name for name in PICTURES if name not in ("why", "dry run")])
def test_a_live_one_does(name: str) -> None:
    assert any(_PROMISES.search(words) for live in scenes(PICTURES[name], 800) for words in said(live))


@of_every_picture
def test_nothing_else_is_lost(drawings: Drawings[Any]) -> None:
    for live in scenes(drawings, 800):
        quiet = still(live)
        kept = set(said(quiet))
        for words in said(live):
            assert words.strip("◂▸ ") in kept or words in kept or _PROMISES.search(words), words
        assert quiet.shapes == live.shapes
        assert [type(layer) for layer in quiet.layers] == [type(layer) for layer in live.layers]


@of_every_picture
def test_it_fits_a_page_of_800_pixels(drawings: Drawings[Any]) -> None:
    for story in drawings.stories:
        scene = still(drawings.scene_of(story, width=800, **drawings.ways(story)[0]))
        assert scene.width == 800
        assert 'width="800"' in svg.to_svg(scene)[:200]
        figure = as_plotly.figure(scene)
        assert_apart(texts(figure), figure)


def test_of_what_a_click_meant_only_commits_are_left_to_be_found() -> None:
    graph = SNAPSHOT_GRAPH.facts("orders")
    listed = {node.snapshot.snapshot_id for node in graph.nodes}
    found = set(commits(still(SNAPSHOT_GRAPH.scene_of("orders"))))
    assert found == listed
    scene = still(COMMIT.scene_of("copy-on-write"))
    meanings = {getattr(item, "meaning", "") for layer in scene.layers for item in layer.items}
    assert all(re.fullmatch(r"(commit [0-9]+)?", meaning) for meaning in meanings)
