from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest
from ipywidgets import Widget
from ipywidgets.embed import dependency_state

from explorer.figures.page import layers
from explorer.figures.page.hits import elsewhere, halo, ring
from explorer.figures.page.scene import Box, Rectangle, Scene, Selection, Type
from explorer.figures.page.sheet import LAYERS, Sheet
from explorer.figures.page.theme import LIGHT
from explorer.widgets import TableExplorer
from explorer.widgets.explorer import TABS
from explorer.widgets.live_figure import LiveFigure
from explorer.widgets.plotly_bundle import moving_images_alone, of_this_kernel
from tests.widgets.tabs import opened, until

BOX, ELSEWHERE = Box(10, 20, 30, 40), Box(60, 20, 80, 40)


def chosen(box: Box | None = None, words: str = "") -> Selection:
    return Selection(halo(box, LIGHT), (ring([box] if box else [], LIGHT), elsewhere(5, 7, words, "", "", LIGHT)))


def scene(*ys: float, words: str = "a", selected: Box | None = None) -> Scene:
    sheet = Sheet.of(LIGHT, 720)
    sheet.text(20, 20, words, Type(12, LIGHT.ink))
    sheet.cells += [Rectangle(Box(0, y, 10, y + 1)) for y in ys]
    return sheet.scene(100, {}).selecting(chosen(selected))


def seen(live: LiveFigure) -> list[dict[str, Any]]:
    return [image.to_plotly_json() for image in live.widget.layout.images]


def words_of(images: list[dict[str, Any]]) -> list[str]:
    """What the images of a figure say, where nothing is selected."""
    told = [base64.b64decode(image["source"].split(",")[1]).decode() for image in images if image["visible"]]
    return [words for of in told for words in re.findall("<text[^>]*>([^<]*)<", of)]


def listening(live: LiveFigure, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is sent to the page from now on."""
    sent: list[dict[str, Any]] = []
    for send in ("_send_update_msg", "_send_restyle_msg"):
        monkeypatch.setattr(live.widget, send, lambda *_, **message: sent.append(message))
    monkeypatch.setattr(live.widget, "_send_relayout_msg", lambda data, **_: sent.append(data))
    return sent


def test_the_first_message_to_the_browser_holds_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[dict[str, Any]] = []
    open_channel = Widget.open

    def watch(widget: Widget) -> None:
        opened.append(widget.get_state())
        open_channel(widget)

    monkeypatch.setattr(Widget, "open", watch)
    LiveFigure(scene(1, 2))
    state = next(state for state in opened if "_widget_data" in state)
    found = {trace["name"]: trace for trace in state["_widget_data"]}
    assert found["cells"]["base"] == [1, 2]
    assert "a" in words_of(state["_widget_layout"]["images"])
    assert state["_widget_layout"]["height"] == 100


def test_what_is_shown_next_replaces_what_was_shown() -> None:
    live = LiveFigure(scene(1, 2))
    live.show(scene(3, 4, 5, words="b"))
    cells, signs = (live.widget.data[LAYERS.index(name)] for name in ("cells", "elsewhere"))
    assert list(cells.base) == [3, 4, 5]
    assert words_of(seen(live)) == ["b"]
    live.select(chosen(words="gone"))
    assert list(signs.text) == ["<b>gone</b>"]
    live.show(scene(3, 4, 5, words="b"))
    assert list(signs.text) == [], "a change is known when the next scene is compared"


def test_a_selection_moves_images_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    live = LiveFigure(scene(1, 2, selected=BOX))
    assert seen(live) == layers.spec(live.scene)["layout"]["images"]
    assert not live.widget.data[LAYERS.index("ring")].x
    assert live.widget.layout.shapes[0].visible is False
    sent = listening(live, monkeypatch)
    for selected in (ELSEWHERE, None, BOX):
        live.select(chosen(selected))
        assert live.scene == scene(1, 2, selected=selected)
        assert [seen(live)[i]["visible"] for i in (0, 3)] == [selected is not None] * 2
        (message,) = sent
        assert {key.split("[")[0] for key in message} == {"images"}, "which plotly moves without a new drawing"
        sent.clear()
    assert seen(live) == layers.spec(live.scene)["layout"]["images"]
    live.select(chosen(BOX))
    assert not sent, "what is shown already is not sent again"


def test_other_words_over_the_same_places_draw_no_mark_again(monkeypatch: pytest.MonkeyPatch) -> None:
    live = LiveFigure(scene(1, 2))
    sent = listening(live, monkeypatch)
    live.show(scene(1, 2, words="selected"))
    (message,) = sent
    assert {key.split("[")[0] for key in message} == {"images"}, "which plotly replaces without a new drawing"
    assert words_of(seen(live)) == ["selected"]


def test_the_mark_that_draws_everything_again_is_cut_out_of_plotlys_bundle() -> None:
    bundle = str(go.FigureWidget._esm)
    cut = moving_images_alone(bundle)
    assert cut.count("_doNotReportToPy") == bundle.count("_doNotReportToPy") - 1
    assert of_this_kernel().code == cut
    assert moving_images_alone("written otherwise") == "written otherwise"


def test_what_is_saved_of_an_explorer_with_every_tab_opened_holds_plotlys_code_once(explorer: TableExplorer) -> None:
    views = []
    for title in TABS:
        view = opened(explorer, title)
        until(lambda view=view: view._live is not None or view._asked() is None)
        views.append(view)
    figures = [view._live.widget for view in views if view._live is not None]
    assert len(figures) >= 6  # some wait for a condition, or a second snapshot
    mark = "plotlywidget-after-render"
    once = str(go.FigureWidget._esm).count(mark)
    for saved in dependency_state([explorer]), dependency_state(figures):
        assert json.dumps(saved).count(mark) == once
        assert {figure.model_id for figure in figures} <= saved.keys()


def test_the_code_is_sent_again_only_if_it_was_closed() -> None:
    first = of_this_kernel()
    assert of_this_kernel() is first
    assert LiveFigure(scene(1)).widget._bundle is first
    first.close()
    again = of_this_kernel()
    assert again is not first
    assert LiveFigure(scene(1)).widget._bundle is again


def test_a_page_that_is_loaded_again_is_told_what_is_shown_last() -> None:
    live, fresh = LiveFigure(scene(1, 2)), LiveFigure(scene(3, 4, 5, words="b", selected=BOX))
    live.show(scene(3, 4, 5, words="b"))
    live.select(chosen(BOX))
    state, expected = live.widget.get_state(), fresh.widget.get_state()
    assert state["_widget_layout"]["images"] == expected["_widget_layout"]["images"]
    traces = ([trace | {"uid": ""} for trace in told["_widget_data"]] for told in (state, expected))
    assert next(traces) == next(traces)


def test_layers_of_another_kind_are_refused() -> None:
    live, other = LiveFigure(scene(1)), scene(1)
    with pytest.raises(ValueError, match="number, type and order"):
        live.show(replace(other, drawn=other.drawn[::-1]))
