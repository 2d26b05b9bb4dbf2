"""A drawing within a page: well formed, alone with its names, every place with its words, by pointer and keyboard."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from explorer.figures.bisect import draw as bisect_draw
from explorer.figures.page import answering
from explorer.figures.page.theme import DARK, LIGHT
from tests.figures import bisect_stories
from tests.figures.drawings import PICTURES


@pytest.mark.parametrize("name", PICTURES)
def test_every_place_of_every_picture_answers_inside_the_drawing(name: str) -> None:
    drawings = PICTURES[name]
    scene = drawings.scene_of(next(iter(drawings.stories)), theme=DARK, width=900)
    root = ElementTree.fromstring(answering.to_inline(scene, "one"))
    answers = [g for g in root.iter() if g.get("class") == "answer"]
    hovers = [item.hover for layer in scene.layers for item in layer.items if getattr(item, "hover", "")]
    assert len(answers) >= len([hover for hover in hovers if re.sub("<[^>]*>", "", hover).strip()]) > 0
    assert sum(g.get("tabindex") == "0" for g in answers) == min(len(answers), answering.BY_KEYBOARD)
    for g in answers:
        assert g.get("aria-label")
        box = next(tip for tip in g if tip.get("class") == "tip")[0]
        left, width = float(box.get("x") or 0), float(box.get("width") or 0)
        assert left >= 0
        assert left + width <= scene.width


def test_two_drawings_of_one_page_share_no_name_and_have_no_script() -> None:
    scene = bisect_draw.draw(
        bisect_stories.hostile(),
        LIGHT,
        name="<script>",
        width=900,
    )
    one, other = (answering.to_inline(scene, name) for name in ("one", "other"))
    ids = [set(re.findall(r'id="([^"]+)"', drawn)) for drawn in (one, other)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert set(re.findall(r"url\(#([^)]+)\)", one)) <= ids[0]
    assert "<script" not in one
